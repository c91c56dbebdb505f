"""The figures are read by the parser that Prometheus' own library has."""

import re
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from device.home.prometheus import metrics_text
from tests.device.home.well import ILL, NO_PI, WELL


def read(health: dict[str, Any]) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    families = list(text_string_to_metric_families(metrics_text(health)))
    assert all(family.documentation.endswith(".") for family in families)
    assert all(family.type in ("gauge", "counter") for family in families)
    found = [(sample.name, *sample.labels.values()) for family in families for sample in family.samples]
    assert len(set(found)) == len(found)
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_a_box_that_is_well_is_told_in_base_units() -> None:
    """Seconds, bytes, degrees Celsius; one status and one state of the camera are 1."""
    told = read(WELL)
    assert told[("pipwatch_info", "1.2")] == 1
    assert told[("pipwatch_status", "ok")] == 1
    assert told[("pipwatch_status", "failing")] == 0
    assert told[("pipwatch_match_info", "draw-game", "watching")] == 1
    assert told[("pipwatch_match_entries",)] == 14
    assert told[("pipwatch_camera_state", "ok")] == 1
    assert told[("pipwatch_camera_restarts_total",)] == 2
    assert told[("pipwatch_camera_frames_per_second",)] == pytest.approx(9.8)
    assert told[("pipwatch_gate_seconds",)] == pytest.approx(0.0125)
    assert told[("pipwatch_reading_seconds",)] == pytest.approx(0.64)
    assert told[("pipwatch_disk_free_bytes",)] == 12e9
    assert told[("pipwatch_temperature_celsius",)] == pytest.approx(61.5)
    assert (told[("pipwatch_throttled",)], told[("pipwatch_clock_synced",)]) == (0, 1)


def test_a_box_that_ails_tells_why() -> None:
    """Each reason of its being held back is a label; what is not measured just now is left out."""
    told = read(ILL)
    assert (told[("pipwatch_status", "degraded")], told[("pipwatch_status", "ok")]) == (1, 0)
    assert (told[("pipwatch_match_running",)], told[("pipwatch_throttled",)]) == (0, 1)
    assert told[("pipwatch_throttled_reason", "under-voltage")] == 1
    assert told[("pipwatch_throttled_reason", "frequency capped")] == 1
    assert told[("pipwatch_clock_synced",)] == 0
    assert not [key for key in told if key[0] in ("pipwatch_match_info", "pipwatch_gate_seconds")]


def test_a_computer_that_is_no_pi_tells_nothing_that_nobody_knows() -> None:
    """Neither heat, nor power, nor whether the clock is set, nor how old the frame of no camera is."""
    told = {key[0] for key in read(NO_PI)}
    lacking = {"temperature_celsius", "throttled", "clock_synced", "camera_frame_age_seconds"}
    assert not told & {f"pipwatch_{name}" for name in lacking}


def test_what_a_label_says_is_read_back_whatever_it_is() -> None:
    """Quotes, backslashes and line ends; names are as Prometheus wants them."""
    odd = 'a "quote", a \\ and\na line'
    assert read({**WELL, "version": odd})[("pipwatch_info", odd)] == 1
    names = re.findall(r"^# TYPE (\S+)", metrics_text(WELL), re.MULTILINE)
    assert names
    assert all(re.fullmatch(r"pipwatch_[a-z_]+", name) for name in names)
