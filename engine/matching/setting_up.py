"""Setting up a table with guidance, and joining a game that is in progress."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.book import State
from engine.matching.adopted import SURELY_THERE, Need, adopter_for
from engine.matching.follower import Follower
from engine.matching.guide import Guide, guide_for
from engine.matching.guide import near as is_near
from engine.matching.outcome import Difference
from engine.matching.piece_words import place_name, region_words, seen_words, where_words
from engine.matching.stains import unstained
from engine.scene import Scene, Sighting

_SEEN_WELL: Final = 0.95
"""Nobody is told to take away what may not be there at all."""


@dataclass(frozen=True, slots=True)
class SettingUp:
    """How far a table is set up."""

    lacking: tuple[Difference, ...]
    """What still lacks, or lies where nothing should be, in the order in which it is best put right."""
    unseen: tuple[Difference, ...] = ()
    """What is not seen and need not be, because it can be nowhere else."""
    stains: tuple[Sighting, ...] = ()
    """What looks like a piece where no such piece lies before a game begins: it is no part of the game."""
    supposed: tuple[str, ...] = ()
    """What was not seen for sure, in sentences."""

    @property
    def ready(self) -> bool:
        """Whether everything lies where it should."""
        return not self.lacking


def set_up(follower: Follower, scene: Scene) -> SettingUp:
    """What the opening of a game still lacks on the table."""
    guide, adopter = guide_for(follower.book), adopter_for(follower.book)
    needs = adopter.opening(follower.state)
    found = [(need, lack) for need in needs for lack in _lacks(need, scene)]
    unseen = tuple(one for need, one in found if _short(need, scene) <= guide.spare.get(need.region, 0))
    lacking = (*(one for _, one in found if one not in unseen), *_too_many(needs, scene))
    if lacking:
        return SettingUp(lacking, unseen)
    strays = tuple(one for one in scene.sightings if _is_stray(one, needs, guide))
    clear = unstained(scene, strays)
    due = tuple(one for one in clear.sightings if any(_serves(one, need) for need in needs))
    supposed = (*adopter.supposed(follower.state, replace(clear, sightings=due)), *_left_out(strays))
    return SettingUp((), unseen, strays, supposed)


def adopt(follower: Follower, scene: Scene) -> State:
    """A state made from the table as it is, with what was known before of things that nobody can see.

    Raises BadSetup, saying what must be told, where that is not enough.
    """
    return follower.book.start(adopter_for(follower.book).table(follower.state, scene))


def _lacks(need: Need, scene: Scene) -> Iterator[Difference]:
    short = _short(need, scene)
    if scene.is_hidden(need.region, need.x, need.y) or short <= 0:
        return
    place = place_name(need.x, need.y)
    if need.x is not None:
        sentence = f"{place} still lacks its {need.words}."
    else:
        have = f"{need.many - short} of {need.many}" if short < need.many else "none"
        sentence = f"There should be {need.words} {region_words(need.region)}: {have} seen."
    yield Difference(sentence[0].upper() + sentence[1:], need.region, place)


def _short(need: Need, scene: Scene) -> int:
    """How many of the pieces are not seen."""
    return need.many - sum(_serves(one, need) for one in scene.sightings)


def _serves(one: Sighting, need: Need) -> bool:
    if one.kind != need.kind or one.region != need.region or (need.face and one.face != need.face):
        return False
    if need.x is None or need.y is None:
        return True
    off = 0.0 if need.angle is None or one.angle is None else (one.angle - need.angle + 90) % 180 - 90
    return abs(off) <= 40 and is_near(one, need.x, need.y, 0.5)


def _is_stray(one: Sighting, needs: tuple[Need, ...], guide: Guide) -> bool:
    """Whether something lies where nothing like it does before a game begins: a pattern, or a cup."""
    if one.kind in ("tile", "sheet") or not one.region:
        return False  # a board and papers to draw on are there before any piece is
    full = {need.region for need in needs if need.x is not None}
    if one.region in full:
        return not any(_serves(one, need) for need in needs)
    return one.region in guide.vacant or not guide.belongings.may_lie(one.kind, (one.region,))


def _left_out(strays: tuple[Sighting, ...]) -> Iterator[str]:
    """What is said of what was seen clearly and is no part of the game."""
    places = dict.fromkeys(region_words(one.region) for one in strays if one.presence >= SURELY_THERE)
    if places:
        yield f"What lies {' and '.join(places)} is no part of the game: nothing like it lies there at first."


def _too_many(needs: tuple[Need, ...], scene: Scene) -> Iterator[Difference]:
    """What lies where nothing should be, in regions whose places are all said."""
    regions = {need.region for need in needs if need.x is not None}
    for one in scene.sightings:
        if one.region not in regions or one.kind == "tile" or one.presence < _SEEN_WELL:
            continue
        if not any(_serves(one, need) for need in needs):
            place = place_name(one.x, one.y)
            where = where_words(one.region, place)
            sentence = f"A {seen_words(one)} lies {where}, where nothing should be yet."
            yield Difference(sentence, one.region, place, "", one.ref)
