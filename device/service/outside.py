"""What the box tells the world around it: phones how to join, and the house what is played."""

from collections.abc import Sequence

from device.home.post import HomePost, HomeSeat
from device.live.running import Screen
from device.panel.wish import Wish
from device.service.announcing import Announcing, announce
from device.service.pairing import Pairing


class Outside:
    """Opened when the box has begun, closed at its end."""

    def __init__(
        self, pairing: Pairing, port: int, *, hotspot: bool = False, post: HomePost | None = None
    ) -> None:
        self.pairing = pairing
        self._port, self._hotspot, self._post = port, hotspot, post
        self._announcing: Announcing | None = None

    def open(self) -> None:
        """Begin to tell; nobody waits for it."""
        self._announcing = announce(self._port, self.pairing, hotspot=self._hotspot)
        if self._post is not None:
            self._post.open()

    def close(self, timeout_s: float) -> None:
        """The box ends."""
        if self._announcing is not None:
            self._announcing.close()
        if self._post is not None:
            self._post.close(timeout_s)

    def grant(self, wish: Wish) -> None:
        """Do what buttons of the table ask for, where it is about who may join."""
        if wish is Wish.PAIR:
            self.pairing.open()

    @property
    def seats(self) -> Sequence[Screen]:
        """Who follows each match from outside."""
        return () if self._post is None else (HomeSeat(self._post),)

    @property
    def remarks(self) -> Sequence[str]:
        """What is wrong with it, in sentences."""
        return [self._post.trouble] if self._post is not None and self._post.trouble else []
