"""Reading a state from plain data: all that ``to_json`` wrote, or as much of it as a set-up tells."""

from collections.abc import Mapping
from typing import get_args

from engine.errors import BadSetup
from engine.kingdomino_duel.edition import COATS, LETTERS, Edition, Face, coat, read_edition
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.model import GAME, VERSION, Die, Drawing, DuelState, Side, Stage
from engine.kingdomino_duel.spellbook import AT_ONCE, Book, six
from engine.plain import BadData, Json, JsonObject, get, items, obj, text, truth, whole


def from_setup(setup: Mapping[str, Json]) -> DuelState:
    """The state that a set-up tells; what it leaves out is as at the start of a game."""
    try:
        filled = _filled(DuelState().to_json(), setup, "the set-up")
        _check_kind(filled, "the set-up")
        return _staged(_table(filled), text(setup["stage"], "the stage") if "stage" in setup else None)
    except BadData as wrong:
        raise BadSetup(f"This set-up cannot be: {wrong}.") from None


def read_state(data: Mapping[str, Json]) -> DuelState:
    """The state that ``to_json`` wrote."""
    _check_kind(data, "the state")
    return _staged(_table(data), text(get(data, "stage", "the state"), "the stage"))


def _check_kind(data: Mapping[str, Json], what: str) -> None:
    if get(data, "game", what) != GAME:
        raise BadData(f"{what} should be one of {GAME}, not of {data['game']!r}")
    if get(data, "version", what) != VERSION:
        raise BadData(f"{what} should have version {VERSION}, not {data['version']!r}")


# — filling in what a set-up leaves out —


def _filled(default: Mapping[str, Json], given: Mapping[str, Json], what: str) -> JsonObject:
    """``default`` with all that ``given`` tells, entry by entry."""
    for key in given:
        if key not in default:
            raise BadData(f"{what} has an entry {key!r}, but only these are known: {', '.join(default)}")
    filled = dict(default)
    for key, value in given.items():
        known = default[key]
        if key == "dice" and what == "the set-up":
            filled[key] = [_die_filled(number, die) for number, die in enumerate(items(value, "the dice"), 1)]
        elif key == "players":
            sides = items(value, "the players")
            empty = obj(items(known, "the players")[0], "a player")
            filled[key] = [
                _filled(empty, obj(side, f"player {number}"), f"player {number}")
                for number, side in enumerate(sides, 1)
            ]
        elif isinstance(known, Mapping):
            filled[key] = _filled(known, obj(value, f"the {key}"), f"the {key}")
        else:
            filled[key] = value
    return filled


def _die_filled(number: int, value: Json) -> JsonObject:
    """A die of a set-up: its face alone, or the entries that matter."""
    given = {"rolled": value} if isinstance(value, str) else obj(value, f"die {number}")
    rolled = get(given, "rolled", f"die {number}")
    return _filled({"rolled": rolled, "shows": rolled, "taker": None, "bonus": False}, given, f"die {number}")


# — the table —


def _table(data: Mapping[str, Json]) -> DuelState:
    """The state without its stage, part by part."""
    edition = read_edition(obj(get(data, "edition", "the state"), "the edition"))
    dice = items(get(data, "dice", "the state"), "the dice")
    if len(dice) not in (0, 4):
        raise BadData(f"there should be four dice, or none before they are rolled, not {len(dice)}")
    sides = items(get(data, "players", "the state"), "the players")
    if len(sides) != 2:
        raise BadData(f"there should be two players, not {len(sides)}")
    return DuelState(
        a=_player(get(data, "a", "the state"), "player A"),
        dice=tuple(_die(number, die, edition) for number, die in enumerate(dice, 1)),
        sides=(_side(1, sides[0]), _side(2, sides[1])),
        book=_book(obj(get(data, "spellbook", "the state"), "the spellbook"), edition),
        edition=edition,
    )


def _player(value: Json, what: str) -> int | None:
    if value not in (None, 1, 2) or isinstance(value, bool):
        raise BadData(f"{what} should be 1, 2 or null, not {value!r}")
    return None if value is None else whole(value, what)


def _die(number: int, value: Json, edition: Edition) -> Die:
    what = f"die {number}"
    data = obj(value, what)
    faces = edition.dice[number - 1]
    return Die(
        rolled=_face(get(data, "rolled", what), faces, what),
        shows=_face(get(data, "shows", what), faces, what),
        taker=_player(get(data, "taker", what), f"the taker of {what}"),
        bonus=truth(get(data, "bonus", what), f"the bonus of {what}"),
    )


def _face(value: Json, faces: tuple[Face, ...], what: str) -> Face:
    written = text(value, f"the face of {what}")
    for known in faces:
        if str(known) == written:
            return known
    raise BadData(f"{what} should show one of {' '.join(map(str, dict.fromkeys(faces)))}, not {written!r}")


