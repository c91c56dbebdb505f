"""`pipwatch demo [GAME]`: people play a whole game on the virtual table, refereed from its pixels alone.

With ``--text`` there is no table and no picture: all games are told at the terminal, as fast as one likes.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random

from device.cli.letter_picture import LATTICE, picture
from device.cli.rule_book import book_for
from device.cli.start_input import speed_of
from device.cli.terminal_words import ending, score_line, score_pad, step_lines
from engine import GAMES, AnyRuleBook, Move, State
from engine.history import History
from simulation.makes import ORDINARY
from simulation.whole_game import SHORTER

SHOWN = "draw-game"
"""The game of a demo that names none."""
LOOK = ORDINARY
"""A demo shows pieces as most people own them; the figures for any make are in docs/accuracy-games.md."""
ILLEGAL_SHARE = 0.06
"""How often a player tries something that is not allowed: spectators come for that too."""
PAUSE_S = 0.25
STEPS_BETWEEN_PICTURES = 14
DULL = {"agree", "draw", "redeal", "pass", "end"}
"""Moves that stop something; players of a demo do so only when nothing else is left."""
CONSIDERED = 16
"""Moves that a player of a demo thinks about."""
LONGEST = 400
"""Moves after which a game that does not end is left: Dominoids between random players can take thousands."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "referee people who play a whole game at the virtual table, from pixels alone"
    p = commands.add_parser("demo", help=words, description=words.capitalize() + ".")
    games = f"one of {', '.join(GAMES)} ({SHOWN}; with --text, all)"
    p.add_argument("game", metavar="GAME", nargs="?", help=games)
    p.add_argument("--seed", type=int, help="the same seed plays the same game")
    p.add_argument("--speed", type=float, default=1.0, metavar="X", help="times as fast; 0 never waits")
    p.add_argument("--text", action="store_true", help="no table and no picture: told at the terminal")
    p.add_argument("--port", type=int, default=8000, help="of the dashboard (8000)")
    p.add_argument("--confirm", choices=("auto", "button"), help="whether a move counts by itself")
    p.add_argument("--headless", action="store_true", help="no dashboard")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play and tell."""
    speed_of(arguments.speed)
    games = [arguments.game] if arguments.game else GAMES if arguments.text else [SHOWN]
    for game in games:
        book_for(game, "default")
    seed = arguments.seed if arguments.seed is not None else Random().randrange(10_000)
    return (
        _at_the_terminal(arguments, games, seed)
        if arguments.text
        else _on_the_table(arguments, games[0], seed)
    )


def _on_the_table(arguments: argparse.Namespace, game: str, seed: int) -> int:
    """The same as a match at a real table, but for the camera."""
    from device.cli import parser

    words = ["run", "--source", "virtual", "--game", game, "--seed", str(seed), "--new"]
    words += ["--speed", str(arguments.speed), "--look", LOOK, "--port", str(arguments.port)]
    words += ["--profile", SHORTER.get(game, "default")]
    words += ["--confirm", arguments.confirm] if arguments.confirm else []
    asked = parser().parse_args(words + ["--headless"] * arguments.headless)
    status: int = asked.run(asked)
    print(f"\nThe same again: pipwatch demo {game} --seed {seed}")
    return status


def _at_the_terminal(arguments: argparse.Namespace, games: Sequence[str], seed: int) -> int:
    """Told move by move, with no pixels at all."""
    waits = arguments.speed > 0 and sys.stdout.isatty()
    for game in games:
        for line, is_step in told(game, seed):
            print(line, flush=True)
            if waits and is_step:
                time.sleep(PAUSE_S / arguments.speed)
    print(f"\nThe same again: pipwatch demo {arguments.game or ''} --text --seed {seed}".replace("  ", " "))
    return 0


def told(game: str, seed: int) -> Iterator[tuple[str, bool]]:
    """The lines of one game; True marks those after which a spectator needs a breath."""
    rng = Random(f"{game} {seed}")
    history = History.begin(game, seed=seed, players=("Ann", "Bo"))
    title = f" {history.book.title}, seed {seed} "
    yield f"\n{title:═^100}", False
    yield from ((line, False) for line in picture(history.book.layout(history.state), LATTICE.get(game, 0)))
    shown = (0, 0)
    for number in range(1, LONGEST + 1):
        if history.outcome is not None:
            break
        history = _next(history, rng)
        step = history.steps[-1]
        lines = list(step_lines(step))
        yield from ((line, line is lines[-1]) for line in lines)
        if step.scores.totals != shown:
            shown = step.scores.totals
            yield f"     score: {score_line(step.scores, history.header.players)}", False
        if number % STEPS_BETWEEN_PICTURES == 0:
            yield from (
                (f"  {line}", False)
                for line in picture(history.book.layout(history.state), LATTICE.get(game, 0))
            )
    yield from ((line, False) for line in picture(history.book.layout(history.state), LATTICE.get(game, 0)))
    yield from ((line, False) for line in score_pad(history.scores, history.header.players))
    over = history.outcome is not None
    yield (ending(history) if over else f"Left after {LONGEST} steps; {ending(history)}"), True


def _next(history: History, rng: Random) -> History:
    """One more fact or move; now and then a move that was legal for somebody at another time."""
    book, state = history.book, history.state
    if book.pending(state):
        return history.fact(book.format_fact(book.sample(state, rng)))
    if rng.random() < ILLEGAL_SHARE and (wrong := _wrong(history, rng)):
        return history.move(wrong)
    return history.move(book.format(_liked(book, state, rng)))


def _wrong(history: History, rng: Random) -> str | None:
    """A move that some earlier moment allowed and this one does not."""
    book = history.book
    for step in rng.sample(history.steps, min(5, len(history.steps))):
        moves = book.legal_moves(step.state)
        for move in rng.sample(moves, min(8, len(moves))):
            if not book.judge(history.state, move).allowed:
                return book.format(move)
    return None


def _liked(book: AnyRuleBook, state: State, rng: Random) -> Move:
    """A move that scores soon if there is one among a handful, else any; stopping early is not liked."""
    legal = book.legal_moves(state)
    moves = rng.sample(legal, min(CONSIDERED, len(legal)))
    lively = [move for move in moves if book.format(move).split(": ")[-1] not in DULL] or moves
    return max(lively, key=lambda move: _gain(book, state, move, rng))


def _gain(book: AnyRuleBook, state: State, move: Move, rng: Random, depth: int = 2) -> float:
    """Points that the mover makes by this move, or by the step that must follow it."""
    player = (move.player or 1) - 1
    after = book.apply(state, move)
    for _ in range(4):
        if book.pending(after) is None:
            break
        after = book.observe(after, book.sample(after, rng))
    now, then = book.scores(state).totals, book.scores(after).totals
    gain = float(then[player] - now[player]) - 0.5 * (then[1 - player] - now[1 - player])
    if depth > 1 and gain == 0 and book.movers(after) == (player + 1,):
        gain += max((_gain(book, after, m, rng, depth - 1) for m in book.legal_moves(after)[:6]), default=0.0)
    return gain
