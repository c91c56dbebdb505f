"""Which games there are. A new game is registered here and nowhere else."""

import importlib
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from engine.errors import UnknownGame
from engine.profile import Profile

if TYPE_CHECKING:
    from engine.book import AnyRuleBook

GAMES: tuple[str, ...] = ("dominoids", "kingdomino-duel", "dominoes-of-war", "draw-game")
"""The names of the games. The folder of a game has the same name with underscores, and its package
offers the rule book as ``BOOK``."""


def book_class(game: str) -> "type[AnyRuleBook]":
    """The rule book class of a game; it is loaded only now, so that one game costs one game."""
    if game not in GAMES:
        close = get_close_matches(game, GAMES, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UnknownGame(f"There is no game {game!r}; known are: {', '.join(GAMES)}.{hint}")
    package = importlib.import_module(f"engine.{game.replace('-', '_')}")
    return cast("type[AnyRuleBook]", package.BOOK)


def rulebook(game: str, profile: str | Profile = "default") -> "AnyRuleBook":
    """The rules of ``game`` under ``profile``, a name such as ``2016`` or ``default+reveal=chosen``."""
    settled = Profile.parse(profile) if isinstance(profile, str) else profile
    return book_class(game)(settled)
