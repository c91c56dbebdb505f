"""Draws, passes and demands from a hidden hand: what they leave open, and when tiles prove them wrong.

A tile that a player shows later was in the hand at an earlier draw or pass unless it can have been drawn
since. So it is proof as soon as more fitting tiles have been shown than were drawn unseen in between.
"""

from engine.draw_game.known_hands import dealt_doubles
from engine.draw_game.line import PIPS, arms_for, fitting
from engine.draw_game.model import (
    DOUBLES,
    Beside,
    Claim,
    Down,
    Draw,
    Drawn,
    DrawState,
    Pass,
    Play,
    Proof,
    Redeal,
    moves_in,
    tiles_in,
)
from engine.draw_game.notation import format_move
from engine.draw_game.rules import House
from engine.plain import JsonObject
from engine.ruling import LateRuling, Ruling, Status


def claim(state: DrawState, move: Draw | Pass | Redeal) -> Claim:
    """What ``move``, made now from a hidden hand, leaves open."""
    fits = DOUBLES if isinstance(move, Redeal) else fitting(state.ends)
    return Claim(moves_made(state) + 1, len(state.history), move, fits, state.ends)


def moves_made(state: DrawState) -> int:
    """How many moves the match has seen."""
    return state.match.before + moves_in(state.history)


def settled(state: DrawState, house: House) -> DrawState:
    """The state with every claim that is now proved wrong turned into a proof."""
    proofs = tuple(proof for one in state.claims if (proof := _proof(state, one, house)))
    if not proofs:
        return state
    proved = {proof.claim for proof in proofs}
    return state._replace(
        claims=tuple(one for one in state.claims if one not in proved),
        match=state.match._replace(proofs=state.match.proofs + proofs),
    )


def _proof(state: DrawState, one: Claim, house: House) -> Proof | None:
    """The proof that a claim was wrong, or None while there is none."""
    player, now = one.move.player or state.mover, moves_made(state)
    if isinstance(one.move, Redeal):
        _, most = dealt_doubles(state, player)
        return Proof(one, state.hands[player - 1], 0, now) if most < house.doubles else None
    shown = drawn_unseen = drawn_seen = drawer = 0
    for event in state.history[one.at :]:
        match event:
            case Draw():
                drawer = event.player or 0
            case Drawn() if drawer == player:
                drawn_seen |= event.bit
                drawn_unseen += event.tile is None
            case Down() | Play() | Beside() if event.player == player:
                shown |= event.bit & one.fits & ~drawn_seen
                if shown.bit_count() > drawn_unseen:
                    return Proof(one, shown, drawn_unseen, now)
    shown |= state.hands[player - 1] & one.fits & ~drawn_seen
    return Proof(one, shown, drawn_unseen, now) if shown.bit_count() > drawn_unseen else None


def late_ruling(proof: Proof, house: House, profile: str) -> LateRuling:
    """The ruling on a claim that was proved wrong."""
    move = proof.claim.move
    rule, reason, squares, facts = _redeal(proof, house) if isinstance(move, Redeal) else _missed(proof)
    ruling = Ruling(Status.ILLEGAL, rule, reason, squares, facts, profile=profile)
    return LateRuling(proof.claim.turn, format_move(move), ruling)


def _redeal(proof: Proof, house: House) -> tuple[str, str, tuple[str, ...], JsonObject]:
    doubles = (proof.tiles & DOUBLES).bit_count()
    reason = (
        f"At move {proof.claim.turn} player {proof.claim.move.player} demanded a redeal, but the hand shown "
        f"has {doubles} doubles and {house.doubles} are needed."
    )
    tiles = [str(tile) for tile in tiles_in(proof.tiles)]
    return "DRW-13", reason, (), {"turn": proof.claim.turn, "tiles": tiles, "doubles": doubles}


def _missed(proof: Proof) -> tuple[str, str, tuple[str, ...], JsonObject]:
    turn, _, move, _, ends = proof.claim
    tiles = tiles_in(proof.tiles)
    arms = arms_for(tiles[0], ends)
    did = "drew" if isinstance(move, Draw) else "passed"
    names = " and ".join(filter(None, (", ".join(map(str, tiles[:-1])), str(tiles[-1]))))
    if proof.drawn:
        held = f"with at least {len(tiles) - proof.drawn} of {names} in hand, which all fitted"
        why = f"only {proof.drawn} of them can have been drawn since"
    else:
        held = f"with the {names} in hand, which fitted the {PIPS[ends[arms[0]]]} at the {arms[0]} end"
        why = "nothing drawn since can have been it" if len(tiles) == 1 else "none of them was drawn since"
    return (
        "DRW-9",
        f"At move {turn} player {move.player} {did} {held}: {why}.",
        tuple(dict.fromkeys(str(arm) for tile in tiles for arm in arms_for(tile, ends))),
        {"turn": turn, "tiles": [str(tile) for tile in tiles], "proved_at": proof.turn},
    )
