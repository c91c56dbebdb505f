"""Random well-formed moves of the Draw Game, and legal moves with one thing changed."""

from dataclasses import replace
from random import Random

from engine.draw_game.model import TILES, Arm, Beside, Call, Down, Draw, DrawMove, Pass, Play, Redeal


def any_move(rng: Random) -> DrawMove:
    """A well-formed move that knows nothing of the game."""
    tile, player = rng.choice(TILES), rng.choice((1, 2, None))
    half = rng.choice(tile)
    kind = rng.randrange(8)
    if kind < 3:
        return Play(tile, half, rng.choice(tuple(Arm)), player)
    return (
        Beside(tile, half, rng.choice(TILES), player),
        Down(tile, player),
        Draw(player),
        Pass(player),
        rng.choice((Redeal(player), Call(5 * rng.randrange(1, 8), player))),
    )[kind - 3]


def mutated(move: DrawMove, rng: Random) -> DrawMove:
    """``move`` with its player, its tile, its half or its arm changed, or another one altogether."""
    if rng.random() < 0.2:
        return replace(move, player=rng.choice((1, 2, None)))
    if isinstance(move, Play):
        return rng.choice(_neighbours(move, rng))
    if isinstance(move, Down):
        return replace(move, tile=rng.choice(TILES))
    return any_move(rng)


def _neighbours(move: Play, rng: Random) -> list[DrawMove]:
    tile = rng.choice([tile for tile in TILES if move.half in tile])
    return [
        replace(move, half=move.tile.other(move.half)),
        replace(move, arm=rng.choice(tuple(Arm))),
        replace(move, tile=tile),
        Beside(move.tile, move.half, rng.choice(TILES), move.player),
    ]
