"""A Wi-Fi of the box's own, where there is no network: when it is opened, and when it gives way again.

A radio that is a hot spot cannot look for the network it knows. So while nobody uses the hot spot, it is
closed now and then for long enough to find that network: a router that starts slower than the box is no
reason to stay apart from it. NetworkManager does all the work.
"""

import json
import secrets
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from device.match.lamp_signs import Lamps
from device.service.address import Wifi, has_address
from device.service.phones import write_whole

ALONE_S: Final = 60.0
"""How long there is no network before the hot spot opens: a Pi joins a Wi-Fi within some 20 s."""
GIVE_WAY_S: Final = 300.0
"""How long an unused hot spot stays open before the known network is looked for: routers start faster."""
LONGEST_S: Final = 3600.0
"""Each time in vain this takes twice as long, up to this."""
LOOK_S: Final = 45.0
"""How long it is looked for: two scans and a handshake."""
AGAIN_S: Final = 300.0
"""How long after a refusal it is tried again."""
CONNECTION: Final = "pipwatch-hotspot"
"""What NetworkManager calls it."""
LAMPS: Final = Lamps(amber="##......", red="..##....")
"""Amber, then red, and a break: the box is alone and has a network of its own. Nothing else looks so."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look alike."""
_PASSPHRASE: Final = 12
"""Letters of 31: 59 bits, more than anybody tries against a Wi-Fi."""
_LONGEST_NAME: Final = 32
"""Letters of a name, as the standard has it."""
_LEAST, _MOST = 8, 63
"""Letters of a passphrase, as WPA has it."""
_CHANNEL: Final = ("band", "bg", "channel", "6")
"""One that radios of every country may open and every phone hears: left to itself NetworkManager may take the
thirteenth, on which a radio without a country must not begin, and which American phones do not look at."""
_NMCLI_S: Final = 40.0
NO_NMCLI: Final = (
    "hotspot = true needs NetworkManager, and nmcli is not here: sudo apt install network-manager."
)


RADIOS: Final = Path("/sys/class/rfkill")
"""The machine's radios, and whether each is blocked."""
BLOCKED: Final = (
    "the Wi-Fi radio is blocked, as a Raspberry Pi's is until its country is set: sudo raspi-config "
    "(Localisation Options, WLAN Country), or elsewhere sudo rfkill unblock wifi"
)
SWITCHED_OFF: Final = "the Wi-Fi radio is switched off by a switch or key of the machine: switch it on there"


def radio_off(radios: Path = RADIOS) -> str:
    """Why no Wi-Fi radio of this machine may send; nothing where one may, or where there is none."""
    why = ""
    for radio in sorted(radios.glob("rfkill*")):
        with suppress(OSError):
            kind, soft, hard = ((radio / name).read_text().strip() for name in ("type", "soft", "hard"))
            if kind == "wlan" and soft == hard == "0":
                return ""
            if kind == "wlan":
                why = SWITCHED_OFF if hard != "0" else BLOCKED
    return why


class Act(StrEnum):
    """What is to be done."""

    NOTHING = "nothing"
    OPEN = "open"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class NetworkSeen:
    """What is known of the network at a moment (monotonic seconds)."""

    now: float
    network: bool
    """Whether the machine is in a network that is not its own hot spot."""
    guests: int = 0
    """Phones in the hot spot."""


@dataclass(frozen=True, slots=True)
class HotSpot:
    """Whether it is open, and since when what is so has been so."""

    is_open: bool = False
    since: float | None = None
    """When the network went away or the hot spot opened; None while there is a network."""
    wait_s: float = ALONE_S
    """How long to stay so."""
    next_s: float = GIVE_WAY_S
    """How long it stays open next."""


def step(spot: HotSpot, seen: NetworkSeen) -> tuple[HotSpot, Act]:
    """The next moment of a hot spot, and what is to be done for it."""
    if seen.network:
        return HotSpot(), Act.CLOSE if spot.is_open else Act.NOTHING
    if spot.since is None or (spot.is_open and seen.guests):
        return replace(spot, since=seen.now), Act.NOTHING
    if seen.now - spot.since < spot.wait_s:
        return spot, Act.NOTHING
    if spot.is_open:
        longer = min(2 * spot.next_s, LONGEST_S)
        return HotSpot(is_open=False, since=seen.now, wait_s=LOOK_S, next_s=longer), Act.CLOSE
    return replace(spot, is_open=True, since=seen.now, wait_s=spot.next_s), Act.OPEN


def refused(now: float) -> HotSpot:
    """A hot spot that could not be opened; it is tried again later."""
    return HotSpot(is_open=False, since=now, wait_s=AGAIN_S)


def kept_wifi(path: Path) -> Wifi:
    """The name and the passphrase that a box keeps, so that what was printed or noted stays right.

    Whoever deletes the file has new ones at the next start, and so has a damaged one. What only cannot be
    read just now is left as it is.
    """
    made = new_wifi()
    try:
        found = Wifi(**json.loads(path.read_text(encoding="utf-8")))
        if _can_be(found):
            return found
    except FileNotFoundError:
        pass
    except OSError:
        return made
    except (ValueError, TypeError):
        pass
    with suppress(OSError):  # a full or locked card: this time they live as long as the process
        write_whole(path, json.dumps(asdict(made)) + "\n")
    return made


