"""A game as it was played: the record folded into states, rulings and scores, and what corrections change."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from engine.book import AnyRuleBook, State
from engine.errors import BadNotation, BadRecord, CannotStand, ImpossibleFact
from engine.plain import BadData, JsonObject
from engine.profile import Profile, settings_json, with_settings
from engine.record import Entry, Happening, Header, Record
from engine.registry import rulebook
from engine.ruling import LateRuling, Ruling
from engine.scores import Outcome, Scores


@dataclass(frozen=True, slots=True)
class Step:
    """One happening of the game as it now stands, judged.

    ``entry`` is the number of the entry that says so, ``place`` the number of the entry in whose place it
    stands (another one only where that was corrected).
    """

    entry: int
    place: int
    happened: Happening
    state: State = field(repr=False)
    """The state afterwards: unchanged where the happening was refused."""
    scores: Scores = field(repr=False)
    ruling: Ruling | None = None
    stands: bool = False
    """Whether the players let this refused move stand."""
    problem: str = ""
    """Why this happening could not be taken up at all (unreadable, or impossible)."""
    late: tuple[LateRuling, ...] = ()
    """Earlier moves that this one proves illegal."""
    why: str = ""
    """What else is said of it: of a table that was taken as it is, what nobody knows of it."""
    plan: "_Plan | None" = field(default=None, repr=False)
    """What this step was made from: as long as that stays the same, it need not be judged again."""

    @property
    def verdict(self) -> str:
        """The verdict in a few words, for comparing and for lists."""
        if self.problem:
            return "impossible"
        if self.ruling is None:
            return "set" if self.happened.kind == "set" else "seen"
        return f"{self.ruling.status} {self.ruling.rule}" + (", stands" if self.stands else "")


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed for one later (or corrected) happening."""

    entry: int
    was: str
    now: str

    def __str__(self) -> str:
        return f"entry {self.entry}: {self.was or 'not there'} → {self.now or 'taken back'}"


