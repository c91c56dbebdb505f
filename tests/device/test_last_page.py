"""The last page of a game at the virtual table stays, and whoever takes back on it is not left alone."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from device.cameras.virtual import VirtualTable
from device.cli import parser
from device.cli.refereeing import run
from device.live.ports import Away, Shot
from device.match.signals import Kind, Told
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.sketch import Sketcher
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import SHORTER, WholeGame
from training.sketch_reader import Misreading, SketchReader

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


def test_a_last_move_that_is_taken_back_on_the_last_page_is_seen_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table still shows it: the referee looks, asks what that is, and the game ends as it did."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    whole = WholeGame.near_end(GAME, seed=2, left=2, mind=decide)
    (tmp_path / "setup.json").write_text(json.dumps(whole.seen.to_json()), encoding="utf-8")
    table = LiveTable(GAME, 2, whole.layout, Conditions(sketched=True))
    assert isinstance(table.studio, Sketcher)
    lingering = Lingering(table, People(whole, table, CALM, seed=2), speed=0, stays=True)
    words = ["run", "--source", "virtual", "--game", GAME, "--profile", SHORTER[GAME], "--headless", "--json"]
    words += ["--setup", str(tmp_path / "setup.json")]
    reader = SketchReader(GAME, table.studio, Misreading(2, 0.0))
    assert run(parser().parse_args(words), table=lingering, reader=reader) == 0
    assert 0 < lingering.pictures <= MOST
    assert lingering.asked[0] == "nothing"
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    outcome = whole.book.outcome(whole.seen)
    assert outcome is not None
    assert last["outcome"]["winner"] == outcome.winner
