"""Builders for the tests of the Draw Game: books, positions and tiles in one line each."""

from collections.abc import Sequence
from random import Random

from engine import rulebook
from engine.dominoes import Domino
from engine.draw_game.book import DrawGame
from engine.draw_game.model import TILES, DrawState, Redeal
from engine.draw_game.notation import read_tile
from engine.plain import Json, JsonObject, items

Hand = Sequence[str] | int | str


def game(profile: str = "default") -> DrawGame:
    """The rule book under a profile; settings may be given alone, as ``muggins=yes``."""
    book = rulebook("draw-game", profile if profile.startswith("default") else f"default+{profile}")
    assert isinstance(book, DrawGame)
    return book


def hand(tiles: Hand) -> Json:
    """A hand for a set-up: ``"0-1 2-3"``, ``"0-1 +4"`` (four more hidden) or ``5`` (five hidden)."""
    if not isinstance(tiles, str):
        return tiles if isinstance(tiles, int) else list(tiles)
    names = tiles.split()
    hidden = int(names.pop()) if names and names[-1].startswith("+") else 0
    return {"tiles": list(names), "hidden": hidden}


def position(
    book: DrawGame, first: Hand, second: Hand, *, board: JsonObject | None = None, **entries: Json
) -> DrawState:
    """A position of a deal: the two hands, what lies on the board, and further entries of the set-up."""
    setup: JsonObject = {"down": 1, "hands": [hand(first), hand(second)], **entries}
    if board is not None:
        setup["board"] = board
    return book.start(setup=setup)


def chain(west: int, east: int, length: int, *without: str) -> JsonObject:
    """A board of ``length`` tiles without a double, from a ``west`` end to an ``east`` one."""
    free = [tile for tile in TILES if not tile.is_double and str(tile) not in " ".join(without).split()]

    def further(end: int, used: list[Domino]) -> list[Domino] | None:
        if len(used) == length:
            return used if end == east else None
        for tile in free:
            if end in tile and tile not in used:
                found = further(tile.other(end), [*used, tile])
                if found:
                    return found
        return None

    for first in free:
        found = further(first.high, [first]) if first.low == west else None
        if found:
            return {"first": str(first), "east": [str(tile) for tile in found[1:]]}
    raise ValueError("there is no such chain")


def blocked_board(spare: int = 4) -> JsonObject:
    """A board where 3-3, 4-4 and the ``spare``-5 fit nowhere; it lacks the 0-``spare`` and the 1-5 too."""
    board = chain(0, 1, 18, f"{spare}-5 0-{spare} 1-5")
    names = [str(board["first"]), *map(str, items(board["east"], "the arm"))]
    end, row = 0, []
    waiting = ["0-0", "1-1", "2-2", "6-6", "5-5"]
    for name in names:
        row.append(name)
        end = read_tile(name).other(end)
        if f"{end}-{end}" in waiting and (end != 5 or len(row) > len(names) // 2):
            waiting.remove(f"{end}-{end}")
            row.append(f"{end}-{end}")
    return {"first": row[0], "east": row[1:], "spinner": next(name for name in row if name[0] == name[2])}


def opening(
    book: DrawGame, first: Sequence[str] = (), second: Sequence[str] = (), **entries: Json
) -> DrawState:
    """A deal before the Down in which the hands hold these tiles and others that nobody asked for."""
    each = int(book.settings["hand"])
    taken = {*first, *second}
    rest = iter([str(tile) for tile in TILES if str(tile) not in taken])
    hands = [[*named, *(next(rest) for _ in range(each - len(named)))] for named in (first, second)]
    return position(book, hands[0], hands[1], **entries)


def after(book: DrawGame, state: DrawState, *lines: str) -> DrawState:
    """The state after these moves and facts, each of which must be allowed."""
    for line in lines:
        if line.startswith("see "):
            state = book.observe(state, book.parse_fact(line))
        else:
            state = book.play(state, book.parse(line))
    return state


def wander(
    book: DrawGame, rng: Random, plies: int, state: DrawState | None = None, *, redeals: bool = True
) -> list[DrawState]:
    """The states of a random game, at most ``plies`` long; hands are open unless ``state`` says otherwise."""
    state = book.start(rng=rng) if state is None else state
    states = [state]
    while len(states) <= plies and book.outcome(state) is None:
        if book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        else:
            moves = book.legal_moves(state)
            state = book.play(
                state, rng.choice([move for move in moves if redeals or not isinstance(move, Redeal)])
            )
        states.append(state)
    return states
