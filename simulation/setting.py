"""Sets a game's table: turns what a state should look like (``engine.layout``) into pieces in millimetres.

A ``TableSetting`` remembers where it has put things. A piece keeps its exact place, crooked as it is, until
the layout moves it; it is then put down anew, a few millimetres and degrees off, as people do.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from calibration.camera import Camera, Lens, Pose
from calibration.mats import MarkerPlace, loose_markers
from calibration.plan import Region, TablePlan, plan_of
from engine.layout import Layout, Spot
from engine.plain import Json
from simulation.makes import DOMINOES, DominoLook, DuelLook, Look, PiecepackLook, SheetLook, SoldierLook
from simulation.virtual_scene import Piece, stream

PAPER_SHARE = 46 / 32
_NOT_THROWN: dict[str, Json] = {"set": "kingdomino-duel"}
"""What a die is that shows nothing yet: only the Duel's dice lie on the table before they are thrown."""


@dataclass(frozen=True)
class Props:
    """The makes of pieces that lie on one table."""

    domino: DominoLook = DOMINOES["ivory"]
    piecepack: PiecepackLook = field(default_factory=PiecepackLook)
    duel: DuelLook = field(default_factory=DuelLook)
    soldier: SoldierLook = field(default_factory=lambda: SoldierLook(marker=True))
    sheet: SheetLook = field(default_factory=lambda: SheetLook(138, 100, style="duel-map"))

    def for_game(self, game: str) -> "Props":
        """The same makes, in the size that the game's board asks for."""
        if game == "dominoids":
            return replace(self, domino=_sized(self.domino, 44.4, 22.2))
        if game == "dominoes-of-war":
            return replace(
                self, domino=_sized(self.domino, 48.0, 24.0), soldier=replace(self.soldier, base_mm=20.0)
            )
        return replace(self, domino=_sized(self.domino, 48.0, 24.0))

    def look_of(self, spot: Spot) -> Look:
        """What the piece of a spot looks like."""
        if spot.kind in ("domino", "wall"):
            return self.domino
        if spot.kind == "soldier":
            return self.soldier
        if spot.kind == "sheet":
            return self.sheet
        if spot.kind == "die" and (spot.value or _NOT_THROWN).get("set") == "kingdomino-duel":
            return self.duel
        return self.piecepack


def _sized(look: DominoLook, length_mm: float, width_mm: float) -> DominoLook:
    share = width_mm / look.width_mm
    return replace(
        look,
        length_mm=length_mm,
        width_mm=width_mm,
        pip_mm=look.pip_mm * share,
        corner_mm=look.corner_mm * share,
    )


