"""What hands do with pieces, as curves in time.

A gesture is written as keys: where a hand is, how it is bent, and how a piece lies, at certain moments.
Between two keys everything moves as people's arms do, without a jerk. ``Passage`` writes the keys of one
visit of one hand to the table; ``Reel`` holds all of them, and ``Player`` plays them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from simulation.makers import body_of
from simulation.virtual_scene import Piece

Rng = np.random.Generator
Point = tuple[float, float, float]


def smooth(share: float) -> float:
    """The way covered after a share of the time, moved with the least jerk."""
    u = min(1.0, max(0.0, share))
    return u * u * u * (10 - 15 * u + 6 * u * u)


@dataclass(frozen=True, slots=True)
class HandKey:
    """Where a hand does its work at a moment, and its pose (one of ``simulation.skeleton.POSES``)."""

    t: float
    x: float
    y: float
    z: float
    pose: str


@dataclass(frozen=True, slots=True)
class PieceKey:
    """How a piece lies at a moment."""

    t: float
    piece: Piece


@dataclass(frozen=True)
class HandTrack:
    """One visit of a hand."""

    player: int
    keys: tuple[HandKey, ...]
    pencil: bool = False

    @property
    def start(self) -> float:
        """When it comes."""
        return self.keys[0].t

    @property
    def end(self) -> float:
        """When it has gone."""
        return self.keys[-1].t


@dataclass(frozen=True)
class HandAt:
    """A hand at one moment: its work's place, the two poses it is between, and how far."""

    player: int
    at: Point
    pose: str
    next_pose: str
    share: float
    pencil: bool
    speed_mm_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class PieceTrack:
    """How one piece moves. ``name`` is what it is called before; its last key holds it as it stays."""

    name: str
    keys: tuple[PieceKey, ...]
    after: Piece | None
    """The piece once all is done, or None where it has left the table."""

    @property
    def start(self) -> float:
        """When it is first touched."""
        return self.keys[0].t

    @property
    def end(self) -> float:
        """When it lies again."""
        return self.keys[-1].t


def hand_at(track: HandTrack, t: float) -> HandAt | None:
    """The hand at a time, or None while it is away."""
    if not track.start <= t <= track.end:
        return None
    keys = track.keys
    k = max(i for i in range(len(keys)) if keys[i].t <= t)
    a, b = keys[k], keys[min(k + 1, len(keys) - 1)]
    long = max(b.t - a.t, 1e-6)
    u = smooth((t - a.t) / long)
    at = (a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z))
    share = (t - a.t) / long
    pace = 30 * (share * (1 - share)) ** 2 / long
    speed = (pace * (b.x - a.x), pace * (b.y - a.y))
    return HandAt(track.player, at, a.pose, b.pose, u, track.pencil, speed)


def piece_at(track: PieceTrack, t: float) -> Piece:
    """The piece at a time from the track's start on."""
    keys = track.keys
    k = max((i for i in range(len(keys)) if keys[i].t <= t), default=0)
    a = keys[k]
    if k + 1 == len(keys):
        return a.piece
    b = keys[k + 1]
    u = smooth((t - a.t) / max(b.t - a.t, 1e-6))
    p, q = a.piece, b.piece
    turn = (q.angle_deg - p.angle_deg + 180) % 360 - 180
    return replace(
        p,
        x_mm=p.x_mm + u * (q.x_mm - p.x_mm),
        y_mm=p.y_mm + u * (q.y_mm - p.y_mm),
        z_mm=p.z_mm + u * (q.z_mm - p.z_mm),
        angle_deg=p.angle_deg + u * turn,
        tilt_deg=p.tilt_deg + u * (q.tilt_deg - p.tilt_deg),
    )


@dataclass(frozen=True)
class Seat:
    """Where a player sits: the shoulder the arm comes from, and where the hand is when it is away."""

    player: int
    shoulder: Point
    away: Point


def seats(size_mm: tuple[float, float], left_handed: Sequence[bool] = (False, False)) -> tuple[Seat, Seat]:
    """The first player at the near side of a table of this size, the second opposite."""
    deep = size_mm[1] / 2
    found = []
    for player, sign in ((1, -1.0), (2, 1.0)):
        side = -sign * (-1.0 if left_handed[player - 1] else 1.0)
        shoulder = (side * 150.0, sign * (deep + 360), 280.0)
        found.append(Seat(player, shoulder, (side * 120.0, sign * (deep + 210), 70.0)))
    return found[0], found[1]


