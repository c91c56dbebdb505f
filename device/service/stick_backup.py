"""The backup onto a USB stick as the box makes it: one at a time, by button or page, and what came of it."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from device.keeping.belongings import BackupError
from device.keeping.stick import backup_to_stick
from engine.plain import JsonObject

TOLD_S: Final = 600.0
"""So long the box remarks that nothing came of a button: whoever pressed it is still near a page."""
BUSY: Final = "A backup is being made already."


class StickBackup:
    """The copies of one box, for any thread. A slow stick takes minutes, so a page asks how it stands."""

    def __init__(
        self, make: Callable[[], str] = backup_to_stick, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``make`` says what was done, and raises BackupError in a sentence where nothing was."""
        self._make, self._clock = make, clock
        self._turn = threading.Lock()
        self._words, self._wrong = "", False
        self._remark, self._until = "", 0.0

    def pressed(self) -> str:
        """A button asks for it: made here and now. Raises BackupError."""
        if not self._turn.acquire(blocking=False):
            raise BackupError(BUSY)
        self._remark = ""
        try:
            return self._made()
        except BackupError as wrong:
            self._remark, self._until = str(wrong), self._clock() + TOLD_S
            raise
        finally:
            self._turn.release()

    def begin(self) -> str:
        """The page asks for it: made in a thread of its own; why not, if not."""
        if not self._turn.acquire(blocking=False):
            return BUSY
        self._words, self._wrong, self._remark = "", False, ""
        threading.Thread(target=self._begun, name="backup", daemon=True).start()
        return ""

    def told(self) -> JsonObject:
        """Whether one is at work, and what came of the last one."""
        return {"busy": self._turn.locked(), "words": self._words, "wrong": self._wrong}

    @property
    def remarks(self) -> Sequence[str]:
        """What came of nothing, for whoever looks at any page."""
        return [self._remark] if self._remark and self._clock() < self._until else []

    def _begun(self) -> None:
        try:
            self._made()
        except BackupError as wrong:
            print(f"pipwatch: {wrong}", file=sys.stderr, flush=True)
        else:
            print(f"pipwatch: {self._words}", file=sys.stderr, flush=True)
        finally:
            self._turn.release()

    def _made(self) -> str:
        try:
            self._words, self._wrong = self._make(), False
        except Exception as wrong:  # whatever it is: a page that asks must not wait for ever
            self._words, self._wrong = str(wrong) or type(wrong).__name__, True
            raise BackupError(self._words) from wrong
        return self._words
