"""What the camera saw in one still moment, as plain data: sightings, and what was hidden.

Everything is told in the words of ``engine.layout``, so that a scene can be held against a layout piece by
piece: the same kinds, faces, regions and value keys, and the same board units in regions that have places.
In a region without places (the dice boxes, the pool, a hand) ``x`` and ``y`` are millimetres from the middle
of the region; they say nothing about the game, but a piece that nobody touched is still where it was. A
piece that lies in no region has the region ``""`` and millimetres from the middle of the table.

A scene says what was seen, never what it means: two sightings of the same tile may stand in it, and it is the
referee (``engine.matching``) who knows that there is only one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from engine.layout import Face, Kind
from engine.plain import BadData, Json, JsonObject, get, items, number, obj, text, whole

VERSION: Final = 1
"""The version of a scene's plain form."""
KINDS: Final[tuple[Kind, ...]] = ("domino", "coin", "pawn", "die", "soldier", "wall", "tile", "sheet")
FACES: Final[tuple[Face, ...]] = ("up", "down", "edge")

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Guess:
    """One thing that a piece may be, and how likely that is.

    ``value`` has the keys that ``pipwatch read --json`` uses for the kind of piece; of a coin it is either
    the suit or the value that is seen, the other is None. ``face`` is there where this guess is about another
    face than that of the sighting (a coin is value up or suit up, a tile may be face down).
    """

    value: Mapping[str, Json] | None
    probability: float
    face: Face | None = None

    def to_json(self) -> JsonObject:
        """The guess as plain data."""
        plain: JsonObject = {
            "value": None if self.value is None else dict(self.value),
            "probability": self.probability,
        }
        return plain if self.face is None else {**plain, "face": self.face}

    @classmethod
    def from_json(cls, data: Json) -> "Guess":
        """The guess that ``to_json`` wrote; raises BadData, naming what is wrong."""
        plain = obj(data, "a guess")
        value, face = get(plain, "value", "a guess"), plain.get("face")
        return cls(
            None if value is None else obj(value, "the value of a guess"),
            _share(get(plain, "probability", "a guess"), "the probability of a guess"),
            None if face is None else _face(face),
        )


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece as it was seen.

    ``guesses`` are in order, the likeliest first; what they lack to 1 is the probability that it is something
    else. None at all means that it could not be read. ``angle`` of a face-up domino points from the half
    ``pips[0]`` to the half ``pips[1]`` *of the first guess*, and every other guess has its pips in that order
    too; of a soldier it is where he faces.
    """

    kind: Kind
    region: str
    x: float | None = None
    y: float | None = None
    angle: float | None = None
    face: Face = "up"
    guesses: tuple[Guess, ...] = ()
    presence: float = 1.0
    """How likely it is that something lies there at all."""
    visible: float = 1.0
    """How much of it was seen."""
    owner: int | None = None
    """The player it belongs to, where its looks say so (a soldier's colour)."""
    ref: str = ""
    """Whatever the eye calls it, so that evidence can be shown for it."""
    by: int | None = None
    """The one player whose arm was over it since table and record agreed, where it was one alone."""
    on_board: Point | None = None
    """Where it lies in board units, of an open domino in a player's hand: a line may have run there."""

    @property
    def value(self) -> Mapping[str, Json] | None:
        """The likeliest value, or None where nothing was read."""
        return self.guesses[0].value if self.guesses else None

    def to_json(self) -> JsonObject:
        """The sighting as plain data; what is as usual is left out."""
        plain: JsonObject = {
            "kind": self.kind,
            "region": self.region,
            "x": self.x,
            "y": self.y,
            "angle": self.angle,
            "face": self.face,
            "guesses": [guess.to_json() for guess in self.guesses],
        }
        usual: JsonObject = {"presence": 1.0, "visible": 1.0, "owner": None, "ref": "", "by": None}
        more: JsonObject = {
            "presence": self.presence,
            "visible": self.visible,
            "owner": self.owner,
            "ref": self.ref,
            "by": self.by,
        }
        if self.on_board is not None:
            more["on_board"] = [*self.on_board]
        return {**plain, **{key: entry for key, entry in more.items() if entry != usual.get(key)}}

    @classmethod
    def from_json(cls, data: Json) -> "Sighting":
        """The sighting that ``to_json`` wrote; raises BadData, naming what is wrong."""
        plain = obj(data, "a sighting")
        owner, by = plain.get("owner"), plain.get("by")
        x, y, angle = (_maybe(plain.get(key), f"the {key} of a sighting") for key in ("x", "y", "angle"))
        return cls(
            _kind(get(plain, "kind", "a sighting")),
            text(get(plain, "region", "a sighting"), "the region of a sighting"),
            x,
            y,
            angle,
            _face(plain.get("face", "up")),
            tuple(Guess.from_json(guess) for guess in items(plain.get("guesses", []), "the guesses")),
            _share(plain.get("presence", 1.0), "the presence of a sighting"),
            _share(plain.get("visible", 1.0), "what is visible of a sighting"),
            None if owner is None else whole(owner, "the owner of a sighting"),
            text(plain.get("ref", ""), "the ref of a sighting"),
            None if by is None else whole(by, "the player at a sighting"),
            _point(plain.get("on_board")),
        )


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of a region that could not be seen; hidden is never empty.

    ``outline`` is a polygon in the region's own units; without one the whole region is hidden.
    """

    region: str
    outline: tuple[Point, ...] = ()

    def covers(self, x: float, y: float) -> bool:
        """Whether a point of the region is hidden."""
        if not self.outline:
            return True
        inside = False
        for (x1, y1), (x2, y2) in _sides(self.outline):
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
        return inside

    def to_json(self) -> JsonObject:
        """The hidden part as plain data."""
        return {"region": self.region, "outline": [list(point) for point in self.outline]}

    @classmethod
    def from_json(cls, data: Json) -> "Hidden":
        """The part that ``to_json`` wrote; raises BadData, naming what is wrong."""
        plain = obj(data, "a hidden part")
        corners = [items(corner, "a corner") for corner in items(plain.get("outline", []), "the outline")]
        if any(len(corner) != 2 for corner in corners) or 0 < len(corners) < 3:
            raise BadData("the outline should be three corners [x, y] or more, or none for the whole region")
        outline = tuple((number(x, "a corner"), number(y, "a corner")) for x, y in corners)
        return cls(text(get(plain, "region", "a hidden part"), "the region of a hidden part"), outline)


@dataclass(frozen=True, slots=True)
class Hands:
    """Whose hands came since players were asked something, and where."""

    by: int | None = None
    """The one player whose hand it was, where that is known."""
    visits: int | None = None
    """How often a hand came and went, where that was counted."""
    at: Mapping[str, int] = field(default_factory=dict)
    """For each sighting (by ``ref``) over which the arm of one player alone was, the player."""

    def to_json(self) -> JsonObject:
        """The hands as plain data."""
        return {"by": self.by, "visits": self.visits, "at": dict(self.at)}

    @classmethod
    def from_json(cls, data: Json) -> "Hands":
        """The hands that ``to_json`` wrote; raises BadData, naming what is wrong."""
        plain = obj(data, "the hands since a question")
        by, visits = plain.get("by"), plain.get("visits")
        at = obj(plain.get("at", {}), "where hands were")
        return cls(
            None if by is None else whole(by, "the player of a question"),
            None if visits is None else whole(visits, "the visits since a question"),
            {ref: whole(player, "the player at a sighting") for ref, player in at.items()},
        )


@dataclass(frozen=True, slots=True)
class Scene:
    """All sightings of one still moment, and what was hidden then."""

    sightings: tuple[Sighting, ...]
    hidden: tuple[Hidden, ...] = ()
    by: int | None = None
    """The player whose hand was over the table since the last scene, where that is known."""
    visits: int | None = None
    """How often a hand came and went since the last scene, where that was counted; 0 where nobody can have
    touched the table."""
    fresh: tuple[str, ...] = ()
    """What of this (by ``ref``) was not there when table and record agreed last, where that is known."""
    lately: Hands | None = None
    """Whose hands came since players were asked what this table shows in part, where a question is open."""
    came: int | None = None
    """The player whose hand came first, where several came and that was seen."""
    vouched: tuple[tuple[str, str], ...] = ()
    """Pieces, each by its name and region, that people say lie there though nobody sees them.

    One of a heap that is counted has the heap's name.
    """

    def since_asked(self) -> "Scene":
        """The same table with those hands alone that came since players were asked."""
        hands = self.lately
        if hands is None:
            return self
        sightings = tuple(replace(one, by=hands.at.get(one.ref)) for one in self.sightings)
        return replace(self, sightings=sightings, by=hands.by, visits=hands.visits)

    def is_hidden(self, region: str, x: float | None = None, y: float | None = None) -> bool:
        """Whether a place could not be seen; without a place, whether any of the region could not."""
        parts = [part for part in self.hidden if part.region == region]
        return any(x is None or y is None or part.covers(x, y) for part in parts)

    def to_json(self) -> JsonObject:
        """The scene as plain data."""
        plain: JsonObject = {
            "version": VERSION,
            "sightings": [sighting.to_json() for sighting in self.sightings],
            "hidden": [part.to_json() for part in self.hidden],
            "by": self.by,
            "visits": self.visits,
        }
        if self.lately is not None:
            plain["lately"] = self.lately.to_json()
        if self.came is not None:
            plain["came"] = self.came
        if self.vouched:
            plain["vouched"] = [[*one] for one in self.vouched]
        return {**plain, "fresh": [*self.fresh]} if self.fresh else plain

    @classmethod
    def from_json(cls, data: Json) -> "Scene":
        """The scene that ``to_json`` wrote; raises BadData, naming what is wrong."""
        plain = obj(data, "a scene")
        if plain.get("version") != VERSION:
            raise BadData(f"the version of a scene should be {VERSION}")
        by, visits, lately = plain.get("by"), plain.get("visits"), plain.get("lately")
        came = plain.get("came")
        return cls(
            tuple(Sighting.from_json(one) for one in items(plain.get("sightings", []), "the sightings")),
            tuple(Hidden.from_json(one) for one in items(plain.get("hidden", []), "the hidden parts")),
            None if by is None else whole(by, "the player of a scene"),
            None if visits is None else whole(visits, "the visits of a scene"),
            tuple(text(one, "a fresh sighting") for one in items(plain.get("fresh", []), "what is fresh")),
            None if lately is None else Hands.from_json(lately),
            None if came is None else whole(came, "the player who came first"),
            tuple(_vouched(one) for one in items(plain.get("vouched", []), "what people say lies there")),
        )


def _sides(outline: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return zip(outline, (*outline[1:], outline[0]), strict=True)


def _vouched(value: Json) -> tuple[str, str]:
    both = items(value, "a piece that people say lies there")
    if len(both) != 2:
        raise BadData("a piece that people say lies there should be [name, region]")
    return text(both[0], "the name of a piece"), text(both[1], "the region of a piece")


def _maybe(value: Json, what: str) -> float | None:
    return None if value is None else number(value, what)


def _point(value: Json) -> Point | None:
    if value is None:
        return None
    both = items(value, "the place of a sighting on the board")
    if len(both) != 2:
        raise BadData("the place of a sighting on the board should be [x, y]")
    return number(both[0], "the place of a sighting on the board"), number(
        both[1], "the place of a sighting on the board"
    )


def _share(value: Json, what: str) -> float:
    share = number(value, what)
    if not 0 <= share <= 1:
        raise BadData(f"{what} should be from 0 to 1, not {share:g}")
    return share


def _kind(value: Json) -> Kind:
    if value not in KINDS:
        raise BadData(f"the kind of a sighting should be one of {', '.join(KINDS)}")
    return value


def _face(value: Json) -> Face:
    if value not in FACES:
        raise BadData(f"a face should be one of {', '.join(FACES)}")
    return value
