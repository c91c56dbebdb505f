"""Buttons that are held mean something more, once; a press means what it always did."""

from hypothesis import given
from hypothesis import strategies as st

from device.panel.gestures import HELD, Grip
from device.panel.wish import Wish
from device.power import ASKED, power_off

Edges = list[tuple[str, bool, float]]


def meant(edges: Edges, until: float) -> list[tuple[Wish, float]]:
    """What is meant and when, if it is asked at each time that is due."""
    grip, found = Grip(), []
    for name, pressed, at in [*edges, ("", False, until)]:
        while grip.due is not None and grip.due <= at:
            due = grip.due
            grip, wishes = grip.time(due)
            found += [(wish, due) for wish in wishes]
        if name:
            grip, wishes = grip.step(name, pressed, at)
            found += [(wish, at) for wish in wishes]
    return found


def test_pause_held_for_five_seconds_switches_off_once() -> None:
    """A short press does not, nor does it twice while it is held on."""
    assert meant([("pause", True, 1.0), ("pause", False, 5.9)], 60) == []
    assert meant([("pause", True, 1.0)], 60) == [(Wish.SHUTDOWN, 6.0)]
    again = [("pause", True, 1.0), ("pause", False, 9.0), ("pause", True, 10.0)]
    assert meant(again, 60) == [(Wish.SHUTDOWN, 6.0), (Wish.SHUTDOWN, 15.0)]


def test_both_confirms_held_together_for_three_seconds_let_a_phone_in() -> None:
    """It counts from the later one; one alone, or with another button, does not."""
    both = [("confirm_a", True, 0.0), ("confirm_b", True, 2.0)]
    assert meant(both, 60) == [(Wish.PAIR, 5.0)]
    assert meant([*both, ("confirm_a", False, 4.9)], 60) == []
    assert meant([("confirm_a", True, 0.0)], 60) == []
    assert meant([*both, ("undo", True, 3.0)], 60) == []
    assert meant([*both, ("pause", True, 3.0)], 60) == []


@given(
    st.lists(
        st.tuples(st.sampled_from(["confirm_a", "confirm_b", "undo", "pause"]), st.floats(0.001, 8)),
        max_size=40,
    )
)
def test_nothing_is_meant_that_was_not_held_so_long(taps: list[tuple[str, float]]) -> None:
    """Whenever something is meant, its buttons were down all the time."""
    down, at, edges = set[str](), 0.0, Edges()
    for name, wait in taps:
        at += wait
        pressed = name not in down
        down ^= {name}
        edges.append((name, pressed, at))
    for wish, when in meant(edges, at + 20):
        buttons, seconds = HELD[wish]
        for name in buttons:
            own = [(moment, pressed) for one, pressed, moment in edges if one == name and moment <= when]
            assert own[-1][1]
            assert own[-1][0] <= when - seconds + 1e-9


def test_the_machine_is_switched_off_by_logind_or_says_why_not() -> None:
    """The reason is one sentence with what to do."""
    asked: list[object] = []
    assert power_off(lambda command: asked.append(command) or "") == ""
    assert asked == [ASKED]
    assert power_off(lambda _: "Access denied.") == (
        "The machine could not be switched off (Access denied): sudo poweroff does it."
    )
