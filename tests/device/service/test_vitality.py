"""How the box is: machines of any kind below a folder, rounds of the overseer, and what is told of them."""

import math
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import pytest

from device.service.beats import Pulse
from device.service.box import Open, Place, Seating, Standing, Wanted
from device.service.box_match import Around, BoxMatch
from device.service.front import Front
from device.service.kept_camera import CameraState
from device.service.machinery import Machinery
from device.service.notify import Notifier
from device.service.overseer import PERIOD_S, Facts, Overseer
from device.service.vitality import HOT_C, LEAST_MB, Health, status_of, strained
from device.settings import Settings

FIELDS = (
    "status since version game camera gate_ms reading_ms journal page temperature_c throttled disk_free_mb "
    "clock work remarks"
)  # fmt: skip
NOW = 1_800_000_000.0


class FakePi:
    """A machine below a folder."""

    def __init__(self, root: Path) -> None:
        self.root, self.said, self.year = root, "", NOW
        self.kernel: int | None = 0
        self.closed: set[str] = set()

    def write(self, path: str, text: str) -> None:
        """A file of the system."""
        where = self.root / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(text)

    @property
    def machinery(self) -> Machinery:
        """What is asked about it."""
        return Machinery(
            self.root, run=lambda _command: self.said, now=lambda: self.year,
            kernel_clock=lambda: self.kernel, may_open=lambda path: path.name not in self.closed,
        )  # fmt: skip


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    """A machine."""
    return FakePi(tmp_path)


def test_heat(pi: FakePi) -> None:
    """The hottest sensor; what cannot be read is left out, and none is none."""
    assert pi.machinery.temperature_c() is None
    pi.write("sys/class/thermal/thermal_zone0/temp", "48312\n")
    pi.write("sys/class/thermal/thermal_zone1/temp", "61850\n")
    pi.write("sys/class/thermal/thermal_zone2/temp", "unknown\n")
    assert pi.machinery.temperature_c() == 61.9


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("0", ()),
        ("50005", ("under-voltage", "throttled", "under-voltage before", "throttled before")),
        ("a0000", ("frequency capped before", "hot before")),
        ("8", ("hot",)),
    ],
)
@pytest.mark.parametrize("by_file", [True, False])
def test_the_firmware_s_word(pi: FakePi, word: str, told: tuple[str, ...], by_file: bool) -> None:
    """By the kernel's file, or by the firmware's own program; nothing where there is neither."""
    assert pi.machinery.throttled() is None
    if by_file:
        pi.write("sys/devices/platform/soc/soc:firmware/get_throttled", f"{word}\n")
    else:
        pi.said = f"throttled=0x{word}\n"
    assert pi.machinery.throttled() == told
    assert any("power supply" in one for one in pi.machinery.remarks()) is ("under-voltage" in told)


def test_the_clock(pi: FakePi) -> None:
    """By systemd's mark, else by the kernel, else nobody knows."""
    seen = []
    for pi.kernel in (None, 5, 0):
        seen.append(pi.machinery.clock())
    assert seen == ["unknown", "unsynced", "synced"]
    pi.kernel = 5
    pi.write("run/systemd/timesync/synchronized", "")
    assert pi.machinery.clock() == "synced"
    assert not pi.machinery.remarks()
    pi.year = 0.0
    assert "The clock shows the year 1970" in pi.machinery.remarks()[0]


def test_devices_that_may_not_be_opened(pi: FakePi) -> None:
    """Told with the group that may; one of several is enough."""
    for node in ("dev/video0", "dev/video1", "dev/gpiochip0"):
        pi.write(node, "")
    assert not pi.machinery.remarks()
    pi.closed = {"video0", "gpiochip0"}
    (only,) = pi.machinery.remarks()
    assert "/dev/gpiochip0" in only
    assert "usermod -aG gpio" in only


def test_room_on_the_disk(pi: FakePi) -> None:
    """Also where the folder is not there yet."""
    free = pi.machinery.disk_free_mb(pi.root / "not" / "yet")
    assert free is not None
    assert free > 0


def test_figures_that_are_wrong_by_themselves() -> None:
    """Heat and a full disk are told from their limits on; figures that are not known say nothing."""
    assert strained(HOT_C - 0.1, LEAST_MB) == strained(None, None) == ()
    assert "80 °C" in strained(HOT_C, None)[0]
    assert "499 MB" in strained(None, LEAST_MB - 1)[0]
    assert [status_of((), ()), status_of((), ("a",)), status_of(("b",), ())] == ["ok", "degraded", "failing"]


def test_the_fields_are_those_that_others_read() -> None:
    """A house, a collector and `pipwatch status` know these names, and plain data alone."""
    told = Health("ok", "2027-01-15T08:00:00Z", "0.1.0", remarks=("One.",), throttled=()).to_json()
    assert list(told) == FIELDS.split() == [field.name for field in fields(Health)]
    assert list(told["camera"]) == ["state", "age_s", "restarts", "fps", "words"]
    assert list(told["journal"]) == ["queue", "last_commit_s"]
    assert list(told["page"]) == ["viewers"]
    assert (told["remarks"], told["throttled"], told["game"]) == (["One."], [], None)


# — the overseer —