def top_of(piece: Piece) -> float:
    """How high the top of a piece is."""
    return piece.z_mm + body_of(piece).shape.top_mm


@dataclass
class Passage:
    """One visit of a hand, being written."""

    seat: Seat
    now: float
    rng: Rng
    pace: float = 1.0
    """How slowly: 1 is ordinary, 2 takes twice the time."""
    keys: list[HandKey] = field(default_factory=list)
    pieces: dict[str, list[PieceKey]] = field(default_factory=dict)
    after: dict[str, Piece | None] = field(default_factory=dict)
    pencil: bool = False

    def __post_init__(self) -> None:
        self.keys.append(HandKey(self.now, *self.seat.away, "open"))

    # --- plain motions -----------------------------------------------------------------------------

    @property
    def hand(self) -> HandKey:
        """Where the hand is now."""
        return self.keys[-1]

    def go(self, x: float, y: float, z: float, pose: str, seconds: float | None = None) -> None:
        """Moves the hand; without ``seconds`` as long as such a way takes."""
        if seconds is None:
            seconds = 0.16 + math.dist((x, y, z), (self.hand.x, self.hand.y, self.hand.z)) / 900
        self.now += seconds * self.pace * float(self.rng.uniform(0.85, 1.2))
        self.keys.append(HandKey(self.now, x, y, z, pose))

    def rest(self, seconds: float) -> None:
        """Stays where it is, not quite still."""
        here = self.hand
        dx, dy = (float(v) for v in self.rng.normal(0, 0.8, 2))
        self.now += seconds
        self.keys.append(HandKey(self.now, here.x + dx, here.y + dy, here.z, here.pose))

    def leave(self) -> None:
        """Takes the hand off the table."""
        here = self.hand
        x, y, z = self.seat.away
        self.go(0.7 * here.x + 0.3 * x, 0.75 * here.y + 0.25 * y, max(here.z + 25, 50), "open", 0.22)
        self.go(x, y, z, "open")

    def mark(self, name: str, piece: Piece) -> None:
        """Writes down how a piece lies now."""
        self.pieces.setdefault(name, []).append(PieceKey(self.now, piece))

    def with_piece(
        self, name: str, piece: Piece, *, over: float, pose: str, seconds: float | None = None
    ) -> None:
        """Moves the hand and the piece under it to where ``piece`` says, ``over`` above its top."""
        last = self.pieces[name][-1]
        if last.t < self.now:
            self.mark(name, last.piece)
        self.go(piece.x_mm, piece.y_mm, top_of(piece) + over, pose, seconds)
        self.mark(name, piece)

    # --- gestures ----------------------------------------------------------------------------------

    def grasp(self, name: str, piece: Piece) -> None:
        """Reaches for a piece and takes hold of it."""
        x, y, z = piece.x_mm, piece.y_mm, top_of(piece)
        if self.rng.random() < 0.18:
            dx, dy = (float(v) for v in self.rng.normal(0, 28, 2))
            self.go(x + dx, y + dy, z + 45, "ready")
            self.rest(float(self.rng.uniform(0.2, 0.7)))
        self.go(x, y, z + 32, "ready")
        self.go(x, y, z, "pinch", 0.18)
        self.mark(name, piece)

    def let_go(self) -> None:
        """Opens the fingers and lifts the hand a little."""
        self.rest(0.06)
        here = self.hand
        self.go(here.x, here.y, here.z + 26, "ready", 0.16)

    def carry(self, name: str, old: Piece, new: Piece) -> None:
        """Picks a piece up, carries it and puts it down, turned over on the way if its face changes."""
        self.grasp(name, old)
        lift = float(self.rng.uniform(22, 42))
        self.with_piece(name, replace(old, z_mm=old.z_mm + lift), over=0, pose="pinch", seconds=0.2)
        self._along(name, self.pieces[name][-1].piece, replace(new, z_mm=new.z_mm + lift))
        if self.rng.random() < 0.12:
            self.rest(float(self.rng.uniform(0.2, 0.6)))
        self.with_piece(name, new, over=0, pose="pinch", seconds=0.22)
        self.after[name] = new
        self.let_go()

    def _along(self, name: str, held: Piece, there: Piece) -> None:
        """Carries what is held, and turns it over half way where it must show something else."""
        if (held.face, held.value) == (there.face, there.value):
            self.with_piece(name, replace(held, x_mm=there.x_mm, y_mm=there.y_mm, z_mm=there.z_mm,
                                          angle_deg=there.angle_deg), over=0, pose="pinch")  # fmt: skip
            return
        half = replace(
            held,
            x_mm=(held.x_mm + there.x_mm) / 2,
            y_mm=(held.y_mm + there.y_mm) / 2,
            z_mm=max(held.z_mm, there.z_mm),
            tilt_deg=70.0,
        )
        self.with_piece(name, half, over=0, pose="pinch")
        # The same moment with the new face: from here on that one is seen.
        turned = replace(half, face=there.face, value=there.value, angle_deg=there.angle_deg)
        self.mark(name, turned)
        self.with_piece(name, replace(there, tilt_deg=0.0), over=0, pose="pinch")

    def slide(self, name: str, old: Piece, new: Piece) -> None:
        """Pushes a piece along the table with the fingertips."""
        x, y, z = old.x_mm, old.y_mm, top_of(old)
        self.go(x, y, z + 30, "press")
        self.go(x, y, z, "press", 0.16)
        self.mark(name, old)
        far = math.dist((x, y), (new.x_mm, new.y_mm))
        if far > 30 and self.rng.random() < 0.25:
            share = float(self.rng.uniform(0.3, 0.7))
            half = _between(old, new, share)
            self.with_piece(name, half, over=0, pose="press", seconds=0.25 + share * far / 260)
            self.rest(float(self.rng.uniform(0.15, 0.5)))
        self.with_piece(name, new, over=0, pose="press", seconds=0.3 + far / 260)
        self.after[name] = new
        self.let_go()

    def turn_over(self, name: str, old: Piece, new: Piece) -> None:
        """Tips a piece over where it lies."""
        self.grasp(name, old)
        up = replace(old, z_mm=old.z_mm + 14, tilt_deg=75.0)
        self.with_piece(name, up, over=4, pose="pinch", seconds=0.26)
        self.mark(name, replace(new, x_mm=up.x_mm, y_mm=up.y_mm, z_mm=up.z_mm, tilt_deg=75.0))
        self.with_piece(name, new, over=2, pose="pinch", seconds=0.26)
        self.after[name] = new
        self.let_go()

    def bring(self, new: Piece) -> None:
        """Comes with a piece from off the table and puts it down."""
        x, y, z = self.hand.x, self.hand.y, self.hand.z
        held = replace(
            new, x_mm=x, y_mm=y, z_mm=z - 10, angle_deg=new.angle_deg + float(self.rng.normal(0, 25))
        )
        self.mark(new.name, held)
        lift = float(self.rng.uniform(24, 40))
        self.with_piece(
            new.name, replace(held, x_mm=new.x_mm, y_mm=new.y_mm, z_mm=new.z_mm + lift), over=0, pose="pinch"
        )
        self.with_piece(new.name, new, over=0, pose="pinch", seconds=0.26)
        self.after[new.name] = new
        self.let_go()

    def remove(self, name: str, old: Piece) -> None:
        """Takes a piece off the table."""
        self.grasp(name, old)
        lifted = replace(old, z_mm=old.z_mm + 35)
        self.with_piece(name, lifted, over=0, pose="pinch", seconds=0.2)
        x, y, z = self.seat.away
        self.with_piece(name, replace(old, x_mm=x, y_mm=y, z_mm=z - 10), over=0, pose="pinch")
        self.after[name] = None

    def nudge(self, name: str, old: Piece, new: Piece) -> None:
        """Knocks against a piece in passing."""
        self.mark(name, old)
        self.pieces[name].append(PieceKey(self.now + 0.1, new))
        self.after[name] = new

    def scoop(self, moves: Sequence[tuple[str, Piece, Piece]]) -> None:
        """Gathers small pieces in the hand and sets them down elsewhere."""
        self.gather([(name, old) for name, old, _ in moves])
        cx = sum(new.x_mm for _, _, new in moves) / len(moves)
        cy = sum(new.y_mm for _, _, new in moves) / len(moves)
        self._together(moves, (cx, cy, 45.0))
        self._together(moves, (cx, cy, 24.0), 0.15)
        for name, _, new in moves:
            held = self.pieces[name][-1].piece
            self.mark(name, replace(new, x_mm=held.x_mm, y_mm=held.y_mm, z_mm=held.z_mm))
        self.go(cx, cy, 40, "open", 0.25)
        for name, _, new in moves:
            self.mark(name, new)
            self.after[name] = new

    def gather(self, small: Sequence[tuple[str, Piece]]) -> None:
        """Sweeps small pieces together under the hand."""
        cx = sum(p.x_mm for _, p in small) / len(small)
        cy = sum(p.y_mm for _, p in small) / len(small)
        self.go(cx, cy, 40, "open")
        self.go(cx, cy, 16, "open", 0.16)
        for name, piece in small:
            self.mark(name, piece)
        self.go(cx, cy, 24, "fist", 0.28)
        for k, (name, piece) in enumerate(small):
            self.mark(name, _held(piece, cx, cy, 8.0, k))

    def _together(
        self, moves: Sequence[tuple[str, Piece, Piece]], at: Point, seconds: float | None = None
    ) -> None:
        self.go(*at, "fist", seconds)
        for k, (name, _, _) in enumerate(moves):
            self.mark(name, _held(self.pieces[name][-1].piece, at[0], at[1], at[2] - 16, k))

    def roll(
        self, moves: Sequence[tuple[str, Piece, Piece]], faces: Mapping[str, Sequence[Mapping[str, object]]]
    ) -> None:
        """Throws dice: gathered, shaken, let tumble, lying still. ``faces`` says what each may show."""
        self.gather([(name, old) for name, old, _ in moves])
        cx = sum(new.x_mm for _, _, new in moves) / len(moves)
        cy = sum(new.y_mm for _, _, new in moves) / len(moves)
        sign = -1.0 if self.seat.away[1] < 0 else 1.0
        hx, hy = cx + float(self.rng.normal(0, 12)), cy + sign * 55
        self._together(moves, (hx, hy, 70.0))
        for _ in range(int(self.rng.integers(2, 5))):
            dx, dy = (float(v) for v in self.rng.normal(0, 12, 2))
            self._together(moves, (hx + dx, hy + dy, 62.0 + float(self.rng.uniform(0, 16))), 0.11)
        self._together(moves, (hx, hy - sign * 12, 48.0), 0.12)
        start = self.now
        for name, _, new in moves:
            self._tumble(name, self.pieces[name][-1].piece, new, faces.get(name, ()))
        self.go(hx, hy - sign * 8, 60, "open", 0.2)
        self.rest(0.15)
        self.leave()
        self.now = max(self.now, start)

    def _tumble(self, name: str, held: Piece, new: Piece, faces: Sequence[Mapping[str, object]]) -> None:
        steps = int(self.rng.integers(7, 11))
        t = self.now
        for k in range(1, steps):
            u = 1 - (1 - k / steps) ** 2
            t += 0.055 + 0.012 * k
            shown = faces[int(self.rng.integers(len(faces)))] if faces else new.value
            wobble = (1 - u) * 10
            piece = replace(
                new,
                x_mm=held.x_mm + u * (new.x_mm - held.x_mm) + float(self.rng.normal(0, wobble)),
                y_mm=held.y_mm + u * (new.y_mm - held.y_mm) + float(self.rng.normal(0, wobble)),
                z_mm=new.z_mm + (held.z_mm - new.z_mm) * (1 - u) ** 2 * abs(math.cos(2.1 * k)),
                angle_deg=float(self.rng.uniform(0, 360)),
                tilt_deg=float(self.rng.uniform(-45, 45)) * (1 - u),
                value=shown,  # type: ignore[arg-type]  # faces are values in plain data
            )
            self.pieces[name].append(PieceKey(t, piece))
        self.pieces[name].append(PieceKey(t + 0.12, new))
        self.after[name] = new

    def write(self, name: str, old: Piece, new: Piece, spots: Sequence[tuple[float, float]]) -> None:
        """Writes on a sheet at some places of it."""
        self.pencil = True
        z = top_of(old)
        for x, y in spots:
            self.go(x, y, z + 25, "write")
            self.go(x, y, z, "write", 0.16)
            for _ in range(int(self.rng.integers(4, 8))):
                dx, dy = (float(v) for v in self.rng.normal(0, 2.6, 2))
                self.go(x + dx, y + dy, z, "write", 0.1)
            self.go(x, y, z + 14, "write", 0.14)
        # What was written is there for good; nobody can see it grow under the hand.
        self.mark(name, old)
        self.mark(name, new)
        self.after[name] = new

    def point(self, x: float, y: float, z: float) -> None:
        """Points at something without touching it."""
        self.go(x, y, z + 30, "point")
        for _ in range(int(self.rng.integers(1, 4))):
            dx, dy = (float(v) for v in self.rng.normal(0, 7, 2))
            self.go(x + dx, y + dy, z + float(self.rng.uniform(12, 34)), "point", 0.22)
        self.rest(float(self.rng.uniform(0.2, 0.9)))

    def tracks(self) -> tuple[HandTrack, list[PieceTrack]]:
        """What was written."""
        # Who has a pencil in the hand does not open it.
        keys = [
            replace(key, pose="write") if key.pose == "open" and self.pencil else key for key in self.keys
        ]
        hand = HandTrack(self.seat.player, tuple(keys), self.pencil)
        return hand, [
            PieceTrack(name, tuple(keys), self.after.get(name, keys[-1].piece))
            for name, keys in self.pieces.items()
        ]


