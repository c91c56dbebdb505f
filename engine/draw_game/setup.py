"""How a match starts: from a set-up that was seen, from one drawn at random, or from the lot.

A set-up is a position of the game, at the opening of a deal or in the midst of one:

    down     1 or 2: who has the Down of this deal
    deal     its number (1 where left out)
    scores   [35, 0]: the points so far (none where left out)
    before   [30, 0]: the points when this deal began (where left out, the same: none were made in it)
    hands    for each player the tiles ["0-1", …], or how many are hidden (11), or both
             {"tiles": ["0-1"], "hidden": 10}; without hands the deal is still to be seen
    board    the tiles on the table, outwards from a first one, whose low half is called west:
             {"first": "3-4", "west": ["3-3", "3-6"], "east": [], "north": [], "south": [], "spinner": "3-3"}.
             The Down is a good first tile, or else the spinner. ``spinner`` may be left out where there is
             only one double
    turn     1 or 2: whose turn it is (may be left out before the second tile)
    played   [true, true]: who has laid a tile (may be left out before the second tile)
    drawn    [["1-2"], []]: tiles that a player was seen to draw who has not laid one yet
    passed   true where the last thing done was a pass
    drawing  true where a tile was drawn that is still to be seen
"""

from collections.abc import Iterator, Mapping
from random import Random

from engine.dominoes import Domino
from engine.draw_game.deals import BEGINNING, new_deal, told
from engine.draw_game.known_hands import boneyard
from engine.draw_game.line import PIPS, extended, first_ends, line_of, spinner_of
from engine.draw_game.model import (
    BIT,
    Arm,
    Down,
    Draw,
    DrawMatch,
    Drawn,
    DrawState,
    Event,
    Line,
    Pair,
    Pass,
    Play,
    mask,
    moves_in,
    other,
)
from engine.draw_game.rules import House
from engine.draw_game.stored import checked, player_number, read_domino, totals, unseen_by
from engine.errors import BadSetup
from engine.plain import BadData, Json, JsonObject, get, items, obj, truth, whole

_BITS = tuple(BIT.values())
_LOTS_DRAWN = tuple(BEGINNING._replace(match=DrawMatch(down=down)) for down in (1, 2))
_KEYS = ("down", "deal", "scores", "before", "hands", "board", "turn", "played", "drawn", "passed", "drawing")


def random_start(rng: Random, house: House) -> DrawState:
    """A match at its first deal, with the lot and both hands drawn at random."""
    return new_deal(rng.choice(_LOTS_DRAWN), random_hands(rng, house.hand), (0, 0))


def random_hands(rng: Random, each: int) -> Pair:
    """Two hands drawn at random."""
    drawn = rng.random
    shuffled = sorted(_BITS, key=lambda _: drawn())
    return sum(shuffled[:each]), sum(shuffled[each : 2 * each])


def seen_start(setup: JsonObject, house: House) -> DrawState:
    """The match as a set-up describes it; raises BadSetup in one sentence where it cannot be."""
    try:
        return _position(obj(setup, "the set-up"), house)
    except BadData as wrong:
        raise BadSetup(f"The set-up cannot be: {wrong}.") from None


