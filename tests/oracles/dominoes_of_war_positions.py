"""Starting positions of Dominoes of War for the perft tables, in the format of ``dominoes_of_war.py``.

They are written as one would say them: troops ``d4=grunt``, a sniper with its facing ``d4=sniper-n``, a used
troop with a star ``d4=grunt*``, tiles that lie face up ``d4=0-1``.
"""

KINDS = {
    "army": {"general": 4, "grunt": 5, "sniper": 3, "grenadier": 3, "kamikaze": 4},
    "cowboys": {"general": 4, "quick-shot": 3, "shotgunner": 3, "gunslinger": 3, "sniper": 3},
    "indians": {"chieftain": 4, "sniper": 3, "shotgunner": 3, "spear-thrower": 3, "lightfoot": 3},
}
WEST = "(0,3) (0,4) (-1,3) (-1,4) (-2,3) (-2,4)"  # two entrances, a3 and a4
EAST = "(9,5) (10,4) (10,5) (10,6) (11,5) (12,5)"  # one entrance, h5
RING = "(0,4) (0,3) (-1,3) (-2,3) (-2,4) (-2,5) (-1,5)"  # grown round a hole, (-1,4)
HOOK = "(0,0) (-1,0) (-1,1) (-1,2) (0,2) (0,3)"  # no tile lies beside both (0,0) and a1
WALLS = "c4|d4 d5|d6 e2|f2 f6|g6"
ELEVEN_MINES = [[pips, pips] for pips in range(11)]  # as many as there were spares


def place(first="", second="", *, walls=WALLS, bases=(WEST, EAST), armies=("army", "army"), **rest):
    """A position from words; what is not said is as in an ordinary turn of the first player."""
    troops = {**troops_of(0, first), **troops_of(1, second)}
    pools = [dict(KINDS[army]) for army in armies]
    for troop in troops.values():
        pools[troop["player"]][troop["type"]] -= 1
    plain = [[low, high] for low in range(1, 12) for high in range(12, low, -1)]
    shown = (tile for tile in plain if sum(tile) > 12 and sum(tile) not in (17, 20))
    position = {
        "phase": "action",
        "player": 0,
        "killed": "pool",
        "armies": list(armies),
        "bases": [base.split() for base in bases],
        "walls": [wall.split("|") for wall in walls.split()],
        "face_up": {square: next(shown) for square in sorted(troops) if not square.startswith("(")},
        "discard": [],
        "spares": 11,
        "pools": pools,
        "troops": troops,
        "actions": 3,
        "landed": None,
        "bonus": None,
        "to_face": [],
        "winner": None,
    }
    position["face_up"].update(tiles_of(rest.pop("tiles", "")))
    position.update(rest)
    return position


def troops_of(player, words):
    """The troops of one player by their squares."""
    found = {}
    for word in words.split():
        square, kind = word.split("=")
        acted = kind.endswith("*")
        kind = kind.removesuffix("*")
        facing = None
        if kind.startswith("sniper-"):
            kind, facing = kind.split("-")
        found[square] = {"player": player, "type": kind, "facing": facing, "acted": acted}
    return found


def tiles_of(words):
    """``d4=0-1`` as ``{"d4": [0, 1]}``."""
    return {
        word.split("=")[0]: [int(pips) for pips in word.split("=")[1].split("-")] for word in words.split()
    }


def around(base, kinds):
    """A base filled with these types, in the order in which its tiles are written."""
    return " ".join(f"{square}={kind}" for square, kind in zip(base.split(), kinds.split(), strict=True))


STOCK = "grunt kamikaze sniper grenadier general grunt"
OWN_KAMIKAZES = "b4=grunt g2=general b7=kamikaze (0,3)=kamikaze (0,4)=kamikaze (-1,3)=kamikaze"
FULL_WEST, FULL_EAST = around(WEST, STOCK), around(EAST, STOCK)


def setting_up():
    """The phases before the first turn."""
    lacking = " ".join(word for word in FULL_EAST.split() if not word.startswith("(12,5)"))
    return {
        "first base": place(phase="bases", walls="", bases=("", "")),
        "second base beside a corner": place(
            phase="bases", player=1, walls="", bases=("(0,1) (0,0) (-1,0) (-1,1) (-2,0) (-2,1)", "")
        ),
        "first wall": place(phase="walls", walls=""),
        "last wall": place(phase="walls", walls="c4|d4 d5|d6 e2|f2", player=1),
        "stocking begins": place(phase="stock"),
        "last tile to stock": place(FULL_WEST, lacking, phase="stock"),
        "first turn": place(FULL_WEST, FULL_EAST),
    }


