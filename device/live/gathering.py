"""Several looks at a table while nobody was there, made one: what one reading missed, another has seen.

Before a game is known, no record says what must lie there, and one piece that is missed keeps it from
beginning. So each piece is remembered from look to look until a hand was at its place, or the gate saw a
change there, and of pieces that were seen more than once all readings count together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt

from device.journal.ruling_pictures import Outline
from device.live.ports import Seen
from device.live.steadying import NEAR, away, box_at
from device.live.visits import Visits
from engine.scene import Guess, Sighting
from vision.view import Box

_MISSED = 0.5
"""How much less likely, as log-odds, a piece is for each look that did not see it: a finder misses some."""
_LEAST, _MOST = 0.002, 0.9995
"""No single look is surer than this, nor rules out more."""
_LEFT = 0.5
"""What was seen in earlier looks alone is told while it is likelier than not."""


@dataclass(frozen=True)
class _Piece:
    """A piece as it was seen in one look or more, the last of them at the end."""

    looks: tuple[Sighting, ...]
    mark: Outline
    box: Box
    missed: int = 0
    """How many looks since the first did not see it."""


@dataclass(frozen=True)
class Gathering:
    """What all looks together have shown of a table: a value."""

    view: int = 0
    """The view at which the table was read last."""
    times: int = 0
    """How often it was read then."""
    _pieces: Sequence[_Piece] = ()

    def look(self, seen: Seen, view: int, changed: Sequence[Box], since: Visits) -> tuple["Gathering", Seen]:
        """The same with one look more, and the table with what earlier ones have shown.

        That holds where nobody was ``since`` the look before.
        """
        same = view == self.view
        gathered, told = self.add(seen, lambda box: since.touched(box, () if same else changed))
        return replace(gathered, view=view, times=self.times + 1 if same else 1), told

    def add(self, seen: Seen, touched: Callable[[Box], bool]) -> tuple["Gathering", Seen]:
        """The same with this look, and the table as all show it; ``touched`` since the one before."""
        still = [piece for piece in self._pieces if not touched(piece.box)]
        marks, told = list(seen.marks), list[Sighting]()
        pieces: list[_Piece] = []
        for one in seen.scene.sightings:
            box = box_at(one, seen.marks)
            if box is None:
                told.append(one)
                continue
            piece = _Piece((one,), seen.marks[int(one.ref)], box)
            known = _nearest(piece, still)
            if known is not None:
                still.remove(known)
                piece = replace(piece, looks=(*known.looks, one), missed=known.missed)
            pieces.append(piece)
            told.append(_together(piece))
        for piece in still:
            left = replace(piece, missed=piece.missed + 1)
            one = _together(left)
            if one.presence >= _LEFT:
                pieces.append(left)
                told.append(replace(one, ref=str(len(marks))))
                marks.append(piece.mark)
        shown = Seen(replace(seen.scene, sightings=tuple(told)), tuple(marks), remark=seen.remark)
        return replace(self, _pieces=pieces), shown


def _nearest(piece: _Piece, others: Sequence[_Piece]) -> _Piece | None:
    """The same piece as it was seen before."""
    alike = [one for one in others if one.looks[-1].kind == piece.looks[-1].kind]
    near = [one for one in alike if away(piece.box, one.box) <= NEAR]
    return min(near, key=lambda one: away(piece.box, one.box), default=None)


def _together(piece: _Piece) -> Sighting:
    """One sighting from all looks, as the last of them calls it."""
    looks, last = piece.looks, piece.looks[-1]
    if len(looks) == 1 and not piece.missed:
        return last
    odds = sum(_log_odds(one.presence) for one in looks) / sqrt(len(looks)) - _MISSED * piece.missed
    guesses = _guesses(looks)
    face = guesses[0].face or "up" if guesses else last.face
    best = max((one for one in looks if one.face == face), key=_clearness, default=last)
    told = tuple(replace(one, face=None) if one.face == face else one for one in guesses)
    if not any(one.value or one.face for one in told):
        told = ()  # a back, and nothing else
    return replace(best, face=face, guesses=told, presence=1 / (1 + exp(-odds)), ref=last.ref, by=last.by)


def _log_odds(share: float) -> float:
    kept = min(max(share, _LEAST), _MOST)
    return log(kept / (1 - kept))


def _clearness(one: Sighting) -> float:
    return one.presence * max((guess.probability for guess in one.guesses), default=1.0)


def _guesses(looks: Sequence[Sighting]) -> list[Guess]:
    """What it may be, each with its face: looks at one still table count for less than at as many tables."""
    first = max(looks, key=_clearness)
    each = [said for one in looks if (said := _said(one, first))]
    if not each:
        return []
    known = {name: guess for said in reversed(each) for name, guess in said.items()}
    weights = dict.fromkeys(known, 0.0)
    other = 0.0
    for said in each:
        for name in known:
            weights[name] += log(max(said[name].probability if name in said else 0.0, _LEAST))
        other += log(max(1 - sum(guess.probability for guess in said.values()), _LEAST))
    shares = {name: exp(worth / sqrt(len(each))) for name, worth in weights.items()}
    whole = sum(shares.values()) + exp(other / sqrt(len(each)))
    ranked = sorted(shares, key=lambda name: -shares[name])
    return [replace(known[name], probability=shares[name] / whole) for name in ranked]


def _said(one: Sighting, first: Sighting) -> dict[str, Guess]:
    """The guesses of a look by what tells them apart, the ends of a domino in the order of another look."""
    bare = () if one.face == "up" else (Guess(None, 1.0),)
    turned = one.angle is not None and first.angle is not None and _off(one.angle, first.angle) > 90
    found: dict[str, Guess] = {}
    for guess in one.guesses or bare:
        value = guess.value
        pips = (value or {}).get("pips")
        if turned and isinstance(pips, list):
            value = {**(value or {}), "pips": pips[::-1]}
        told = replace(guess, value=value, face=guess.face or one.face)
        # where a soldier faces is measured anew in every look
        shown = sorted((key, repr(entry)) for key, entry in (value or {}).items() if key != "facing_deg")
        found[f"{told.face} {shown}"] = told
    return found


def _off(angle: float, other: float) -> float:
    return abs((angle - other + 180) % 360 - 180)
