"""What presses mean, short, long and together, as pure logic: times come in with what happens.

Each press means one thing and is told once. Where holding a button means more than pressing it, the short
meaning waits until the button is let go, so that nothing has to be taken back. Both confirm buttons pressed
together are each a confirm (a refused move may stand) when one of them is let go, and let a phone in when
they are held. Nothing more than a press is meant while yet another button is down: something may lean there.
A button that reads pressed from the beginning is stuck, and means nothing before it was open once.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from device.match.signals import Told
from device.panel.debounce import Contact
from device.panel.gpio_pins import BUTTONS
from device.panel.wish import Wish

TOGETHER_S: Final = 0.2
"""Two presses that begin within this time are one for both; a single confirm waits no longer. Judged."""
PAIR_S: Final = 3.0
SHUTDOWN_S: Final = 5.0
BACKUP_S: Final = 3.0
PAUSE_S: Final = 1.5
"""Without a button for it, undo held for so long is pause: longer than anybody presses by mistake."""
HINT_S: Final = 0.8
"""A hold that goes on for so long is shown, so that whoever holds the button can still let go."""
BOTH: Final = frozenset({"confirm_a", "confirm_b"})

Meaning: TypeAlias = Told | Wish


@dataclass(frozen=True, slots=True)
class HoldStage:
    """What a button means that is held for so long: told when it is let go, the last stage at once."""

    after_s: float
    says: tuple[Meaning, ...]


Stages: TypeAlias = tuple[HoldStage, ...]


def ways(names: Collection[str], *, wishes: bool) -> Mapping[str, Stages]:
    """What each of these buttons means; ``wishes`` if there is a box of which anything can be asked."""
    found: dict[str, Stages] = {
        name: (HoldStage(0.0, (told,)),) for name, told in BUTTONS.items() if name in names
    }
    pause = HoldStage(0.0, (BUTTONS["pause"],))
    off = (HoldStage(SHUTDOWN_S, (Wish.SHUTDOWN,)),) if wishes else ()
    if "pause" in found:
        found["pause"] = (pause, *off)
    elif "undo" in found:
        found["undo"] = (*found["undo"], replace(pause, after_s=PAUSE_S), *off)
    # With three buttons undo held is pause, and then the machine's end: a backup is the page's there.
    copies = "as_it_is" if "as_it_is" in found else "undo" if "pause" in found else ""
    if wishes and copies in found:
        found[copies] = (*found[copies], HoldStage(BACKUP_S, (Wish.BACKUP,)))
    if wishes and found.keys() >= BOTH:
        for name in BOTH:
            found[name] = (*found[name], replace(found[name][0], after_s=TOGETHER_S))
    return found


@dataclass(frozen=True, slots=True)
class Hold:
    """Buttons that are held, and what that will have meant."""

    buttons: frozenset[str]
    since: float
    stages: Stages

    @property
    def due(self) -> float:
        """When the last thing is meant that it can mean."""
        return self.since + self.stages[-1].after_s

    @property
    def hint(self) -> float | None:
        """When it is shown that something is about to be asked of the box, if anything is."""
        return self.since + HINT_S if isinstance(self.stages[-1].says[0], Wish) else None

    def says(self, at: float) -> tuple[Meaning, ...]:
        """What it means if it ends now."""
        reached = [stage.says for stage in self.stages if self.since + stage.after_s <= at]
        return reached[-1] if reached else self.stages[0].says

    def plain(self) -> "Hold":
        """The same without what it would ask of the box."""
        kept = tuple(stage for stage in self.stages if not isinstance(stage.says[0], Wish))
        return replace(self, stages=kept)


@dataclass(frozen=True)
class Grip:
    """All buttons of one panel."""

    ways: Mapping[str, Stages]
    contacts: Mapping[str, Contact]
    down: frozenset[str] = frozenset()
    """Those whose press was heard, and that were not let go yet."""
    holds: tuple[Hold, ...] = ()
    """Those that may still mean something."""

    @classmethod
    def of(cls, names: Collection[str], *, wishes: bool, closed: Collection[str] = ()) -> "Grip":
        """The buttons with these names, nobody's hand on any; ``closed`` are those that read pressed."""
        return cls(ways(names, wishes=wishes), _contacts(names, closed))

    @property
    def closed(self) -> frozenset[str]:
        """The buttons that read pressed."""
        return frozenset(name for name, contact in self.contacts.items() if contact.closed)

    def anew(self) -> "Grip":
        """The same buttons, from which nobody wants anything: one that is held is open first."""
        return replace(self, contacts=_contacts(self.contacts, self.closed), down=frozenset(), holds=())

    def edge(self, name: str, closed: bool, at: float) -> tuple["Grip", tuple[Meaning, ...]]:
        """The buttons after one's wire changed, and what was meant until then."""
        grip, said = self.time(at)
        contact, _ = grip.contacts[name].edge(closed, at)
        return replace(grip, contacts={**grip.contacts, name: contact}), said

    def time(self, at: float) -> tuple["Grip", tuple[Meaning, ...]]:
        """The buttons at a later time, and what is meant by now, in its order."""
        grip, said = self, list[Meaning]()
        while (due := grip.due) is not None and due <= at:
            grip = grip._settled(due, said)
        return grip, tuple(said)

    @property
    def due(self) -> float | None:
        """When something more will be meant or known, if nothing is touched."""
        contacts = (one.due for one in self.contacts.values() if one.due is not None)
        return min((*contacts, *(hold.due for hold in self.holds)), default=None)

    def hints(self) -> Iterator[float]:
        """From when on it is shown of each hold that something is about to be asked of the box."""
        return (hold.hint for hold in self.holds if hold.hint is not None)

    # — how —

    def _settled(self, now: float, said: list[Meaning]) -> "Grip":
        """The buttons once everything that is due at this moment has happened."""
        grip = self
        for name, before in self.contacts.items():
            after, _ = before.time(now)
            if after is before:
                continue
            grip = replace(grip, contacts={**grip.contacts, name: after})
            if after.pressed:
                grip = grip._pressed(name, now)
            elif name in grip.down:
                grip = grip._released(name, now, said)
        for hold in grip.holds:
            if hold.due <= now:
                said += hold.stages[-1].says
        return replace(grip, holds=tuple(hold for hold in grip.holds if hold.due > now))

    def _pressed(self, name: str, now: float) -> "Grip":
        down = self.down | {name}
        if down == BOTH and len(self.ways[name]) > 1:
            waiting = tuple(hold.stages[0].says[0] for hold in self.holds if hold.buttons < BOTH)
            stages = (HoldStage(0.0, (*waiting, BUTTONS[name])), HoldStage(PAIR_S, (Wish.PAIR,)))
            return replace(self, down=down, holds=(Hold(BOTH, now, stages),))
        hold = Hold(frozenset({name}), now, self.ways[name])
        if not self.down:
            return replace(self, down=down, holds=(hold,))
        return replace(self, down=down, holds=(*(one.plain() for one in self.holds), hold.plain()))

    def _released(self, name: str, now: float, said: list[Meaning]) -> "Grip":
        for hold in self.holds:
            if name in hold.buttons:
                said += hold.says(now)
        kept = tuple(hold for hold in self.holds if name not in hold.buttons)
        return replace(self, down=self.down - {name}, holds=kept)


def _contacts(names: Collection[str], closed: Collection[str]) -> Mapping[str, Contact]:
    stuck = Contact(closed=True, pressed=True)
    return {name: stuck if name in closed else Contact() for name in names}
