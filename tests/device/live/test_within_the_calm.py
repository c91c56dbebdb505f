"""Players in a hurry at a live table: the next hand is there before what was seen has lain for its calm."""

from device.live.eye import Eye
from device.live.messages import Position
from device.match.acts import taken_up
from device.match.match import Manners, Match
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.match.transitions import step
from engine.history import History
from engine.matching import Follower
from engine.scene import Scene
from tests.device.live.scripted import Beginning, ScriptedSource, ScriptedView, Stage
from tests.device.live.sitting import Plain
from tests.device.live.test_left_behind import BONEYARD, FIRST, HANDS, NEXT, WRONG
from vision.view import FrameState


def played(*tables: Scene) -> Match:
    """The match once these tables were seen, each after a hand, and the last of them for four seconds."""
    stage = Stage()
    for number, table in enumerate(tables):
        if number:
            stage.show(FrameState.HAND, frames=4)
            stage.show(FrameState.SETTLING)
        stage.show(FrameState.SETTLED, table, 40 if table is tables[-1] else 6)
    first = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 2-5")
    eye = Eye(ScriptedView(stage), Plain(stage), Beginning(first), Follower.of)
    match, source = taken_up(Match(manners=Manners(calm_s=1.5)), first), ScriptedSource(stage)
    while (shot := source.next(0)) is not None:
        match, _ = step(match, Told(Kind.TIME), shot.at_s)  # type: ignore[union-attr]
        for signal in eye.see(shot, Position(match.game, match.stood, match.version)):  # type: ignore[arg-type]
            match, _ = step(match, signal, shot.at_s)  # type: ignore[union-attr]
    return match


def moves(match: Match) -> list[str]:
    """What is in the record after the first tile."""
    assert match.game is not None
    return [one.happened.text for one in match.game.steps[1:]]


def test_who_plays_on_from_a_refused_move_within_its_calm_has_taken_it_for_done() -> None:
    """Both are in the record, and the first of them as refused."""
    match = played(
        *(Scene((*tiles, *BONEYARD)) for tiles in ((FIRST,), (FIRST, WRONG), (FIRST, WRONG, NEXT)))
    )
    assert match.phase is Phase.WATCHING
    assert moves(match) == ["2: 1-4 by 1 at east", "1: 4-6 by 4 at east"]


def test_what_was_put_back_within_its_calm_was_not_made() -> None:
    """It was told, and nothing more."""
    match = played(*(Scene((*tiles, *BONEYARD)) for tiles in ((FIRST,), (FIRST, WRONG), (FIRST,))))
    assert match.phase is Phase.WATCHING
    assert moves(match) == []
