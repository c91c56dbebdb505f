"""The whole chain in one process: frames in, a journal and a screen out, with real threads and queues."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.journal.game import entry_events, read_record
from device.journal.journal_reader import read_chain
from device.journal.store import Journal, JournalError
from device.live.running import Running
from device.live.thread_channels import Latest
from device.match.acts import taken_up
from device.match.match import Manners, Match
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.panel.gpio_pins import Pins
from device.panel.keyboard import listen
from device.settings import Settings
from engine import GAMES
from engine.history import History
from tests.device.live.scripted import ScriptedSource, Stage, eye_on, scripted_game, shows
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game
from vision.view import FrameState

NOW = Manners(calm_s=0)


class Watcher:
    """Remembers what became of a match."""

    def __init__(self) -> None:
        self.seen: list[Match] = []

    def tell(self, match: Match, _at: float) -> None:
        """The match has changed."""
        self.seen.append(match)

    @property
    def match(self) -> Match:
        """As it was at the end."""
        return self.seen[-1]

    @property
    def phases(self) -> list[Phase]:
        """The phases that it went through."""
        found = [match.phase for match in self.seen]
        return [phase for k, phase in enumerate(found) if k == 0 or phase is not found[k - 1]]

    def texts(self) -> list[str]:
        """What happened."""
        return [] if self.match.game is None else [one.happened.text for one in self.match.game.steps]


def judged(path: Path, stage: Stage, first: History, match: Match | None = None) -> Watcher:
    """A recorded stage, judged to its end."""
    watcher = Watcher()
    match = match or Match(manners=NOW, blank=first)
    running = Running(match, Journal(path), source=ScriptedSource(stage), eye=eye_on(stage, first),
                      tellers=[watcher])  # fmt: skip
    assert running.run() == ""
    return watcher


@pytest.fixture
def live(tmp_path: Path) -> Iterator["Live"]:
    """A match at a live table, in threads, that the test speaks to."""
    made = Live(tmp_path / "a.match")
    yield made
    made.stop()


class Live:
    """A running match with its desk."""

    def __init__(self, path: Path) -> None:
        self.path, self.stage, self.watcher = path, Stage(), Watcher()
        self.others = set(threading.enumerate())  # of a match that another test of this process still shows
        self.thread = threading.Thread(target=lambda: None)
        self.running: Running | None = None

    def start(self, match: Match, *, settings: Settings | None = None, pace_s: float = 0.002) -> "Live":
        """Begin."""
        first = game()
        self.source = ScriptedSource(self.stage, recorded=False, pace_s=pace_s)
        self.running = Running(match, Journal(self.path), source=self.source, eye=eye_on(self.stage, first),
                               tellers=[self.watcher], settings=settings)  # fmt: skip
        self.thread = threading.Thread(target=self.running.run)
        self.thread.start()
        return self

    def press(self, kind: Kind, words: str = "", number: int = 0) -> None:
        """Somebody does something."""
        assert self.running is not None
        self.running.desk.press(Told(kind, words, number))

    def until(self, what: "object", seconds: float = 20.0) -> None:
        """Wait until something holds of the match."""
        assert callable(what)
        end = time.monotonic() + seconds
        while not (self.watcher.seen and what(self.watcher.match)):
            assert time.monotonic() < end, self.watcher.match
            time.sleep(0.005)

    def stop(self) -> None:
        """End, and see that nothing is left."""
        if self.running is not None:
            self.running.stop()
            self.thread.join(10)
            assert not self.thread.is_alive()
            assert self.source.closed
            names = {thread.name for thread in set(threading.enumerate()) - self.others}
            assert not names & {"eye", "journal", "panel"}


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_is_judged_from_its_first_frame_to_its_last(tmp_path: Path, name: str) -> None:
    """Every move and fact of a game, refused tries among them, is in the journal with its pictures."""
    stage, first, texts = scripted_game(name, 4, 16)
    watcher = judged(tmp_path / "a.match", stage, first)
    assert watcher.texts() == texts
    assert watcher.match.saved
    record = read_record(tmp_path / "a.match")
    assert History.of(record) == watcher.match.game
    events = entry_events(read_chain(tmp_path / "a.match").events)
    seen = [set(event.pictures) for event in events.values()]
    assert all(roles == {"before", "after", "frame"} for roles in seen)


def test_a_move_whose_reading_failed_once_is_read_from_the_next_frame(tmp_path: Path) -> None:
    """One failure loses a frame and not the view."""
    stage = Stage()
    stage.move(shows([]))
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, None)  # reading this one raises
    stage.show(FrameState.SETTLED, shows(FACTS), 2)
    assert judged(tmp_path / "a.match", stage, game()).texts() == list(FACTS)


def test_a_film_whose_end_could_not_be_read_has_failed(tmp_path: Path) -> None:
    """What lies there at last is nowhere in the journal, and that is said."""
    stage, base = Stage(), game(*FACTS)
    stage.move(shows(FACTS))
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, None, 2)  # reading these raises
    running = Running(taken_up(Match(manners=NOW), base), Journal(tmp_path / "a.match"),
                      source=ScriptedSource(stage), eye=eye_on(stage, base))  # fmt: skip
    assert "The referee's eye made an error" in running.run()


@pytest.mark.parametrize("then", [FrameState.HAND, None])
def test_what_a_game_began_with_is_judged_though_a_hand_is_back_at_once(
    tmp_path: Path, then: FrameState | None
) -> None:
    """Of players in a hurry one settled frame is all that is seen; the film may even end with it."""
    stage = Stage()
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, shows(FACTS))
    if then is not None:
        stage.show(then, frames=3)
    assert judged(tmp_path / "a.match", stage, game()).texts() == list(FACTS)


def test_a_film_is_judged_the_same_each_time(tmp_path: Path) -> None:
    """Threads or not: the same frames give the same journal, event by event."""
    told = []
    for name in ("a", "b"):
        stage, first, _ = scripted_game("draw-game", 2, 10)
        judged(tmp_path / name, stage, first)
        told.append([(one.kind, one.body, one.pictures) for one in read_chain(tmp_path / name).events])
    assert told[0] == told[1]


OWN, MORE, OTHER = "1: castle 3", "1: draw d@r2c3 D1@r2c4", "2: castle 1"
"""What may follow a refused move of player 1: two moves of their own, and one of player 2."""


def followed(path: Path, *tables: Sequence[str]) -> Watcher:
    """A film in which one table after another lies on what was refused, and nobody presses anything."""
    base, stage = game(*FACTS, LEGAL[0]), Stage()
    for texts in ([], [ILLEGAL], *tables):
        stage.move(shows([*FACTS, LEGAL[0], *texts]))
    return judged(path / "a.match", stage, base, taken_up(Match(manners=NOW), base))


def test_a_player_who_plays_on_from_another_s_refused_move_lets_it_stand(tmp_path: Path) -> None:
    """A second look tells: the next move lies on top of the refused one."""
    watcher = followed(tmp_path, [ILLEGAL, OTHER])
    assert watcher.texts()[-2:] == [ILLEGAL, OTHER]
    assert watcher.match.game is not None
    assert watcher.match.game.steps[-2].stands
    assert Phase.ILLEGAL in watcher.phases


def test_who_plays_on_from_their_own_refused_move_is_followed_until_the_other_one_does(
    tmp_path: Path,
) -> None:
    """Nothing of it counts before; and nobody need press anything for it to count then, all in order."""
    own, more = [ILLEGAL, OWN], [ILLEGAL, OWN, MORE]
    alone = followed(tmp_path, own, own, more, more)
    assert alone.texts()[-1] == ILLEGAL
    assert alone.match.game is not None
    assert not alone.match.game.steps[-1].stands
    assert (alone.match.phase, alone.match.both[1]) == (Phase.ILLEGAL, {1})
    assert Phase.OUT_OF_STEP not in alone.phases
    (tmp_path / "b").mkdir()
    both = followed(tmp_path / "b", own, own, more, more, [*more, OTHER])
    assert both.texts()[-4:] == [ILLEGAL, OWN, MORE, OTHER]
    assert both.match.game is not None
    assert [step.stands for step in both.match.game.steps[-4:]] == [True, False, False, False]
    assert both.match.phase is Phase.WATCHING
    assert Phase.OUT_OF_STEP not in both.phases


def test_what_was_noted_is_taken_back_move_by_move(tmp_path: Path) -> None:
    """The last of it, all of it, then the refused move: the record holds that it was tried, and no more."""
    tables = ([ILLEGAL, OWN], [ILLEGAL, OWN, MORE], [ILLEGAL, OWN], [ILLEGAL], [], [LEGAL[1]])
    watcher = followed(tmp_path, *tables)
    assert watcher.texts()[-2:] == [ILLEGAL, LEGAL[1]]
    assert watcher.match.game is not None
    assert not any(step.stands for step in watcher.match.game.steps)
    assert Phase.OUT_OF_STEP not in watcher.phases
    assert watcher.match.phase is Phase.WATCHING


def test_a_table_that_cannot_be_read_is_a_lost_camera_and_comes_back(tmp_path: Path) -> None:
    """No markers in sight: said after a while, and over with the first readable picture."""
    stage, base = Stage(), game(*FACTS)
    stage.move(shows(FACTS))
    stage.move("I see no markers.")
    stage.show(FrameState.SETTLED, "I see no markers.", 40)
    stage.move(shows([*FACTS, LEGAL[0]]))
    watcher = judged(tmp_path / "a.match", stage, base, taken_up(Match(manners=NOW), base))
    assert Phase.CAMERA_LOST in watcher.phases
    words = {match.words for match in watcher.seen if match.phase is Phase.CAMERA_LOST}
    assert words == {"I see no markers."}
    assert watcher.texts()[-1] == LEGAL[0]


def test_a_film_that_cannot_be_followed_ends_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A film of which nothing could be made ends with the reason."""
    stage, first = Stage(), game()
    stage.show(FrameState.SETTLED, None, 2)
    running = Running(Match(manners=NOW, blank=first), Journal(tmp_path / "a.match"),
                      source=ScriptedSource(stage), eye=eye_on(stage, first))  # fmt: skip
    assert "The referee's eye made an error" in running.run()
    assert "AssertionError" in capsys.readouterr().err


