"""How fast the rule book of Kingdomino Duel is: placement listings, and rulings against python-chess."""

import time
from collections.abc import Callable, Sequence
from random import Random

import chess

from engine.kingdomino_duel import DuelBook
from engine.kingdomino_duel.edition import AS_PRINTED, Face
from engine.kingdomino_duel.kingdom import BLANK, SQUARES, Kingdom, Mark
from engine.kingdomino_duel.model import Draw, DuelState
from engine.kingdomino_duel.placing import PLAIN_MANNER, drawings
from engine.profile import Profile

Case = tuple[Kingdom, tuple[Face, Face]]
SEED = 5
ROUNDS = 7
WANTED = 20_000
"""Placement listings a second that a referee needs."""


Row = dict[str, str | float]


def measure() -> list[Row]:
    """Rows for the table: placements listed, and refusals explained against chess moves parsed."""
    rows: list[Row] = []
    for name, turns in (("an empty", 0), ("a middle", 7), ("a late", 13)):
        cases = _maps(turns)
        taken = _fastest(lambda cases=cases: [list(drawings(1, *case, PLAIN_MANNER)) for case in cases])
        rows.append(
            _row(f"Duel: placements on {name} map, listed", len(cases) / taken, WANTED, "the wanted rate", 1)
            | {"n": len(cases)}
        )
    positions, sans = _chess_middle_games()
    book, states = DuelBook(Profile()), _middle_games()
    refused = [(state, _misplaced(state, Random(SEED))) for state in states]
    parse, check = _fastest_of_two(
        lambda: [board.parse_san(san) for board, san in zip(positions, sans, strict=True)],
        lambda: [book.check(state, move) for state, move in refused],
    )
    ours, reference = len(refused) / check, len(positions) / parse
    rows.append(
        _row("Duel: refusals explained in full", ours, reference, "python-chess parse_san", 1 / 20)
        | {"n": len(refused)}
    )
    return rows


def _row(name: str, ours: float, reference: float, against: str, floor: float) -> Row:
    return {
        "name": name,
        "ours": ours,
        "reference": reference,
        "against": against,
        "ratio": ours / reference,
        "floor": floor,
    }


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _fastest(work: Callable[[], object]) -> float:
    return min(_seconds(work) for _ in range(ROUNDS))


def _fastest_of_two(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Both by turns, so that whatever else the machine does strikes them alike."""
    times = [(_seconds(one), _seconds(other)) for _ in range(ROUNDS)]
    return min(first for first, _ in times), min(second for _, second in times)


def _dice(rng: Random) -> tuple[Face, Face]:
    first, second = (rng.choice(die) for die in rng.sample(AS_PRINTED.dice, 2))
    return first, second


def _maps(turns: int) -> list[Case]:
    """Different maps after so many turns of random drawing, each with the next domino."""
    rng = Random(SEED)
    cases: list[Case] = []
    for _ in range(1000):
        kingdom = BLANK
        for _ in range(turns):
            ways = list(drawings(1, kingdom, _dice(rng), PLAIN_MANNER))
            for mark in rng.choice(ways).marks if ways else ():
                kingdom = kingdom.add(mark)
        cases.append((kingdom, _dice(rng)))
    return cases


def _middle_games() -> list[DuelState]:
    """States of random games, before a drawing, with 8 to 24 squares drawn on the mover's map."""
    rng, book = Random(SEED), DuelBook(Profile())
    states: list[DuelState] = []
    while len(states) < 500:
        state = book.start(rng=rng)
        while not book.outcome(state):
            if book.pending(state):
                state = book.observe(state, book.sample(state, rng))
                continue
            if state.stage == "draw":
                drawn = 34 - state.side(book.movers(state)[0]).kingdom.empty.bit_count()
                states += [state] * (8 <= drawn <= 24)
            state = book.apply(state, rng.choice(book.legal_moves(state)))
    return states[:500]


def _misplaced(state: DuelState, rng: Random) -> Draw:
    """The domino of a mover on two squares where it cannot be drawn."""
    book = DuelBook(Profile())
    player = book.movers(state)[0]
    symbols = [die.symbol for die in state.domino(player)]
    while True:
        first, second = rng.sample(SQUARES, 2)
        marks = tuple(
            Mark(square, symbol.coat % 6, symbol.crosses)
            for square, symbol in zip((first, second), symbols, strict=True)
        )
        if not book.judge(state, Draw(player, marks)).allowed:
            return Draw(player, marks)


def _chess_middle_games() -> tuple[Sequence[chess.Board], Sequence[str]]:
    rng = Random(SEED)
    boards: list[chess.Board] = []
    sans: list[str] = []
    while len(boards) < 500:
        board = chess.Board()
        for _ in range(rng.randint(20, 50)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        moves = list(board.legal_moves)
        if moves:
            boards.append(board.copy(stack=False))
            sans.append(board.san(rng.choice(moves)))
    return boards, sans


if __name__ == "__main__":
    for row in measure():
        print(row)
