"""Who may act from another machine: whoever was let in by a code, or by the buttons on the table.

The code is six digits, new at each start. It is shown where only people near the table look: terminal, log,
small display. Whoever enters it once gets a secret that the browser keeps. ``Joining`` is the pure part: a
try goes in, and the next value comes out with what became of it. ``Pairing`` holds it for all threads.
"""

import hmac
import secrets
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from device.service.address import Invitation
from device.service.owner import Owner
from device.service.phones import IDLE_S, PhoneBook, Phones, Role, fresh, paired, used
from device.service.tries import WrongTries

DIGITS: Final = 6
"""Of the code: a million, the most that people read off and type without a slip."""
OPEN_S: Final = 60.0
"""How long the door stays open after both buttons were held: time to pick up a phone and press."""
Look: TypeAlias = Literal["open", "code"]
"""Who may look from another machine: everybody in the network, or whoever has entered the code."""

TOO_MANY: Final = "Too many wrong codes: wait {wait} s."
TOO_MANY_TODAY: Final = (
    "Too many wrong codes today: hold both confirm buttons for 3 seconds, or start Pipwatch again."
)
NO_CODE: Final = "The code has six digits: the table's screen and its log show it."
WRONG: Final = "This is not the code; {left} more {tries} this minute."
WRONG_PIN: Final = "This is neither the code nor the PIN."
WRONG_LAST: Final = "This is not the code; wait a minute before the next try."
_SHORT_WAIT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a try to join."""

    let_in: bool = False
    words: str = ""
    """The sentence for whoever was not let in."""
    left: int = 0
    """How many more tries there are this minute."""
    wait_s: float = 0.0
    """How long the next try has to wait."""


@dataclass(frozen=True, slots=True)
class Joining:
    """Code, wrong tries, and whether the buttons hold the door open (until when, monotonic seconds)."""

    code: str
    tries: WrongTries = field(default_factory=WrongTries)
    open_until: float = float("-inf")

    def is_open(self, now: float) -> bool:
        """Whether the next phone that presses Join needs no code."""
        return now < self.open_until

    def opened(self, now: float) -> "Joining":
        """The buttons were held."""
        return replace(self, open_until=now + OPEN_S)

    def tried(self, whose: str, given: str, now: float) -> tuple["Joining", Answer]:
        """Somebody at an address presses Join, with a code or without one."""
        if self.is_open(now):
            return replace(self, open_until=float("-inf")), Answer(let_in=True)
        if wait := self.tries.wait_s(whose, now):
            words = TOO_MANY.format(wait=int(wait) + 1) if wait <= _SHORT_WAIT_S else TOO_MANY_TODAY
            return self, Answer(words=words, wait_s=wait)
        digits = "".join(given.split())
        if len(digits) != DIGITS or not (digits.isascii() and digits.isdigit()):
            return self, Answer(words=NO_CODE, left=self.tries.left(whose, now))
        if hmac.compare_digest(digits, self.code):
            return self, Answer(let_in=True)
        after = replace(self, tries=self.tries.and_wrong(whose, now))
        left = after.tries.left(whose, now)
        words = WRONG.format(left=left, tries="try" if left == 1 else "tries") if left else WRONG_LAST
        return after, Answer(words=words, left=left)


def new_code() -> str:
    """Six digits that nobody can foresee."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


