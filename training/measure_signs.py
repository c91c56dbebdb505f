"""How far a game's own dice are read better once its record has told what they show.

    python -m training.measure_signs --makes 20 --rolls 20 --seed 101

Each seed is another table of Dominoids: another make of dice, another cloth, light and camera, as whole games
have them. Four dice are thrown again and again. People correct what was misread; what was doubted teaches
nothing; all else is learned as it was read.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.layout import Layout, Spot
from engine.matching.answered import ShownPieces
from engine.scene import Guess, Scene, Sighting
from simulation.film import props_of
from simulation.live_table import LiveTable
from simulation.setting import TableSetting
from simulation.stage import Stage
from simulation.virtual_scene import Piece
from vision.pieces import dice, small
from vision.pieces.finder import Spotted
from vision.pieces.known_signs import KnownSigns, sign_of
from vision.pieces.patches import Picture
from vision.pieces.small import CHOICES, SmallReading, chosen

FACES, SUITS = CHOICES["rank"], CHOICES["suit"]
SURE = 0.9
"""What is read with less is asked about, or wrong."""
GAME = "dominoids"
_BOXES = ("old-dice", "new-dice")
_APART_MM, _ALONG_MM = 25.0, 10.0


@dataclass(frozen=True)
class RollHeard:
    """Dice that were thrown, and how they are read."""

    pieces: Sequence[Piece]
    alone: Sequence[SmallReading]
    by_signs: Sequence[SmallReading]

    def misread(self, seen: Sequence[SmallReading]) -> int:
        """How many show something else."""
        return sum(rank != face for face, (rank, _) in self._ranks(seen))

    def doubted(self, seen: Sequence[SmallReading]) -> int:
        """How many are misread, or read with too little sureness to be told."""
        return sum(rank != face or sure < SURE for face, (rank, sure) in self._ranks(seen))

    def _ranks(self, seen: Sequence[SmallReading]) -> list[tuple[object, tuple[str, float]]]:
        """What each shows, and what is read with how much sureness."""
        faces = [(piece.value or {})["face"] for piece in self.pieces]
        return [(face, chosen(one, "rank")) for face, one in zip(faces, seen, strict=True)]


def rolled(seed: int, rolls: int) -> Iterator[tuple[Picture, list[Piece], list[SmallReading]]]:
    """Pictures of the dice of one table, with what lies there and how the readers see it."""
    stage = Stage(LiveTable(GAME, seed, Layout(())).studio.scene)
    setting = TableSetting(GAME, seed, props_of(seed, "random"))
    rng = np.random.default_rng(seed)
    for _ in range(rolls):
        pieces = [_thrown(setting, k, rng) for k in range(len(SUITS))]
        frame = stage.frame(pieces)
        corners = [np.array(one["corners_px"]) for one in frame.facts() if one["kind"] == "die"]
        sides = [float(np.linalg.norm(one[1] - one[0])) for one in corners]
        spots = [Spotted.at("die", one.mean(axis=0), side) for one, side in zip(corners, sides, strict=True)]
        looks = small.read(frame.picture, spots, quick=True)
        yield frame.picture, pieces, dice.looked_at(frame.picture, looks, range(len(looks)))


def _thrown(setting: TableSetting, k: int, rng: np.random.Generator) -> Piece:
    """A die in one of the boxes, with any face up and turned anyhow."""
    x, y = setting.plan.regions[_BOXES[k % 2]].centre_mm
    x, y = x + _APART_MM * (k // 2 - 0.5), y + float(rng.uniform(-_ALONG_MM, _ALONG_MM))
    value = {"set": "piecepack", "suit": SUITS[k], "face": FACES[int(rng.integers(len(FACES)))]}
    look, turn = setting.props.piecepack, float(rng.uniform(0, 360))
    return Piece(f"die {SUITS[k]}", "die", look, x, y, turn, value=value, wear_seed=k)


def heard(seed: int, rolls: int) -> Iterator[RollHeard]:
    """The rolls at one table, each as it is read alone and by the signs that those before it have told."""
    known = KnownSigns()
    for number, (picture, pieces, alone) in enumerate(rolled(seed, rolls)):
        by_signs = known.heard(picture, alone, range(len(alone)))
        yield RollHeard(pieces, alone, by_signs)
        known = _told(known, number, picture, pieces, by_signs)


def _told(
    known: KnownSigns, number: int, picture: Picture, pieces: Sequence[Piece], seen: Sequence[SmallReading]
) -> KnownSigns:
    """The same once the record has told of a roll that was read so: people correct what was misread."""
    for k, (piece, one) in enumerate(zip(pieces, seen, strict=True)):
        # Each die by itself: which of them is which is another question, and is not measured here.
        entry, face, (rank, sure) = number * len(SUITS) + k, (piece.value or {})["face"], chosen(one, "rank")
        guess = Guess({**(piece.value or {}), "face": rank}, sure)
        sighting = Sighting("die", _BOXES[0], 0.0, 0.0, guesses=(guess,), ref=str(k))
        record = Layout((Spot(piece.name, "die", "up", piece.value, _BOXES[0]),))
        told = frozenset((*(n.entry for n in known.examples if n.told), *([entry] if rank != face else [])))
        # Of what was doubted, and was right, nobody is asked as a rule: it stays in doubt.
        entries = {piece.name: entry} if rank != face or sure >= SURE else {}
        shown = ShownPieces(entries, told, frozenset(range(entry + 1)))
        known = known.agreed(Scene((sighting,)), record, {sighting.ref: sign_of(picture, one.corners)}, shown)
    return known


def main() -> int:
    """Throw, read, and print a line for each make and one for all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--makes", type=int, default=20)
    parser.add_argument("--rolls", type=int, default=20)
    parser.add_argument("--seed", type=int, default=101)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    total = np.zeros(5, dtype=int)
    for seed in range(asked.seed, asked.seed + asked.makes):
        figures = _figures(seed, asked.rolls)
        total += figures
        print(_line({"seed": seed}, figures), flush=True)
    print(_line({"makes": asked.makes}, total))
    return 0


def _figures(seed: int, rolls: int) -> Sequence[int]:
    """Dice; misread alone and by signs; misread or doubted alone and by signs."""
    found = np.zeros(5, dtype=int)
    for roll in heard(seed, rolls):
        each = (roll.alone, roll.by_signs)
        found += (len(roll.pieces), *map(roll.misread, each), *map(roll.doubted, each))
    return found


def _line(of: dict[str, int], figures: Sequence[int]) -> str:
    names = ("dice", "misread", "misread_by_signs", "doubted", "doubted_by_signs")
    return json.dumps(of | dict(zip(names, map(int, figures), strict=True)))


if __name__ == "__main__":
    raise SystemExit(main())
