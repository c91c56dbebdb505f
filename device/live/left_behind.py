"""What somebody left behind who has gone while others are at the table: what of it is told at once.

Moves that are allowed are told as soon as they are plain. A refused move, and one that was taken back, may be
half of what somebody is at: they are told once they were seen for a while, or once others have gone on from
there. What was done in doubt is followed on once it is much: a few moves more, and nothing would explain it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from device.live.ports import Following, Seen
from device.live.saying import is_alike, is_done, is_plain
from device.live.steadying import loses
from engine.matching import Choice, Nothing, OutOfStep, Question, Ruled, TakeBack, Verdict
from engine.scene import Scene
from vision.view import Box

_WHILE_S: Final = 0.5
"""For so long at least what may be half done must be seen."""
_MUCH: Final = 3
"""So many moves in doubt are followed on at once: with a few more nothing would explain the table."""


@dataclass(frozen=True)
class LeftBehind:
    """What was read between hands and came to nothing yet: a value."""

    _last: tuple[Seen, Verdict] | None = None
    """What was read last, and what it seemed to tell."""
    _since_s: float = 0.0
    """Since when it has told the same."""
    _refused: Ruled | None = None
    """The refused move that lay there, if one did."""

    def forget(self) -> "LeftBehind":
        """Another game counts now, or table and record agree."""
        return replace(self, _last=None, _refused=None)

    def free(self) -> "LeftBehind":
        """The table is free: what was seen of it between hands before is seen again."""
        return replace(self, _last=None)

    def asked(self, seen: Seen, question: Question, *, agreed: bool) -> "LeftBehind":
        """Players were asked about a free table: what was put down there does not vanish unseen.

        ``agreed``: whether table and record have ever agreed; else all that lies there was perhaps put down.
        """
        if not agreed:
            lies = tuple(one.ref for one in seen.scene.sightings)
            seen = replace(seen, scene=replace(seen.scene, fresh=lies))
        return replace(self, _last=(seen, question))

    def refused(self, verdict: Ruled) -> "LeftBehind":
        """A refused move was told of a free table: who is in a hurry goes on from it before it counts."""
        return replace(self, _refused=verdict)

    def tells(
        self,
        verdict: Verdict,
        seen: Seen,
        at_s: float,
        *,
        clear: bool,
        bare: Callable[[Box], bool] = lambda _box: False,
    ) -> tuple["LeftBehind", bool]:
        """The same with what was read now, and whether its verdict is told at once.

        ``clear``: nothing is hidden that was done, and nobody has done it who is still there. ``bare`` says
        where nothing that was put down can be lying.
        """
        last = self._last
        if last is not None and loses(seen, last[0], bare):
            return self, False
        since_s = self._since_s if last is not None and _is_same(verdict, last[1]) else at_s
        now = LeftBehind(None if isinstance(verdict, Nothing) else (seen, verdict), since_s, self._refused)
        if is_plain(verdict) or (clear and is_done(verdict)):
            return now, True
        if not clear:
            return now, False
        if isinstance(verdict, Ruled) and verdict is self._refused:
            return now, True  # others have gone on from there
        if isinstance(verdict, Question):
            return now, _is_much(verdict)
        if isinstance(verdict, Ruled) and verdict.refused:
            now = now.refused(verdict)
        return now, at_s - since_s >= _WHILE_S

    def gone_on_from(self, verdict: Verdict, follower: Following, scene: Scene) -> Verdict:
        """The refused move that lay there, if it explains the table without accusing anybody of more."""
        if self._refused is None or is_alike(verdict, self._refused) or not _is_explained_by_none(verdict):
            return verdict
        stood = follower.asking(Question("", (Choice("", self._refused),))).see(scene)
        return stood if stood is self._refused else verdict


def _is_explained_by_none(verdict: Verdict) -> bool:
    """Whether nothing that is allowed explains the table."""
    if isinstance(verdict, Question):
        each = [choice.outcome for choice in verdict.choices]
        return all(isinstance(one, Ruled) and one.refused for one in each)
    return isinstance(verdict, OutOfStep) or (isinstance(verdict, Ruled) and verdict.refused)


def _is_same(verdict: Verdict, before: Verdict) -> bool:
    """Whether the same refused move, or the same taking back, was seen before, and in no doubt."""
    if isinstance(verdict, TakeBack) and isinstance(before, TakeBack):
        return verdict.steps == before.steps and not (verdict.more or before.more)
    if not isinstance(verdict, Ruled) or not verdict.refused or verdict.revised or verdict.doubted:
        return False
    return is_alike(verdict, before)


def _is_much(question: Question) -> bool:
    """Whether so much was done whatever the answer is that it is followed on, the likeliest being allowed."""
    each = [choice.outcome for choice in question.choices]
    told = [one for one in each if isinstance(one, Ruled)]
    much = all(sum(step.kind == "move" for step in one.happened) >= _MUCH for one in told)
    return much and 0 < len(told) == len(each) and not told[0].refused
