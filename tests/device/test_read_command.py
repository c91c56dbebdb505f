"""`pipwatch read`: photos in, words, JSON or drawings out, and one sentence for each file that is none."""

import json
import struct
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from device.cli.read import _total, lines
from tests.device.test_untrusted_picture import png_of, turned
from tests.vision.pieces.made import DIE, domino, square
from vision.photos import picture_reading as reader
from vision.photos.picture_reading import PhotoReadout, agreed
from vision.photos.stacks import Stack
from vision.pieces.patches import Picture

ON_IT = [
    domino((3, 5), (100, 60)),
    domino((6, 6), (100, 130), there=0.7),
    domino(at=(100, 200), face="down"),
    square("die", DIE, (300, 60)),
    square("die", {**DIE, "face": "2"}, (360, 60)),
    square("coin", {"suit": "moons", "value": None}, (300, 200), face="down"),
]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[int, ...], str | None]]:
    """A reader that always reads the same pieces, and the shapes and sets that it was given."""
    shapes: list[tuple[tuple[int, ...], str | None]] = []

    def read_picture(picture: Picture, set_name: str | None = None) -> PhotoReadout:
        shapes.append((picture.shape, set_name))
        return agreed((picture.shape[1], picture.shape[0]), ON_IT, set_name)

    monkeypatch.setattr(reader, "read_picture", read_picture)
    return shapes


def photo(path: Path, size: tuple[int, int] = (400, 240)) -> Path:
    """A grey photo."""
    cv2.imwrite(str(path), np.full((size[1], size[0], 3), 120, np.uint8))
    return path


def bad_files(folder: Path) -> dict[str, str]:
    """Files that cannot be read, and a word of what is wrong with each."""
    jpeg = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 255, (200, 300, 3)).astype(np.uint8))[1]
    heic = struct.pack(">I", 24) + b"ftypheic\0\0\0\0mif1heic" + b"\0" * 200
    kinds = {
        "phone.heic": (heic, "is a HEIC picture, which is not read: save it as JPEG or PNG"),
        "empty.jpg": (b"", "empty"),
        "half.jpg": (bytes(jpeg)[: len(jpeg) // 2], "breaks off"),
        "notes.txt": (b"Sunday's game: 3-5, 6-6\n" * 9, "neither a JPEG nor a PNG"),
        "two\nlines.jpg": (b"", "empty"),
        "giant.png": (png_of(60_000, 60_000, b""), "60000×60000"),
    }
    for name, (data, _) in kinds.items():
        (folder / name).write_bytes(data)
    return {name: words for name, (_, words) in kinds.items()} | {"none.jpg": "no such file"}


@pytest.mark.usefixtures("seen")
def test_bad_files_get_a_sentence_each_and_the_rest_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """HEIC, empty, torn, text, gigantic and missing: a line each; the good ones are all there."""
    bad = bad_files(tmp_path)
    good = [photo(tmp_path / f"good{k}.png") for k in range(2)]
    paths = [str(good[0]), *(str(tmp_path / name) for name in bad), str(good[1])]
    assert main(["read", "--json", *paths]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(path) for path in good]
    sentences = err.splitlines()
    assert len(sentences) == len(bad)
    for sentence, (name, words) in zip(sentences, bad.items(), strict=True):
        assert sentence.startswith("pipwatch read: ")
        assert name.replace("\n", " ") in sentence
        assert words in sentence
        assert "Traceback" not in sentence


def test_the_orientation_of_the_phone_is_honoured(
    tmp_path: Path, seen: list[tuple[tuple[int, ...], str | None]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A photo that was held sideways is read upright, and its size is told upright."""
    plain = bytes(cv2.imencode(".jpg", np.full((240, 400, 3), 120, np.uint8))[1])
    path = tmp_path / "sideways.jpg"
    path.write_bytes(turned(plain, 6))
    assert main(["read", "--json", str(path), "--set", "double-nine"]) == 0
    assert json.loads(capsys.readouterr().out)["size"] == [240, 400]
    assert seen == [((400, 240, 3), "double-nine")]


@pytest.mark.usefixtures("seen")
def test_words_and_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kind on its line, the pips of the hand and of the dice added up, doubts marked and counted."""
    assert main(["read", str(photo(tmp_path / "a.png"))]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].endswith("a.png: 3 dominoes, 2 dice, 1 coin")
    assert "3-5" in lines[1]
    assert "6-6?" in lines[1]
    assert "face down" in lines[1]
    assert any(line.endswith("pips on these dominoes: 8, with those marked ? 20") for line in lines)
    assert any(line.endswith("pips on these dice: 7") for line in lines)
    assert any("moons" in line for line in lines)
    assert "1 marked with ?" in lines[-1]


@pytest.mark.usefixtures("seen")
def test_a_drawing_of_each_photo_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One picture of the same size in the folder, which is made; a folder that cannot be is one sentence."""
    path = photo(tmp_path / "a.png")
    assert main(["read", str(path), "--annotate", str(tmp_path / "new" / "drawn")]) == 0
    drawn = cv2.imread(str(next((tmp_path / "new" / "drawn").iterdir())))
    assert drawn is not None
    assert drawn.shape == (240, 400, 3)
    assert (drawn != 120).any()
    capsys.readouterr()
    for folder, words in ((path / "under a file", "cannot be made"), (path, "is a file")):
        assert main(["read", str(path), "--annotate", str(folder)]) == 2
        err = capsys.readouterr().err
        assert len(err.splitlines()) == 1
        assert words in err


@pytest.mark.usefixtures("seen")
def test_what_was_read_is_told_though_it_cannot_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full disk costs the drawing, not the reading."""
    path = photo(tmp_path / "a.png")
    monkeypatch.setattr(cv2, "imwrite", lambda *_: False)
    assert main(["read", str(path), "--annotate", str(tmp_path / "drawn")]) == 2
    out, err = capsys.readouterr()
    assert "3 dominoes" in out
    assert "cannot be written" in err


@pytest.mark.parametrize(("light", "why"), [(0, "nearly black"), (255, "nearly white"), (128, "")])
def test_a_picture_without_light_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], light: int, why: str
) -> None:
    """That nothing can be seen is another thing than that nothing is there."""
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((240, 400, 3), light, np.uint8))
    assert main(["read", str(path)]) == 0
    out = capsys.readouterr().out.strip()
    assert out.endswith(f"it is {why}" if why else "no pieces found")


def test_pips_in_doubt_that_are_none_are_not_added_up() -> None:
    """A blank tile in doubt leaves the number as it is, and the line says so."""
    sure, blank = domino((2, 3), p=1.0, there=1.0), domino((0, 0), p=0.6)
    assert _total("dominoes", [(sure, 5), (blank, 0)]).endswith(": 5, those marked ? seem to have none")


@pytest.mark.usefixtures("seen")
def test_a_drawing_never_takes_the_place_of_a_photo_or_of_another_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawn beside the photos, which stay byte for byte; photos of one name get a drawing each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    names = ("a.png", "a-read.png", "other/a.png", "a.jpg")
    before = {name: photo(tmp_path / name).read_bytes() for name in names}
    assert main(["read", *names, "--annotate", "."]) == 0
    assert {name: (tmp_path / name).read_bytes() for name in names} == before
    drawn = {path.name for path in tmp_path.iterdir() if path.is_file()} - set(names)
    assert drawn == {"a-read-2.png", "a-read-read.png", "a-read-3.png", "a-read-4.png"}


@pytest.mark.usefixtures("seen")
@pytest.mark.parametrize(("terminal", "photos"), [(True, 3), (True, 1), (False, 3)])
def test_a_bar_shows_on_a_terminal_for_many_photos_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, terminal: bool,
    photos: int,
) -> None:  # fmt: skip
    """Standard output holds only the answer; what moves goes to a terminal and is wiped at the end."""
    paths = [str(photo(tmp_path / f"{k}.png")) for k in range(photos)]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert main(["read", "--json", *paths]) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["size"] for line in out.splitlines()] == [[400, 240]] * photos
    assert ("3/3" in err) == (terminal and photos > 1)
    assert (err == "") == (not terminal or photos == 1)
    assert not err or err.endswith("\x1b[K")


