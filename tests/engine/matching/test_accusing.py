"""Nobody is accused of more than was seen, nor asked about what players know is still to come."""

from dataclasses import replace

import pytest

from engine import State, rulebook
from engine.history import History
from engine.layout import Layout
from engine.matching import Follower, Incomplete, Nothing, Ruled
from engine.matching.apart import still_to_come
from engine.matching.guide import guide_for
from engine.matching.same_table import settled
from engine.matching.search import Search
from engine.matching.step_line import Line, LineStep, Origin
from engine.scene import Guess, Scene
from simulation.script import write
from tests.engine.matching.doubtful_table import Table

GAME = "dominoes-of-war"
BOOK = rulebook(GAME)
GUIDE = guide_for(BOOK)
EVIDENCE = GUIDE.evidence(History.begin(GAME).state, Scene(()), {})


def line(*texts: str, refused: bool = True, silent: int = 0, worth: float = 0.0) -> Line:
    """What may have happened, the last of it refused; so many of the steps are silent."""
    state = History.begin(GAME).state
    root = Search(GUIDE, EVIDENCE).root(Origin(state), {})
    dids = [BOOK.parse_fact(text) if text.startswith("see ") else BOOK.parse(text) for text in texts]
    steps = tuple(LineStep(did, None, None) for did in dids)
    return root._replace(steps=steps, refused=refused, silent=silent, worth=worth, prior=worth, before=root)


MOVE, OTHER = "1: move (10,5) f5", "1: move (10,5) f6"


def elsewhere(one: Line) -> Line:
    """The same on a table that looks otherwise."""
    return one._replace(layout=Layout(one.layout.spots[1:], one.layout.hidden))


def test_who_moved_wrongly_has_not_ended_the_turn_before() -> None:
    """What nobody saw, and what would only make a wrong move one out of turn, is not thought of."""
    plain = line(MOVE)
    more = elsewhere(line("1: end", "1: face (10,7) e", MOVE, silent=2, worth=-1.4))
    assert settled(GUIDE, [plain, more], EVIDENCE) == [plain]
    other = elsewhere(line("1: end", OTHER, silent=1, worth=-0.7))
    assert settled(GUIDE, [plain, other], EVIDENCE) == [plain, other]


def test_silent_moves_count_where_they_explain_the_table_better() -> None:
    """Of legal lines that differ only in what nobody sees, the shorter one counts, unless it fits worse."""
    plain = line(MOVE, refused=False)
    more = elsewhere(line("1: end", MOVE, refused=False, silent=1))
    assert settled(GUIDE, [plain, more], EVIDENCE) == [plain]
    worse = plain._replace(worth=-9.0)
    assert settled(GUIDE, [more, worse], EVIDENCE) == [more, worse]


def test_of_a_tile_that_may_still_lie_closed_nobody_is_asked() -> None:
    """That it must be turned up is known; what was done besides is not put off, nor is what cannot wait."""
    guide = guide_for(BOOK)
    march, flips, else_ = [line(MOVE)], [line(MOVE, "see f5 1-2")], [line(OTHER)]
    assert still_to_come(guide, [flips, march], stays=False) == [march]
    assert still_to_come(guide, [flips, march, else_], stays=False) == [flips, march, else_]
    assert still_to_come(guide, [[line("see f5 1-2")]], stays=True) == []
    assert still_to_come(guide, [march], stays=True) == [march]
    assert still_to_come(guide, [march], stays=False) == [march]
    shown = [line(MOVE, "see (10,5) sniper")]
    assert still_to_come(guide, [shown, march], stays=False) == [shown, march]