def test_a_bad_frame_does_not_end_a_film(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the eye cannot stand is told, and the next frames are judged as ever."""
    stage, base = Stage(), game(*FACTS)
    stage.move(shows(FACTS))
    stage.show(FrameState.HAND, frames=2)
    stage.show(FrameState.SETTLED, None)  # reading this one raises
    stage.move(shows([*FACTS, LEGAL[0]]))
    watcher = judged(tmp_path / "a.match", stage, base, taken_up(Match(manners=NOW), base))
    assert watcher.texts()[-1] == LEGAL[0]
    assert Phase.CAMERA_LOST not in watcher.phases
    assert any("eye made an error" in match.notice for match in watcher.seen)
    assert "AssertionError" in capsys.readouterr().err


def test_the_game_goes_on_by_hand_while_the_camera_is_away(live: Live) -> None:
    """Unplugged, the match takes typed moves; when pictures come again it watches again."""
    live.stage.show(FrameState.SETTLED, shows(FACTS), 3)
    live.start(taken_up(Match(manners=NOW, blank=game()), game(*FACTS)))
    live.until(lambda match: match.phase is Phase.CAMERA_LOST)
    live.press(Kind.TYPED, LEGAL[0])
    live.until(lambda match: match.saved and LEGAL[0] in str(match.game))
    live.stage.move(shows([*FACTS, LEGAL[0]]))
    live.stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]), 100_000)
    live.until(lambda match: match.phase is Phase.WATCHING and match.saved)
    live.stop()
    assert live.watcher.texts() == [*FACTS, LEGAL[0]]


def test_the_table_is_taken_as_it_is_on_request(live: Live) -> None:
    """The journal goes on: an entry of the same game says how the table lies."""
    live.stage.show(FrameState.SETTLED, shows(["1: take 1"]), 6)
    live.start(taken_up(Match(manners=NOW, blank=game()), game(*FACTS)), pace_s=0.01)
    live.until(lambda match: match.phase is Phase.OUT_OF_STEP)
    for player in (1, 2):
        live.press(Kind.AS_IT_IS, number=player)
    live.stage.show(FrameState.SETTLED, shows([LEGAL[2]]), 200)
    live.until(lambda match: match.game is not None and len(match.game.entries) > len(FACTS))
    live.stop()
    events = [event for event in read_chain(live.path).events if event.body.get("what") != "agreed"]
    assert [event.kind for event in events][-2:] == ["note", "entry"]
    assert events[-1].body["set"] == "the table as it is"


def test_buttons_confirm_and_lamps_tell(live: Live) -> None:
    """A move seen burns amber; the button makes it count; green burns when it is on the disk."""
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = factory = MockFactory()
    try:
        settings = Settings(
            Manners(confirm="button"), Pins(confirm_a=5, green=17, amber=27, red=22, buzzer=18)
        )
        live.stage.show(FrameState.SETTLED, shows(FACTS), 3)
        live.stage.move(shows([*FACTS, LEGAL[0]]))
        live.stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]), 100_000)
        match = taken_up(Match(manners=settings.manners, blank=game()), game(*FACTS))
        live.start(match, settings=settings, pace_s=0.005)
        live.until(lambda match: match.phase is Phase.RULED)
        wait(lambda: factory.pin(27).state and not factory.pin(17).state)
        factory.pin(5).drive_low()
        live.until(lambda match: match.phase is Phase.WATCHING and match.saved)
        wait(lambda: factory.pin(17).state and not factory.pin(27).state)
        factory.pin(5).drive_high()
        live.stop()
        assert not factory.pin(17).state
    finally:
        factory.reset()
        gpiozero.Device.pin_factory = before
    assert live.watcher.texts()[-1] == LEGAL[0]


def wait(what: "object", seconds: float = 10.0) -> None:
    """Wait until something holds."""
    assert callable(what)
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_a_journal_that_fails_pauses_the_match_and_loses_nothing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full for a while: nothing is acknowledged; when there is room, all of it is written."""
    full = threading.Event()
    real = Journal.append

    def append(self: Journal, drafts: object) -> object:
        if full.is_set():
            raise JournalError("The disk is full.")
        return real(self, drafts)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "append", append)
    live.start(taken_up(Match(manners=NOW, blank=game()), game(*FACTS)))
    live.until(lambda match: match.phase is Phase.CAMERA_LOST)
    full.set()
    live.press(Kind.TYPED, LEGAL[0])
    live.until(lambda match: match.problem != "")
    live.press(Kind.TYPED, LEGAL[1])
    live.until(lambda match: LEGAL[1] in str(match.game))
    assert not live.watcher.match.saved
    full.clear()
    live.press(Kind.PAUSE)
    live.until(lambda match: match.saved)
    live.stop()
    # The beginning of this match came ready-made, so that only what followed is in the journal.
    bodies = [event.body for event in read_chain(live.path).events]
    assert [body["move"] for body in bodies] == [LEGAL[0], LEGAL[1]]


