"""The rules of the Draw Game in our own words, and how its open questions are read."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.catalogue import Catalogue, Rule
from engine.profile import Reading, Readings, Setting

SOURCE = "Appendix to a dominoes program: the two-person 'Draw Game' (file appendix.doc, dated 1987)"
_CAMERA = "what the camera sees"

CATALOGUE = Catalogue(
    SOURCE,
    [
        Rule(
            "DRW-0",
            "paragraph 2, the set",
            "The set has 28 tiles: every pair of numbers from 0 to 6 once, the seven doubles included.",
        ),
        Rule(
            "DRW-1",
            "paragraph 3, hands and boneyard",
            "Each player gets 11 tiles at random, or 9 or 7 by agreement; the others are the boneyard. Faces "
            "are the owner's secret, but how many tiles a hand holds is always public.",
        ),
        Rule(
            "DRW-2",
            "paragraph 4, the lot; paragraph 13, alternation",
            "Lots decide who has the first Down: whoever draws the tile with more pips. After that the Down "
            "changes hands with every deal, whoever won it.",
        ),
        Rule(
            "DRW-3",
            "paragraph 5, the Down",
            "The player who has the Down opens the deal by laying any tile of his hand.",
        ),
        Rule(
            "DRW-T1",
            "paragraph 6, the next player",
            "The players take turns; a turn lays one tile, or ends with a pass.",
        ),
        Rule(
            "DRW-T2",
            "paragraphs 5 and 6, one of his dominoes",
            "A tile that is laid comes from the hand of the player who lays it.",
        ),
        Rule(
            "DRW-T3",
            "paragraphs 3, 9 and 10, the order of things",
            "What chance or a closed hand decides comes first: nothing is done before the lot, the deal, the "
            "tile drawn or the hand left over is there to go on from.",
        ),
        Rule(
            "DRW-4",
            "paragraphs 5 and 7, the count",
            "After every tile laid the exposed ends are added; a multiple of five is that many points for "
            "the player who laid it.",
        ),
        Rule(
            "DRW-5",
            "paragraph 6, matching",
            "A tile is laid against an open end so that the halves which touch have the same pips.",
        ),
        Rule(
            "DRW-6",
            "paragraph 8, doubles",
            "A double lies across the line, and as long as it is an end both its halves are counted.",
        ),
        Rule(
            "DRW-7",
            "paragraph 9, the spinner",
            "The first double laid is the spinner. Once both its long sides are covered, and not before, a "
            "tile may be laid at each of its short ends; those count only through the tiles laid there.",
        ),
        Rule(
            "DRW-8",
            "paragraph 9, four ends",
            "No other tile branches: a board never has more than the line's two ends and the spinner's two.",
        ),
        Rule(
            "DRW-9",
            "paragraph 10, playing, drawing, passing",
            "Whoever can play must. Whoever cannot draws from the boneyard until a tile can be played, and "
            "passes once there is nothing left to draw.",
        ),
        Rule(
            "DRW-10",
            "paragraph 11, going out",
            "Laying the last tile of a hand ends the deal and earns all pips left in the opponent's hand, to "
            "the nearest five, on top of what the tile itself made.",
        ),
        Rule(
            "DRW-11",
            "paragraph 12, a blocked deal",
            "When neither player can play and the boneyard is used up, the lighter hand earns the pips of "
            "the other hand, to the nearest five.",
        ),
        Rule(
            "DRW-12", "paragraph 13, the game", "The match goes to 250 points, or another number agreed on."
        ),
        Rule(
            "DRW-13",
            "paragraph 14, the redeal",
            "A player who was dealt five doubles or more (four in a hand of 9 or 7) may have the deal made "
            "anew, as long as he has not laid a tile.",
        ),
        Rule(
            "OBS-DRW-DUE",
            _CAMERA,
            "Only what the game waits for can be seen now: the lot, a deal, a tile drawn, a hand.",
        ),
        Rule("OBS-DRW-TWICE", _CAMERA, "A tile exists once: it cannot be in two places."),
        Rule(
            "OBS-DRW-COUNT",
            _CAMERA,
            "A hand holds exactly the tiles that were dealt and drawn and not yet laid.",
        ),
        Rule(
            "OBS-DRW-KEPT",
            _CAMERA,
            "A tile that is known to be in a hand is still in it when the hand is shown.",
        ),
    ],
)

READINGS = Readings(
    [
        Reading(
            "A-F1",
            "rounding",
            "How is a sum brought to the nearest five?",
            "nearest",
            {"nearest": "remainders 1 and 2 go down, 3 and 4 go up; a whole number is never half-way"},
        ),
        Reading(
            "A-F2",
            "rounded",
            "Is the sum of a hand rounded, or each of its tiles?",
            "sum",
            {"sum": "the sum is rounded once", "tiles": "each tile is rounded, then they are added"},
        ),
        Reading(
            "A-F3",
            "late_spinner",
            "How does a spinner lie that is not the Down?",
            "at_an_end",
            {"at_an_end": "across the end where it is laid: one long side is covered, the other bare"},
        ),
        Reading(
            "A-F4",
            "short_ends",
            "When may a tile be laid at a short end of the spinner?",
            "after_both_sides",
            {"after_both_sides": "only once both long sides are covered"},
        ),
        Reading(
            "A-F5",
            "zero_count",
            "What are ends worth that add up to 0?",
            "nothing",
            {"nothing": "0 is a multiple of five worth 0 points"},
        ),
        Reading(
            "A-F6",
            "must_play_drawn",
            "What must be played after a tile was drawn that fits?",
            "any",
            {
                "any": "drawing stops, and any tile that fits is played",
                "that": "the tile just drawn is played",
            },
        ),
        Reading(
            "A-F7",
            "voluntary_draw",
            "May a player draw who could play?",
            False,
            {False: "no", True: "yes, until a tile drawn fits"},
        ),
        Reading("A-F8", "boneyard_floor", "How many tiles of the boneyard may nobody draw?", 0),
        Reading(
            "A-F9",
            "blocked_tie",
            "Who scores when a blocked deal leaves equal hands?",
            "none",
            {"none": "nobody", "both": "each player, for the other's hand"},
        ),
        Reading(
            "A-F10",
            "target_check",
            "When does the match end?",
            "immediate",
            {
                "immediate": "as soon as a player's points reach the target, in mid-deal too; a tile that "
                "also goes out still earns the other hand",
                "hand_end": "at the end of the deal in which a player's points reach the target",
            },
        ),
        Reading(
            "A-F11",
            "both_over",
            "Who wins when a deal ends with both players at the target?",
            "higher",
            {"higher": "whoever has more points; with as many, another deal is played"},
        ),
        Reading(
            "A-F12",
            "redeal_down",
            "Who has the Down after a redeal?",
            "same",
            {"same": "the same player", "other": "the other player"},
        ),
        Reading(
            "A-F13",
            "redeal_voids",
            "Are points cancelled that were made before the redeal was demanded?",
            True,
            {True: "yes, with the deal", False: "no, they are kept"},
        ),
        Reading(
            "A-F14",
            "redeal_hand",
            "Whose doubles allow a player to demand a redeal?",
            "own",
            {"own": "those that were dealt to the player who demands it"},
        ),
        Reading(
            "A-F15",
            "lot_tie",
            "What happens when both draw as many pips for the first Down?",
            "again",
            {"again": "both draw again"},
        ),
        Reading(
            "A-F16",
            "muggins",
            "Must a player call the points of his tile?",
            False,
            {
                False: "no, the referee writes them down",
                True: "yes: whoever calls them first has them; the next draw, pass or tile forfeits them; "
                "a tile that ends the deal is counted by the referee",
            },
        ),
        Reading(
            "A-F17",
            "hand_proof",
            "What becomes of draws and passes from a hand that nobody may see?",
            "late",
            {
                "late": "they stay open until tiles shown prove that one was wrong; then that is said",
                "never": "nobody comes back to them",
            },
        ),
        Reading(
            "A-F18",
            "crosswise",
            "What if a double is not laid across the line?",
            "warn",
            {"warn": "the players are reminded, the play counts", "ignore": "nothing is said"},
        ),
        Reading(
            "A-F19",
            "blocked",
            "When is a deal blocked?",
            "two_passes",
            {"two_passes": "after both players passed in turn, each pass declared"},
        ),
        Reading(
            "A-F20",
            "hand",
            "How many tiles does each player get?",
            11,
            {11: "eleven", 9: "nine", 7: "seven"},
        ),
        Reading("A-F21", "target", "How many points win the match?", 250, least=5),
    ]
)


@dataclass(frozen=True, slots=True)
class House:
    """The readings in force, as the rest of this game asks for them."""

    hand: int
    doubles: int
    """How many doubles allow a redeal."""
    target: int
    floor: int
    """How many tiles stay in the boneyard."""
    voluntary_draw: bool
    only_drawn: bool
    """Whether a tile just drawn that fits is the one to play."""
    muggins: bool
    each_tile: bool
    """Whether each tile of a hand is rounded, not their sum."""
    tie_scores: bool
    at_once: bool
    """Whether the target ends the match in mid-deal."""
    redeal_moves_down: bool
    redeal_voids: bool
    late: bool
    """Whether draws and passes are judged later."""
    crosswise: bool
    """Whether players are reminded to lay a double across."""
    plain: bool
    """Whether a known hand can play exactly its tiles that fit, or draw or pass where none does."""

    @property
    def boneyard(self) -> int:
        """How many tiles are left over by a deal."""
        return 28 - 2 * self.hand


def house(settings: Mapping[str, Setting]) -> House:
    """The readings that ``settings`` sets; readings with a single choice need no place in it."""
    plain = (settings["voluntary_draw"], settings["must_play_drawn"], settings["muggins"]) == (
        False,
        "any",
        False,
    )
    return House(
        hand=int(settings["hand"]),
        doubles=5 if settings["hand"] == 11 else 4,
        target=int(settings["target"]),
        floor=int(settings["boneyard_floor"]),
        voluntary_draw=settings["voluntary_draw"] is True,
        only_drawn=settings["must_play_drawn"] == "that",
        muggins=settings["muggins"] is True,
        each_tile=settings["rounded"] == "tiles",
        tie_scores=settings["blocked_tie"] == "both",
        at_once=settings["target_check"] == "immediate",
        redeal_moves_down=settings["redeal_down"] == "other",
        redeal_voids=settings["redeal_voids"] is True,
        late=settings["hand_proof"] == "late",
        crosswise=settings["crosswise"] == "warn",
        plain=plain,
    )
