"""Sets of people's own pieces: kept by name, listed, and refused in one sentence where they are missing."""

from pathlib import Path

import pytest

from calibration.camera_errors import BadProfileFile
from device.folders import sets_folder, state_folder
from device.keeping.belongings import belongings
from device.own_pieces import OwnPieces, add_looks, name_of, own_set, set_file
from tests.vision.pieces.test_looks import TAUGHT
from vision.pieces.looks import Looks


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


def test_what_was_learned_is_found_by_its_name_and_more_is_added_to_it() -> None:
    """A set is a file; learning again adds, and pages are told how much of each kind it knows."""
    assert OwnPieces().look() == ()
    first = add_looks("Red box, Ann's", TAUGHT.looks[:2])
    assert (first.name, dict(first.kinds)) == ("red-box-ann-s", {"coin": 2})
    shelf = OwnPieces()
    assert [one.to_json() for one in shelf.look()] == [
        {"name": "red-box-ann-s", "title": "Red box, Ann's", "kinds": {"coin": 2}, "games": ["dominoids"]}
    ]
    add_looks("Red box, Ann's", TAUGHT.looks[2:])
    assert own_set("red-box-ann-s") == Looks("Red box, Ann's", TAUGHT.looks)
    assert dict(shelf.look()[0].kinds) == {"coin": 4}
    assert [path.name for path in sets_folder().iterdir()] == ["red-box-ann-s.toml"]
    assert [name for name, _ in belongings(state_folder())] == ["sets/red-box-ann-s.toml"]  # a backup has it


def test_a_set_that_cannot_be_used_is_told_and_not_offered() -> None:
    """Missing, damaged, or a file that somebody has put there under a name that no page can say."""
    sets_folder().mkdir()
    (sets_folder() / "torn.toml").write_text('title = "x"\n[[looks]]\nkind = "coin"\n')
    (sets_folder() / "Not A Name.toml").write_text("")
    shelf = OwnPieces()
    assert shelf.look() == ()
    (problem,) = shelf.problems
    assert problem.startswith("The pieces “torn” cannot be used: torn.toml: looks[0]")
    with pytest.raises(BadProfileFile, match="“blue” are not kept here any more: choose others"):
        own_set("blue")
    for name in ("", "../matches", "a/b", "A", "-a", "a" * 41):
        assert set_file(name) is None
    assert name_of("  Ünder & Über 3 ") == "nder-ber-3"
    with pytest.raises(BadProfileFile, match="needs a name"):
        add_looks("???", TAUGHT.looks)
