"""Who may ask for what: one table of all routes, and nothing is answered that has no row in it.

Five stand at the door. Nobody is whoever came over the network and was not let in. A viewer has entered the
PIN. Paired is a screen that entered the code: a player's. The owner has entered the password. Here is this
machine itself. A role more would be one more column.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from device.service.pairing import Look


class Who(StrEnum):
    """Who asks."""

    NOBODY = "nobody"
    VIEWER = "viewer"
    PAIRED = "paired"
    OWNER = "owner"
    HERE = "this machine"


class Access(StrEnum):
    """What a route gives."""

    OPEN = "open"
    """What it takes to be let in, and what every page needs."""
    PAGE = "page"
    """A page to look at; who may not look is led to the code."""
    LOOK = "look"
    """Anything else to look at."""
    ROOM = "room"
    """Pictures of the table and of what lies on it: whoever sees these sees the room. A PIN keeps them."""
    LET_GO = "let go"
    """Whatever takes from others what they may: the owner's once there is one, until then as what changes."""
    ACT = "act"
    """Whatever changes something, writes something or takes long; and the code itself."""
    OWN = "own"
    """What only the owner may: settings, screens, deleting, all matches in one file, the end of the box."""
    BOX = "box"
    """The machine's own figures, such as card, warmth and version: its owner's, and of programs on it."""


ROUTES: Final[Mapping[str, Access]] = {
    "GET /static/<path:filename>": Access.OPEN,
    "GET /join": Access.OPEN,
    "GET /api/door": Access.OPEN,
    "POST /api/join": Access.OPEN,
    "POST /api/phones/forget": Access.LET_GO,
    "GET /words/<language>.json": Access.OPEN,
    "GET /rules/<game>": Access.OPEN,
    "GET /api/rules/<game>": Access.OPEN,
    "GET /api/readings/<game>": Access.OPEN,
    "GET /api/openapi.json": Access.OPEN,
    "GET /": Access.PAGE,
    "GET /api/view": Access.LOOK,
    "GET /api/events": Access.LOOK,
    "GET /api/touch": Access.LOOK,
    "GET /notation/<game>": Access.OPEN,
    "GET /asked/<role>.jpg": Access.ROOM,
    "GET /asked/answer/<int:number>.jpg": Access.ROOM,
    "GET /frame.jpg": Access.ROOM,
    "GET /evidence/<int:entry>/<role>.jpg": Access.ROOM,
    "GET /api/history/<int:entry>": Access.LOOK,
    "POST /api/do": Access.ACT,
    "GET /api/box": Access.LOOK,
    "GET /api/health": Access.BOX,
    "GET /api/health/glance": Access.LOOK,
    "GET /metrics": Access.LOOK,
    "POST /api/box/do": Access.ACT,
    "GET /first": Access.PAGE,
    "POST /api/first/doctor": Access.ACT,
    "GET /api/first/aim.jpg": Access.ROOM,
    "POST /api/first/focus": Access.ACT,
    "POST /api/first/pieces": Access.ACT,
    "GET /api/first/pieces/<name>/<int:number>.jpg": Access.ROOM,
    "POST /api/first/pieces/<name>/keep": Access.ACT,
    "POST /api/first/look": Access.ACT,
    "GET /print/<what>.pdf": Access.ACT,
    "GET /api/matches": Access.LOOK,
    "GET /matches/<name>": Access.PAGE,
    "GET /api/matches/<name>/view": Access.LOOK,
    "GET /api/matches/<name>/history/<int:entry>": Access.LOOK,
    "GET /api/matches/<name>/evidence/<int:entry>/<role>.jpg": Access.ROOM,
    "GET /api/matches/<name>/export/<form>": Access.LOOK,
    "GET /api/matches/<name>/case.zip": Access.ROOM,
    "GET /owner": Access.PAGE,
    "POST /api/owner/enter": Access.OPEN,
    "POST /api/owner/password": Access.ACT,
    "GET /api/owner": Access.OWN,
    "POST /api/owner/leave": Access.OWN,
    "POST /api/owner/pin": Access.OWN,
    "POST /api/owner/forget": Access.OWN,
    "POST /api/owner/settings": Access.OWN,
    "POST /api/owner/fields": Access.OWN,
    "POST /api/owner/lens": Access.OWN,
    "POST /api/owner/delete": Access.OWN,
    "GET /api/owner/everything.zip": Access.OWN,
    "POST /api/owner/stick": Access.OWN,
    "GET /api/owner/stick": Access.OWN,
    "POST /api/owner/pins": Access.OWN,
    "GET /api/owner/pins": Access.OWN,
    "GET /api/owner/report.zip": Access.OWN,
    "POST /api/owner/restart": Access.OWN,
    "POST /api/owner/off": Access.OWN,
    "GET /mount": Access.PAGE,
    "GET /sheets": Access.PAGE,
    "GET /sheets/<name>/<int:number>.jpg": Access.ROOM,
    "GET /sheets/<name>/photo.jpg": Access.ROOM,
    "POST /sheets/read": Access.ACT,
    "POST /sheets/table": Access.ACT,
    "POST /sheets/score": Access.ACT,
    "POST /sheets/<name>/corners": Access.ACT,
    "POST /sheets/<name>/score.pdf": Access.ACT,
    "POST /sheets/<name>/keep": Access.ACT,
    "POST /sheets/<name>/enter": Access.ACT,
}
"""Every route of every application. One that is missing here is refused to everybody."""

_ACTING: Final = frozenset({Who.PAIRED, Who.OWNER, Who.HERE})


def may_act(who: Who) -> bool:
    """Whether they may do something, and not only look."""
    return who in _ACTING


def now(access: Access, *, owned: bool) -> Access:
    """What a route gives, where a password is set or not."""
    if access is Access.LET_GO:
        return Access.OWN if owned else Access.ACT
    return access


def may(who: Who, access: Access, look: Look, *, pin: bool = False, owned: bool = True) -> bool:
    """Whether this is given to them, where looking is open or not, with a PIN and an owner or without."""
    access = now(access, owned=owned)
    if access is Access.OPEN:
        return True
    if access is Access.OWN:
        return who is Who.OWNER
    if access is Access.BOX:
        return who in (Who.OWNER, Who.HERE)
    if access is Access.ACT or who is not Who.NOBODY:
        return who in _ACTING or access is not Access.ACT
    return look == "open" and not (pin and access is Access.ROOM)
