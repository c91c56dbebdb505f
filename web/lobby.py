"""The lobby of the box: the page that is shown while no match goes on, and what a box may always be asked.

The page's server stays from match to match. What belongs to the box (``/api/box``, ``/api/health``) is
answered here at any time; all else is answered by the dashboard of the match while there is one.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, get_args

from flask import Flask, Response, abort, jsonify, render_template, request

from device.cameras.usb_names import NAME
from device.folders import examples_folder
from device.live.desk import Desk
from device.own_pieces import set_file
from device.service.box import By, Confirm, Input, Leave, Seating, TryCamera, Want, Wanted
from device.service.pairing import Pairing
from device.service.reception import Reception
from engine import GAMES, BadProfile, rulebook
from web.app import create
from web.first import first_pages
from web.guard import Door
from web.health_pages import glance_pages, metrics_pages
from web.kept_pages import kept_pages
from web.mount_page import mount_pages
from web.owner_box import owner_box_pages
from web.owner_pages import owner_pages
from web.request_bodies import body, refusal
from web.server import WebScreen
from web.sheet_pages import Album, sheet_pages
from web.teach import teach_pages
from web.way_in import join_pages

MOST_PROFILE: Final = 2000
"""Letters of a profile in which every reading is another one."""
_CAMERA: Final = re.compile(rf"|picamera|webcam:(?:{NAME.pattern})")
LONGEST_MATCH: Final = 100
NOT_KEPT: Final = "This match is not kept here any more."
LONGEST_NAME: Final = 40
"""Letters of a player's name: as many as the dashboard shows on a phone, and some more."""
OWN_PATHS: Final = (
    "/api/box",
    "/api/health",
    "/metrics",
    "/owner",
    "/api/owner",
    "/matches",
    "/api/matches",
    "/first",
    "/api/first",
    "/print",
    "/mount",
)
"""What is always answered by the box and never by a match."""
HOST_OF_THIS_MACHINE: Final = "127.0.0.1"


def create_lobby(
    reception: Reception, door: Door, album: Album | None = None, *, metrics: bool = False
) -> Flask:
    """The pages of the box; ``metrics`` where a collector may ask for figures."""
    app, pages = Flask(__name__), _LobbyPages(reception, door.token)
    app.config.update(MAX_CONTENT_LENGTH=4096)
    door.guard(app)
    app.register_blueprint(sheet_pages(album or Album(), door.token))
    app.register_blueprint(join_pages(door))
    app.register_blueprint(kept_pages(door.token))
    app.register_blueprint(first_pages(reception, door.token))
    app.register_blueprint(teach_pages(reception))
    app.register_blueprint(owner_pages(door, reception))
    app.register_blueprint(owner_box_pages(reception))
    app.register_blueprint(mount_pages())
    app.register_blueprint(glance_pages(reception.health, door))
    if metrics:
        app.register_blueprint(metrics_pages(reception.health))
    app.get("/")(pages.page)
    app.get("/api/box")(pages.box)
    app.get("/api/matches")(pages.matches)
    app.get("/api/health")(pages.health)
    app.post("/api/box/do")(pages.do)
    return app


class _LobbyPages:
    """The answers to all requests."""

    def __init__(self, reception: Reception, token: str) -> None:
        self._reception, self._token = reception, token

    def page(self) -> str:
        """The page itself."""
        return render_template("lobby.html", token=self._token)

    def box(self) -> Response:
        """The box as it is."""
        return jsonify(self._reception.told())

    def matches(self) -> Response:
        """Matches that are kept, some at a time: those after one of this name, or the last ones."""
        after = request.args.get("after", "")
        found = self._reception.older(after) if len(after) <= LONGEST_MATCH else None
        return refusal(404, NOT_KEPT) if found is None else jsonify(found)

    def health(self) -> Response:
        """How the box is."""
        return jsonify(self._reception.health())

    def do(self) -> Response:
        """Something that somebody wants of the box."""
        wanted = wish_in(body())
        if wanted is None:
            abort(400)
        self._reception.ask(wanted)
        return Response(status=204)


def wish_in(asked: Any) -> Input | None:
    """What somebody wants of the box, or None where it is nothing that people can want."""
    if not isinstance(asked, dict):
        return None
    kind = asked.get("kind")
    read = _WISHES.get(kind) if isinstance(kind, str) else None
    return None if read is None else read(asked)


def _begin(asked: Mapping[str, Any]) -> Input | None:
    """A new match."""
    game, confirm, by = asked.get("game"), asked.get("confirm"), asked.get("by")
    names = asked.get("players")
    if game not in GAMES or confirm not in get_args(Confirm) or by not in get_args(By):
        return None
    if not isinstance(names, list) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        return None
    first, second = (" ".join(name.split()) for name in names)
    if max(len(first), len(second)) > LONGEST_NAME or not (first + second).isprintable():
        return None
    players = (first or "player 1", second or "player 2")
    profile = asked.get("profile", "default")
    if not isinstance(profile, str) or len(profile) > MOST_PROFILE:
        return None
    try:
        rulebook(game, profile)
    except BadProfile:
        return None
    camera, pieces = asked.get("camera", ""), asked.get("pieces", "")
    if not isinstance(camera, str) or not _CAMERA.fullmatch(camera):
        return None
    if not isinstance(pieces, str) or (pieces and set_file(pieces) is None):
        return None
    return Want(Wanted(Seating(game, players, confirm, by, profile, camera, pieces)))


def _resume(asked: Mapping[str, Any]) -> Input | None:
    """A match that is kept."""
    name = asked.get("name")
    return Want(Wanted(name=name)) if isinstance(name, str) and 0 < len(name) <= LONGEST_MATCH else None


_WISHES: Mapping[str, Callable[[Mapping[str, Any]], Input | None]] = {
    "begin": _begin,
    "resume": _resume,
    "leave": lambda _asked: Leave(),
    "camera": lambda _asked: TryCamera(),
}


class LobbyScreen(WebScreen):
    """The page of the box, which stays when a match ends."""

    def __init__(
        self, host: str, port: int, pairing: Pairing | None = None, *, metrics: bool = False
    ) -> None:
        super().__init__(host, port, pairing)
        self._metrics = metrics
        self._lobby: Any = None
        self._album = Album(examples_folder())

    def open(self, reception: Reception) -> None:
        """Begin to serve."""
        self._lobby = create_lobby(reception, self._door, self._album, metrics=self._metrics)
        print(f"pipwatch: the page of the box is at {self.address}", file=sys.stderr, flush=True)
        self._thread.start()

    def start(self, desk: Desk) -> None:
        """A match begins: its dashboard is the page now."""
        self._app = create(desk, door=self._door, album=self._album, seats=self._seats, stays=True)

    def close(self, _timeout_s: float) -> None:
        """A match has ended: the lobby is the page again."""
        self._app = None

    def end(self, timeout_s: float) -> None:
        """Stop serving."""
        super().close(timeout_s)

    def _answer(self, environ: Any, start: Any) -> Iterable[bytes]:
        app, match = self._lobby, self._app
        if match is not None and not environ.get("PATH_INFO", "").startswith(OWN_PATHS):
            app = match
        answer: Iterable[bytes] = app(environ, start)
        return answer


def screen(host: str, port: int, pairing: Pairing | None = None, *, metrics: bool = False) -> LobbyScreen:
    """The page of the box at an address, and who may act there; raises OSError where that is taken."""
    return LobbyScreen(host, port, pairing, metrics=metrics)
