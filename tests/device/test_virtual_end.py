"""The end of a game at the virtual table: the last page stays, and what repeats an error does, too."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from device.cameras.virtual import VirtualSeats, VirtualTable
from device.cli import parser
from device.cli.refereeing import run
from device.live.ports import Away, Seen, Shot
from device.match.signals import Kind, Told
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.sketch import Sketcher
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import SHORTER, WholeGame
from training.sketch_reader import Misreading, SketchReader
from vision.view.look import TableView

GAME = "draw-game"
CALM = Temper(illegal=0, retracts=0, touches=0, forgets=0, hesitates=0)
MOST = 400
"""So many pictures after the end are more than enough to see the last move again."""


class Lingering(VirtualTable):
    """Somebody takes the last move back when all have gone, answers what is asked, and closes the page."""

    taken_back, pictures = False, 0
    asked: tuple[str, ...] = ()

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame, of which those after the end are counted."""
        found = super().next(min(timeout_s, 0.001))
        if self.people.done and self._view is not None:
            assert self._desk is not None
            over = self._view["phase"] == "finished"
            self.pictures += isinstance(found, Shot)
            if over and not self.taken_back:
                self._desk.press(Told(Kind.UNDO))
                self.taken_back = True
            elif self._view["phase"] == "asking" and not self.asked:
                self.asked = tuple(map(str, cast("Sequence[str]", self._view["choices"])))
                self._desk.press(Told(Kind.CHOOSE, number=1, key=str(self._view["key"])))
            elif (over and self.asked) or self.pictures > MOST:
                self.close()
        return found


def the_end_of_a_game(
    folder: Path, table_of: type[VirtualTable], reader_of: type[SketchReader]
) -> tuple[WholeGame, VirtualTable, SketchReader]:
    """The last moves of a Draw Game at a sketched table, refereed by the command."""
    whole = WholeGame.near_end(GAME, seed=2, left=2, mind=decide)
    (folder / "setup.json").write_text(json.dumps(whole.seen.to_json()), encoding="utf-8")
    table = LiveTable(GAME, 2, whole.layout, Conditions(sketched=True))
    assert isinstance(table.studio, Sketcher)
    source = table_of(table, People(whole, table, CALM, seed=2), speed=0, stays=table_of is Lingering)
    words = ["run", "--source", "virtual", "--game", GAME, "--profile", SHORTER[GAME], "--headless", "--json"]
    words += ["--setup", str(folder / "setup.json")]
    reader = reader_of(GAME, table.studio, Misreading(2, 0.0))
    assert run(parser().parse_args(words), table=source, reader=reader) == 0
    return whole, source, reader


def test_a_last_move_that_is_taken_back_on_the_last_page_is_seen_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table still shows it: the referee looks, asks what that is, and the game ends as it did."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    whole, lingering, _ = the_end_of_a_game(tmp_path, Lingering, SketchReader)
    assert isinstance(lingering, Lingering)
    assert 0 < lingering.pictures <= MOST
    assert lingering.asked[0] == "nothing"
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    outcome = whole.book.outcome(whole.seen)
    assert outcome is not None
    assert last["outcome"]["winner"] == outcome.winner


class Failing(SketchReader):
    """Its second and third look go wrong."""

    looks = 0

    def read(self, view: TableView, before: Seen | None = None) -> Seen | str:
        """What lies there, or an error."""
        self.looks += 1
        if self.looks in (2, 3):
            raise IndexError("list index out of range")
        return super().read(view, before)


def test_what_repeats_an_error_of_the_eye_outlives_a_match_in_passing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal of a virtual table is thrown away; frame, record and trace of an error are not."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    the_end_of_a_game(tmp_path, VirtualTable, Failing)
    (kept,) = tmp_path.glob("pipwatch-errors-*")
    assert f"what the eye failed at is kept in {kept}." in capsys.readouterr().err
    (error,) = kept.iterdir()  # where both arose it is the same
    assert "list index out of range" in (error / "trace.txt").read_text(encoding="utf-8")
    assert (error / "record.jsonl").exists()
    assert not list(tmp_path.glob("pipwatch-*/recorded.match"))


class SatDownError(Exception):
    """Somebody has sat down at the table, and that is all that is asked."""


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        (["run", "--source", "virtual", "--game", GAME], True),
        (["run", "--source", "virtual", "--game", GAME, "--headless"], False),
        (["demo", GAME], True),
    ],
)
def test_whoever_watches_keeps_the_last_page_until_he_closes_it(
    words: list[str], stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the commands as they are typed: only a match without a page ends by itself."""
    seen: list[VirtualSeats] = []

    def sit_down(_game: str, _profile: str, seats: VirtualSeats) -> VirtualTable:
        seen.append(seats)
        raise SatDownError

    monkeypatch.setattr("device.live.wiring.virtual_table", sit_down)
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    arguments = parser().parse_args(words)
    with pytest.raises(SatDownError):
        arguments.run(arguments)
    assert [seats.stays for seats in seen] == [stays]
