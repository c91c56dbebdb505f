"""What people may tap to say a move, a fact or a correction, and the line of notation that their taps make.

A tap is a word for one thing: ``domino 2-3``, ``square b4``, ``say pass``. Every legal move and every
possible fact is a ``Way``: the things that are tapped for it, in any order. What no way leads to can be said
too: a tap that is not allowed makes the line that says so, and the rule book tells why; and each form of the
notation is a ``Form`` that asks for its parts one by one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from engine.book import State
from engine.nearness import Where

Tap: TypeAlias = str
"""A kind and a name, as ``square b4``."""
Taps: TypeAlias = tuple[Tap, ...]
Group: TypeAlias = Literal["move", "fact", "put", "change"]
"""What a form says: a move, something that was seen, a piece set by hand, or a change of the record."""

SAY: Final = "say "
"""A tap that is a word and no piece; a way that begins with one is entered by it alone."""
FORM: Final = "form "
"""The first tap of what is said in a form."""


class Tappable(NamedTuple):
    """Something that may be tapped next, and what it is called."""

    tap: Tap
    words: str


@dataclass(frozen=True, slots=True)
class Way:
    """One line, and what is tapped for it: ``taps`` in any order, ``asked`` only where it still matters."""

    taps: Taps
    line: str
    asked: Taps = ()
    least: int = 2
    """So many taps are needed although fewer would leave no doubt."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the notation, said part by part."""

    name: str
    group: Group
    told: str
    """What it says, for people."""
    pattern: str
    example: str
    ask: Callable[[State, Taps], Sequence[Tappable]]
    """What the next part may be; nothing where all parts are told."""
    write: Callable[[Taps], str]


@dataclass(frozen=True, slots=True)
class Touch:
    """What becomes of some taps: those that count, what may come next, and the line once all is said."""

    taps: Taps = ()
    next: tuple[Tappable, ...] = ()
    line: str = ""
    prompt: str = ""


S = TypeVar("S", bound=State)


class Toucher(ABC, Generic[S]):
    """How one game is played by touch."""

    forms: Sequence[Form]

    @abstractmethod
    def ways(self, state: S) -> Iterable[Way]:
        """Every legal move and every possible fact that is few enough to be listed."""

    @abstractmethod
    def spoken(self, state: S, taps: Taps) -> str:
        """The line that these taps say although it may not be allowed, or nothing."""

    @abstractmethod
    def expected(self, state: S) -> str:
        """What is to be done now, in the game's words."""

    @abstractmethod
    def words(self, state: S, tap: Tap) -> str:
        """What a tap is called."""

    def implied(self, state: S) -> str:  # noqa: ARG002 (few games need it)
        """The form that is due now because its ways are too many to be listed, or nothing."""
        return ""

    def places(self, state: S, taps: Taps) -> Mapping[Tap, Where]:  # noqa: ARG002 (few games need it)
        """Where things lie that may be tapped and that the layout does not show."""
        return {}


def touched(toucher: Toucher[S], state: S, taps: Taps) -> Touch:
    """What becomes of these taps in this state."""
    due = toucher.implied(state)
    if due and not (taps and taps[0].startswith(FORM)):
        taps = (FORM + due, *taps)
    if taps and taps[0].startswith(FORM):
        return _formed(toucher, state, taps)
    ways = _ways(toucher, state)
    if not taps:
        return _shown(toucher, state, ways, taps)
    left = narrowed(ways, taps)
    if left:
        return _shown(toucher, state, left, taps)
    last = taps[-1:]
    if line := toucher.spoken(state, taps):
        return Touch(taps, line=line)
    if any(last[0] == way.taps[0] for way in ways):
        return _shown(toucher, state, narrowed(ways, last), last)
    return Touch(last, prompt=f"Nothing can be done with it now: {toucher.words(state, last[0])}.")


@lru_cache(maxsize=64)
def _ways(toucher: Toucher[S], state: S) -> tuple[Way, ...]:
    """The ways of a state, kept because every tap asks for them anew."""
    return tuple(toucher.ways(state))


def narrowed(ways: Iterable[Way], taps: Taps) -> tuple[Way, ...]:
    """The ways that these taps may mean."""
    given = frozenset(taps)
    return tuple(
        way
        for way in ways
        if given.issubset((*way.taps, *way.asked))
        and (way.taps[0] in given or not way.taps[0].startswith(SAY))
    )


def _shown(toucher: Toucher[S], state: S, ways: tuple[Way, ...], taps: Taps) -> Touch:
    given = frozenset(taps)
    if taps and len(ways) > 1:
        given |= _shared(ways, taps)
    if len(ways) == 1 and len(taps) >= min(ways[0].least, len(ways[0].taps)):
        return Touch(taps, line=ways[0].line)
    found = dict.fromkeys(tap for way in ways for tap in _next(way, given))
    prompt = "" if taps else toucher.expected(state)
    return Touch(taps, tuple(Tappable(tap, toucher.words(state, tap)) for tap in found), prompt=prompt)


