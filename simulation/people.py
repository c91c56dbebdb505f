"""Two people who play a whole game at a table and live with their referee.

They see what anybody at the table sees (``PageLook``), and do what anybody can: move, wait, press, answer,
put back, insist, type. What they believe of the game is the truth; each look at the page is held against it.

    people = People(game, table, Temper(confirm="button"), seed=7)
    presses = people.at(table.now, view)        # what they press or type now; hands move by themselves
"""

import random
from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, cast

from engine import State
from simulation.answering import answer, is_dull
from simulation.diary import Diary, Note
from simulation.page import AT_REST, EYE_ERROR, QUIET, Data, PageLook, Row, board
from simulation.script import Scripted
from simulation.temper import (
    BOUND_S,
    BREAK_S,
    GIVES_UP,
    LOST_S,
    MOST_S,
    NOTHING_S,
    PATIENT_S,
    READS_S,
    SOON_S,
    STARTS_S,
    TRIES,
    Press,
    Temper,
)
from simulation.whole_game import Deed, WholeGame


@dataclass(frozen=True)
class Before:
    """How game and log were before a move that may be taken back."""

    known: State
    seen: State
    rows: tuple[Row, ...]


class PlayTable(Protocol):
    """Where hands do things."""

    @property
    def now(self) -> float:
        """Table time."""

    def do(self, event: Scripted, name: str) -> float:
        """Hands begin to do this; when they have gone."""

    def visit(self, player: int, name: str) -> float:
        """A hand comes for nothing; when it has gone."""


Going: TypeAlias = Generator[Press | None, PageLook, None]
"""What people do, one look at the page after another: a press, or nothing."""


