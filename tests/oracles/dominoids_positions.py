"""Starting positions of Dominoids for the perft tables, in the format of ``dominoids.py``.

Each is complete: 15 dominoes, 24 coins, 4 pawns, 4 dice. They are written as one would say them: dominoes
``2@d4-3@e4``, coins ``a3=suns?`` (value down) or ``b6=suns2``.
"""

SUITS = ["suns", "moons", "crowns", "arms"]
ALL_DOMINOES = [[low, high] for low in range(1, 6) for high in range(low, 6)]
OPENING_PAWNS = "suns=b3 moons=c7 crowns=g6 arms=f2"
OPENING_COINS = "a3=suns? c8=moons? h6=crowns? f1=arms?"
OPENING_DOMINOES = "1@c3-4@d3 2@c5-3@c6 3@e6-5@f6 2@f3-2@f4"
CORNERS = {"pawns": "suns=a8 moons=h8 crowns=h1 arms=a1"}


def place(dominoids="", pawns="", coins="", *, faces="5 4 ace null", **rest):
    """A position from words; what is not said is as at the start of a turn, pool and stacks hold the rest."""
    on_board = [domino_of(text) for text in dominoids.split()]
    lying = {text[:2]: coin_of(text[3:]) for text in coins.split()}
    eaten = [
        [[coin["suit"], coin["value"]] for coin in map(coin_of, rest.pop(who, "").split())]
        for who in ("eaten1", "eaten2")
    ]
    gone = [coin["suit"] for coin in lying.values()] + [suit for player in eaten for suit, _ in player]
    position = {
        "phase": "dice",
        "player": 0,
        "dominoids": on_board,
        "pool": [pips for pips in ALL_DOMINOES if pips not in [sorted(d.values()) for d in on_board]],
        "pawns": dict(text.split("=") for text in pawns.split()),
        "coins": lying,
        "stacks": {suit: 6 - gone.count(suit) for suit in SUITS},
        "eaten": eaten,
        "faces": dict(zip(SUITS, faces.split(), strict=True)),
        "old": list(SUITS),
        "new": [],
        "chosen": [],
        "unused": [],
        "mover": None,
    }
    position.update(rest)
    return position


def acting(*chosen, **words):
    """A position in which these two dice are chosen and neither is used."""
    position = place(**words)
    position.update(phase="act", chosen=list(chosen), unused=list(chosen))
    return position


def domino_of(text):
    """``2@d4-3@e4`` as ``{"d4": 2, "e4": 3}``."""
    return {end[2:]: int(end[0]) for end in text.split("-")}


def coin_of(text):
    """``suns2`` or ``suns?`` as a coin."""
    return {"suit": text[:-1], "value": None if text[-1] == "?" else int(text[-1])}


def openings():
    """Figure 1, and the same table with other dice."""
    table = {"dominoids": OPENING_DOMINOES, "pawns": OPENING_PAWNS, "coins": OPENING_COINS}
    return {
        "opening": place(**table),
        "opening, two numbers chosen": acting("suns", "moons", **table),
        "opening, equal numbers chosen": acting("suns", "arms", **table, faces="3 null 2 3"),
        "opening, two aces chosen": acting("moons", "crowns", **table, faces="5 ace ace 2"),
        "one die left in the old box": place(
            **table, faces="2 3 null 5", old=["suns"], new=["moons", "crowns", "arms"]
        ),
    }


def meals():
    """Coins eaten and turned up."""
    return {
        "a meal of two coins, after figure 7": acting(
            "suns",
            "arms",
            dominoids="3@c2-4@c3 5@g1-5@g2",
            **CORNERS,
            coins="b6=suns2 d7=moons0 c8=crowns5 f3=arms?",
            faces="5 3 2 null",
        ),
        "two coins turned up": acting(
            "suns",
            "moons",
            dominoids="2@d2-4@d3 1@g5-5@g6",
            **CORNERS,
            coins="c7=suns? e6=moons? h5=crowns? e1=arms?",
            faces="5 2 2 null",
            eaten1="suns0 suns3",
            eaten2="moons1 moons5",
        ),
        "a meal that can end the game": acting(
            "suns",
            "arms",
            dominoids="3@c2-4@c3 1@f5-5@f6",
            **CORNERS,
            coins="b6=suns2 h4=arms1",
            faces="5 3 2 4",
            eaten1="suns0 suns1 suns3 moons0 moons1 moons2 moons3 moons4 crowns2 arms0",
            eaten2="suns4 suns5 moons5 crowns0 crowns1 crowns3 crowns4 crowns5 arms3",
        ),
    }


def attacks():
    """An attack where there may be a meal instead."""
    return {
        "attack or meal, after figure 8": acting(
            "crowns",
            "arms",
            dominoids="3@b3-4@c3 1@d4-3@e4 2@d2-5@d1",
            pawns="suns=e3 moons=h8 crowns=g1 arms=a8",
            coins="f8=suns? h7=moons? c2=crowns2 b8=arms?",
            faces="2 3 5 ace",
        ),
    }


