"""What a camera is asked for: sizes by memory, light by the lamps, sharpness by the mat."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera_errors import BadProfileFile
from device.cameras import focus
from device.cameras.choosing import BufferRoom, choices, needs, of_whole_field, room, watched
from device.cameras.exposure import WANTED, Exposure, Follow, Limits, Metered, settled, step
from device.cameras.upright import in_colour, upright
from device.cameras.wanted import CameraSettings
from device.settings import load

MB = 2**20
HQ = [(4056, 3040), (2028, 1520)]
FREE = CameraSettings()


@pytest.mark.parametrize(("cma_mb", "large"), [(512, (4056, 3040)), (256, (4056, 3040)), (128, (2028, 1520))])
def test_the_largest_size_is_taken_that_memory_holds(cma_mb: int, large: tuple[int, int]) -> None:
    """The sum is told; three buffers of the full size come before four of half of it."""
    first = next(choices(HQ, FREE, BufferRoom(cma_mb * MB, cma_mb * MB // 2), "imx477"))
    assert first.large == large
    assert first.needs_bytes <= first.room.ours_bytes
    assert f"large {large[0]}×{large[1]}, watched 1280×" in first.words
    assert f"of {cma_mb} MB contiguous memory" in first.words


def test_a_board_of_too_little_memory_is_still_asked_for_the_least() -> None:
    """The camera may do it all the same, and says so itself if not."""
    (only,) = choices(HQ, FREE, BufferRoom(32 * MB, MB))
    assert (only.large, only.buffers) == ((2028, 1520), 3)


@given(st.integers(320, 5000), st.integers(240, 4000), st.integers(1, 6))
def test_what_is_watched_has_the_shape_of_the_large_picture(wide: int, high: int, buffers: int) -> None:
    """Even sizes, no larger than the large one, and more buffers need more memory."""
    large = (wide - wide % 2, high - high % 2)
    small = watched(large)
    assert small[0] <= 1280
    assert small[1] % 2 == 0
    assert abs(small[0] / small[1] / (large[0] / large[1]) - 1) < 0.02 + 2 / small[1]
    assert needs(large, small, buffers) < needs(large, small, buffers + 1)


def test_memory_is_read_as_the_board_tells_it(tmp_path: Path) -> None:
    """Newer boards take buffers from all memory: there the part that hangs together does not matter."""
    told = tmp_path / "meminfo"
    told.write_text("MemTotal:  947_000 kB\n".replace("_", "") + "CmaTotal: 262144 kB\nCmaFree: 200000 kB\n")
    heap = tmp_path / "vidbuf_cached"
    assert room(told, heap) == BufferRoom(262144 * 1024, 200000 * 1024)
    (tmp_path / "system").touch()
    heap.symlink_to(tmp_path / "system")
    assert room(told, heap) == BufferRoom(947000 * 1024, 0, hangs_together=False)


def test_only_modes_that_see_all_of_the_sensor_count() -> None:
    """A mode that cuts the picture off would make the mat too large."""
    modes = [
        {"size": (640, 480), "crop_limits": (1000, 752, 1280, 960)},
        {"size": (1640, 1232), "crop_limits": (0, 0, 3280, 2464)},
        {"size": (3280, 2464), "crop_limits": (0, 0, 3280, 2464)},
        {"size": (1920, 1080), "crop_limits": (680, 692, 1920, 1080)},
    ]
    assert of_whole_field(modes) == [(3280, 2464), (1640, 1232)]


@pytest.mark.parametrize("padding", [0, 40])
def test_padding_is_cut_off_and_colours_stay_where_they_are(padding: int) -> None:
    """Rows longer than the picture: what lies in them is never shown."""
    wide, high = 216, 120
    picture = np.zeros((high, wide, 3), np.uint8)
    picture[:, : wide // 2], picture[:, wide // 2 :] = (200, 60, 30), (30, 60, 200)
    flat = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
    row = wide + padding
    planes = np.full((high * 3 // 2, row), 255, np.uint8)
    planes[:high, :wide] = flat[:high]
    colours = flat[high:].reshape(2, high // 2, wide // 2)
    padded = np.full((2, high // 2, row // 2), 255, np.uint8)
    padded[:, :, : wide // 2] = colours
    planes[high:] = padded.reshape(high // 2, row)
    assert np.abs(in_colour(planes, (wide, high)).astype(int) - picture).max() < 12
    with pytest.raises(ValueError, match="for a picture of"):
        in_colour(planes[:, : wide // 2], (wide, high))


def test_pictures_are_turned_and_mirrored_as_the_owner_wants() -> None:
    """A camera may hang either way round, or look into a mirror."""
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(upright(picture, CameraSettings(rotate=180)), picture[::-1, ::-1])
    assert upright(picture, CameraSettings(rotate=90)).shape == (3, 2, 3)
    assert np.array_equal(upright(picture, CameraSettings(flip=True)), picture[:, ::-1])
    assert upright(picture, FREE) is not None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("size = [100, 100]", "size should be a width and a height"),
        ("watch_size = [641, 480]", "watch_size should be a width and a height"),
        ("size = [1280, 720]\nwatch_size = [640, 480]", "watch_size should have the shape of size"),
        ("size = [640, 480]\nwatch_size = [1280, 960]", "watch_size should not be larger"),
        ("fps = 0.0", "fps should be between 1 and 60"),
        ("focus = 40.0", "focus should be between 0 (far) and 32"),
        ('exposure = "55 Hz"', "exposure should be one of"),
        ("rotate = 45", "rotate should be 0, 90, 180 or 270"),
        ("flipp = true", "the nearest is 'flip'"),
    ],
)
def test_a_wrong_setting_of_the_camera_is_one_sentence(tmp_path: Path, line: str, words: str) -> None:
    """It names what is wrong and what would do."""
    path = tmp_path / "config.toml"
    path.write_text(f"[camera]\n{line}\n")
    with pytest.raises(BadProfileFile) as wrong:
        load(path)
    assert words in str(wrong.value)
    assert "\n" not in str(wrong.value)
    path.write_text("[camera]\nsize = [2028, 1520]\nfps = 6.0\nrotate = 180\n")
    found = load(path).camera
    assert found == CameraSettings(size=(2028, 1520), fps=6.0, rotate=180)
    assert CameraSettings.from_json(found.to_json()) == found


# — light —

LIMITS = Limits(30, 40_000, 16.0, 50)


class LitTable:
    """A table in some light: how light its faces are in a camera that is told an exposure."""

    def __init__(self, light: float) -> None:
        self.light = light

    def seen(self, exposure: Exposure, at_s: float) -> Metered:
        """As the camera's process measures it."""
        face = 255 * min(1.0, exposure.light * self.light / 40_000) ** (1 / 2.2)
        return Metered(at_s, face, 0.05 if face >= 255 else 0.0)


