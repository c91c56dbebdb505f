"""The pattern of a cloth, which looks like pieces again and again: told from them by being so much.

Rows of dots look a little like dominoes, wherever one looks. Of a single one nobody can say whether it is a
piece badly seen; of dozens that can be told from nothing, and that no set has so many of, one can: those are
the cloth. What is read clearly lies on it all the same.
"""

from collections.abc import Sequence

from engine.scene import Sighting

MANY = 8
"""So many open dominoes on one table that can hardly be any are a pattern; the dimmest table has fewer."""
_HARDLY = 0.2
"""A piece whose likeliest reading, after all others had their say, is less likely than this is hardly one."""


def without_pattern(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """What lies on a table, without what is rather its cloth."""
    hardly = [one for one in sightings if _is_hardly_one(one)]
    clear = sum(_is_open(one) for one in sightings) - len(hardly)
    if len(hardly) < MANY or len(hardly) <= clear:
        return tuple(sightings)
    return tuple(one for one in sightings if not _is_hardly_one(one))


def _is_open(one: Sighting) -> bool:
    return one.kind == "domino" and one.face == "up"


def _is_hardly_one(one: Sighting) -> bool:
    """Whether this looks like an open domino, and like none in particular."""
    return _is_open(one) and one.presence * max((g.probability for g in one.guesses[:1]), default=0) < _HARDLY
