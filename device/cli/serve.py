"""`pipwatch serve`: the process that a box runs from the moment it is switched on."""

import argparse
import atexit
import importlib
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from device.cli import UserError

if TYPE_CHECKING:
    from device.service.front import StayingScreen
    from device.service.pairing import Pairing

SCREEN: Final = "web.lobby"
"""The module with the page of the box. It is named here and not imported: the room of screens lies above."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "run the box: a page with a lobby, match after match; what a service starts"
    p = commands.add_parser("serve", help=words, description=f"{words.capitalize()}.")
    p.add_argument("--host", metavar="ADDRESS", help="where the page listens, in place of the settings")
    p.add_argument("--port", type=int, metavar="N", help="of the page, in place of the settings")
    p.add_argument("--config", metavar="FILE", help="settings in place of this user's or the service's own")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run until somebody stops it."""
    from device.folders import (
        SettingsFiles,
        owner_file,
        page_settings,
        phones_file,
        settings_files,
        state_folder,
        wifi_file,
    )
    from device.home.post import home_post
    from device.keeping.caretaker import make_order
    from device.live.oled import OledDisplay
    from device.service.address import is_own
    from device.service.front import Front
    from device.service.host import Host
    from device.service.last_good import usable
    from device.service.outside import Outside, entrance_of, link_to
    from device.service.owner import Owner
    from device.service.pairing import Pairing

    if arguments.port is not None and not 1 <= arguments.port <= 65535:
        raise UserError(f"--port should be between 1 and 65535, not {arguments.port}.")
    state = state_folder()
    restored = make_order(state)
    files = settings_files()
    if arguments.config:
        files = SettingsFiles(Path(arguments.config), page_settings(state))
    settings, wrong = usable(files, state)
    host, port = arguments.host or settings.service.host, arguments.port or settings.service.port
    pairing = Pairing(
        phones_file(), settings.service.look, owner=Owner(owner_file()), names=settings.service.names
    )
    front = Front(lambda: screen(host, port, pairing, metrics=settings.service.metrics), port)
    box = Host(settings, front, state, remarks=[one for one in (restored, wrong) if one], files=files)
    post = home_post(
        settings.mqtt, url=lambda: link_to(pairing), health=lambda: box.overseer.health.to_json()
    )
    display = None
    if settings.oled.chip:
        display = OledDisplay(settings.oled, lambda: entrance_of(pairing), stays=True)
    hotspot = wifi_file() if settings.service.hotspot else None
    box.outside = Outside(pairing, port, hotspot=hotspot, post=post, display=display, here_only=is_own(host))
    return ended(box.run())


def ended(status: int) -> int:
    """End at once where a thread is still within a library: a match that reads its table takes its time.

    Python's own end would take away beneath it what it works with, and the process would abort instead of
    ending in order."""
    if threading.active_count() > 1:
        atexit._run_exitfuncs()  # folders in passing are deleted
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    return status


def screen(host: str, port: int, pairing: "Pairing", *, metrics: bool) -> "StayingScreen":
    """The page at an address, and which phones may act there; raises OSError where the port is taken."""
    module = importlib.import_module(SCREEN)
    return cast("StayingScreen", module.screen(host, port, pairing, metrics=metrics))
