"""The Draw Game by touch: a tile and an end of the line are tapped, and the line that this says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.book import State
from engine.dominoes import Domino
from engine.draw_game.book import DrawGame
from engine.draw_game.known_hands import size
from engine.draw_game.line import CLOSED, PIPS
from engine.draw_game.model import ANYBODY, TILES, Arm, Call, Down, DrawMove, DrawState, Play
from engine.draw_game.notation import format_fact, format_move, read_tile
from engine.draw_game.table import table
from engine.nearness import Where
from engine.touch import (
    PLAYER,
    READY,
    Form,
    Slot,
    Tap,
    Tappable,
    Taps,
    Toucher,
    Way,
    alone,
    digits_of,
    in_turn,
    move,
    name_of,
    named,
    number,
    numbered,
    written,
)

SAID: Final[Mapping[Tap, str]] = {
    "say draw": "Draw from the boneyard",
    "say pass": "Pass",
    "say redeal": "Demand a redeal",
    "say unseen": "Nobody saw it",
    "place down": "the middle of the table",
}
DOWN: Final = "place down"
_EXPECTED: Final = {
    "lot": "Each player draws a tile: which?",
    "deal": "The hands are dealt: open, or hidden?",
    "drawn": "Which tile was drawn?",
    "hand": "A hand is laid open: which tiles?",
    "over": "",
}


class DrawGameToucher(Toucher[DrawState]):
    """A tile and where it goes."""

    def __init__(self, book: DrawGame) -> None:
        self._book = book
        self.forms = (*_moves(), *self._facts(), *_puts())

    def ways(self, state: DrawState) -> Iterable[Way]:
        """Each legal move, and each tile that may have been drawn."""
        for one in self._book.legal_moves(state):
            taps, asked = _of_move(one)
            who = () if one.player is None and state.mover != ANYBODY else (f"player {one.player}",)
            yield Way(taps, format_move(one), (*asked, *who))
        if state.phase == "drawn":
            for line in map(format_fact, self._book.possible_facts(state)):
                tile = line.removeprefix("see drawn ")
                yield Way(("say unseen" if tile == "unseen" else f"tile {tile}",), line)

    def spoken(self, state: DrawState, taps: Taps) -> str:
        """A tile at an end where it does not fit, beside another one, or in the middle."""
        kinds = [tap.partition(" ")[0] for tap in taps]
        names = [name_of(tap) for tap in taps]
        match kinds:
            case ["tile", "arm"]:
                tile, arm = read_tile(names[0]), _ARMS[names[1]]
                return f"{tile} by {_half(state, tile, arm)} at {arm}"
            case ["tile", "place"]:
                return f"down {names[0]}"
            case ["tile", "lying"]:
                tile, host = read_tile(names[0]), read_tile(names[1])
                half = tile.high if tile.high in host else tile.low
                return f"{tile} by {half} beside {host}"
            case ["say"] if names[0] in ("draw", "pass", "redeal"):
                return names[0]
            case ["tile"] if state.phase == "drawn":
                return f"see drawn {names[0]}"
        return ""

    def expected(self, state: DrawState) -> str:
        """A tile, or what is seen."""
        if state.phase in _EXPECTED:
            return _EXPECTED[state.phase]
        if state.ends[0] == CLOSED:
            return "Lay the first tile"
        able = self._book.legal_moves(state)
        if any(isinstance(one, Play) for one in able):
            return "Lay a tile at an end of the line"
        return "No known tile fits: draw or pass"

    def words(self, state: DrawState, tap: Tap) -> str:  # noqa: ARG002 (a tap says enough)
        """What a tap is called."""
        return words(tap)

    def implied(self, state: DrawState) -> str:
        """The tiles of the lot, of the deal and of an open hand are told one by one."""
        return {"lot": "see lot", "deal": "see deal", "hand": "see hand"}.get(state.phase, "")

    def places(self, state: DrawState, taps: Taps) -> Mapping[Tap, Where]:
        """Where the tile that was tapped would lie at each end, and the middle before there is a line."""
        tile = next((read_tile(name_of(tap)) for tap in taps if tap.startswith("tile ")), None)
        if state.phase != "playing" or tile is None:
            return {}
        if state.ends[0] == CLOSED:
            return {DOWN: Where(0.0, 0.0, 90.0 if tile.is_double else 0.0)}
        lying = table(state.history)
        found = {f"arm {arm}": lying.place(tile, _half(state, tile, arm), arm) for arm in Arm}
        return {tap: where for tap, where in found.items() if where is not None}

    def _facts(self) -> Iterator[Form]:
        yield Form(
            "see lot", "fact", "The tiles that both drew for the first turn", "see lot TILE / TILE",
            "see lot 3-4 / 5-6", in_turn(_tile_for("Player 1: "), _tile_for("Player 2: ")),
            written("see lot {0} / {1}"),
        )  # fmt: skip
        yield Form(
            "see deal", "fact", "The hands that were dealt, open or hidden",
            "see deal hidden|TILE… / hidden|TILE…", "see deal hidden / hidden", self._dealt, self._deal_line,
        )  # fmt: skip
        yield Form(
            "see drawn", "fact", "The tile that was drawn", "see drawn TILE|unseen", "see drawn 2-5",
            in_turn(_drawn), written("see drawn {0}"),
        )  # fmt: skip
        yield Form(
            "see hand", "fact", "A hand is laid open", "see hand PLAYER: TILE…", "see hand 2: 0-1 2-3",
            _shown, _hand_line,
        )  # fmt: skip

    def _dealt(self, state: State, told: Taps) -> Sequence[Tappable]:
        """Hand after hand: hidden, or its tiles."""
        each = self._book.house.hand
        hands = _hands(told, each)
        if len(hands) > 2:
            return ()
        who = f"Player {len(hands)}: "
        tiles = _tiles(state, told, who)
        return tiles if hands[-1] else [Tappable("say hidden", f"{who}hidden"), *tiles]

    def _deal_line(self, taps: Taps) -> str:
        first, second, *_ = _hands(taps, self._book.house.hand)
        return f"see deal {_in_order(first)} / {_in_order(second)}"


_ARMS: Final = {str(arm): arm for arm in Arm}
_TILE_NAMES: Final = tuple(map(str, TILES))


def words(tap: Tap) -> str:
    """What a tap is called."""
    kind, _, name = tap.partition(" ")
    match kind:
        case "say":
            return SAID.get(tap, f"{name.capitalize()} points")
        case "place":
            return SAID.get(tap, name)
        case "tile" | "form" | "digit":
            return name
        case "half":
            return f"by its {name}"
        case "player":
            return f"Player {name}"
        case "lying":
            return f"beside the {name}"
    return f"{name} end"


def _of_move(one: DrawMove) -> tuple[Taps, Taps]:
    match one:
        case Down():
            return (f"tile {one.tile}", DOWN), ()
        case Play():
            return (f"tile {one.tile}", f"arm {one.arm}"), (f"half {one.half}",)
        case Call():
            return (f"say call {one.points}",), ()
    return (f"say {type(one).__name__.lower()}",), ()


def _half(state: DrawState, tile: Domino, arm: Arm) -> int:
    """The half that touches: the one that fits, or the low one."""
    end = state.ends[arm]
    return PIPS[end] if end != CLOSED and PIPS[end] in tile else tile.low


# — the forms —

_TILE: Final = named("tile", _TILE_NAMES)
_ARM: Final = named("arm", _ARMS)


def _tile_for(who: str) -> Slot:
    return lambda state, told: _tiles(state, told, who)


def _tiles(_state: State, told: Taps, who: str = "") -> list[Tappable]:
    """The tiles that were not told yet."""
    return [Tappable(f"tile {name}", who + name) for name in _TILE_NAMES if f"tile {name}" not in told]


def _halves(_state: State, told: Taps) -> Sequence[Tappable]:
    tile = read_tile(name_of(told[0]))
    return [Tappable(f"half {half}", f"by its {half}") for half in dict.fromkeys(tile)]


def _drawn(state: State, told: Taps) -> Sequence[Tappable]:
    return [Tappable("say unseen", SAID["say unseen"]), *_TILE(state, told)]


def _hands(told: Taps, each: int) -> list[Taps]:
    """The hands of a deal, told one after the other; the last one is what is being told now."""
    hands: list[Taps] = [()]
    for tap in told:
        hands[-1] = (*hands[-1], tap)
        if tap == "say hidden" or len(hands[-1]) == each:
            hands.append(())
    return hands


def _in_order(hand: Taps) -> str:
    return " ".join(sorted(map(name_of, hand)))


def _shown(state: State, told: Taps) -> Sequence[Tappable]:
    """Whose hand, and its tiles: as many as he holds, or fewer."""
    if not told:
        return PLAYER(state, told)
    assert isinstance(state, DrawState)
    if READY.tap in told or len(told) == 1 + (size(state, int(name_of(told[0]))) or len(TILES)):
        return ()
    tiles = _tiles(state, told)
    return [*tiles, READY] if len(told) > 1 else tiles


def _hand_line(taps: Taps) -> str:
    tiles = tuple(tap for tap in taps[1:] if tap != READY.tap)
    return f"see hand {name_of(taps[0])}: {_in_order(tiles)}"


def _moves() -> Iterator[Form]:
    yield move(
        "down", "The first tile is laid", "down TILE", "1: down 4-6", in_turn(_TILE), written("down {0}")
    )
    yield move(
        "lay", "A tile is laid at an end", "TILE by HALF at ARM", "2: 2-4 by 4 at west",
        in_turn(_TILE, _halves, _ARM), written("{0} by {1} at {2}"),
    )  # fmt: skip
    yield move(
        "beside", "A tile is laid where no end is", "TILE by HALF beside TILE", "1: 2-6 by 6 beside 6-6",
        in_turn(_TILE, _halves, named("lying", _TILE_NAMES)), written("{0} by {1} beside {2}"),
    )  # fmt: skip
    yield move("draw", "A tile is drawn", "draw", "2: draw", *alone("draw"))
    yield move("pass", "A player passes", "pass", "2: pass", *alone("pass"))
    yield move("redeal", "A player demands a redeal", "redeal", "1: redeal", *alone("redeal"))
    yield move(
        "call", "A player calls points", "call POINTS", "1: call 10", number(3, first="123456789"),
        lambda taps: f"call {digits_of(taps)}",
    )  # fmt: skip


def _put_place(_state: State, told: Taps) -> Sequence[Tappable]:
    return [*_ARM(_state, told), Tappable("say away", "off the line")]


def _hand_count(taps: Taps) -> str:
    return f"put hand-{name_of(taps[0])} {digits_of(taps)}"


def _points(taps: Taps) -> str:
    return f"put points-{name_of(taps[0])} {digits_of(taps)}"


def _puts() -> Iterator[Form]:
    yield Form(
        "put tile", "put", "A tile lies at an end, or off the line", "put TILE ARM|away", "put 2-5 east",
        in_turn(_TILE, _put_place), written("put {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put hand", "put", "How many tiles a hand holds", "put hand-PLAYER NUMBER", "put hand-1 5",
        numbered(in_turn(PLAYER), number(2)), _hand_count,
    )  # fmt: skip
    yield Form(
        "put points", "put", "The points of a player", "put points-PLAYER NUMBER", "put points-1 35",
        numbered(in_turn(PLAYER), number(3, 5)), _points,
    )  # fmt: skip
    yield Form(
        "put turn", "put", "Whose turn it is", "put turn PLAYER", "put turn 2", in_turn(PLAYER),
        written("put turn {0}"),
    )  # fmt: skip


TOUCHER: Final = DrawGameToucher