def _held(piece: Piece, x: float, y: float, z: float, k: int) -> Piece:
    """A small piece in a closed hand."""
    return replace(piece, x_mm=x + 7 * math.cos(2.4 * k), y_mm=y + 7 * math.sin(2.4 * k), z_mm=max(z, 2.0))


def _between(old: Piece, new: Piece, share: float) -> Piece:
    turn = (new.angle_deg - old.angle_deg + 180) % 360 - 180
    return replace(
        old,
        x_mm=old.x_mm + share * (new.x_mm - old.x_mm),
        y_mm=old.y_mm + share * (new.y_mm - old.y_mm),
        z_mm=old.z_mm + share * (new.z_mm - old.z_mm),
        angle_deg=old.angle_deg + share * turn,
    )


@dataclass
class Reel:
    """All that moves on a table, in table time."""

    start: dict[str, Piece]
    hands: list[HandTrack] = field(default_factory=list)
    pieces: list[PieceTrack] = field(default_factory=list)
    renames: list[tuple[float, Mapping[str, str]]] = field(default_factory=list)
    end: float = 0.0

    def add(self, passage: Passage) -> None:
        """Takes up one visit of a hand."""
        hand, pieces = passage.tracks()
        self.hands.append(hand)
        self.pieces += pieces
        self.end = max([self.end, hand.end, *(p.end for p in pieces)])

    def hands_at(self, t: float) -> list[HandAt]:
        """The hands over the table at a time."""
        return [at for track in self.hands if (at := hand_at(track, t)) is not None]