def march_seen(share: float) -> tuple[str, Follower, Follower, Scene]:
    """A march, the game before and after it, and its tile, which lies open with this probability."""
    script = write(GAME, seed=2, moves=1, illegal=0.0)  # 2: move (0,8) a8, and its tile is flipped
    march = next(one for one in script.events if one.visible)
    state = State.from_json(script.states[0])
    table = Table(2)
    follower = Follower(BOOK, (state,)).at(table.scene(BOOK.layout(state)))
    after = Follower(BOOK, (state, BOOK.play(state, BOOK.parse(march.text))), places=follower.places)
    scene = table.scene(march.after, visits=1)
    tile = next(
        one for one in scene.sightings if (one.kind, round(one.x or 0), round(one.y or 0)) == ("domino", 1, 8)
    )
    shown = Guess({"pips": [0, 5]}, share), Guess({"pips": [0, 4]}, share / 10)
    guesses = (*shown, Guess(None, 0.99 - 1.1 * share, "down"))
    half = replace(tile, face="up", guesses=guesses)
    sightings = tuple(half if one is tile else one for one in scene.sightings)
    return march.text, follower, after, replace(scene, sightings=sightings)


@pytest.mark.parametrize("share", [0.3, 0.45, 0.9])
def test_a_flip_that_is_half_seen_is_waited_for(share: float) -> None:
    """The march counts; once the tile clearly lies open, that is seen."""
    march, follower, _, scene = march_seen(share)
    verdict = follower.see(scene)
    assert isinstance(verdict, Ruled)
    told = [one.text for one in verdict.happened]
    assert told == ([march, "see a8 0-5"] if share > 0.6 else [march])


def test_a_tile_that_lies_open_for_sure_is_not_waited_for_because_its_pips_are_in_doubt() -> None:
    """A man covers most of them: all that it may show speaks against its lying closed still."""
    _, _, follower, scene = march_seen(0.3)
    open_ = next(one for one in scene.sightings if any(guess.face == "down" for guess in one.guesses))
    shown = {(0, 5): 0.37, (0, 4): 0.30, (0, 6): 0.22, (0, 3): 0.06}
    guesses = (
        *(Guess({"pips": [*pips]}, share) for pips, share in shown.items()),
        Guess(None, 0.003, "down"),
    )
    seen = tuple(replace(one, guesses=guesses) if one is open_ else one for one in scene.sightings)
    verdict = follower.see(replace(scene, sightings=seen))
    assert isinstance(verdict, Ruled)
    (told,) = verdict.happened
    assert told.text == "see a8 0-5"
    assert "see a8 0-4" in told.alike


@pytest.mark.parametrize("share", [0.3, 0.45])
def test_an_open_tile_that_is_read_as_closed_is_misread(share: float) -> None:
    """All that its pips may be is not told: what is left over is some other open face, not nothing."""
    *_, after, scene = march_seen(0.3)
    told = replace(after, states=(*after.states, BOOK.observe(after.state, BOOK.parse_fact("see a8 0-5"))))
    tile = next(one for one in scene.sightings if any(guess.face == "down" for guess in one.guesses))
    pips = [Guess({"pips": [*pair]}, share * 0.55 / 4, "up") for pair in ((0, 1), (0, 2), (0, 3), (0, 4))]
    closed = replace(tile, face="down", guesses=(Guess(None, 1 - share), *pips))
    seen = tuple(closed if one is tile else one for one in scene.sightings)
    assert isinstance(told.see(replace(scene, sightings=seen)), Nothing)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6])
def test_after_the_march_a_flip_that_is_half_seen_is_no_question(share: float) -> None:
    """Likelier than not, or even by far, it is waited for all the same, until it is clear.

    By far it is not the table as before: what was asked stays asked, and whose hand was there stays known.
    """
    _, _, follower, scene = march_seen(share)
    waiting = follower.see(scene)
    told = "The tile on a8 must be turned up." if share > 0.5 else "Nothing has changed."
    assert isinstance(waiting, Incomplete if share > 0.5 else Nothing)
    assert waiting.sentence == told
    sure = follower.see(march_seen(0.9)[3])
    assert isinstance(sure, Ruled)
    assert [one.text for one in sure.happened] == ["see a8 0-5"]
