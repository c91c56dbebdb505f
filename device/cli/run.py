"""`pipwatch run`: a match at the table, live, or a recorded table judged without a screen."""

import argparse

from device.cli.marker_option import add_marker_mm
from device.live.source_name import SOURCES
from device.panel.keyboard import HELP
from engine import GAMES
from simulation.makes import DOMINOES, ORDINARY


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "referee a match at the table, or a recorded table"
    p = commands.add_parser("run", help=words, description=f"{words.capitalize()}.", epilog=HELP)
    p.add_argument(
        "--game", metavar="GAME", help=f"one of {', '.join(GAMES)}; without it the last match goes on"
    )
    p.add_argument("--source", default="auto", metavar="SOURCE", help=f"{SOURCES} (auto)")
    p.add_argument("--profile", help="a profile, such as 2016 or default+reveal=chosen (default)")
    p.add_argument("--players", metavar="NAME,NAME", help="who plays (player 1,player 2)")
    p.add_argument("--setup", metavar="FILE", help="the set-up or state to begin from, as a JSON object")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the game on the virtual table (1)")
    p.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="of the virtual table (1); 0 never waits"
    )
    p.add_argument(
        "--look", choices=("random", ORDINARY, *DOMINOES), default="random", metavar="LOOK",
        help="the make of its pieces: ordinary, or of its dominoes, such as ivory (random)",
    )  # fmt: skip
    p.add_argument(
        "--camera", metavar="FILE", help="the camera's profile, from pipwatch calibrate lens, or its name"
    )
    p.add_argument("--looks", metavar="FILE", help="your own pieces, from pipwatch learn")
    add_marker_mm(p)
    p.add_argument("--journal", metavar="FILE", help="where the match is kept; one that exists goes on")
    p.add_argument("--new", action="store_true", help="begin a new match even if one has not ended")
    p.add_argument("--confirm", choices=("auto", "button"), help="whether a move counts by itself")
    p.add_argument(
        "--calm", type=float, metavar="S", help="how long a move lies still before it counts by itself"
    )
    p.add_argument("--port", type=int, default=8000, help="of the dashboard (8000)")
    p.add_argument(
        "--host",
        default="127.0.0.1",
        help="where the dashboard listens (127.0.0.1: this machine alone; 0.0.0.0: phones, too, "
        "which enter a code once before they act)",
    )
    p.add_argument("--headless", action="store_true", help="no dashboard")
    p.add_argument("--json", action="store_true", help="one JSON object a line")
    p.add_argument("--config", metavar="FILE", help="settings in place of the user's own")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Referee."""
    from device.cli import refereeing  # cameras and readers: only who referees loads them

    return refereeing.run(arguments)
