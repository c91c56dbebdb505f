"""Meals, attacks and children: what is wrong with one that was claimed, and what allows it."""

from collections.abc import Sequence
from typing import Final

from engine.dominoids.board import BESIDE, NAMES, NUMBER_OF, POOL, ends
from engine.dominoids.model import (
    ATE,
    ATTACKED,
    BRED,
    BUDDED,
    CONSEQUENCE,
    DOMINOES,
    NUMBER,
    SHIFTED,
    UNKNOWN,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Eat,
    Laid,
)
from engine.dominoids.options import (
    beside_pips,
    can_move,
    children,
    contacts,
    is_number,
    number_moves,
    prey,
)
from engine.dominoids.telling import coin_name, die_name, fault, in_the_way, listed
from engine.plain import Json
from engine.ruling import Fault

_RULES: Final = {ATE: "DMN-4.6", ATTACKED: "DMN-4.7", BRED: "DMN-4.8"}
_SECOND: Final = {ATE: "DMN-4.6.2", ATTACKED: "DMN-4.7.2", BRED: "DMN-4.8.2"}
_WORDS: Final = {ATE: "eat", ATTACKED: "attack", BRED: "breed"}
_DONE: Final = {ATE: "eaten", ATTACKED: "attacked", BRED: "bred"}


def time_faults(state: DominoidsState, deed: int) -> list[Fault]:
    """What is wrong with eating, attacking or breeding just now, whatever it is aimed at."""
    if state.stage == CONSEQUENCE:
        return []
    word = _WORDS[deed]
    if state.deed in _DONE:
        mover = DOMINOES[state.mover]
        facts: dict[str, Json] = {"domino": str(mover), "done": _DONE[state.deed]}
        if state.deed == deed:
            return [
                fault(_SECOND[deed], f"The {mover} has {_DONE[deed]} already, and may only once.", (), facts)
            ]
        both = f"The {mover} has {_DONE[state.deed]} and may not {word} as well: only one of these is done."
        return [fault("DMN-4.9", both, (), facts)]
    if state.deed == SHIFTED:
        return [fault("DMN-5.4", f"The board was shifted, and after a shift no Dominoid may {word}.")]
    if state.deed == BUDDED:
        return [fault("DMN-4.8.5", f"A child was born by budding, and a newborn child does not {word}.")]
    return [fault(_RULES[deed], f"A Dominoid may {word} only right after a slide, and none has just slid.")]


def duties(state: DominoidsState) -> list[Fault]:
    """What the Dominoid that slid must still do, one of these."""
    found = prey(state)
    mover = DOMINOES[state.mover]
    faults: list[Fault] = []
    if found.coins:
        at = listed((NAMES[square] for square in found.coins), "or")
        sentence = f"The {mover} must eat: there is a coin for it on {at}."
        if any(coin.value == UNKNOWN for coin in state.coins if coin.square in found.coins):
            sentence = f"The {mover} must try the coin on {at} first."
        faults.append(fault("DMN-4.6.3", sentence, found.coins, {"coins": [NAMES[at] for at in found.coins]}))
    if found.victims:
        names = [str(DOMINOES[victim]) for victim in found.victims]
        sentence = f"The {mover} must attack: the {listed(names, 'or')} lies beside a bigger end of it."
        squares = [end for victim in found.victims for end in ends(state.dominoes[victim])]
        faults.append(fault("DMN-4.7.3", sentence, squares, {"victims": names}))
    if children(state, found.partners):
        names = [str(DOMINOES[partner]) for partner in found.partners]
        sentence = f"The {mover} must breed: the {listed(names, 'or')} lies beside an equal end of it."
        squares = [end for partner in found.partners for end in ends(state.dominoes[partner])]
        faults.append(fault("DMN-4.8.3", sentence, squares, {"partners": names}))
    return faults


# — eating —


