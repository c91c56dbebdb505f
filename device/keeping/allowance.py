"""How many pictures may go to the card in a day, and which stay away first.

A card wears out by what is written to it. Events are small and always written; pictures are large, and most
are never looked at: those of a move that was allowed and that nobody doubted. So there is an allowance, which
comes back evenly over the day. While there is plenty, all pictures are kept; then the frames of undoubted
moves stay away, then all their pictures, then the frames of what was refused or asked. What the chain says of
a picture that stayed away is written all the same: an event names it by its digest.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from device.journal.events import Draft, Picture

DAY_S: Final = 86_400.0
DAY_BYTES: Final = 4_000_000
"""Pictures of one day. SQLite writes each twice (log, then file): with the events of six hours of play
that stays under 50 MB on the card (measured by ``python -m benchmarks.wear``)."""
PLENTY: Final = 0.5
"""Down to this share of a day's pictures are left, every picture is kept."""
SOME: Final = 0.25
"""Down to this share, undoubted moves keep the place of the move before and after it."""
LITTLE: Final = 0.1
"""Down to this share, what was refused or asked keeps its frame."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may still be written, in bytes of pictures, at a moment of a clock that only goes forward."""

    left: float
    at_s: float
    day_bytes: int = DAY_BYTES

    def later(self, now_s: float) -> "Allowance":
        """The same at a later moment: some of it has come back."""
        back = max(0.0, now_s - self.at_s) * self.day_bytes / DAY_S
        return replace(self, left=min(float(self.day_bytes), self.left + back), at_s=now_s)

    def kept(self, draft: Draft) -> "tuple[tuple[Picture, ...], Allowance]":
        """The pictures of an event that go to the card, and what is left then."""
        share = self.left / self.day_bytes
        pictures = [one for one in draft.pictures if _is_kept(one, share, doubted=_is_doubted(draft))]
        size = sum(len(one.jpeg) for one in pictures)
        if size > self.left:
            return (), self
        return tuple(pictures), replace(self, left=self.left - size)


def spent(events: Sequence[tuple[float, int]], now: float) -> int:
    """The last day's bytes of pictures, from (wall clock, bytes); what lies ahead of the clock counts."""
    return sum(size for at, size in events if at > now - DAY_S)


def fresh(spent_bytes: int, now_s: float | None = None, day_bytes: int = DAY_BYTES) -> Allowance:
    """The allowance of somebody who starts now, on a day of which so much was spent already."""
    at_s = time.monotonic() if now_s is None else now_s
    return Allowance(float(max(0, day_bytes - spent_bytes)), at_s, day_bytes)


def _is_doubted(draft: Draft) -> bool:
    """Whether somebody will want to see this again: a refusal, a question, a correction, a beginning."""
    if draft.kind != "entry":
        return True
    ruling = draft.body.get("ruling")
    allowed = isinstance(ruling, dict) and ruling.get("status") in ("legal", "incomplete")
    seen = "fact" in draft.body
    return not (allowed or seen) or bool(draft.body.get("alike"))


def _is_kept(picture: Picture, share: float, *, doubted: bool) -> bool:
    if share >= PLENTY:
        return True
    if doubted:
        return picture.role != "frame" or share >= LITTLE
    return picture.role != "frame" and share >= SOME
