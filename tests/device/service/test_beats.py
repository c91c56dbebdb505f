"""Who must beat: when systemd is told that all is well, and what people are told."""

import math

import pytest

from device.service.beats import ENGINE_S, PAGE_GONE_S, PAGE_S, QUEUE_S, WRITING_S, Beats, Pulse, late, well


@pytest.mark.parametrize(
    ("beats", "alive", "said"),
    [
        (Beats(), True, ""),
        (Beats(page_s=None), True, ""),
        (Beats(engine_s=ENGINE_S - 0.1), True, ""),
        (Beats(engine_s=ENGINE_S), False, "has not answered for 2 s"),
        (Beats(page_s=PAGE_S - 0.1), True, ""),
        (Beats(page_s=PAGE_S), True, "The page does not answer in time"),
        (Beats(page_s=PAGE_GONE_S), False, "The page does not answer in time"),
        (Beats(page_s=math.inf), False, "The page does not answer in time"),
        (Beats(queue_s=QUEUE_S - 0.1), True, ""),
        (Beats(queue_s=QUEUE_S), False, "has waited 5 s"),
        (Beats(queue_s=QUEUE_S, writing_s=QUEUE_S), True, "has waited 5 s"),
        (Beats(queue_s=WRITING_S, writing_s=WRITING_S), False, "has waited 60 s"),
    ],
)  # fmt: skip
def test_what_holds_systemd_off(beats: Beats, alive: bool, said: str) -> None:
    """Whatever of ours is gone withholds the word; a disk or page that is only slow does not, but is told."""
    assert well(beats) is alive
    words = " ".join(late(beats))
    assert (said in words) if said else not words


def test_a_pulse() -> None:
    """It ages from its last beat; within its grace it has no age."""
    now = [10.0]
    pulse = Pulse(lambda: now[0])
    now[0] = 12.5
    assert pulse.age_s == 2.5
    pulse.beat(60.0)
    now[0] = 70.0
    assert pulse.age_s == 0.0
    now[0] = 74.5
    assert pulse.age_s == 2.0
    pulse.beat()
    assert pulse.age_s == 0.0
