"""A sheet by itself, and what the table should look like."""

import pytest

from engine import Status
from engine.kingdomino_duel.edition import read_edition
from engine.kingdomino_duel.map_score import Sheet, score_sheet
from tests.engine.kingdomino_duel.builders import BOOK, full_but, kingdom, played, spellbook, table, under


@pytest.mark.rules("KDD-3", "KDD-S1")
def test_a_sheet_alone_is_unverifiable() -> None:
    """A sheet without doubts still does not prove how it was drawn."""
    score = score_sheet(Sheet(kingdom("d@r2c4 s1@r2c5")))
    assert (score.ruling.status, score.ruling.rule, score.doubts) == (Status.UNVERIFIABLE, "KDD-3", ())
    assert (score.total, score.largest) == (1, 1)
    assert score_sheet(Sheet(kingdom(""))).largest == 0


@pytest.mark.rules("KDD-3a", "KDD-P1")
def test_squares_apart_from_the_castle_are_doubtful_unless_P1_was_used() -> None:
    """Everything hangs together with the castle over drawn squares; corners do not count."""
    lost = kingdom("d@r2c4 s@r2c5 d@r1c6 q@r5c1")
    (doubt,) = score_sheet(Sheet(lost)).doubts
    assert (doubt.rule, doubt.squares) == ("KDD-3a", ("r1c6", "r5c1"))
    assert score_sheet(Sheet(lost)).ruling.also == (doubt,)
    assert score_sheet(Sheet(lost, used_p1=True)).doubts == ()
    assert score_sheet(Sheet(kingdom("d@r2c4 s@r1c4 b@r1c5 b@r1c6"))).doubts == ()


@pytest.mark.rules("KDD-3", "KDD-P2")
def test_an_odd_number_of_squares_is_doubtful_unless_P2_was_used() -> None:
    """Dominoes cover two squares each; P2 alone lets one die be drawn and the other be lost (A-K7)."""
    three = kingdom("d@r2c4 s@r1c4 b@r1c5")
    (doubt,) = score_sheet(Sheet(three)).doubts
    assert (doubt.rule, doubt.squares, doubt.facts) == ("KDD-3", (), {"drawn": 3})
    assert score_sheet(Sheet(three, used_p2=True)).doubts == ()


@pytest.mark.rules("KDD-3f", "KDD-C", "KDD-P6")
def test_crosses_beyond_the_dice_are_explained_by_castle_and_P6_only() -> None:
    """Quarters have none or two, dots none or one; each cross more needs the castle or P6."""
    more = kingdom("q1@r2c4 d2@r2c5 b2@r2c6 s@r2c7")
    (doubt,) = score_sheet(Sheet(more)).doubts
    assert (doubt.rule, doubt.squares, doubt.facts) == (
        "KDD-3f",
        ("r2c4", "r2c5"),
        {"beyond": 2, "allowed": 0},
    )
    assert len(score_sheet(Sheet(more, roof=True)).doubts) == 1
    assert score_sheet(Sheet(more, roof=True, used_p6=True)).doubts == ()
    assert len(score_sheet(Sheet(kingdom("d@r5c5 s9@r5c1"))).doubts) == 2


@pytest.mark.rules("KDD-3f")
def test_another_printing_explains_other_crosses() -> None:
    """Where a die shows a dot with two crosses, such a dot is no doubt."""
    edition = read_edition(
        {**table().edition.to_json(), "dice": ["d2 d d d d d", "d d d d d d", "s s s s s s", "q q q q q q"]}
    )
    assert score_sheet(Sheet(kingdom("d2@r2c4 d@r2c5")), edition).doubts == ()
    assert len(score_sheet(Sheet(kingdom("d2@r2c4 d@r2c5"))).doubts) == 1


@pytest.mark.rules("KDD-S1", "KDD-S2", "KDD-S3", "KDD-S4")
def test_the_score_pad_tells_every_domain() -> None:
    """The lines of both players add up to the totals, the richest domain first, P5 last."""
    state = table("d1@r2c4 d@r1c4 q2@r2c5 s@r3c5", "b2@r2c4", one_named="s")
    scores = BOOK.scores(state)
    assert scores.totals == (7, 2)
    assert [(line.player, line.label, line.points) for line in scores.lines] == [
        (1, "dot at r1c4: 2 × 1", 2),
        (1, "quarters at r2c5: 1 × 2", 2),
        (1, "stripe at r3c5: 1 × 0", 0),
        (1, "P5: 1 × 3", 3),
        (2, "black at r2c4: 1 × 2", 2),
    ]


