"""The gate: when the table may be read, and what is never taken for a move."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulation.director import TableManners
from simulation.film import Film, Options
from vision.view import FrameState, Gate, Look
from vision.view.compare import Mask
from vision.view.parts import Thing, hiding, is_limb, was_shaded
from vision.view.shrink import Small
from vision.view.vote import median

Picture = NDArray[np.uint8]
SIZE = (640, 480)
LIGHTS = Path(__file__).parents[3] / "shared" / "data" / "lights"
STEP_S = 0.1
_MARGIN_PX = 40


class Table:
    """A table drawn by hand: cloth with a grain, some pieces, perhaps an arm, any light, noise."""

    def __init__(self, seed: int = 1) -> None:
        self.rng = np.random.default_rng(seed)
        cloth = self.rng.normal(0, 9, (SIZE[1] // 8, SIZE[0] // 8, 3)).astype(np.float32)
        self.noise = self.rng.normal(0, 2.5, (SIZE[1] + _MARGIN_PX, SIZE[0] + _MARGIN_PX, 3)).astype(
            np.float32
        )
        self.cloth = 105 + cv2.resize(cloth, SIZE, interpolation=cv2.INTER_CUBIC)
        self.pieces = [(150 + 90 * k, 200, 230) for k in range(4)]
        self.arm: tuple[int, int] | None = None
        self.sleeve = (110, 140, 200)
        """The colour of the spots on the arm's sleeve; a plain one has none."""
        self.light: NDArray[np.float32] | float = 1.0
        self.shift = (0.0, 0.0)
        self._drawn: tuple[object, NDArray[np.float32], NDArray[np.float32]] | None = None
        """How the table lay when it was drawn last, its cloth, and the light that came from it."""

    def picture(self) -> Picture:
        """The next frame; what looks as before is not drawn again."""
        now = (id(self.cloth), tuple(self.pieces), self.arm, self.sleeve, self.shift)
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = (now, self.cloth, self._draw())
        return self.noisy(self._drawn[2] * self.light)

    def _draw(self) -> NDArray[np.float32]:
        light = self.cloth.copy()
        for x, y, bright in self.pieces:
            cv2.rectangle(light, (x, y), (x + 40, y + 20), (bright, bright, bright - 20), -1)
            cv2.circle(light, (x + 10, y + 10), 3, (30, 30, 30), -1)
            cv2.line(light, (x + 20, y), (x + 20, y + 20), (40, 40, 40), 1)
        for x, y in ((20, 20), (590, 20), (590, 430), (20, 430)):
            cv2.rectangle(light, (x, y), (x + 30, y + 30), (20, 20, 20), 6)
        if any(self.shift):
            warp = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]])
            light = cv2.warpAffine(light, warp, SIZE, borderMode=cv2.BORDER_REFLECT)
        if self.arm is not None:
            cv2.line(light, (self.arm[0] + 60, SIZE[1]), self.arm, (110, 140, 200), 54)
            for y in range(self.arm[1], SIZE[1], 20):
                x = self.arm[0] + 60 * (y - self.arm[1]) // (SIZE[1] - self.arm[1])
                cv2.line(light, (x - 16, y), (x + 16, y + 6), self.sleeve, 7)
        return light

    def noisy(self, light: NDArray[np.float32]) -> Picture:
        """A picture of light, with noise that is another one in every frame."""
        x, y = self.rng.integers(0, _MARGIN_PX, 2)
        rows, columns = light.shape[:2]
        return cv2.convertScaleAbs(np.maximum(light + self.noise[y : y + rows, x : x + columns], 0))