def _side(number: int, value: Json) -> Side:
    what = f"player {number}"
    data = obj(value, what)
    rows = [
        text(row, f"a row of the map of {what}")
        for row in items(get(data, "map", what), f"the map of {what}")
    ]
    try:
        kingdom = Kingdom.from_rows(rows)
    except ValueError as wrong:
        raise BadData(f"the map of {what}: {wrong}") from None
    named, due = get(data, "named", what), f"what {what} has to fill in"
    return Side(
        kingdom=kingdom,
        roof=truth(get(data, "roof", what), f"the roof of {what}"),
        named=None if named is None else _coat(named, f"the coat named by {what}"),
        declared=_powers(get(data, "declared", what), (1, 2), f"the powers declared by {what}"),
        drawing=_drawing(get(data, "drawing", what), f"the drawing of {what}"),
        to_fill=tuple(sorted(_coat(letter, due) for letter in items(get(data, "to_fill", what), due))),
        bolts=_powers(get(data, "bolts", what), AT_ONCE, f"the bolts of {what}"),
    )


def _coat(value: Json, what: str) -> int:
    try:
        return coat(text(value, what))
    except ValueError as wrong:
        raise BadData(f"{what}: {wrong}") from None


def _powers(value: Json, allowed: tuple[int, ...], what: str) -> tuple[int, ...]:
    known = {f"P{power}": power for power in allowed}
    written = [text(name, what) for name in items(value, what)]
    for at, name in enumerate(written):
        if name not in known or name in written[:at]:
            raise BadData(f"{what} should be some of {', '.join(known)}, each once, not {name!r}")
    return tuple(sorted(known[name] for name in written))


def _drawing(value: Json, what: str) -> Drawing:
    for known in _DRAWINGS:
        if value == known:
            return known
    raise BadData(f"{what} should be one of {', '.join(_DRAWINGS)}, not {value!r}")


_DRAWINGS: tuple[Drawing, ...] = get_args(Drawing)


def _book(data: Mapping[str, Json], edition: Edition) -> Book:
    ticks: tuple[list[int], list[int]] = ([], [])
    spent = []
    for number, letter in enumerate(LETTERS):
        what, length = f"the {COATS[number]} line", edition.lines[number].length
        line = obj(get(data, letter, "the spellbook"), what)
        filled = items(get(line, "ticks", what), f"the squares filled in {what}")
        counts = [whole(count, f"the squares filled in {what}") for count in filled]
        if len(counts) != 2 or not all(0 <= count <= length for count in counts):
            raise BadData(
                f"the squares filled in {what} should be two numbers from 0 to {length}, not {counts}"
            )
        if counts == [length, length]:
            raise BadData(f"only one player can have completed {what}")
        used = truth(get(line, "spent", what), f"whether the power of {what} is spent")
        if used and length not in counts:
            raise BadData(f"the power of {what} cannot be spent while nobody has completed the line")
        ticks[0].append(counts[0])
        ticks[1].append(counts[1])
        spent.append(used)
    first, second, third, fourth, fifth, sixth = spent
    return Book((six(ticks[0]), six(ticks[1])), (first, second, third, fourth, fifth, sixth))


# — the stage —


def _staged(state: DuelState, stated: str | None) -> DuelState:
    """The state with its stage, which the table tells, except that a game may have ended."""
    implied = _implied_stage(state)
    possible: dict[str, Stage] = {implied: implied}
    if implied == "roll":
        possible["over"] = "over"
    stage = possible.get(implied if stated is None else stated)
    if stage is None:
        raise BadData(f"the stage should be {implied!r}, as the table tells, not {stated!r}")
    _check_dice(state, stage)
    for player, side in enumerate(state.sides, 1):
        _check_side(state, stage, player, side)
    return state.with_stage(stage)


def _implied_stage(state: DuelState) -> Stage:
    if not state.dice:
        if state.a is None:
            return "oldest"
        return "roll" if all(side.kingdom.empty for side in state.sides) else "over"
    if state.taken(None):
        return "draft"
    return "draw" if any(side.drawing == "due" for side in state.sides) else "bolts"


def _check_dice(state: DuelState, stage: Stage) -> None:
    if state.dice and state.a is None and len(state.taken(None)) < len(state.dice):
        raise BadData("player A should be known once the first die is taken")
    for player in (1, 2):
        count = len(state.taken(player))
        if count > 2:
            raise BadData(f"player {player} should have at most two dice, not {count}")
        if count == 2 and stage == "draft":
            raise BadData(f"player {player} has two dice, so the others should be player {3 - player}'s")


def _check_side(state: DuelState, stage: Stage, player: int, side: Side) -> None:
    if side.drawing != "due" and stage not in ("draw", "bolts"):
        raise BadData(f"player {player} cannot have drawn in the stage {stage!r}")
    if side.to_fill and (side.drawing == "due" or stage != "draw"):
        raise BadData(f"player {player} can have squares to fill in only between the two drawings of a turn")
    if side.bolts and stage != "bolts":
        raise BadData(f"the bolts of player {player} cannot be due in the stage {stage!r}")
    for power in side.bolts:
        if not state.book.holds(state.edition, player, power):
            raise BadData(f"P{power} cannot be due, because player {player} does not own it unused")
    if stage == "bolts" and not any(one.bolts for one in state.sides):
        raise BadData("both players have drawn and nothing is left to do: the turn should have ended")