def births():
    """Breeding and budding."""
    return {
        "breeding, after figure 9": acting(
            "suns",
            "crowns",
            dominoids="2@b3-3@c3 3@e3-4@e4",
            **CORNERS,
            coins="b8=suns? g8=moons? h2=crowns? b1=arms?",
            faces="4 5 null 2",
        ),
        "two partners and parallel Dominoids": acting(
            "moons",
            "arms",
            dominoids="1@b4-2@c4 2@e4-2@f4 1@d5-3@c5 1@c3-5@d3",
            **CORNERS,
            coins="b8=suns? g8=moons? h2=crowns? b1=arms?",
            faces="2 3 ace 2",
        ),
        "budding, after figure 10": acting(
            "suns",
            "moons",
            dominoids="1@b1-4@a1 2@d4-3@e4",
            pawns="suns=c1 moons=b2 crowns=h1 arms=h8",
            coins="c2=suns? a2=moons? g1=crowns? g8=arms?",
            faces="2 2 5 ace",
        ),
    }


def shifts():
    """Aces, with and without something to shift."""
    return {
        "shifts, after figure 11": acting(
            "suns",
            "moons",
            dominoids="1@b3-3@c3 1@f6-4@g6",
            pawns="suns=e8 moons=a6 crowns=h1 arms=d1",
            coins="e7=suns? c6=moons1 g1=crowns? h6=arms?",
            faces="ace ace 3 4",
        ),
        "an ace that can shift nothing": acting(
            "moons",
            "crowns",
            dominoids="1@b3-3@c3 2@f6-2@f7 3@h2-3@h3 1@d1-4@e1",
            pawns="suns=e8 moons=a6 crowns=h1 arms=d4",
            coins="e7=suns? a5=moons? g1=crowns? d5=arms?",
            faces="null ace ace 4",
        ),
    }


def ends_of_turns():
    """Refills and rolls."""
    return {
        "refill, after figure 12": place(
            "1@g7-4@h7 2@f8-3@g8 1@c1-2@d1 3@c2-5@b2 4@a3-5@a4",
            "suns=h8 moons=e5 crowns=f6 arms=b1",
            "f7=crowns?",
            faces="null ace 3 4",
            phase="refill",
            chosen=["suns", "moons"],
            eaten1="moons0 moons1 moons2 arms3 suns1 crowns2",
            eaten2="moons3 moons4 moons5 arms0",
        ),
        "two refills and one square": place(
            "1@b4-2@b5 1@c3-3@c2 1@c5-4@c6 2@f4-3@f5 2@e3-4@e2 3@e5-5@e6",
            "suns=h8 moons=f8 crowns=c4 arms=e4",
            "a8=suns4 b2=moons?",
            faces="null ace 3 4",
            phase="refill",
            chosen=["suns", "arms"],
            old=["suns", "moons"],
            new=["crowns", "arms"],
        ),
        "roll, all four become old": place(
            OPENING_DOMINOES,
            OPENING_PAWNS,
            OPENING_COINS,
            faces="2 3 null 5",
            phase="roll",
            chosen=["suns", "moons"],
            old=["suns"],
            new=["moons", "crowns", "arms"],
        ),
    }


def moments():
    """Mid-turn moments, each around one part of the rules."""
    return {**meals(), **attacks(), **births(), **shifts(), **ends_of_turns()}


def middle_games():
    """Tables as they grow in play: many Dominoids, coins up and down."""
    return {
        "middle game": place(
            "1@a6-2@a7 1@d6-5@d5 2@e6-3@f6 3@c3-4@c2 4@g3-4@h3 2@e2-5@f2",
            "suns=b3 moons=c7 crowns=g6 arms=f4",
            "a3=suns5 c8=moons? h6=crowns? f5=arms4",
            faces="4 3 ace 5",
            old=["moons", "crowns"],
            new=["suns", "arms"],
            eaten1="suns1 arms0 arms2 moons3",
            eaten2="crowns4 crowns0 suns0",
        ),
        "crowded game": acting(
            "moons",
            "crowns",
            dominoids="1@b5-1@b6 1@d4-2@e4 1@c1-3@d1 2@g2-3@g3 3@e7-4@f7 2@a1-4@a2 3@h5-5@h6 4@d7-4@d8 "
            "5@f1-5@g1",
            pawns="suns=b3 moons=c6 crowns=f5 arms=g7",
            coins="b2=suns? b7=moons2 g5=crowns? g8=arms3",
            faces="2 4 3 null",
            player=1,
            eaten1="suns2 moons0",
            eaten2="arms1 crowns5",
        ),
    }


def positions():
    """Every named position."""
    return {**openings(), **moments(), **middle_games()}
