"""What the box answers, as an OpenAPI document: one row for each route, as in ``web/access.py``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from device.cameras.wanted import LENS_NAME
from device.lenses import MOST_BYTES
from device.match.match_view import FORMAT
from device.match.transitions import PEOPLE
from engine import GAMES
from web.access import ROUTES, Access
from web.guard import COOKIE, OWNER_COOKIE, TOKEN_HEADER


@dataclass(frozen=True)
class Route:
    """What a route is for, what it takes, and what it gives."""

    summary: str
    gives: str = "application/json"
    takes: Mapping[str, Any] | None = None
    """The schema of its JSON, or None for none."""
    status: int = 200
    asks: Mapping[str, Any] = field(default_factory=dict)
    """What may stand behind the question mark: each name with its schema."""


def _object(**properties: Any) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties}


TEXT: Final[Mapping[str, Any]] = {"type": "string"}
FLAG: Final[Mapping[str, Any]] = {"type": "string", "maxLength": 0}
_MAPS: Final = _object(maps={"type": "array", "items": {"type": "object"}, "maxItems": 2})
_PAGE: Final = "text/html"
_JPEG: Final = "image/jpeg"
_DO: Final = _object(
    kind={"type": "string", "enum": sorted(map(str, PEOPLE))}, words={"type": "string", "maxLength": 400},
    number={"type": "integer", "minimum": 0, "maximum": 99}, key=TEXT,
)  # fmt: skip
_BOX: Final = _object(
    kind={"type": "string", "enum": ["begin", "resume", "leave", "camera"]},
    game={"type": "string", "enum": list(GAMES)}, players={"type": "array", "items": TEXT},
    confirm={"type": "string", "enum": ["auto", "button"]},
    by={"type": "string", "enum": ["camera", "hand", "virtual"]}, name=TEXT, profile=TEXT,
    camera=TEXT, pieces=TEXT,
)  # fmt: skip

DESCRIBED: Final[Mapping[str, Route]] = {
    "GET /static/<path:filename>": Route("Styles, scripts and signs of the pages", "*/*"),
    "GET /join": Route("The card by which phones join", _PAGE),
    "GET /api/door": Route("What this browser may do"),
    "POST /api/join": Route("Enter the code, or the PIN", takes=_object(code=TEXT), status=204),
    "POST /api/phones/forget": Route("Every screen has to enter the code again", takes=_object()),
    "GET /words/<language>.json": Route(
        "The words of a language; or those that no match needs", asks={"around": FLAG}
    ),
    "GET /rules/<game>": Route("The rules of a game in our own words", _PAGE),
    "GET /api/rules/<game>": Route("The same as data, by id"),
    "GET /api/readings/<game>": Route("What the rules of a game leave open, and what may be chosen"),
    "GET /api/openapi.json": Route("This document"),
    "GET /": Route("The page of the match, or the lobby", _PAGE),
    "GET /api/view": Route("The match as it is; with an ETag"),
    "GET /api/events": Route(
        "The match as it changes, from Last-Event-ID on, or from an event of this number",
        "text/event-stream",
        asks={"after": TEXT},
    ),
    "GET /api/touch": Route(
        "What taps come to: what may be tapped next, the line, the ruling",
        asks={"tap": {"type": "array", "items": TEXT}},
    ),
    "GET /notation/<game>": Route("Every form of the notation, with examples", _PAGE),
    "GET /asked/<role>.jpg": Route("What the camera saw of that about which people are asked", _JPEG),
    "GET /asked/answer/<int:number>.jpg": Route(
        "What the camera saw of the place of one answer; the key is the question's", _JPEG, asks={"key": TEXT}
    ),
    "GET /frame.jpg": Route(
        "The newest picture of the table; plain; or outlined, its words in X-Captions",
        _JPEG,
        asks={"plain": FLAG, "outlined": FLAG},
    ),
    "GET /evidence/<int:entry>/<role>.jpg": Route("A picture that an entry rests on", _JPEG),
    "GET /api/history/<int:entry>": Route("The match as it was after an entry: table, ruling, scores"),
    "POST /api/do": Route("What people at the table do", takes=_DO, status=204),
    "GET /api/box": Route("The box: its matches, its camera, what is wrong"),
    "GET /api/health": Route("How the box is, in figures: for its owner, and for programs on this machine"),
    "GET /api/health/glance": Route("How the box is, in words for people at a match"),
    "GET /metrics": Route("Figures for Prometheus", "text/plain"),
    "POST /api/box/do": Route("Begin, resume or leave a match", takes=_BOX, status=204),
    "GET /first": Route("The first evening, step by step", _PAGE),
    "POST /api/first/doctor": Route("Check the machine", takes=_object()),
    "GET /api/first/aim.jpg": Route(
        "The camera before a match, its markers drawn in; X-Aim tells more", _JPEG
    ),
    "POST /api/first/focus": Route("Have the camera focus anew", takes=_object(), status=204),
    "POST /api/first/pieces": Route(
        "Find one's own pieces: the body is a photo, or {} for the camera", asks={"kind": TEXT}
    ),
    "GET /api/first/pieces/<name>/<int:number>.jpg": Route("One of them, cut out", _JPEG),
    "POST /api/first/pieces/<name>/keep": Route(
        "Learn what they are called", takes=_object(title=TEXT, names={"type": "array", "items": TEXT})
    ),
    "POST /api/first/look": Route(
        "A look of the test move, what was read drawn in; X-Tried tells more",
        _JPEG,
        _object(anew={"type": "boolean"}),
    ),
    "GET /print/<what>.pdf": Route("What goes on the table: markers, mats, sheets, discs", "application/pdf"),
    "GET /api/matches": Route(
        "Matches that are kept, twelve at a time, or those that come after one of this name",
        asks={"after": TEXT},
    ),
    "GET /matches/<name>": Route("A match that is kept, to step through", _PAGE),
    "GET /api/matches/<name>/view": Route("How it stands"),
    "GET /api/matches/<name>/history/<int:entry>": Route("How it stood after an entry"),
    "GET /api/matches/<name>/evidence/<int:entry>/<role>.jpg": Route(
        "A picture that an entry rests on", _JPEG
    ),
    "GET /api/matches/<name>/export/<form>": Route("The record as json, csv, text or ppn", "*/*"),
    "GET /api/matches/<name>/case.zip": Route("Questions and corrections as test cases", "application/zip"),
    "GET /owner": Route("The owner's page", _PAGE),
    "POST /api/owner/enter": Route("Enter the password", takes=_object(password=TEXT), status=204),
    "POST /api/owner/password": Route("Set the password", takes=_object(password=TEXT, old=TEXT), status=204),
    "GET /api/owner": Route("Paired screens, settings, whether there is a PIN"),
    "POST /api/owner/leave": Route("End the owner's session", takes=_object(), status=204),
    "POST /api/owner/pin": Route("Set the PIN of those who look", takes=_object(pin=TEXT), status=204),
    "POST /api/owner/forget": Route("Forget one screen", takes=_object(screen=TEXT), status=204),
    "POST /api/owner/settings": Route("Write the settings", takes=_object(settings=TEXT), status=204),
    "POST /api/owner/fields": Route(
        "Write some settings by their keys; null takes one out",
        takes=_object(values={"type": "object"}),
        status=204,
    ),
    "POST /api/owner/lens": Route(
        "Keep a lens that was calibrated elsewhere: its name, and what its file says",
        takes=_object(
            name={"type": "string", "pattern": f"^{LENS_NAME.pattern}$"},
            lens={"type": "string", "maxLength": MOST_BYTES},
            replace={"type": "boolean"},
        ),
        status=204,
    ),
    "POST /api/owner/delete": Route("Delete a match", takes=_object(name=TEXT), status=204),
    "GET /api/owner/everything.zip": Route("All matches and settings in one file", "application/zip"),
    "POST /api/owner/stick": Route("Begin a backup onto the USB stick", takes=_object(), status=204),
    "GET /api/owner/stick": Route("Whether it is at work, and what came of the last one"),
    "POST /api/owner/pins": Route(
        "Begin to try buttons and lamps, between matches, or end it",
        takes=_object(on={"type": "boolean"}),
        status=204,
    ),
    "GET /api/owner/pins": Route("What is lit and pressed meanwhile"),
    "GET /api/owner/report.zip": Route("What a bug report needs, without names", "application/zip"),
    "POST /api/owner/restart": Route(
        "Start the box anew, with what is set by now; a match goes on then", takes=_object(), status=204
    ),
    "POST /api/owner/off": Route("Switch the machine off", takes=_object(), status=204),
    "GET /mount": Route(
        "How the camera is hung: height, drawing, pixels",
        _PAGE,
        asks={"game": {"type": "string", "enum": list(GAMES)}, "camera": TEXT},
    ),
    "GET /sheets": Route("The page for sheets of the Duel", _PAGE),
    "GET /sheets/<name>/<int:number>.jpg": Route("A map from straight above", _JPEG),
    "GET /sheets/<name>/photo.jpg": Route("A photo whose corners are to be tapped", _JPEG),
    "POST /sheets/read": Route(
        "Read a photo: the body is a JPEG or PNG; beside one that was read before", asks={"after": TEXT}
    ),
    "POST /sheets/table": Route("Read the sheets on the table", takes=_object()),
    "POST /sheets/score": Route("The score of maps", takes=_MAPS),
    "POST /sheets/<name>/corners": Route(
        "Read a photo by its corners", takes=_object(corners={"type": "array"})
    ),
    "POST /sheets/<name>/score.pdf": Route("The score sheet", "application/pdf", _MAPS),
    "POST /sheets/<name>/keep": Route("Keep the maps as examples", takes=_MAPS),
    "POST /sheets/<name>/enter": Route("Enter the maps in the match", takes=_MAPS),
}
"""Every route of every application, in the order of ``ROUTES``."""


def document() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    for row, access in ROUTES.items():
        method, path = row.split(" ", 1)
        paths.setdefault(_path(path), {})[method.lower()] = _operation(row, path, access)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pipwatch", "version": str(FORMAT),  # which build it is the box tells its owner
            "description": "Whatever changes something needs the page's token and, from another machine, "
            "a paired screen. Who may ask for what is told with each route (x-access).",
        },
        "paths": paths,
        "components": {
            "schemas": {"Refusal": _object(error=TEXT, status={"type": "integer"})},
            "securitySchemes": {
                "screen": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "owner": {"type": "apiKey", "in": "cookie", "name": OWNER_COOKIE},
                "page": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER},
            },
        },
    }  # fmt: skip


def _path(path: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)


def _operation(row: str, path: str, access: Access) -> dict[str, Any]:
    route = DESCRIBED[row]
    refused = {"description": "Why not", "content": _content("application/json", "Refusal")}
    given: dict[str, Any] = {"description": route.summary}
    if route.status != 204:
        given["content"] = {route.gives: {}}
    told: dict[str, Any] = {
        "summary": route.summary, "x-access": str(access),
        "responses": {str(route.status): given, "default": refused},
    }  # fmt: skip
    kinds = {"int": {"type": "integer"}}
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": kinds.get(kind, dict(TEXT))}
        for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", path)
    ]
    parameters += [{"name": name, "in": "query", "schema": dict(kind)} for name, kind in route.asks.items()]
    if parameters:
        told["parameters"] = parameters
    if route.takes is not None:
        told["requestBody"] = {"content": {"application/json": {"schema": dict(route.takes)}}}
    elif row in ("POST /sheets/read", "POST /api/first/pieces"):
        told["requestBody"] = {"content": {"application/octet-stream": {}}}
    if access in (Access.OWN, Access.BOX):
        told["security"] = [{"owner": []}]
    elif access is Access.ACT:
        told["security"] = [{"screen": [], "page": []}]
    elif access is Access.LET_GO:
        told["security"] = [{"owner": []}, {"screen": [], "page": []}]
    return told


def _content(kind: str, schema: str) -> dict[str, Any]:
    return {kind: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