class Player:
    """Plays a reel forwards: how the pieces lie at one time after another. The reel may grow meanwhile."""

    def __init__(self, reel: Reel) -> None:
        self.world = dict(reel.start)
        self._reel = reel
        self._taken = self._renamed = 0
        """How many tracks and renames of the reel were taken up."""
        self._waiting: list[tuple[int, PieceTrack]] = []
        self._renames: list[tuple[float, Mapping[str, str]]] = []
        self._running: list[PieceTrack] = []
        self.moving: frozenset[str] = frozenset()

    def _take_up(self) -> None:
        """What was added to the reel since."""
        fresh = self._reel.pieces[self._taken :]
        if fresh:
            numbered = [(self._taken + k, track) for k, track in enumerate(fresh)]
            self._waiting = sorted([*self._waiting, *numbered], key=lambda item: (item[1].start, item[0]))
            self._taken += len(fresh)
        names = self._reel.renames[self._renamed :]
        if names:
            self._renames = sorted([*self._renames, *names], key=lambda item: item[0])
            self._renamed += len(names)

    def at(self, t: float) -> dict[str, Piece]:
        """The pieces at a time not before the last one asked for."""
        self._take_up()
        # Renames and the ends of tracks are taken in the order in which they fall.
        while self._renames and self._renames[0][0] <= t:
            when, names = self._renames.pop(0)
            self._advance(when)
            held = {old: self.world.pop(old) for old in names if old in self.world}
            self.world.update({names[old]: replace(piece, name=names[old]) for old, piece in held.items()})
        self._advance(t)
        found = dict(self.world)
        moving = []
        for track in self._running:
            found[track.name] = replace(piece_at(track, t), name=track.name)
            moving.append(track.name)
        self.moving = frozenset(moving)
        return found

    def _advance(self, t: float) -> None:
        while self._waiting and self._waiting[0][1].start <= t:
            self._running.append(self._waiting.pop(0)[1])
        for track in [track for track in self._running if track.end <= t]:
            self._running.remove(track)
            if track.after is None:
                self.world.pop(track.name, None)
            else:
                self.world[track.name] = replace(track.after, name=track.name)
