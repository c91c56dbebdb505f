"""How `pipwatch run` starts a match: what was asked for, and the parts that it needs."""

import argparse
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from calibration.camera_errors import BadProfileFile
from calibration.marker_side import MARKER_MM
from calibration.profiles import CameraProfile, camera_profile
from device.cameras.naming import called_now
from device.cameras.virtual import VirtualSeats, VirtualTable
from device.cli import UserError
from device.cli.marker_option import marker_mm
from device.cli.rule_book import book_for
from device.cli.start_input import players_of, setup_of, speed_of
from device.cli.told_rulings import Telling
from device.folders import new_match, phones_file, settings_files, state_folder, wifi_file
from device.home.post import home_post
from device.journal.game import began, game_in
from device.journal.readable import readable_matches
from device.journal.store import Journal, JournalError, forget_empty
from device.keeping.caretaker import kept_journal, make_order
from device.lenses import chosen_lens
from device.live.desk import Desk
from device.live.making import UNREADABLE, Company, Seeing, blank_of, fresh, gone_on, put_together, unfinished
from device.live.oled import OledDisplay
from device.live.ports import Reader
from device.live.running import Running, Screen
from device.live.source_name import SourceName, source_name
from device.live.starting import Agreed, terms_of
from device.live.stopwatch import Stopwatch
from device.live.wiring import open_source
from device.match.acts import taken_up
from device.match.match import Match
from device.panel.keyboard import listen
from device.service.address import is_own
from device.service.announcing import Announcing, announce
from device.service.last_good import usable
from device.service.pairing import Pairing
from device.settings import Service, Settings, load
from device.workload import board, workload
from engine import GAMES
from engine.history import History
from simulation.temper import Temper
from vision.pieces.looks import Looks
from vision.pieces.looks import load as looks_in

SCREEN = "web.server"
"""The module that shows a match in a browser. It is named here and not imported: the room of screens lies
above this one, and a device without it plays on."""

_OWN_GAME = "the virtual table plays a game of its own: leave out --setup, and name a new --journal."
_TERMS = Agreed("")
"""What is agreed where nobody says otherwise."""


def run(
    arguments: argparse.Namespace,
    watch: Stopwatch | None = None,
    table: VirtualTable | None = None,
    reader: Reader | None = None,
) -> int:
    """Referee; ``watch`` says afterwards how long rulings took, ``table`` is a virtual one made already.

    ``reader`` reads it, where that is not the one that reads pictures of mats.
    """
    name = _source_name(arguments.source)
    if not 0 <= arguments.port <= 65535:
        raise UserError(f"--port should be between 0 and 65535, not {arguments.port}.")
    speed_of(arguments.speed)
    settings = _settings(arguments, name)
    with ExitStack() as stack:
        _warn(make_order())
        try:
            path = _journal_path(arguments, name, stack)
            stack.callback(forget_empty, path)  # a match that never began leaves nothing behind
            journal = kept_journal(path)
        except OSError as wrong:
            raise UserError(str(wrong)) from None
        try:
            telling, running, virtual = _made(
                arguments, settings, journal, name, Measurer(watch, table, reader)
            )
        except BaseException as wrong:
            journal.close()
            if isinstance(wrong, UNREADABLE):  # a note of the journal that another program wrote
                raise UserError(f"{path.name}: {wrong}") from None
            raise
        wrong_with = running.run()
    telling.end()
    if wrong_with:
        raise UserError(wrong_with)
    if virtual is not None and virtual.given_up:
        print(f"pipwatch: {virtual.given_up}", file=sys.stderr)
        return 1
    return 0


def _made(
    arguments: argparse.Namespace, settings: Settings, journal: Journal, name: SourceName, around: "Measurer"
) -> tuple[Telling, Running, VirtualTable | None]:  # fmt: skip
    """The match with everything around it, ready to run."""
    goes_on = bool(journal.events)
    match = _match(arguments, journal, settings)
    terms = terms_of(match.game or blank_of(match))
    camera, looks = _own(arguments, name, settings)
    if name.kind == "virtual" and around.table is None and (goes_on or arguments.setup):
        raise UserError(_OWN_GAME)
    work = workload(settings.service.work, board())
    if work.small and not name.passing and name.kind != "none":
        print(f"pipwatch: work is {work.words}.", file=sys.stderr, flush=True)
    try:
        source = around.table or open_source(
            name, terms, _seats(arguments, settings), work.fps, settings.camera
        )
    except OSError as wrong:
        raise UserError(str(wrong)) from None
    telling = Telling(as_json=arguments.json, known=match.game)
    side_mm = _side_mm(arguments, settings, name)
    sight = Seeing(source, name.recorded, camera, looks, side_mm, goes_on, around.watch, around.reader)
    screens = [] if arguments.headless else [_screen(arguments.host, arguments.port, settings.service)]
    if not name.recorded and (house := home_post(settings.mqtt)) is not None:
        screens.append(house)
    if settings.oled.chip:
        screens.append(OledDisplay(settings.oled))
    running = put_together(match, journal, sight, Company([telling], screens, settings=settings))
    for problem in () if running.panel is None else running.panel.problems:
        _warn(problem)
    if sys.stdin.isatty() and not name.recorded:
        listen(running.desk.press, more={"sheets": lambda: _score_sheets(running.desk, arguments.json)})
    return telling, running, source if isinstance(source, VirtualTable) else None


