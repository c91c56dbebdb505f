"""Nobody is accused of more than was seen."""

from engine import rulebook
from engine.history import History
from engine.matching.accusing import plainly_accused
from engine.matching.guide import guide_for
from engine.matching.search import Line, Origin, Search, Step
from engine.scene import Scene

BOOK = rulebook("dominoes-of-war")


def line(*texts: str, refused: bool = True) -> Line:
    """What may have happened, the last of it refused."""
    guide = guide_for(BOOK)
    state = History.begin("dominoes-of-war").state
    root = Search(guide, guide.evidence(state, Scene(()), {})).root(Origin(state), {})
    dids = [BOOK.parse_fact(text) if text.startswith("see ") else BOOK.parse(text) for text in texts]
    return root._replace(steps=tuple(Step(did, None, None) for did in dids), refused=refused)


MOVE, OTHER = "1: move (10,5) f5", "1: move (10,5) f6"
PLAIN = line(MOVE)


def test_who_moved_wrongly_has_not_ended_the_turn_before() -> None:
    """What nobody saw, and what would only make a wrong move one out of turn, is not thought of."""
    more = line("1: end", "1: face (10,7) e", MOVE)
    assert plainly_accused([more, PLAIN]) == [PLAIN]
    after = line("see f4 1-2", MOVE)
    assert plainly_accused([line("see f4 1-2", "1: end", MOVE), after]) == [after]


def test_what_another_may_have_done_before_or_otherwise_is_still_thought_of() -> None:
    """The turn that the other player ended, another move, an allowed one, and what was seen besides."""
    lines = [
        PLAIN,
        line("2: end", MOVE),
        line("1: end", OTHER),
        line("1: end", MOVE, refused=False),
        line("see f4 1-2", MOVE),
    ]
    assert plainly_accused(lines) == lines
    assert plainly_accused([line("2: end", MOVE), line("1: end", MOVE)]) == [
        line("2: end", MOVE),
        line("1: end", MOVE),
    ]
