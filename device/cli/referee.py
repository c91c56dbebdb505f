"""`pipwatch referee GAME`: judges moves that are typed or piped; the way to play on when a camera is dead."""

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path

from device.cli import UserError
from device.cli.letter_picture import LATTICE, picture
from device.cli.record_input import history_of
from device.cli.rule_book import book_for
from device.cli.start_input import players_of, setup_of
from device.cli.terminal_words import ending, score_line, score_pad, step_lines
from device.cli.told_rulings import correction
from device.files import RecordFile, mend
from device.notation_guide import help_lines
from device.typed import after
from engine import GAMES, BadNotation, BadSetup, CannotStand, ImpossibleFact
from engine.history import History
from engine.plain import BadData

HELP = """\
Type a move or a fact in the game's notation, or one of these:
  see …                what the table showed: a roll, a tile, a coin turned over
  moves                what may be done now            table   the table as it should look
  score                the score pad
  stand [why]          let the move that was just refused stand
  undo                 take the last entry back
  correct N: TEXT      entry N was something else       take back N   entry N never happened
  before N: TEXT       this happened before entry N and was missed
  quit                 stop; a record goes on with --resume"""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "judge moves typed or piped in our notation, with rulings and scores"
    p = commands.add_parser(
        "referee",
        help=words,
        description=words.capitalize() + ".",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    p.add_argument("--profile", default="default", help="a profile, such as 2016 or default+reveal=chosen")
    p.add_argument("--players", default="player 1,player 2", metavar="NAME,NAME")
    start = p.add_mutually_exclusive_group()
    start.add_argument("--setup", metavar="FILE", help="the set-up as seen, as a JSON object")
    start.add_argument("--seed", type=int, metavar="N", help="draw a set-up at random")
    p.add_argument("--record", metavar="FILE", help="write the game there as it goes")
    p.add_argument("--resume", action="store_true", help="go on with the game in the record")
    p.add_argument("--json", action="store_true", help="one JSON object an entry")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge lines until they end."""
    history = _begin(arguments)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")  # what is no text is then refused like any bad line
    with ExitStack() as stack:
        keep: Callable[[History], None] = lambda _history: None  # noqa: E731 (without a record: nothing)
        if arguments.record:
            written = len(history.entries) if arguments.resume else None
            try:
                file = stack.enter_context(RecordFile(Path(arguments.record), history, written=written))
            except FileExistsError:
                raise UserError(
                    f"{arguments.record} exists already; add --resume to go on with it, or name another file."
                ) from None
            except OSError as wrong:
                raise UserError(f"{arguments.record} cannot be written: {wrong.strerror}.") from None
            keep = _keeper(arguments.record, file)
        table = TypedTable(history, keep, as_json=arguments.json)
        if sys.stdin.isatty():
            return _converse(table)
        return _judge_all(table, sys.stdin)


def _keeper(path: str, file: RecordFile) -> Callable[[History], None]:
    """Writes a history to the record; a full disk is told in a sentence."""

    def keep(history: History) -> None:
        try:
            file.keep(history)
        except OSError as wrong:
            raise UserError(
                f"{path} cannot be written: {wrong.strerror}; the last line is not recorded."
            ) from None

    return keep


def _begin(arguments: argparse.Namespace) -> History:
    book = book_for(arguments.game, arguments.profile)  # says what is wrong with either
    if arguments.resume:
        if not arguments.record:
            raise UserError("--resume needs --record FILE: the game to go on with.")
        history = history_of(arguments.record)
        if history.header.game != arguments.game:
            raise UserError(f"{arguments.record} is a game of {history.header.game}, not {arguments.game}.")
        if arguments.setup is not None or arguments.seed is not None:
            raise UserError("--resume goes on with the set-up in the record; leave out --setup and --seed.")
        if arguments.profile != "default" and str(book.profile) != history.header.profile:
            raise UserError(
                f"{arguments.record} is played by the profile {history.header.profile}, not {book.profile}."
            )
        mend(Path(arguments.record), history)
        return history
    players = players_of(arguments.players)
    try:
        return History.begin(
            arguments.game,
            arguments.profile,
            setup=None if arguments.setup is None else setup_of(arguments.setup),
            seed=arguments.seed,
            players=players,
            software=metadata.version("pipwatch"),
        )
    except (BadSetup, BadData) as wrong:
        raise UserError(f"{arguments.setup}: {wrong}") from None


class TypedTable:
    """A game being refereed by typed lines: each line becomes entries, and what is to be said about them."""

    def __init__(self, history: History, keep: Callable[[History], None], *, as_json: bool) -> None:
        self.history = history
        self._keep = keep
        self._as_json = as_json

    def take(self, line: str) -> Iterator[str]:
        """What the referee says to one line; raises where the line cannot be understood."""
        if line in ("score", "moves", "table"):
            yield from getattr(self, f"_{line}")()
            return
        before = self.history
        self.history = after(self.history, line)
        self._keep(self.history)
        yield from self._told(before)

    def _told(self, before: History) -> Iterator[str]:
        *corrected, last = self.history.entries[len(before.entries) :]
        changes = self.history.changes_since(before)
        step = self.history.steps[-1] if self.history.steps else None
        plain = last.target is None
        if self._as_json:
            yield from (json.dumps({"entry": one.to_json()}, ensure_ascii=False) for one in corrected)
            data: dict[str, object] = {"entry": last.to_json()}
            if plain and step is not None:
                data["verdict"] = step.verdict
                data["late"] = [late.to_json() for late in step.late]
            data["changes"] = [str(change) for change in changes]
            data["scores"] = list(self.history.scores.totals)
            outcome = self.history.outcome
            data["outcome"] = None if outcome is None else outcome.to_json()
            yield json.dumps(data, ensure_ascii=False)
            return
        yield from (f"{one.n:>4} {correction(one)}" for one in corrected)
        if plain and step is not None:
            yield from step_lines(step)
        else:
            yield f"{last.n:>4} {correction(last)}"
        yield from (f"     changed: {change}" for change in changes)
        if self.history.scores.totals != before.scores.totals:
            yield f"     score: {score_line(self.history.scores, self.history.header.players)}"
        if self.history.outcome is not None and before.outcome is None:
            yield ending(self.history)

    def _score(self) -> Iterator[str]:
        yield from score_pad(self.history.scores, self.history.header.players)
        yield ending(self.history)

    def _moves(self) -> Iterator[str]:
        waiting = self.history.book.pending(self.history.state)
        if waiting is not None:
            yield f"Still to be seen: {waiting}"
        for move in self.history.book.legal_moves(self.history.state):
            yield self.history.book.format(move)

    def _table(self) -> Iterator[str]:
        layout = self.history.book.layout(self.history.state)
        yield from picture(layout, LATTICE.get(self.history.header.game, 0))


def _converse(table: TypedTable) -> int:
    """Judge what a person types; what cannot be understood is said, and they try again."""
    print(f"{table.history.book.title}. Type help for help.")
    while True:
        waiting = table.history.book.pending(table.history.state)
        try:
            line = input(f"{waiting or 'move'}> ").strip()
        except EOFError:
            return 0
        if line in ("quit", "exit"):
            return 0
        if line == "help":
            print("\n".join([HELP, *help_lines(table.history.book)]))
        elif line:
            try:
                _print(table.take(line))
            except (BadNotation, ImpossibleFact, CannotStand) as wrong:
                print(f"  {wrong}")


def _judge_all(table: TypedTable, lines: Iterable[str]) -> int:
    """Judge what is piped; the first line that cannot be understood ends it."""
    for number, line in enumerate(lines, start=1):
        wanted = line.strip()
        if wanted in ("quit", "exit"):
            return 0
        if wanted and not wanted.startswith("#"):
            try:
                _print(table.take(wanted))
            except (BadNotation, ImpossibleFact, CannotStand) as wrong:
                raise UserError(f"line {number} ({wanted}): {wrong}") from None
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)