@dataclass
class TableSetting:
    """The table of one game, set and kept up to date."""

    game: str
    seed: int = 0
    props: Props = field(default_factory=Props)
    off_mm: float = 1.2
    """How far from its place a piece is put down (a standard deviation)."""
    off_deg: float = 1.5
    plan: TablePlan = field(init=False)
    _pieces: dict[str, tuple[Spot, Piece]] = field(init=False, default_factory=dict)
    _slots: dict[str, dict[str, int]] = field(init=False, default_factory=dict)
    _moves: dict[str, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.plan = plan_of(self.game)
        self.props = self.props.for_game(self.game)

    # --- what stays --------------------------------------------------------------------------------

    def fixed(self, markers: bool = True) -> tuple[Piece, ...]:
        """What stays put through a game: markers, and the tiles of a piecepack board."""
        found: list[Piece] = []
        if markers:
            found += [marker_piece(place) for place in loose_markers(self.plan.size_mm)]
        if self.game == "dominoids":
            found += [self._board_tile(k) for k in range(16)]
        return tuple(found)

    def _board_tile(self, k: int) -> Piece:
        x, y = self.plan.regions["board"].place_mm(1.5 + 2 * (k % 4), 1.5 + 2 * (k // 4))
        rng = stream(self.seed, "board tile", str(k))
        look = replace(self.props.piecepack, tile_mm=50.4)
        turn = 90.0 * int(rng.integers(4)) + float(rng.normal(0, 0.15))
        dx, dy = rng.normal(0, 0.12, 2)
        return Piece(
            f"board tile {k}", "tile", look, x + float(dx), y + float(dy), turn, wear_seed=k, face="down"
        )

    def camera(self, size_px: tuple[int, int] = (1280, 960), tilt_deg: float = 6.0) -> Camera:
        """A camera above the middle of the table that sees all of it."""
        lens = Lens.from_field_of_view(size_px, 62.0)
        wide, deep = (side + 30 for side in self.plan.size_mm)
        height = max(wide * lens.focal_px[0] / size_px[0], deep * lens.focal_px[1] / size_px[1])
        return Camera(
            lens, Pose.above(height * (1 + 0.6 * math.sin(math.radians(tilt_deg))), tilt_deg=tilt_deg)
        )

    # --- what moves --------------------------------------------------------------------------------

    def pieces(self, layout: Layout) -> tuple[Piece, ...]:
        """The pieces of a layout where they lie now."""
        spots = self.spots(layout)
        now = {spot.name: spot for spot in spots}
        for name in [name for name in self._pieces if name not in now]:
            del self._pieces[name]
        self._free_slots(now)
        order = sorted(spots, key=lambda spot: spot.kind not in ("tile", "domino", "sheet"))
        for spot in order:
            known = self._pieces.get(spot.name)
            if known is None or not _same_place(known[0], spot):
                self._pieces[spot.name] = (spot, self._put(spot))
            elif known[0] != spot:
                piece = replace(known[1], value=self._value(spot), face=spot.face)
                self._pieces[spot.name] = (spot, piece)
        return tuple(self._on_others(self._pieces[spot.name][1]) for spot in order)

    def spots(self, layout: Layout) -> tuple[Spot, ...]:
        """The spots of a layout with those of pieces that lie there and nobody may see."""
        return (*layout.spots, *self._hidden_spots(layout))

    def rename(self, names: Mapping[str, str]) -> None:
        """Pieces that the next layout calls otherwise keep their places (old name: new name)."""
        known = {old: self._pieces.pop(old) for old in names if old in self._pieces}
        moves = {old: self._moves.get(old, 0) for old in names}
        for old, (spot, piece) in known.items():
            new = names[old]
            self._pieces[new] = (replace(spot, name=new), replace(piece, name=new))
            self._moves[new] = max(moves[old], self._moves.get(new, 0))
        for slots in self._slots.values():
            held = {old: slots.pop(old) for old in names if old in slots}
            slots.update({names[old]: slot for old, slot in held.items()})

    def forget(self, names: Sequence[str]) -> None:
        """These pieces were picked up: the next layout puts them down anew."""
        for name in names:
            self._pieces.pop(name, None)

    def settle(self, piece: Piece) -> None:
        """A piece was knocked against and lies where ``piece`` says."""
        known = self._pieces.get(piece.name)
        if known is not None:
            self._pieces[piece.name] = (known[0], piece)

    def where(self, spot: Spot) -> tuple[float, float, float]:
        """Where a spot lies exactly: x and y in millimetres and the angle."""
        region = self._region(spot.region)
        if spot.x is not None and spot.y is not None:
            x, y = region.place_mm(spot.x, spot.y) if region.unit_mm else region.centre_mm
            return x, y, spot.angle or 0.0
        return self._slot_mm(spot, region)

    def _put(self, spot: Spot) -> Piece:
        count = self._moves.get(spot.name, 0)
        self._moves[spot.name] = count + 1
        rng = stream(self.seed, "put", spot.name, str(count))
        x, y, angle = self.where(spot)
        off = self.off_mm if spot.kind != "sheet" else 2.0
        if spot.kind == "domino" and spot.x is None:
            off *= 0.35  # rows of tiles are pushed together with care
        dx, dy, turn = (float(v) for v in rng.normal(0, 1, 3).clip(-2.2, 2.2))
        if spot.kind in ("die", "coin", "pawn") and spot.angle is None:
            turn += float(rng.uniform(-180, 180)) / max(self.off_deg, 1e-6)
        look = self.props.look_of(spot)
        wear = int(stream(self.seed, "wear", spot.name).integers(1 << 20))
        return Piece(
            spot.name, spot.kind, look, x + off * dx, y + off * dy, angle + self.off_deg * turn,
            face=spot.face, value=self._value(spot), wear_seed=wear, owner=(spot.owner or 1) - 1,
        )  # fmt: skip

    def _value(self, spot: Spot) -> dict[str, Json] | None:
        value = dict(spot.value) if spot.value is not None else None
        if value and spot.kind == "die" and value.get("set") == "piecepack" and value.get("suit") is None:
            # A blank face hides the suit from the camera; the sides of the die still have their colour.
            value["suit"] = spot.name.split()[-1]
        return value

    def _on_others(self, piece: Piece) -> Piece:
        """The piece at the height of what it stands on."""
        if piece.name.startswith("stack "):
            return replace(piece, z_mm=int(piece.name.split()[-1]) * self.props.piecepack.coin_thick_mm)
        base = self.props.piecepack.tile_thick_mm if self._on_board(piece) else 0.0
        if piece.kind == "domino" and (layer := self._layer(piece.name)):
            return replace(piece, z_mm=layer * self.props.domino.thickness_mm)
        if piece.kind in ("domino", "tile", "sheet"):
            return replace(piece, z_mm=base)
        for _, other in self._pieces.values():
            if other.kind == "domino" and other.name != piece.name and _touches(piece, other):
                return replace(piece, z_mm=base + self.props.domino.thickness_mm)
        return replace(piece, z_mm=base)

    def _layer(self, name: str) -> int:
        """How many dominoes lie under this one where a region is too small for all of them side by side."""
        spot = self._pieces[name][0]
        if spot.face != "down" or name not in self._slots.get(spot.region, {}):
            return 0
        region = self._region(spot.region)
        pitch_x, pitch_y, _ = self._pitch(spot, region)
        across, along = (
            max(1, int(side // pitch)) for side, pitch in zip(region.size_mm, (pitch_x, pitch_y), strict=True)
        )
        return self._slots[spot.region][name] // (across * along)

    def _on_board(self, piece: Piece) -> bool:
        return self.game == "dominoids" and self.plan.regions["board"].holds(
            piece.x_mm, piece.y_mm, margin_mm=2
        )

    # --- regions -----------------------------------------------------------------------------------

    def _region(self, name: str) -> Region:
        return self.plan.regions[name]

    def _hidden_spots(self, layout: Layout) -> list[Spot]:
        """Pieces that nobody may see but that lie there: stacks of coins, the boneyard face down."""
        found = []
        for region, count in layout.hidden.items():
            if region.startswith("stack-"):
                suit = region.removeprefix("stack-")
                shown: dict[str, Json] = {"suit": suit, "value": None}
                found += [Spot(f"stack {suit} {k}", "coin", "down", shown, region) for k in range(count)]
            elif region in ("boneyard", "spares"):
                found += [Spot(f"{region} {k}", "domino", "down", None, region) for k in range(count)]
        return found

    def _free_slots(self, now: dict[str, Spot]) -> None:
        for region, slots in self._slots.items():
            for name in [n for n in slots if n not in now or now[n].region != region]:
                del slots[name]

    def _slot_mm(self, spot: Spot, region: Region) -> tuple[float, float, float]:
        """A free place in a region for a piece that may lie anywhere in it."""
        if spot.region.startswith("stack-"):
            return (*region.centre_mm, 0.0)
        slots = self._slots.setdefault(spot.region, {})
        if spot.name not in slots:
            slots[spot.name] = next(k for k in range(len(slots) + 1) if k not in slots.values())
        pitch_x, pitch_y, angle = self._pitch(spot, region)
        left, _, right, top = region.bounds_mm
        columns = max(1, int((right - left) // pitch_x))
        slot = slots[spot.name]
        if spot.kind == "domino" and spot.face == "down":
            slot %= columns * max(1, int(region.size_mm[1] // pitch_y))
        row, column = divmod(slot, columns)
        x = left + pitch_x * (column + 0.5) + (right - left - columns * pitch_x) / 2
        return x, top - pitch_y * (row + 0.5) - 2, angle

    def _pitch(self, spot: Spot, region: Region) -> tuple[float, float, float]:
        """How far apart pieces lie that have no place of their own, and how they are turned."""
        if spot.kind == "domino":
            long, wide = self.props.domino.length_mm + 1.5, self.props.domino.width_mm + 1.5
            lying = (region.size_mm[0] // long) * (region.size_mm[1] // wide)
            standing = (region.size_mm[0] // wide) * (region.size_mm[1] // long)
            return (wide, long, 90.0) if standing > lying else (long, wide, 0.0)
        if spot.kind == "sheet":
            return region.size_mm[0], region.size_mm[1], 0.0
        side = {"soldier": self.props.soldier.base_mm, "pawn": self.props.piecepack.pawn_mm}.get(
            spot.kind, 19.0
        )
        gap = 3 if spot.kind == "soldier" else 6
        return side + gap, side + gap, 90.0 if spot.kind == "soldier" else 0.0


def marker_piece(place: MarkerPlace) -> Piece:
    """A printed marker on its white paper."""
    paper = place.side_mm * PAPER_SHARE
    look = SheetLook(paper, paper, style="marker", number=place.number)
    x, y = place.centre_mm
    return Piece(f"marker {place.number}", "marker", look, x, y, place.angle_deg, wear_seed=place.number)


def _same_place(a: Spot, b: Spot) -> bool:
    return (a.region, a.x, a.y, a.angle, a.kind) == (b.region, b.x, b.y, b.angle, b.kind)


def _touches(piece: Piece, other: Piece) -> bool:
    """Whether a piece stands on a lying domino: its middle, or a wall's end, is over it."""
    look = other.look
    if not isinstance(look, DominoLook):
        return False
    a = math.radians(other.angle_deg)
    b = math.radians(piece.angle_deg)
    reach = 0.45 * look.length_mm if piece.kind == "wall" else 0.0
    for t in (-1.0, 0.0, 1.0):
        dx = piece.x_mm + t * reach * math.cos(b) - other.x_mm
        dy = piece.y_mm + t * reach * math.sin(b) - other.y_mm
        along, across = dx * math.cos(a) + dy * math.sin(a), dy * math.cos(a) - dx * math.sin(a)
        thick = look.thickness_mm / 2 if piece.kind == "wall" else 0.0
        if abs(along) < look.length_mm / 2 + thick and abs(across) < look.width_mm / 2 + thick:
            return True
    return False