def _position(setup: Mapping[str, Json], house: House) -> DrawState:
    for key in setup:
        if key not in _KEYS:
            raise BadData(f"there is no entry {key!r}; known are {', '.join(_KEYS)}")
    down = player_number(get(setup, "down", "the set-up"), "'down'")
    deal = whole(setup.get("deal", 1), "'deal'")
    if deal < 1:
        raise BadData(f"'deal' should be at least 1, not {deal}")
    lines = tuple(_earlier(setup, deal))
    _check_target(totals(lines), "hands" in setup, house)
    if "hands" not in setup:
        for key in _KEYS[5:]:
            if key in setup:
                raise BadData(f"{key!r} belongs to a deal that is being played, and no 'hands' are given")
        waiting = DrawMatch(deal - 1, down)
        return BEGINNING._replace(phase="deal", mover=down, scores=totals(lines), lines=lines, match=waiting)
    hands, hidden = _hands(setup["hands"])
    history = _history(setup, hands)
    ends, bare = line_of(history)
    laid = sum(isinstance(event, Down | Play) for event in history)
    turn = _turn(setup, down, laid)
    history += _last_events(setup, turn)
    return _weighed(
        DrawState(
            phase="drawn" if truth(setup.get("drawing", False), "'drawing'") else "playing",
            mover=turn,
            hands=hands,
            hidden=hidden,
            unseen=unseen_by(hands, hidden, history),
            ends=ends,
            bare=bare,
            redeal=_may_demand(setup, down, laid),
            history=history,
            scores=totals(lines),
            lines=lines,
            claims=(),
            match=DrawMatch(deal, down, before=-moves_in(history)),
        ),
        laid,
        house,
    )


def _check_target(scores: Pair, playing: bool, house: House) -> None:
    over = max(scores) >= house.target and scores[0] != scores[1]
    if over and (house.at_once or not playing):
        raise BadData(f"with {scores[0]} to {scores[1]} points a match to {house.target} is over")


def _earlier(setup: Mapping[str, Json], deal: int) -> Iterator[Line]:
    scores = _points(setup.get("scores", (0, 0)), "'scores'")
    before = _points(setup.get("before", scores), "'before'")
    for player in (1, 2):
        then, since = before[player - 1], scores[player - 1] - before[player - 1]
        if since < 0:
            raise BadData(
                f"player {player} cannot have {then} points before the deal and {then + since} in it"
            )
        if then:
            yield Line(player, then, 0, "earlier", then)
        if since:
            yield Line(player, since, deal, "earlier", since)


def _points(value: Json, what: str) -> Pair:
    first, second = (whole(points, what) for points in _both(value, what))
    for number in (first, second):
        if number < 0 or number % 5:
            raise BadData(f"{what} should be multiples of five, and {number} is none")
    return first, second


def _both(value: Json, what: str) -> tuple[Json, Json]:
    pair = items(value, what)
    if len(pair) != 2:
        raise BadData(f"{what} should have two entries, one for each player, not {len(pair)}")
    return pair[0], pair[1]


def _hands(value: Json) -> tuple[Pair, Pair]:
    (first, first_hidden), (second, second_hidden) = (
        _hand(hand, player) for player, hand in enumerate(_both(value, "'hands'"), start=1)
    )
    return (first, second), (first_hidden, second_hidden)


def _hand(value: Json, player: int) -> tuple[int, int]:
    what = f"the hand of player {player}"
    tiles, hidden = value, 0
    if isinstance(value, int):
        tiles, hidden = [], whole(value, what)
    elif isinstance(value, Mapping):
        tiles = value.get("tiles", [])
        hidden = whole(value.get("hidden", 0), f"the hidden tiles of {what}")
    if hidden < 0:
        raise BadData(f"the hidden tiles of {what} cannot be {hidden}")
    return mask(_row(tiles, what)), hidden


def _row(value: Json, what: str) -> list[Domino]:
    tiles = [read_domino(name, what) for name in items(value, what)]
    for index, tile in enumerate(tiles):
        if tile in tiles[:index]:
            raise BadData(f"the {tile} is twice in {what}; the set has only one")
    return tiles


# — the board —


def _history(setup: Mapping[str, Json], hands: Pair) -> tuple[Event, ...]:
    """What the position shows to have happened in this deal, in an order that could have led to it."""
    events: list[Event] = []
    if setup.get("board") is not None:
        events += _board(obj(setup["board"], "the board"))
        _check_spinner(obj(setup["board"], "the board"), events)
    for player, tiles in enumerate(_both(setup.get("drawn", ((), ())), "'drawn'"), start=1):
        for tile in _row(tiles, "the tiles drawn"):
            if not BIT[tile] & hands[player - 1]:
                raise BadData(f"the {tile} was drawn by player {player}, whose hand lacks it")
            events += (Draw(player), Drawn(tile))
    return tuple(events)


