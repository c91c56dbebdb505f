"""A match as plain data: all that a screen needs, and nothing that it must work out."""

from typing import Final, TypeAlias

from device.match.board_marks import drawn, told_layout
from device.match.expected import awaited, expected
from device.match.lamp_signs import lamps
from device.match.match import Match
from device.match.mends import mends, redoes, undoes
from device.match.phase import Phase
from device.match.transitions import offered
from engine.history import History, Step
from engine.plain import Json, JsonObject

View: TypeAlias = JsonObject
FORMAT: Final = 1
"""Of views: a page that knows another one says that it is out of date."""

_HEADLINES = {
    Phase.SETTING_UP: "Set the table up",
    Phase.WATCHING: "",
    Phase.HANDS: "A hand is over the table",
    Phase.SETTLING: "Looking",
    Phase.UNFINISHED: "A move is begun, or only half seen",
    Phase.RULED: "Seen; it waits to be confirmed",
    Phase.ASKING: "Which was it?",
    Phase.ILLEGAL: "Not allowed",
    Phase.OUT_OF_STEP: "Table and record disagree",
    Phase.PAUSED: "Paused",
    Phase.CAMERA_LOST: "No picture: type the moves",
    Phase.FINISHED: "The game is over",
}


def view(match: Match) -> View:
    """The match as a screen shows it."""
    shown, (wish, agreed) = lamps(match), match.both
    game = match.pending.game if match.pending else match.game or (match.blank if match.by_hand else None)
    told: View = {
        "format": FORMAT,
        "phase": str(match.phase),
        "headline": match.problem or _HEADLINES[match.phase] or _to_move(match),
        "words": match.words,
        "places": list(match.places),
        "notice": match.notice,
        "answered": match.answered,
        "typed": {"number": match.heard[0], "wrong": match.heard[1]},
        "choices": [option.words for option in match.options],
        "offers": sorted(str(kind) for kind in offered(match)),
        "wish": "" if wish is None else str(wish),
        "agreed": sorted(agreed),
        "seated": _seated(match),
        "camera": match.camera,
        "by_hand": match.by_hand,
        "saved": match.saved,
        "lamps": {"green": shown.green, "amber": shown.amber, "red": shown.red},
        "pending": match.pending is not None,
        "version": match.version,
        "key": match.key,
    }
    return told if game is None else {**told, **_game(game, match)}


def _game(game: History, match: Match) -> View:
    counted = len(match.game.entries) if match.game else 0
    return {
        "game": game.header.game,
        "title": game.book.title,
        "profile": game.header.profile,
        "players": list(game.header.players),
        "movers": list(awaited(game)),
        "scores": game.scores.to_json(),
        "expected": expected(game),
        "awaited": list(awaited(game)),
        "mends": list(mends(game, counted)),
        "undoes": undoes(game) if match.pending is None else "",
        "redoes": redoes(game) if match.pending is None else "",
        "outcome": None if game.outcome is None else game.outcome.to_json(),
        "log": [row_json(step, counts=step.entry <= counted) for step in game.steps],
        "layout": told_layout(game.book.layout(game.state)),
        **drawn(game, match),
    }


def _seated(match: Match) -> list[Json]:
    """The names of both players, also before there is a game; each agrees in their own."""
    game = match.game or match.blank
    return [] if game is None else [*game.header.players]


def row_json(step: Step, *, counts: bool = True) -> View:
    """One happening with its ruling, as plain data."""
    return {
        "entry": step.entry,
        "place": step.place,
        "kind": step.happened.kind,
        "text": step.happened.text,
        "alike": list(step.happened.alike),
        "verdict": step.verdict,
        "ruling": None if step.ruling is None else step.ruling.to_json(),
        "problem": step.problem,
        "stands": step.stands,
        "why": step.why if step.happened.kind == "set" else "",
        "late": [late.to_json() for late in step.late],
        "scores": list(step.scores.totals),
        "counts": counts,
    }


def _to_move(match: Match) -> str:
    """Whose turn it is, or what is still to be seen."""
    game = match.game
    if game is None:
        return ""
    waiting = game.book.pending(game.state)
    if waiting is not None:
        return f"Still to be seen: {waiting}"
    names = [game.header.players[player - 1] for player in awaited(game)]
    return f"{' or '.join(names)} to move" if names else ""
