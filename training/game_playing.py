"""One whole game by people at the virtual table, refereed from pixels as by ``pipwatch run``."""

import contextlib
import io
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from device.cameras.virtual import VirtualSeats, virtual_table
from device.cli import parser
from device.cli.demo import LOOK as DEMO_LOOK
from device.cli.refereeing import run
from device.live.ports import Reader
from simulation.diary import Diary
from simulation.film import Studio
from simulation.live_table import Conditions, troubles_of
from simulation.sketch import Sketcher
from simulation.temper import Temper
from simulation.whole_game import SHORTER
from training.film_counts import Line
from training.measure_gate import TROUBLES
from training.sketch_reader import Misreading, SketchReader

HURRIES = 0.25
"""How often players of a hard game do not wait for one another, where trouble is hurry."""


@dataclass(frozen=True)
class Sitting:
    """A game that is to be played, and how."""

    game: str
    seed: int
    conditions: str = "plain"
    """``plain``, ``hard``, ``demo`` (what `pipwatch demo` shows), or ``sketch``: frames are sketched."""
    confirm: str = "auto"
    profile: str | None = None
    doubtful: float = 0.0
    """Of a sketched table, the share of the pieces that are read in doubt."""
    watched: float = 1.0
    """How wide the picture is that is watched, beside the camera's, which is read when it is asked for."""

    @property
    def rules(self) -> str:
        """The profile that is played by."""
        return self.profile or SHORTER.get(self.game, "default")

    @property
    def terms(self) -> Line:
        """What a result hangs on besides the chain."""
        usual = {"doubtful": 0.0, "watched": 1.0}
        told = {**asdict(self), "profile": self.rules}
        return {key: entry for key, entry in told.items() if key not in usual or entry != usual[key]}

    @property
    def troubles(self) -> tuple[str, ...]:
        """What goes wrong at this table."""
        return troubles_of(self.seed, TROUBLES) if self.conditions == "hard" else ()

    def seats(self) -> VirtualSeats:
        """The table and its people."""
        hurries = HURRIES if "hurry" in self.troubles else 0.0
        temper = Temper(confirm=self.confirm, hurries=hurries)  # type: ignore[arg-type]  # one of two words
        look = DEMO_LOOK if self.conditions == "demo" else "random"
        hard = self.conditions == "hard"
        sketched = self.conditions == "sketch"
        size = (640, 480) if sketched else (1280, 960)
        conditions = Conditions(hard, look, self.troubles, size, self.watched, sketched)
        return VirtualSeats(self.seed, 0.0, conditions=conditions, temper=temper)


def played(sitting: Sitting) -> Line:
    """Play it, and say what became of it."""
    cv2.setNumThreads(1)
    began, spent = time.monotonic(), time.process_time()
    table = virtual_table(sitting.game, sitting.rules, sitting.seats())
    with tempfile.TemporaryDirectory(prefix="pipwatch-game-") as name:
        config = Path(name) / "config.toml"
        config.write_text("", encoding="utf-8")  # the settings are those that are shipped
        words = ["run", "--source", "virtual", "--game", sitting.game, "--profile", sitting.rules]
        words += ["--confirm", sitting.confirm, "--config", str(config), "--headless", "--json"]
        with contextlib.redirect_stdout(io.StringIO()):
            run(parser().parse_args(words), table=table, reader=_reader(sitting, table.table.studio))
    if not table.people.done:
        raise KeyboardInterrupt  # the match has taken the signal for its own, and only ended early
    line = {
        **line_of(sitting, table.people.diary), "table_s": round(table.table.now, 1),
        "cost_s": round(time.process_time() - spent, 1), "took_s": round(time.monotonic() - began, 1),
        "frames": table.table.drawn,
    }  # fmt: skip
    diary = table.people.diary
    notes = [asdict(note) for note in diary.notes]
    return {"line": line, "notes": notes, "false": diary.false, "stories": diary.stories}


def _reader(sitting: Sitting, studio: Studio | Sketcher) -> Reader | None:
    """Whoever reads sketches, if the table is one."""
    if isinstance(studio, Studio):
        return None
    return SketchReader(sitting.game, studio, Misreading(sitting.seed, sitting.doubtful))


def line_of(sitting: Sitting, diary: Diary) -> Line:
    """The figures of one game."""
    n = diary.counts()
    waits = diary.waits()
    middle, high = (np.percentile(waits, (50, 95)) if waits else (None, None))  # fmt: skip
    return {
        "game": sitting.game, "seed": sitting.seed, "conditions": sitting.conditions,
        "confirm": sitting.confirm, "profile": sitting.rules,
        "moves": n["moves"], "right": n["right"], "named_beside": n["named beside"], "asked": n["asked"],
        "wrong_flagged": n["wrong and flagged"], "wrong_silent": n["wrong and silent"],
        "missed": n["missed"], "accusations": n["accusations"],
        "illegal": n["illegal"], "illegal_found": n["illegal found"], "touches": n["touches"],
        "touched": dict(diary.touches), "finished": diary.finished, "scores_right": diary.scores_right,
        "winner_right": diary.winner_right, "not_ready": diary.not_ready,
        "ruling_s_p50": None if middle is None else round(float(middle), 2),
        "ruling_s_p95": None if high is None else round(float(high), 2),
        "facts": n["facts"], "facts_right": n["facts right"], "spoken": n["spoken"], "false": n["false"],
        "alarms": n["alarms"], "errors": len(diary.errors),
        "take_backs": n["take-backs"], "take_backs_understood": n["take-backs understood"],
        "given_up": diary.given_up,
    }  # fmt: skip
