"""Whatever happens in whatever order, a match never contradicts its journal."""

import json
from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from device.journal.events import Event
from device.journal.game import last_game
from device.match.acts.consent import agreed_to
from device.match.acts.steps import plays_on_alone
from device.match.lamp_signs import lamps
from device.match.match import Manners, Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, SetUp
from device.match.transitions import EVERYWHERE, TABLE, offered
from engine.history import History
from engine.matching import Nothing, TakeBack
from engine.record import Record, line, read
from tests.device.match.match_bench import (
    DIFFERENT,
    FACTS,
    ILLEGAL,
    UNFINISHED,
    UNREADABLE,
    Bench,
    asked,
    game,
    ruled,
)

DEEDS = (
    "eye fails", "nothing", "legal", "two", "refused", "stood", "question", "unfinished", "back", "different",
    "unreadable", "hand", "free", "blind", "lost", "confirm 1", "confirm 2", "undo", "pause", "choose",
    "put back", "stand 0", "stand 1", "stand 2", "misread", "as it is 0", "as it is 1", "as it is 2",
    "withdraw 0", "withdraw 1", "type", "type wrong", "correct", "wait", "wait long", "stood nothing", "redo",
    "bring back 1", "bring back 2",
    "set up", "hold", "release", "fail",
)  # fmt: skip
TOLD = {
    "hand": Kind.HAND,
    "free": Kind.FREE,
    "undo": Kind.UNDO,
    "pause": Kind.PAUSE,
    "put back": Kind.PUT_BACK,
    "misread": Kind.MISREAD,
}
BY = {
    "confirm": Kind.CONFIRM, "stand": Kind.LET_STAND, "as it is": Kind.AS_IT_IS, "withdraw": Kind.WITHDRAW,
    "bring back": Kind.BRING_BACK,
}  # fmt: skip


def do(bench: Bench, deed: str, number: int) -> None:
    """One thing that happens at the table."""
    before = bench.match.game
    if deed in TOLD:
        bench.tell(TOLD[deed])
    elif deed[:-2] in BY:
        bench.tell(BY[deed[:-2]], number=int(deed[-1]))
    elif deed == "eye fails":
        phase = bench.phase
        bench.tell(Kind.FAILED, "The referee's eye made an error.")
        assert bench.phase is phase
    elif deed in ("blind", "lost"):
        bench.tell(Kind.BLIND if deed == "blind" else Kind.LOST, "why")
    elif deed == "choose":
        bench.tell(Kind.CHOOSE, number=number % 4)
    elif deed.startswith("wait"):
        bench.wait(0.3 if deed == "wait" else 5.0)
    elif deed == "set up":
        bench.give(SetUp(game(*FACTS)))
    elif deed == "hold":
        bench.holds = True
    elif deed == "release":
        bench.release()
    elif deed == "fail" and bench.held:
        bench.held, bench.holds, bench.full = [], False, True
        bench.tell(Kind.NOT_KEPT, "full")
    elif before is not None:
        look(bench, before, deed, number)


def look(bench: Bench, before: History, deed: str, number: int) -> None:
    """Something that is read from the table, or typed."""
    book, state = before.book, before.state
    legal = [book.format(move) for move in book.legal_moves(state)]
    legal = legal or [book.format_fact(fact) for fact in islice(book.possible_facts(state), 4)]
    if not legal:
        return
    one = legal[number % len(legal)]
    wrong = refusable(before, one, number)
    if deed == "nothing":
        bench.see(Nothing())
    elif deed in ("legal", "refused"):
        bench.see(ruled(before, one if deed == "legal" else wrong))
    elif deed == "two":
        after = ruled(before, one).happened[-1].state
        more = [book.format(move) for move in book.legal_moves(after)] if after else []
        bench.see(ruled(before, one, *more[:1]))
    elif deed.startswith("stood"):
        look_beyond(bench, deed, number)
    elif deed == "question":
        bench.see(asked(before, *legal[:2]))
    elif deed == "back" and before.steps:
        steps = 1 + number % len(before.steps)
        bench.see(TakeBack(steps, before.first, "as before"))
    elif deed in ("different", "unreadable", "unfinished"):
        told = {"different": DIFFERENT, "unreadable": UNREADABLE, "unfinished": UNFINISHED}
        bench.see(told[deed])
    elif deed in ("type", "redo"):
        bench.tell(Kind.TYPED, one if deed == "type" else "redo")
    elif deed == "type wrong":
        bench.tell(Kind.TYPED, wrong)
    elif deed == "correct" and before.entries:
        bench.tell(Kind.TYPED, f"take back {1 + number % len(before.entries)}")


