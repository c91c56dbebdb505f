"""One press is one press, however the contact chatters."""

import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from device.panel.debounce import CLOSED_S, OPEN_S, Contact

Edge = tuple[float, bool]


def chatter(rng: random.Random, at: float, ends: bool) -> Iterator[Edge]:
    """A contact on its way to closed (or open): it bounces for up to 30 ms, in gaps that no press lasts."""
    until = at + rng.uniform(0, 0.03)
    closed = ends
    yield at, closed
    while True:
        at += rng.uniform(0.0001, (CLOSED_S if closed else OPEN_S) * 0.98 if not ends else
                          (OPEN_S * 0.98 if not closed else CLOSED_S * 0.98))  # fmt: skip
        if at > until and closed is ends:
            return
        closed = not closed
        yield at, closed


def press(rng: random.Random, at: float, held: float) -> tuple[list[Edge], float]:
    """One press: chatter, held, chatter; and the time at which the contact is surely open again."""
    edges = list(chatter(rng, at, True))
    edges += chatter(rng, edges[-1][0] + CLOSED_S + held, False)
    return edges, edges[-1][0] + OPEN_S


def presses(edges: list[Edge], polls: random.Random | None = None) -> list[float]:
    """When the logic says that the button was pressed; ``polls`` also asks it in between."""
    contact, found = Contact(), []
    for number, (at, closed) in enumerate(edges):
        contact, pressed = contact.edge(closed, at)
        found += [at] if pressed else []
        if polls and contact.due is not None:
            until = edges[number + 1][0] if number + 1 < len(edges) else at + 1
            moment = polls.uniform(at, until)
            contact, pressed = contact.time(moment)
            found += [moment] if pressed else []
    contact, pressed = contact.time(edges[-1][0] + 60)
    return found + ([edges[-1][0]] if pressed else [])


def test_of_10_000_presses_none_is_lost_and_none_is_doubled() -> None:
    """Tapped, held for seconds, doubled as fast as a finger can: each press counts once."""
    rng, at, edges, count = random.Random(1), 0.0, list[Edge](), 0
    for _ in range(10_000):
        held = rng.choice((rng.uniform(0, 0.02), rng.uniform(0.05, 0.3), rng.uniform(1, 20)))
        more, at = press(rng, at, held)
        edges += more
        at += rng.choice((rng.uniform(0, 0.01), rng.uniform(0.05, 0.2), rng.uniform(0.5, 5)))
        count += 1
    assert len(presses(edges)) == count
    assert len(presses(edges, random.Random(2))) == count
    assert len(edges) > 30_000


def test_twenty_presses_a_second_are_twenty() -> None:
    """Faster than anybody plays: 25 ms closed, 25 ms open, with a short bounce."""
    edges: list[Edge] = []
    for number in range(1000):
        at = number * 0.05
        edges += [(at, True), (at + 0.001, False), (at + 0.002, True), (at + 0.025, False)]
    assert len(presses(edges)) == 1000


def test_two_buttons_pressed_together_both_count() -> None:
    """Each contact is its own: what one does never hides the other, even in the same instant."""
    rng = random.Random(3)
    for _ in range(1000):
        at = rng.uniform(0, 5)
        one, _ = press(rng, at, rng.uniform(0, 0.5))
        other, _ = press(rng, at + rng.choice((0.0, rng.uniform(0, 0.01))), rng.uniform(0, 0.5))
        assert len(presses(one)) == len(presses(other)) == 1


@given(st.lists(st.floats(0.00001, CLOSED_S * 0.99), min_size=1, max_size=20), st.floats(0.0001, 1))
def test_sparks_are_no_presses(lengths: list[float], apart: float) -> None:
    """What is shorter than any press counts for nothing, however often it comes."""
    at, edges = 1.0, list[Edge]()
    for length in lengths:
        edges += [(at, True), (at + length, False)]
        at += length + apart
    assert presses(edges) == []


@given(st.floats(0, 1000), st.integers(1, 5))
def test_a_stuck_button_is_one_press(held: float, said: int) -> None:
    """Held for a quarter of an hour, or reported closed several times, it is one press."""
    edges = [(1.0 + number * 0.5, True) for number in range(said)]
    assert len(presses([*edges, (1.0 + said + held, False)])) == 1


def test_edges_that_come_late_count_by_when_they_were() -> None:
    """A stalled process that hears of three presses at once still counts three."""
    edges: list[Edge] = []
    for number in range(3):
        edges += [(number * 0.2, True), (number * 0.2 + 0.1, False)]
    assert len(presses(edges)) == 3
