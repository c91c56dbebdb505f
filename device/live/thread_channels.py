"""Channels between threads besides the standard queue: the latest value, and a board that many watch."""

import threading
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """A slot for one value: a newer one takes the place of one that nobody has fetched yet."""

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._value: T | None = None
        self._number = 0
        self._closed = False

    def put(self, value: T) -> None:
        """Leave a value."""
        with self._ready:
            self._value, self._number = value, self._number + 1
            self._ready.notify_all()

    def close(self) -> None:
        """Nothing more will come: whoever waits is told."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def get(self, after: int = 0, timeout_s: float | None = 0.0) -> tuple[int, T | None]:
        """The newest value with its number, once it is newer than ``after``; (after, None) if none comes."""
        with self._ready:
            self._ready.wait_for(lambda: self._number > after or self._closed, timeout_s)
            return (self._number, self._value) if self._number > after else (after, None)
