"""What a page may see and do of the box: the reception in its lobby. Nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, field

from device.service.box import Input
from engine.plain import JsonObject


@dataclass(frozen=True)
class Reception:
    """The reception of the lobby; everything may be asked from any thread."""

    ask: Callable[[Input], None] = field(repr=False)
    """Somebody wants something; what became of it is told next."""
    told: Callable[[], JsonObject] = field(repr=False)
    """What the lobby shows."""
    health: Callable[[], JsonObject] = field(repr=False)
    """How the box is, without anybody's name."""
