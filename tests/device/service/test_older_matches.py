"""Matches further back than the last twelve: page by page, counted for their players, judged once."""

import os
import shutil
import time
from pathlib import Path
from random import Random

import pytest

from device.folders import matches_folder
from device.journal.game import began
from device.journal.store import Journal
from device.service import kept_match, shelf
from device.service.box import Seating
from device.service.kept_match import KeptMatch, Pair, pairs, recalled
from device.service.shelf import Shelf, kept_at, seated
from engine.history import History

ALL = 30
UNFINISHED = (0, 14, 29)
"""Which of them nobody has played to the end, the newest first."""


QUICK = "default+target=5"
"""Whoever scores once has won."""


def many_matches(folder: Path) -> int:
    """Thirty of them in a folder, named by how many are newer; who has won all that are over."""
    rng = Random(4)
    history = begun = History.begin("draw-game", QUICK, seed=4, players=("Ann", "Bo"))
    while history.outcome is None:
        moves = list(history.book.legal_moves(history.state))
        history = history.move(history.book.format(rng.choice(moves)))
        begun = history if len(begun.entries) < 2 else begun
    assert history.outcome.winner is not None
    folder.mkdir(parents=True)
    for number in range(ALL):
        path = folder / f"m{number:02}.match"
        with Journal(path) as journal:
            journal.append([seated(Seating("draw-game", ("Ann", "Bo"), by="hand", profile=QUICK))])
            journal.append([*began(begun if number in UNFINISHED else history)])
        os.utime(path, (1e9 - number, 1e9 - number))
    return history.outcome.winner


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """Thirty matches, and who has won them."""
    folder = tmp_path_factory.mktemp("many") / "matches"
    return folder, many_matches(folder)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: tuple[Path, int]) -> Path:
    """The box has them; where it is remembered how they ended."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    shutil.copytree(made[0], matches_folder())
    return tmp_path / "shelf.json"


def counted(found: Shelf) -> list[object]:
    """Who has won how often, once all are counted."""
    end = time.monotonic() + 30
    while (told := found.told())["counting"]:
        assert time.monotonic() < end
        time.sleep(0.02)
    told = found.told()  # what was counted last is remembered by now
    return [*told["pairs"]] if isinstance(told["pairs"], list) else []


def test_all_of_them_are_reached_page_by_page(file: Path) -> None:
    """None twice, none left out, those to go on with as well; a name that is not kept is none."""
    found = Shelf(file)
    names, after = [one.name for one in found.look()], str(found.told()["older"])
    assert len(names) == 12
    while after:
        page = found.page(after)
        assert page is not None
        names += [one.name for one in page.kept]
        after = page.older
    assert names == [f"m{number:02}" for number in range(ALL)]
    assert [one.name for one in found.page("").kept] == names[:12]  # type: ignore[union-attr]
    assert found.page("m99") is None
    assert found.page("../m01") is None


def test_a_pair_s_matches_are_counted_all(file: Path, made: tuple[Path, int]) -> None:
    """Also those further back than what is shown, once each, and not those that are not over."""
    won = [0, 0]
    won[made[1] - 1] = ALL - len(UNFINISHED)
    assert counted(Shelf(file)) == [{"players": ["Ann", "Bo"], "won": won, "drawn": 0}]


def test_what_was_judged_once_is_not_judged_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart either; what has changed, and what is not over, is looked at anew."""
    told = counted(Shelf(file))
    read: list[str] = []

    def noted(path: Path) -> KeptMatch | None:
        read.append(path.stem)
        return kept_at(path)

    monkeypatch.setattr(shelf, "kept_at", noted)
    again = Shelf(file)
    assert counted(again) == told
    assert sorted(read) == [f"m{number:02}" for number in UNFINISHED]
    read.clear()
    assert counted(again) == told
    assert read == []
    os.utime(matches_folder() / "m20.match", (1e9 - 20, 1e9 - 19.5))
    assert counted(again) == told
    assert read == ["m20"]
    (matches_folder() / "m25.match").unlink()
    ((pair),) = counted(again)
    assert isinstance(pair, dict)
    assert sum(pair["won"]) == ALL - len(UNFINISHED) - 1
    assert "m25.match" not in recalled(file)


def test_nothing_is_counted_while_somebody_plays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last twelve are what they were; the rest waits until the table is free."""
    read, free = list[Path](), [False]
    monkeypatch.setattr(shelf, "kept_at", lambda path: read.append(path) or kept_at(path))
    found = Shelf(file, lambda: free[0])
    for _ in range(3):
        assert found.told()["counting"]
        time.sleep(0.05)
    assert len(read) == 12
    free[0] = True
    counted(found)
    assert len(read) == ALL


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"form": 1}', "null", '{"form": 1, "matches": 3}'])
def test_what_is_remembered_is_believed_only_if_it_is_whole(file: Path, text: str) -> None:
    """A torn file, or one of another version: all are judged again, and the file is whole after that."""
    told = counted(Shelf(file))
    assert recalled(file)
    file.write_text(text)
    assert recalled(file) == {}
    assert counted(Shelf(file)) == told
    assert len(recalled(file)) == ALL - len(UNFINISHED)


def test_another_version_judges_for_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rule books may say otherwise."""
    counted(Shelf(file))
    monkeypatch.setattr(kept_match.metadata, "version", lambda _name: "99")
    assert recalled(file) == {}


def test_who_sat_where_is_no_matter() -> None:
    """Two people are one pair; draws are told apart; who has played last comes first."""

    def played(first: str, second: str, winner: int, *, over: bool = True) -> KeptMatch:
        return KeptMatch("x", Seating("draw-game", (first, second)), winner=winner, over=over)

    assert pairs(
        [played("Cy", "Bo", 1), played("Bo", "Ann", 1), played("Ann", "Bo", 1), played("Ann", "Bo", 0),
         played("Ann", "Bo", 2), played("Ann", "Bo", 2, over=False)]
    ) == (Pair(("Bo", "Cy"), (0, 1)), Pair(("Ann", "Bo"), (1, 2), 1))  # fmt: skip