@dataclass(frozen=True)
class Measurer:
    """What whoever measures a match brings along."""

    watch: Stopwatch | None = None
    table: VirtualTable | None = None
    reader: Reader | None = None


# — what was asked for —


def _side_mm(arguments: argparse.Namespace, settings: Settings, name: SourceName) -> float:
    """How large the markers are; those of the virtual table are no player's own."""
    own = settings.table.marker_mm
    return marker_mm(arguments) or (MARKER_MM if name.kind == "virtual" else own)


def _seats(arguments: argparse.Namespace, settings: Settings) -> VirtualSeats:
    """The virtual table with its people, who confirm as the match is set."""
    stays = not arguments.headless
    temper = Temper(confirm=settings.manners.confirm)
    return VirtualSeats(arguments.seed, arguments.speed, arguments.look, stays, temper=temper)


def _source_name(text: str) -> SourceName:
    try:
        return source_name(text)
    except ValueError as wrong:
        raise UserError(str(wrong)) from None


def _own(
    arguments: argparse.Namespace, name: SourceName, settings: Settings
) -> tuple[CameraProfile, Looks | None]:
    """What the players' own camera and their own pieces are like, where that was learned."""
    if name.kind == "none" and (arguments.camera or arguments.looks or arguments.marker_mm):
        raise UserError(
            "--camera, --looks and --marker-mm are for a source that sees the table, "
            "and --source none does not."
        )
    try:
        # The lens of the settings is that of their camera.
        usual = name.kind == "auto" or called_now(name.text) == called_now(settings.camera.source)
        lens = settings.camera.lens if usual else ""
        camera = chosen_lens(lens) if arguments.camera is None else camera_profile(arguments.camera)
        looks = None if arguments.looks is None else looks_in(Path(arguments.looks))
    except BadProfileFile as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    return camera, looks


def _settings(arguments: argparse.Namespace, name: SourceName) -> Settings:
    try:
        settings = _loaded(arguments)
        manners = settings.manners
        if name.recorded:
            # Nobody presses a button in a film, and a move that was made has been made.
            manners, settings = (
                replace(manners, confirm="auto", calm_s=0.0),
                settings.without_panel(),
            )
        if arguments.confirm is not None:
            manners = replace(manners, confirm=arguments.confirm)
        if arguments.calm is not None:
            manners = replace(manners, calm_s=arguments.calm)
    except (BadProfileFile, ValueError) as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    table = replace(settings.table, marker_mm=marker_mm(arguments) or settings.table.marker_mm)
    return replace(settings, manners=manners, table=table)


def _loaded(arguments: argparse.Namespace) -> Settings:
    """The settings that somebody names, which must be right; or the user's own, as they last were."""
    if arguments.config:
        return load(Path(arguments.config))
    settings, remark = usable(settings_files(), state_folder())
    _warn(remark)
    return settings


def _warn(sentence: str) -> None:
    if sentence:
        print(f"pipwatch: {sentence}", file=sys.stderr, flush=True)


def _journal_path(arguments: argparse.Namespace, name: SourceName, stack: ExitStack) -> Path:
    """Where the match is kept: a recording's in passing, unless somebody wants it."""
    if arguments.journal:
        return Path(arguments.journal)
    if name.passing:
        _wanted(arguments)
        return stack.enter_context(_in_passing())
    if not arguments.new:
        for path in readable_matches():
            game = _unfinished(path)
            if game is not None and arguments.game in (None, game.header.game):
                return path
    return new_match(_wanted(arguments))


@contextmanager
def _in_passing() -> Iterator[Path]:
    """A journal that nobody keeps; what is needed to repeat an error of the eye stays all the same."""
    with tempfile.TemporaryDirectory(prefix="pipwatch-") as name:
        journal = Path(name) / "recorded.match"
        try:
            yield journal
        finally:
            errors = journal.with_suffix(".errors")  # as ``Mishaps`` has it
            if errors.is_dir():
                kept = Path(tempfile.mkdtemp(prefix="pipwatch-errors-"))
                shutil.copytree(errors, kept, dirs_exist_ok=True)
                _warn(f"what the eye failed at is kept in {kept}.")