@dataclass(frozen=True, slots=True)
class History:
    """A game with all its entries; every change makes a new history and leaves this one as it is."""

    header: Header
    entries: tuple[Entry, ...]
    book: AnyRuleBook = field(repr=False, compare=False)
    first: State = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)

    # — beginnings —

    @classmethod
    def begin(
        cls,
        game: str,
        profile: str | Profile = "default",
        *,
        setup: JsonObject | None = None,
        seed: int | None = None,
        players: tuple[str, str] = ("player 1", "player 2"),
        software: str = "",
    ) -> "History":
        """A new game: from a set-up that was seen, or drawn with ``seed``, or (neither) still to be seen."""
        book = rulebook(game, profile)
        first = book.start(setup=setup, rng=None if seed is None else Random(seed))
        header = Header(
            game=game,
            profile=str(book.profile),
            players=players,
            software=software,
            setup=first.to_json(),
            settings=settings_json(book.settings),
            seed=seed,
        )
        return cls(header, (), book, first, ())

    @classmethod
    def of(cls, record: Record) -> "History":
        """The game that a record tells; everything is judged anew."""
        # The readings as they were spelled out then: a default that has changed since changes no old game.
        profile = with_settings(Profile.parse(record.header.profile), record.header.settings)
        book = rulebook(record.header.game, profile)
        first = State.from_json(record.header.setup)
        if record.header.setup["game"] != record.header.game:
            other = record.header.setup["game"]
            raise BadRecord(f"Line 1 tells a game of {record.header.game} with a set-up of {other}.")
        history = cls(record.header, (), book, first, ())
        return history._with_entries(record.entries, ())

    # — what it says —

    @property
    def state(self) -> State:
        """The state now."""
        return self.steps[-1].state if self.steps else self.first

    @property
    def scores(self) -> Scores:
        """The scores now."""
        return self.book.scores(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None."""
        return self.book.outcome(self.state)

    def step_of(self, entry: int) -> Step | None:
        """The step that stands in the place of this entry, or None where it was taken back."""
        return next((step for step in self.steps if step.place == entry or step.entry == entry), None)

    def disagreements(self) -> Iterator[Change]:
        """Moves whose ruling, as written down at the time, the rule book would not give at that time.

        A ruling that only later corrections have changed is no disagreement.
        """
        for step in self.steps:
            written = self.entries[step.entry - 1].ruling
            if written is None or step.ruling is None or step.entry != step.place:
                continue
            said = (written.get("status"), written.get("rule"))
            if said != (step.ruling.status, step.ruling.rule):
                then = self._with_entries(self.entries[: step.entry], self.steps).steps[-1]
                told = "{} {}".format(*said)
                if then.verdict != told:
                    yield Change(step.entry, told, then.verdict)

    # — what may be added; each returns the new history —

    def fact(self, line: str, alike: tuple[str, ...] = ()) -> "History":
        """Something was seen. A fact that cannot be read or cannot be raises, and nothing is added.

        ``alike`` names other facts that it may have been.
        """
        seen = self.book.parse_fact(line)
        self.book.observe(self.state, seen)
        return self._add(Entry(self._next, Happening("fact", self.book.format_fact(seen), alike)))

    def move(self, line: str, alike: tuple[str, ...] = ()) -> "History":
        """A move was made. It is added with its ruling, and played where that allows it.

        ``alike`` names other moves that it may have been.
        """
        done = self.book.parse(line)
        ruling = self.book.check(self.state, done)
        happened = Happening("move", self.book.format(done), alike)
        return self._add(Entry(self._next, happened, ruling=ruling.to_json()))

    def put(self, state: State, words: str, why: str = "") -> "History":
        """The table lies as ``state`` says, however it came to: somebody has said so, in these words."""
        return self._add(Entry(self._next, Happening("set", words, state=state.to_json()), why=why))

    def stand(self, why: str = "") -> "History":
        """The players let the last move stand although it was refused."""
        last = self.steps[-1] if self.steps else None
        if last is None or last.ruling is None or last.ruling.allowed or last.stands:
            raise CannotStand("Only a move that was just refused can be let stand.")
        self.book.let_stand(self.state, self.book.parse(last.happened.text))
        return self._add(Entry(self._next, stand=last.entry, why=why))

    def correct(self, entry: int, happened: Happening | None, why: str = "") -> "History":
        """Entry ``entry`` was misread: something else happened, or (None) nothing did."""
        if happened is not None and self.entries[self._known(entry) - 1].stand is not None:
            raise BadNotation(f"Entry {entry} lets a move stand; it can only be taken back.")
        return self._add(Entry(self._next, self._read(happened), correct=self._known(entry), why=why))

    def insert(self, before: int, happened: Happening, why: str = "") -> "History":
        """Something happened before entry ``before`` that was missed.

        Where that entry only speaks of another one, it is that other one's place that counts.
        """
        return self._add(Entry(self._next, self._read(happened), before=self._known(before), why=why))

    def undo(self) -> "History":
        """The last entry that still counts is taken back."""
        if not self.counting:
            raise BadNotation("There is nothing to undo.")
        return self.correct(self.counting[-1].n, None, "undo")

    def redo(self) -> "History":
        """What was undone last counts again; only as long as nothing else was said since."""
        undone = self.undone
        if undone is None:
            raise BadNotation("There is nothing to redo.")
        return self.correct(undone.n, None, "redo")

    @property
    def undone(self) -> Entry | None:
        """The taking back that ``redo`` would take back, or None."""
        redone: set[int] = set()
        for entry in reversed(self.entries):
            if entry.correct is None or entry.happened is not None:
                return None
            if entry.why == "redo":
                redone.add(entry.correct)
            elif entry.n not in redone:
                return entry
        return None

    @property
    def counting(self) -> tuple[Entry, ...]:
        """The entries that still count, as they were made; ``undo`` takes back the last."""
        return tuple(self.entries[number - 1] for number in _counting(self.entries))

    def changes_since(self, before: "History") -> tuple[Change, ...]:
        """The places whose verdict or score differ from those of an earlier history of the same game."""
        places: dict[int, list[str]] = {}
        for index, history in enumerate((before, self)):
            for step in history.steps:
                told = f"{step.happened.text}: {step.verdict}; {_points(step.scores)}"
                places.setdefault(step.place, ["", ""])[index] = told
        new = {entry.n for entry in self.entries[len(before.entries) :] if entry.target is None}
        return tuple(
            Change(place, was, now)
            for place, (was, now) in sorted(places.items())
            if was != now and place not in new
        )

    # — how —

    @property
    def _next(self) -> int:
        return len(self.entries) + 1

    def _known(self, entry: int) -> int:
        if not 1 <= entry <= len(self.entries):
            raise BadNotation(f"There is no entry {entry}; the record has {len(self.entries)}.")
        return entry

    def _read(self, happened: Happening | None) -> Happening | None:
        if happened is None or happened.kind == "set":
            return happened
        if happened.kind == "fact":
            return replace(happened, text=self.book.format_fact(self.book.parse_fact(happened.text)))
        return replace(happened, text=self.book.format(self.book.parse(happened.text)))

    def _add(self, entry: Entry) -> "History":
        return self._with_entries((*self.entries, entry), self.steps)

    def _with_entries(self, entries: tuple[Entry, ...], known: tuple[Step, ...]) -> "History":
        """The history with these entries; steps that are the same as before are not judged again."""
        planned = tuple(_plan(entries))
        steps: list[Step] = []
        for plan, old in zip(planned, known, strict=False):
            if plan != old.plan:
                break
            steps.append(old)
        for plan in planned[len(steps) :]:
            steps.append(self._judged(plan, steps[-1].state if steps else self.first))
        return replace(self, entries=entries, steps=tuple(steps))

    def _judged(self, plan: "_Plan", state: State) -> Step:
        ruling: Ruling | None = None
        problem = ""
        after = state
        try:
            if plan.happened.kind == "fact":
                after = self.book.observe(state, self.book.parse_fact(plan.happened.text))
            elif plan.happened.kind == "set":
                after = self.book.read_state(plan.happened.state or {})
            else:
                done = self.book.parse(plan.happened.text)
                ruling = self.book.check(state, done)
                if ruling.allowed:
                    after = self.book.apply(state, done)
                elif plan.stands:
                    after = self.book.let_stand(state, done)
        except (BadNotation, ImpossibleFact, CannotStand, BadData) as wrong:
            problem = str(wrong)
        return Step(
            plan.entry,
            plan.place,
            plan.happened,
            after,
            self.book.scores(after),
            ruling=ruling,
            stands=plan.stands and ruling is not None and not ruling.allowed,
            problem=problem,
            late=_new(self.book.late_rulings(after), self.book.late_rulings(state)),
            why=plan.why,
            plan=plan,
        )


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be folded: a happening, the entry that says so, and the place in which it stands."""

    entry: int
    place: int
    happened: Happening
    stands: bool
    why: str


def _plan(entries: tuple[Entry, ...]) -> Iterator[_Plan]:
    """The happenings that count, in the order of the table."""
    words, places = _words(entries), _places(entries)
    stands = {
        places[entry.stand]
        for entry in entries
        if entry.stand is not None and entry.n in words and entry.stand in words
    }
    order: list[int] = []
    for entry in entries:
        if entry.target is None:
            order.append(entry.n)
        elif entry.before is not None:
            order.insert(order.index(places[entry.before]), entry.n)
    for place in order:
        by, happened = words.get(place, (place, None))
        if happened is not None:
            yield _Plan(by, place, happened, place in stands, entries[by - 1].why)


def _words(entries: tuple[Entry, ...]) -> dict[int, tuple[int, Happening | None]]:
    """What each entry says after all corrections, and the entry whose words these are.

    Entries that were taken back are missing. A correction is an entry like any other: it can be corrected,
    or taken back, and then the words before it hold again.
    """
    words: dict[int, tuple[int, Happening | None]] = {}
    latest: dict[int, int] = {}  # the last correction of an entry that was not taken back itself
    for entry in reversed(entries):
        said = words[latest[entry.n]] if entry.n in latest else (entry.n, entry.happened)
        if entry.n in latest and said[1] is None:
            continue
        words[entry.n] = said
        if entry.correct is not None:
            latest.setdefault(entry.correct, entry.n)
    return words


def _places(entries: tuple[Entry, ...]) -> dict[int, int]:
    """The place at the table that each entry is about: its own, or that of the entry it speaks of."""
    places: dict[int, int] = {}
    for entry in entries:
        about = entry.stand if entry.correct is None else entry.correct
        places[entry.n] = entry.n if about is None else places[about]
    return places


def _counting(entries: tuple[Entry, ...]) -> list[int]:
    """The numbers of the entries that still count, in the order in which they were made.

    What takes an entry back does not count itself, nor does a word about an entry that was taken back: so
    undo after undo walks back to the beginning, and each changes something.
    """
    words = _words(entries)
    counting: list[int] = []
    for entry in entries:
        about = entry.stand if entry.correct is None else entry.correct
        takes_back = entry.correct is not None and words.get(entry.n, (entry.n, None))[1] is None
        if entry.n in words and not takes_back and (about is None or about in counting):
            counting.append(entry.n)
    return counting


def _new(now: tuple[LateRuling, ...], before: tuple[LateRuling, ...]) -> tuple[LateRuling, ...]:
    return tuple(islice(now, len(before), None)) if now[: len(before)] == before else now


def _points(scores: Scores) -> str:
    return f"{scores.totals[0]} to {scores.totals[1]}"
