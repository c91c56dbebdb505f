"""From one deal to the next: the lot, the hands dealt, drawn and shown, and what the end of a deal earns."""

from typing import Literal

from engine.dominoes import Domino
from engine.draw_game.known_hands import boneyard
from engine.draw_game.line import NO_LINE, NO_SPINNER
from engine.draw_game.model import (
    ALL,
    Cause,
    Deal,
    Draw,
    DrawFact,
    DrawMatch,
    Drawn,
    DrawState,
    Line,
    Lot,
    Pair,
    Pass,
    Phase,
    Redeal,
    Shown,
    mask,
    moves_in,
    other,
    pips_in,
    tiles_in,
)
from engine.draw_game.proof import settled
from engine.draw_game.rules import House
from engine.errors import ImpossibleFact

BEGINNING = DrawState(
    phase="lot",
    mover=1,
    hands=(0, 0),
    hidden=(0, 0),
    unseen=ALL,
    ends=NO_LINE,
    bare=NO_SPINNER,
    redeal=0,
    history=(),
    scores=(0, 0),
    lines=(),
    claims=(),
    match=DrawMatch(),
)
"""A match before the lot."""


# — facts —


def seen(state: DrawState, fact: DrawFact, house: House) -> DrawState:
    """The state once ``fact`` has been seen; raises ImpossibleFact where it cannot be."""
    match fact:
        case Drawn() if state.phase == "drawn":
            return _drawn(state, fact, house)
        case Deal() if state.phase == "deal":
            return _dealt(state, fact, house)
        case Lot() if state.phase == "lot":
            return _lot(state, fact)
        case Shown() if may_show(state):
            return _shown(state, fact, house)
    waits = "nothing, the match is over" if state.phase == "over" else _WAITS[state.phase]
    raise ImpossibleFact("OBS-DRW-DUE", f"This cannot be seen now: the game waits for {waits}.")


_WAITS = {
    "lot": "the lot (see lot 3-4 / 5-6)",
    "deal": "the deal (see deal hidden / hidden)",
    "playing": "a move",
    "drawn": "the tile drawn (see drawn 2-5, or see drawn unseen)",
    "hand": "a hand laid open (see hand 2: 0-1 2-3)",
}


def may_show(state: DrawState) -> bool:
    """Whether a hidden hand is to be laid open, or (after a redeal) may be, to show its doubles."""
    if state.phase == "hand":
        return True
    last = state.history[-1] if state.history else None
    return (
        state.phase == "deal"
        and isinstance(last, Redeal)
        and state.hidden[(last.player or state.mover) - 1] > 0
    )


def _lot(state: DrawState, lot: Lot) -> DrawState:
    first, second = lot.tiles
    if first == second:
        raise ImpossibleFact("OBS-DRW-TWICE", f"Both players cannot draw the {first}; the set has only one.")
    if first.pips == second.pips:
        return state
    down = 1 if first.pips > second.pips else 2
    return state._replace(phase="deal", mover=down, match=state.match._replace(down=down))


def _dealt(state: DrawState, deal: Deal, house: House) -> DrawState:
    for player, hand in enumerate(deal.hands, start=1):
        if hand is not None and len(hand) != house.hand:
            sentence = f"Player {player} is dealt {house.hand} tiles, not {len(hand)}."
            raise ImpossibleFact("OBS-DRW-COUNT", sentence)
    _once([tile for hand in deal.hands for tile in hand or ()])
    first, second = (mask(hand) if hand else 0 for hand in deal.hands)
    hidden = (0 if first else house.hand, 0 if second else house.hand)
    return new_deal(state, (first, second), hidden)


def _once(tiles: list[Domino]) -> None:
    for index, tile in enumerate(tiles):
        if tile in tiles[:index]:
            raise ImpossibleFact("OBS-DRW-TWICE", f"The {tile} is there twice; the set has only one.")


def new_deal(state: DrawState, hands: Pair, hidden: Pair) -> DrawState:
    """The state with new hands, before the Down."""
    match = state.match
    return DrawState(
        "playing",
        match.down,
        hands,
        hidden,
        ALL ^ hands[0] ^ hands[1],
        NO_LINE,
        NO_SPINNER,
        3,
        (),
        state.scores,
        state.lines,
        (),
        DrawMatch(match.deal + 1, match.down, match.before + moves_in(state.history), None, match.proofs),
    )


def drawer(state: DrawState) -> int:
    """The player who has just drawn."""
    last = state.history[-1]
    return (last.player if isinstance(last, Draw) else None) or state.mover


def _drawn(state: DrawState, drawn: Drawn, house: House) -> DrawState:
    index = drawer(state) - 1
    _, mover, hands, hidden, unseen, ends, bare, redeal, history, scores, lines, claims, match = state
    bit = drawn.bit
    if not bit:
        hidden = (hidden[0] + 1, hidden[1]) if index == 0 else (hidden[0], hidden[1] + 1)
    else:
        if not bit & unseen:
            raise ImpossibleFact(
                "OBS-DRW-TWICE",
                f"The {drawn.tile} cannot come from the boneyard: it is known to be elsewhere.",
            )
        unseen ^= bit
        hands = (hands[0] | bit, hands[1]) if index == 0 else (hands[0], hands[1] | bit)
    after = DrawState(
        "playing",
        mover,
        hands,
        hidden,
        unseen,
        ends,
        bare,
        redeal,
        (*history, drawn),
        scores,
        lines,
        claims,
        match,
    )
    return told(after, house) if hidden != (0, 0) else after