def _unfinished(path: Path) -> History | None:
    """The game of a match that can be gone on with; one that cannot be opened keeps nobody from another."""
    try:
        return unfinished(path)
    except (JournalError, *UNREADABLE) as wrong:
        about = "" if path.name in str(wrong) else f"{path.name}: "
        print(f"pipwatch: {about}{str(wrong).rstrip('.')}; it is left as it is.", file=sys.stderr)
        return None


def _wanted(arguments: argparse.Namespace) -> str:
    if arguments.game is None:
        raise UserError(f"--game is needed: one of {', '.join(GAMES)}.")
    book_for(arguments.game, arguments.profile or _TERMS.profile)
    return str(arguments.game)


def _match(arguments: argparse.Namespace, journal: Journal, settings: Settings) -> Match:
    """The match in the journal, or a new one."""
    try:
        game = game_in(journal.events)
    except UNREADABLE as wrong:
        raise UserError(f"{journal.path.name}: {wrong}") from None
    if game is not None:
        return _resumed(arguments, game, settings, journal)
    players = _TERMS.players if arguments.players is None else players_of(arguments.players)
    terms = Agreed(_wanted(arguments), arguments.profile or _TERMS.profile, players)
    match = fresh(terms, settings)
    if arguments.setup is None:
        return match
    try:
        first = terms.from_setup(setup_of(arguments.setup))
    except UNREADABLE as wrong:
        raise UserError(f"{arguments.setup}: {wrong}") from None
    journal.append(began(first))
    return taken_up(match, first)


def _contradicted(arguments: argparse.Namespace, game: History) -> str:
    """What was asked for and is not so in the match that goes on, or nothing."""
    header = game.header
    if arguments.profile is not None:
        profile = str(book_for(header.game, arguments.profile).profile)
        if profile != header.profile:
            return f"played by the profile {header.profile}, not {profile}"
    if arguments.players is not None and players_of(arguments.players) != header.players:
        return f"between {' and '.join(header.players)}, not {' and '.join(players_of(arguments.players))}"
    return ""


def _resumed(arguments: argparse.Namespace, game: History, settings: Settings, journal: Journal) -> Match:
    if arguments.game not in (None, game.header.game):
        raise UserError(f"the journal holds a game of {game.header.game}, not {arguments.game}.")
    if arguments.setup is not None:
        raise UserError("--setup is for a new match; the one in the journal has begun.")
    other = "name another --journal" if arguments.journal else "add --new"
    if wrong := _contradicted(arguments, game):
        raise UserError(f"the match that goes on, {journal.path.name}, is {wrong}; {other} to begin another.")
    header = game.header
    print(
        f"pipwatch: going on with {journal.path.name}: {game.book.title} ({header.profile}), "
        f"{' and '.join(header.players)}, {len(game.entries)} entries; {other} to begin another.",
        file=sys.stderr, flush=True,
    )  # fmt: skip
    return gone_on(game, journal, settings)


def _score_sheets(desk: Desk, as_json: bool) -> None:
    """Read the Duel's maps on the table and tell what they are worth."""
    from device.table_sheets import score_table

    print("\n".join(score_table(desk)), file=sys.stderr if as_json else sys.stdout, flush=True)


@dataclass
class _Found:
    """A screen that phones find: how to join is told as long as it is there."""

    screen: Screen
    pairing: Pairing
    service: Service
    port: int
    announcing: Announcing | None = None

    def start(self, desk: Desk) -> None:
        """Begin, and tell."""
        self.screen.start(desk)
        self.announcing = announce(
            self.port, self.pairing, hotspot=wifi_file() if self.service.hotspot else None
        )

    def close(self, timeout_s: float) -> None:
        """End."""
        self.screen.close(timeout_s)
        if self.announcing is not None:
            self.announcing.close()


def _screen(host: str, port: int, service: Service) -> Screen:
    """The dashboard; where it listens beyond this machine, whoever acts from there is let in by a code."""
    pairing = None if is_own(host) else Pairing(phones_file(), service.look, names=service.names)
    shown = _listening(host, port, pairing)
    return shown if pairing is None else _Found(shown, pairing, service, getattr(shown, "port", port))


def _listening(host: str, port: int, pairing: Pairing | None) -> Screen:
    try:
        module = importlib.import_module(SCREEN)
    except ImportError as wrong:
        raise UserError(f"the dashboard cannot be shown ({wrong}); add --headless to play without.") from None
    try:
        return cast("Screen", module.screen(host, port, pairing))
    except OSError as wrong:
        why = os.strerror(wrong.errno) if wrong.errno else str(wrong)  # its own text names the address again
        raise UserError(
            f"the dashboard cannot listen at {host}:{port}: {why}; --port names another."
        ) from None