def refusable(before: History, legal: str, number: int) -> str:
    """A move that is refused, and in every second case one that may stand."""
    if number % 2 and before.move(ILLEGAL).steps[-1].verdict.startswith("illegal"):
        return ILLEGAL
    return f"{3 - int(legal[0])}{legal[1:]}" if legal[0] in "12" else "1: take 1"


def look_beyond(bench: Bench, deed: str, number: int) -> None:
    """What is read as if the refused move stood: a move by either, or nothing new."""
    stood = bench.match.stood
    if stood is not None and deed == "stood":
        moves = stood.book.legal_moves(stood.state)
        move = moves[-(number % 2)] if moves else None
        bench.see(Nothing() if move is None else ruled(stood, stood.book.format(move)), stood=True)
    elif bench.match.noted is not None:
        bench.see(Nothing(), stood=True)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 40)), max_size=30),
    st.sampled_from(["auto", "button"]),
    st.booleans(),
)
def test_a_match_and_its_journal_never_part(deeds: list[tuple[str, int]], how: str, begun: bool) -> None:
    """Every order of events keeps the promises that people rely on.

    The journal with what is still unsaved is the game, entry by entry; nothing is ever taken out of it; green
    burns only when nothing is unsaved; a question has choices; a pause and a lost camera let nothing count.
    """
    bench = Bench(*(FACTS if begun else ()), manners=Manners(confirm=how, calm_s=1.0))  # type: ignore[arg-type]
    for deed, number in deeds:
        length = len(bench.written)
        quiet = bench.phase in (Phase.PAUSED, Phase.CAMERA_LOST) and not deed.startswith(
            ("type", "correct", "undo", "pause", "stand", "set up", "redo")
        )
        quiet = quiet and bench.match.both[0] is None
        was, before, ordered = bench.match.game, bench.match, bench.as_it_is
        do(bench, deed, number)
        both_agreed(bench, before, deed, ordered)
        assert len(bench.written) >= length
        if quiet and deed not in ("hand", "free") and deed not in ("nothing",):
            still = was if was is None else was.entries
            now = bench.match.game if bench.match.game is None else bench.match.game.entries
            assert bench.phase is Phase.PAUSED or still == now or deed in SEEN
        promises(bench)


SEEN = {
    "legal", "two", "refused", "stood", "stood nothing", "question", "back", "different", "unreadable",
    "unfinished",
}  # fmt: skip
"""Deeds in which a picture comes first, so that the camera is back."""


def both_agreed(bench: Bench, before: Match, deed: str, ordered: int) -> None:
    """Nothing that both must agree to is done by one, nor in nobody's name; whoever plays on agrees, too."""
    after = bench.match
    assert after.agreed < {1, 2}
    assert after.wish is not None or not after.agreed
    was, now = (agreed_to(match.game) if match.game else frozenset() for match in (before, after))
    stands = bool(now - was) and deed != "set up"
    if stands and before.adopting:
        return  # they have agreed that all of the table counts
    if stands and before.pending is not None and not plays_on_alone(before, before.pending.game):
        return  # it has waited for its calm, or for a button
    if stands or (bench.as_it_is > ordered and not before.adopting):
        wish, agreed = before.both
        told = Kind.LET_STAND if deed.startswith("stand") else Kind.AS_IT_IS if not stands else wish
        assert told in (wish, None, Kind.LET_STAND)
        implied = {before.accused} if before.noted and told is Kind.LET_STAND else set()
        assert agreed | implied | {int(deed[-1])} == {1, 2}


def promises(bench: Bench) -> None:
    """What must hold after every signal."""
    match = bench.match
    if any("#" in rhythm for rhythm in [lamps(match).green]):
        assert match.saved
    if match.phase is Phase.ASKING:
        assert match.options
    assert match.pending is None or match.phase in (Phase.RULED, Phase.ILLEGAL)
    assert match.phase is not Phase.RULED or match.pending is not None
    assert offered(match) <= set(TABLE[match.phase]) | set(EVERYWHERE)
    json.dumps(view(match))
    drafts = [*bench.written, *match.unsaved]
    events = tuple(Event(n, draft.kind, 0, draft.body, {}, "") for n, draft in enumerate(drafts, 1))
    told = [event.body for event in last_game(events) if event.kind != "note"]
    if match.game is None:
        assert not told
        return
    kept = read("".join(line(body) + "\n" for body in told))
    assert not kept.damage
    assert kept == Record(match.game.header, match.game.entries)


def test_every_signal_of_people_does_something_somewhere() -> None:
    """No button is dead, and no phase is one that nothing leads out of."""
    people = {kind for acts in TABLE.values() for kind in acts}
    assert people | set(EVERYWHERE) == set(Kind)
    assert set(TABLE) == set(Phase)
    assert all(set(acts) - {Kind.TIME} for acts in TABLE.values())
