"""The box as a value: every place against every input, and that no sequence of inputs leaves it stuck."""

from collections import deque
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.match.signals import Kind
from device.service.box import (
    STEADY_S,
    Answer,
    Close,
    Closed,
    Duty,
    Exit,
    Forgive,
    Input,
    Leave,
    OnceMore,
    Open,
    Opened,
    Over,
    Place,
    Pressed,
    Quit,
    Rested,
    Seating,
    Standing,
    TryCamera,
    Want,
    Wanted,
    step,
)

SEATING = Seating("draw-game", ("Ada", "Bo"))
BY_HAND = replace(SEATING, by="hand")
NEW, KEPT = Wanted(SEATING), Wanted(name="2026-01-01-draw-game-abcdef")
OPEN = Wanted(SEATING, "2026-01-01-draw-game-000000")
LOBBY = Standing(words="a word from before")
BLIND = replace(LOBBY, sight=False)
MATCH = Standing(Place.MATCH, wanted=OPEN, opened_s=100.0)
BLIND_MATCH = replace(MATCH, sight=False, unseen=True)
RESTED_MATCH = replace(BLIND_MATCH, sight=True)
ENDING = replace(MATCH, place=Place.ENDING)
STOPPING = replace(ENDING, stopping=True)
EARLY, STEADY = 100.0 + STEADY_S - 0.1, 100.0 + STEADY_S