def fights():
    """Army against army."""
    return {
        "grunts and walls": place("d4=grunt e2=grunt", "d8=grunt g2=grunt", tiles="d5=0-1 d3=0-2 e4=0-3"),
        "snipers face": place("b4=sniper-e a4=grenadier (0,3)=sniper", "f4=grunt (9,5)=sniper-w", actions=1),
        "three snipers to be faced": place(
            "b4=sniper-e c2=sniper (0,3)=sniper-n",
            "f4=grunt c7=general",
            phase="face",
            to_face=["(0,3)", "b4", "c2"],
            actions=0,
        ),
        "kamikaze among friends and foes": place(
            "d4=kamikaze c4=grunt e6=kamikaze",
            "d6=general e5=grunt f5=kamikaze",
            tiles="d5=0-1 e4=0-2 d3=0-3",
        ),
        "kamikaze before walls": place(
            "d4=kamikaze b2=general", "c4=grunt d6=grunt c5=grunt e5=sniper-s", tiles="d5=0-1 e4=0-2 d3=0-3"
        ),
        "kamikaze in its base doorway": place("(0,4)=kamikaze (-1,4)=grunt a2=general", "a4=grunt a5=grunt"),
        "grenadiers over walls": place(
            "c4=grenadier a3=grenadier", "e4=grunt g4=grunt c6=kamikaze a7=general"
        ),
        "generals spawn": place(
            "b3=general (0,3)=general (9,5)=grunt",
            "h5=general (12,5)=sniper-w",
        ),
        "last troops near a kamikaze": place("d4=kamikaze", "e5=grunt d5=kamikaze"),
        "own kamikaze shot, 2015": place(OWN_KAMIKAZES, "h8=grunt"),
        "own kamikaze shot, 2016": place(OWN_KAMIKAZES, "h8=grunt", killed="discard"),
        "base round a corner": place(
            "(0,0)=grenadier (1,0)=general a2=grunt",
            "a1=general b2=grunt (9,5)=grenadier",
            bases=("(0,1) (0,0) (1,0) (0,-1) (-1,0) (-1,1)", EAST),
        ),
        "a corner of a base without a way": place(
            "a2=kamikaze b1=grenadier",
            "(0,0)=grunt a1=general (0,3)=sniper-e",
            bases=(EAST, HOOK),
        ),
        "a wall at a corner of a base": place(
            "b1=kamikaze d1=grunt b3=kamikaze",
            "a1=general (0,0)=grunt (0,2)=grunt a2=sniper-n",
            walls="a1|a2 c4|d4 d5|d6 e2|f2",
            bases=(EAST, HOOK),
        ),
        "a base round a hole": place(
            "(0,4)=general (0,3)=grenadier (-2,5)=grenadier",
            "(-1,5)=grunt (9,5)=general",
            bases=(RING, EAST),
            spares=10,
        ),
    }


def tiles_and_bonuses():
    """Tiles about to be flipped, and each bonus about to be used."""
    return {
        "a kamikaze lands, no spare left": place(
            "d4=kamikaze b2=grunt",
            "d5=grunt e4=sniper-w",
            phase="flip",
            landed="d4",
            spares=0,
            discard=ELEVEN_MINES,
            actions=2,
        ),
        "the last troop lands": place("d4=grunt*", "h8=general", phase="flip", landed="d4", actions=2),
        "bonus 10": place(
            "d4=grunt* (0,3)=grunt", "h8=general", phase="bonus", bonus=10, tiles="d4=4-6", actions=2
        ),
        "bonus 12": place(
            "d4=grunt* b2=sniper-e", "f2=general", phase="bonus", bonus=12, tiles="d4=5-7", actions=0
        ),
        "bonus 17": place("d4=grunt*", "h8=general", phase="bonus", bonus=17, tiles="d4=8-9", actions=1),
        "bonus 17 without a spare": place(
            "d4=grunt*",
            "h8=general",
            phase="bonus",
            bonus=17,
            tiles="d4=8-9",
            actions=1,
            spares=0,
            discard=ELEVEN_MINES,
        ),
        "bonus 20": place("d4=grunt*", "h8=general", phase="bonus", bonus=20, tiles="d4=9-11", actions=1),
    }


def cowboys_and_indians():
    """The troops of the two other armies."""
    sides = {"armies": ("cowboys", "indians")}
    return {
        "quick shot": place(
            "d4=quick-shot c2=gunslinger", "d7=chieftain f4=lightfoot d2=spear-thrower", **sides
        ),
        "gunslinger again": place(
            "d4=gunslinger* b8=general*", "d6=lightfoot f6=spear-thrower", actions=2, **sides
        ),
        "lightfoot over walls": place(
            "d6=gunslinger", "d4=lightfoot c4=spear-thrower", player=1, tiles="d5=0-1 e4=0-2", **sides
        ),
        "lightfoot on a tile": place(
            "h8=general", "d4=lightfoot*", player=1, phase="flip", landed="d4", **sides
        ),
        "spears at a corner of a base": place(
            "b2=gunslinger a1=shotgunner",
            "(0,0)=spear-thrower c1=spear-thrower (0,2)=chieftain",
            player=1,
            bases=(EAST, HOOK),
            **sides,
        ),
        "shotguns at a corner of the base": place(
            "a2=shotgunner (0,4)=shotgunner (-1,4)=sniper", "a5=shotgunner b3=chieftain", **sides
        ),
    }


def positions():
    """Every named position."""
    found = {**setting_up(), **fights(), **tiles_and_bonuses(), **cowboys_and_indians()}
    for position in found.values():
        if position["landed"] is not None:
            position["face_up"].pop(position["landed"], None)
    return found
