"""The source of frames as `pipwatch run` opens it: what is checked or measured is what a match will get."""

from typing import TYPE_CHECKING

from device.cli import for_the_box
from device.live.source_name import SourceName

if TYPE_CHECKING:
    from device.live.ports import Source
    from device.settings import Settings


def own_source(name: SourceName, settings: "Settings", game: str) -> "Source | None":
    """The camera as its settings want it, as often as this board looks; raises OSError in a sentence.

    Root who means the box gets the one that the box takes, and the box is not told.
    """
    from device.cameras.naming import chosen
    from device.cameras.virtual import VirtualSeats
    from device.live.starting import Agreed
    from device.live.wiring import open_source
    from device.workload import board, workload

    if name.kind == "auto" and for_the_box.is_meant():
        with for_the_box.looked_into():
            name = chosen(settings.camera) or SourceName("none")
    work = workload(settings.service.work, board())
    return open_source(name, Agreed(game), VirtualSeats(), work.fps, settings.camera)