TABLE: list[tuple[str, Standing, Input, Place, list[Duty]]] = [
    ("a match is begun", LOBBY, Want(NEW), Place.MATCH, [Open(NEW, sight=True)]),
    ("one that is kept", LOBBY, Want(KEPT), Place.MATCH, [Open(KEPT, sight=True)]),
    ("without vision after crashes", BLIND, Want(NEW), Place.MATCH, [Open(NEW, sight=False)]),
    ("nothing to leave", LOBBY, Leave(), Place.LOBBY, []),
    ("the camera again", BLIND, TryCamera(), Place.LOBBY, [Forgive()]),
    ("confirm begins", LOBBY, Pressed(Kind.CONFIRM), Place.LOBBY, [OnceMore()]),
    ("undo tries the camera", BLIND, Pressed(Kind.UNDO), Place.LOBBY, [Forgive()]),
    ("undo means nothing", LOBBY, Pressed(Kind.UNDO), Place.LOBBY, []),
    ("pause means nothing", LOBBY, Pressed(Kind.PAUSE), Place.LOBBY, []),
    ("a late opening", LOBBY, Opened("x", SEATING), Place.LOBBY, []),
    ("a late end of a game", LOBBY, Over(over=True), Place.LOBBY, []),
    ("a late close", LOBBY, Closed("late"), Place.LOBBY, []),
    ("rested, all is well", LOBBY, Rested(), Place.LOBBY, []),
    ("rested, vision is back", BLIND, Rested(), Place.LOBBY, [Forgive()]),
    ("the end in the lobby", LOBBY, Quit(), Place.LOBBY, [Exit()]),
    ("busy", MATCH, Want(NEW), Place.MATCH, []),
    ("left", MATCH, Leave(), Place.ENDING, [Close(left=True)]),
    ("the camera at a match that sees", MATCH, TryCamera(), Place.MATCH, [Forgive()]),
    ("at a blind one", BLIND_MATCH, TryCamera(), Place.ENDING, [Forgive(), Close(left=False)]),
    ("at a blind one of a box that is well", RESTED_MATCH, TryCamera(), Place.ENDING,
     [Forgive(), Close(left=False)]),
    ("a button is the match's", MATCH, Pressed(Kind.CONFIRM), Place.MATCH, []),
    ("it is open", MATCH, Opened("x", SEATING), Place.MATCH, []),
    ("the game is over", MATCH, Over(over=True), Place.MATCH, []),
    ("it could not be opened", MATCH, Closed("no"), Place.LOBBY, []),
    ("rested at a match", BLIND_MATCH, Rested(), Place.MATCH, [Forgive()]),
    ("the end at a match", MATCH, Quit(), Place.ENDING, [Close(left=False)]),
    ("wanted too soon", ENDING, Want(NEW), Place.ENDING, []),
    ("wanted too late", STOPPING, Want(NEW), Place.ENDING, []),
    ("left twice", ENDING, Leave(), Place.ENDING, []),
    ("left before it has opened", replace(ENDING, then=KEPT), Leave(), Place.ENDING, [Close(left=True)]),
    ("the camera while closing", ENDING, TryCamera(), Place.ENDING, [Forgive()]),
    ("a button while closing", ENDING, Pressed(Kind.CONFIRM), Place.ENDING, []),
    ("it opens while closing", ENDING, Opened("x", SEATING), Place.ENDING, []),
    ("over while closing", ENDING, Over(over=True), Place.ENDING, []),
    ("closed", ENDING, Closed(), Place.LOBBY, []),
    ("rested while closing", ENDING, Rested(), Place.ENDING, []),
    ("the end while closing", ENDING, Quit(), Place.ENDING, []),
    ("closed at the end", STOPPING, Closed(), Place.ENDING, [Exit()]),
    ("closed for another", replace(ENDING, then=KEPT), Closed(), Place.MATCH, [Open(KEPT, sight=True)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("box", "said", "place", "duties"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_step(box: Standing, said: Input, place: Place, duties: list[Duty]) -> None:
    """At each place each input leads where the table says, and orders just that."""
    after, ordered = step(box, said, 101.0)
    assert (after.place, list(ordered)) == (place, duties)


def test_the_table_holds_every_place_against_every_input() -> None:
    """No pair of a place and an input is forgotten."""
    inputs = {Want, Leave, TryCamera, Pressed, Opened, Over, Closed, Rested, Quit}
    assert {(row[1].place, type(row[2])) for row in TABLE} == {(at, kind) for at in Place for kind in inputs}


def test_a_wish_that_is_not_granted_is_answered() -> None:
    """Whoever wants what cannot be is told why."""
    for box, said, words in [
        (MATCH, Want(NEW), "A match is going on"), (LOBBY, Leave(), "No match is going on"),
        (STOPPING, Want(NEW), "just being closed"), (MATCH, Closed("No such match."), "No such match."),
        (ENDING, Leave(), "just being closed"),
        (replace(ENDING, then=KEPT), Want(NEW), "A match is going on"),
    ]:  # fmt: skip
        assert words in step(box, said, 101.0)[0].words
    assert not step(LOBBY, Want(NEW), 101.0)[0].words  # and what was said before is not said for ever


@pytest.mark.parametrize(
    ("meanwhile", "opened", "words"),
    [
        ((Want(KEPT),), KEPT, ""),
        ((Leave(), Want(NEW)), NEW, ""),
        ((Want(KEPT), Want(NEW)), KEPT, "A match is going on: leave it first."),
        ((Want(KEPT), Leave()), None, ""),
        ((Want(KEPT), Leave(), Want(NEW)), NEW, ""),
    ],
)
def test_what_is_wanted_while_a_match_is_left_waits(
    meanwhile: tuple[Input, ...], opened: Wanted | None, words: str
) -> None:
    """A match that takes a second to close loses no press: the box comes to where a quick one would be."""
    for quick in (True, False):
        box, duties = step(MATCH, Leave(), 101.0)
        for said in (Closed(), *meanwhile) if quick else (*meanwhile, Closed()):
            box, ordered = step(box, said, 102.0)
            duties = (*duties, *ordered)
            if quick and Close(left=True) in ordered:
                box, _ = step(box, Closed(), 102.0)
        assert box.wanted == opened
        assert box.words == words or (quick and opened is None)
        if opened is not None:
            assert duties[-1] == Open(opened, sight=True)


@pytest.mark.parametrize(
    ("said", "now", "opened"),
    [
        (Closed("an error", broke=True), EARLY, None),
        (Closed("an error", broke=True), STEADY, OPEN),
        (Closed("the recording ended"), STEADY, None),
    ],
)  # fmt: skip
def test_a_match_that_breaks(said: Closed, now: float, opened: Wanted | None) -> None:
    """One that breaks early leads to the lobby with its reason; a steady one is opened again, at its name."""
    box, duties = step(MATCH, said, now)
    if opened is None:
        assert (box.place, box.words, list(duties)) == (Place.LOBBY, said.words, [])
    else:
        assert (box.place, list(duties)) == (Place.MATCH, [Open(opened, sight=True)])
        assert box.opened_s == now  # it has to prove itself anew


def test_a_match_that_never_opened_is_not_opened_again() -> None:
    """However long the opening took: without a name there is nothing to go on with."""
    box, _ = step(LOBBY, Want(NEW), 0.0)
    box, duties = step(box, Closed("broke", broke=True), 10 * STEADY_S)
    assert (box.place, list(duties)) == (Place.LOBBY, [])


def test_the_camera_is_tried_again_by_a_match_that_was_meant_to_have_it() -> None:
    """A blind match is closed and opened with its camera; one that is played by hand is left alone."""
    box, _ = step(BLIND_MATCH, TryCamera(), 101.0)
    box, duties = step(box, Closed(), 102.0)
    assert (box.place, list(duties)) == (Place.MATCH, [Open(OPEN, sight=True)])
    by_hand = replace(BLIND_MATCH, wanted=Wanted(BY_HAND, OPEN.name))
    box, duties = step(by_hand, TryCamera(), 101.0)
    assert (box.place, box.sight, list(duties)) == (Place.MATCH, True, [Forgive()])


def test_a_blind_match_stays_blind_when_the_box_has_rested() -> None:
    """After a minute the box may use the camera; a match that was opened blind may not, until it is anew."""
    box, _ = step(Standing(sight=False), Want(KEPT), 100.0)
    box, _ = step(box, Opened(OPEN.name, SEATING), 101.0)
    assert (box.blind, box.degraded) == (True, True)
    box, duties = step(box, Rested(), 160.0)
    assert (box.sight, box.blind, box.degraded, list(duties)) == (True, True, True, [Forgive()])
    box, duties = step(box, TryCamera(), 161.0)
    assert Close(left=False) in duties
    box, duties = step(box, Closed(), 162.0)
    assert (box.place, box.degraded, list(duties)) == (Place.MATCH, False, [Open(OPEN, sight=True)])
    by_hand, _ = step(replace(RESTED_MATCH, wanted=None), Opened("x", BY_HAND), 101.0)
    assert (by_hand.blind, by_hand.degraded) == (False, False)


class World:
    """A box with matches that open and close as real ones do."""

    def __init__(self, sight: bool) -> None:
        self.box, self.now, self.open, self.exits = Standing(sight=sight), 0.0, 0, 0
        self.pending: deque[Input] = deque()

    def say(self, said: Input) -> Answer:
        """One input."""
        self.now += 7.0
        answer = self.box, duties = step(self.box, said, self.now)
        for duty in duties:
            if isinstance(duty, Open):
                assert not self.open, "two matches at once"
                self.open, name = 1, duty.wanted.name or "new"
                self.pending.append(Opened(name, duty.wanted.seating or SEATING))
            elif isinstance(duty, Close):
                assert self.open, "a match is closed that is not open"
                if Closed() not in self.pending:
                    self.pending.append(Closed())
            elif isinstance(duty, Exit):
                self.exits += 1
        return answer

    def settle(self) -> None:
        """What the match tells in the end."""
        while self.pending:
            said = self.pending.popleft()
            self.open -= isinstance(said, Closed)
            self.say(said)


PEOPLE = st.sampled_from([
    Want(NEW), Want(KEPT), Want(Wanted(BY_HAND)), Leave(), TryCamera(), Rested(), Pressed(Kind.CONFIRM),
    Pressed(Kind.UNDO), "settle", "break",
])  # fmt: skip


@given(st.booleans(), st.lists(PEOPLE, max_size=40))
def test_nothing_leaves_the_box_stuck(sight: bool, said: list[Input | str]) -> None:
    """After any sequence of inputs Quit ends in exactly one Exit, and not before the match is closed."""
    world = World(sight)
    for one in said:
        if one == "settle":
            world.settle()
        elif one == "break":
            if world.open and not world.pending:
                world.open = 0
                world.say(Closed("an error", broke=True))
        elif not isinstance(one, str):
            world.say(one)
        assert (world.box.place is Place.LOBBY) == (not world.open)
        assert not world.exits
    world.say(Quit())
    assert world.exits == (not world.open)
    for late in (Want(NEW), Leave(), TryCamera(), Quit(), Rested()):
        if world.open:
            world.say(late)
    world.settle()
    assert (world.exits, world.open) == (1, 0)
