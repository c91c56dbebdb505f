"""Games in Portable Piecepack Notation."""

import re
from random import Random

import pytest

from engine.dominoids import ppn
from engine.dominoids.model import Agree, DominoidsState
from tests.engine.dominoids.scene import BOOK, acting, move, position
from tests.engine.toy import BOOK as TOY

OPENING = [
    ("see suns@b3 2@c3-3@d3", ""),
    ("see moons@c7 4@c5-1@c6", ""),
    ("see crowns@g6 1@e6-1@f6", ""),
    ("see arms@f2 5@f3-2@f4", ""),
    ("see roll suns=5 moons=null crowns=3 arms=ace", ""),
    ("see first 2", ""),
]


def tokens(state: DominoidsState, *lines: str) -> list[list[str]]:
    """What each line changes, without its number and comment."""
    text = ppn.write(BOOK, state, [(line, "") for line in lines])
    rows = [re.sub(r" ?\{.*\}$", "", row) for row in text.splitlines()[7:]]
    return [row.split()[1:] for row in rows]


def test_the_head_names_game_and_players() -> None:
    """The head says that no set-up is to be made but what is dropped, and quotes the players' names."""
    head = ppn.write(BOOK, BOOK.start(), [], players=('Ann "Ace"', "Bob: B")).splitlines()
    assert head[:6] == [
        "---", "GameType: Dominoids", "SetUp: None", 'Player1: "Ann \\"Ace\\""', 'Player2: "Bob: B"', "...",
    ]  # fmt: skip
    assert head[6].startswith("0.0. t@(1.5,1.5) t@(1.5,3.5)")
    assert head[6].count("t@") == 16


def test_the_opening_is_dropped_arm_by_arm() -> None:
    """Each arm drops domino, pawn and coin; a domino is upright when its low end is on top."""
    rows = tokens(BOOK.start(), *(line for line, _ in OPENING))
    assert rows == [
        ["`2-3'<@(3.5,3)", "pS@b3", "cbS@a3"],
        ["`1-4'^@(3,5.5)", "pM@c7", "cbM@c8"],
        ["`1-1'<@(5.5,6)", "pC@g6", "cbC@h6"],
        ["`2-5'^@(6,3.5)", "pA@f2", "cbA@f1"],
        ["dS5@(10,8)", "dMn@(10,7)", "dC3@(10,6)", "dAa@(10,5)"],
        [],
    ]


def test_a_seen_table_is_dropped_whole() -> None:
    """A game that begins with a table as it was seen drops everything at once, each coin as it lies."""
    state = position("3@d4-2@e4", coins="a3=suns? b6=moons4", new=["arms"])
    first = ppn.write(BOOK, state, []).splitlines()[6].split()[17:]
    assert first == [
        "`2-3'>@(4.5,4)", "pS@a1", "pM@a8", "pC@h1", "pA@h8", "cbS@a3", "cfM4@b6",
        "dS5@(10,8)", "dM4@(10,7)", "dC3@(10,6)", "dA2@(11,5)",
    ]  # fmt: skip


def test_moves_of_one_dominoid() -> None:
    """A slide is so many squares one way; a turn is clockwise round the square of the end that stays."""
    state = acting("2@d4-3@e4 1@a5-1@a6")
    for line, token in (
        ("suns move 2@b4-3@c4", "^(4.5,4)-2L"),
        ("suns move 2@g4-3@h4", "^(4.5,4)-3R"),
        ("suns move 1@a6-1@a7", "^(1,5.5)-1U"),
        ("suns move 1@a4-1@a5", "^(1,5.5)-1D"),
        ("suns move 3@e4-2@e5", "^(4.5,4)@>90|e4"),
        ("suns move 2@e3-3@e4", "^(4.5,4)@>270|e4"),
        ("suns move 2@d4-3@d5", "^(4.5,4)@>270|d4"),
        ("suns move 1@a5-1@b5", "^(1,5.5)@>90|a5"),
        ("suns move 1@a6-1@b6", "^(1,5.5)@>270|a6"),
    ):
        assert tokens(state, line) == [[token]], line


def test_moves_that_were_let_stand() -> None:
    """Whatever stands is written too: half a turn, a step sideways, or a domino laid anywhere."""
    state = acting("2@d4-3@e4")
    for line, row in (
        ("suns move 3@e4-2@f4", ["^(4.5,4)@>180|e4"]),
        ("suns move 2@d3-3@e3", ["^(4.5,4)-1D"]),
        ("suns move 2@c3-3@d3", ["^(4.5,4)-<-1,-1>"]),
        ("suns move 2@b7-3@b8", ["*(4.5,4)", "`2-3'v@(2,7.5)"]),
    ):
        assert not BOOK.judge(state, move(line)).allowed
        assert tokens(state, line) == [row], line


def test_coins_and_victims() -> None:
    """A coin turned up is replaced, one eaten or a victim is removed, one placed is dropped."""
    state = acting("2@d4-3@e4 1@b5-5@b6", coins="c5=arms? d8=suns? b1=moons? b2=crowns?")
    rows = tokens(state, "suns move 2@b4-3@c4", "see coin c5 3", "eat c5", "moons pass", "place arms h7")
    assert rows == [["^(4.5,4)-2L"], ["c5=cfA3"], ["*c5"], [], ["cbA@h7"]]
    rows = tokens(state, "suns move 2@b4-3@c4", "see coin c5 4", "attack 1-5")
    assert rows[1:] == [["c5=cfA4"], ["*(2,5.5)"]]


