"""Each press means one thing, short, long or together, however the contacts chatter."""

import itertools
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.match.signals import Told
from device.panel.gpio_pins import BUTTONS
from device.panel.press_meaning import Grip, Meaning
from device.panel.wish import Wish
from device.power import ASKED, MAY, power_off, refusal
from tests.device.panel.test_debounce import press

A, B, UNDO, PAUSE, AS_IT_IS = BUTTONS.values()
FOUR = ("confirm_a", "confirm_b", "undo", "pause")
FIVE = (*FOUR, "as_it_is")
THREE = ("confirm_a", "confirm_b", "undo")
Edges = list[tuple[float, str, bool]]


def heard(
    edges: Edges, names: tuple[str, ...] = FIVE, *, wishes: bool = True, closed: tuple[str, ...] = (),
    polls: random.Random | None = None,
) -> list[Meaning]:  # fmt: skip
    """What is meant by these edges; ``polls`` also asks at times in between."""
    grip, found = Grip.of(names, wishes=wishes, closed=closed), list[Meaning]()
    edges = sorted(edges)
    for number, (at, name, wire) in enumerate(edges):
        grip, said = grip.edge(name, wire, at)
        found += said
        if polls is not None:
            until = edges[number + 1][0] if number + 1 < len(edges) else at + 1
            grip, said = grip.time(polls.uniform(at, until))
            found += said
    return found + list(grip.time(edges[-1][0] + 60)[1])


def clean(*holds: tuple[str, float, float]) -> Edges:
    """Buttons by name, each from when to when, without any chatter."""
    return [(at, name, down) for name, *times in holds for at, down in zip(times, (True, False), strict=True)]


def when(edges: Edges, names: tuple[str, ...] = FIVE) -> list[tuple[Meaning, float]]:
    """What is meant, and when that is known, if it is asked every 10 ms."""
    grip, found, waiting = Grip.of(names, wishes=True), [], sorted(edges)
    for tick in range(1500):
        now = tick / 100
        while waiting and waiting[0][0] <= now:
            at, name, wire = waiting.pop(0)
            grip, said = grip.edge(name, wire, at)
            found += [(one, now) for one in said]
        grip, said = grip.time(now)
        found += [(one, now) for one in said]
    return found


# — one by one —


def test_pause_is_told_when_it_is_let_go_and_five_seconds_switch_off_instead() -> None:
    """A long press is no pause besides, and means its one thing while it is still held."""
    assert heard(clean(("pause", 1, 1.1))) == [PAUSE]
    assert heard(clean(("pause", 1, 5.9))) == [PAUSE]
    assert heard(clean(("pause", 1, 6.1))) == [Wish.SHUTDOWN]
    ((wish, at),) = when(clean(("pause", 1, 12)))
    assert wish is Wish.SHUTDOWN
    assert at == pytest.approx(6, abs=0.02)


def test_both_confirms_together_let_a_move_stand_or_a_phone_in() -> None:
    """A short chord is one confirm of each player; three seconds are none, and open pairing."""
    assert heard(clean(("confirm_a", 1, 1.5), ("confirm_b", 1.1, 1.6))) == [A, B]
    assert heard(clean(("confirm_b", 1, 3.9), ("confirm_a", 1.1, 5))) == [B, A]
    assert heard(clean(("confirm_a", 1, 4.3), ("confirm_b", 1.1, 4.3))) == [Wish.PAIR]
    ((wish, at),) = when(clean(("confirm_a", 1, 9), ("confirm_b", 1.1, 9)))
    assert wish is Wish.PAIR
    assert at == pytest.approx(4.1, abs=0.02)


def test_a_confirm_that_has_counted_takes_no_part_in_what_is_held_after_it() -> None:
    """Whoever confirms and keeps the finger there has confirmed; the other's press waits for its end."""
    assert heard(clean(("confirm_a", 1, 3), ("confirm_b", 2, 2.2))) == [A, B]
    assert heard(clean(("confirm_a", 1, 9), ("confirm_b", 2, 9))) == [A, Wish.PAIR]
    assert heard(clean(("confirm_a", 1, 3), ("confirm_b", 2, 2.2), ("confirm_b", 2.5, 2.6))) == [A, B, B]


def test_a_confirm_alone_is_told_within_a_fifth_of_a_second() -> None:
    """A tap when it is let go, one that is held a moment after it began: nobody waits to be heard."""
    assert when(clean(("confirm_a", 1, 1.08))) == [(A, pytest.approx(1.1, abs=0.01))]
    assert when(clean(("confirm_a", 1, 9))) == [(A, pytest.approx(1.21, abs=0.01))]
    assert when(clean(("undo", 1, 9))) == [(UNDO, pytest.approx(1.01, abs=0.01))]


