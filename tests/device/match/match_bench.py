"""A match on the bench: signals go in under a fake clock, and everything that it orders is carried out."""

from collections.abc import Sequence

from device.journal.events import Draft, Picture
from device.match.match import Keep, Manners, Match, Order, TakeAsItIs
from device.match.phase import Phase
from device.match.signals import Kind, SetUp, Signal, Told, saw
from device.match.transitions import step
from engine.history import History
from engine.matching import (
    Choice,
    Difference,
    Happened,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    Unreadable,
    Verdict,
)

FACTS = ("see oldest 1", "see roll D1 d D ?")
LEGAL = ("1: take 4", "2: take 1+3", "1: take 2")
ILLEGAL = "1: take 3"
"""Not allowed where player 2 is to take."""
BUTTON = Manners(confirm="button")


def game(*lines: str) -> History:
    """A game of Kingdomino Duel after these lines."""
    history = History.begin("kingdomino-duel", players=("Ann", "Bo"))
    for line in lines:
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    return history


def ruled(before: History, *lines: str) -> Ruled:
    """The verdict that these things happened."""
    happened = []
    for line in lines:
        if line.startswith("see "):
            before = before.fact(line)
            happened.append(Happened("fact", line, before.state))
        else:
            before = before.move(line)
            last = before.steps[-1]
            happened.append(Happened("move", line, last.state, last.ruling))
    return Ruled(tuple(happened), 9.0)


def asked(before: History, *lines: str) -> Question:
    """A question between these moves, and nothing."""
    choices = [Choice(line, ruled(before, line)) for line in lines]
    return Question("Which was it?", (*choices, Choice("nothing", Nothing())))


DIFFERENT = OutOfStep((Difference("c7 lacks its pawn.", "board", "c7"),))
SHOWN = Picture("frame", b"jpeg")
UNFINISHED = Incomplete("A die was lifted.")
UNREADABLE = Unreadable("OBS-1", "A die cannot be read.")


class Bench:
    """Runs a match: a fake clock, a journal in memory that can fail, and what was seen on the way."""

    def __init__(self, *lines: str, manners: Manners | None = None, calm_s: float = 1.0) -> None:
        manners = manners or Manners(calm_s=calm_s)
        self.now = 100.0
        self.match = Match(manners=manners, blank=game())
        self.written: list[Draft] = []
        self.held: list[Keep] = []
        self.holds = False
        """Whether the journal keeps its acknowledgements back."""
        self.full = False
        """Whether the journal could not write, and has not been asked to try again: then it takes nothing."""
        self.as_it_is = 0
        self.phases: list[Phase] = [self.match.phase]
        if lines:
            self.give(SetUp(game(*lines)))

    def give(self, signal: Signal) -> "Bench":
        """One signal, now."""
        self.match, orders = step(self.match, signal, self.now)
        if self.match.phase is not self.phases[-1]:
            self.phases.append(self.match.phase)
        self._carry_out(orders)
        return self

    def tell(self, kind: Kind, words: str = "", number: int = 0) -> "Bench":
        """Something that people, the gate or the camera say."""
        return self.give(Told(kind, words, number))

    def both(self, kind: Kind) -> "Bench":
        """What both must agree to, by a press of each."""
        return self.tell(kind, number=1).tell(kind, number=2)

    def see(self, verdict: Verdict, *, stood: bool = False, pictures: Sequence[Picture] = ()) -> "Bench":
        """A hand came and went, and the table was read."""
        self.tell(Kind.HAND).tell(Kind.FREE)
        return self.give(saw(verdict, self.match.version, stood=stood, pictures=pictures))

    def wait(self, seconds: float) -> "Bench":
        """Time passes."""
        self.now += seconds
        return self.tell(Kind.TIME)

    def release(self) -> "Bench":
        """The journal says of all that it held back that it is on the disk."""
        self.holds, held = False, self.held
        self.held = []
        self._carry_out(held)
        return self

    @property
    def game(self) -> History:
        """The game as it counts."""
        assert self.match.game is not None
        return self.match.game

    @property
    def phase(self) -> Phase:
        """The phase now."""
        return self.match.phase

    def texts(self) -> list[str]:
        """What happened in the game as it counts."""
        return [one.happened.text for one in self.game.steps]

    def notes(self) -> list[str]:
        """What the journal was told besides the game's entries."""
        return [str(draft.body["what"]) for draft in self.written if draft.kind == "note"]

    def _carry_out(self, orders: Sequence[Order]) -> None:
        for order in orders:
            if isinstance(order, TakeAsItIs):
                self.as_it_is += 1
            elif self.full and not order.again:
                continue
            elif self.holds:
                self.held.append(order)
            else:
                self.full = False
                self.written += order.drafts
                self.tell(Kind.KEPT, number=len(order.drafts))


def playing(manners: Manners | None = None) -> Bench:
    """A match in which player 1 has taken and player 2 is to take."""
    return Bench(*FACTS, LEGAL[0], manners=manners)


def refusing() -> Bench:
    """A match in which a refused move counts as such."""
    bench = playing()
    return bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)
