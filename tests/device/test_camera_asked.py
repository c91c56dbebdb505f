"""What a camera and a service are asked for in the field report, by the stand-in of the camera's library."""

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.cameras.own_process import Apart, program
from device.cameras.wanted import CameraSettings
from device.cli import UserError, field_report
from device.health import camera_asked, field_machine, watching
from device.health.field_checks import ITEMS, Unmeasured
from device.health.field_machine import ThisMachine
from device.health.service_memory import ServiceMemory, held_bytes, memory_in_play, service_memory
from device.live.ports import Away, Shot
from device.live.source_name import SourceName
from device.settings import Settings
from tests.device.home.well import WELL

LATE = 4
STILL = np.zeros((48, 64, 3), np.uint8)


@pytest.fixture
def camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apart]:
    """A camera in a process of its own that obeys so many frames late, and films by now."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    (tmp_path / "plan").write_text("fine\nfine", encoding="utf-8")
    (tmp_path / "late-frames").write_text(str(LATE), encoding="utf-8")
    dark = '{"ExposureTime": 2000, "AnalogueGain": 1.0}'
    (tmp_path / "automatic").write_text(dark, encoding="utf-8")
    wanted = CameraSettings(size=(640, 480), watch_size=(96, 72), fps=60.0)
    source = Apart(program("picamera", wanted.to_json(), "0.05"), "The camera")
    until = time.monotonic() + 60
    while not isinstance(source.next(0.2), Shot):
        assert time.monotonic() < until
    yield source
    source.close()


def lens_orders(figure: str) -> int:
    """To how many orders the lens has answered."""
    found = re.search(rf"lens: {LATE} frames \(\d+ to \d+, n = (\d+)\)", figure)
    assert found is not None, figure
    return int(found[1])


def test_a_camera_tells_its_large_picture_its_choice_its_sweep_and_how_late_it_obeys(camera: Apart) -> None:
    """Each by what is really asked of its process."""
    assert re.fullmatch(r"640×480, \d+ ms, \d+ ms at most \(n = 5\)", camera_asked.large(camera))
    chosen = camera_asked.chosen(camera)
    assert chosen.startswith("imx708: large 640×480, watched 96×72, 4 buffers of each")
    assert re.search(r"of \d+ MB (contiguous )?memory, \d+ free\)$", chosen)
    before = lens_orders(camera_asked.obeys(camera))
    assert re.search(rf"exposure: {LATE} frames", camera_asked.obeys(camera))
    began = time.monotonic()
    figure = camera_asked.sweep(camera)
    assert 0 < float(figure.removesuffix(" s")) <= time.monotonic() - began + 0.1
    assert lens_orders(camera_asked.obeys(camera)) > before  # it was swept, and not only asked to


class Fake:
    """A source under a clock of ours that does as a test says."""

    recorded = False

    def __init__(self, found: Any, *, focuses: bool = True, large: bool = True, told: Any = ()) -> None:
        self.now, self.found, self.told = 0.0, found, dict(told)
        self._focuses, self._large = focuses, large

    def next(self, timeout_s: float) -> Any:
        """What comes at this moment."""
        self.now += timeout_s
        return self.found(self.now) if callable(self.found) else self.found

    def ask_large(self, _count: int = 1, _share: float = 1.0) -> bool:
        """Whether there are any."""
        return self._large

    def came_large(self) -> Sequence[Shot]:
        """None ever."""
        return ()

    def focus_again(self) -> bool:
        """Whether it can."""
        return self._focuses

    def close(self) -> None:
        """Let go."""


def test_a_sweep_lasts_from_the_asking_to_the_next_picture() -> None:
    """Pictures that were on their way before it began do not end it."""

    def found(now: float) -> Any:
        return Away("", is_busy=True) if 0.5 < now < 19.9 else Shot(0, now, STILL)

    source = Fake(found)
    assert camera_asked.sweep(source, lambda: source.now) == "19.9 s"


def no_figure(ask: Any, source: Any) -> str:
    """Why there is none."""
    with pytest.raises(Unmeasured) as why:
        ask(source) if ask in (camera_asked.chosen, camera_asked.obeys) else ask(source, lambda: source.now)
    return str(why.value)


def test_what_cannot_be_had_says_why() -> None:
    """No camera, one that has it not, and one that does not do it."""
    shot, busy = Shot(0, 0.0, STILL), Away("", is_busy=True)
    assert no_figure(camera_asked.sweep, Fake(shot, focuses=False)) == "no lens that is swept"
    assert no_figure(camera_asked.sweep, Fake(shot)) == "it did not begin"
    assert no_figure(camera_asked.sweep, Fake(busy)) == "it did not end within 90 s"
    assert "no larger pictures" in no_figure(camera_asked.large, Fake(shot, large=False))
    assert no_figure(camera_asked.large, Fake(shot)) == "none within 10 s"
    assert "chooses its sizes" in no_figure(camera_asked.chosen, Fake(shot))
    assert "does not say" in no_figure(camera_asked.obeys, Fake(shot))
    for ask in (camera_asked.sweep, camera_asked.large, camera_asked.chosen, camera_asked.obeys):
        with pytest.raises(Unmeasured):
            ask(None)


def test_a_camera_that_does_not_obey_is_told() -> None:
    """How often it did, and how often it never did."""
    source: Any = Fake(None, told={"late": {"exposure": [3, 0, 5], "lens": [0, 0]}})
    assert (
        camera_asked.obeys(source) == "exposure: 4 frames (3 to 5, n = 2), never 1 times; lens: never 2 times"
    )


class Processes:
    """A machine on which the service runs in two processes."""

    def __init__(self, root: Path) -> None:
        for name, text in {
            "sys/fs/cgroup/system.slice/pipwatch.service/cgroup.procs": "41\n42\n43\n",
            "proc/41/smaps_rollup": "Rss:  200000 kB\nPss:              100000 kB\nPss_Dirty: 7 kB\n",
            "proc/42/smaps_rollup": "Pss:               50000 kB\n",
        }.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="ascii")
        self.group = "/system.slice/pipwatch.service\n"
        self.this = ThisMachine(lambda command: self.group if "ControlGroup" in command else "", root)


def test_the_memory_of_the_service_is_at_rest_or_in_play(tmp_path: Path) -> None:
    """As its health says; one that has just ended counts no more."""
    machine = Processes(tmp_path)
    found = service_memory(machine.this, {**WELL, "game": None})
    assert found.rest() == "154 MB in 3 processes, its camera ok"
    with pytest.raises(Unmeasured):  # this machine's own processes are not below that folder
        found.play(machine.this)
    found = service_memory(machine.this, WELL)
    assert found.play(machine.this) == "154 MB in 3 processes, its camera ok"
    with pytest.raises(Unmeasured, match="a match goes on"):
        found.rest()
    for other in (
        service_memory(machine.this, {}),
        service_memory(ThisMachine(lambda _: "", tmp_path), WELL),
    ):
        assert other == ServiceMemory()
        with pytest.raises(Unmeasured, match="does not run"):
            other.rest()


def test_without_a_match_the_report_s_own_eye_stands_in(camera: Apart) -> None:
    """This very process and the camera's: both are there, and neither is nothing."""
    child = watching.camera_process()
    assert child is not None
    assert camera.told
    figure = memory_in_play()
    assert re.fullmatch(r"\d+ MB, of this watch and reading with its camera", figure)
    alone = held_bytes([child])
    assert alone is not None
    assert int(figure.split()[0]) * 1e6 > alone


