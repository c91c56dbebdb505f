"""`pipwatch learn` and `pipwatch read --looks`: own pieces by name, and one sentence for what is wrong."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from tests.vision.pieces.test_looks import INKS, coin
from vision.photos import picture_reading as reading
from vision.photos.picture_reading import PhotoReadout
from vision.pieces.looks import load
from vision.pieces.patches import Picture, rectangle
from vision.pieces.piece_read import Read

PLACES = ((80, 80), (240, 80), (80, 240), (240, 240))
NAMES = ("suns", "moons", "crowns", "arms")


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A photo of four coins, found where they lie and all taken for moons."""

    def read(picture: Picture, _set: str | None = None) -> PhotoReadout:
        value = {"suit": "moons", "value": None}
        pieces = [
            Read("coin", "down", ((value, 0.6),), 0.999, rectangle(x, y, 80, 80, 0), 0.0) for x, y in PLACES
        ]
        return PhotoReadout((picture.shape[1], picture.shape[0]), tuple(reversed(pieces)), {})

    monkeypatch.setattr(reading, "read_picture", read)
    path = tmp_path / "coins.png"
    write(path, 0)
    return path


def write(path: Path, turn: float) -> None:
    """Four coins, by lines from above."""
    a, b, c, d = (coin(name, turn) for name in NAMES)
    cv2.imwrite(str(path), np.vstack([np.hstack([a, b]), np.hstack([c, d])]))


def learn(photo: Path, out: Path, names: str = ",".join(NAMES), kind: str = "coin") -> int:
    """Run the command."""
    return main(["learn", str(photo), "--kind", kind, "--names", names, "-o", str(out)])


def test_coins_learned_from_one_photo_are_named_in_another(
    photo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of reading, whatever the reader took them for."""
    out = photo.with_name("mine.toml")
    assert learn(photo, out) == 0
    assert [one.name for one in load(out).looks] == list(NAMES)
    write(photo, 130)
    capsys.readouterr()
    assert main(["read", str(photo), "--looks", str(out)]) == 0
    (line,) = [text for text in capsys.readouterr().out.splitlines() if "coins:" in text]
    assert [line.count(name) for name in sorted(INKS)] == [1, 1, 1, 1]


def test_learning_again_adds_and_a_dash_leaves_out(photo: Path) -> None:
    """What was known stays; pieces without a name are not learned."""
    out = photo.with_name("mine.toml")
    assert learn(photo, out) == 0
    assert learn(photo, out, "suns,-,-,arms") == 0
    assert [one.name for one in load(out).looks] == [*NAMES, "suns", "arms"]


@pytest.mark.parametrize(
    ("names", "kind", "out", "said"),
    [
        ("suns,moons", "coin", "mine.toml", "2 names were given but the photos show 4 pieces of kind coin"),
        ("suns,moons,crowns,hearts", "coin", "mine.toml", "a coin cannot be called 'hearts'"),
        ("suns,moons,crowns,arms", "pawn", "mine.toml", "show 0 pieces of kind pawn"),
        ("suns,moons,crowns,arms", "coin", "mine.txt", "should end in .toml"),
        ("suns,moons,crowns,arms", "coin", "none/mine.toml", "cannot be written"),
    ],
)
def test_bad_input_gets_one_sentence_and_writes_nothing(
    photo: Path, capsys: pytest.CaptureFixture[str], names: str, kind: str, out: str, said: str
) -> None:
    """Exit status 2, and no file of looks."""
    folder = photo.with_name("new")
    folder.mkdir()
    assert learn(photo, folder / out, names, kind) == 2
    told = capsys.readouterr().err.splitlines()
    assert said in told[-1]
    assert list(folder.iterdir()) == []


def test_a_file_that_holds_no_looks_is_told(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By both commands, and the file stays as it is."""
    path = photo.with_name("other.toml")
    path.write_text('title = "x"\nlens = 3\n', encoding="utf-8")
    assert learn(photo, path) == 2
    assert main(["read", str(photo), "--looks", str(path)]) == 2
    assert "there is no key 'lens'" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == 'title = "x"\nlens = 3\n'