def test_the_fifth_button_takes_the_table_as_it_is_or_copies_to_a_stick() -> None:
    """Three seconds are a backup, and then the table is not taken."""
    assert heard(clean(("as_it_is", 1, 3.9))) == [AS_IT_IS]
    assert heard(clean(("as_it_is", 1, 4.1))) == [Wish.BACKUP]


def test_with_four_buttons_undo_is_held_for_a_backup() -> None:
    """Pause has a button and the table has none: nothing else is meant by holding undo."""
    assert heard(clean(("undo", 1, 3.9)), FOUR) == [UNDO]
    assert heard(clean(("undo", 1, 4.1)), FOUR) == [Wish.BACKUP]
    assert when(clean(("undo", 1, 1.2)), FOUR) == [(UNDO, pytest.approx(1.23, abs=0.02))]
    assert heard(clean(("undo", 1, 9)), FOUR, wishes=False) == [UNDO]
    assert heard(clean(("undo", 1, 9)), FIVE) == [UNDO]
    assert heard(clean(("undo", 1, 9), ("pause", 2, 3)), FOUR) == [UNDO, PAUSE]


def test_with_three_buttons_undo_is_held_for_a_pause() -> None:
    """Short it takes back, from a second and a half on it pauses, after five seconds it switches off."""
    assert heard(clean(("undo", 1, 2.4)), THREE) == [UNDO]
    assert heard(clean(("undo", 1, 2.6)), THREE) == [PAUSE]
    assert heard(clean(("undo", 1, 6.1)), THREE) == [Wish.SHUTDOWN]
    assert heard(clean(("undo", 1, 6.1)), THREE, wishes=False) == [PAUSE]


def test_without_a_box_every_press_means_what_it_says_at_once() -> None:
    """Nobody could grant what holding asks for, so nothing waits for it."""
    assert heard(clean(("pause", 1, 9)), wishes=False) == [PAUSE]
    assert heard(clean(("confirm_a", 1, 9), ("confirm_b", 1.1, 9)), wishes=False) == [A, B]
    assert heard(clean(("as_it_is", 1, 9)), wishes=False) == [AS_IT_IS]


def test_what_leans_on_several_buttons_asks_nothing_of_the_box() -> None:
    """A book on the panel is a press of each, and neither switches off nor opens a door."""
    everything = [(name, 1 + n / 10, 30.0) for n, name in enumerate(FIVE)]
    assert sorted(map(str, heard(clean(*everything)))) == sorted(map(str, (A, B, UNDO, PAUSE, AS_IT_IS)))
    assert heard(clean(("pause", 1, 9), ("undo", 3, 4))) == [PAUSE, UNDO]


def test_a_button_that_reads_pressed_from_the_beginning_means_nothing() -> None:
    """It switches no box off that has just begun; once it was open it is a button again."""
    grip = Grip.of(FIVE, wishes=True, closed=("pause",))
    assert (grip.time(60)[1], grip.due) == ((), None)
    assert heard([(9.0, "pause", False), *clean(("pause", 10, 10.1))], closed=("pause",)) == [PAUSE]
    assert heard(clean(("confirm_a", 1, 9)), closed=("confirm_b",)) == [A]


def test_a_hold_is_announced_before_it_asks_for_anything() -> None:
    """Whoever leans on a button sees it in time; a tap, or one that asks nothing, announces nothing."""
    grip, _ = Grip.of(FIVE, wishes=True).edge("pause", True, 1.0)
    (hint,) = grip.time(1.5)[0].hints()
    assert 1.5 < hint < 3.0
    assert not list(grip.edge("pause", False, 1.2)[0].time(2)[0].hints())
    undo, _ = Grip.of(FIVE, wishes=True).edge("undo", True, 1.0)
    assert not list(undo.time(1.0)[0].hints())


# — any —


def act(rng: random.Random, at: float) -> tuple[Edges, list[Meaning], float]:
    """Somebody does one thing with chattering contacts: its edges, what it means, and when all is quiet."""
    kind = rng.randrange(4)
    if kind == 0:
        both = [*BUTTONS][:2]
        rng.shuffle(both)
        apart, long = rng.uniform(0, 0.12), rng.random() < 0.5
        held = rng.uniform(3.2, 6) if long else rng.uniform(0.16, 2.7)
        first, _ = press(rng, at, held + apart)
        second, end = press(rng, at + apart, held)
        said: list[Meaning] = [Wish.PAIR] if long else [BUTTONS[both[0]], BUTTONS[both[1]]]
        edges = [(t, both[0], wire) for t, wire in first] + [(t, both[1], wire) for t, wire in second]
        return edges, said, max(end, first[-1][0]) + 0.05
    name = rng.choice(FIVE)
    limit = {"pause": 5.0, "as_it_is": 3.0}.get(name)
    long = limit is not None and kind == 1
    held = rng.uniform(limit + 0.1, limit + 3) if limit and long else rng.uniform(0, 2.8)
    more, end = press(rng, at, held)
    said = [BUTTONS[name]]
    if long:
        said = [Wish.SHUTDOWN if name == "pause" else Wish.BACKUP]
    return [(t, name, wire) for t, wire in more], said, end + 0.05


