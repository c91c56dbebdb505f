"""How many tables are taken up as they are set up: `python -m training.measure_setups --game draw-game`.

Each seed is a table of ``training.measure_games``, before anybody has touched it: any cloth or bare table,
any make of pieces. The eye looks for six seconds of its time. What it lacks is told, a line a table.
"""

import argparse
import json
from collections.abc import Sequence

import cv2

from device.cameras.virtual import virtual_table
from device.live.messages import Position
from device.live.ports import Shot
from device.live.starting import Agreed
from device.live.wiring import eye_for
from device.match.signals import Kind, SetUp, Told
from engine import GAMES
from training.game_playing import Sitting
from training.measure_films import row

_LOOKS_S = 6.0
"""So long the eye looks at a table: people wait for eight."""


def refusal(sitting: Sitting) -> str:
    """Why a table is not taken up, in the referee's words; empty where it is."""
    table = virtual_table(sitting.game, sitting.rules, sitting.seats()).table
    eye, told = eye_for(Agreed(sitting.game, sitting.rules), joins=True), "nothing was told"
    while table.now < _LOOKS_S:
        seen = table.next()
        for signal in (
            () if seen is None else eye.see(Shot(seen.index, table.now, seen.picture), Position(None))
        ):
            if isinstance(signal, SetUp):
                return ""
            if isinstance(signal, Told) and signal.kind is Kind.LACKING:
                told = " ".join(signal.words.split())
    return told


def main(argv: Sequence[str] | None = None) -> int:
    """Look at so many tables, and tell."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=GAMES, default="draw-game")
    parser.add_argument("--n", type=int, default=60, help="how many tables (60)")
    parser.add_argument("--seed", type=int, default=401, help="of the first (401)")
    parser.add_argument("--conditions", choices=("plain", "hard", "demo"), default="plain")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(1)
    taken = 0
    for seed in range(arguments.seed, arguments.seed + arguments.n):
        why = refusal(Sitting(arguments.game, seed, arguments.conditions))
        taken += not why
        if why:
            print(f"{arguments.game} {seed}: {why}", flush=True)
    print(json.dumps({"game": arguments.game, "taken_up": row(taken, arguments.n)}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
