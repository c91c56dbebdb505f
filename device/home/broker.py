"""The settings of the message broker at home, and the topics by which it knows this box.

[mqtt]
host = "homeassistant.local"   # without a host nothing is sent
user = "pipwatch"
password = "…"
commands = true                # whether the house may confirm a move
"""

import re
import socket
from dataclasses import dataclass

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_PREFIX = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")
_HIGHEST_PORT = 65535


@dataclass(frozen=True)
class Broker:
    """Where the broker is, and what may be done through it."""

    host: str = ""
    port: int = 1883
    user: str = ""
    password: str = ""
    name: str = ""
    """What this box is called in topics; the machine's own name where nothing is said."""
    discovery: str = "homeassistant"
    """Under which topic Home Assistant looks for new devices."""
    commands: bool = False
    """Whether the house may confirm a move; looking on is always allowed."""

    def __post_init__(self) -> None:
        if not 1 <= self.port <= _HIGHEST_PORT:
            raise ValueError(f"port should be between 1 and {_HIGHEST_PORT}")
        if self.name and not _NAME.fullmatch(self.name):
            raise ValueError("name should be made of letters, digits, - and _, 40 at most")
        if not _PREFIX.fullmatch(self.discovery):
            raise ValueError('discovery should be a topic such as "homeassistant"')

    @property
    def box(self) -> str:
        """What this box is called in topics."""
        return self.name or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:40] or "pipwatch"

    @property
    def place(self) -> str:
        """Where the broker is, for sentences."""
        return f"{self.host}:{self.port}"


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