class Seen:
    """A box as its overseer sees it: what stands still is set by the test."""

    def __init__(self, pi: FakePi, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.words, self.page, self.camera = 0.0, list[str](), 0.0, CameraState("ok", 0.1, 0, 10.0)
        self.pulse = Pulse(lambda: self.now)
        self.remarks: tuple[str, ...] = ()
        self.match: BoxMatch | None = None
        self.looks = 0
        front, notifier = Front(lambda: pytest.fail("no page is opened here"), 8000), Notifier({})
        monkeypatch.setattr(Front, "answers", lambda _self: self.page)
        monkeypatch.setattr(Notifier, "_send", lambda _self, word: self.words.append(word))
        monkeypatch.setattr("device.service.overseer.remember", self.look)
        self.overseer = Overseer(self.facts, front, self, notifier, pi.machinery, pi.root)  # type: ignore[arg-type]

    def facts(self) -> Facts:
        """The box."""
        return Facts(Standing(Place.LOBBY), self.pulse.age_s, self.match, self.remarks)

    def look(self) -> None:
        """It is seen which cameras are connected."""
        self.looks += 1

    def state(self) -> CameraState:
        """The camera."""
        return self.camera

    def alive(self) -> bool:
        """Whether one round tells systemd that all is well."""
        self.words.clear()
        self.overseer.round()
        return "WATCHDOG=1" in self.words


@pytest.fixture
def seen(pi: FakePi, monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    """A box that is well."""
    monkeypatch.setattr("device.service.overseer.chosen", lambda: "a camera")
    monkeypatch.setattr("device.service.machinery.shutil.disk_usage", lambda _path: SimpleNamespace(free=9e9))
    return Seen(pi, monkeypatch)


def test_a_box_that_is_well(seen: Seen) -> None:
    """It says so every round, and its health is ok."""
    assert seen.alive()
    assert seen.overseer.health.status == "ok"
    assert seen.overseer.health.since == "2027-01-15T08:00:00Z"


def test_each_round_sees_which_cameras_are_connected(seen: Seen) -> None:
    """A twin that comes and goes between two matches is met, too."""
    assert [seen.alive(), seen.looks, seen.alive(), seen.looks] == [True, 1, True, 2]


def test_memory_goes_back_in_each_round_of_a_match(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks need much for a moment; in the lobby nobody looks."""
    given: list[bool] = []
    monkeypatch.setattr("device.service.overseer.give_back", lambda: given.append(True))
    seen.overseer.round()
    assert not given
    around = Around(Settings(), seen, (), print)  # type: ignore[arg-type]
    seen.match = BoxMatch(Open(Wanted(Seating("draw-game")), sight=True), around)
    seen.overseer.round()
    seen.overseer.round()
    assert len(given) == 2


def test_a_loop_without_beats_for_two_seconds(seen: Seen) -> None:
    """systemd hears nothing until it turns again, and people are told why."""
    seen.now = 1.9
    assert seen.alive()
    seen.now = 2.0
    assert not seen.alive()
    assert seen.overseer.health.status == "failing"
    assert seen.overseer.health.remarks == ("The referee has not answered for 2 s.",)
    seen.pulse.beat()
    assert seen.alive()
    assert seen.overseer.health.status == "ok"


def test_a_page_that_does_not_answer(seen: Seen) -> None:
    """It withholds the word; one that has no port does not: no restart would mend that."""
    seen.page = math.inf
    assert not seen.alive()
    assert seen.overseer.health.status == "failing"
    seen.page = None  # type: ignore[assignment]
    assert seen.alive()


def test_a_dead_camera_never_withholds_the_word(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and the game goes on."""
    seen.camera = CameraState("away", 900.0, 40, 0.0, "The camera has been unplugged.")
    assert seen.alive()
    assert seen.overseer.health.status == "degraded"
    assert seen.overseer.health.remarks == ("The camera has been unplugged.",)
    monkeypatch.setattr("device.service.overseer.chosen", lambda: None)
    seen.camera = CameraState()
    assert seen.alive()
    assert "No camera was found" in seen.overseer.health.remarks[0]


def test_a_box_that_never_had_a_camera_is_well(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one for play by hand, and says what a camera needs; one that had a camera misses it."""
    monkeypatch.setattr("device.service.overseer.chosen", lambda: None)
    for chosen, status in (("", "ok"), ("large 4608×2592, watched 1280×720", "degraded")):
        seen.camera = CameraState(chosen=chosen)
        assert seen.alive()
        assert seen.overseer.health.status == status
        assert "No camera was found" in seen.overseer.health.remarks[0]


def test_what_was_chosen_for_the_camera_is_told_while_it_runs(seen: Seen) -> None:
    """And of one that rests; of one that gives no picture why not."""
    chosen = "imx708: large 4608×2592, watched 1280×720; focus swept on the mat: 1.10 dioptres"
    for state, why in (("ok", ""), ("none", ""), ("away", "The camera gives no picture: it hangs.")):
        seen.camera = CameraState(state, 0.1, 0, 10.0, why, chosen)
        seen.alive()
        assert seen.overseer.health.camera.words == (why or chosen)


def test_a_remark_is_printed_once(seen: Seen, capsys: pytest.CaptureFixture[str]) -> None:
    """As long as it holds; and again when it comes back."""
    for seen.remarks in (("Broken.",), ("Broken.",), (), ("Broken.",)):
        seen.overseer.round()
    assert capsys.readouterr().err == "pipwatch: Broken.\n" * 2


@pytest.mark.parametrize(
    ("asked", "period"), [(None, PERIOD_S), (20.0, 4.0), (10.0, 2.0), (3600.0, PERIOD_S)]
)
def test_several_rounds_within_systemd_s_patience(seen: Seen, asked: float | None, period: float) -> None:
    """One late answer is no reason to be restarted."""
    seen.overseer._notifier.watchdog_s = asked
    assert seen.overseer.period_s == period