def eat_faults(state: DominoidsState, move: Eat) -> list[Fault]:
    """What is wrong with eating this coin."""
    faults = time_faults(state, ATE)
    square = NUMBER_OF.get(move.square)
    coin = None if square is None else state.coin_at(square)
    if square is None or coin is None:
        return [*faults, fault("DMN-4.6", f"There is no coin on {move.square}.", (move.square,))]
    if state.stage != CONSEQUENCE:
        return faults
    mover = DOMINOES[state.mover]
    pips = beside_pips(state, state.mover, square)
    facts: dict[str, Json] = {"coin": str(move.square), "domino": str(mover), "end": pips}
    if pips is None:
        lies = ends(state.dominoes[state.mover])
        sentence = f"The coin on {move.square} does not lie beside the {mover} that slid."
        return [*faults, fault("DMN-4.6", sentence, (square, *lies), facts)]
    if coin.value != UNKNOWN and coin.value > pips:
        sentence = f"The coin on {move.square} is worth {coin.value}, more than the {pips} beside it."
        return [*faults, fault("DMN-4.6", sentence, (square,), {**facts, "value": coin.value})]
    return faults


def eat_grounds(state: DominoidsState, move: Eat) -> Fault:
    """The rule that allows the meal."""
    square = NUMBER_OF[move.square]
    coin = state.coin_at(square)
    mover, pips = DOMINOES[state.mover], beside_pips(state, state.mover, square)
    facts: dict[str, Json] = {"coin": str(move.square), "domino": str(mover), "end": pips}
    if coin is None or coin.value == UNKNOWN:
        sentence = f"The {mover} tries the coin on {move.square} with its {pips}; it is turned up."
        return fault("DMN-4.6", sentence, (square,), facts)
    sentence = f"The {pips} of the {mover} eats {coin_name(coin.suit, coin.value)} on {move.square}"
    facts["value"] = coin.value
    if len(state.after_meal(state.player, coin).exhausted()) >= 3:
        return fault("DMN-4.6.4", f"{sentence}, and coins of at most one suit are left.", (square,), facts)
    return fault("DMN-4.6", f"{sentence}.", (square,), facts)


# — attacking —


def attack_faults(state: DominoidsState, move: Attack) -> list[Fault]:
    """What is wrong with attacking this Dominoid."""
    faults = time_faults(state, ATTACKED)
    victim = NUMBER[move.victim]
    if state.dominoes[victim] == POOL:
        return [*faults, fault("DMN-4.7", f"The {move.victim} is in the gene pool, not on the board.")]
    if state.stage != CONSEQUENCE:
        return faults
    mover, lies = DOMINOES[state.mover], ends(state.dominoes[victim])
    facts: dict[str, Json] = {"domino": str(mover), "victim": str(move.victim)}
    if victim == state.mover:
        return [*faults, fault("DMN-4.7", f"The {mover} cannot attack itself.", lies, facts)]
    touching = contacts(state, state.mover, victim)
    if not touching:
        sentence = f"The {move.victim} does not lie beside the {mover} that slid."
        return [*faults, fault("DMN-4.7", sentence, lies, facts)]
    if not any(theirs < mine for mine, _, theirs, _ in touching):
        met = listed(f"{theirs} beside {mine}" for mine, _, theirs, _ in touching)
        squares = [at for _, mine_at, _, their_at in touching for at in (mine_at, their_at)]
        sentence = f"The {mover} has no bigger end beside the {move.victim}: there is {met}."
        return [*faults, fault("DMN-4.7", sentence, squares, facts)]
    return faults


def attack_grounds(state: DominoidsState, move: Attack) -> Fault:
    """The rule that allows the attack."""
    mover = DOMINOES[state.mover]
    mine, at, theirs, there = next(
        touch for touch in contacts(state, state.mover, NUMBER[move.victim]) if touch[2] < touch[0]
    )
    return fault(
        "DMN-4.7",
        f"The {mine} of the {mover} on {NAMES[at]} attacks the {theirs} of the {move.victim} "
        f"on {NAMES[there]}.",
        (at, there),
        {"domino": str(mover), "victim": str(move.victim), "end": mine, "victims_end": theirs},
    )


# — children —


