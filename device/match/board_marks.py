"""What a board shows besides its pieces: the last move, a refused one, and each answer as a picture."""

from device.match.match import Match, Option
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.book import AnyRuleBook, State
from engine.dominoes_of_war.model import WarState
from engine.dominoids.model import DominoidsState
from engine.draw_game.line import FIRST_SHORT, WORTH
from engine.draw_game.model import DrawState
from engine.history import History, Step
from engine.kingdomino_duel.edition import LETTERS
from engine.kingdomino_duel.model import DuelState
from engine.layout import Layout, Spot
from engine.plain import Json, JsonObject, items, obj


def drawn(game: History, match: Match) -> JsonObject:
    """The marks on the board of a game, and the answers to what is asked."""
    lies = match.refused or match.pending is not None
    return {
        "detail": detail(game.state),
        "marks": {**marks(game, refused_lies=lies), "differs": _differing(game, match)},
        "pictures": [_picture(game, option) for option in match.options],
        "seen": bool(match.asked),
    }


def detail(state: State) -> JsonObject:
    """What of a state is drawn although no piece shows it."""
    if isinstance(state, DominoidsState):
        told = state.to_json()
        return {key: told[key] for key in ("chosen", "used")}
    if isinstance(state, WarState):
        return {"troops": [state.strength(1), state.strength(2)]}
    if isinstance(state, DuelState):
        return _of_the_duel(state)
    if isinstance(state, DrawState):
        return {"ends": [WORTH[end] for end in state.ends if end < FIRST_SHORT]}
    return {}


def marks(game: History, *, refused_lies: bool) -> JsonObject:
    """The last move of a game, and a refused one after which nothing came, where that still lies there."""
    return {"last": _last(game), "refused": _refused(game) if refused_lies else None}


def told_layout(layout: Layout) -> JsonObject:
    """A layout as plain data."""
    return {"spots": [_spot(spot) for spot in layout.spots], "hidden": dict(layout.hidden)}


def difference(book: AnyRuleBook, before: State, after: State) -> JsonObject:
    """What lies otherwise: pieces as they lie then, and those as they lay that are gone or elsewhere."""
    was, now = book.layout(before).by_name(), book.layout(after).by_name()
    fresh = [spot for name, spot in now.items() if was.get(name) != spot]
    gone = [spot for name, spot in was.items() if now.get(name) != spot]
    return {"spots": [_spot(spot) for spot in fresh], "gone": [_spot(spot) for spot in gone]}


def as_said(history: History, line: str) -> JsonObject:
    """What a legal move would change on the table."""
    book, state = history.book, history.state
    try:
        after = book.apply(state, book.parse(line))
    except (BadNotation, CannotStand):
        return {"spots": [], "gone": []}
    return difference(book, state, after)


def _spot(spot: Spot) -> Json:
    return {
        "name": spot.name, "kind": spot.kind, "face": spot.face,
        "value": None if spot.value is None else dict(spot.value), "region": spot.region,
        "x": spot.x, "y": spot.y, "angle": spot.angle, "owner": spot.owner,
    }  # fmt: skip


def _picture(game: History, answer: Option) -> JsonObject:
    """What an answer would change, and whether the camera's picture of the place can be had."""
    return {**difference(game.book, game.state, answer.game.state), "seen": answer.crop is not None}


def _last(game: History) -> JsonObject | None:
    """What the last move changed; facts that it revealed count to it."""
    for number, step in enumerate(reversed(game.steps)):
        if step.happened.kind == "fact":
            continue
        if step.ruling is not None and not (step.ruling.allowed or step.stands):
            continue
        before = game.steps[-2 - number].state if len(game.steps) > number + 1 else game.first
        return _brief(game.book, before, step.state)
    return None


def _brief(book: AnyRuleBook, before: State, after: State) -> JsonObject:
    """Where the last move changed the board, as short as can be; of a map the squares that it changed."""
    was, now = book.layout(before).by_name(), book.layout(after).by_name()
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    pieces = [(side[name]) for side in (was, now) for name in names if name in side]
    at: list[Json] = [
        {"name": one.name, "kind": one.kind, "x": one.x, "y": one.y, "angle": one.angle}
        for one in pieces
        if one.region == "board" and one.x is not None
    ]
    maps: JsonObject = {
        name: changed_squares(was[name], now[name]) for name in names if name.startswith("map ")
    }
    return {"at": at, "maps": maps}


def changed_squares(was: Spot, now: Spot) -> list[Json]:
    """The squares of a map that differ, by their names."""
    rows = [items(obj(spot.value, "a map")["map"], "its rows") for spot in (was, now)]
    return [
        f"r{y}c{x}"
        for y, (before, after) in enumerate(zip(*rows, strict=True), 1)
        for x, (one, other) in enumerate(zip(items(before, "a row"), items(after, "a row"), strict=True), 1)
        if one != other
    ]


def _of_the_duel(state: DuelState) -> JsonObject:
    """Who begins, which dice carry the castle's cross, and what each player has said or used."""
    sides: list[Json] = [
        {
            "roof": side.roof,
            "named": None if side.named is None else LETTERS[side.named],
            "declared": [f"P{power}" for power in side.declared],
        }
        for side in state.sides
    ]
    return {"a": state.a, "dice": [{"bonus": die.bonus} for die in state.dice], "players": sides}


def _refused(game: History) -> JsonObject | None:
    """A refused move as it lies on the table, the squares that prove it, and the nearest legal moves."""
    step = game.steps[-1] if game.steps else None
    if step is None or step.ruling is None or step.ruling.allowed or step.stands:
        return None
    ruling = step.ruling
    squares = [*ruling.squares, *(square for fault in ruling.also for square in fault.squares)]
    return {
        "spots": _on_the_board(_as_it_lies(game, step)["spots"]),
        "squares": list(dict.fromkeys(squares)),
        "nearest": [_nearby(as_said(game, text)) for text in ruling.nearest],
    }


def _differing(game: History, match: Match) -> list[Json]:
    """Where table and record disagree: a piece as the record has it, or a place by its name."""
    lying = game.book.layout(game.state).by_name()
    found: list[Json] = []
    for piece, place in match.differs:
        spot = lying.get(piece)
        on = spot is not None and spot.region == "board" and spot.x is not None
        at: JsonObject = {"x": spot.x, "y": spot.y} if spot is not None and on else {}
        if at or place:
            found.append({"name": piece, "place": place, **at})
    return found


def _nearby(changed: JsonObject) -> JsonObject:
    """What a legal move would lay on the board, and where it would take something from."""
    gone = (obj(spot, "a spot") for spot in _on_the_board(changed["gone"]))
    left = [{"region": "board", "x": one["x"], "y": one["y"]} for one in gone if one["x"] is not None]
    return {"spots": _on_the_board(changed["spots"]), "gone": [*left]}


def _on_the_board(lying: Json) -> list[Json]:
    """What of some spots is drawn on a board; what lies beside it is not."""
    spots = [obj(spot, "a spot") for spot in items(lying, "the spots")]
    return [spot for spot in spots if spot["region"] == "board" or str(spot["name"]).startswith("map ")]


def _as_it_lies(game: History, step: Step) -> JsonObject:
    book, state = game.book, game.state
    try:
        return difference(book, state, book.let_stand(state, book.parse(step.happened.text)))
    except (CannotStand, ImpossibleFact):
        return {"spots": [], "gone": []}
