"""The most probable map that a game can have left, and what is doubtful about it."""

import numpy as np
import pytest

from engine.kingdomino_duel.kingdom import CASTLE, SQUARES, Kingdom
from vision.sheet_decoder import ReadMap, decode

SAMPLE = Kingdom.from_rows(
    [
        "d0 d1 s0 s0 b2 b0 q0", "d0 D0 D1 s1 b0 q2 q0", "S0 S1 D0 C s0 s0 D1", "S0 . d0 d0 d1 S0 D0",
        ". . q0 q0 . . .",
    ]
)  # fmt: skip
Seen = dict[str, dict[str, float]]
"""What is seen on a square instead: notation and probability."""


def read(
    kingdom: Kingdom, seen: Seen | None = None, *, roof: float = 0.0, logged: Kingdom | None = None
) -> ReadMap:
    """What is decoded where every square is clear but those given."""
    coats, crosses = np.full((35, 7), 1e-7), np.full((35, 4), 1e-7)
    for k, square in enumerate(SQUARES):
        mark = None if square == CASTLE else kingdom.at(square)
        coats[k, 0 if mark is None else 1 + mark.coat] = 1
        crosses[k, 0 if mark is None else mark.crosses] = 1
    for name, chances in (seen or {}).items():
        k = (int(name[1]) - 1) * 7 + int(name[3]) - 1
        coats[k], crosses[k] = 1e-7, 1e-7
        for written, chance in chances.items():
            coats[k, 0 if written == "." else 1 + "dDsSqb".index(written[0])] += chance
            crosses[k, 0 if written == "." else int(written[1])] += chance
    return decode(
        coats / coats.sum(1, keepdims=True), crosses / crosses.sum(1, keepdims=True), roof, logged=logged
    )


def test_a_clear_sheet_is_read_without_doubts() -> None:
    """The sample map of the rule book is worth its 29 points, each square surely read."""
    found = read(SAMPLE)
    assert found.kingdom == SAMPLE
    assert (found.score.total, found.doubts) == (29, ())
    assert all(square.confidence > 0.98 for square in found.squares)


def test_a_square_that_changes_the_score_is_a_doubt() -> None:
    """A cross that may or may not be there is said, with the other total."""
    found = read(SAMPLE, {"r1c1": {"d0": 0.6, "d1": 0.4}})
    assert found.doubts == ("r1c1",)
    assert found.other_scores[0][0] == 32


def test_a_square_that_changes_nothing_is_doubted_but_pays_nothing() -> None:
    """A lone coat without a cross is worth nothing whichever it is; it may be wrong all the same."""
    found = read(SAMPLE, {"r5c3": {"q0": 0.7, "b0": 0.3}})
    assert found.score.total == 29
    assert (found.doubts, found.paying) == (("r5c3",), ())


def test_what_is_clear_is_not_doubted() -> None:
    """A coat that is as good as certain makes no work."""
    assert read(SAMPLE, {"r5c3": {"q0": 0.995, "b0": 0.005}}).doubts == ()


def test_what_holds_together_only_by_the_rules_is_doubted() -> None:
    """A square that looks blank but is taken for drawn, as the rules want it, says so."""
    rows = [row.split() for row in SAMPLE.rows]
    found = read(SAMPLE, {"r2c2": {rows[1][1]: 0.3, ".": 0.7}})
    assert found.kingdom == SAMPLE
    assert "r2c2" in found.doubts


def test_a_map_against_the_rules_is_read_as_it_is() -> None:
    """Three squares of which one hangs in the air: nothing is invented to join them."""
    blank = ". . . . . . ."
    drawn = Kingdom.from_rows([". . . . . . s0", blank, ". . s0 C . . .", ". . s0 . . . .", blank])
    faint = {f"r{r}c{c}": {".": 0.92, "s0": 0.08} for r, c in ((1, 6), (1, 5), (1, 4), (2, 4), (2, 7))}
    found = read(drawn, faint)
    assert found.kingdom == drawn
    assert "r1c7" in found.doubts


def test_dice_decide_between_crosses() -> None:
    """No die shows quarters with one cross: even evidence falls to two, but a coloured roof explains one."""
    evidence = {"r2c6": {"q1": 0.5, "q2": 0.5}}
    found = read(SAMPLE, evidence)
    assert found.kingdom == SAMPLE
    mark = read(SAMPLE, {"r2c6": {"q1": 0.9, "q2": 0.1}}, roof=1.0).kingdom.at(8 + 5)
    assert mark is not None
    assert mark.crosses == 1


