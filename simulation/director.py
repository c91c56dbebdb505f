"""Turns a script into what happens over the table: which hand does what with which piece, and when.

    take = direct(script, setting, seed)
    take.reel        # all curves in table time
    take.episodes    # moves, facts and other visits of hands, with when they begin and end

Every event has random numbers of its own, so that a change to one does not change the next.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.layout import Layout
from simulation.bodies import place
from simulation.faces import COATS, RANKS
from simulation.gestures import Passage, Reel, Rng, Seat, seats
from simulation.hands import Person
from simulation.script import Script, Scripted
from simulation.setting import TableSetting
from simulation.tabletop import Shifted, Tabletop
from simulation.virtual_scene import Piece, stream

_MANY = 9
"""So many pieces that change at once are pushed about with both hands, not moved one by one."""


@dataclass(frozen=True)
class TableManners:
    """How people behave at this table."""

    pause_s: float = 1.1
    """How long the table is left alone after a move, on average."""
    idle: float = 0.18
    """The chance of a needless visit of a hand after a move: pointing, resting, touching and leaving be."""
    together: float = 0.08
    """The chance that the other player reaches in at the same time."""
    nudge: float = 0.06
    """The chance that a hand knocks against a neighbour of the piece that it puts down."""
    pace: float = 1.0


@dataclass(frozen=True)
class Episode:
    """Something that happened, in table time."""

    kind: str
    """``move``, ``fact``, or what a hand did: ``point``, ``rest``, ``touch``, ``hover``."""
    start: float
    end: float
    player: int
    event: Scripted | None = None
    back: tuple[float, float] | None = None
    """When an illegal move was taken back."""
    nudged: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def under_way(self, t: float) -> bool:
        """Whether pieces are being moved to another state, or back from an illegal one."""
        if self.event is None or not self.event.visible:
            return False
        spans = [(self.start, self.end), *([self.back] if self.back else [])]
        return any(start <= t < end for start, end in spans)


@dataclass
class FilmTake:
    """A whole film in table time."""

    reel: Reel
    persons: tuple[Person, ...]
    seats: tuple[Seat, ...]
    episodes: list[Episode] = field(default_factory=list)


def direct(script: Script, setting: TableSetting, seed: int, manners: TableManners | None = None) -> FilmTake:
    """The film of a script."""
    return Director(script.start, setting, seed, manners).film(script.events)


class Director:
    """Has hands do one thing after another at a table; ``take`` holds all that was done, in table time."""

    def __init__(
        self, start: Layout, setting: TableSetting, seed: int, manners: TableManners | None = None
    ) -> None:
        self.seed, self.manners = seed, manners or TableManners()
        tiles = [piece for piece in setting.fixed(markers=False) if piece.kind == "tile"]
        self.top = Tabletop(setting, start, tiles)
        self.persons = (Person.drawn(seed * 2 + 1), Person.drawn(seed * 2 + 2))
        left = [person.left for person in self.persons]
        self.seats = seats(setting.plan.size_mm, (left[0], left[1]))
        self.reel = Reel(dict(self.top.world))
        self.take = FilmTake(self.reel, self.persons, self.seats)
        self.now = 0.0

    def film(self, events: Sequence[Scripted]) -> FilmTake:
        """Everything that a script holds, with the pauses and the needless visits between."""
        self._pause(1.5)
        for number, event in enumerate(events):
            rng = stream(self.seed, "gestures", str(number))
            self._event(event, rng)
            self._pause(self.manners.pause_s * float(rng.uniform(0.8, 1.5)))
            idle = stream(self.seed, "idle", str(number))
            if idle.random() < self.manners.idle:
                self.idle(event.player, idle)
                self._pause(self.manners.pause_s * float(idle.uniform(0.8, 1.2)))
        self._pause(1.0)
        self.reel.end = max(self.reel.end, self.now)
        return self.take

    def _pause(self, seconds: float) -> None:
        self.now += seconds

    # --- events ------------------------------------------------------------------------------------

    def _event(self, event: Scripted, rng: Rng) -> None:
        start = self.now
        if not event.visible and not event.text.startswith("see roll"):
            # Said, not shown: nothing moves, but it takes its moment.
            self.now += 0.3
            self.take.episodes.append(Episode(event.kind, start, self.now, event.player, event))
            return
        nudged, names = self.perform(event, rng)
        end = self.now
        back = None
        if not event.stands:
            self._pause(float(rng.uniform(1.6, 2.6)))
            begin = self.now
            self.perform(replace(event, before=event.after, after=event.before), rng)
            back = (begin, self.now)
        self.take.episodes.append(
            Episode(event.kind, start, end, event.player, event, back, nudged, tuple(names.items()))
        )

    def perform(self, event: Scripted, rng: Rng) -> tuple[tuple[str, ...], dict[str, str]]:
        """One visit of a hand that brings about what an event changes."""
        thrown = [spot.name for spot in event.after.spots if spot.kind == "die"] if _is_roll(event) else []
        if _is_roll(event):
            thrown = [name for name in thrown if _was_thrown(event, name)]
        board = {name: piece for name, piece in self.top.world.items() if name.startswith("board tile")}
        changes, names = self.top.change(event.after, thrown)
        passage = Passage(self.seats[event.player - 1], self.now, rng, self.manners.pace)
        if rng.random() < self.manners.together:
            self._join(event.player, rng)
        _Doing(passage, event, board).do(changes, thrown)
        nudged = self._nudge(passage, changes, rng)
        if (
            passage.keys[-1].y * np.sign(self.seats[event.player - 1].away[1])
            < abs(self.seats[event.player - 1].away[1]) - 1
        ):
            passage.leave()
        for name, piece in passage.after.items():
            if name.startswith("board tile") and piece is not None:
                self.top.world[name] = piece
        self.reel.add(passage)
        self.now = max(passage.now, max((keys[-1].t for keys in passage.pieces.values()), default=0.0)) + 0.02
        if names:
            self.reel.renames.append((self.now, names))
        return nudged, names

    def _nudge(self, passage: Passage, changes: Sequence[Shifted], rng: Rng) -> tuple[str, ...]:
        """Now and then a neighbour of the last piece that was put down is knocked a little aside."""
        placed = [change.new for change in changes if change.new is not None and change.moved_mm > 1]
        if not placed or rng.random() >= self.manners.nudge:
            return ()
        last = placed[-1]
        touched = {c.old.name for c in changes if c.old} | {c.new.name for c in changes if c.new}
        near = [
            piece for piece in self.top.world.values()
            if piece.name not in touched and piece.kind in ("domino", "coin", "die", "pawn", "soldier")
            and np.hypot(piece.x_mm - last.x_mm, piece.y_mm - last.y_mm) < 48
        ]  # fmt: skip
        if not near:
            return ()
        piece = near[int(rng.integers(len(near)))]
        away = np.array([piece.x_mm - last.x_mm, piece.y_mm - last.y_mm])
        away = away / max(float(np.linalg.norm(away)), 1e-6) * float(rng.uniform(0.6, 2.4))
        moved = replace(
            piece, x_mm=piece.x_mm + float(away[0]), y_mm=piece.y_mm + float(away[1]),
            angle_deg=piece.angle_deg + float(rng.normal(0, 2.0)),
        )  # fmt: skip
        passage.nudge(piece.name, piece, moved)
        self.top.settle(piece.name, moved)
        return (piece.name,)

    # --- needless visits ---------------------------------------------------------------------------

    def idle(self, player: int, rng: Rng) -> None:
        """A hand comes and changes nothing: it points, rests, touches a piece, or hovers."""
        kinds = ("point", "rest", "touch", "hover")
        kind = kinds[int(rng.choice(4, p=[0.35, 0.25, 0.25, 0.15]))]
        who = player if rng.random() < 0.6 else 3 - player
        start = self.now
        passage = self._visit(kind, who, self.now, rng)
        self.reel.add(passage)
        self.now = passage.now + 0.02
        self.take.episodes.append(Episode(kind, start, self.now, who))

    def _join(self, player: int, rng: Rng) -> None:
        """The other player reaches in at the same time, touching nothing."""
        who = 3 - player
        start = self.now + float(rng.uniform(0, 0.8))
        passage = self._visit("point" if rng.random() < 0.5 else "hover", who, start, rng)
        self.reel.add(passage)
        self.take.episodes.append(Episode("hover", start, passage.now, who))

    def _visit(self, kind: str, who: int, start: float, rng: Rng) -> Passage:
        seat = self.seats[who - 1]
        passage = Passage(seat, start, rng, self.manners.pace)
        loose = [p for p in self.top.world.values() if p.kind in ("domino", "coin", "pawn", "soldier")]
        chosen = loose[int(rng.integers(len(loose)))] if loose else None
        x, y = (chosen.x_mm, chosen.y_mm) if chosen else (0.0, 0.0)
        sign = 1.0 if seat.away[1] > 0 else -1.0
        if kind == "point":
            passage.point(x, y, 12)
        elif kind == "touch" and chosen is not None:
            passage.grasp(chosen.name, chosen)
            lifted = replace(chosen, z_mm=chosen.z_mm + 12)
            passage.with_piece(chosen.name, lifted, over=0, pose="pinch", seconds=0.25)
            passage.rest(float(rng.uniform(0.2, 0.8)))
            passage.with_piece(chosen.name, chosen, over=0, pose="pinch", seconds=0.25)
            passage.after[chosen.name] = chosen
            passage.let_go()
        elif kind == "rest":
            passage.go(float(rng.uniform(-110, 110)), sign * float(rng.uniform(40, 120)), 14, "flat")
            passage.rest(float(rng.uniform(1.2, 3.0)))
        else:
            passage.go(0.6 * x, 0.6 * y, 70, "open")
            passage.rest(float(rng.uniform(0.3, 1.0)))
        passage.leave()
        return passage


def _is_roll(event: Scripted) -> bool:
    return event.text.startswith("see roll")


def _was_thrown(event: Scripted, name: str) -> bool:
    before = event.before.by_name().get(name)
    words = event.text.split()
    if before is None or before.region in ("dice", "chosen-dice"):
        return True
    return any(word.startswith(name.split()[-1] + "=") for word in words)


@dataclass
class _Doing:
    """The gestures for the changes of one event."""

    passage: Passage
    event: Scripted
    board: Mapping[str, Piece]

    def do(self, changes: Sequence[Shifted], thrown: Sequence[str]) -> None:
        """All of it, in an order in which a player would do it."""
        dice = [c for c in changes if c.kind == "die" and c.new is not None and c.new.name in thrown]
        sheets = [c for c in changes if c.kind == "sheet"]
        rest = [c for c in changes if c not in dice and c not in sheets]
        for change in sheets:
            self._write(change)
        line = re.search(r"shift (row|column) (\d) (\w+)", self.event.text)
        if line:
            self._shift(rest, (line[1], int(line[2]), line[3]))
        elif len(rest) >= _MANY:
            self._sweep(rest)
        else:
            self._one_by_one(rest)
        if dice:
            self._roll(dice)

    def _one_by_one(self, changes: Sequence[Shifted]) -> None:
        small = [
            c
            for c in changes
            if c.kind == "die" and c.old is not None and c.new is not None and not c.flipped
        ]
        if len(small) > 1 and _close([c.old for c in small]) and _close([c.new for c in small]):
            self.passage.scoop([(c.old.name, c.old, c.new) for c in small if c.old and c.new])
            changes = [c for c in changes if c not in small]
        for change in sorted(changes, key=lambda c: (c.new is not None, c.old is None)):
            self._move(change)

    def _move(self, change: Shifted) -> None:
        p = self.passage
        old, new = change.old, change.new
        if old is None:
            assert new is not None
            p.bring(new)
        elif new is None:
            p.remove(old.name, old)
        elif change.flipped and change.moved_mm < 6:
            p.turn_over(old.name, old, new)
        elif self._slides(change):
            p.slide(old.name, old, new)
        else:
            p.carry(old.name, old, new)

    def _slides(self, change: Shifted) -> bool:
        """Whether a piece is pushed rather than carried."""
        old, new = change.old, change.new
        if old is None or new is None or change.flipped or abs(old.z_mm - new.z_mm) > 0.1:
            return False
        return (
            old.kind in ("domino", "coin")
            and change.moved_mm < 140
            and bool(self.passage.rng.random() < 0.55)
        )

    def _sweep(self, changes: Sequence[Shifted]) -> None:
        """Many pieces at once: hands go over the table, and things are elsewhere."""
        p = self.passage
        for k, change in enumerate(changes):
            piece = change.new or change.old
            assert piece is not None
            if k % 3 == 0:
                p.go(piece.x_mm, piece.y_mm, 22, "flat", 0.3)
            begin = p.now
            if change.old is None:
                assert change.new is not None
                p.mark(change.new.name, replace(change.new, x_mm=p.seat.away[0], y_mm=p.seat.away[1]))
            else:
                p.mark(change.old.name, change.old)
            name = (change.old or piece).name
            p.pieces[name].append(
                type(p.pieces[name][-1])(
                    begin + 0.6, change.new or replace(piece, x_mm=p.seat.away[0], y_mm=p.seat.away[1])
                )
            )
            p.after[name] = change.new
        p.rest(0.3)

    def _roll(self, dice: Sequence[Shifted]) -> None:
        moves = [(c.old.name, c.old, c.new) for c in dice if c.old is not None and c.new is not None]
        fresh = [c.new for c in dice if c.old is None and c.new is not None]
        if moves:
            self.passage.roll(moves, {name: _faces(old) for name, old, _ in moves})
        for piece in fresh:
            self.passage.bring(piece)

    def _write(self, change: Shifted) -> None:
        if change.old is None or change.new is None:
            return
        self.passage.write(
            change.old.name, change.old, change.new, _written(change.old, change.new, self.passage.rng)
        )

    def _shift(self, changes: Sequence[Shifted], line: tuple[str, int, str]) -> None:
        """A row or column of tiles is pushed by one tile; what falls off is carried to the other end."""
        kind, number, way = line
        dx, dy = {"right": (1, 0), "left": (-1, 0), "up": (0, 1), "down": (0, -1)}[way]
        moves = [(c.old.name, c.old, c.new) for c in changes if c.old is not None and c.new is not None]
        moves += self._shifted_tiles(kind, number, (dx, dy))
        pushed = [m for m in moves if (m[2].x_mm - m[1].x_mm) * dx + (m[2].y_mm - m[1].y_mm) * dy > 0]
        wrapped = [m for m in moves if m not in pushed]
        p = self.passage
        off = [m for m in wrapped if m[1].kind == "tile"]
        lifted = off[0][1] if off else None
        if lifted is not None:
            # The tile at the end goes first, with all that lies on it, and waits beside the board.
            self._together(
                wrapped, (lifted.x_mm + 58 * dx, lifted.y_mm + 58 * dy), (lifted.x_mm, lifted.y_mm)
            )
        if pushed:
            cx = sum(m[1].x_mm for m in pushed) / len(pushed) - 70 * dx
            cy = sum(m[1].y_mm for m in pushed) / len(pushed) - 70 * dy
            p.go(cx, cy, 40, "press")
            p.go(cx, cy, 10, "press", 0.2)
            for name, old, _ in pushed:
                p.mark(name, old)
            p.go(cx + 50.8 * dx, cy + 50.8 * dy, 10, "press", 0.9)
            for name, _, new in pushed:
                p.mark(name, new)
                p.after[name] = new
        if lifted is not None:
            there = off[0][2]
            held = p.pieces[off[0][0]][-1].piece
            self._together(wrapped, (there.x_mm, there.y_mm), (held.x_mm, held.y_mm))
        for name, _, new in wrapped:
            p.mark(name, new)
            p.after[name] = new

    def _together(
        self, moves: Sequence[tuple[str, Piece, Piece]], to: tuple[float, float], at: tuple[float, float]
    ) -> None:
        """Lifts a tile with everything on it from one place to another."""
        p = self.passage
        p.go(at[0], at[1], 40, "ready")
        p.go(at[0], at[1], 16, "pinch", 0.2)
        by = (to[0] - at[0], to[1] - at[1])
        now = {name: p.pieces[name][-1].piece if name in p.pieces else old for name, old, _ in moves}
        for name, piece in now.items():
            p.mark(name, piece)
        for x, y, lift, seconds in ((0.0, 0.0, 30.0, 0.25), (*by, 30.0, None), (*by, 0.0, 0.25)):
            p.go(at[0] + x, at[1] + y, 16 + lift, "pinch", seconds)
            for name, piece in now.items():
                p.mark(name, replace(piece, x_mm=piece.x_mm + x, y_mm=piece.y_mm + y, z_mm=piece.z_mm + lift))
        p.let_go()

    def _shifted_tiles(self, kind: str, number: int, step: tuple[int, int]) -> list[tuple[str, Piece, Piece]]:
        """The board's own tiles of a row or column, and where they go."""
        middle = -101.6 + 50.8 * (number - 0.5)
        mine = [
            tile for tile in self.board.values()
            if abs((tile.y_mm if kind == "row" else tile.x_mm) - middle) < 20
        ]  # fmt: skip
        found = []
        for tile in mine:
            x, y = tile.x_mm + 50.8 * step[0], tile.y_mm + 50.8 * step[1]
            x -= 203.2 * round(x / 203.2) if abs(x) > 101.6 else 0
            y -= 203.2 * round(y / 203.2) if abs(y) > 101.6 else 0
            found.append((tile.name, tile, replace(tile, x_mm=x, y_mm=y)))
        return found


