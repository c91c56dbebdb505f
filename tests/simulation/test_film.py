"""Films: the same seed gives the same frames, the truth holds for them, and trouble comes as it is told."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration import aruco
from engine import GAMES
from simulation.director import TableManners
from simulation.film import Film, FilmShot, Options
from simulation.trouble import KINDS
from simulation.virtual_scene import Sensor

SMALL = Options(moves=2, size_px=(320, 240), fps=5, tilt_deg=4.0, manners=TableManners(idle=0, together=0))
STILL = Sensor(shot_noise=0, read_noise=0, jpeg_quality=100, sharpening=0, blur_px=0.2)


def film_of(game: str, seed: int = 3, options: Options = SMALL, *, noisy: bool = False) -> Film:
    """A small film, without noise unless asked for."""
    film = Film.of(game, seed=seed, options=options)
    if not noisy:
        film.scene = replace(film.scene, sensor=STILL)
    return film


@lru_cache(maxsize=2)
def shots_of(game: str) -> tuple[FilmShot, ...]:
    """Every other frame of a small film, and the last."""
    film = film_of(game)
    return tuple(film.shots({*range(0, len(film), 2), len(film) - 1}))


def lines(film: Film, kind: str) -> list[dict[str, object]]:
    """The lines of the truth of one type."""
    return [line for line in film.truth() if line["type"] == kind]


@pytest.mark.parametrize("game", GAMES)
def test_only_what_moved_looks_different_after_a_move(game: str) -> None:
    """Between the still tables before and after a move the picture differs where pieces lay or lie, and not
    elsewhere; and it does differ.
    """
    film = film_of(game)
    line = next(line for line in film.truth()[1:] if line["visible"] and line.get("stands", True))
    before, after = film.shots({max(0, int(line["first"]) - 1), min(len(film) - 1, int(line["last"]) + 2)})
    assert not before.hand
    assert not after.hand
    assert before.complete
    assert after.complete
    assert after.state == line["state"]
    was, now = ({fact["name"]: fact for fact in shot.pieces()} for shot in (before, after))
    touched = [f for name in was.keys() | now.keys() for f in (was.get(name), now.get(name))
               if f and was.get(name) != now.get(name)]  # fmt: skip
    assert touched
    allowed = np.zeros(before.picture.shape[:2], dtype=np.uint8)
    for fact in touched:
        x, y = (int(v) for v in fact["centre_px"])
        cv2.circle(allowed, (x, y), 40 if fact["kind"] == "sheet" else 25, 255, -1)
    changed = cv2.absdiff(before.picture, after.picture).max(axis=2) > 20
    assert np.count_nonzero(changed & (allowed > 0)) > 5
    # Shadows reach a little farther than the pieces; nothing else may differ.
    assert np.count_nonzero(changed & (allowed == 0)) < 0.001 * changed.size


@pytest.mark.parametrize("game", ["dominoids", "draw-game"])
def test_hands_are_where_the_truth_says_something_is_hidden(game: str) -> None:
    """Frames with a hand name hidden regions and those without none; there the table looks changed."""
    shots = shots_of(game)
    with_hand = [shot for shot in shots if shot.hand]
    assert len(with_hand) >= 6
    bare = shots[0].picture.astype(int)
    for shot in shots:
        mask = np.zeros(bare.shape[:2], dtype=np.uint8)
        outlines = shot.hidden()
        assert bool(outlines) <= shot.hand
        for outline in outlines:
            cv2.fillPoly(mask, [np.array(outline, dtype=np.int32)], 1)
        if mask.sum() > 400:
            differs = np.abs(shot.picture.astype(int) - bare).max(axis=2) > 8
            assert differs[cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0].mean() > 0.8


def test_pieces_under_a_hand_are_told_as_hidden() -> None:
    """While a hand works, some piece is seen less than before; afterwards it is seen again."""
    shots = shots_of("dominoids")
    least = min(fact["visible"] for shot in shots if shot.hand for fact in shot.pieces())
    assert least < 0.5
    assert min(fact["visible"] for fact in shots[-1].pieces() if fact["kind"] == "domino") > 0.8


def test_the_same_seed_gives_the_same_film() -> None:
    """Two films from one seed are equal pixel by pixel and line by line; another seed gives another."""
    short = replace(SMALL, moves=1, fps=3)
    films = [film_of("dominoids", seed, short, noisy=True) for seed in (4, 4, 5)]
    frames = [[shot.picture for shot in film.shots(range(2, 16, 3))] for film in films]
    assert films[0].truth() == films[1].truth() != films[2].truth()
    assert all(np.array_equal(a, b) for a, b in zip(frames[0], frames[1], strict=True))
    assert not np.array_equal(frames[0][0], frames[2][0])


@pytest.mark.parametrize("game", GAMES)
def test_trouble_does_not_change_the_game(game: str) -> None:
    """What goes wrong draws from a stream of its own: game and hands are the same without it."""
    plain = film_of(game, 6)
    bad = film_of(game, 6, replace(SMALL, troubles=tuple(kind for kind in KINDS if kind != "hurry")))
    assert plain.script == bad.script
    assert plain.take.reel == bad.take.reel


def test_every_line_of_the_truth_is_in_the_film_and_complete() -> None:
    """Numbers of frames lie in the film, moves are numbered, illegal ones have a rule and are taken back."""
    options = replace(SMALL, moves=30, illegal=0.3, troubles=tuple(KINDS))
    film = film_of("dominoes-of-war", 7, options)
    header, *rest = film.truth()
    assert header["type"] == "film"
    assert header["frames"] == len(film) == len(film.ticks)
    for line in rest:
        assert 0 <= int(line["first"]) <= int(line["last"]) < len(film)
    moves = lines(film, "move")
    assert [line["number"] for line in moves] == list(range(1, 31))
    illegal = [line for line in moves if not line["legal"]]
    assert illegal
    assert all(
        line["rule"] and (line["stands"] or int(line["back"][0]) >= int(line["last"])) for line in illegal
    )  # type: ignore[index]
    assert lines(film, "trouble")
    assert [int(line["first"]) for line in rest] == sorted(int(line["first"]) for line in rest)


def troubled(*kinds: str) -> Film:
    """A film that is long enough for every kind of trouble."""
    return film_of("draw-game", 8, replace(SMALL, moves=6, troubles=kinds), noisy=False)


def test_missing_frames_leave_gaps_in_time() -> None:
    """An unplugged camera and dropped frames deliver nothing: the film is shorter, and its time jumps."""
    film = troubled("unplug", "drop")
    gaps = [b.t - a.t for a, b in zip(film.ticks, film.ticks[1:], strict=False)]
    told = sorted(float(line["gap_s"]) for line in lines(film, "trouble"))  # type: ignore[arg-type]
    assert max(gaps) > 1.4
    assert max(gaps) > max(told) - 0.21
    assert len(film) < len(troubled()) - 5


def test_a_frozen_camera_repeats_itself_and_a_black_one_shows_nothing() -> None:
    """Frozen frames are the very same picture, black ones dark, and the game goes on meanwhile."""
    film = troubled("freeze", "black")
    frozen = [tick for tick in film.ticks if tick.shows < tick.t and not tick.black]
    black = [tick for tick in film.ticks if tick.black]
    assert frozen
    assert black
    pictures: dict[float, bytes] = {}
    some = [k for k, tick in enumerate(film.ticks) if tick.black or tick.shows < tick.t]
    for shot in film.shots({*some, *(k - 1 for k in some)}):
        if shot.tick.black:
            assert shot.picture.max() <= 3
            assert not shot.hand
        elif shot.tick.shows < shot.tick.t:
            assert shot.picture.tobytes() == pictures[shot.tick.shows]
        else:
            pictures[shot.tick.shows] = shot.picture.tobytes()
        if shot.tick.t > max(frozen[0].t, black[0].t) + 0.4:
            break


def test_light_changes_and_comes_back() -> None:
    """A lamp that goes off, a shadow that passes, an exposure that hunts: the picture changes."""
    for kind in ("lamp", "shadow", "exposure"):
        film = troubled(kind)
        line = lines(film, "trouble")[0]
        first, last = int(line["first"]), int(line["last"])  # type: ignore[call-overload]
        wanted = {max(0, first - 1), *range(first, last + 1), min(len(film) - 1, last + 2)}
        wanted -= set(range(first + 1, last, 2)) if last - first > 8 else set()
        means = {shot.index: float(shot.picture.mean()) for shot in film.shots(wanted)}
        usual = means[max(0, first - 1)]
        assert max(abs(mean - usual) for k, mean in means.items() if first <= k <= last) > 3, kind


def test_a_bump_moves_the_camera_as_told() -> None:
    """After a bump the markers are seen where the camera of the truth sees them."""
    film = film_of("kingdomino-duel", 9, replace(SMALL, moves=3, size_px=(640, 480), troubles=("bump",)))
    line = lines(film, "trouble")[0]
    first = int(line["first"])  # type: ignore[call-overload]
    assert line["rotation"] != film.header()["camera"]["rotation"]  # type: ignore[call-overload, index]
    shot = next(shot for shot in film.shots(range(first, len(film), 4)) if not shot.hand)
    assert list(shot.camera.pose.rotation) == line["rotation"]
    found = dict(aruco.detect(cv2.cvtColor(shot.picture, cv2.COLOR_BGR2GRAY)))
    markers = {p.look.number: p for p in film.scene.pieces if p.kind == "marker"}  # type: ignore[union-attr]
    assert len(found) >= 3
    for number, corners in found.items():
        piece = markers[number]
        middle = shot.camera.to_pixels([(piece.x_mm, piece.y_mm)], 0.25)[0]
        assert np.linalg.norm(np.asarray(corners).mean(axis=0) - middle) < 1.0
