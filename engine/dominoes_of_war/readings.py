"""What the rules of Dominoes of War leave open, how it is read, and the profiles 2015 and 2016."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.dominoes import Domino, domino_set
from engine.dominoes_of_war.model import Counts
from engine.dominoes_of_war.terrain import Passing
from engine.dominoes_of_war.troops import ARMIES
from engine.profile import Reading, Readings, Setting


def _fixed(number: int, key: str, question: str, value: str, words: str) -> Reading:
    """A reading to which there is no sensible alternative; it is a setting so that it is written down."""
    return Reading(f"A-W{number}", key, question, value, {value: words})


def _yes_no(number: int, key: str, question: str, default: bool, *, yes: str, no: str) -> Reading:
    return Reading(f"A-W{number}", key, question, default, {True: yes, False: no})


def _either(number: int, key: str, question: str, choices: dict[Setting, str]) -> Reading:
    """A reading whose default is the first choice."""
    return Reading(f"A-W{number}", key, question, next(iter(choices)), choices)


def _pool(number: int, key: str, who: str, default: int) -> Reading:
    return Reading(f"A-W{number}", key, f"How many {who} has each side?", default, least=3)


READINGS = Readings(
    (
        _fixed(
            1,
            "range",
            "Are the spaces of moves and attacks exact or at most?",
            "up_to",
            "at most; only a Grenadier's throw is exactly 2, 3 or 4",
        ),
        _yes_no(
            2,
            "move_through",
            "May a move cross tiles with other troops?",
            False,
            yes="yes, but it ends on an empty tile",
            no="no, neither friend nor enemy",
        ),
        _either(
            3,
            "flip",
            "Which face-down tiles does a move flip?",
            {"end": "the one on which it ends", "path": "every one it enters; it is made tile by tile"},
        ),
        _yes_no(
            4,
            "los_blocked_by_troops",
            "Do troops stop a shot at those behind them?",
            True,
            yes="yes, whose ever they are; throws pass",
            no="no",
        ),
        _yes_no(
            5,
            "friendly_fire",
            "May own troops be attacked?",
            False,
            yes="yes",
            no="no, but for an own Kamikaze",
        ),
        _fixed(6, "hits", "Does an attack always kill?", "kill", "always"),
        _fixed(7, "lines", "May an attack turn?", "straight", "no, it goes straight in one direction"),
        _either(
            8,
            "diagonal_wall",
            "When do walls stop a slanting step?",
            {"both": "if both ways round the corner are cut", "any": "if any wall touches that corner"},
        ),
        _either(
            9,
            "base_diagonal",
            "May one step slanting between field and base?",
            {"entrance": "past an entrance that no wall cuts", "none": "no"},
        ),
        _fixed(
            10,
            "entrance",
            "What is an entrance?",
            "side",
            "a side between a base tile and a field tile; one or two when the base is placed",
        ),
        _fixed(11, "base_joint", "How do base tiles connect?", "side", "by their sides"),
        _yes_no(
            12,
            "bases_may_touch",
            "May the two bases touch by a side?",
            False,
            yes="yes; still nobody passes from one straight to the other",
            no="no",
        ),
        _yes_no(
            13,
            "wall_on_base",
            "May a wall stand elsewhere than between two field tiles?",
            False,
            yes="between any two tiles, those of bases too",
            no="no",
        ),
        _either(
            14,
            "wall_seal",
            "May walls cut off a part of the map?",
            {"warn": "yes, and the ruling says so", "refuse": "no"},
        ),
        _yes_no(
            15,
            "spawn_acts",
            "May a spawned troop act in the same turn?",
            True,
            yes="yes, if actions are left",
            no="no",
        ),
        _fixed(16, "spawn_cost", "Whose action does a spawn use?", "leader", "the leader's who spawns"),
        _fixed(
            17,
            "bonus_spawn",
            "Does the free spawn need a leader outside the base?",
            "free",
            "no; only an empty base tile and a troop in the pool",
        ),
        _fixed(18, "spawn_place", "Where does a spawned troop go?", "any", "on any empty tile of its base"),
        _either(
            19,
            "killed",
            "Where do killed troops go?",
            {"pool": "back to their pool", "discard": "out of the game"},
        ),
        _pool(20, "generals", "Generals", 4),
        _pool(20, "grunts", "Grunts", 5),
        _pool(20, "snipers", "Snipers of the Army Men", 3),
        _pool(20, "kamikazes", "Kamikazes", 4),
        _pool(20, "grenadiers", "Grenadiers", 3),
        _yes_no(
            21,
            "double_bonus",
            "Does a mine of 10, 12 or 20 pips bring the bonus too?",
            False,
            yes="yes, after it has exploded",
            no="no",
        ),
        _yes_no(
            22,
            "nimble_bonus",
            "Does such a mine bring a Lightfoot the bonus?",
            False,
            yes="yes",
            no="no",
        ),
        _fixed(
            23,
            "mine_replace",
            "How does the spare tile lie that replaces a mine?",
            "facedown",
            "face down, to be flipped again; with no spare left the flipped mine stays and is harmless",
        ),
        _fixed(
            24,
            "flipped_mine",
            "Is a mine dangerous that a Lightfoot has flipped?",
            "harmless",
            "no, only tiles being flipped are",
        ),
        _either(
            25,
            "initial_facing",
            "Where does a Sniper face who was given no facing yet?",
            {"none": "nowhere; he cannot attack", "any": "wherever he attacks"},
        ),
        _either(
            26,
            "facing",
            "How many directions may a Sniper face?",
            {4: "the four along rows and columns", 8: "all eight"},
        ),
        _fixed(27, "infinite", "How far does a shot of any length go?", "gap", "to the first missing tile"),
        _yes_no(
            28,
            "chain_reaction",
            "Does a Kamikaze that a blast kills explode too?",
            False,
            yes="yes",
            no="no, only one that is shot, runs, or lands on a mine",
        ),
        _fixed(29, "run_cost", "Which action does a Kamikaze's attack use?", "move", "its move"),
        _fixed(
            30,
            "blow_centre",
            "Round which tile is the blast at a wall?",
            "before",
            "round the tile before the wall; the wall still protects, and is gone for good",
        ),
        _fixed(31, "shot_centre", "Round which tile does a shot Kamikaze explode?", "own", "round its own"),
        _either(
            32,
            "double_ko",
            "Who wins if both sides lose their last troops at once?",
            {"draw": "nobody", "turn": "the player whose turn it is"},
        ),
        _fixed(
            33,
            "enemy_base",
            "May troops stand in the enemy base, and do its tiles flip?",
            "enter",
            "they may; no base tile is ever flipped",
        ),
        _fixed(
            34,
            "out_of_base",
            "Is a leader in the enemy base out of the base?",
            "own",
            "yes, only his own base counts",
        ),
        _fixed(
            35,
            "quick_shot",
            "Which directions has a Quick Shot?",
            "two",
            "two different ones of the four, at least one space each; either shot may miss",
        ),
        _either(
            36,
            "extra_action",
            "When is the extra action of a 12 taken?",
            {"now": "as the very next action, or it is lost", "turn": "at any time in the same turn"},
        ),
        _either(
            37,
            "draw",
            "May the players agree to a draw?",
            {"agreed": "yes; offered before the first action of a turn", "never": "no"},
        ),
        _fixed(38, "stocking", "What limits the stocking of a base?", "pool", "the pool, the same for both"),
        _fixed(39, "blow_flip", "Does the tile before a blown wall flip?", "no", "no"),
        _fixed(40, "throw_gap", "Do throws cross gaps between tiles?", "stop", "no, they stop at the first"),
        _fixed(
            41,
            "attack_nothing",
            "May an attack hit nothing?",
            "quick_shot",
            "only one or both shots of a Quick Shot, and they hit no friend",
        ),
        _fixed(
            42, "base_to_base", "May one step or shoot straight from base to base?", "no", "no, nor blast"
        ),
        _fixed(
            43,
            "bonus_limits",
            "What limits the bonuses 17 and 20?",
            "spare",
            "17 needs a spare tile and keeps off the enemy base; 20 moves a wall to another side",
        ),
        _pool(44, "leaders", "leaders of cowboys or Indians", 4),
        _pool(44, "others", "soldiers of each other type of cowboys or Indians", 3),
        _either(
            45,
            "blast_walls",
            "Do walls protect from the blast of a Kamikaze that was shot or stepped on a mine?",
            {"always": "as from every blast", "run": "no, only from one that runs onto an enemy or a wall"},
        ),
        _either(
            46,
            "set",
            "Which set of dominoes is played with?",
            {
                "d12": "one double-twelve",
                "d15": "one double-fifteen",
                "d18": "one double-eighteen",
                "d9x2": "two double-nines",
                "d6x3": "three double-sixes",
                "custom": "any tiles up to 18; none is counted",
            },
        ),
        _fixed(
            47,
            "facing_order",
            "In which order are the Snipers faced at the end of a turn?",
            "any",
            "in any order, each once",
        ),
    ),
    {"2015": {}, "2016": {"killed": "discard"}},
)

_SETS: Mapping[Setting, tuple[int, int]] = {
    "d12": (12, 1),
    "d15": (15, 1),
    "d18": (18, 1),
    "d9x2": (9, 2),
    "d6x3": (6, 3),
    "custom": (18, 0),
}


class Terms(NamedTuple):
    """The readings that play depends on, as the rule book uses them."""

    tiles: tuple[Domino, ...]
    """Every different tile of the set."""
    copies: int
    """How often the set has each of them; 0: nobody counts."""
    passing: Passing
    stepwise: bool
    """A move is made tile by tile, each being flipped."""
    shots_pass: bool
    friendly_fire: bool
    corner_blocks: bool
    base_diagonal: bool
    bases_may_touch: bool
    wall_on_base: bool
    seal_refused: bool
    spawn_acts: bool
    to_pool: bool
    double_bonus: bool
    nimble_bonus: bool
    any_first_facing: bool
    eight_facings: bool
    chain_reaction: bool
    double_ko_turn: bool
    extra_any_time: bool
    draws: bool
    blast_ignores_walls: bool
    """For a Kamikaze that was shot or landed on a mine."""
    pools: Mapping[str, Counts]
    """What each army starts with."""

    @property
    def total(self) -> int:
        """How many tiles the set has; 80 where nobody counts."""
        return len(self.tiles) * self.copies or 80


def terms(settings: Mapping[str, Setting]) -> Terms:
    """The terms under these settings."""
    highest, copies = _SETS[settings["set"]]
    stepwise, through = settings["flip"] == "path", settings["move_through"] is True
    return Terms(
        tiles=domino_set(highest),
        copies=copies,
        passing=("troops" if through else "none") if stepwise else ("all" if through else "free"),
        stepwise=stepwise,
        shots_pass=settings["los_blocked_by_troops"] is False,
        friendly_fire=settings["friendly_fire"] is True,
        corner_blocks=settings["diagonal_wall"] == "any",
        base_diagonal=settings["base_diagonal"] == "entrance",
        bases_may_touch=settings["bases_may_touch"] is True,
        wall_on_base=settings["wall_on_base"] is True,
        seal_refused=settings["wall_seal"] == "refuse",
        spawn_acts=settings["spawn_acts"] is True,
        to_pool=settings["killed"] == "pool",
        double_bonus=settings["double_bonus"] is True,
        nimble_bonus=settings["nimble_bonus"] is True,
        any_first_facing=settings["initial_facing"] == "any",
        eight_facings=settings["facing"] == 8,
        chain_reaction=settings["chain_reaction"] is True,
        double_ko_turn=settings["double_ko"] == "turn",
        extra_any_time=settings["extra_action"] == "turn",
        draws=settings["draw"] == "agreed",
        blast_ignores_walls=settings["blast_walls"] == "run",
        pools={army: _pool_of(army, settings) for army in ARMIES},
    )


_POOL_KEYS: Mapping[str, str] = {
    "general": "generals",
    "grunt": "grunts",
    "sniper": "snipers",
    "kamikaze": "kamikazes",
    "grenadier": "grenadiers",
}


def _pool_of(army: str, settings: Mapping[str, Setting]) -> Counts:
    if army == "army":
        keys = [_POOL_KEYS[kind] for kind in ARMIES[army]]
    else:
        keys = ["leaders" if kind in ("general", "chieftain") else "others" for kind in ARMIES[army]]
    return tuple(int(settings[key]) for key in keys)