def birth_faults(state: DominoidsState, move: Birth) -> list[Fault]:
    """What is wrong with this child of the Dominoid that slid."""
    faults = [*time_faults(state, BRED), *_place_faults(state, move.child)]
    if state.stage != CONSEQUENCE:
        return faults
    partners = prey(state).partners
    if not partners:
        mover = DOMINOES[state.mover]
        sentence = f"The {mover} lies beside no equal end of another Dominoid, so that it cannot breed."
        return [
            *faults,
            fault("DMN-4.8", sentence, ends(state.dominoes[state.mover]), {"domino": str(mover)}),
        ]
    return [*faults, *_kin_faults(state, move.child, (state.mover, *partners))]


def bud_faults(state: DominoidsState, move: Bud) -> list[Fault]:
    """What is wrong with this child of a single parent."""
    faults: list[Fault] = []
    face, occupied = state.faces[move.die], state.occupied
    if is_number(face) and can_move(state, face, occupied):
        number, _ = number_moves(state, face, occupied)[0]
        sentence = (
            f"A Dominoid buds only when nothing can move, and with {die_name(state, move.die)} "
            f"the {DOMINOES[number]} can."
        )
        faults.append(
            fault("DMN-4.10", sentence, ends(state.dominoes[number]), {"can_move": str(DOMINOES[number])})
        )
    parents = [number for number, lie_ in enumerate(state.dominoes) if lie_ != POOL]
    return [*faults, *_place_faults(state, move.child), *_kin_faults(state, move.child, parents)]


def _place_faults(state: DominoidsState, child: Laid) -> list[Fault]:
    """What is wrong with taking this child, and with its two squares, whoever the parents are."""
    faults: list[Fault] = []
    here, facts = (child.low, child.high), {"child": str(child.domino)}
    if state.dominoes[child.number] != POOL:
        sentence = f"The {child.domino} is on the board already; a child comes from the gene pool."
        faults.append(fault("DMN-4.8.4", sentence, ends(state.dominoes[child.number]), facts))
    if child.lie is None:
        faults.append(fault("DMN-4.8", f"The {child.domino} would not lie on the board.", here, facts))
    blocked = in_the_way(state, here, child.number)
    if blocked:
        pieces = listed(f"{piece} on {at}" for piece, at in blocked)
        faults.append(fault("DMN-4.8", f"The {child.domino} would lie on {pieces}.", here, facts))
    return faults


def _kin_faults(state: DominoidsState, child: Laid, parents: Sequence[int]) -> list[Fault]:
    """What is wrong between the child and its parents: nothing shared, or not touching with it."""
    here, facts = (child.low, child.high), {"child": str(child.domino)}
    touching = [
        (pips, end)
        for parent in parents
        for pips, end in zip(DOMINOES[parent], ends(state.dominoes[parent]), strict=True)
        if pips in child.domino
    ]
    if not touching:
        names = listed((f"the {DOMINOES[parent]}" for parent in parents), "or") if parents else "any parent"
        sentence = f"The {child.domino} shares no number with {names}."
        return [fault("DMN-4.8.4", sentence, here, facts)]
    if not any(_matches(child, pips, end) for pips, end in touching):
        shared = listed(sorted({str(pips) for pips, _ in touching}), "or")
        sentence = f"On {child} the {child.domino} has no {shared} beside the same number of a parent."
        return [fault("DMN-4.8.4", sentence, here, facts)]
    return []


def _matches(child: Laid, pips: int, end: int) -> bool:
    """Whether the child has this number on a square beside the parent's end."""
    near = [
        NUMBER_OF.get(at)
        for at, own in zip((child.low, child.high), child.domino, strict=True)
        if own == pips
    ]
    return any(at in BESIDE[end] for at in near)


def child_grounds(state: DominoidsState, child: Laid, parents: Sequence[int]) -> Fault:
    """The rule that allows the child; the parent named is one that could have borne it."""
    pips, end, parent = next(
        (pips, end, parent)
        for parent in parents
        for pips, end in zip(DOMINOES[parent], ends(state.dominoes[parent]), strict=True)
        if _matches(child, pips, end)
    )
    return fault(
        "DMN-4.8.4",
        f"The {child.domino} is born with its {pips} beside the {pips} of the {DOMINOES[parent]} "
        f"on {NAMES[end]}.",
        (child.low, child.high, end),
        {"child": str(child.domino), "shared": pips, "parent": str(DOMINOES[parent])},
    )