def _close(pieces: Sequence[Piece | None]) -> bool:
    """Whether small things lie near enough together for one hand."""
    at = np.array([(p.x_mm, p.y_mm) for p in pieces if p is not None])
    return bool(np.hypot(*(at - at.mean(axis=0)).T).max() < 45)


def _faces(die: Piece) -> Sequence[Mapping[str, object]]:
    value = dict(die.value or {})
    if value.get("set") == "piecepack":
        return [{**value, "face": rank} for rank in RANKS]
    return [{"set": "kingdomino-duel", "suit": None, "face": coat, "crosses": 0} for coat in COATS]


def _written(old: Piece, new: Piece, rng: Rng) -> list[tuple[float, float]]:
    """Where on a sheet something was written: the squares that differ, or anywhere where none do."""
    spots = []
    before, after = (dict(piece.value or {}).get("map") for piece in (old, new))
    reach = place(old).body.shape
    wide, high = (getattr(reach, side, 100.0) for side in ("x_mm", "y_mm"))
    cell = min(wide / 7.8, high / 5.8)
    if isinstance(before, list) and isinstance(after, list):
        for r, (one, other) in enumerate(zip(before, after, strict=False)):
            for c, (a, b) in enumerate(zip(one, other, strict=False)):
                if a != b:
                    spots.append(((c - 3) * cell, (2 - r) * cell))
    if not spots:
        spots = [(float(rng.uniform(-0.3, 0.3)) * wide, float(rng.uniform(-0.3, 0.3)) * high)]
    angle = np.radians(old.angle_deg)
    return [
        (
            float(old.x_mm + np.cos(angle) * x - np.sin(angle) * y),
            float(old.y_mm + np.sin(angle) * x + np.cos(angle) * y),
        )
        for x, y in spots[:3]
    ]