@pytest.mark.parametrize("chance", [0.6, 0.7])
def test_coats_come_in_pairs_and_touch_the_kingdom(chance: float) -> None:
    """A smudge in a corner far from everything is more likely blank than a lone coat."""
    blank = ". . . . . . ."
    kingdom = Kingdom.from_rows([blank, blank, ". . s0 C d1 d0 .", ". . s0 . . . .", blank])
    assert read(kingdom, {"r1c1": {"d0": chance, ".": 1 - chance}}).kingdom == kingdom


def test_the_dice_of_the_log_decide() -> None:
    """Which of two coats was drawn is settled by the log, though its map says nothing about where."""
    seen = {"r1c1": {"d0": 0.5, "s0": 0.5}, "r5c3": {"q0": 0.6, "b0": 0.4}}
    assert read(SAMPLE, seen).kingdom.at(0) is not None
    assert read(SAMPLE, seen, logged=SAMPLE).kingdom == SAMPLE
    other = Kingdom.from_rows(["s0 " + SAMPLE.rows[0][3:], *SAMPLE.rows[1:4], ". . b0 q0 . . ."])
    assert read(SAMPLE, seen, logged=other).kingdom == other


def test_the_log_does_not_outshout_clear_ink() -> None:
    """A coat that is clearly there is read, whatever the log says."""
    bare = Kingdom.from_rows([". " + SAMPLE.rows[0][3:], *SAMPLE.rows[1:]])
    assert read(SAMPLE, logged=bare).kingdom == SAMPLE


PAIRS = Kingdom.from_rows(
    [". . . . . . .", ". . . . . . .", ". d0 d1 C s0 s0 .", ". . . . . . .", ". . . . . . ."]
)


def test_what_changes_the_score_is_shown_first() -> None:
    """A coat without crosses may be another one: a cross that counts comes before it."""
    harmless = {"r3c5": {"s0": 0.6, "S0": 0.4}}
    assert read(PAIRS, harmless).paying == ()
    rich = Kingdom.from_rows([*PAIRS.rows[:2], ". d0 s0 C s0 d1 d0", *PAIRS.rows[3:]])
    found = read(rich, {"r3c3": {"s0": 0.6, "S0": 0.4}, "r3c6": {"d1": 0.7, "d0": 0.3}})
    assert (found.doubts, found.paying) == (("r3c6", "r3c3"), ("r3c6",))


def test_squares_that_matter_only_together_are_both_shown() -> None:
    """Whether a coat belongs to the domain matters as soon as there may be a cross in it."""
    alone = {"r3c6": {"s0": 0.6, "S0": 0.4}}
    assert read(PAIRS, alone).paying == ()
    assert set(read(PAIRS, {**alone, "r3c5": {"s0": 0.6, "s1": 0.4}}).paying) == {"r3c5", "r3c6"}


def test_what_the_dice_bring_oftener_is_believed_sooner() -> None:
    """Four of five dots come without a cross, half of the black coats with two."""
    found = read(PAIRS, {"r3c2": {"d0": 0.45, "d1": 0.55}})
    assert found.kingdom.rows[2].split()[1] == "d0"
    assert "r3c2" in found.doubts
    clear = read(PAIRS, {"r3c2": {"d0": 0.02, "d1": 0.98}})
    assert clear.kingdom.rows[2].split()[1] == "d1"
    assert read(SAMPLE, {"r1c5": {"b0": 0.5, "b2": 0.5}}).kingdom.rows[0].split()[4] == "b2"


def test_where_more_is_unclear_than_can_be_listed_nothing_is_sure() -> None:
    """Of many squares each nearly even, no map is likely, however few of them were compared."""
    rows = [row.split() for row in SAMPLE.rows]
    seen = {
        f"r{r + 1}c{c + 1}": {rows[r][c]: 0.6, ("S1" if rows[r][c] != "S1" else "D1"): 0.4}
        for r in range(5)
        for c in range(7)
        if rows[r][c][0] in "dDsSqb"
    }
    found = read(SAMPLE, seen)
    assert len(seen) > 25
    assert found.sure < 0.1
    assert len(found.doubts) > 10
    few = read(SAMPLE, dict(list(seen.items())[:3]))
    assert few.sure > found.sure
    assert len(few.doubts) <= 3


def test_a_coat_named_with_p5_makes_squares_doubtful_that_pay_only_then() -> None:
    """A lone coat without a cross is worth nothing, but one more domain of the coat that was named pays."""
    found = read(SAMPLE, {"r5c3": {"q0": 0.7, "b0": 0.3}})
    black = found.with_named(5)
    assert found.paying == found.with_named(0).paying == ()
    assert black.paying == black.doubts == ("r5c3",)
    assert black.score.total == 29 + 3 * len([one for one in found.kingdom.domains() if one.coat == 5])