@pytest.mark.parametrize("light", [0.05, 0.3, 1.0, 4.0, 30.0])
@pytest.mark.parametrize("hz", [50, 60])
def test_before_anybody_looks_faces_become_light_and_none_is_white_out(light: float, hz: int) -> None:
    """From dusk to the sun; where lamps can be the light, the time is whole flashes of them."""
    limits = Limits(30, 40_000, 16.0, hz)
    table, state = LitTable(light), Follow(limits.of(20_000), limits)
    for _ in range(8):
        state, new = settled(state, table.seen(state.exposure, 0.0))
        if new is None:
            break
    seen = table.seen(state.exposure, 0.0)
    assert abs(seen.face - WANTED) < 36
    assert seen.clipped == 0
    flash_us = 1e6 / (2 * hz)
    if state.exposure.light >= flash_us:
        assert state.exposure.time_us % flash_us == pytest.approx(0, abs=1) or (
            flash_us - state.exposure.time_us % flash_us < 1
        )


def watching(
    table: LitTable, state: Follow, seconds: float, start_s: float
) -> tuple[Follow, list[tuple[float, float]]]:
    """So long at one light: the state, and each change with its time and factor."""
    changes, at_s = [], start_s
    while at_s < start_s + seconds:
        before = state.exposure
        state, new = step(state, table.seen(state.exposure, at_s))
        if new is not None:
            changes.append((at_s, new.light / before.light))
        at_s += 0.5
    return state, changes


