"""The source of frames as `pipwatch run` opens it: what is checked or measured is what a match will get."""

from typing import TYPE_CHECKING

from device.live.source_name import SourceName

if TYPE_CHECKING:
    from device.live.ports import Source
    from device.settings import Settings


def own_source(name: SourceName, settings: "Settings", game: str) -> "Source | None":
    """The camera as its settings want it, as often as this board looks; raises OSError in a sentence."""
    from device.cameras.virtual import VirtualSeats
    from device.live.starting import Terms
    from device.live.wiring import open_source
    from device.workload import board, workload

    work = workload(settings.service.work, board())
    return open_source(name, Terms(game), VirtualSeats(), work.fps, settings.camera)
