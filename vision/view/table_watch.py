"""The owner of the picture of the table: frame by frame what is seen, and the table as it can be read."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from vision.view.gate import Gate
from vision.view.look import Box, FrameState, Look, SeenArm, TableView
from vision.view.newest import Newest
from vision.view.shrink import Picture


class TableWatch:
    """One camera's picture of a table; with pictures of another size it begins anew."""

    def __init__(self) -> None:
        self._gate: Gate | None = None
        self._newest: Newest | None = None
        """None until the table was settled, and when it was lost from view since."""
        self._look = Look(0.0, FrameState.STARTING, 0.0)
        self._parts = 0  # how many pictures between hands there were

    def see(
        self, picture: Picture, at_s: float, *, steady: bool | None = None, relit: bool = False,
        arms: Callable[[Look], Sequence[SeenArm]] = lambda _look: (),
    ) -> Look:  # fmt: skip
        """Take in the next frame, taken at ``at_s``.

        ``steady`` says whether the table's markers are where they were; None where they cannot tell.
        ``relit`` says that the exposure was changed before it, and ``arms`` whose arms are over the table.
        """
        size, before = (picture.shape[1], picture.shape[0]), self._gate
        gate = before if before is not None and before.size_px == size else Gate(size)
        if gate is not before:
            self._gate, self._newest = gate, None
        look = gate.see(picture, at_s, steady=steady, relit=relit)
        there = tuple(arms(look)) if look.hand else ()
        if look.blind or look.state is FrameState.STARTING:
            self._newest = None
        elif self._newest is not None:
            self._newest.see(picture, look, there)
        self._look = replace(look, arms=there, anew=before not in (None, gate))
        return self._look

    def table(self, lying: Callable[[], Sequence[Box]] = tuple) -> TableView | None:
        """The table as it can be read now: settled, or as those left it who have gone; None if it cannot.

        What follows is held against a settled one that was read. ``lying`` says where something lay then.
        """
        look = self._look
        voted = None if self._gate is None else self._gate.voted()
        if voted is not None:
            self._newest = Newest(voted)
            return TableView(voted, look.at_s, look.view, changed=look.changed)
        table = None if self._newest is None else self._newest.left(look, self._parts + 1, lying)
        self._parts += table is not None
        return table

    def shows(self, picture: Picture) -> bool:
        """Whether a picture of any size, taken while the table was settled, shows it as it is settled."""
        return self._gate is not None and self._gate.shows_view(picture)

    def lose(self) -> None:
        """There were no frames for a while: nothing is known until the table is settled again."""
        self._newest = None
