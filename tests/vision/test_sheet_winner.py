"""Who wins by two maps that were read, and when that is left open."""

from dataclasses import replace

from engine.kingdomino_duel.kingdom import Kingdom
from tests.vision.test_sheet_decoder import PAIRS, SAMPLE, read
from vision.sheet_decoder import as_told
from vision.sheet_winner import likely_winner


def test_a_clear_winner_is_sure() -> None:
    """29 points beat two, whichever map is named first."""
    assert likely_winner(read(SAMPLE), read(PAIRS)).player == 1
    found = likely_winner(read(PAIRS), read(SAMPLE))
    assert (found.player, found.open, found.hangs_on) == (2, False, ((), ()))


def test_a_doubt_that_changes_no_winner_leaves_nothing_open() -> None:
    """A cross more or less does not help a map of two points against one of 29."""
    doubtful = read(PAIRS, {"r3c3": {"d1": 0.6, "d0": 0.4}})
    assert doubtful.doubts
    assert not likely_winner(doubtful, read(SAMPLE)).open


def test_a_doubt_that_may_change_the_winner_leaves_it_open() -> None:
    """Two maps of the same points but for one cross: the square is named."""
    doubtful = read(PAIRS, {"r3c3": {"d1": 0.6, "d0": 0.4}})
    found = likely_winner(doubtful, read(PAIRS))
    assert found.open
    assert found.hangs_on == (("r3c3",), ())


def test_the_largest_domain_breaks_a_tie_and_may_be_open_too() -> None:
    """A coat without crosses adds no point, but a square to the largest domain."""
    rows = list(PAIRS.rows)
    longer = Kingdom.from_rows([*rows[:2], ". d0 d1 C s0 s0 s0", *rows[3:]])
    assert likely_winner(read(longer), read(PAIRS)).player == 1
    assert likely_winner(read(longer, {"r3c7": {"s0": 0.7, "S0": 0.3}}), read(PAIRS)).open
    assert likely_winner(read(PAIRS), read(PAIRS)).player is None


def test_what_people_settled_is_certain() -> None:
    """A map that a person told leaves nothing open; a coat named with P5 pays."""
    first, second = as_told(PAIRS, roof=False), as_told(PAIRS, roof=False)
    assert not likely_winner(first, second).open
    assert likely_winner(first.with_named(0), second).player == 1
    assert replace(first.with_named(0)).worth[0].total == first.worth[0].total + 3
