"""What the box tells the world around it: phones how to join, the house what is played, a display both."""

import threading
from collections.abc import Sequence
from pathlib import Path

from device.home.post import HomePost, HomeSeat
from device.live.oled import OledDisplay
from device.live.running import Screen
from device.panel.oled_face import Entrance
from device.panel.wish import Wish
from device.service.announcing import Announcing, announce
from device.service.pairing import Pairing


class Outside:
    """Opened when the box has begun, inviting once its page is there, closed at its end."""

    def __init__(
        self, pairing: Pairing, port: int, *, hotspot: Path | None = None, post: HomePost | None = None,
        display: OledDisplay | None = None, here_only: bool = False,
    ) -> None:  # fmt: skip
        self.pairing = pairing
        self._port, self._hotspot, self._post, self._display = port, hotspot, post, display
        self._here_only = here_only
        self._announcing: Announcing | None = None
        self._turn, self._ended = threading.Lock(), False

    def open(self) -> None:
        """Begin to tell the house; nobody waits for it."""
        if self._post is not None:
            self._post.open()

    def invite(self) -> None:
        """Tell from now on how to join, if that is not told yet: before the page listens it would lead to
        whatever else has its port. Nobody waits for it."""
        with self._turn:
            if self._announcing is None and not self._ended:
                self._announcing = announce(
                    self._port, self.pairing, hotspot=self._hotspot, here_only=self._here_only
                )

    def close(self, timeout_s: float) -> None:
        """The box ends."""
        with self._turn:
            self._ended = True
        if self._announcing is not None:
            self._announcing.close()
        if self._post is not None:
            self._post.close(timeout_s)
        if self._display is not None:
            self._display.end(timeout_s)

    def grant(self, wish: Wish) -> None:
        """Do what buttons of the table ask for, where it is about who may join."""
        if wish is Wish.PAIR:
            self.pairing.open()

    @property
    def has_own_wifi(self) -> bool:
        """Whether phones join a Wi-Fi that the box has opened."""
        invitation = self.pairing.invitation
        return invitation is not None and invitation.wifi is not None

    @property
    def seats(self) -> Sequence[Screen]:
        """Who follows each match from outside."""
        house = () if self._post is None else (HomeSeat(self._post),)
        return house if self._display is None else (*house, self._display)

    @property
    def remarks(self) -> Sequence[str]:
        """What is wrong with it, in sentences."""
        sources = (self._post, self._display)
        return [one.trouble for one in sources if one is not None and one.trouble]


def link_to(pairing: Pairing) -> str:
    """Where others find the page, as phones are told; empty where nobody finds it."""
    urls = () if pairing.invitation is None else pairing.invitation.urls
    return urls[0] if urls else ""


def entrance_of(pairing: Pairing) -> Entrance:
    """How one gets in, as a small display shows it."""
    address = link_to(pairing).removeprefix("http://").rstrip("/")
    wifi = None if pairing.invitation is None else pairing.invitation.wifi
    own = () if wifi is None else (wifi.name, wifi.passphrase)
    return Entrance(address, pairing.code, pairing.is_open, own)
