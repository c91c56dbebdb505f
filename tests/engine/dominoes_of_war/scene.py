"""Tables in words, and what is asked of them again and again."""

from dataclasses import replace

from engine.dominoes_of_war import DominoesOfWar
from engine.dominoes_of_war.judge import acting
from engine.dominoes_of_war.model import TILE_NUMBER, TILES, WarState
from engine.dominoes_of_war.places import FIELD, name
from engine.plain import Json, JsonObject
from engine.profile import Profile
from engine.ruling import Ruling, Status

BOOK = DominoesOfWar(Profile())
WEST = ["(-2,3)", "(-2,4)", "(-1,3)", "(-1,4)", "(0,3)", "(0,4)"]
"""The first player's base: entrances at a3 and a4."""
EAST = ["(9,5)", "(10,4)", "(10,5)", "(10,6)", "(11,5)", "(12,5)"]
"""The second player's base: its only entrance is at h5."""


def book(settings: str) -> DominoesOfWar:
    """The rule book under the default profile with these settings, as ``facing=8+flip=path``."""
    return DominoesOfWar(Profile.parse(f"default+{settings}"))


def words(troops: str, *, walls: str = "", **entries: Json) -> JsonObject:
    """A set-up of a game in progress: ``1:grunt@d4`` for troops, ``>n`` behind a facing, ``!`` where used."""
    found: dict[str, Json] = {
        "phase": "act",
        "bases": [WEST, EAST],
        "walls": walls.split(),
        "troops": [_troop(one) for one in troops.split()],
    }
    return {**found, **entries}


def table(troops: str, *, rules: DominoesOfWar = BOOK, walls: str = "", **entries: Json) -> WarState:
    """The state of a game in progress, in words."""
    return rules.start(setup=words(troops, walls=walls, **entries))


def _troop(word: str) -> JsonObject:
    acted, word = word.endswith("!"), word.rstrip("!")
    side, _, rest = word.partition(":")
    kind, _, where = rest.partition("@")
    at, _, facing = where.partition(">")
    return {"at": at, "side": int(side), "kind": kind, "facing": facing, "acted": acted}


def bare(state: WarState) -> WarState:
    """The same table with every tile of the field face up and without a bonus, so that no move flips one."""
    plain = bytes([TILE_NUMBER[TILES[1]]]) * len(FIELD)
    return state._replace(field=plain)


def judged(state: WarState, line: str, rules: DominoesOfWar = BOOK) -> Ruling:
    """The ruling on a move in notation; the list of legal moves must say the same."""
    move = rules.parse(line)
    ruling = rules.check(state, move)
    listed = replace(move, player=acting(state, move)) in rules.legal_moves(state)
    assert listed == (ruling.status == Status.LEGAL), (line, ruling)
    return ruling


def refused(state: WarState, line: str, rules: DominoesOfWar = BOOK) -> str:
    """The rule by which a move is illegal."""
    ruling = judged(state, line, rules)
    assert ruling.status == Status.ILLEGAL, ruling
    return ruling.rule


def broken(state: WarState, line: str, rules: DominoesOfWar = BOOK) -> list[str]:
    """All rules that an illegal move breaks, the gravest first."""
    ruling = judged(state, line, rules)
    assert ruling.status == Status.ILLEGAL, ruling
    return [ruling.rule, *(fault.rule for fault in ruling.also)]


def incomplete(state: WarState, line: str, rules: DominoesOfWar = BOOK) -> str:
    """The rule by which a move is incomplete."""
    ruling = judged(state, line, rules)
    assert ruling.status == Status.INCOMPLETE, ruling
    return ruling.rule


def allowed(state: WarState, line: str, rules: DominoesOfWar = BOOK) -> str:
    """The rule by which a move is legal."""
    ruling = judged(state, line, rules)
    assert ruling.status == Status.LEGAL, ruling
    return ruling.rule


def after(state: WarState, *lines: str, rules: DominoesOfWar = BOOK) -> WarState:
    """The state after these moves and facts, all of which must be possible."""
    for line in lines:
        if line.startswith("see "):
            state = rules.observe(state, rules.parse_fact(line))
        else:
            state = rules.play(state, rules.parse(line))
    return state


def offers(state: WarState, start: str, rules: DominoesOfWar = BOOK) -> list[str]:
    """The legal moves that begin so, in notation, without the player."""
    lines = (rules.format(move).partition(": ")[2] for move in rules.legal_moves(state))
    return [line for line in lines if line.startswith(start)]


def standing(state: WarState) -> str:
    """Who stands where, as ``1:grunt@d4``."""
    return " ".join(f"{troop.side}:{troop.kind}@{name(troop.at)}" for troop in state.troops)