def test_a_birth_drops_the_child() -> None:
    """A child is dropped with its low end upwards, left, right or down."""
    state = acting("2@b3-3@c3 3@e3-4@e4", face="4")
    rows = tokens(state, "suns move 2@c3-3@d3", "birth 3@d4-5@c4")
    assert rows[1] == ["`3-5'>@(3.5,4)"]


def test_a_shift_moves_what_is_on_it() -> None:
    """Pieces are named by where they were before the shift, so that none is taken for another."""
    state = acting("2@c5-3@d5", face="ace", pawns="suns=a6 moons=c6", coins="g6=arms2 h5=crowns?")
    assert tokens(state, "suns shift row 3 right") == [
        ["^(3.5,5)-2R", "^a6-2R", "^c6-2R", "^g6-6L", "^h5-6L"],
    ]  # fmt: skip


def test_dice_go_from_box_to_box() -> None:
    """Chosen dice lie apart; rolled ones get their new face and box, and all four go back together."""
    state = position("2@d4-3@e4", dice="null null 2 2", coins="d8=suns? b1=moons? b2=crowns? b3=arms?")
    rows = tokens(state, "dice suns moons", "suns pass", "moons pass", "done", "see roll suns=ace moons=null")
    assert rows == [["?dS-(12,8)", "?dM-(12,7)"], [], [], [], ["?dS~a", "?dS-(11,8)", "?dM-(11,7)"]]
    last = acting(
        "2@d4-3@e4", face="null", new=["crowns", "arms"], coins="d8=suns? b1=moons? b2=crowns? b3=arms?"
    )
    rows = tokens(last, "suns pass", "moons pass", "done", "see roll suns=null moons=null")
    assert rows[-1] == ["?dS-(10,8)", "?dM-(10,7)", "?dC-(10,6)", "?dA-(10,5)"]


def test_rulings_are_comments() -> None:
    """Each step has the number of its turn and of the step, and its text with the ruling in braces."""
    told = [*OPENING, ("2: dice suns moons", "legal: DMN-3.2 {a brace}\nand a second line")]
    lines = ppn.write(BOOK, BOOK.start(), told).splitlines()
    assert [line.split()[0] for line in lines[6:]] == ["0.0.", *(f"0.{n}." for n in range(1, 7)), "1.1."]
    assert lines[-1].endswith("{2: dice suns moons: legal: DMN-3.2 (a brace) and a second line}")
    assert lines[-2] == "0.6. {see first 2}"


def test_only_dominoids_can_be_written() -> None:
    """A state of another game is refused."""
    with pytest.raises(TypeError, match="only a game of Dominoids"):
        ppn.write(BOOK, TOY(BOOK.profile).start(), [])


def test_a_whole_game_has_unique_numbers_and_names_only_pieces_that_are_there() -> None:
    """In a long random game every piece that is moved or removed was put where it is said to be."""
    rng, state = Random(11), BOOK.start()
    told: list[tuple[str, str]] = []
    for _ in range(1500):
        if BOOK.pending(state):
            fact = BOOK.sample(state, rng)
            told.append((BOOK.format_fact(fact), ""))
            state = BOOK.observe(state, fact)
        elif BOOK.outcome(state) is None:
            moves = [one for one in BOOK.legal_moves(state) if not isinstance(one, Agree)]
            told.append((BOOK.format(moves[0] if len(moves) == 1 else rng.choice(moves)), ""))
            state = BOOK.apply(state, move(told[-1][0]))
    lines = ppn.write(BOOK, BOOK.start(), told).splitlines()[6:]
    numbers = [line.split()[0] for line in lines]
    assert len(set(numbers)) == len(numbers)
    there: set[str] = set()
    for line in lines:
        row = [
            token
            for token in re.sub(r" ?\{.*\}$", "", line).split()[1:]
            if not token.startswith(("?", "d", "t@"))
        ]
        gone, come = set[str](), set[str]()
        for token in row:
            if token.startswith("*"):
                gone.add(token[1:])
            elif token.startswith("^"):
                gone.add(re.split("-|@", token[1:])[0])
            elif "=" in token:
                assert token.split("=")[0] in there
            else:
                come.add(token.split("@")[1])
        assert gone <= there, line
        there = there - gone | come | {_landed(token) for token in row if token.startswith("^")}


def _landed(token: str) -> str:
    """Where a piece that was moved or turned is afterwards."""
    start, sign, rest = re.match(r"\^([^-@]+)(-|@>)(.+)", token).groups()  # type: ignore[union-attr]
    x, y = _xy(start)
    if sign == "-":
        far, way = re.match(r"(\d+)([LRUD])", rest).groups()  # type: ignore[union-attr]
        dx, dy = {"L": (-1, 0), "R": (1, 0), "U": (0, 1), "D": (0, -1)}[way]
        x, y = x + int(far) * dx, y + int(far) * dy
    else:
        degrees, pivot = rest.split("|")
        px, py = _xy(pivot)
        for _ in range(int(degrees) // 90):
            x, y = px + (y - py), py - (x - px)
    if x == int(x) and y == int(y):
        return f"{chr(96 + int(x))}{int(y)}"
    return f"({x:g},{y:g})"


def _xy(place: str) -> tuple[float, float]:
    if place.startswith("("):
        x, y = place[1:-1].split(",")
        return float(x), float(y)
    return float(ord(place[0]) - 96), float(place[1:])