def test_the_report_asks_the_service_before_it_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All rows of the camera and the memory are there, each with a figure or why not."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(field_machine, "_BYTES", 2_000_000)
    monkeypatch.setattr(field_machine, "_SYNCS", 3)
    monkeypatch.setattr(field_report, "reading_ratio", lambda *_: "30")
    machine = Processes(tmp_path)
    asked = []
    monkeypatch.setattr(field_report, "asked", lambda url: asked.append(url) or {**WELL, "game": None})
    field_report.write(SourceName("none"), Settings(), 0.01, None, machine.this)
    assert asked == ["http://localhost:8000"]
    rows = dict(line.strip("| ").split(" | ")[::2] for line in capsys.readouterr().out.splitlines()[2:])
    assert rows["memory of the service, at rest"] == "154 MB in 3 processes, its camera ok"
    assert rows["large picture"] == "not measured: no camera that has larger pictures"
    named = {item.what for item in ITEMS if item.key in ("large", "chosen", "sweep", "obeys", "memory_play")}
    assert len(named & rows.keys()) == 5

    def silent(_url: str) -> Any:
        raise UserError("no box answers.")

    monkeypatch.setattr(field_report, "asked", silent)
    field_report.write(SourceName("none"), Settings(), 0.01, None, machine.this)
    assert "not measured: pipwatch.service does not run" in capsys.readouterr().out
