"""What a person at the table sees of a match: the page's own data, as far as players look at it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import AnyRuleBook, Layout, State

Data = Mapping[str, Any]

EYE_ERROR = "The referee's eye made an error"
"""How the page says that a look has failed."""
AT_REST = ("watching", "finished", "unfinished")
"""Phases in which nothing is asked of anybody about what was done: what comes next is waited for."""
QUIET = ("hands", "settling")
"""Phases in which the referee is at work."""


@dataclass(frozen=True)
class Row:
    """A line of the log."""

    entry: int
    place: int
    kind: str
    text: str
    alike: tuple[str, ...]
    counts: bool
    illegal: bool
    stands: bool
    rules: tuple[str, ...]
    """The rules that it breaks, the gravest first."""

    @classmethod
    def of(cls, data: Data) -> "Row":
        """A row from the page's data."""
        ruling = data["ruling"] or {}
        illegal = ruling.get("status") == "illegal"
        rules = (ruling.get("rule", ""), *(one["rule"] for one in ruling.get("also", ())))
        return cls(
            data["entry"], data["place"], data["kind"], data["text"], tuple(data["alike"]), data["counts"],
            illegal, data["stands"], rules if illegal else (),
        )  # fmt: skip

    def tells(self, text: str) -> bool:
        """Whether this is what it says, or may have been by its own words."""
        return text == self.text or text in self.alike


@dataclass(frozen=True)
class PageLook:
    """One look at the page."""

    phase: str
    headline: str
    words: str
    places: tuple[str, ...]
    notice: str
    choices: tuple[str, ...]
    offers: frozenset[str]
    key: str
    pending: bool
    rows: tuple[Row, ...]
    shown: str
    """The board and the points, as one text that can be compared."""
    points: tuple[int, ...]
    winner: int | None
    over: bool

    @classmethod
    def of(cls, view: Data) -> "PageLook":
        """The page from a match's view."""
        begun = "layout" in view
        outcome = view.get("outcome")
        return cls(
            view["phase"], view["headline"], view["words"], tuple(view["places"]), view["notice"],
            tuple(view["choices"]), frozenset(view["offers"]), view["key"], view["pending"],
            tuple(Row.of(one) for one in view["log"]) if begun else (),
            _as_text(view["layout"], view["scores"]["totals"]) if begun else "",
            tuple(view["scores"]["totals"]) if begun else (),
            outcome["winner"] if outcome else None, outcome is not None,
        )  # fmt: skip

    @property
    def told(self) -> str:
        """The sentences of this moment, as one line."""
        return " ".join(filter(None, (self.headline, self.words, *self.places)))


def board(book: AnyRuleBook, state: State) -> str:
    """What a page shows of a state: to be held against ``PageLook.shown``."""
    return _as_text(_plain(book.layout(state)), list(book.scores(state).totals))


def _plain(layout: Layout) -> Data:
    spots = [
        {
            "kind": spot.kind, "face": spot.face, "value": None if spot.value is None else dict(spot.value),
            "region": spot.region, "x": spot.x, "y": spot.y, "angle": spot.angle, "owner": spot.owner,
        }
        for spot in layout.spots
    ]  # fmt: skip
    return {"spots": spots, "hidden": dict(layout.hidden)}


def _as_text(layout: Data, points: Sequence[int]) -> str:
    """Pieces by what and where they are; what they are called is nothing that anybody sees."""
    spots = sorted(
        json.dumps({key: value for key, value in spot.items() if key != "name"}, sort_keys=True)
        for spot in layout["spots"]
    )
    return json.dumps([spots, dict(layout["hidden"]), list(points)], sort_keys=True)
