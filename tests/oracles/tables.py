"""Write the perft tables of the second generators: `python -m tests.oracles.tables [GAME...]`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

# game: (its module in this folder, the count at n = 3 up to which n = 4 is counted too)
GAMES = {
    "kingdomino-duel": ("kingdomino_duel", 700),
    "draw-game": ("draw_game", 50_000),
    "dominoids": ("dominoids", 1_000),
    "dominoes-of-war": ("dominoes_of_war", 1_000),
}
FOLDER = Path(__file__).parent.parent / "perft"


def table(game: str) -> str:
    """The table of one game as text: position name, n, count."""
    module, worth_a_fourth = GAMES[game]
    oracle = importlib.import_module(f"tests.oracles.{module}")
    lines = [
        f"# {game}: the number of different continuations of exactly n steps",
        f"# made by: .venv/bin/python -m tests.oracles.tables {game}",
        f"# {'position':<56}  n      count",
    ]
    shallow: dict[str, int] = getattr(oracle, "SHALLOW", {})  # positions with too many continuations
    for name, position in oracle.positions().items():
        print(f"{game}: {name}", file=sys.stderr)
        for n in range(1, shallow.get(name, 4) + 1):
            number = oracle.perft(position, n)
            lines.append(f"{name:<58}  {n}  {number:>9}")
            if n == 3 and number > worth_a_fourth:
                break
    return "\n".join(lines) + "\n"


def read_table(game: str) -> dict[str, dict[int, int]]:
    """The committed table of one game: position name to n to count."""
    found: dict[str, dict[int, int]] = {}
    for line in (FOLDER / f"{game}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, n, number = line.rsplit(None, 2)
            found.setdefault(name, {})[int(n)] = int(number)
    return found


def main(games: list[str]) -> int:
    """Write the tables of these games, of all if none is named."""
    for game in games or list(GAMES):
        if game not in GAMES:
            print(f"No second generator is called '{game}'; there are: {', '.join(GAMES)}.", file=sys.stderr)
            return 2
        (FOLDER / f"{game}.txt").write_text(table(game), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