def _shown(state: DrawState, shown: Shown, house: House) -> DrawState:
    index, tiles = shown.player - 1, mask(shown.tiles)
    if not state.hidden[index]:
        sentence = f"The hand of player {shown.player} is known already: {_words(state.hands[index])}."
        raise ImpossibleFact("OBS-DRW-DUE", sentence)
    _once(list(shown.tiles))
    kept = state.hands[index] & ~tiles
    if kept:
        sentence = f"Player {shown.player} still holds the {_words(kept)}, which the hand shown lacks."
        raise ImpossibleFact("OBS-DRW-KEPT", sentence)
    held = state.hands[index].bit_count() + state.hidden[index]
    if len(shown.tiles) != held:
        sentence = f"Player {shown.player} holds {held} tiles, not {len(shown.tiles)}."
        raise ImpossibleFact("OBS-DRW-COUNT", sentence)
    fresh = tiles & ~state.hands[index]
    if fresh & ~state.unseen:
        sentence = (
            f"The {_words(fresh & ~state.unseen)} cannot be in the hand of player {shown.player}: elsewhere."
        )
        raise ImpossibleFact("OBS-DRW-TWICE", sentence)
    first, second = state.hands, state.hidden
    after = told(
        state._replace(
            hands=(tiles, first[1]) if index == 0 else (first[0], tiles),
            hidden=(0, second[1]) if index == 0 else (second[0], 0),
            unseen=state.unseen & ~fresh,
            history=(*state.history, shown),
        ),
        house,
    )
    return closed(after, house) if state.phase == "hand" else after


def _words(tiles: int) -> str:
    return ", ".join(map(str, tiles_in(tiles)))


# — what can be told —


def told(state: DrawState, house: House) -> DrawState:
    """The state with what follows from what was seen: proofs, and a hidden hand that is all that is left."""
    first, second = state.hidden
    if (first == 0) != (second == 0) and not boneyard(state) and state.phase != "drawn":
        index = 0 if first else 1
        whole = state.hands[index] | state.unseen
        state = state._replace(
            hands=(whole, state.hands[1]) if index == 0 else (state.hands[0], whole), hidden=(0, 0), unseen=0
        )
    return settled(state, house) if state.claims else state


# — the end of a deal —


def closed(state: DrawState, house: House) -> DrawState:
    """The deal is over: its points, or the wait for hands that nobody has seen."""
    if state.hidden != (0, 0):
        return state._replace(phase="hand")
    first, second = state.hands
    deal = state.match.deal
    mine, yours = pips_in(first), pips_in(second)
    earned = []
    cause: Literal["out", "blocked"] = "blocked" if first and second else "out"
    if not first or (second and (mine < yours or (mine == yours and house.tie_scores))):
        earned.append(Line(1, nearest_five(second, yours, house), deal, cause, yours))
    if not second or (first and (yours < mine or (mine == yours and house.tie_scores))):
        earned.append(Line(2, nearest_five(first, mine, house), deal, cause, mine))
    return _ended(state, earned, house)


def _ended(state: DrawState, earned: list[Line], house: House) -> DrawState:
    """The state after a deal's last points: the match is over, or the other player has the next Down."""
    _, mover, hands, hidden, unseen, ends, bare, redeal, history, scores, lines, claims, match = state
    first, second = scores
    for line in earned:
        first += line.points if line.player == 1 else 0
        second += line.points if line.player == 2 else 0
    phase: Phase = "over"
    if max(first, second) < house.target or first == second:
        mover = 3 - match.down
        phase, match = "deal", DrawMatch(match.deal, mover, match.before, None, match.proofs)
    return DrawState(
        phase,
        mover,
        hands,
        hidden,
        unseen,
        ends,
        bare,
        redeal,
        history,
        (first, second),
        (*lines, *earned),
        claims,
        match,
    )


def nearest_five(tiles: int, pips: int, house: House) -> int:
    """The ``pips`` of these tiles to the nearest five."""
    if house.each_tile:
        return sum(_rounded(tile.pips) for tile in tiles_in(tiles))
    return _rounded(pips)


def _rounded(pips: int) -> int:
    return (pips + 2) // 5 * 5


def paid(state: DrawState, player: int, points: int, cause: Cause, pips: int) -> DrawState:
    """The state with points written down."""
    first, second = state.scores
    scores = (first + points, second) if player == 1 else (first, second + points)
    return state._replace(
        scores=scores, lines=(*state.lines, Line(player, points, state.match.deal, cause, pips))
    )


def redealt(state: DrawState, house: House) -> DrawState:
    """The state after a redeal was demanded: the deal is void."""
    lines = state.lines
    if house.redeal_voids:
        lines = tuple(line for line in lines if line.deal != state.match.deal)
    totals = [sum(line.points for line in lines if line.player == player) for player in (1, 2)]
    down = other(state.match.down) if house.redeal_moves_down else state.match.down
    return state._replace(
        phase="deal",
        mover=down,
        redeal=0,
        lines=lines,
        scores=(totals[0], totals[1]),
        match=state.match._replace(down=down, due=None),
    )


def blocked_by(state: DrawState, player: int) -> bool:
    """Whether a pass of ``player`` now is the second in turn."""
    last = state.history[-1] if state.history else None
    return isinstance(last, Pass) and last.player == other(player)