class Watch:
    """A gate that is shown a table frame by frame."""

    def __init__(self, table: Table, gate: Gate | None = None) -> None:
        self.table, self.gate, self.t = table, gate or Gate(SIZE), 0.0
        self.looks: list[Look] = []

    def see(self, picture: Picture | None = None, *, steady: bool | None = None) -> Look:
        """One frame more."""
        self.t += STEP_S
        shown = self.table.picture() if picture is None else picture
        self.looks.append(self.gate.see(shown, self.t, steady=steady))
        return self.looks[-1]

    def wait(self, frames: int) -> Look:
        """So many frames of the table as it is."""
        return [self.see() for _ in range(frames)][-1]

    def reach_in(self) -> None:
        """An arm comes in."""
        for y in range(460, 200, -45):
            self.table.arm = (300, y)
            self.see()

    def draw_back(self) -> None:
        """The arm leaves."""
        for y in range(210, 560, 60):
            self.table.arm = (300, y) if y < 480 else None
            self.see()
        self.table.arm = None


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """The gate's pictures are small: more threads only wait for one another."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(threads)


@pytest.fixture
def watch() -> Watch:
    """A gate that has seen a still table for a while."""
    watch = Watch(Table())
    assert watch.wait(14).state is FrameState.SETTLED
    return watch


def test_a_still_table_is_one_view_however_long_it_lies(watch: Watch) -> None:
    """An idle table is settled once, and nothing ever changes on it."""
    assert {watch.see().view for _ in range(30)} == {1}
    assert {look.state for look in watch.looks[-30:]} == {FrameState.SETTLED}


def test_a_move_is_one_new_view_soon_after_the_hand_has_gone(watch: Watch) -> None:
    """A piece that was moved is told in boxes around both its places, at most 0.7 s after the hand left."""
    watch.reach_in()
    assert watch.looks[-1].state is FrameState.HAND
    watch.table.pieces[1] = (240, 330, 230)
    watch.draw_back()
    left_s = watch.t
    look = watch.wait(7)
    assert look.settled
    assert look.view == 2
    first = next(one for one in watch.looks if one.view == 2)
    assert first.at_s - left_s <= 0.7
    for x, y in ((260, 210), (260, 340)):
        assert any(a <= x <= c and b <= y <= d for a, b, c, d in look.changed)
    assert all(b > 150 for _, b, _, _ in look.changed)


def test_a_hand_that_changes_nothing_leaves_no_change(watch: Watch) -> None:
    """After a needless visit there is a new view to be read, in which nothing differs."""
    watch.reach_in()
    watch.draw_back()
    look = watch.wait(8)
    assert look.settled
    assert look.view == 2
    assert not look.changed


def test_a_resting_arm_is_a_hand_for_as_long_as_it_rests(watch: Watch) -> None:
    """An arm that lies still for a long time hides what is under it and is never taken for the table."""
    watch.reach_in()
    look = watch.wait(80)
    assert {one.state for one in watch.looks[-70:]} == {FrameState.RESTING}
    assert look.view == 1
    assert len(look.hidden) == 1
    covered = np.zeros((SIZE[1], SIZE[0]), dtype=np.uint8)
    cv2.fillPoly(covered, [np.array(look.hidden[0], dtype=np.int32)], 1)
    assert covered[300, 320]
    assert not covered[100, 100]


def test_a_half_finished_move_is_not_read(watch: Watch) -> None:
    """While the hand still holds the piece, or slides it slowly, there is no new view."""
    watch.reach_in()
    for k in range(40):
        watch.table.pieces[1] = (240 + k, 210, 230)
        assert watch.see().state in (FrameState.HAND, FrameState.RESTING)
    assert watch.looks[-1].view == 1


def test_what_falls_still_moves_until_it_lies(watch: Watch) -> None:
    """A die that tumbles with no hand in sight is no settled table."""
    for k in range(12):
        watch.table.pieces[3] = (420, 60 + 20 * k, 255 if k % 2 else 140)
        watch.see()
    assert all(not look.settled for look in watch.looks[-10:])
    look = watch.wait(6)
    assert look.settled
    assert look.view == 2
    assert look.changed


@pytest.mark.parametrize("kind", ["brighter", "darker", "warmer", "from the side"])
def test_light_alone_is_no_move(watch: Watch, kind: str) -> None:
    """A lamp that is switched, at once or slowly, changes the picture and nothing on the table."""
    slope = np.linspace(0.55, 1.1, SIZE[0], dtype=np.float32)[None, :, None]
    aim = {
        "brighter": np.float32(1.25), "darker": np.float32(0.5), "from the side": slope,
        "warmer": np.array([0.7, 0.95, 1.1], dtype=np.float32),
    }[kind]  # fmt: skip
    for frames in (1, 5):
        for back in (False, True):
            for k in range(1, frames + 1):
                share = (1 - k / frames) if back else k / frames
                watch.table.light = 1 + (aim - 1) * np.float32(share)
                watch.see()
            look = watch.wait(7)
            assert look.settled
            assert look.view == 1
            assert not look.changed


def test_a_move_in_another_light_is_still_a_move(watch: Watch) -> None:
    """A piece that is moved while the lamp goes out is found at both places."""
    watch.reach_in()
    watch.table.light = 0.6
    watch.table.pieces[0] = (150, 330, 230)
    watch.wait(3)
    watch.draw_back()
    look = watch.wait(8)
    assert look.settled
    assert look.view == 2
    for x, y in ((170, 210), (170, 340)):
        assert any(a <= x <= c and b <= y <= d for a, b, c, d in look.changed)


def test_a_bumped_camera_is_no_move(watch: Watch) -> None:
    """The view follows a knock of some pixels; what lies on the table has not changed."""
    watch.table.shift = (6.0, -4.0)
    watch.wait(2)
    assert FrameState.BUMPED in {look.state for look in watch.looks[-2:]}
    look = watch.wait(10)
    assert look.settled
    assert not look.changed


def test_what_a_bump_brings_in_at_the_rim_is_no_arm(watch: Watch) -> None:
    """A dark plank outside the picture, half of it in view after the bump: the table settles all the same."""
    table = watch.table
    wide = cv2.copyMakeBorder(table.cloth, 0, 0, 24, 0, cv2.BORDER_REFLECT)
    cv2.line(wide, (11, 260), (11, SIZE[1]), (15.0, 15.0, 15.0), 14)
    table.cloth = np.ascontiguousarray(wide[:, 24:])
    assert watch.wait(10).settled
    table.cloth = np.ascontiguousarray(wide[:, 8 : 8 + SIZE[0]])
    table.pieces = [(x + 16, y, bright) for x, y, bright in table.pieces]
    for _ in range(5):
        watch.see(steady=False)
    assert watch.wait(24).state is FrameState.SETTLED


def test_what_looks_like_a_knock_is_none_while_the_markers_lie_still(watch: Watch) -> None:
    """A hand in light that hunts may look like a knock: whoever sees the markers knows better."""
    table = watch.table
    assert watch.wait(10).settled
    table.cloth = np.ascontiguousarray(np.roll(table.cloth, 5, axis=1))
    table.pieces = [(x + 5, y, bright) for x, y, bright in table.pieces]
    told = [watch.see(steady=True).state for _ in range(6)]
    assert FrameState.BUMPED not in told
    assert FrameState.BUMPED in [watch.see().state for _ in range(6)]


@pytest.mark.parametrize("marked", [True, False])
def test_hands_that_hide_the_markers_have_not_knocked_the_camera(watch: Watch, *, marked: bool) -> None:
    """Where markers lay still until hands hid them, what looks like a knock meanwhile is the hands."""
    table = watch.table
    watch.reach_in()
    for _ in range(3):
        watch.see(steady=True if marked else None)
    cloth, pieces = table.cloth, table.pieces
    table.cloth = np.ascontiguousarray(np.roll(cloth, 5, axis=1))
    table.pieces = [(x + 5, y, bright) for x, y, bright in pieces]
    told = [watch.see().state for _ in range(6)]
    assert (FrameState.BUMPED in told) != marked
    if marked:
        assert watch.see(steady=False).state is FrameState.BUMPED  # the markers are seen again, and elsewhere


def test_markers_that_stay_hidden_keep_no_knock_from_being_found(watch: Watch) -> None:
    """After some seconds the picture alone tells."""
    table = watch.table
    watch.reach_in()
    watch.see(steady=True)
    table.cloth = np.ascontiguousarray(np.roll(table.cloth, 5, axis=1))
    table.pieces = [(x + 5, y, bright) for x, y, bright in table.pieces]
    assert FrameState.BUMPED in [watch.see().state for _ in range(45)]


def test_while_the_markers_move_nothing_is_settled(watch: Watch) -> None:
    """Who follows the markers knows of a knock before the gate does."""
    assert watch.see(steady=False).state is FrameState.BUMPED


def test_black_frozen_and_torn_frames_are_told(watch: Watch) -> None:
    """Faults of the camera have names of their own and are never a settled table."""
    black = np.full((SIZE[1], SIZE[0], 3), 3, dtype=np.uint8)
    assert watch.see(black).state is FrameState.BLACK
    watch.wait(8)
    torn = watch.table.picture()
    torn[300:] = (0, 128, 0)
    assert watch.see(torn).state is FrameState.TORN
    assert watch.wait(8).settled
    frozen = watch.table.picture()
    assert [watch.see(frozen).state for _ in range(9)][-1] is FrameState.FROZEN
    assert watch.wait(8).settled
    assert watch.looks[-1].changed == ()


def test_a_move_behind_a_covered_lens_is_found(watch: Watch) -> None:
    """After a second without frames the table is compared with the view from before."""
    watch.t += 1.0
    watch.table.pieces[2] = (330, 330, 230)
    look = watch.wait(8)
    assert look.settled
    assert look.view == 2
    assert len(look.changed) == 2


def test_what_lies_outside_the_table_is_no_hand() -> None:
    """With a region told, an elbow beside the table keeps nobody waiting."""
    watch = Watch(Table(), Gate(SIZE, ((0, 0), (640, 0), (640, 380), (0, 380))))
    watch.wait(14)
    watch.table.arm = (300, 430)
    assert watch.wait(8).settled
    assert watch.looks[-1].hidden == ()


def test_an_arm_that_was_there_from_the_start_is_not_missed_for_ever() -> None:
    """When it has left, the view has its outline and the frame has not: the table is free."""
    table = Table()
    table.arm = (300, 210)
    watch = Watch(table)
    watch.wait(14)
    watch.draw_back()
    assert watch.wait(20).settled


@pytest.mark.parametrize(
    ("by", "edge", "sharp", "shaded"),
    [(0.15, 0.0, 40, True), (-0.15, 0.0, 40, False), (0.15, 0.3, 40, False), (0.15, 0.0, 200, False)],
)
def test_what_is_brighter_and_has_no_edge_was_shaded_by_who_waited_beside_the_table(
    by: float, edge: float, sharp: int, *, shaded: bool
) -> None:
    """A shadow that has come, a sleeve with its folds, and what is sharp all along are none that left."""
    rng = np.random.default_rng(3)
    view = (6.5 + rng.normal(0, 0.02, (60, 80, 3))).astype(np.float32)
    frame = (view + rng.normal(0, 0.02, view.shape)).astype(np.float32)
    mask = np.zeros((22, 20), dtype=np.uint8)
    cv2.ellipse(mask, (0, 11), (18, 10), 0, 0, 360, 255, -1)
    shade = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 2.0)[:, :, None]
    frame[20:42, :20] += by * shade + edge * (np.arange(22)[:, None, None] // 3 % 2) * shade
    thing = Thing(0, 20, 20, 22, int((mask > 0).sum()), sharp, True, mask)
    assert was_shaded(thing, frame, view) is shaded


def stretch(table: Table, view: Table) -> list[Thing]:
    """What hides a table in another light, where the whole picture differs from how it was."""
    table.light = np.asarray(0.75 + 0.3 * np.sin(np.mgrid[0:480, 0:640][1][:, :, None] / 60), np.float32)
    frame, before = (Small.of(one.picture()).logs for one in (table, view))
    whole = np.full(frame.shape[:2], 255, dtype=np.uint8)
    rows, columns = whole.shape
    return hiding(Thing(0, 0, columns, rows, whole.size, 5000, True, whole), frame, before, whole)


def test_an_arm_in_another_light_is_where_the_table_is_not_seen() -> None:
    """The whole picture differs, and most of it is only relit: not all of it is an arm, and not nothing."""
    table = Table()
    table.arm, table.sleeve = (300, 210), (50, 60, 90)
    (arm,) = stretch(table, Table())
    covered = np.zeros((240, 320), dtype=np.uint8)
    covered[arm.upper : arm.upper + arm.high, arm.left : arm.left + arm.wide] = arm.mask
    assert covered[220, 177]
    assert not covered[:, :120].any()
    assert arm.is_arm


def test_such_a_light_alone_hides_nothing_nor_do_pieces_that_were_moved() -> None:
    """A piece lies within the table, and is smaller than any arm."""
    assert not stretch(Table(), Table())
    moved = Table()
    moved.pieces = [(150 + 90 * k, 300, 230) for k in range(4)]
    assert not stretch(moved, Table())


def test_what_lay_over_the_table_and_was_taken_for_it_has_left_when_the_table_is_seen_again() -> None:
    """Among many pieces it leaves no clear outline by which that would be known."""
    table = Table()
    table.pieces = [(60 + 52 * k, 60 + 34 * n, 230) for k in range(10) for n in range(11)]
    watch = Watch(table)
    watch.wait(14)
    watch.reach_in()
    watch.gate.take_as_it_is()
    assert watch.wait(14).settled
    watch.draw_back()
    assert watch.wait(25).settled


def test_taking_the_table_as_it_is_starts_anew(watch: Watch) -> None:
    """A cloth laid over the rim is the table once somebody says so."""
    watch.reach_in()
    assert watch.wait(20).state is FrameState.RESTING
    watch.gate.take_as_it_is()
    look = watch.wait(14)
    assert look.settled
    assert look.view == 2


def test_frames_vote() -> None:
    """The median of three or five frames is that of every pixel; of an even number the oldest is left out."""
    rng = np.random.default_rng(3)
    for count in (1, 3, 5):
        pictures = [rng.integers(0, 256, (7, 9, 3)).astype(np.uint8) for _ in range(count)]
        assert np.array_equal(median(pictures), np.median(np.stack(pictures), axis=0).astype(np.uint8))
    pictures = [rng.integers(0, 256, (7, 9, 3)).astype(np.uint8) for _ in range(4)]
    assert np.array_equal(median(pictures), median(pictures[1:]))


def test_the_settled_table_has_less_noise_than_a_frame(watch: Watch) -> None:
    """Several frames vote on what is read; while a hand is there, nobody may read."""
    voted = watch.gate.voted()
    assert voted is not None
    clean = without_noise(watch.table)
    of_vote, of_frame = (np.abs(p.astype(int) - clean).mean() for p in (voted, watch.table.picture()))
    assert of_vote < 0.7 * of_frame
    watch.reach_in()
    assert watch.gate.voted() is None


def without_noise(table: Table) -> NDArray[np.int64]:
    """The table without noise, as nearly as 40 frames tell."""
    return np.mean([table.picture() for _ in range(40)], axis=0).astype(np.int64)


def test_a_film_of_a_game_is_read_once_after_every_move() -> None:
    """On the virtual table no view is settled with a hand in sight, and every move is followed by one."""
    options = Options(
        moves=2, size_px=(480, 360), tilt_deg=4.0, manners=TableManners(idle=0, together=0, nudge=0)
    )
    film = Film.of("draw-game", seed=4, options=options)
    gate, looks, hands = Gate((480, 360)), [], []
    for shot in film.shots():
        looks.append(gate.see(shot.picture, shot.tick.t))
        hands.append(shot.hand)
    for before, after in pairwise(range(len(looks))):
        if looks[after].view != looks[before].view:
            assert not any(hands[max(0, after - 3) : after + 1])
    moved = [line for line in film.truth()[1:] if line["type"] in ("move", "fact") and line["visible"]]
    assert looks[-1].view >= 1 + len(moved)


def real_lights(position: str) -> list[Picture]:
    """One board under many lights, from one of two places of the camera."""
    if not LIGHTS.is_dir():
        pytest.skip("the photographs of one board under 24 lights are not here (shared/data/lights)")
    images = json.loads((LIGHTS / "labels.json").read_text(encoding="utf-8"))["images"]
    files = [LIGHTS / one["file"] for one in images if one["camera_position"] == position]
    return [cv2.resize(cv2.imread(str(f)), (480, 480), interpolation=cv2.INTER_AREA) for f in files]  # type: ignore[misc, arg-type]


@pytest.mark.parametrize("position", ["A", "B"])
def test_a_real_board_under_another_light_has_not_been_played_on(position: str) -> None:
    """From each of 24 real lights to the next, with nobody at the table, no piece is told to have moved."""
    noisy = Table(5).noisy
    gate, t = Gate((480, 480)), 0.0
    for board in real_lights(position):
        for _ in range(9 if t else 14):
            t += STEP_S
            look = gate.see(noisy(board.astype(np.float32)), t)
        assert look.settled
        assert not look.changed


def test_pieces_whose_shadow_reaches_the_rim_are_no_arm() -> None:
    """An arm is wide where it comes in; a narrow shadow there, or one along the rim, is none."""
    whole = np.full((240, 320), 255, np.uint8)

    def limb(*parts: tuple[int, int, int, int], watched: Mask = whole) -> bool:
        mask = np.zeros(whole.shape, np.uint8)
        for left, upper, right, lower in parts:
            mask[upper:lower, left:right] = 255
        return is_limb(Thing(0, 0, 320, 240, int((mask > 0).sum()), 500, True, mask), watched)

    soldiers = (20, 130, 48, 230)
    assert not limb(soldiers, (30, 230, 35, 240), (28, 237, 50, 240))
    assert limb(soldiers, (30, 230, 44, 240))
    assert limb((0, 100, 90, 113))
    assert not limb(soldiers)
    part = whole.copy()
    part[:, 280:] = 0
    assert limb((200, 100, 280, 115), watched=part)
    assert not limb((200, 100, 276, 115), (276, 105, 280, 110), watched=part)


@pytest.mark.parametrize("factor", [0.5, 1.12, 2.0])
def test_an_exposure_that_the_camera_has_changed_is_no_move(factor: float) -> None:
    """It is told with its frame: no hand is seen in it, and the table is the view that it was."""
    rng, gate = np.random.default_rng(3), Gate((640, 480))
    table = cv2.GaussianBlur(rng.uniform(40, 120, (480, 640, 3)), (0, 0), 3).astype(np.float32)
    looks = []
    for number in range(40):
        lit = table * (factor if number >= 20 else 1.0) + rng.normal(0, 1, table.shape)
        looks.append(gate.see(np.clip(lit, 0, 255).astype(np.uint8), number / 10, relit=number == 20))
    assert looks[19].state is FrameState.SETTLED
    assert {one.state for one in looks[20:]} <= {FrameState.LIGHT, FrameState.SETTLING, FrameState.SETTLED}
    assert looks[-1].state is FrameState.SETTLED
    assert looks[-1].view == looks[19].view
