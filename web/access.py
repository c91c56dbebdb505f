"""Who may ask for what: one table of all routes, and nothing is answered that has no row in it.

Three stand at the door. Nobody is whoever came over the network and was not let in. Paired is a phone that
entered the code. Here is this machine itself. A role more would be one more column.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from device.service.pairing import Look


class Who(StrEnum):
    """Who asks."""

    NOBODY = "nobody"
    PAIRED = "paired"
    HERE = "this machine"


class Access(StrEnum):
    """What a route gives."""

    OPEN = "open"
    """What it takes to be let in, and what every page needs."""
    PAGE = "page"
    """A page to look at; who may not look is led to the code."""
    LOOK = "look"
    """Anything else to look at: pictures of the table and of evidence, too."""
    ACT = "act"
    """Whatever changes something, writes something or takes long; and the code itself."""


ROUTES: Final[Mapping[str, Access]] = {
    "GET /static/<path:filename>": Access.OPEN,
    "GET /join": Access.OPEN,
    "GET /api/door": Access.OPEN,
    "POST /api/join": Access.OPEN,
    "POST /api/phones/forget": Access.ACT,
    "GET /": Access.PAGE,
    "GET /api/view": Access.LOOK,
    "GET /api/events": Access.LOOK,
    "GET /frame.jpg": Access.LOOK,
    "GET /evidence/<int:entry>/<role>.jpg": Access.LOOK,
    "POST /api/do": Access.ACT,
    "GET /api/box": Access.LOOK,
    "GET /api/health": Access.LOOK,
    "GET /metrics": Access.LOOK,
    "POST /api/box/do": Access.ACT,
    "GET /sheets": Access.PAGE,
    "GET /sheets/<name>/<int:number>.jpg": Access.LOOK,
    "GET /sheets/<name>/photo.jpg": Access.LOOK,
    "POST /sheets/read": Access.ACT,
    "POST /sheets/table": Access.ACT,
    "POST /sheets/score": Access.ACT,
    "POST /sheets/<name>/corners": Access.ACT,
    "POST /sheets/<name>/score.pdf": Access.ACT,
    "POST /sheets/<name>/keep": Access.ACT,
    "POST /sheets/<name>/enter": Access.ACT,
}
"""Every route of every application. One that is missing here is refused to everybody."""


def may(who: Who, access: Access, look: Look) -> bool:
    """Whether this is given to them."""
    if access is Access.OPEN or who is not Who.NOBODY:
        return True
    return access is not Access.ACT and look == "open"
