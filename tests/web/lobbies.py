"""A lobby over a box that says what a test wants, and remembers what was asked of it."""

from dataclasses import replace
from typing import Any, Self

from flask.testing import FlaskClient

from device.service.box import Input
from device.service.pairing import Pairing
from device.service.reception import Reception
from engine import GAMES, rulebook
from web.guard import TOKEN_HEADER
from web.lobby import LobbyScreen

TWO_CAMERAS: list[dict[str, Any]] = [
    {"name": "picamera", "title": "Raspberry Pi camera", "usual": True, "there": True},
    {"name": "webcam:2", "title": "Webcam 2: HD Pro Webcam C920", "usual": False, "there": True},
]
OWN_COINS = {"name": "red-box", "title": "Red box", "kinds": {"coin": 10}, "games": ["dominoids"]}


class ShownLobby:
    """A box's pages without a box. A block ends them."""

    def __init__(self, pairing: Pairing | None = None, **told: Any) -> None:
        self.asked: list[Input] = []
        self.box: dict[str, Any] = {
            "place": "lobby", "words": "", "sight": True, "over": False, "dashboard": False, "camera": True,
            "games": [{"name": name, "title": rulebook(name).title} for name in GAMES],
            "confirm": "auto", "matches": [], "results": [], "older": "", "pairs": [], "counting": False,
            "remarks": [], "cameras": [], "pieces": [], "work": "",
            **told,
        }  # fmt: skip
        self.reception = Reception(self.asked.append, lambda: self.box, dict)
        self.screen = LobbyScreen("127.0.0.1", 0, pairing)

    def but(self, **others: Any) -> Self:
        """The same with other answers of the box."""
        self.reception = replace(self.reception, **others)
        return self

    def client(self) -> FlaskClient:
        """One who asks as the page does."""
        door = self.screen._door
        made: FlaskClient = self.screen._lobby.test_client()
        made.environ_base["HTTP_" + TOKEN_HEADER.upper().replace("-", "_")] = door.token
        return made

    @property
    def address(self) -> str:
        """Where its page is."""
        return self.screen.address

    def __enter__(self) -> Self:
        self.screen.open(self.reception)
        return self

    def __exit__(self, *_: object) -> None:
        self.screen.end(3.0)
