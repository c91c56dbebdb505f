"""The dice of the Duel have no numbers on the table: moves are compared by what the dice show."""

from training.film_dice import by_what_dice_show


def moves(*lines: dict[str, object]) -> list[object]:
    """What is left of some lines once numbers are faces."""
    return [one.get("move") or one.get("fact") for one in by_what_dice_show(lines, {})]


def test_the_same_dice_in_another_order_are_the_same() -> None:
    """The roll and what is taken of it, as the script has it and as it was read."""
    script = moves({"fact": "see roll ? D1 s D"}, {"move": "2: take 3"}, {"move": "1: take 2+4"})
    record = moves({"fact": "see roll D1 s D ?"}, {"move": "2: take 2"}, {"move": "1: take 3+1"})
    assert script == record == ["see roll ? D D1 s", "2: take s", "1: take D+D1"]


def test_another_die_is_another_move() -> None:
    """A stripe is no dot, wherever it lies."""
    roll = {"fact": "see roll s d d2 ?"}
    assert moves(roll, {"move": "1: take 1"}) != moves(roll, {"move": "1: take 2"})


def test_numbers_count_from_the_last_roll_or_its_correction() -> None:
    """What is taken after a roll was put right means the roll as it is known then."""
    before, after = {"fact": "see roll s d d2 ?"}, {"correct": 1, "with": {"fact": "see roll b d d2 ?"}}
    assert moves(before, after, {"move": "1: take 1"})[-1] == "1: take b"
    assert moves(before, {"fact": "see roll q s d d"}, {"move": "1: take 1"})[-1] == "1: take q"


def test_a_clip_begins_with_the_dice_that_lie_there() -> None:
    """Without a roll of its own its set-up tells them; a number that no die has is left as it is."""
    setup = {"dice": [{"rolled": "s"}, {"rolled": "d2"}, {"rolled": "?"}, {"rolled": "d"}]}
    lines = [
        {"move": "1: take 2", "leads": ["2: take 1+3"]},
        {"move": "1: take 5"},
        {"move": "1: draw s@r3c2"},
    ]
    told = by_what_dice_show(lines, setup)
    assert told[0] == {"move": "1: take d2", "leads": ["2: take ?+s"]}
    assert [one["move"] for one in told[1:]] == ["1: take 5", "1: draw s@r3c2"]


def test_other_texts_and_numbers_stay() -> None:
    """Words, places and what is alike: only dice are renamed, wherever they are named."""
    line = {"move": "1: take 1", "alike": ["1: take 2"], "at_s": 3.0, "verdict": "legal KDD-2"}
    told = by_what_dice_show([{"fact": "see roll s d d2 ?"}, line], {})[1]
    assert told == {"move": "1: take s", "alike": ["1: take d"], "at_s": 3.0, "verdict": "legal KDD-2"}


def test_the_castles_cross_for_the_same_die_is_the_same() -> None:
    """Told by another number, as the dice were read in another order; another die is another move."""
    script = moves({"fact": "see roll D1 D1 S s"}, {"move": "1: castle 1"})
    record = moves({"fact": "see roll D1 D1 s S"}, {"move": "1: castle 2"})
    other = moves({"fact": "see roll D1 D1 s S"}, {"move": "1: castle 4"})
    assert script == record == ["see roll D1 D1 S s", "1: castle D1"]
    assert other[-1] == "1: castle S"
