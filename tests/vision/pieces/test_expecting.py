"""What a game has decides between likely readings, and never against what is seen clearly."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.plan import plan_of
from engine import rulebook
from engine.belonging import Belongings
from engine.dominoids.table import BELONGINGS
from engine.matching.guide import guide_for
from engine.scene import Guess, Sighting
from simulation.setting import TableSetting
from tests.vision.pieces.made import table_of
from vision.pieces.domino_reading import FACES, PIPS, DominoReading
from vision.pieces.expecting import Expecting, believable
from vision.pieces.patches import rectangle
from vision.pieces.small import CHOICES, SmallReading, chosen, ranked

SETTING = TableSetting("dominoids", 3)
TABLE = table_of(SETTING)
GAME = Expecting(BELONGINGS, SETTING.plan, TABLE)
ANY = Expecting(Belongings(), SETTING.plan, TABLE)


def at(x_mm: float, y_mm: float) -> tuple[float, float]:
    """Where a point of the table is seen, at the height of a die."""
    x, y = TABLE.camera.to_pixels(np.array([(x_mm, y_mm)]), np.array([15.0]))[0]
    return float(x), float(y)


def small(x_mm: float, y_mm: float, **kinds: float) -> SmallReading:
    """A reading of a small piece of these kinds."""
    rest = {name: np.full(len(values), 1 / len(values)) for name, values in CHOICES.items()}
    kind = np.array([kinds.get(name, 0.0) for name in CHOICES["kind"]])
    return SmallReading({**rest, "kind": kind}, *at(x_mm, y_mm), 28.0, 0.0)


def share(one: SmallReading, kind: str) -> float:
    """How likely a piece is of a kind."""
    return float(one.choices["kind"][CHOICES["kind"].index(kind)])


def domino(
    a: int, b: int, *, up: float, down: float = 0.0, edge: float = 0.0, p: float = 0.98
) -> DominoReading:
    """A reading of a domino on the board."""
    halves = [np.full(PIPS, (1 - p) / (PIPS - 1)) for _ in range(2)]
    halves[0][a] = halves[1][b] = p
    corners = rectangle(*at(0, 0), 90, 45, 0)
    return DominoReading(np.array([up, down, edge, 1 - up - down - edge]), halves[0], halves[1], corners)


def test_a_pawn_that_looks_like_a_soldier_is_a_pawn_where_there_are_no_soldiers() -> None:
    """On the board; away from every region anything may lie, and a game that tells nothing expects all."""
    doubt = {"pawn": 0.36, "soldier": 0.63, "none": 0.01}
    assert share(GAME.small([small(12.7, 12.7, **doubt)])[0], "pawn") > 0.95
    assert share(GAME.small([small(280, 190, **doubt)])[0], "soldier") == pytest.approx(0.63)
    assert share(ANY.small([small(12.7, 12.7, **doubt)])[0], "soldier") == pytest.approx(0.63)


def test_where_dominoes_are_laid_open_one_that_seems_closed_is_rather_seen_badly() -> None:
    """A half blank tile without a bar looks much like a back; one that surely is a back stays one."""
    line = Expecting(Belongings(open=frozenset(("board",))), SETTING.plan, TABLE)
    doubted, closed = domino(1, 0, up=0.17, down=0.82), domino(0, 0, up=0.0005, down=0.999)
    for game, faces in ((line, ("up", "down")), (ANY, ("down", "down"))):
        seen = game.dominoes([doubted, closed])
        assert tuple(FACES[int(one.faces.argmax())] for one in seen) == faces


def test_where_dominoes_lie_closed_one_that_seems_open_is_a_back_or_nothing() -> None:
    """A worn back, or a gleam on it, looks a little like pips, and so does marble."""
    heap = Expecting(Belongings(closed=frozenset(("board",))), SETTING.plan, TABLE)
    back, marble, opened = (
        domino(1, 1, up=up, down=down) for up, down in ((0.8, 0.19), (0.9, 0.0), (1.0, 0.0))
    )
    for game, faces in ((heap, ("down", "none", "up")), (ANY, ("up", "up", "up"))):
        seen = game.dominoes([back, marble, opened])
        assert tuple(FACES[int(one.faces.argmax())] for one in seen) == faces
    elsewhere = Expecting(Belongings(closed=frozenset(("boneyard",))), SETTING.plan, TABLE)
    assert elsewhere.dominoes([back])[0].faces[0] == pytest.approx(0.8)


def test_where_dominoes_lie_closed_what_seems_to_stand_on_edge_is_a_shadow_or_a_back() -> None:
    """In a low light each row of backs throws a shadow as wide as a tile; one that surely stands stays."""
    heap = Expecting(Belongings(closed=frozenset(("board",))), SETTING.plan, TABLE)
    shadow, back, standing = (
        domino(1, 1, up=0.0, down=down, edge=edge)
        for down, edge in ((0.0, 0.95), (0.3, 0.69), (0.0, 0.99999))
    )
    for game, faces in ((heap, ("none", "down", "edge")), (ANY, ("edge", "edge", "edge"))):
        seen = game.dominoes([shadow, back, standing])
        assert tuple(FACES[int(one.faces.argmax())] for one in seen) == faces


def test_a_die_lies_in_its_box_and_a_coin_on_the_board() -> None:
    """The same doubt is decided by where the piece lies."""
    doubt = {"die": 0.5, "coin": 0.5}
    assert share(GAME.small([small(-178, 54, **doubt)])[0], "die") > 0.95
    assert share(GAME.small([small(12.7, 12.7, **doubt)])[0], "coin") > 0.95


@pytest.mark.parametrize("pips", [0.5, 0.999, 1.0])
def test_a_die_in_a_box_of_the_game_is_one_of_its_dice(pips: float) -> None:
    """However much it looks like an ordinary one, which the game has not; elsewhere one may lie."""
    said = np.array([pips, 1 - pips, 0.0])
    boxed, away = (
        replace(one, choices={**one.choices, "set": said})
        for one in (small(-178, 54, die=0.99), small(280, 190, die=0.99))
    )
    read = GAME.small([boxed, away])
    assert [value["set"] for value, share in ranked(read[0], "die") if value and share > 0] == 21 * [
        "piecepack"
    ]
    assert (chosen(read[1], "set")[0] == "pips") is (pips > 0.9)
    assert ANY.small([boxed])[0].choices["set"].tolist() == said.tolist()


def test_a_die_of_another_game_is_hardly_what_lies_on_the_board() -> None:
    """The head of a pawn seen from above, with a gleam on it, looks much like the 1 of an ordinary die."""
    pips = np.array([0.999 if name == "pips" else 0.0005 for name in CHOICES["set"]])
    seen = small(12.7, 12.7, die=0.999, pawn=0.001)
    gleam = replace(seen, choices={**seen.choices, "set": pips})
    assert share(GAME.small([gleam])[0], "pawn") > 0.9
    assert share(ANY.small([gleam])[0], "die") > 0.99
    # Where the game's own dice lie it is one of them, whatever it looks like.
    boxed = replace(small(-178, 54, die=0.999, pawn=0.001), choices={**gleam.choices})
    assert share(GAME.small([boxed])[0], "die") > 0.99


def test_what_looks_like_a_pawn_that_stands_elsewhere_is_a_coin() -> None:
    """There is one pawn of each suit; what is seen twice on one spot is the same one."""
    pawn, doubt = {"pawn": 0.99, "coin": 0.01}, {"pawn": 0.95, "coin": 0.05}
    first, other = GAME.small([small(12.7, 12.7, **pawn), small(70, 12.7, **doubt)])
    assert share(first, "pawn") == pytest.approx(0.99)
    assert share(other, "coin") > 0.9
    for game, x_mm in ((GAME, 13.5), (ANY, 70)):
        same = game.small([small(x_mm, 12.7, **doubt), small(12.7, 12.7, **pawn)])
        assert [share(one, "pawn") for one in same] == pytest.approx([0.95, 0.99])
    # Its shadow, half a square aside, is no second pawn of its suit.
    _, shadow = GAME.small([small(12.7, 12.7, **pawn), small(21.7, 12.7, pawn=0.93, none=0.07)])
    assert share(shadow, "none") > 0.9
    # What can hardly be anything else is the pawn, though the other looks more like one.
    shadowy, rimless = {"pawn": 0.96, "coin": 0.001, "none": 0.039}, {"pawn": 0.97, "coin": 0.03}
    other, first = GAME.small([small(70, 12.7, **rimless), small(12.7, 12.7, **shadowy)])
    assert share(first, "pawn") == pytest.approx(0.96)
    assert share(other, "coin") > 0.8
    # But what may as well be nothing is not seen better.
    knot = {"pawn": 0.55, "none": 0.45}
    first, _ = GAME.small([small(12.7, 12.7, **rimless), small(70, 12.7, **knot)])
    assert share(first, "pawn") == pytest.approx(0.97)
    weak = GAME.small([small(12.7, 12.7, **pawn), small(70, 12.7, pawn=0.4, coin=0.6)])
    assert share(weak[1], "pawn") == pytest.approx(0.4)


def test_what_is_clearly_seen_is_told_though_the_game_has_no_such_thing() -> None:
    """A soldier on the board, a closed domino and a blank are strange, not impossible."""
    assert share(GAME.small([small(12.7, 12.7, soldier=0.99999, none=0.00001)])[0], "soldier") > 0.99
    (closed,) = GAME.dominoes([domino(1, 1, up=0.0, down=0.999999)])
    assert closed.faces[1] > 0.95
    (blank,) = GAME.dominoes([domino(0, 3, up=1.0, p=0.99999)])
    assert int(blank.first.argmax()) == 0


def test_two_empty_squares_are_no_double_blank() -> None:
    """Nor a closed domino; a domino of the game is believed as before."""
    (blank,) = GAME.dominoes([domino(0, 0, up=0.92, p=0.97)])
    assert blank.faces[3] > 0.5
    (closed,) = GAME.dominoes([domino(1, 1, up=0.0, down=0.9995)])
    assert closed.faces[3] > 0.5
    (real,) = GAME.dominoes([domino(2, 5, up=0.97)])
    assert real.faces[0] > 0.95
    assert int(real.second.argmax()) == 5


def test_what_may_be_a_die_is_looked_at_closely_where_dice_lie() -> None:
    """A worn blank one looks like a tile there; a man on the board who looks a little like a die is none."""
    blank, shadow, die = {"tile": 0.997, "die": 0.002}, {"none": 0.9, "die": 0.1}, {"die": 0.9, "none": 0.1}
    man = {"pawn": 0.6, "die": 0.3, "none": 0.1}
    boxed = [small(-178, 54, **kinds) for kinds in (blank, shadow, die)]
    pip = {"die": 0.92, "pawn": 0.05, "none": 0.03}
    on_board = [small(12.7, 12.7, **kinds) for kinds in (man, blank, pip)]
    away = [small(280, 190, **kinds) for kinds in (blank, die)]
    assert GAME.perhaps_dice([*boxed, *on_board, *away]) == [0, 2, 5, 7]
    assert ANY.perhaps_dice([*boxed, *on_board, *away]) == [2, 3, 5, 7]


def test_of_the_piecepack_is_what_lies_where_its_pieces_lie() -> None:
    """What looks like a die on a marker, or on the board, is no fifth one."""
    dice = [small(x, y, die=0.9, none=0.1) for x, y in ((-178, 54), (12.7, 12.7), (280, 190))]
    assert GAME.of_its_piecepack([*dice, small(12.7, 12.7, pawn=0.9)]) == {0, 3}
    assert ANY.of_its_piecepack(dice) is None


@pytest.mark.parametrize("game", ["dominoids", "kingdomino-duel", "dominoes-of-war", "draw-game"])
def test_dice_are_looked_at_closely_where_a_game_has_some(game: str) -> None:
    """Soldiers and tiles alone need no closer look."""
    told = Expecting(guide_for(rulebook(game)).belongings, plan_of(game), GAME.table)
    assert told.has_dice == (game in ("dominoids", "kingdomino-duel"))


def pawn(suit: str, x: float, y: float, presence: float) -> Sighting:
    """A pawn on the board."""
    return Sighting("pawn", "board", x, y, guesses=(Guess({"suit": suit}, 0.9),), presence=presence)


def lying(x: float, y: float) -> Sighting:
    """A domino on the board, across two squares of a row."""
    return Sighting("domino", "board", x, y, 0.0, guesses=(Guess({"pips": [1, 2]}, 1.0),))


@pytest.mark.parametrize(("x", "y", "presence", "stays"), [
    (3.2, 3.3, 0.8, False), (3.2, 3.3, 1.0, False), (3.5, 4.0, 0.8, True), (5.0, 3.0, 0.8, True),
])  # fmt: skip
def test_a_doubted_pawn_beside_a_domino_is_its_shadow(
    x: float, y: float, presence: float, *, stays: bool
) -> None:
    """On one place lies one piece; a pawn of its own place stays."""
    found = believable([lying(2.5, 3.0), pawn("suns", x, y, presence)], BELONGINGS)
    assert len(found) == 1 + stays


def test_there_is_one_pawn_of_each_suit() -> None:
    """The one that is seen better; where both are seen clearly nobody knows, and both are told."""
    clear = Sighting("pawn", "board", 2, 2, guesses=(Guess({"suit": "moons"}, 1.0),))
    doubted = pawn("moons", 7, 7, 0.7)
    assert believable([doubted, clear], BELONGINGS) == (clear,)
    other = Sighting("pawn", "board", 7, 7, guesses=(Guess({"suit": "moons"}, 1.0),))
    assert believable([clear, other], BELONGINGS) == (clear, other)
    assert believable([doubted, clear], Belongings()) == (doubted, clear)


def test_no_more_pieces_of_a_kind_are_believed_than_the_game_has() -> None:
    """A fifth die is a knot of the wood, unless it is seen clearly; where no number is told any may lie."""
    value = {"set": "piecepack", "suit": None, "face": "null"}
    dice = [Sighting("die", "old-dice", 10 * n, 5, guesses=(Guess(value, 1.0),)) for n in range(5)]
    doubted = Sighting("die", "old-dice", 70, 5, guesses=(Guess(value, 0.6),), presence=0.7)
    assert believable([doubted, *dice[:4]], BELONGINGS) == tuple(dice[:4])
    assert believable([doubted, *dice[:3]], BELONGINGS) == (doubted, *dice[:3])
    assert believable(dice, BELONGINGS) == tuple(dice)
    assert believable([doubted, *dice[:4]], Belongings()) == (doubted, *dice[:4])


def test_of_too_many_dice_those_are_shadows_that_are_least_sure_to_be_there() -> None:
    """However plainly these show nothing, and however little is known of what the others show."""
    value = {"set": "piecepack", "suit": None, "face": "null"}
    seen = [(0.999, 0.43), (0.92, 0.9), (1.0, 0.62), (0.98, 0.96), (1.0, 0.95), (0.999, 0.96)]
    dice = [
        Sighting("die", "old-dice", 10 * n, 5, guesses=(Guess(value, share),), presence=there)
        for n, (there, share) in enumerate(seen)
    ]
    assert believable(dice, BELONGINGS) == tuple(dice[k] for k in (0, 2, 4, 5))


def test_of_walls_all_stay_that_may_be_one() -> None:
    """Each was weighed beside the others already, and who knows where they stood finds the fourth again."""
    walls = [Sighting("wall", "board", n + 0.5, 4.0, 90.0, "edge") for n in range(3)]
    shaded = Sighting("wall", "board", 2.5, 8.0, 90.0, "edge", presence=0.02)
    gap = Sighting("wall", "board", 1.0, 1.5, 0.0, "edge", presence=0.8)
    seen = [*walls, gap, shaded]
    assert believable(seen, Belongings(most={"wall": 4})) == tuple(seen)
