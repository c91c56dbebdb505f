"""Room that is set aside: a file that is deleted on a full disk, so that a match can end in order."""

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

RESERVE_BYTES: Final = 32_000_000
"""What the file takes: some ten thousand events without their pictures. (Reliability notes, section 2.)"""
ROOM_BYTES: Final = 96_000_000
"""It is made again only where so much is free: three times itself, so that it does not come and go."""
NAME: Final = "reserve"


class Reserve:
    """The file in one folder. Made and given up by whoever writes there; another process may have done so."""

    def __init__(self, folder: Path, size_bytes: int = RESERVE_BYTES, room_bytes: int = ROOM_BYTES) -> None:
        self._file = folder / NAME
        self._size, self._room = size_bytes, room_bytes
        self.possible = True
        """Whether this disk lets room be set aside, as far as was tried."""

    @property
    def there(self) -> bool:
        """Whether the room is set aside."""
        return self._file.exists()

    def make(self) -> bool:
        """Set the room aside where there is enough of it; whether it is set aside now."""
        try:
            if self._file.exists() and self._file.stat().st_size >= self._size:
                return True
            if shutil.disk_usage(self._file.parent).free < self._room:
                return False
            self._allot()
        except OSError as wrong:
            self.possible = wrong.errno in (errno.ENOSPC, errno.EDQUOT)
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
            return False
        return True

    def give_up(self) -> bool:
        """Let the room be used; whether there was any."""
        try:
            self._file.unlink()
        except OSError:  # it is not there, or nothing can be changed here at all
            return False
        return True

    def _allot(self) -> None:
        handle = os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(handle, 0, self._size)  # allotted, not written: it costs the card a few blocks
        finally:
            os.close(handle)
