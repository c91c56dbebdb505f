"""A match that is kept, as the lobby shows it; who has won how often; and how both are remembered.

To know how a match ended it is judged anew, which takes a tenth of a second to a second. So what came of
those that are over lies in a small file, each with time and size of its own: a box that starts need not judge
hundreds of matches again. Another version of Pipwatch may judge otherwise, and believes none of it.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, TypeAlias

from device.service.box import Seating
from device.service.phones import write_whole
from engine.plain import JsonObject

Stamp: TypeAlias = tuple[int, ...]
"""What changes when a match does: time and size of its file."""
Remembered: TypeAlias = Mapping[str, tuple[Stamp, "KeptMatch"]]
"""Matches that are over, by the names of their files."""
_FORM: Final = 1


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match that is kept, as the lobby shows it."""

    name: str
    seating: Seating
    title: str = ""
    entries: int = 0
    scores: tuple[int, ...] = ()
    winner: int = 0
    """1 or 2, or 0 for a draw; of a match that is over."""
    over: bool = False
    at: float = 0.0
    """The wall clock of its last event, for people only."""

    def to_json(self) -> JsonObject:
        """What a page needs of it."""
        seating = self.seating
        return {
            "name": self.name, "game": seating.game, "title": self.title, "players": list(seating.players),
            "confirm": seating.confirm, "by": seating.by, "camera": seating.camera,
            "pieces": seating.pieces, "entries": self.entries,
            "scores": list(self.scores), "winner": self.winner, "over": self.over, "at": self.at,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """How often each of two people has won."""

    players: tuple[str, str]
    won: tuple[int, int] = (0, 0)
    drawn: int = 0

    def to_json(self) -> JsonObject:
        """What a page needs of it."""
        return {"players": list(self.players), "won": list(self.won), "drawn": self.drawn}

    def and_won(self, winner: str) -> "Pair":
        """The same with one more match, won by this player, or by nobody."""
        if not winner:
            return Pair(self.players, self.won, self.drawn + 1)
        first = winner == self.players[0]
        return Pair(self.players, (self.won[0] + first, self.won[1] + (not first)), self.drawn)


def pairs(matches: Iterable[KeptMatch]) -> tuple[Pair, ...]:
    """Who has won how often, whoever of them sat where; who has played last comes first."""
    found: dict[tuple[str, str], Pair] = {}
    for one in matches:
        if one.over:
            first, second = sorted(one.seating.players)
            winner = one.seating.players[one.winner - 1] if one.winner else ""
            pair = found.get((first, second), Pair((first, second)))
            found[first, second] = pair.and_won(winner)
    return tuple(found.values())


def recalled(file: Path) -> Remembered:
    """What is remembered; nothing where it is of another version, or damaged."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        told: Any = json.loads(file.read_text(encoding="utf-8"))
        if told["form"] == _FORM and told["version"] == metadata.version("pipwatch"):
            return {name: (tuple(row["stamp"]), _kept(row["kept"])) for name, row in told["matches"].items()}
    return {}


def remember(file: Path, matches: Remembered) -> None:
    """Write it whole; where that cannot be they are judged again after the next start."""
    rows = {name: {"stamp": stamp, "kept": asdict(kept)} for name, (stamp, kept) in matches.items()}
    told = {"form": _FORM, "version": metadata.version("pipwatch"), "matches": rows}
    with suppress(OSError):
        write_whole(file, json.dumps(told) + "\n")


def _kept(row: Mapping[str, Any]) -> KeptMatch:
    seating = dict(row["seating"])
    first, second = seating.pop("players")
    more = {**row, "seating": Seating(players=(first, second), **seating), "scores": tuple(row["scores"])}
    return KeptMatch(**more)
