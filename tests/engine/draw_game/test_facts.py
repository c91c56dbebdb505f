"""What the camera sees: the lot, deals, tiles drawn; what can be, and what cannot."""

from collections import Counter
from itertools import islice
from random import Random

import pytest

from engine import ImpossibleFact
from engine.draw_game.model import Deal, Drawn, Lot, Redeal, Shown
from tests.engine.draw_game.scene import after, chain, game, opening, position


@pytest.mark.rules("DRW-2")
def test_the_lot_gives_the_down_to_more_pips() -> None:
    """A match nobody has seen anything of waits for the lot, then for the deal, then for the Down."""
    book = game()
    state = book.start()
    assert book.pending(state) == "lot"
    lot = after(book, state, "see lot 3-4 / 5-6")
    assert (book.pending(lot), lot.match.down) == ("deal", 2)
    dealt = after(book, lot, "see deal hidden / hidden")
    assert (book.pending(dealt), dealt.mover, book.movers(dealt)) == (None, 2, (1, 2))
    # of hidden hands either may yet demand a redeal; where no hand has doubles enough, only the Down is left
    first = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-2 1-3 1-4 1-5"
    plain = after(book, lot, f"see deal {first} / 2-2 3-3 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6")
    assert (plain.mover, book.movers(plain)) == (2, (2,))
    assert {type(move) for move in book.legal_moves(dealt) if move.player == 1} == {Redeal}


@pytest.mark.rules("OBS-DRW-TWICE")
def test_no_tile_is_in_two_places() -> None:
    """The lot, a deal and a draw in which a tile is twice are refused, and name the tile."""
    book = game("hand=7")
    lot, deal = book.start(), book.start(setup={"down": 1})
    known = "0-0 0-1 0-2 0-3 0-4 0-5 0-6"
    drawing = after(book, deal, f"see deal {known} / hidden", "1: down 0-6", "2: draw")
    for state, line, tile in (
        (lot, "see lot 3-4 / 3-4", "3-4"),
        (deal, f"see deal {known} / 0-6 1-1 1-2 1-3 1-4 1-5 1-6", "0-6"),
        (deal, "see deal 0-0 0-1 0-2 0-3 0-4 0-5 0-5 / hidden", "0-5"),
        (drawing, "see drawn 0-3", "0-3"),
        (drawing, "see drawn 0-6", "0-6"),
    ):
        with pytest.raises(ImpossibleFact, match=tile) as wrong:
            book.observe(state, book.parse_fact(line))
        assert wrong.value.rule == "OBS-DRW-TWICE"


@pytest.mark.rules("OBS-DRW-COUNT", "DRW-1")
def test_a_hand_is_dealt_as_many_tiles_as_agreed() -> None:
    """Six tiles are no hand of seven."""
    book = game("hand=7")
    with pytest.raises(ImpossibleFact, match="Player 2 is dealt 7 tiles, not 2") as wrong:
        book.observe(book.start(setup={"down": 1}), book.parse_fact("see deal hidden / 0-0 0-1"))
    assert wrong.value.rule == "OBS-DRW-COUNT"


@pytest.mark.rules("OBS-DRW-DUE")
@pytest.mark.parametrize("phase", ["lot", "deal", "playing", "drawn", "over"])
def test_only_what_is_due_is_seen(phase: str) -> None:
    """At any moment every other kind of fact is refused, in words that say what the game waits for."""
    book = game("hand=7")
    deal = book.start(setup={"down": 1})
    playing = after(book, deal, "see deal hidden / hidden")
    drawn = after(book, playing, "1: down 3-4", "2: draw")
    won = after(book, opening(book, ["0-5"], scores=[245, 0]), "1: down 0-5")
    states = {"lot": book.start(), "deal": deal, "playing": playing, "drawn": drawn, "over": won}
    facts = {"lot": "see lot 0-0 / 1-1", "deal": "see deal hidden / hidden", "drawn": "see drawn unseen"}
    for kind, line in {**facts, "hand": "see hand 1: 0-0"}.items():
        if kind != phase:
            with pytest.raises(ImpossibleFact, match="the game waits for") as wrong:
                book.observe(states[phase], book.parse_fact(line))
            assert wrong.value.rule == "OBS-DRW-DUE"


def test_possible_facts_of_every_kind() -> None:
    """Lots are all ordered pairs, deals begin with hidden hands, draws end with an unseen tile."""
    book = game("hand=7")
    lots = list(book.possible_facts(book.start()))
    assert (len(lots), len(set(lots))) == (28 * 27, 28 * 27)
    deals = list(islice(book.possible_facts(book.start(setup={"down": 1})), 3))
    assert deals[0] == Deal((None, None))
    assert isinstance(deals[1], Deal)
    assert deals[1].hands[0] is None
    assert deals[1].hands[1] is not None
    state = position(book, "0-0 3-3", "4-4 5-5", board=chain(2, 6, 10, ""), turn=1)
    drawn = list(book.possible_facts(after(book, state, "1: draw")))
    assert len(drawn) == 15
    assert drawn[-1] == Drawn(None)
    assert list(book.possible_facts(state)) == []


def test_possible_hands_are_all_choices_of_unseen_tiles() -> None:
    """A hand of one known and one hidden tile can be shown with each of the unseen tiles, and no other."""
    book = game("boneyard_floor=14+hand=7")
    state = position(book, "0-0 +1", "0-1 3-3 1-1 4-4", board=chain(2, 6, 8, "0-1"), turn=1)
    blocked = after(book, state, "1: pass", "2: pass")
    shown = list(book.possible_facts(blocked))
    assert len(shown) == blocked.unseen.bit_count() == 15
    assert all(isinstance(fact, Shown) and fact.player == 1 for fact in shown)


def test_samples_are_possible_and_as_at_a_table() -> None:
    """Samples are possible facts; a drawn tile is any of the boneyard, unseen for a hidden hand."""
    book = game("hand=7")
    rng = Random(1)
    lot = book.sample(book.start(), rng)
    assert isinstance(lot, Lot)
    deal = book.sample(book.start(setup={"down": 1}), rng)
    assert isinstance(deal, Deal)
    book.observe(book.start(setup={"down": 1}), deal)
    state = position(book, "0-0 3-3", "4-4 5-5", board=chain(2, 6, 10, ""), turn=1)
    drawing = after(book, state, "1: draw")
    seen = Counter(book.sample(drawing, rng) for _ in range(300))
    assert set(seen) == set(list(book.possible_facts(drawing))[:-1])
    hidden = after(book, position(book, 2, "4-4 5-5", board=chain(2, 6, 10, ""), turn=1), "1: draw")
    assert book.sample(hidden, rng) == Drawn(None)
    with pytest.raises(ValueError, match="no fact is pending"):
        book.sample(state, rng)


def test_each_of_two_hidden_hands_is_shown() -> None:
    """After a block both hidden hands are due, in either order; the deal is scored once both are known."""
    book = game("boneyard_floor=14+hand=7")
    state = position(book, 2, 2, board=chain(2, 6, 10, ""), turn=1)
    blocked = after(book, state, "1: pass", "2: pass")
    assert book.pending(blocked) == "hand"
    one = after(book, blocked, "see hand 2: 0-0 1-1")
    assert (book.pending(one), one.scores) == ("hand", (0, 0))
    assert after(book, one, "see hand 1: 3-3 4-4").scores == (0, 15)
    assert after(book, blocked, "see hand 1: 3-3 4-4", "see hand 2: 0-0 1-1").scores == (0, 15)
    sampled = book.observe(blocked, book.sample(blocked, Random(3)))
    assert sampled.hidden == (0, 2)
