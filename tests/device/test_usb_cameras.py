"""USB cameras: pictures are taken packed, unpacked as far as is wanted, and torn ones are told."""

import re
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cameras import usb_names, webcam
from device.cameras.frames import FrameKind
from device.cameras.jpeg import PackedPicture, packed, share_to_watch
from device.cameras.lifeline import Requests
from device.cameras.own_process import Apart
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Patience
from device.live.ports import Away, Shot
from tests.device.usb_sockets import SAME, TABLE, Plugged, sockets
from vision.view import FrameState, TableWatch

QUICK = Patience(away_s=1.0, hang_s=3.0, start_s=30.0, budget=9, window_s=60.0)


def jpeg(size: tuple[int, int] = (160, 120), **more: int) -> bytes:
    """A picture as a camera packs it."""
    picture = np.random.default_rng(5).integers(0, 255, (size[1], size[0], 3)).astype(np.uint8)
    flags = [part for name, value in more.items() for part in (getattr(cv2, name), value)]
    return cv2.imencode(".jpg", picture, flags)[1].tobytes()


WHOLE = jpeg()


# — packed pictures —


@pytest.mark.parametrize("more", [
    {}, {"IMWRITE_JPEG_RST_INTERVAL": 2}, {"IMWRITE_JPEG_PROGRESSIVE": 1},
    {"IMWRITE_JPEG_OPTIMIZE": 1}, {"IMWRITE_JPEG_QUALITY": 20},
])  # fmt: skip
def test_a_whole_picture_is_known_with_its_size_whatever_follows(more: dict[str, int]) -> None:
    """Drivers' buffers are longer than their pictures, and hold what was there before."""
    data = jpeg((160, 120), **more)
    for behind in (b"", b"\0" * 500, data[100:]):
        found = packed(data + behind)
        assert found == PackedPicture(data, (160, 120))
    assert found is not None
    shapes = {share: found.unpacked(share) for share in (1, 2, 4, 8)}
    assert {share: one.shape for share, one in shapes.items() if one is not None} == {
        1: (120, 160, 3), 2: (60, 80, 3), 4: (30, 40, 3), 8: (15, 20, 3),
    }  # fmt: skip


def test_a_picture_that_ends_anywhere_is_torn() -> None:
    """Cut at every byte, or with the next one begun in its middle: never whole, never an error."""
    assert not [cut for cut in range(len(WHOLE)) if packed(WHOLE[:cut]) is not None]
    scan = WHOLE.index(b"\xff\xda") + 14
    begun = [packed(WHOLE[:cut] + WHOLE) for cut in range(scan, len(WHOLE) - 2, 37)]
    assert begun == [None] * len(begun)


@given(st.binary(max_size=300), st.integers(0, len(WHOLE)))
def test_whatever_a_cable_makes_of_it_unpacking_is_no_crash(rubbish: bytes, at: int) -> None:
    """Damaged in the middle it is whole and looks odd, or is torn; the gate sees the former."""
    found = packed(WHOLE[:at] + rubbish + WHOLE[at + len(rubbish) :])
    picture = None if found is None else found.unpacked(2)
    assert picture is None or (picture.dtype == np.uint8 and picture.shape[2] == 3)


def test_as_little_is_unpacked_as_is_enough_to_watch() -> None:
    """At least 960 pixels across, or what is wanted; a picture that is small is unpacked whole."""
    sizes = [(3840, 2160), (2592, 1944), (1920, 1080), (1280, 960), (640, 480)]
    assert [share_to_watch(size) for size in sizes] == [4, 2, 2, 1, 1]
    assert share_to_watch((3840, 2160), (1280, 720)) == 2
    assert share_to_watch((3840, 2160), (480, 270)) == 8


