"""Tables about which people are asked: a position of a game, two moves, and the picture after the first."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

import numpy as np

from calibration.mats import loose_markers
from calibration.table_finder import Table
from device.answer_places import KnownMat, SeenTable
from device.journal.ruling_pictures import Outline
from device.live.ports import Picture
from device.match.acts import taken_up
from device.match.acts.steps import ask
from device.match.match import Course, Match, Option
from device.match.phase import Phase
from engine.history import History
from engine.layout import Spot
from engine.scene import Guess, Scene, Sighting
from simulation.picture import shoot
from simulation.random_light import random_light, random_surface
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece, Sensor, stream
from simulation.virtual_scene import VirtualScene as Drawn

SIZE = (1280, 960)
STEPS = {"draw-game": 14, "dominoids": 24, "dominoes-of-war": 60, "kingdomino-duel": 30}
"""After so many steps of each game its table is worth a look."""


@dataclass(frozen=True)
class AskedTable:
    """What was, what may have become of it, and the table of the first of these as it is seen."""

    before: History
    answers: tuple[History, ...]
    seen: SeenTable
    setting: TableSetting

    def match(self) -> Match:
        """The match in which people are asked which it was, or whether nothing was done."""
        course = Course(replace(taken_up(Match(), self.before), phase=Phase.SETTLING, shown=self.seen), 0.0)
        options = [Option(one.steps[-1].happened.text, one) for one in self.answers]
        ask(course, "Which was it?", [*options, Option("nothing", self.before)], ())
        return course.match

    def pixel(self, spot: Spot) -> tuple[float, float]:
        """Where a piece of the first answer lies in the picture."""
        x, y, _ = self.setting.where(spot)
        across, down = self.seen.mat.table.camera.to_pixels([(x, y)])[0]
        return float(across), float(down)


def told(history: History, rng: Random, steps: int) -> History:
    """The game after so many more steps, whatever they are."""
    for _ in range(steps):
        book, state = history.book, history.state
        if book.pending(state) is not None:
            history = history.fact(book.format_fact(book.sample(state, rng)))
        else:
            moves = list(book.legal_moves(state))
            if not moves:
                return history
            history = history.move(book.format(moves[rng.randrange(len(moves))]))
    return history


def asked_table(game: str, steps: int, seed: int = 4, *, drawn: bool = False) -> AskedTable:
    """A random game from the first position on in which two moves or more put something on a board."""
    rng, answers = Random(seed), tuple[History, ...]()
    while len(answers) < 2:
        history = told(History.begin(game, seed=rng.randrange(1000), players=("Ann", "Bo")), rng, steps)
        while len(answers := _answers(history)) < 2 and history.outcome is None:
            history = told(history, rng, 1)
    setting, after = TableSetting(game, seed), answers[0]
    pieces = setting.pieces(after.book.layout(after.state))
    return AskedTable(history, answers, _seen(setting, after, pieces, drawn=drawn), setting)


def _answers(history: History) -> tuple[History, ...]:
    book, state = history.book, history.state
    if book.pending(state) is not None or book.outcome(state) is not None:
        return ()
    lies = book.layout(state).by_name()
    found: dict[object, History] = {}
    for move in book.legal_moves(state):
        after = history.move(book.format(move))
        now = book.layout(after.state).by_name().values()
        board = [
            one for one in now if lies.get(one.name) != one and (one.x is not None or one.kind == "sheet")
        ]
        if board:
            found.setdefault(tuple((one.x, one.y, str(one.value)) for one in board), after)
    each = list(found.values())
    return tuple(each[:: max(1, len(each) // 3)])[:3]


def _seen(setting: TableSetting, after: History, pieces: tuple[Piece, ...], *, drawn: bool) -> SeenTable:
    camera = setting.camera(SIZE)
    table = Table(camera, tuple(loose_markers(setting.plan.size_mm)), 0.2)
    sightings, marks = [], []
    by_name = {piece.name: piece for piece in pieces}
    for spot in after.book.layout(after.state).spots:
        piece = by_name.get(spot.name)
        if piece is None:
            continue
        sightings.append(_sighting(setting, spot, piece, len(marks)))
        marks.append(Outline(_outline(table, spot, piece), spot.name))
    picture = _drawn(setting, pieces) if drawn else np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    return SeenTable(picture, KnownMat(table, setting.plan), Scene(tuple(sightings)), tuple(marks))


def _sighting(setting: TableSetting, spot: Spot, piece: Piece, number: int) -> Sighting:
    region = setting.plan.regions[spot.region]
    x, y = region.place_at(piece.x_mm, piece.y_mm) if region.unit_mm else (piece.x_mm, piece.y_mm)
    guesses = () if spot.value is None else (Guess(spot.value, 0.99),)
    return Sighting(
        spot.kind, spot.region, x, y, piece.angle_deg, spot.face, guesses, owner=spot.owner, ref=str(number)
    )


def _outline(table: Table, spot: Spot, piece: Piece) -> tuple[tuple[float, float], ...]:
    """Four corners, of a map as it lies: its upper left first, clockwise."""
    wide, high = (73.5, 52.5) if spot.name.startswith("map") else (8.0, 8.0)
    turn = np.radians(piece.angle_deg)
    around = [(-wide, high), (wide, high), (wide, -high), (-wide, -high)]
    c, s = np.cos(turn), np.sin(turn)
    corners = [(piece.x_mm + u * c - v * s, piece.y_mm + u * s + v * c) for u, v in around]
    return tuple((float(x), float(y)) for x, y in table.camera.to_pixels(corners))


def _drawn(setting: TableSetting, pieces: tuple[Piece, ...]) -> Picture:
    lamps, around = random_light(stream(2, "light"))
    surface, there = random_surface(stream(2, "surface")), (*setting.fixed(), *pieces)
    scene = Drawn(there, surface, lamps, setting.camera(SIZE), around, Sensor(), 2)
    return shoot(scene).picture


@cache
def drawn_table(game: str) -> AskedTable:
    """The table of a game as a camera sees it; drawn once for all tests."""
    return asked_table(game, STEPS[game], drawn=True)