@pytest.mark.rules("KDD-W", "KDD-TB", "KDD-E1")
def test_the_outcome_tells_end_and_winner() -> None:
    """The sentence says why the game ended and what decided it; before the end there is none."""
    assert BOOK.outcome(table()) is None
    won = BOOK.outcome(table(full_but("", "b"), "q2@r2c4"))
    assert won is not None
    assert (won.winner, won.rule) == (2, "KDD-W")
    assert won.reason == "The game is over: player 1's map is full. Player 2 wins by 2 to 0 points."
    drawn = BOOK.outcome(table(full_but("", "b"), full_but("", "d")))
    assert drawn is not None
    assert (drawn.winner, drawn.rule) == (None, "KDD-TB")


def test_the_layout_shows_dice_maps_and_spellbook() -> None:
    """Before the roll the dice show nothing; afterwards their faces lie with whoever took them."""
    before = BOOK.layout(BOOK.start({"a": 1})).by_name()
    assert (before["die 1"].value, before["die 1"].region) == (None, "dice")
    state = table("q2@r2c4", dice="? s q2 s1", takers="12..", spellbook=spellbook(ticks="1:d2", owned="2:P2"))
    spots = BOOK.layout(state).by_name()
    joker = {"set": "kingdomino-duel", "suit": None, "face": "joker", "crosses": 0}
    assert (spots["die 1"].value, spots["die 1"].region, spots["die 1"].owner) == (joker, "dice-1", 1)
    assert spots["die 3"].value == {**joker, "face": "quarters", "crosses": 2}
    assert (spots["die 2"].region, spots["die 4"].region) == ("dice-2", "dice")
    sheet = spots["map 1"].value
    assert sheet is not None
    assert sheet["map"][1][3] == {"coat": "quarters", "crosses": 2}  # type: ignore[call-overload,index] # plain JSON
    assert sheet["map"][2][3] is None  # type: ignore[call-overload,index] # plain JSON
    assert (spots["map 2"].region, spots["spellbook"].region) == ("sheet-2", "spellbook")
    book = spots["spellbook"].value
    assert book is not None
    assert book["stripe"] == {"ticks": [0, 5], "owner": 2, "spent": False}
    assert book["dot"] == {"ticks": [2, 0], "owner": None, "spent": False}


def test_footprints_tell_what_a_move_touches() -> None:
    """Dice go to a region, coats to a square, and what is said has a name of its own."""
    state = table(dice="d s q2 s1", takers="1122", spellbook=spellbook(owned="1:P4"))

    def touched(line: str) -> dict[str, object]:
        return dict(BOOK.footprint(state, BOOK.parse(line)))

    assert touched("1: take d") == {"die 1": "dice-1"}
    assert touched("1: take b") == {"die b": "dice-1"}
    assert touched("1: P3 take 1+2") == {"die 1": "dice-1", "die 2": "dice-1", "P3": "said"}
    assert touched("2: P1") == {"P1": "player 2"}
    assert touched("1: P4 1=s") == {"die 1": "s", "P4": "said"}
    assert touched("castle 1") == {"castle 1": "die 1"}
    assert touched("1: P5 s") == {"P5": "stripe"}
    assert touched("1: P6 r1c2") == {"cross 1": (2, -1, 0)}
    assert touched("2: draw nothing") == {"map 2": "as it was"}
    assert touched("1: draw d@r2c4 d@r2c5") == {"map 1 d": (4, -2, 0), "map 1 d r2c5": (5, -2, 0)}
    assert dict(BOOK.footprint(BOOK.start(), BOOK.parse("P1"))) == {"P1": "player 1"}


@pytest.mark.rules("KDD-P5", "KDD-P6", "KDD-P")
def test_a_bolt_with_nothing_to_choose_from_lapses() -> None:
    """P6 won (by taking alone) where no coat has a free circle is crossed off, and the turn ends."""
    draft = under("tick_on=draft+circles_per_square=1")
    full = full_but("r1c1 r1c2", "b1")
    edition = {"dice": ["q q q q q q", "d d d d d d", "q q q q q q", "d d d d d d"]}
    state = table(full, dice="q d q d", takers="1122", edition=edition, spellbook=spellbook(ticks="1:q2"))
    after = played(state, "1: draw nothing", "2: draw q@r2c4 d@r1c4", book=draft)
    assert (after.stage, after.book.spent[4]) == ("roll", True)