def _on_the_log(sentence: str) -> None:
    print(f"pipwatch: {sentence}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The machine's clocks, in seconds."""

    monotonic: Callable[[], float] = time.monotonic
    """For limits: nobody can set it."""
    wall: Callable[[], float] = time.time
    """For what outlives a restart."""


@dataclass
class Pairing:
    """The door's memory, for any thread. Whoever starts the page makes it and hands it on."""

    kept: Path | None = None
    """The file of paired phones; without one they are known until the end."""
    look: Look = "open"
    code: str = field(default_factory=new_code, repr=False)
    clocks: Clocks = field(default_factory=Clocks)
    say: Callable[[str], None] = _on_the_log
    invitation: Invitation | None = None
    """How a phone finds the page, as it was announced last."""
    owner: Owner = field(default_factory=Owner, repr=False)
    names: tuple[str, ...] = ()
    """Other names by which the page may be opened, as the settings tell them."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._joining = Joining(self.code)
        self._book = PhoneBook(self.kept, self.say)

    def open(self) -> None:
        """Let the next phone in without a code, for a minute: both buttons were held."""
        with self._lock:
            self._joining = self._joining.opened(self.clocks.monotonic())
        self.say(f"the next phone to press Join within {OPEN_S:.0f} seconds needs no code.")

    @property
    def is_open(self) -> bool:
        """Whether the next phone needs no code."""
        with self._lock:
            return self._joining.is_open(self.clocks.monotonic())

    def join(self, whose: str, given: str, name: str = "") -> tuple[Answer, str]:
        """Somebody at an address presses Join: what became of it, and the secret of who was let in.

        Whoever enters the PIN instead of the code looks, and does not act.
        """
        if self._may_be_pin(given):
            return self._looking(whose, "".join(given.split()), name)
        with self._lock:
            self._joining, answer = self._joining.tried(whose, given, self.clocks.monotonic())
        return answer, self.let_in(name) if answer.let_in else ""

    def let_in(self, name: str = "", role: Role = "player") -> str:
        """The secret of a screen that is paired now."""
        with self._lock:
            phones, secret = paired(self._book.read(), self.clocks.wall(), role, name)
            self._book.write(phones)
        many = "1 phone is" if len(phones) == 1 else f"{len(phones)} phones are"
        self.say(f"a phone was let in; {many} paired.")
        return secret

    def _may_be_pin(self, given: str) -> bool:
        digits = "".join(given.split())
        return (
            self.owner.has_pin
            and len(digits) < DIGITS
            and digits.isascii()
            and digits.isdigit()
            and not self.is_open
        )

    def _looking(self, whose: str, given: str, name: str) -> tuple[Answer, str]:
        """Somebody enters what may be the PIN: its tries count with those of the code."""
        now = self.clocks.monotonic()
        with self._lock:
            wait = self._joining.tries.wait_s(whose, now)
            if wait:
                words = TOO_MANY.format(wait=int(wait) + 1) if wait <= _SHORT_WAIT_S else TOO_MANY_TODAY
                return Answer(words=words, wait_s=wait), ""
            self._joining = replace(self._joining, tries=self._joining.tries.and_wrong(whose, now))
            left = self._joining.tries.left(whose, now)
        if not self.owner.is_pin(given):
            return Answer(words=WRONG_PIN, left=left), ""
        with self._lock:
            self._joining = replace(self._joining, tries=self._joining.tries.without(whose, now))
        return Answer(let_in=True), self.let_in(name, "viewer")

    def role_of(self, secret: str) -> Role | None:
        """What the screen with this secret may do, if it was let in; it counts as a use of it."""
        if not secret:
            return None
        with self._lock:
            before = self._book.read()
            phones, found = used(before, secret, self.clocks.wall())
            if phones != before:
                self._book.write(phones)
            return None if found is None else found.role

    def knows(self, secret: str) -> bool:
        """Whether this is the secret of a screen that was let in; it counts as a use of it."""
        return self.role_of(secret) is not None

    def forget(self, short: str) -> bool:
        """One screen has to enter the code again; whether there was one."""
        with self._lock:
            before = self._book.read()
            left = tuple(one for one in before if one.short != short)
            self._book.write(left)
        return len(left) < len(before)

    def phones(self) -> Phones:
        """Those that are paired now."""
        with self._lock:
            return fresh(self._book.read(), self.clocks.wall())

    def forget_all(self) -> int:
        """Every phone has to enter the code again; how many these were."""
        with self._lock:
            many = len(self._book.read())
            self._book.write(())
        self.say(f"{many} paired {'phone was' if many == 1 else 'phones were'} forgotten.")
        return many


COOKIE_S: Final = int(IDLE_S)
"""How long a browser keeps its secret after it was used last."""