def by_any_order_of_two(found: list[Meaning]) -> list[str]:
    """The same with confirms that follow one another sorted: which of two fingers was first is chatter."""
    told = [str(one) for one in found]
    runs = itertools.groupby(told, key=lambda one: "'confirm'" in one)
    return [one for confirms, run in runs for one in (sorted(run) if confirms else run)]


TRACES = given(st.integers(0, 2**63), st.integers(1, 4))
OVERLAPS = given(
    st.lists(
        st.tuples(st.sampled_from(FIVE), st.floats(0.02, 7), st.floats(0.02, 7)), min_size=1, max_size=20
    )
)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@TRACES
def test_every_trace_of_chattering_contacts_means_what_was_done(seed: int, acts: int) -> None:
    """Exactly one meaning a press, in order; a hold or a chord is never a press too."""
    means_what_was_done(seed, acts)


@pytest.mark.long
@pytest.mark.plain
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@TRACES
def test_ten_thousand_traces_mean_what_was_done(seed: int, acts: int) -> None:
    """The same of ten thousand traces."""
    means_what_was_done(seed, acts)


def means_what_was_done(seed: int, acts: int) -> None:
    """Asserts that a trace drawn from a seed is heard as what was done, whenever the contacts are asked."""
    rng, at, edges, wanted = random.Random(seed), 1.0, Edges(), list[Meaning]()
    for _ in range(acts):
        more, said, at = act(rng, at)
        edges += more
        wanted += said
        at += rng.uniform(0, 1)
    assert by_any_order_of_two(heard(edges)) == by_any_order_of_two(wanted)
    assert by_any_order_of_two(heard(edges, polls=rng)) == by_any_order_of_two(wanted)


@settings(max_examples=250, deadline=None)
@OVERLAPS
def test_however_presses_overlap_each_means_one_thing(presses: list[tuple[str, float, float]]) -> None:
    """Hands of two people at once: none is lost and none counts twice, whatever else is held."""
    means_one_thing_each(presses)


@pytest.mark.long
@pytest.mark.plain
@settings(max_examples=4000, deadline=None)
@OVERLAPS
def test_thousands_of_overlapping_presses_mean_one_thing_each(
    presses: list[tuple[str, float, float]],
) -> None:
    """The same of four thousand."""
    means_one_thing_each(presses)


def means_one_thing_each(presses: list[tuple[str, float, float]]) -> None:
    """Asserts that presses of these buttons, each after a wait and held so long, are each heard once."""
    free, holds = dict.fromkeys(FIVE, 0.0), []
    for name, wait, held in presses:
        began = free[name] + wait
        free[name] = began + held
        holds.append((name, began, began + held))
    found = heard(clean(*holds))
    counts = {name: sum(1 for one, *_ in holds if one == name) for name in FIVE}
    pairs, off, copies = (found.count(wish) for wish in (Wish.PAIR, Wish.SHUTDOWN, Wish.BACKUP))
    assert found.count(PAUSE) + off == counts["pause"]
    assert found.count(AS_IT_IS) + copies == counts["as_it_is"]
    assert found.count(UNDO) == counts["undo"]
    confirms = sum(isinstance(one, Told) and one.kind is A.kind for one in found)
    presses_of_both = counts["confirm_a"] + counts["confirm_b"]
    assert confirms + pairs <= presses_of_both <= confirms + 2 * pairs
    assert found.count(A) <= counts["confirm_a"]
    assert found.count(B) <= counts["confirm_b"]


def test_the_machine_is_switched_off_by_logind_or_says_why_not() -> None:
    """The reason is one sentence with what to do."""
    asked: list[object] = []
    assert power_off(lambda command: asked.append(command) or "") == ""
    assert asked == [ASKED]
    assert power_off(denied) == (
        "The machine could not be switched off (Access denied): sudo poweroff does it."
    )


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('s "yes"\n', ""),
        ('s "challenge"\n', 'logind says s "challenge"'),
        ('s "no"\n', "no"),
        ("", "nothing"),
    ],
)
def test_logind_is_asked_beforehand_whether_it_would(answer: str, told: str) -> None:
    """Only a plain yes is one; a machine without logind says why, too."""
    asked: list[object] = []
    words = refusal(lambda command: asked.append(command) or answer)
    assert asked == [MAY]
    assert bool(words) == bool(told)
    assert told in words
    assert "Access denied" in refusal(denied)


def denied(_command: object) -> str:
    """What is not granted."""
    raise OSError("Access denied.")
