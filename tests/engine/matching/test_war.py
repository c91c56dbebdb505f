"""What nobody can see in Dominoes of War: when a turn ended, and which Sniper keeps his facing."""

from engine.dominoes_of_war.model import WarState
from engine.matching import Follower, Ruled, Verdict
from engine.matching.evidence import look
from engine.scene import Scene
from tests.engine.dominoes_of_war.scene import BOOK
from tests.engine.dominoes_of_war.scene import table as war_table
from tests.engine.matching.table import Table


def seen(state: WarState, *, by: int | None, visits: int = 1) -> Scene:
    """The table of a state, and whose hand was there."""
    return Table(1, skew=0.0).scene(BOOK.layout(state), by=by, visits=visits)


def told(verdict: Verdict) -> list[str]:
    """What was ruled on."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


def test_who_turns_the_second_of_three_snipers_has_ended_his_turn() -> None:
    """Who keeps his facing before him is told with it; of whom is still to be faced nothing need be known."""
    men = "1:sniper@b1>n 1:sniper@d4>{} 1:sniper@f6>s 1:general@a1 2:general@h8"
    state, turned = (war_table(men.format(facing), actions=2) for facing in "ne")
    verdict = Follower(BOOK, (state,)).see(seen(turned, by=1))
    assert told(verdict)[:3] == ["1: end", "1: face b1 n", "1: face d4 e"]


def test_a_table_looks_the_same_however_soldiers_face() -> None:
    """How one faces is told by his angle and by his value."""
    one, other = (war_table(f"1:sniper@d4>{facing} 1:general@a1 2:general@h8") for facing in "ne")
    assert look(BOOK.layout(one)) != look(BOOK.layout(other))
    assert look(BOOK.layout(one), facing=False) == look(BOOK.layout(other), facing=False)


def test_an_illegal_move_was_not_made_by_the_other_after_an_end_that_nobody_saw() -> None:
    """It looks the same but for the Sniper who would have kept his facing."""
    before = war_table("1:sniper@f6>e 1:grunt@a8 1:grunt@c5 2:general@h8", actions=1)
    flipping = BOOK.apply(before, BOOK.parse("1: move c5 d5"))
    shown = BOOK.observe(flipping, BOOK.parse_fact("see d5 3-6"))
    wrong = BOOK.let_stand(shown, BOOK.parse("1: move a8 e8"))
    scene = seen(wrong, by=None, visits=2)
    follower = Follower(BOOK, (flipping,))
    assert told(follower.see(scene)) == ["see d5 3-6", "1: move a8 e8"]
