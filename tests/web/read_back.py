"""A board read back from the shapes on the page: where each piece is drawn, how it is turned, what it shows.

A test holds this against the layout of the state: what the page does not draw, nobody at the table sees,
while a test that only taps finds a button for it instead.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.web.browser import Browser

_STATIC = Path(__file__).parents[2] / "web/static/board"
SUITS: Final = dict(
    re.findall(r'^  (suns|moons|crowns|arms): "(M[^"]+)"', (_STATIC / "pieces.js").read_text(), re.MULTILINE)
)
"""The sign of each suit, as a line."""
_COATS: Final = {
    ("circle",): "dot", ("circle", "circle"): "two-dots", ("path",): "stripe",
    ("path", "path"): "two-stripes", ("path", "rect"): "quarters", ("rect",): "black",
}  # fmt: skip
"""Of which shapes each coat of the Duel is made."""
_READ: Final = """
const all = (within, names) => [...within.querySelectorAll(names)];
const read = (one) => ({
  at: one.getAttribute('transform') ?? '',
  kinds: [one, ...all(one, '[class]')].flatMap((each) => [...each.classList]),
  texts: all(one, 'text').map((each) => [each.textContent, +each.getAttribute('x'), +each.getAttribute('y')]),
  points: all(one, '.pips').flatMap((each) => [...each.getAttribute('d').matchAll(/M(\\S+) (\\S+?)h0/g)])
    .map(([, x, y]) => [+x, +y]),
  lines: all(one, 'path').map((each) => [each.getAttribute('d'), each.getAttribute('transform') ?? '']),
  wedge: one.querySelector('path.side')?.getAttribute('transform') ?? null,
  shapes: all(one, 'circle, path, rect')
    .filter((each) => !each.matches('.crosses, .tint, .edge, .ivory, [opacity]')).map((each) => each.tagName),
  crosses: (one.querySelector('.crosses')?.getAttribute('d').match(/M/g) ?? []).length / 2,
  beside: one.parentElement.textContent,
});
const cells = (name) => all(document, name)
  .flatMap((one) => [...one.getAttribute('d').matchAll(/M(\\S+) (\\S+?)h/g)]).map(([, x, y]) => [+x, +y]);
const seen = (one) => one && one.checkVisibility() ? one.textContent : '';
return {
  boards: all(document, '#board svg.board').map((board) =>
    all(board, ':scope > g:not(.ghosts, .differs) > g[transform]').map(read)),
  grounds: ['.field', '.base.p1', '.base.p2'].map((owner) =>
    ['ground', 'weave'].map((part) => cells(`#board svg.board ${owner} > path.${part}`))),
  trays: all(document, '#board .tray').map((tray) => ({
    caption: seen(tray.querySelector('.caption, summary')), words: tray.textContent,
    bold: all(tray, '.row b').map(seen), stood: all(tray, '.stood').length, mine: tray.matches('.mine'),
    things: all(tray, 'svg').map(read),
    rows: all(tray, 'li').map((one) => [read(one.querySelector('svg')), all(one, '.ticks > *').map(seen),
      seen(one.querySelector(':scope > small'))]),
  })),
  captions: all(document, '#board .map > .caption').map(seen),
};
"""


@dataclass(frozen=True)
class Look:
    """One drawing, as its shapes are."""

    shapes: Mapping[str, Any]

    @property
    def at(self) -> tuple[float, float, float]:
        """Where it is, y away from the first player, and how it is turned, counter-clockwise."""
        found = re.match(r"translate\((\S+) (\S+?)\)(?: rotate\((\S+)\))?", str(self.shapes["at"]))
        assert found, self.shapes
        x, y, turn = (float(part or 0) for part in found.groups())
        return x, -y, -turn % 360

    @property
    def kinds(self) -> set[str]:
        """What its shapes are called."""
        return set(self.shapes["kinds"])

    @property
    def word(self) -> str:
        """The letter or number on it."""
        return " ".join(text for text, *_ in self.shapes["texts"])

    @property
    def beside(self) -> str:
        """What is written on it and beside it."""
        return str(self.shapes["beside"])

    @property
    def suit(self) -> str | None:
        """Whose sign it has."""
        lines = {line for line, _ in self.shapes["lines"]}
        return next((name for name, line in SUITS.items() if line in lines), None)

    @property
    def die(self) -> tuple[str | None, str]:
        """A die of the piecepack: its suit, and a number, a large sign, or nothing."""
        large = any(how == "scale(0.66)" for _, how in self.shapes["lines"])
        return self.suit, self.word or ("ace" if large else "null")

    @property
    def coin(self) -> str | int | None:
        """A coin by its sign, where it lies face down, or by its number."""
        return {"–": 0, "A": 1, "": self.suit}.get(self.word) if not self.word.isdigit() else int(self.word)

    @property
    def coat(self) -> tuple[str, int] | None:
        """A coat of the Duel and its crosses."""
        found = "joker" if self.word == "?" else _COATS.get(tuple(sorted(self.shapes["shapes"])))
        return None if found is None else (found, int(self.shapes["crosses"]))

    @property
    def figure(self) -> tuple[str, str, float | None]:
        """A soldier: the side, the letter, and where he faces."""
        (side,) = {"p1", "p2"} & self.kinds
        wedge = self.shapes["wedge"]
        return side, self.word, None if wedge is None else -float(wedge[len("rotate(") : -1]) % 360

    def pips(self, axis: int = 0, first: int = -1) -> list[int]:
        """What both halves of a domino show, as points or numbers: the first on this side of its middle."""
        shown = []
        for side in (first, -first):
            numbers = [int(text) for text, *at in self.shapes["texts"] if at[axis] * side > 0]
            shown.append(numbers[0] if numbers else sum(at[axis] * side > 0 for at in self.shapes["points"]))
        return shown


@dataclass(frozen=True)
class Tray:
    """What lies beside a board, under these words."""

    told: Mapping[str, Any]

    @property
    def things(self) -> list[Look]:
        """What is drawn in it."""
        return [Look(one) for one in self.told["things"]]

    @property
    def rows(self) -> list[tuple[Look, list[str], str]]:
        """Of a list its rows: what is drawn, the marks of both players, and what is said to it."""
        return [(Look(look), ticks, said) for look, ticks, said in self.told["rows"]]

    @property
    def numbers(self) -> list[int]:
        """The numbers that stand in it."""
        return [int(one) for one in self.told["bold"] if one.isdigit()]


@dataclass(frozen=True)
class ReadPage:
    """All that is drawn of a game."""

    told: Mapping[str, Any]

    @property
    def boards(self) -> list[list[Look]]:
        """What lies on each board."""
        return [[Look(one) for one in board] for board in self.told["boards"]]

    def tray(self, caption: str) -> Tray:
        """What lies beside the board under these words; nothing where they do not stand there."""
        found = [one for one in self.told["trays"] if str(one["caption"]).startswith(caption)]
        return (
            Tray(found[0]) if found else Tray({"things": [], "rows": [], "bold": [], "words": "", "stood": 0})
        )

    def ground(self, owner: int, *, back: bool) -> list[tuple[int, int]]:
        """The places of the field, or of a base, on which a tile lies, or its back."""
        half, corner = (0.4, 0.06) if back else (0.48, 0.07)
        cells = self.told["grounds"][owner][int(back)]
        return sorted((round(x - corner + half), round(-y - half)) for x, y in cells)


def read_back(browser: Browser) -> ReadPage:
    """What the page draws now."""
    return ReadPage(browser.run(_READ))
