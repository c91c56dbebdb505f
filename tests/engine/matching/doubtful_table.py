"""A table without pixels: layouts become scenes, with crooked pieces, doubtful readings and hidden places."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from engine import Layout, Spot
from engine.plain import Json
from engine.scene import Guess, Hidden, Scene, Sighting

SUITS = ("suns", "moons", "crowns", "arms")
FACES = ("null", "ace", "2", "3", "4", "5")


@dataclass
class Table:
    """Pieces as they lie: what is not touched keeps its exact place."""

    seed: int = 0
    off: float = 0.05
    """How far off its place a piece is put, in board units."""
    skew: float = 2.0
    """How crooked, in degrees."""
    doubtful: float = 0.0
    """The share of readings that are in doubt; of these one in ten favours something else."""
    lay: dict[str, tuple[Spot, float, float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)

    def scene(
        self,
        layout: Layout,
        *,
        hidden: tuple[Hidden, ...] = (),
        lost: frozenset[str] = frozenset(),
        by: int | None = None,
        visits: int | None = None,
    ) -> Scene:
        """What a camera would see of this layout; ``lost`` names pieces that it misses."""
        spots = (*layout.spots, *_heaps(layout))
        now = {spot.name for spot in spots}
        self.lay = {name: kept for name, kept in self.lay.items() if name in now}
        seen = []
        for spot in spots:
            x, y, angle = self._where(spot)
            covered = Scene((), hidden).is_hidden(spot.region, x, y)
            if spot.name not in lost and not covered and not (spot.kind == "sheet" and spot.value is None):
                seen.append(self._sighting(spot, x, y, angle))
        self.rng.shuffle(seen)
        return Scene(tuple(seen), hidden, by, visits)

    def _where(self, spot: Spot) -> tuple[float, float, float]:
        known = self.lay.get(spot.name)
        if known is None or _moved(known[0], spot):
            rng = self.rng
            if spot.x is None or spot.y is None:
                place = (rng.uniform(-40, 40), rng.uniform(-40, 40), rng.uniform(0, 360))
            else:
                angle = rng.uniform(0, 360) if spot.angle is None else spot.angle + rng.gauss(0, self.skew)
                place = (spot.x + rng.gauss(0, self.off), spot.y + rng.gauss(0, self.off), angle)
            known = (spot, *place)
        self.lay[spot.name] = (spot, *known[1:])
        return known[1:]

    def _sighting(self, spot: Spot, x: float, y: float, angle: float) -> Sighting:
        value = spot.value
        turned: float | None = angle % 360
        if spot.kind == "soldier" and value is not None:
            value = {**value, "facing_deg": spot.angle}
        if spot.kind in ("coin", "pawn", "die", "sheet"):
            turned = None
        if spot.kind == "domino" and value is not None and self.rng.random() < 0.5:
            pips = value["pips"]
            assert isinstance(pips, list)
            value, turned = {"pips": pips[::-1]}, (angle + 180) % 360
        owner = spot.owner if spot.kind == "soldier" else None
        return Sighting(
            spot.kind, spot.region, x, y, turned, spot.face, self._guesses(spot, value), owner=owner
        )

    def _guesses(self, spot: Spot, value: Mapping[str, Json] | None) -> tuple[Guess, ...]:
        if value is None and spot.face == "up":
            return ()
        if self.rng.random() >= self.doubtful or spot.kind in ("sheet", "soldier", "wall", "pawn"):
            return (Guess(value, 0.9995),)
        other = self._other(spot, value)
        sure = self.rng.uniform(0.55, 0.97)
        if self.rng.random() < 0.1:
            sure = 0.3 + 0.2 * sure  # 0.41 to 0.49: the likelier one is the other
        guesses = (Guess(value, sure), Guess(other, round(0.99 - sure, 4)))
        return guesses if sure > 0.495 else guesses[::-1]

    def _other(self, spot: Spot, value: Mapping[str, Json] | None) -> Mapping[str, Json] | None:
        """Something that this piece might be taken for."""
        if value is None:
            return {"pips": [0, 0]}
        if spot.kind == "domino":
            pips = [int(str(end)) for end in value["pips"]]  # type: ignore[union-attr]
            half = self.rng.randrange(2)
            pips[half] += 1 if pips[half] == 0 or (pips[half] < 5 and self.rng.random() < 0.5) else -1
            return {"pips": pips}
        if spot.kind == "coin" and value.get("value") is not None:
            return {**value, "value": (int(str(value["value"])) + 1) % 6}
        if spot.kind == "coin":
            return {**value, "suit": self.rng.choice([suit for suit in SUITS if suit != value["suit"]])}
        if value.get("set") == "piecepack":
            face = FACES[(FACES.index(str(value["face"])) + 1) % 5 + 1]
            return {**value, "face": face, "suit": value["suit"] or "suns"}
        return {**value, "crosses": (int(str(value.get("crosses", 0))) + 1) % 3}


def _moved(before: Spot, now: Spot) -> bool:
    if now.kind == "soldier" and now.angle is None:
        before = replace(before, angle=None)
    if now.kind == "die" and before.value != now.value:
        return True  # it was thrown
    return replace(before, value=None, face="up") != replace(now, value=None, face="up")


def _heaps(layout: Layout) -> list[Spot]:
    """The closed pieces that can be seen: the top coin of each stack, the boneyard."""
    found = []
    for region, count in layout.hidden.items():
        if region.startswith("stack-"):
            shown: dict[str, Json] = {"suit": region.removeprefix("stack-"), "value": None}
            found.append(Spot(f"{region} {count}", "coin", "down", shown, region))
        elif region == "boneyard":
            found += [Spot(f"{region} {k}", "domino", "down", None, region) for k in range(count)]
    return found
