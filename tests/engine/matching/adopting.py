"""What a game makes of the table of a follower as it lies."""

from engine.book import State
from engine.matching import Follower
from engine.matching.adopted import adopter_for
from engine.scene import Scene


def whoever(follower: Follower) -> State:
    """The state in which nobody knows whose turn it is."""
    return adopter_for(follower.book).whoever(follower.state)


def likeliest(follower: Follower, scene: Scene) -> tuple[Scene, tuple[str, ...]]:
    """The table for sure as it most likely is, and what of it was not seen so."""
    return adopter_for(follower.book).likeliest(follower.state, scene)


def granted(follower: Follower, scene: Scene) -> tuple[str, ...]:
    """What was hardly seen of it."""
    return adopter_for(follower.book).granted(follower.state, scene)
