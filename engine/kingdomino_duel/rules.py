"""The rules of Kingdomino Duel in our own words, and the readings of what they leave open."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.catalogue import Catalogue, Rule
from engine.profile import Reading, Readings, Setting

CATALOGUE = Catalogue(
    "Kingdomino Duel, rules leaflet, by Bruno Cathala and Ludovic Maublanc, Blue Orange, 2019",
    [
        Rule(
            "KDD-SETUP",
            "Setup",
            "Each player has a map of 34 empty squares round a castle; a spellbook and four dice lie between"
            " them. The oldest player is A in the first turn.",
        ),
        Rule(
            "KDD-F",
            "Setup, the faces of the dice",
            "A face shows one of six coats of arms, some with one or two crosses, or a question mark, which"
            " may be drawn as any coat.",
        ),
        Rule(
            "KDD-0",
            "Game Play",
            "A turn has four steps in this order: roll the dice, share them out, fill in the maps, fill in"
            " the spellbook.",
        ),
        Rule("KDD-1", "1. Rolling the Dice", "Player A rolls all four dice."),
        Rule(
            "KDD-2",
            "2. Setting Up Dominoes",
            "Player A takes one die, then player B two of the other three, and the last one is A's. A"
            " player's two dice are that player's domino for the turn.",
        ),
        Rule(
            "KDD-3",
            "3. Filling in the Map, ¶1",
            "Each player draws the domino once, on two empty squares of the own map that share a side.",
        ),
        Rule("KDD-3e", "3. Filling in the Map, ¶1", "What is drawn are the coats that the two dice show."),
        Rule(
            "KDD-3f",
            "3. Filling in the Map, ¶2",
            "As many circles beside a coat are crossed as its die has crosses.",
        ),
        Rule(
            "KDD-3a",
            "Connection Rules, first rule",
            "A domino may be drawn where one of its halves shares a side with the castle, whatever its coat.",
        ),
        Rule(
            "KDD-3b",
            "Connection Rules, second rule",
            "A domino may be drawn where one of its halves shares a side with an equal coat that was drawn on"
            " an earlier turn.",
        ),
        Rule(
            "KDD-3c", "Connection Rules, second rule", "Squares that only meet at a corner are not connected."
        ),
        Rule(
            "KDD-3g",
            "Connection Rules, on shading",
            "The border between two equal coats side by side is shaded; this shows the domain and changes"
            " nothing.",
        ),
        Rule(
            "KDD-3d",
            "Connection Rules, last ¶",
            "A player whose domino fits nowhere draws nothing this turn.",
        ),
        Rule(
            "KDD-4",
            "4. Filling in the Spellbook, ¶1",
            "For each coat drawn without a cross the player fills in one square of that coat's line on the"
            " own side of the spellbook.",
        ),
        Rule(
            "KDD-4a",
            "4. Filling in the Spellbook, ¶1",
            "A question mark fills in nothing, whatever is drawn.",
        ),
        Rule(
            "KDD-4b",
            "4. Filling in the Spellbook, ¶2–3",
            "Who is first to complete a line owns its power; the line of the other player is struck out.",
        ),
        Rule(
            "KDD-4c",
            "4. Filling in the Spellbook, ¶4",
            "At the end of a turn player A fills in the spellbook before player B.",
        ),
        Rule(
            "KDD-P",
            "Wizards' Powers, ¶1",
            "A power is used once in the game, at any time that suits it, and then crossed off; those with a"
            " lightning bolt are used at once.",
        ),
        Rule(
            "KDD-P1",
            "Wizards' Powers, first",
            "Draw this turn's domino without regard to the connection rules.",
        ),
        Rule(
            "KDD-P2",
            "Wizards' Powers, second",
            "Draw the two dice of this turn apart from each other, each by the connection rules.",
        ),
        Rule(
            "KDD-P3", "Wizards' Powers, third", "As player A, take two dice at once; the other two are B's."
        ),
        Rule("KDD-P4", "Wizards' Powers, fourth", "Turn one of the two own dice to any of its faces."),
        Rule(
            "KDD-P5",
            "Wizards' Powers, fifth (lightning)",
            "At once, name a coat: every separate domain of it earns 3 points at the end.",
        ),
        Rule(
            "KDD-P6", "Wizards' Powers, sixth (lightning)", "At once, add one cross to a coat on the own map."
        ),
        Rule(
            "KDD-C",
            "End of the Turn, castle bonus",
            "Once a game, one of the two own dice gets one more cross, a question mark too; the roof of the"
            " castle is coloured, and that die fills in nothing in the spellbook.",
        ),
        Rule("KDD-T", "End of the Turn", "Player B takes the dice and is A in the next turn."),
        Rule(
            "KDD-E1",
            "End of the Game, first case",
            "The game ends with the turn in which a player draws on the last empty square of a map.",
        ),
        Rule(
            "KDD-E2",
            "End of the Game, second case",
            "The game ends with a turn in which neither player can draw anything.",
        ),
        Rule(
            "KDD-D",
            "Wizards' Powers, fifth; Object of the Game",
            "A domain is a group of squares with the same coat that hang together by their sides.",
        ),
        Rule(
            "KDD-S1",
            "End of the Game, points",
            "A domain is worth the number of its squares times the number of its crosses.",
        ),
        Rule("KDD-S2", "End of the Game, points", "A domain without a cross is worth nothing."),
        Rule(
            "KDD-S3",
            "End of the Game, 3 points wizard",
            "Who used P5 gets 3 points for every domain of the coat that was named.",
        ),
        Rule(
            "KDD-S4",
            "End of the Game, points",
            "Several domains of one coat are counted one by one; the score is the sum over all domains.",
        ),
        Rule("KDD-W", "End of the Game, winner", "The higher score wins."),
        Rule(
            "KDD-TB",
            "End of the Game, tie",
            "With equal scores the player with the largest single domain, by squares, wins; if that is equal"
            " too, nobody does.",
        ),
        Rule("OBS-KDD-NOW", "what the camera sees", "A fact can be seen only when it is due."),
        Rule("OBS-KDD-PLAYER", "what the camera sees", "The oldest is one of the two players."),
        Rule("OBS-KDD-DICE", "what the camera sees", "A roll has exactly four dice."),
        Rule("OBS-KDD-FACE", "what the camera sees", "Each die shows one of the six faces that it has."),
    ],
)


def _fixed(number: int, key: str, question: str, value: str, meaning: str) -> Reading:
    """A reading without a sensible alternative: it is printed and recorded, but cannot be changed."""
    return Reading(f"A-K{number}", key, question, value, {value: meaning})


def _choice(number: int, key: str, question: str, default: bool, yes: str, no: str) -> Reading:
    return Reading(f"A-K{number}", key, question, default, {True: yes, False: no})


READINGS = Readings(
    [
        Reading(
            "A-K1",
            "tick_on",
            "When does a coat earn its square of the spellbook?",
            "draw",
            {
                "draw": "when it is drawn on the map",
                "draft": "when its die is taken: the face that was rolled counts, drawn or not",
            },
        ),
        _fixed(
            2,
            "unplaced_ticks",
            "Does a domino that is not drawn fill in anything?",
            "as_tick_on",
            "as tick_on says: nothing with draw, its coats with draft",
        ),
        _choice(
            3,
            "must_place",
            "Must a domino be drawn where it fits?",
            True,
            "yes",
            "no: a player may always draw nothing",
        ),
        _fixed(4, "halves_connected", "Must both halves of a domino connect?", "one", "one half is enough"),
        _fixed(
            5,
            "own_half",
            "May a half connect to the other half of the same domino?",
            "no",
            "no: only to what earlier turns drew",
        ),
        _choice(
            6,
            "p2_chain",
            "With P2, may the second square connect to the first of the same turn?",
            False,
            "yes, to an equal coat",
            "no",
        ),
        _choice(
            7,
            "p2_partial",
            "With P2, what if only one die can be drawn?",
            True,
            "that one is drawn, the other is lost",
            "then nothing is drawn",
        ),
        _fixed(
            8,
            "p1_adjacent",
            "With P1, must the two squares share a side?",
            "yes",
            "yes: only the connection is lifted",
        ),
        _choice(
            9,
            "combine_powers",
            "May P1 and P2 be used in the same turn?",
            True,
            "yes: any two empty squares",
            "no: one of them a turn",
        ),
        _fixed(
            10,
            "power_from",
            "When may a power be used first?",
            "next_turn",
            "P1 to P4 from the next turn on, P5 and P6 at once",
        ),
        _fixed(
            11,
            "p4_fills",
            "What does a die turned by P4 fill in?",
            "as_turned",
            "what it then shows: nothing for a question mark",
        ),
        _fixed(
            12,
            "p4_time",
            "When may P4 be used?",
            "own_domino",
            "on a die of the own domino, before it is drawn",
        ),
        _choice(
            13, "p5_requires_presence", "Must the coat named with P5 be on the own map?", False, "yes", "no"
        ),
        _fixed(
            14,
            "p5_domains",
            "Which domains does P5 count?",
            "all",
            "every separate domain, without crosses and single squares too",
        ),
        Reading(
            "A-K15",
            "circles_per_square",
            "P6 goes on any own coat with a free circle. How many circles has"
            " a square? (A cross of dice and castle beyond them is drawn beside them.)",
            3,
            {},
            1,
        ),
        _fixed(
            16,
            "castle_time",
            "When may the castle bonus be used?",
            "own_domino",
            "when the dice are shared out and before the domino is drawn, on any die",
        ),
        _fixed(
            17,
            "castle_undrawn",
            "What if the die with the castle bonus is not drawn?",
            "spent",
            "the bonus is spent",
        ),
        _choice(
            18,
            "e2_forces_power",
            "Must a player whose domino fits nowhere use a power that would help?",
            False,
            "yes: P1, P2 and P4, as far as they help",
            "no: who declines counts as not able",
        ),
        _fixed(
            19,
            "end_check",
            "When does the end of the game take effect?",
            "after_step_4",
            "after step 4: both players finish the turn",
        ),
        _fixed(
            20,
            "sheet_mismatch",
            "What if the spellbook differs from what the dice earned?",
            "report",
            "the difference is reported, square by square",
        ),
        _fixed(
            21,
            "two_lines",
            "What if both players complete different lines in one turn?",
            "both",
            "each gets the own one; what is used at once is named in either order",
        ),
        _fixed(22, "after_complete", "Is a complete line filled in any further?", "no", "no"),
        _fixed(
            23,
            "last_square",
            "What becomes of a single last empty square?",
            "p2_only",
            "only P2 can fill it; otherwise nothing can be drawn",
        ),
        _fixed(24, "p4_same_face", "May P4 leave the die as it lies?", "yes", "yes, and the power is spent"),
        _fixed(25, "needless_power", "May P1 or P2 be used without need?", "yes", "yes, and it is spent"),
        _fixed(26, "p5_p6_order", "P5 and P6 won in one turn: which comes first?", "either", "either"),
        _fixed(
            27,
            "p2_both",
            "With P2, may one die be left out though both can be drawn?",
            "no",
            "no: both are drawn",
        ),
    ]
)


@dataclass(frozen=True, slots=True)
class House:
    """The readings that can be chosen, as values."""

    tick_on_draft: bool
    must_place: bool
    p2_chain: bool
    p2_partial: bool
    combine_powers: bool
    p5_requires_presence: bool
    e2_forces_power: bool
    circles: int

    @classmethod
    def of(cls, settings: Mapping[str, Setting]) -> "House":
        """The values under these settings."""
        return cls(
            tick_on_draft=settings["tick_on"] == "draft",
            must_place=bool(settings["must_place"]),
            p2_chain=bool(settings["p2_chain"]),
            p2_partial=bool(settings["p2_partial"]),
            combine_powers=bool(settings["combine_powers"]),
            p5_requires_presence=bool(settings["p5_requires_presence"]),
            e2_forces_power=bool(settings["e2_forces_power"]),
            circles=int(settings["circles_per_square"]),
        )