# — a capture with V4L2's call signatures —


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Opens cameras that do as is planned."""
    folder = Path(__file__).parent / "stand_in"
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    from usb import VideoCapture  # type: ignore[import-not-found]

    def opened(plan: str) -> Any:
        (tmp_path / "plan").write_text(plan.replace(" ", "\n"))
        return VideoCapture(0, cv2.CAP_V4L2)

    return opened


def filmed(capture: Any, wanted: CameraSettings, requests: Requests | None = None) -> Any:
    """Its frames, under a clock of ours: a tick for each look."""
    return webcam.film(capture, wanted, 0.0, requests or Requests(), count(0.0, 0.1).__next__)


def test_the_full_size_is_taken_and_unpacked_only_when_it_is_wanted(
    stand_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Watched at half its size; the large picture comes with the next one after it was asked for."""
    shares: list[int] = []
    unpacked = PackedPicture.unpacked
    monkeypatch.setattr(PackedPicture, "unpacked", lambda self, n=1: shares.append(n) or unpacked(self, n))
    requests = Requests()
    frames = filmed(stand_in("fine"), CameraSettings(fps=60), requests)
    words = next(frames)
    assert words.kind is FrameKind.WORDS
    assert (words.words["large"], words.words["watch"]) == ((1920, 1080), (960, 540))
    assert [next(frames).picture.shape for _ in range(3)] == [(540, 960, 3)] * 3
    assert shares == [2, 2, 2]
    requests.hear(iter([b"large 2 9\n"]))  # type: ignore[arg-type]
    four = [next(frames) for _ in range(5)]
    assert [one.kind for one in four] == [FrameKind.WATCH, FrameKind.LARGE] * 2 + [FrameKind.WATCH]
    small, large = four[0].picture, four[1].picture
    assert large.shape == (1080, 1920, 3)
    halved = cv2.resize(large, (960, 540), interpolation=cv2.INTER_AREA)
    assert np.abs(halved.astype(int) - small).mean() < 8


def test_a_size_to_watch_is_kept_where_the_camera_shows_the_same_in_it(stand_in: Any) -> None:
    """480×270 of 1920×1080; of another shape than the largest, the camera is asked for that size itself."""
    frames = filmed(stand_in("fine"), CameraSettings(fps=60, watch_size=(600, 338)))
    assert (next(frames).words["watch"], next(frames).picture.shape) == ((600, 338), (338, 600, 3))
    frames = filmed(stand_in("fine"), CameraSettings(fps=60, watch_size=(640, 480)))
    words = next(frames).words
    assert (words["large"], words["watch"]) == ((640, 480), (640, 480))


def test_a_camera_that_packs_nothing_is_watched_as_ever(stand_in: Any) -> None:
    """It has no large picture, and nobody asks it for one."""
    frames = filmed(stand_in("unpacked"), CameraSettings(fps=60))
    assert "large" not in next(frames).words
    assert next(frames).picture.shape == (480, 640, 3)


def test_pictures_that_come_too_often_are_not_unpacked(stand_in: Any) -> None:
    """Of thirty a second, ten are wanted: the others are fetched, so that none is old, and left packed."""
    capture = stand_in("fine")
    frames = webcam.film(capture, CameraSettings(fps=10), 0.0, Requests(), count(0.0, 1 / 30).__next__)
    next(frames)
    for _ in range(5):
        next(frames)
    assert capture.frames == 1 + 3 * 4


def test_torn_pictures_are_told_and_another_size_ends_it(stand_in: Any) -> None:
    """What is missing is not shown as if it were there."""
    frames = filmed(stand_in("tear"), CameraSettings(fps=60))
    seen = [next(frames) for _ in range(12)]
    assert [one.kind for one in seen[1:9]] == [FrameKind.WATCH] * 8
    assert [one.words["torn"] for one in seen[9:]] == [1, 2, 3]
    frames = filmed(stand_in("size"), CameraSettings(fps=60))
    with pytest.raises(webcam.OtherPictureSize, match="1280×720 now, and sent 1920×1080"):
        list(frames)


# — the whole process —


@pytest.mark.parametrize(("plan", "words"), [
    ("tear fine", "come torn"), ("rubbish fine", "come torn"), ("hang fine", "hangs"), ("freeze fine", ""),
    ("vanish fine", ""), ("size fine", ""), ("absent absent absent absent fine", "no camera at"),
])  # fmt: skip
def test_a_usb_camera_in_trouble_is_told_killed_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: str, words: str
) -> None:
    """Each fault in a sentence where it lasts, and pictures again after it."""
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(webcam.__file__).parents[2]))
    (tmp_path / "plan").write_text(plan.replace(" ", "\n"))
    program = [sys.executable, str(Path(__file__).parent / "stand_in" / "usb.py")]
    wanted = CameraSettings(fps=30).to_json()
    source = Apart([*program, "97", wanted, "0.05"], "Webcam 97", QUICK)
    told, shots_after = [], 0
    try:
        until = time.monotonic() + 45
        while shots_after < 3 and time.monotonic() < until:
            one = source.next(0.2)
            told += [one.why] if isinstance(one, Away) and one.why else []
            shots_after += isinstance(one, Shot) and source.watchdog.restarts >= 1
    finally:
        source.close()
    assert shots_after == 3
    assert any(words in why for why in told) or not words