def _board(board: Mapping[str, Json]) -> Iterator[Event]:
    first = read_domino(get(board, "first", "the board"), "the board")
    arms = {arm: _row(board.get(str(arm), []), f"the {arm} arm") for arm in Arm}
    tiles = [first, *(tile for row in arms.values() for tile in row)]
    for index, tile in enumerate(tiles):
        if tile in tiles[:index]:
            raise BadData(f"the {tile} lies twice on the board; the set has only one")
    spinner = _spinner(board, tiles)
    yield Down(first)
    ends, bare = first_ends(first)
    leading = next((arm for arm, row in arms.items() if spinner in row), Arm.WEST)
    for arm in sorted(Arm, key=lambda arm: (arm > 1, arm != leading, arm)):
        for tile in arms[arm]:
            pips = PIPS[ends[arm]]
            if pips not in tile:
                there = f"that end shows {pips}" if pips >= 0 else "that end is not open"
                raise BadData(f"the {tile} cannot lie at the {arm} arm where it is: {there}")
            play = Play(tile, pips, arm)
            ends, bare = extended(ends, bare, play)
            yield play


def _check_spinner(board: Mapping[str, Json], events: list[Event]) -> None:
    named, found = board.get("spinner"), spinner_of(events)
    if named is not None and named != str(found):
        raise BadData(f"the spinner {named} lies behind the double {found}; begin the board with the spinner")


def _spinner(board: Mapping[str, Json], tiles: list[Domino]) -> Domino | None:
    doubles = [tile for tile in tiles if tile.is_double]
    named = board.get("spinner")
    if named is None:
        if len(doubles) > 1:
            raise BadData(
                f"say which of {', '.join(map(str, doubles))} is the 'spinner', the first double laid"
            )
        return doubles[0] if doubles else None
    spinner = read_domino(named, "the board")
    if spinner not in doubles:
        raise BadData(f"the spinner {spinner} should be a double on the board")
    return spinner


# — whose turn —


def _turn(setup: Mapping[str, Json], down: int, laid: int) -> int:
    if "turn" in setup:
        return player_number(setup["turn"], "'turn'")
    if laid > 1:
        raise BadData("'turn' should say whose turn it is")
    return other(down) if laid else down


def _may_demand(setup: Mapping[str, Json], down: int, laid: int) -> int:
    if "played" in setup:
        played = [truth(has, "'played'") for has in _both(setup["played"], "'played'")]
    else:
        played = [laid > 1 or (laid == 1 and player == down) for player in (1, 2)]
    return (not played[0]) + 2 * (not played[1])


def _last_events(setup: Mapping[str, Json], turn: int) -> tuple[Event, ...]:
    passed = truth(setup.get("passed", False), "'passed'")
    drawing = truth(setup.get("drawing", False), "'drawing'")
    return (Pass(other(turn)),) * passed + (Draw(turn),) * drawing


def _weighed(state: DrawState, laid: int, house: House) -> DrawState:
    """``state`` if its hands and boneyard have sizes that can come about."""
    checked(state)
    held = [tiles.bit_count() + hidden for tiles, hidden in zip(state.hands, state.hidden, strict=True)]
    if not laid and held != [house.hand, house.hand]:
        raise BadData(f"before the Down each hand holds {house.hand} tiles, not {held[0]} and {held[1]}")
    if boneyard(state) > house.boneyard:
        raise BadData(
            f"a boneyard of {boneyard(state)} tiles is too many: "
            f"deals of {house.hand} tiles leave {house.boneyard}"
        )
    if state.phase == "drawn" and not boneyard(state):
        raise BadData("a tile cannot have been drawn from a boneyard that is empty")
    return told(state, house)
