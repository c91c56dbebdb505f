"""Whole games of players who mean to win, followed from scenes alone: what is told of each thing they do."""

from collections import Counter
from dataclasses import dataclass, field, replace

from engine.matching import Follower, Question, Ruled, Verdict
from engine.matching.guide import essence, guide_for
from engine.plain import Json
from engine.scene import Guess, Scene
from simulation.strategy import decide
from simulation.whole_game import LATER, SHORTER, SPOKEN, Deed, WholeGame
from tests.engine.matching.doubtful_table import Table
from tests.engine.matching.followed_course import told

SURE = 0.99995
"""How surely each square of a map is read."""
CASTLE = (2, 3)
TOLD = ("see oldest", "see lot")
"""Who begins is told by hand."""


@dataclass
class Played:
    """What became of the moves and facts of some games."""

    counts: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)


def play(game: str, seeds: range, *, doubtful: float = 0.0) -> Played:
    """Follow some games to their ends; what nobody can see is told with the next thing that shows."""
    found = Played()
    for seed in seeds:
        whole = WholeGame.begin(game, seed=seed, mind=decide, profile=SHORTER.get(game, "default"))
        table = Table(seed, doubtful=doubtful)
        follower = Follower(whole.book, (whole.seen,)).at(as_read(table.scene(whole.layout)))
        while (deed := whole.next()) is not None:
            whole.do(deed)
            states, texts = (*follower.states, whole.seen), (*follower.told, deed.text)
            if deed.text.startswith(TOLD) or _has_word(deed, SPOKEN.get(game, ())):
                follower = Follower(whole.book, states, texts, follower.places)
            elif deed.visible and not _shows_later(deed, game):
                scene = as_read(table.scene(whole.layout, visits=1, by=deed.event.player))
                verdict = follower.see(scene)
                what = _judged(whole, verdict)
                found.counts[what] += 1
                if what != "right":
                    found.stories.append(f"{game} {seed}: {what}: {deed.text} → {told(verdict)}")
                follower = Follower(whole.book, states, texts, follower.places).at(scene)
    return found


def last_of_nothing(seed: int) -> tuple[Follower, Scene]:
    """A game of the Duel in which nobody can draw any more, and its table once the dice are laid together."""
    whole, table = WholeGame.begin("kingdomino-duel", seed=seed, mind=decide), Table(seed)
    follower = Follower(whole.book, (whole.seen,)).at(as_read(table.scene(whole.layout)))
    before = follower
    while (deed := whole.next()) is not None:
        whole.do(deed)
        states, texts = (*follower.states, whole.seen), (*follower.told, deed.text)
        follower = Follower(whole.book, states, texts, follower.places)
        if deed.text.endswith("nothing"):
            continue
        if deed.visible:
            follower = follower.at(as_read(table.scene(whole.layout, visits=1, by=deed.event.player)))
        before = follower
    return before, as_read(table.scene(whole.layout, visits=1))


def _has_word(deed: Deed, words: tuple[str, ...]) -> bool:
    return not set(words).isdisjoint(deed.text.split(": ")[-1].split(" "))


def _shows_later(deed: Deed, game: str) -> bool:
    """Whether nothing of it can be seen before somebody plays on."""
    return _has_word(deed, (*LATER.get(game, ()), "nothing"))


def _judged(whole: WholeGame, verdict: Verdict) -> str:
    guide = guide_for(whole.book)
    truth = essence(guide, whole.seen)

    def is_so(ruled: object) -> bool:
        if not isinstance(ruled, Ruled) or ruled.refused or ruled.state is None:
            return False
        after = [one.state for one in ruled.happened if one.state is not None]
        return truth in [essence(guide, state) for state in after]

    if isinstance(verdict, Question):
        return "asked" if any(is_so(choice.outcome) for choice in verdict.choices) else "asked otherwise"
    if isinstance(verdict, Ruled) and verdict.refused:
        return "accused"
    return "right" if is_so(verdict) else "otherwise"


def as_read(scene: Scene) -> Scene:
    """The maps of the Duel square by square, each with how sure it is; the spellbook is not read."""
    seen = []
    for one in scene.sightings:
        value = one.value
        if one.kind == "sheet" and (value is None or "map" not in value):
            continue
        if one.kind == "sheet" and value is not None:
            rows = value["map"]
            assert isinstance(rows, list)
            squares: Json = [
                [None if (row, column) == CASTLE else _square(square) for column, square in enumerate(each)]
                for row, each in enumerate(rows)
            ]
            sure = SURE if value["roof"] else 1 - SURE
            read: dict[str, Json] = {"map": squares, "roof": value["roof"], "roof_confidence": sure}
            one = replace(one, guesses=(Guess(read, 1.0),), x=None, y=None, angle=None)
        seen.append(one)
    return replace(scene, sightings=tuple(seen))


def _square(square: dict[str, Json] | None) -> Json:
    coat, crosses = (None, 0) if square is None else (square["coat"], square.get("crosses") or 0)
    return {"coat": coat, "crosses": crosses, "confidence": SURE, "alternatives": []}