def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plan: str, seconds: float) -> tuple[Apart, Any]:
    """A USB camera that is watched for so long, by the gate, too: what came, in order."""
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(webcam.__file__).parents[2]))
    (tmp_path / "plan").write_text(f"{plan}\n")
    program = [sys.executable, str(Path(__file__).parent / "stand_in" / "usb.py")]
    source = Apart([*program, "97", CameraSettings(fps=10).to_json(), "0.05"], "Webcam 97")
    watch, came, until = TableWatch(), list[FrameState | str](), float("inf")
    try:
        while time.monotonic() < until:
            found = source.next(0.2)
            if isinstance(found, Shot):
                until = min(until, time.monotonic() + seconds)
                came.append(watch.see(found.picture, found.at_s).state)
            elif isinstance(found, Away) and found.why:
                came.append(found.why)
    finally:
        source.close()
    return source, came


def test_a_usb_camera_that_films_black_is_the_gates_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its dark pictures are pictures: they are passed on, and its process is not ended."""
    source, came = watched(tmp_path, monkeypatch, "black", 6.0)
    assert FrameState.BLACK not in came[:3]
    assert came[-10:] == [FrameState.BLACK] * 10
    assert source.watchdog.restarts == 0


def test_a_usb_camera_whose_pictures_come_late_is_told_with_its_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are too few to go by; the process goes on, since nothing says that another one would be faster."""
    source, came = watched(tmp_path, monkeypatch, "late", 9.0)
    assert isinstance(came[0], FrameState)
    assert isinstance(came[-1], str)
    assert re.match(r"Webcam 97 gives [01]\.\d pictures a second, and 2\.5 are the least", came[-1])
    assert source.watchdog.restarts == 0


@pytest.mark.parametrize("times", [3, pytest.param(20, marks=[pytest.mark.long])])
def test_a_usb_camera_that_is_pulled_and_put_in_again_and_again_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Each time it is looked for once in vain, and is back within ten seconds; nothing is left behind."""
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(webcam.__file__).parents[2]))
    (tmp_path / "plan").write_text("vanish\nabsent\n" * times)
    program = [sys.executable, str(Path(__file__).parent / "stand_in" / "usb.py")]
    eager = Patience(away_s=1.0, hang_s=3.0, start_s=30.0, budget=4 * times, window_s=1e6)
    source = Apart([*program, "97", CameraSettings(fps=30).to_json(), "0.05"], "Webcam 97", eager)
    waits, before = list[float](), 0
    try:
        for number in range(times + 1):
            began = time.monotonic()
            while not isinstance(source.next(0.05), Shot) or source.watchdog.restarts < 2 * number:
                assert time.monotonic() - began < 60
            waits.append(time.monotonic() - began)
            before = before or len(list(Path("/proc/self/fd").iterdir()))
        left = len(list(Path("/proc/self/fd").iterdir()))
    finally:
        source.close()
    print(f"{times} times pulled: back after {np.median(waits[1:]):.1f} s, at most {max(waits[1:]):.1f} s")
    assert max(waits[1:]) < (10 if times == 20 else 30)  # the short one runs beside others
    assert left <= before + 2


def test_a_camera_that_comes_back_under_another_number_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is pulled, and another one takes its number: that one is never opened in its place."""
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(Path(webcam.__file__).parents[2]))
    (tmp_path / "plan").write_text("pulled\nfine\n")
    other, orders = ("1-1.3", SAME), tmp_path / "orders"
    (tmp_path / "class").symlink_to(sockets(orders / "first", TABLE, other))

    def found(name: str, *cameras: Plugged) -> None:
        made = sockets(orders / name, *cameras)
        (tmp_path / "next").symlink_to(made)
        (tmp_path / "next").replace(tmp_path / "class")

    program = [sys.executable, str(Path(__file__).parent / "stand_in" / "usb.py")]
    source = Apart(
        [*program, "046d:082d:8F3A-1", CameraSettings(fps=30).to_json(), "0.05"], "The camera", QUICK
    )
    until = time.monotonic() + 240
    try:
        while not isinstance(source.next(0.2), Shot):
            assert time.monotonic() < until
        found("pulled", other)
        (tmp_path / "gone").touch()
        while source.watchdog.restarts < 2:  # it was looked for in vain
            source.next(0.2)
            assert time.monotonic() < until
        found("back", other, TABLE)
        while not isinstance(source.next(0.2), Shot):
            assert time.monotonic() < until
    finally:
        source.close()
    assert (tmp_path / "opened").read_text().split() == ["0", "2"]


def test_a_camera_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process ends in one sentence, and opens nothing."""
    monkeypatch.setattr(usb_names, "NODES", sockets(tmp_path, ("1-1.3", SAME)))
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: pytest.fail("was opened"))
    monkeypatch.setattr(sys, "argv", ["webcam", "046d:082d:8F3A-1", CameraSettings().to_json(), "2.0"])
    assert webcam.main() == 1
    assert capsys.readouterr().err == "there is no camera 046d:082d:8F3A-1: plug it in\n"