class People:
    """Those who play. ``diary`` tells what became of what they did."""

    def __init__(self, game: WholeGame, table: PlayTable, temper: Temper, *, seed: int) -> None:
        self.game, self.table, self.temper = game, table, temper
        self.diary = Diary()
        self.rng = random.Random(f"{seed} people")
        self.done = False
        self._going: Going | None = None
        self._since: list[tuple[Deed, Note]] = []
        """What was done and is not in a record that agreed with it."""
        self._agreed: tuple[Row, ...] = ()
        """The log when table and record agreed last."""
        self._ahead: list[str] = []
        """What the record holds already of what is only said, as the rules leave nothing else."""
        self._many = 0
        self._vain = 0
        self._last_s = table.now
        self._paused_s = self._rests_s = 0.0
        """Of all breaks, and of the one that is going on."""
        self._looked: tuple[Data, PageLook] | None = None
        self._truth: tuple[State, str] | None = None

    @property
    def now(self) -> float:
        """Table time, less the breaks."""
        return self.table.now - self._paused_s

    def at(self, view: Data) -> list[Press]:
        """What they press now that they see this."""
        if self.done:
            return []
        page = self._page(view)
        passed, self._last_s = self.table.now - self._last_s, self.table.now
        if page.phase == "paused":
            return self._rest(passed)
        self._rests_s = 0.0
        try:
            if self._going is None:
                self._going = self._all()
                press = next(self._going)
            else:
                press = self._going.send(page)
        except StopIteration:
            self.done = True
            return []
        return [] if press is None else [press]

    def _rest(self, seconds: float) -> list[Press]:
        """A break that somebody has asked for; a very long one is ended by the players themselves."""
        self._paused_s += seconds
        self._rests_s += seconds
        if self._rests_s < BREAK_S:
            return []
        self._rests_s = 0.0
        self.diary.touches["pause"] += 1
        return [Press("pause")]

    def _page(self, view: Data) -> PageLook:
        """The page, looked at anew only when it has changed."""
        if self._looked is None or self._looked[0] is not view:
            page, before = PageLook.of(view), self._looked[1].notice if self._looked else ""
            if page.notice.startswith(EYE_ERROR) and page.notice != before:
                self.diary.errors.append(page.notice)
            self._looked = view, page
        return self._looked[1]

    # — the course of a game —

    def _all(self) -> Going:
        page = yield None
        yield from self._begin(page)
        while not self.game.over and not self.diary.given_up:
            if self.now > MOST_S:
                self.diary.given_up = "it is late, and the game has not come to its end"
                break
            deed = self._next()
            if deed is None:
                self.diary.given_up = "nobody can do anything"
                break
            yield from self._between(deed)
            if deed.visible:
                yield from self._turn(deed, spoken=self.game.is_spoken(deed))
            else:
                yield from self._say(deed)
        yield from self._end()

    def _begin(self, page: PageLook) -> Going:
        """The table is set up: the referee should take it up by itself."""
        until = self.now + STARTS_S
        while page.phase == "setting up" and self.now < until:
            page = yield None
        if page.phase == "setting up":
            self.diary.not_ready.append(page.told)
            self._story("not taken up", page)
        for deed in self.game.laid_out:
            self._since.append((deed, self._noted(deed)))
        if self._since:
            yield from self._heard(1)

    def _next(self) -> Deed | None:
        slips = self.rng.random() < self.temper.illegal
        wrong = self.game.slip() if slips else None
        return wrong or self.game.next()

    def _between(self, deed: Deed) -> Going:
        """The time between two moves: people think, and hands come for nothing."""
        yield from self._wait(self.temper.pause_s * self.rng.uniform(0.7, 1.5))
        if self.rng.random() < self.temper.touches and deed.visible:
            who = deed.event.player if self.rng.random() < 0.6 else 3 - deed.event.player
            well = self._is_well()
            yield from self._gone(self.table.visit(who, str(self._many)))
            yield from self._wait(0.8)
            if well:
                yield from self._nothing_done()
        if self.rng.random() < self.temper.hesitates:
            yield from self._wait(self.rng.uniform(1.0, 3.0))

    def _nothing_done(self) -> Going:
        """A hand was there for nothing: what is told of it is false."""
        page = yield None
        until = self.now + NOTHING_S
        while self.now < until and (page.phase in QUIET or page.phase in AT_REST) and not page.pending:
            page = yield None
        if page.pending or page.phase in ("asking", "illegal", "out of step") or self._odd(page):
            self.diary.false.append(page.told)
            self._story("false", page)
            yield from self._mend(page)

    def _is_well(self) -> bool:
        """Whether table and record agree, so that whatever is told next is told of what is done next."""
        page = cast("tuple[Data, PageLook]", self._looked)[1]  # people act on what they have seen
        return not self._since and self._is_true(page) and page.phase not in ("setting up", "out of step")

    # — one move —

    def _turn(self, deed: Deed, *, spoken: bool) -> Going:
        """Somebody does something, and both hear what the referee says."""
        note = self._noted(deed, spoken=spoken)
        yield from self._gone(self.table.do(deed.event, str(self._many)))
        note.gone_s = self.now
        if self.temper.confirm == "button" and self.rng.random() < self.temper.early:
            yield Press("confirm", number=deed.event.player)
        if deed.legal:
            yield from self._legal(deed, note)
        else:
            yield from self._illegal(deed, note)
        if note.outcome is None and not any(one is note for _, one in self._since):
            note.becomes("missed", self.now)

    def _noted(self, deed: Deed, *, spoken: bool = False) -> Note:
        self._many += 1
        event = deed.event
        note = Note(deed.text, event.kind, deed.legal, event.rule, event.player, spoken)
        self.diary.notes.append(note)
        return note

    def _legal(self, deed: Deed, note: Note) -> Going:
        before = Before(self.game.known, self.game.seen, self._agreed)
        self.game.do(deed)
        self._since.append((deed, note))
        if note.spoken:
            page = yield None
            if not self._is_told(page, deed):
                yield from self._touch(Press("typed", words=deed.text))
        hurries = self.temper.hurries
        if (hurries or self.temper.confirm == "auto") and self.rng.random() < hurries and not self.game.over:
            return  # the next move follows at once, over one that nobody has confirmed
        yield from self._heard(deed.event.player)
        taken = note.outcome == "right" and not self._since and self.game.may_be_taken_back(deed)
        if taken and self.rng.random() < self.temper.retracts:
            yield from self._take_back(deed, note, before)

    def _heard(self, player: int) -> Going:
        """Both wait for the ruling on what was done, confirm it, and see to it where it is wrong."""
        until, bound = self.now + PATIENT_S, self.now + BOUND_S
        forgets = self.rng.random() < self.temper.forgets
        while True:
            page = yield None
            late = self.now >= bound
            if page.phase in QUIET and self.now < until + PATIENT_S:
                continue
            if page.phase == "camera lost" and self.now < until + LOST_S:
                continue
            true = self._is_true(page)
            if page.phase == "ruled" and page.pending and true and not late:
                self._all_become("right", page)
                if self.temper.confirm == "button":
                    yield from self._wait(READS_S + (3.0 if forgets else 0.0))
                    yield Press("confirm", number=player)
                    forgets = False
                until = self.now + PATIENT_S
                continue
            if true and not page.pending and page.phase in AT_REST:
                self._all_become("right", page)
                self._agree(page)
                return
            if self._is_wrong(page):
                # What is told first counts, whatever becomes of it until somebody acts.
                self._all_become(*self._judged(page))
            elif self.now < until:
                continue
            elif page.phase == "watching" and self._shows_later():
                return
            yield from self._wait(READS_S)
            page = yield None
            if self._is_settled(page) and not late:
                continue  # the referee has put it right by itself
            if page.phase == "out of step" and self._is_true(page) and self._holds_all(page):
                # The record is right, and the referee does not see why: people play on.
                self._all_become("right", page)
                self.diary.alarms.append(page.told)
                self._agree(page)
                return
            self._all_become(*self._judged(page))
            self._story("heard", page)
            yield from self._mend(page)
            return

    def _is_settled(self, page: PageLook) -> bool:
        """Whether what was done counts, or only waits to be confirmed."""
        ruled = page.pending and page.phase == "ruled"
        return self._is_true(page) and (ruled or (not page.pending and page.phase in AT_REST))

    def _is_wrong(self, page: PageLook) -> bool:
        """Whether the referee says something that people must answer, or that is not so."""
        if page.phase in ("asking", "illegal"):
            return True
        return (page.pending and not self._is_true(page)) or bool(self._odd(page))

    def _odd(self, page: PageLook) -> list[Row]:
        """What the log tells anew that nobody has done."""
        done = [deed.text for deed, _ in self._since]
        fresh = [row for row in self._fresh(page) if row.text not in done]
        return [row for row in fresh if not is_dull(row.text)] if not self._is_true(page) else []

    def _holds_all(self, page: PageLook) -> bool:
        """Whether the log holds all that was done."""
        told = [row.text for row in self._fresh(page) if row.counts]
        return all(deed.text in told for deed, _ in self._since)

    def _shows_later(self) -> bool:
        """Whether what was done may be told with what is done next."""
        return bool(self._since) and all(self.game.shows_later(deed) for deed, _ in self._since)

    def _judged(self, page: PageLook) -> tuple[str, PageLook]:
        """What a move counts as of which the page does not tell the truth."""
        if page.phase == "asking":
            return "asked", page
        if page.phase == "illegal":
            return "wrong and flagged", page
        odd = self._odd(page)
        if odd or page.pending:
            named = any(row.tells(deed.text) for row in odd for deed, _ in self._since)
            return ("wrong and flagged" if named else "wrong and silent"), page
        return "missed", page

    def _all_become(self, outcome: str, page: PageLook) -> None:
        """What was done and is not agreed on yet counts as this; an accusation is noted apart.

        A board that is right is not enough: another die may have moved the piece, another troop have fired.
        """
        rows = self._fresh(page)
        texts, named = {row.text for row in rows}, {text for row in rows for text in row.alike}
        odd = texts.difference(deed.text for deed, _ in self._since)
        for k, (deed, note) in enumerate(self._since):
            last, own = k + 1 == len(self._since), outcome
            if outcome in ("wrong and silent", "wrong and flagged", "missed") and not last:
                own = "right" if deed.text in texts else "missed"
            elif outcome == "right" and deed.event.kind == "move" and deed.text not in texts:
                other = any(self.game.is_another(text, deed) for text in odd)
                note.beside |= note.outcome is None and other and deed.text in named
                own = "wrong and silent" if other and deed.text not in named else outcome
            note.accused |= last and deed.legal and page.phase == "illegal"
            note.becomes(own, self.now, page.told)  # type: ignore[arg-type]

    # — moves that are not allowed —

    def _illegal(self, deed: Deed, note: Note) -> Going:
        until, bound = self.now + PATIENT_S, self.now + BOUND_S
        while True:
            page = yield None
            if page.phase in QUIET and self.now < min(until + PATIENT_S, bound):
                continue
            refused = [row for row in self._fresh(page) if row.illegal]
            if page.phase == "illegal":
                rules = {rule for row in refused for rule in row.rules}
                note.found = note.rule in rules
                note.becomes("right" if note.found else "wrong and flagged", self.now, page.told)
                break
            if page.phase == "asking":
                note.becomes("asked", self.now, page.told)
                break
            if self._odd(page) or (page.pending and not self._is_true(page)):
                note.becomes("wrong and silent", self.now, page.told)
                break
            if self.now >= until:
                note.becomes("missed", self.now, page.told)
                break
        self._story("an illegal move", page, deed)
        yield from self._wait(READS_S)
        if deed.event.stands and page.phase == "illegal" and self.rng.random() < self.temper.insists:
            yield from self._insist(deed, note)
        else:
            yield from self._put_back(deed)

    def _insist(self, deed: Deed, note: Note) -> Going:
        """Both let it stand: it counts as if it had been allowed."""
        for player in (1, 2, 1, 2):
            page = yield Press("confirm", number=player)
            page = yield None
            if page.phase != "illegal":
                break
        self.game.do(deed)
        self._since.append((deed, note))
        yield from self._heard(deed.event.player)

    def _put_back(self, deed: Deed) -> Going:
        """The pieces are put back as they were, and the record should be as it was."""
        back = replace(deed.event, before=deed.event.after, after=deed.event.before)
        yield from self._gone(self.table.do(back, f"{self._many} back"))
        until, bound = self.now + PATIENT_S, self.now + BOUND_S
        while True:
            page = yield None
            if page.phase in AT_REST and not page.pending and self._is_true(page):
                self._all_become("right", page)
                self._agree(page)
                return
            late = self.now >= bound
            if page.pending and page.phase == "ruled" and self._is_true(page) and not late:
                if self.temper.confirm == "button":
                    yield Press("confirm", number=deed.event.player)
                continue
            if late or (self.now >= until and page.phase not in QUIET):
                self._story("put back", page, deed)
                yield from self._mend(page)
                return

    def _take_back(self, deed: Deed, note: Note, before: "Before") -> Going:
        """Somebody thinks better of a move that was ruled on, and puts the pieces back."""
        yield from self._wait(self.rng.uniform(0.5, 1.5))
        back = replace(deed.event, before=deed.event.after, after=deed.event.before)
        yield from self._gone(self.table.do(back, f"{self._many} taken back"))
        self.game.known, self.game.seen, self._agreed = before.known, before.seen, before.rows
        until, bound, note.back = self.now + PATIENT_S, self.now + BOUND_S, False
        while self.now < bound:
            page = yield None
            if page.phase in QUIET and self.now < until + PATIENT_S:
                continue
            if self._is_true(page) and page.pending and page.phase == "ruled":
                note.back = True
                if self.temper.confirm == "button":
                    yield from self._wait(READS_S)
                    yield Press("confirm", number=deed.event.player)
                continue
            if self._is_true(page) and page.phase == "watching":
                note.back = True
                self._agreed = tuple(row for row in page.rows if row.counts)
                return
            if self.now >= until or page.phase in ("asking", "illegal"):
                break
        self._story("a take-back", page, deed)
        yield from self._mend(page)

    # — what is only said —

    def _say(self, deed: Deed) -> Going:
        """A move or fact that no table shows is told by hand where nothing that follows will tell it."""
        spoken = self.game.is_spoken(deed)
        note = self._noted(deed, spoken=spoken)
        note.shows, note.gone_s = False, self.now
        self.game.do(deed)
        if deed.text in self._ahead:
            self._ahead.remove(deed.text)
            note.becomes("right", self.now)
            return
        self._since.append((deed, note))
        if not (spoken or self.game.over):
            return
        yield from self._wait(READS_S)
        page = yield None
        if not self._is_told(page, deed):
            yield from self._type_due(page)
        yield from self._heard(deed.event.player)

    def _is_told(self, page: PageLook, deed: Deed) -> bool:
        """Whether the record holds already what follows by itself."""
        return any(row.text == deed.text for row in self._fresh(page))

    # — ways back —

    def _mend(self, page: PageLook) -> Going:
        """Bring the record to what was truly done, by what the page offers; else play on as it is."""
        for _ in range(TRIES):
            if self._is_true(page) and not page.pending and page.phase not in ("asking", "illegal"):
                self._vain = 0
                self._agree(page)
                return
            yield from self._said(page)
            page = yield from self._look_soon()
            self._story("mending", page)
        if self._is_true(page) and not page.pending:
            self._vain = 0
            self._agree(page)
            return
        if "as it is" in page.offers:
            yield from self._take_as_it_is()
            page = yield from self._look_soon()
            self._story("as it is", page)
        self._vain = 0 if self._is_true(page) else self._vain + 1
        self._since = []
        self._agreed = tuple(row for row in page.rows if row.counts)
        if self._vain >= GIVES_UP:
            self.diary.given_up = f"the record could not be brought right: {page.told}"

    def _said(self, page: PageLook) -> Going:
        """What people say to a page that does not tell what they did."""
        number = self._choice(page)
        if "choose" in page.offers and page.choices and number is not None:
            yield from self._touch(Press("choose", number=number, key=page.key))
        elif page.phase == "asking":
            yield from self._touch(Press("undo", key=page.key))
        elif page.phase == "illegal" and not all(deed.legal for deed, _ in self._since):
            # They let it stand before, and it is seen rightly: one thing that people do, by a press of each.
            yield from self._touch(Press("confirm", number=1))
            yield Press("confirm", number=2)
        elif page.phase == "illegal" and "misread" in page.offers:
            yield from self._touch(Press("misread", key=page.key))
        elif page.pending and "undo" in page.offers and not self._is_true(page):
            yield from self._touch(Press("undo", key=page.key))
        elif page.pending and self._is_true(page):
            yield Press("confirm", number=self.game.player)
        else:
            yield from self._type_due(page)

    def _choice(self, page: PageLook) -> int | None:
        """The answer that is true, if one is."""
        wanted = [deed.text for deed, _ in self._since]
        return answer(page.choices, wanted, told=any(row.counts for row in self._fresh(page)))

    def _type_due(self, page: PageLook) -> Going:
        """Take back what is false in the record, and type what was done and is not there."""
        for old in self._agreed:
            now = next((row for row in page.rows if row.place == old.place), None)
            if now is not None and now.text != old.text:
                yield from self._touch(Press("typed", words=f"correct {old.place}: {old.text}"))
        known = [deed.text for deed, _ in self._since]
        for row in reversed([row for row in self._fresh(page) if row.counts]):
            if row.text in known:
                known.remove(row.text)
            elif not row.illegal or row.stands:
                yield from self._touch(Press("typed", words=f"take back {row.entry}"))
        for text in known:
            yield from self._touch(Press("typed", words=text))
        if not known and page.phase in ("out of step", "unfinished") and "as it is" in page.offers:
            yield from self._take_as_it_is()

    def _take_as_it_is(self) -> Going:
        """Both say that the table is right: one thing that people had to do, by a press of each."""
        yield from self._touch(Press("as it is", number=1))
        yield Press("as it is", number=2)

    def _touch(self, press: Press) -> Going:
        """Something is pressed that should not have been needed, unless it is to say what nobody can see."""
        due = [deed.text for deed, note in self._since if note.spoken]
        said = press.kind == "typed" and press.words in due
        if not said:
            self.diary.touches[press.kind] += 1
        self.diary.stories.append(f"{self.now:.1f} s: {press.kind} {press.words or press.number}")
        yield press
        yield from self._wait(0.3)

    def _look_soon(self) -> Generator[Press | None, PageLook, PageLook]:
        """The page once the referee has made up its mind about what was pressed."""
        until = self.now + SOON_S
        page = yield None
        while self.now < until and (page.phase in QUIET or not self._is_true(page)):
            page = yield None
        return page

    # — the end —

    def _end(self) -> Going:
        page = yield None
        until = self.now + PATIENT_S
        while page.phase != "finished" and self.now < until:
            page = yield None
        if page.phase != "finished" and self._since:
            yield from self._mend(page)
            page = yield None
        book, over = self.game.book, self.game.over
        outcome = book.outcome(self.game.seen)
        self.diary.finished = over and page.phase == "finished"
        self.diary.scores_right = over and page.points == book.scores(self.game.seen).totals
        self.diary.winner_right = page.over and outcome is not None and page.winner == outcome.winner

    # — seeing —

    def _is_true(self, page: PageLook) -> bool:
        """Whether the board and the points on the page are those of the table."""
        if self._truth is None or self._truth[0] is not self.game.seen:
            self._truth = self.game.seen, board(self.game.book, self.game.seen)
        return page.shown == self._truth[1]

    def _fresh(self, page: PageLook) -> list[Row]:
        """What the log holds, and waits to take up, since table and record agreed last."""
        return list(page.rows[len(self._agreed) :])

    def _agree(self, page: PageLook) -> None:
        """Table and record agree; the record may know already what is only said next."""
        fresh = [row.text for row in self._fresh(page) if row.counts and (row.stands or not row.illegal)]
        last = max((fresh.index(deed.text) for deed, _ in self._since if deed.text in fresh), default=None)
        self._ahead = self._ahead if last is None else fresh[last + 1 :]
        self._agreed = tuple(row for row in page.rows if row.counts)
        self._since = []

    def _story(self, what: str, page: PageLook, deed: Deed | None = None) -> None:
        wanted = deed.text if deed else "; ".join(deed.text for deed, _ in self._since)
        told = "; ".join(row.text for row in self._fresh(page))
        words = f"{self.now:.1f} s: {what}: done {wanted!r}, told {told!r}, {page.phase}: {page.told}"
        words += f" ({page.notice})" if page.notice else ""
        self.diary.stories.append(words + (f" [{' | '.join(page.choices)}]" if page.choices else ""))

    # — waiting —

    def _wait(self, seconds: float) -> Going:
        until = self.now + seconds
        while self.now < until:
            yield None

    def _gone(self, t: float) -> Going:
        """Until the hands have gone, which no break holds back."""
        while self.table.now < t:
            yield None
