"""The settings of the message broker at home, and the topics by which it knows this box.

[mqtt]
host = "homeassistant.local"   # without a host nothing is sent
user = "pipwatch"
password = "…"                 # or password_file = "/etc/pipwatch/mqtt-password", which holds nothing else
tls = true                     # nobody else can read what is said, and the broker proves who it is
ca_file = "/etc/pipwatch/house-ca.pem"   # by whom its certificate was signed, where the machine does not know
commands = true                # whether the house may confirm a move
"""

import re
import socket
from dataclasses import dataclass
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PREFIX = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_HIGHEST_PORT = 65535
_PLAIN, _ENCRYPTED = 1883, 8883
"""The ports that brokers listen at, where nobody has chosen another."""


@dataclass(frozen=True)
class Broker:
    """Where the broker is, and what may be done through it."""

    host: str = ""
    port: int | None = None
    """Chosen by ``tls`` where nothing is said."""
    user: str = ""
    password: str = ""
    password_file: str = ""
    """In whose place the password stands, so that the settings can be shown to others."""
    tls: bool = False
    ca_file: str = ""
    """By whom the broker's certificate was signed; those whom the machine knows where nothing is said."""
    name: str = ""
    """What this box is called in topics; the machine's own name where nothing is said."""
    discovery: str = "homeassistant"
    """Under which topic Home Assistant looks for new devices."""
    commands: bool = False
    """Whether the house may confirm a move; looking on is always allowed."""

    def __post_init__(self) -> None:
        if not 1 <= self.door <= _HIGHEST_PORT:
            raise ValueError(f"port should be between 1 and {_HIGHEST_PORT}")
        if self.name and not _NAME.fullmatch(self.name):
            raise ValueError("name should be made of letters, digits, - and _, 40 at most")
        if not _PREFIX.fullmatch(self.discovery):
            raise ValueError('discovery should be a topic such as "homeassistant"')
        if self.password and self.password_file:
            raise ValueError("password and password_file are both there: leave one out")
        if self.ca_file and not self.tls:
            raise ValueError("ca_file is for an encrypted connection: tls = true as well")

    @property
    def box(self) -> str:
        """What this box is called in topics."""
        return self.name or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:40] or "pipwatch"

    @property
    def door(self) -> int:
        """The port at which the broker listens."""
        usual = _ENCRYPTED if self.tls else _PLAIN
        return usual if self.port is None else self.port

    @property
    def place(self) -> str:
        """Where the broker is, for sentences."""
        return f"{self.host}:{self.door}"

    def secret(self) -> str:
        """The password; raises OSError or UnicodeError where its file cannot be read."""
        if not self.password_file:
            return self.password
        return Path(self.password_file).read_text(encoding="utf-8").rstrip("\r\n")


@dataclass(frozen=True)
class Topics:
    """The topics of one box."""

    box: str
    discovery: str = "homeassistant"

    @property
    def available(self) -> str:
        """Whether the box is there: online, stopped, or offline where it went without a word."""
        return f"pipwatch/{self.box}/available"

    @property
    def state(self) -> str:
        """How the match and the box stand."""
        return f"pipwatch/{self.box}/state"

    @property
    def event(self) -> str:
        """What happened, one message each."""
        return f"pipwatch/{self.box}/event"

    @property
    def do(self) -> str:
        """What the house wants."""
        return f"pipwatch/{self.box}/do"

    @property
    def config(self) -> str:
        """Where Home Assistant reads what this box is."""
        return f"{self.discovery}/device/pipwatch_{self.box}/config"

    @property
    def house(self) -> str:
        """Where Home Assistant says that it has started."""
        return f"{self.discovery}/status"