def test_a_cloud_or_a_sleeve_changes_nothing_and_evening_is_followed_slowly() -> None:
    """Ten seconds are waited out; then each step is one that nobody sees, and the camera rests after it."""
    held = LIMITS.of(40_000 * (WANTED / 255) ** 2.2)
    state = Follow(held, LIMITS)
    state, none = watching(LitTable(1.0), state, 60, 0.0)
    assert none == []
    state, cloud = watching(LitTable(0.6), state, 8, 60.0)
    state, after = watching(LitTable(1.0), state, 30, 68.0)
    assert cloud == []
    assert after == []
    state, evening = watching(LitTable(0.5), state, 200, 98.0)
    assert evening
    assert all(1 < factor <= 2 ** (1 / 6) + 0.01 for _, factor in evening)
    assert evening[0][0] >= 98 + 10
    assert all(late - soon >= 1.5 for (soon, _), (late, _) in pairwise(evening))
    assert LitTable(0.5).seen(state.exposure, 0).face > 160


def test_a_lamp_that_is_switched_on_is_put_right_soon() -> None:
    """What is white out cannot be read: two seconds, not ten."""
    held = LIMITS.of(40_000 * (WANTED / 255) ** 2.2)
    _, changes = watching(LitTable(4.0), Follow(held, LIMITS), 20, 0.0)
    assert changes
    assert changes[0][0] <= 2.5
    assert changes[0][1] == pytest.approx(0.5, abs=0.1)


# — sharpness —


def printed(sharp: float) -> np.ndarray:
    """Fine print under a lens that is so far off."""
    rng = np.random.default_rng(5)
    grey = (rng.integers(0, 2, (60, 80)) * 255).astype(np.float32)
    large = cv2.resize(grey, (640, 480), interpolation=cv2.INTER_NEAREST)
    return np.repeat(cv2.GaussianBlur(large, (0, 0), 0.4 + sharp)[..., None], 3, axis=2).astype(np.uint8)


def test_the_measure_of_sharpness_falls_with_every_blur_and_not_with_the_light() -> None:
    """Only the lens tells."""
    measures = [focus.sharpness(printed(blur)) for blur in (0.0, 0.5, 1.0, 2.0, 4.0)]
    assert measures == sorted(measures, reverse=True)
    assert measures[-1] < 0.5 * measures[0]
    darker = np.asarray(printed(1.0) * 0.4, np.uint8)
    assert focus.sharpness(darker) == pytest.approx(measures[2], rel=0.05)
    assert focus.sharpness(np.full((480, 640, 3), 90, np.uint8)) == 0


@pytest.mark.parametrize(
    ("most", "best"), [(10.0, 0.3), (10.0, 2.6), (10.0, 7.9), (10.0, 10.0), (5.0, 1.04), (5.0, 4.2)]
)
def test_a_sweep_ends_where_it_is_sharpest(most: float, best: float) -> None:
    """All of the reach first, then around the best; few pictures."""
    sweep, count = focus.LensSweep.over(0.0, most), 0
    while (at := sweep.position) is not None:
        sweep = focus.step(sweep, focus.sharpness(printed(abs(at - best))))
        count += 1
    assert sweep.best is not None
    assert abs(sweep.best - best) < 0.025 * most
    assert count <= 14


def test_where_nothing_is_to_be_seen_no_position_is_the_best() -> None:
    """A bare table tells no lens where it is."""
    sweep = focus.LensSweep.over(0.0, 10.0)
    while sweep.position is not None:
        sweep = focus.step(sweep, focus.sharpness(np.full((480, 640, 3), 90, np.uint8)))
    assert sweep.best is None
