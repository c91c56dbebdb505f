"""A match as plain data: all that a screen needs, and nothing that it must work out."""

from collections.abc import Sequence
from typing import TypeAlias

from device.match.match import Match
from device.match.phase import Phase
from device.match.signs import lamps
from device.match.table import offered
from engine.history import History, Step
from engine.layout import Layout
from engine.plain import JsonObject

View: TypeAlias = JsonObject

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
    shown = lamps(match)
    game = match.pending.game if match.pending else match.game
    told: View = {
        "phase": str(match.phase),
        "headline": match.problem or _HEADLINES[match.phase] or _to_move(match),
        "words": match.words,
        "places": list(match.places),
        "notice": match.notice,
        "answered": match.answered,
        "choices": [option.words for option in match.options],
        "offers": sorted(str(kind) for kind in offered(match)),
        "agreed": sorted(match.agreed),
        "camera": match.camera,
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
        "movers": list(game.book.movers(game.state)),
        "scores": game.scores.to_json(),
        "outcome": None if game.outcome is None else game.outcome.to_json(),
        "log": [_row(step, counts=step.entry <= counted) for step in game.steps],
        "layout": _layout(game.book.layout(game.state)),
    }


def _row(step: Step, *, counts: bool) -> View:
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


def _layout(layout: Layout) -> View:
    spots: Sequence[View] = [
        {
            "name": spot.name, "kind": spot.kind, "face": spot.face,
            "value": None if spot.value is None else dict(spot.value), "region": spot.region,
            "x": spot.x, "y": spot.y, "angle": spot.angle, "owner": spot.owner,
        }
        for spot in layout.spots
    ]  # fmt: skip
    return {"spots": list(spots), "hidden": dict(layout.hidden)}


def _to_move(match: Match) -> str:
    """Whose turn it is, or what is still to be seen."""
    game = match.game
    if game is None:
        return ""
    waiting = game.book.pending(game.state)
    if waiting is not None:
        return f"Still to be seen: {waiting}"
    names = [game.header.players[player - 1] for player in game.book.movers(game.state)]
    return f"{' or '.join(names)} to move" if names else ""