def _shared(ways: Sequence[Way], taps: Taps) -> frozenset[Tap]:
    """What all these ways have in common, and nobody needs to say any more."""
    parts = [frozenset((*way.taps, *way.asked) if len(taps) > 1 else way.asked) for way in ways]
    return reduce(frozenset.intersection, parts)


def _next(way: Way, given: frozenset[Tap]) -> Taps:
    return tuple(tap for tap in (*way.taps, *way.asked) if tap not in given)[:1]


# — forms —


def _formed(toucher: Toucher[S], state: S, taps: Taps) -> Touch:
    form = next((one for one in toucher.forms if FORM + one.name == taps[0]), None)
    if form is None:
        return Touch(prompt=f"There is no form {taps[0].removeprefix(FORM)!r}.")
    return fill(form, state, taps[1:])


def tapped_words(toucher: Toucher[S], state: S, taps: Taps) -> tuple[str, ...]:
    """What these taps are called: the parts of a form as it offered them, which has its own words."""
    form = next((one for one in toucher.forms if taps[:1] == (FORM + one.name,)), None)
    if form is None:
        return tuple(toucher.words(state, tap) for tap in taps)
    parts = taps[1:]
    offered = (dict(form.ask(state, parts[:number])) for number in range(len(parts)))
    return (form.told, *(one.get(tap, tap) for one, tap in zip(offered, parts, strict=True)))


def fill(form: Form, state: State, parts: Taps) -> Touch:
    """The form with as many of these parts as it asks for."""
    told: Taps = ()
    while choices := tuple(form.ask(state, told)):
        part = parts[len(told) : len(told) + 1]
        if not part or part[0] not in {choice.tap for choice in choices}:
            return Touch((FORM + form.name, *told), choices, prompt=form.told)
        told += part
    return Touch((FORM + form.name, *told), line=form.write(told))


Slot: TypeAlias = Callable[[State, Taps], Sequence[Tappable]]
"""What one part of a form may be, the parts before it being told."""


def name_of(tap: Tap) -> str:
    """A tap without its kind: ``b4`` of ``square b4``."""
    return tap.partition(" ")[2]


def in_turn(*slots: Slot) -> Slot:
    """One part after another."""

    def ask(state: State, told: Taps) -> Sequence[Tappable]:
        return slots[len(told)](state, told) if len(told) < len(slots) else ()

    return ask


def one_of(choices: Iterable[Tappable]) -> Slot:
    """One of these, whatever was said before."""
    known = tuple(choices)
    return lambda _state, _told: known


def named(kind: str, names: Iterable[str], told: Callable[[str], str] = str) -> Slot:
    """One of some names of a kind."""
    return one_of(Tappable(f"{kind} {name}", told(name)) for name in names)


def written(template: str) -> Callable[[Taps], str]:
    """The line with the names of the parts in their places."""
    return lambda taps: template.format(*map(name_of, taps))


READY: Final = Tappable("say ready", "That is all")


def number(most: int, step: int = 1, first: str = "0123456789") -> Slot:
    """A number of up to so many digits, told digit by digit; only numbers that ``step`` divides are whole."""

    def ask(_state: State, told: Taps) -> Sequence[Tappable]:
        digits = digits_of(told)
        if READY.tap in told or digits == "0" or (len(digits) == most and not int(digits) % step):
            return ()
        last = len(digits) + 1 == most
        more = [
            Tappable(f"digit {digit}", digit)
            for digit in ("0123456789" if digits else first)
            if not (last and int(digits + digit) % step)
        ]
        return [*more, READY] if digits and not int(digits) % step else more

    return ask


def numbered(before: Slot, after: Slot) -> Slot:
    """Other parts, and then a number."""
    return lambda state, told: before(state, told) or after(state, told)


def digits_of(taps: Taps) -> str:
    """The number that was told digit by digit."""
    return "".join(name_of(tap) for tap in taps if tap.startswith("digit "))


PLAYER: Final = named("player", "12", lambda name: f"Player {name}")


def move(
    name: str, told: str, pattern: str, example: str, ask: Slot, write: Callable[[Taps], str]
) -> Form:  # fmt: skip
    """A form of a move: first of all who makes it."""

    def with_player(state: State, parts: Taps) -> Sequence[Tappable]:
        return ask(state, parts[1:]) if parts else PLAYER(state, parts)

    def line(parts: Taps) -> str:
        return f"{name_of(parts[0])}: {write(parts[1:])}"

    return Form(name, "move", told, pattern, example, with_player, line)


def alone(word: str) -> tuple[Slot, Callable[[Taps], str]]:
    """A form without parts."""
    return one_of(()), lambda _taps: word
