"""Tells people how to join: on console and log, on displays, in the file that ``pipwatch join`` reads.

It goes on telling: a box that starts before its router, or gets another address, says so when it is so.
"""

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from device.service.address import BoxName, Invitation, Wifi, invitation, lines
from device.service.hotspot import Hotspot, kept_wifi
from device.service.listing import Listing
from device.service.pairing import Pairing
from device.service.phones import write_whole

EVERY_S: Final = 10.0
"""How often the network is looked at: a new address is told before a person has found it out."""
FILE: Final = "join.json"
CONSOLE_FILE: Final = "issue"
"""The same as text; a link to it in /etc/issue.d has the login prompt of the machine's own screen show it."""
SERVICE_FOLDER: Final = Path("/run/pipwatch")
"""Where the service keeps what it needs while it runs."""
_PATIENCE_S: Final = 1.0
"""How long an end waits for a look round that is under way."""
_FOR_THE_GROUP: Final = 0o640
"""Whoever is in the service's group may read the code, and nobody else."""


def runtime_folder() -> Path | None:
    """Where this process may keep what lives as long as it: the service's folder, or the user's own."""
    if service := os.environ.get("RUNTIME_DIRECTORY"):
        return Path(service.split(":")[0])
    if user := os.environ.get("XDG_RUNTIME_DIR"):
        return Path(user) / "pipwatch"
    return None


def _on_the_console(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@dataclass
class Announcing:
    """Says how to join, and again whenever that has changed, in a thread of its own."""

    port: int
    pairing: Pairing
    hotspot: Hotspot | None = None
    told: Callable[[Invitation], None] = lambda _: None
    say: Callable[[str], None] = _on_the_console
    folder: Path | None = field(default_factory=runtime_folder)
    name: BoxName = field(default_factory=lambda: BoxName())
    found: Callable[[int, str, Wifi | None], Invitation] = invitation
    clock: Callable[[], float] = time.monotonic
    listing: Listing | None = None
    here_only: bool = False
    """Whether the page is shown to this machine alone: then nobody else is told of it."""

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._listing = Listing(self.port) if self.listing is None else self.listing
        self._thread = threading.Thread(target=self._run, name="announcing", daemon=True)

    def start(self) -> None:
        """Tell it now, and go on; whoever starts the page need not wait for the network."""
        self._thread.start()

    def look(self) -> Invitation:
        """Look at the network once; what has changed is told."""
        now = Invitation(self.port, here_only=True) if self.here_only else self._network()
        if now != self.pairing.invitation:
            self.pairing.invitation = now
            self.say("\n".join(lines(now, self.pairing.code)))
            self._write(now)
            self.told(now)
        return now

    def _network(self) -> Invitation:
        """How the page is found in the network now; it is listed there under its name."""
        wifi = None if self.hotspot is None else self.hotspot.look(self.clock())
        now = self.found(self.port, "", wifi)
        # The phone speaks IPv4 wherever there is any, so the name leads there.
        now = self.found(self.port, self.name.at(now.addresses[0] if now.addresses else ""), wifi)
        self._listing.at(now.name if now.addresses else "")
        return now if self.hotspot is None else replace(now, spare=self.hotspot.spare)

    def close(self) -> None:
        """Stop telling; the name, the file and a hot spot are given back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE_S)
        self._listing.close()
        self.name.close()
        if self.hotspot is not None:
            self.hotspot.close()
        if self.folder is not None:
            for name in (FILE, CONSOLE_FILE):
                with suppress(OSError):
                    (self.folder / name).unlink()

    def _run(self) -> None:
        wrong = ""
        while True:
            try:
                self.look()
                wrong = ""
            except Exception:  # one look that fails is none the less followed by the next one
                if (why := traceback.format_exc()) != wrong:
                    self.say(f"how to join could not be told: {why}")
                wrong = why
            if self._stop.wait(EVERY_S):
                return

    def _write(self, now: Invitation) -> None:
        """For ``pipwatch join``; where it cannot be written, the console has said it all."""
        if self.folder is None:
            return
        phones = None if self.pairing.kept is None else str(self.pairing.kept)
        told = {**asdict(now), "code": self.pairing.code, "process": os.getpid(), "phones": phones}
        with suppress(OSError):
            write_whole(self.folder / FILE, json.dumps(told) + "\n", _FOR_THE_GROUP)
            words = "\n".join(lines(now, self.pairing.code)).replace("\\", "/")  # a login prompt's own sign
            write_whole(self.folder / CONSOLE_FILE, f"{words}\n\n", _FOR_THE_GROUP)


def announce(
    port: int,
    pairing: Pairing,
    *,
    hotspot: Path | None = None,
    here_only: bool = False,
    told: Callable[[Invitation], None] = lambda _: None,
) -> Announcing:
    """Tell people how to join from now on; whoever starts the page calls this, and closes it at the end.

    ``told`` hears each new invitation. ``here_only``: the page is shown to this machine alone. ``hotspot``:
    where the name and passphrase of the box's own Wi-Fi are kept, which it opens where there is no network.
    """
    spot = None
    if hotspot is not None and not here_only:
        spot = Hotspot(lambda sentence: _on_the_console(f"pipwatch: {sentence}"), wifi=kept_wifi(hotspot))
    made = Announcing(port, pairing, spot, told, here_only=here_only)
    made.start()
    return made


def announced(folder: Path) -> tuple[Invitation, dict[str, Any]]:
    """What a running box says in a folder; raises OSError where there is none, ValueError for a bad file."""
    told = json.loads((folder / FILE).read_text(encoding="utf-8"))
    try:
        wifi, spare = (None if one is None else Wifi(**one) for one in (told["wifi"], told.get("spare")))
        here_only = bool(told.get("here_only"))
        found = Invitation(int(told["port"]), told["name"], tuple(told["addresses"]), wifi, here_only, spare)
        os.kill(int(told["process"]), 0)
    except ProcessLookupError:
        raise FileNotFoundError(f"{FILE} is of a box that has ended") from None
    except PermissionError:
        pass  # it runs, and belongs to somebody else
    except (KeyError, TypeError) as wrong:
        raise ValueError(f"{FILE} is damaged") from wrong
    return found, dict(told)
