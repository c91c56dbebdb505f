"""The numbered rules of Dominoes of War in our words; what they leave open is in ``readings``."""

from engine.catalogue import Catalogue, Rule

_TURN = "How to Play"
_SILENT = "not in the original: a reading"
_EYE = "what the camera sees"


def _troop_rules(code: str, section: str, move: str, attack: str) -> tuple[Rule, Rule]:
    return (
        Rule(f"DOW-{code}-M", f"Troop Types, {section}, Move", move),
        Rule(f"DOW-{code}-A", f"Troop Types, {section}, Attack", attack),
    )


CATALOGUE = Catalogue(
    "Seth Lyons and Rob Deckard, Dominoes of War (2015)",
    (
        Rule(
            "DOW-P1",
            "Pieces, Dominoes",
            "The game is played with at least 80 dominoes that look the same from behind; what is in front"
            " does not matter.",
        ),
        Rule(
            "DOW-P2",
            "Pieces, Army Men, Cowboys, Indians",
            "Each side plays one army: five different types of soldiers with at least three of each. Cowboys"
            " and Indians may be used instead of Army Men.",
        ),
        Rule(
            "DOW-P3",
            "Making the Game",
            "Where both sides play the same army, the soldiers are marked so that one sees whose each is.",
        ),
        Rule("DOW-S1", "Set-Up, Step 1", "64 mixed dominoes lie face down in eight rows of eight."),
        Rule(
            "DOW-S2",
            "Set-Up, Step 2",
            "A coin or a hand game decides who chooses which player goes first; the first player places his"
            " base first and has the first turn.",
        ),
        Rule(
            "DOW-S3",
            "Set-Up, Step 3",
            "Each base has exactly six dominoes that hang together, turned against the tiles of the field but"
            " in line with its rows and columns, somewhere round its outer edge, with one or two entrances;"
            " first the first player, then the second.",
        ),
        Rule(
            "DOW-S4",
            "Set-Up, Step 4",
            "The players take turns standing a domino on edge between two tiles of the field as a wall,"
            " beginning with the first, until four walls stand.",
        ),
        Rule(
            "DOW-S5",
            "Set-Up, Step 5",
            "Every player puts one soldier of his army on each tile of his own base, behind a divider if"
            " he likes.",
        ),
        Rule(
            "DOW-S6",
            "Set-Up, Steps 1 to 5",
            "The steps of the set-up follow each other, and play begins when the bases are stocked.",
        ),
        Rule(
            "DOW-T1",
            f"{_TURN}, paragraph 1",
            "A turn has up to three actions; each moves a troop or attacks with it.",
        ),
        Rule(
            "DOW-T2",
            f"{_TURN}, paragraph 1",
            "Each troop may be used for one action a turn: it moves or attacks, not both.",
        ),
        Rule(
            "DOW-T3",
            f"{_TURN}, paragraph 5",
            "A player need not use all his actions, or any.",
        ),
        Rule("DOW-T4", f"{_TURN}, paragraph 5", "The players take turns; nobody acts in the other's turn."),
        Rule("DOW-T5", f"{_TURN}, paragraph 1", "An action is taken with a troop of one's own on the table."),
        Rule(
            "DOW-M1",
            f"{_TURN}, paragraph 2",
            "Each type moves and attacks in its own way; a move may turn on its way.",
        ),
        Rule("DOW-M2", f"{_TURN}, paragraph 2", "A space is a tile of the field or of a base."),
        Rule("DOW-W1", "Set-Up, Step 4", "Walls stop movement, and nobody attacks through one."),
        Rule(
            "DOW-F1",
            f"{_TURN}, paragraph 3",
            "A troop that lands on a face-down tile of the field flips it; what it shows happens before"
            " anything else. Tiles of bases are not flipped.",
        ),
        Rule(
            "DOW-F2",
            f"{_TURN}, paragraph 4",
            "A double is a mine: the troop on it is lost, the tile goes to the discard for the rest of the"
            " game, and a spare tile takes its place.",
        ),
        Rule(
            "DOW-F3",
            f"{_TURN}, paragraph 4 and table",
            "A tile whose pips add up to 10, 12, 17 or 20 brings a bonus, which is used at once or lost.",
        ),
        Rule("DOW-F3.10", f"{_TURN}, table, 10", "One troop is spawned in the base without an action."),
        Rule(
            "DOW-F3.12",
            f"{_TURN}, table, 12",
            "One more action this turn, even by a troop that has already acted.",
        ),
        Rule(
            "DOW-F3.17",
            f"{_TURN}, table, 17",
            "One more tile is added to one's base and touches it; it may be an entrance.",
        ),
        Rule("DOW-F3.20", f"{_TURN}, table, 20", "Any one wall is moved to any other place of the field."),
        Rule(
            "DOW-B1",
            f"{_TURN}, last paragraph",
            "Troops may enter the enemy's base, attack out of a base and shoot into one.",
        ),
        Rule(
            "DOW-V",
            "Goal",
            "A player wins when the enemy has no troops left on the field and in the bases.",
        ),
        *_troop_rules(
            "GEN",
            "Army Men and Cowboys, General",
            "A General moves one space in any direction.",
            "A General hits one space away in any direction.",
        ),
        Rule(
            "DOW-GEN-S",
            "Troop Types, Army Men and Cowboys, General, Other",
            "A General outside his base may spend an action on bringing a troop from the pool into it.",
        ),
        *_troop_rules(
            "GRU",
            "Army Men, Grunt",
            "A Grunt moves three spaces along rows and columns.",
            "A Grunt hits up to four spaces away along rows and columns.",
        ),
        *_troop_rules(
            "SNI",
            "all armies, Sniper",
            "A Sniper moves two spaces along rows and columns.",
            "A Sniper hits at any distance, but only where he faces.",
        ),
        Rule(
            "DOW-SNI-F",
            "Troop Types, all armies, Sniper, Other",
            "At the end of his turn a player gives each of his Snipers, in any order, the direction in which"
            " alone that one may attack in the next turn.",
        ),
        *_troop_rules(
            "KAM",
            "Army Men, Kamikaze",
            "A Kamikaze moves two spaces along rows and columns.",
            "A Kamikaze has no attack but itself.",
        ),
        Rule(
            "DOW-KAM-R",
            "Troop Types, Army Men, Kamikaze, Other, paragraph 1",
            "A Kamikaze may run onto the tile of an enemy; both die, and all on the eight tiles around, but"
            " for those behind a wall.",
        ),
        Rule(
            "DOW-KAM-X",
            "Troop Types, Army Men, Kamikaze, Other, paragraph 2",
            "A Kamikaze that is shot explodes and kills all on the eight tiles around it. One may shoot one's"
            " own.",
        ),
        Rule(
            "DOW-KAM-W",
            "Troop Types, Army Men, Kamikaze, Other, paragraph 3",
            "A Kamikaze may blow up a wall if its steps would carry it through; all on the eight tiles around"
            " die, but for those behind that wall or another.",
        ),
        Rule(
            "DOW-KAM-N",
            "Troop Types, Army Men, Kamikaze, Other, paragraph 4",
            "A Kamikaze that lands on a mine explodes as well.",
        ),
        *_troop_rules(
            "GRE",
            "Army Men, Grenadier",
            "A Grenadier moves two spaces, each of them slanting.",
            "A Grenadier throws two, three or four spaces along a row or column, over walls and troops.",
        ),
        *_troop_rules(
            "QUI",
            "Cowboys, Quick Shot",
            "A Quick Shot moves two spaces along rows and columns.",
            "A Quick Shot shoots in two directions along rows and columns, five spaces in total, so four in"
            " one at most.",
        ),
        *_troop_rules(
            "SHO",
            "Cowboys and Indians, Shotgunner",
            "A Shotgunner moves two spaces in any direction.",
            "A Shotgunner hits up to two spaces away in any direction.",
        ),
        *_troop_rules(
            "GUN",
            "Cowboys, Gunslinger",
            "A Gunslinger moves two spaces in any direction.",
            "A Gunslinger hits up to two spaces away in any direction.",
        ),
        Rule(
            "DOW-GUN-X",
            "Troop Types, Cowboys, Gunslinger, Other",
            "A Gunslinger may use several actions in one turn.",
        ),
        *_troop_rules(
            "CHI",
            "Indians, Chieftain",
            "A Chieftain moves one space in any direction.",
            "A Chieftain hits one space away in any direction.",
        ),
        Rule(
            "DOW-CHI-S",
            "Troop Types, Indians, Chieftain, Other",
            "A Chieftain outside his base may spend an action on bringing a troop from the pool into it.",
        ),
        *_troop_rules(
            "SPE",
            "Indians, Spear Thrower",
            "A Spear Thrower moves two spaces along rows and columns.",
            "A Spear Thrower hits up to three spaces away in any direction, over walls and troops.",
        ),
        *_troop_rules(
            "LIG",
            "Indians, Lightfoot",
            "A Lightfoot moves three spaces along rows and columns.",
            "A Lightfoot hits up to two spaces away along rows and columns.",
        ),
        Rule(
            "DOW-LIG-C",
            "Troop Types, Indians, Lightfoot, Other, paragraph 1",
            "A Lightfoot climbs over walls as if they were not there.",
        ),
        Rule(
            "DOW-LIG-N",
            "Troop Types, Indians, Lightfoot, Other, paragraph 2",
            "A mine does not explode under a Lightfoot and stays where it is.",
        ),
        Rule("A-W2", _SILENT, "A troop moves through no other troop and ends on no occupied tile."),
        Rule("A-W3", _SILENT, "Where every tile entered is flipped, a move is made tile by tile."),
        Rule("A-W4", _SILENT, "The first troop in the line of fire stops the shot; throws pass over troops."),
        Rule("A-W5", _SILENT, "Own troops may not be attacked, but for an own Kamikaze."),
        Rule("A-W7", _SILENT, "An attack goes in a straight line, in one of the directions of its type."),
        Rule(
            "A-W8",
            _SILENT,
            "A slanting step, shot or blast is stopped by walls only if both ways round the corner are cut.",
        ),
        Rule(
            "A-W9",
            _SILENT,
            "Between field and base one steps or shoots slanting only past an entrance that no wall cuts."
            " Steps inside one base, throws and blasts need none.",
        ),
        Rule("A-W12", _SILENT, "The two bases do not touch by a side."),
        Rule("A-W13", _SILENT, "A wall stands between two tiles of the field, at most one on each side."),
        Rule("A-W14", _SILENT, "Walls may cut off a part of the map; the referee says so."),
        Rule("A-W18", _SILENT, "A troop is spawned on any empty tile of the own base."),
        Rule("A-W20", _SILENT, "Each side has a limited pool of soldiers of each type."),
        Rule("A-W25", _SILENT, "A Sniper who has been given no facing yet cannot attack."),
        Rule("A-W26", _SILENT, "A Sniper faces one of four directions."),
        Rule("A-W27", _SILENT, "A shot of any length stops at the first place without a tile."),
        Rule("A-W32", _SILENT, "Where both sides lose their last troops at once, the game is drawn."),
        Rule("A-W35", _SILENT, "A Quick Shot shoots in two different directions; either shot may miss."),
        Rule("A-W37", _SILENT, "The players may agree to a draw; it is offered before the first action."),
        Rule("A-W40", _SILENT, "A throw stops at the first place without a tile."),
        Rule("A-W41", _SILENT, "An attack needs a target, but for those of a Quick Shot."),
        Rule("A-W42", _SILENT, "No step, shot or blast goes straight from one base to the other."),
        Rule(
            "A-W43",
            _SILENT,
            "A new base tile needs a spare tile and may not touch the enemy base; a wall is moved to another"
            " side than its own.",
        ),
        Rule("OBS-DOW-DUE", _EYE, "Only what is due is seen: the tile landed on, the lot, a hidden soldier."),
        Rule("OBS-DOW-SET", _EYE, "A flipped tile is one of the set that is played with."),
        Rule("OBS-DOW-TWICE", _EYE, "No tile is seen more often than the set has it."),
        Rule("OBS-DOW-TROOP", _EYE, "A soldier is of his side's army, and no pool holds more than it has."),
        Rule("OBS-DOW-ARMY", _EYE, "There are three armies: army, cowboys and indians."),
        Rule("OBS-DOW-LOT", _EYE, "The lot falls to player 1 or to player 2."),
    ),
)