def test_a_film_whose_journal_cannot_be_written_ends_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is there to make room: the judging stops and says why, instead of waiting for ever."""

    def full(*_: object) -> object:
        raise JournalError("The disk is full.")

    stage, first, _ = scripted_game("draw-game", 4, 3)
    running = Running(Match(manners=NOW, blank=first), Journal(tmp_path / "a.match"),
                      source=ScriptedSource(stage), eye=eye_on(stage, first))  # fmt: skip
    monkeypatch.setattr(Journal, "append", full)
    assert running.run() == "The disk is full."


def test_what_is_typed_at_the_terminal_reaches_the_match() -> None:
    """Lines become signals, in order; empty ones do not."""
    told: list[Told] = []
    listen(told.append, iter(["a\n", "\n", "1: take 4\n"])).join(5)  # type: ignore[arg-type]
    assert told == [Told(Kind.CONFIRM, number=1), Told(Kind.TYPED, "1: take 4")]


def test_a_slot_keeps_the_latest_value_for_everybody_who_waits() -> None:
    """Slow readers miss values in between and never the last; closing wakes whoever waits."""
    slot: Latest[int] = Latest()
    assert slot.get() == (0, None)
    for value in range(5):
        slot.put(value)
    assert slot.get() == (5, 4)
    assert slot.get(5, 0.01) == (5, None)
    got: list[object] = []
    waiting = threading.Thread(target=lambda: got.append(slot.get(5, 10)))
    waiting.start()
    slot.put(9)
    waiting.join(5)
    assert got == [(6, 9)]
    slot.close()
    assert slot.get(6, 10) == (6, None)