def _can_be(wifi: Wifi) -> bool:
    """Whether Wi-Fi allows such a name and such a passphrase, and people can read and enter both."""
    both = (wifi.name, wifi.passphrase)
    if not all(isinstance(one, str) and one.isascii() and one.isprintable() for one in both):
        return False
    return 1 <= len(wifi.name) <= _LONGEST_NAME and _LEAST <= len(wifi.passphrase) <= _MOST


def new_wifi() -> Wifi:
    """A name and a passphrase that nobody can foresee."""
    passphrase = "".join(secrets.choice(_LETTERS) for _ in range(_PASSPHRASE))
    return Wifi(f"Pipwatch-{secrets.token_hex(2)}", passphrase)


@dataclass
class Hotspot:
    """The one of this machine, by NetworkManager's own command."""

    say: Callable[[str], None]
    run: Callable[..., Any] = subprocess.run
    which: Callable[[str], str | None] = shutil.which
    wifi: Wifi = field(default_factory=new_wifi)
    off: Callable[[], str] = radio_off
    leads: Callable[[str], bool] = has_address

    def __post_init__(self) -> None:
        self._spot = HotSpot()
        self._can = self.which("nmcli") is not None
        self._told = ""
        if not self._can:
            self.say(NO_NMCLI)

    def look(self, now: float) -> Wifi | None:
        """Look round and do what is due; the Wi-Fi that is open now, if one is."""
        if not self._can:
            return None
        network, radio = self._devices()
        self._spot, act = step(self._spot, NetworkSeen(now, network, self._guests(radio)))
        if act is Act.CLOSE:
            self._close()
        elif act is Act.OPEN and (why := self._opened()):
            self._spot = refused(now)
            if why != self._told:
                self.say(f"the hot spot cannot be opened: {why}.")
            self._told = why
        elif act is Act.OPEN:
            self._told = ""
        return self.wifi if self._spot.is_open else None

    @property
    def spare(self) -> Wifi | None:
        """The Wi-Fi that phones will find where there is no network; None where the last try was in vain."""
        return self.wifi if self._can and not self._told else None

    def close(self) -> None:
        """Take it down, if it is open."""
        if self._spot.is_open:
            self._spot = HotSpot()
            self._close()

    def _opened(self) -> str:
        """Open it; why it cannot be, or nothing."""
        if why := self.off():
            return why  # NetworkManager would only say that the device is not available
        self._nmcli("connection", "delete", "id", CONNECTION)  # one that a pulled plug has left behind
        made = self._nmcli(
            "device", "wifi", "hotspot", "con-name", CONNECTION,
            "ssid", self.wifi.name, *_CHANNEL, "password", self.wifi.passphrase,
        )  # fmt: skip
        if made is None:
            return "NetworkManager does not answer"
        if made.returncode:
            self._nmcli("connection", "delete", "id", CONNECTION)  # a radio that failed leaves its profile
            return _first_line(made.stderr)
        self.say(f"there is no network: the box has opened its own Wi-Fi, {self.wifi.name}.")
        return ""

    def _close(self) -> None:
        self._nmcli("connection", "delete", "id", CONNECTION)
        self.say("the box's own Wi-Fi is closed again.")

    def _devices(self) -> tuple[bool, str]:
        """Whether a cable or a Wi-Fi leads to a network, and which radio is the hot spot."""
        told = self._nmcli("--terse", "--fields", "DEVICE,TYPE,STATE,CONNECTION", "device")
        network, radio = False, ""
        for line in told.stdout.splitlines() if told is not None and not told.returncode else ():
            device, kind, state, connection = (line.split(":", 3) + [""] * 3)[:4]
            if connection == CONNECTION:
                radio = device
            elif kind in ("ethernet", "wifi") and state.startswith("connected"):
                network = True
            elif kind in ("ethernet", "wifi") and state == "unmanaged":
                network = network or self.leads(device)  # as with ifupdown, of which it knows nothing
        return network, radio

    def _guests(self, radio: str) -> int:
        """How many machines the kernel has spoken to in the hot spot within half a minute or so."""
        told = self._run("ip", "neigh", "show", "dev", radio, "nud", "reachable") if radio else None
        return 0 if told is None or told.returncode else len(told.stdout.splitlines())

    def _nmcli(self, *asked: str) -> Any:
        return self._run("nmcli", *asked)

    def _run(self, *asked: str) -> Any:
        try:
            return self.run(list(asked), capture_output=True, text=True, timeout=_NMCLI_S)
        except (OSError, subprocess.SubprocessError):
            return None


def _first_line(text: str) -> str:
    lines = text.strip().removeprefix("Error: ").splitlines()
    return lines[0].rstrip(".") if lines else "NetworkManager gives no reason"