def test_a_set_that_there_is_not_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The names of the sets are those that the help tells."""
    with pytest.raises(SystemExit) as stop:
        main(["read", "--set", "double-two", str(photo(tmp_path / "a.png"))])
    assert stop.value.code == 2
    assert "double-six" in capsys.readouterr().err


def test_an_empty_table_holds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The real networks see no pieces on a bare table, and say so."""
    rng = np.random.default_rng(3)
    bare = cv2.GaussianBlur(rng.normal(110, 40, (240, 400, 3)), (0, 0), 9) + rng.normal(0, 2, (240, 400, 3))
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), bare.clip(0, 255).astype(np.uint8))
    assert main(["read", str(path)]) == 0
    assert "no pieces found" in capsys.readouterr().out


def test_doubted_tiles_and_piles_are_told_apart_from_what_is_marked(tmp_path: Path) -> None:
    """Tiles have no word of their own that could bear a mark; a coin on others shows none of them."""
    tiles = (square("tile", None, (60, 60), 60, there=0.5), square("tile", None, (200, 60), 60, there=0.5))
    coins = (square("coin", {"suit": "moons", "value": None}, (300, 60)),) * 2
    piles = (None, None, Stack(5, 0.4, 0.99), Stack(1, 0.9, 0.1))
    told = list(lines(tmp_path / "a.png", PhotoReadout((400, 240), (*tiles, *coins), {}, stacks=piles)))
    assert "  look again at 2 tiles: a cloth or a plank looks like one" in told
    assert not any("marked with ?" in line for line in told)
    assert told[-1] == "  on other coins: a coin"
