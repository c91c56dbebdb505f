"""Hands that nobody may see: what can be judged at once, what stays open, and what is found out later."""

from dataclasses import dataclass, field
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ImpossibleFact, Status
from engine.draw_game.book import DrawGame
from engine.draw_game.known_hands import can_play
from engine.draw_game.line import fitting
from engine.draw_game.model import (
    BIT,
    Draw,
    Drawn,
    DrawState,
    Pass,
    Play,
    Redeal,
    Shown,
    board_tiles,
    mask,
    tiles_in,
)
from engine.draw_game.notation import read_tile
from tests.engine.draw_game.scene import after, chain, game, position


def both_hidden(book: DrawGame, down: int = 1) -> DrawState:
    """A deal of which nobody has seen a tile."""
    return after(book, book.start(setup={"down": down}), "see deal hidden / hidden")


# — one case each —


@pytest.mark.rules("DRW-9", "A-F17")
def test_a_draw_from_a_hidden_hand_is_unverifiable_and_goes_on() -> None:
    """Nobody can say whether the drawer could have played: the draw is not called legal, and play goes on."""
    book = game()
    state = after(book, both_hidden(book), "1: down 3-4")
    ruling = book.check(state, book.parse("2: draw"))
    assert (ruling.status, ruling.rule) == (Status.UNVERIFIABLE, "DRW-9")
    assert ruling.facts["hidden"] == 11
    assert "3-6" in str(ruling.facts["would_fit"])
    drawn = after(book, state, "2: draw", "see drawn unseen")
    assert (drawn.mover, drawn.hidden) == (2, (10, 12))


@pytest.mark.rules("DRW-9", "A-F17")
def test_a_tile_played_later_proves_an_earlier_draw_wrong() -> None:
    """Two fitting tiles shown after one unseen draw: the late ruling names turn, tiles and rule."""
    book = game()
    state = after(
        book, both_hidden(book), "1: down 3-4", "2: draw", "see drawn unseen", "2: 3-6 by 3 at west"
    )
    assert book.late_rulings(state) == ()
    state = after(book, state, "1: 0-6 by 6 at west", "2: 2-4 by 4 at east")
    (late,) = book.late_rulings(state)
    assert (late.turn, late.move) == (2, "2: draw")
    assert (late.ruling.status, late.ruling.rule) == (Status.ILLEGAL, "DRW-9")
    assert late.ruling.facts == {"turn": 2, "tiles": ["2-4", "3-6"], "proved_at": 5}
    assert late.ruling.squares == ("east", "west")
    assert late.ruling.reason == (
        "At move 2 player 2 drew with at least 1 of 2-4 and 3-6 in hand, which all fitted: "
        "only 1 of them can have been drawn since."
    )


@pytest.mark.rules("DRW-9", "A-F17")
def test_a_tile_drawn_in_sight_is_no_proof_and_does_not_hide_one() -> None:
    """Where the drawn tile was seen, that tile proves nothing and the next fitting one proves everything."""
    book = game()
    start = after(book, both_hidden(book), "1: down 3-4", "2: draw", "see drawn 3-6", "2: 3-6 by 3 at west")
    assert book.late_rulings(start) == ()
    state = after(book, start, "1: 0-6 by 6 at west", "2: 2-4 by 4 at east")
    (late,) = book.late_rulings(state)
    assert late.ruling.facts["tiles"] == ["2-4"]
    assert late.ruling.reason == (
        "At move 2 player 2 drew with the 2-4 in hand, which fitted the 4 at the east end: "
        "nothing drawn since can have been it."
    )


@pytest.mark.rules("A-F17")
def test_where_nobody_comes_back_to_draws_there_are_no_late_rulings() -> None:
    """Under hand_proof=never the same match has no late ruling."""
    book = game("hand_proof=never")
    lines = ("1: down 3-4", "2: draw", "see drawn 3-6", "2: 3-6 by 3 at west", "1: 0-6 by 6 at west")
    assert book.late_rulings(after(book, both_hidden(book), *lines, "2: 2-4 by 4 at east")) == ()


@pytest.mark.rules("DRW-9", "A-F17")
def test_the_hand_laid_open_at_the_end_proves_a_pass_wrong() -> None:
    """A pass stays open until the hand is shown; then the tiles still held prove it wrong."""
    book = game("boneyard_floor=14+hand=7")
    state = position(book, 5, "0-1", board=chain(2, 6, 8, "0-1 2-3 2-4"), turn=1)
    ruling = book.check(state, book.parse("1: pass"))
    assert (ruling.status, ruling.rule) == (Status.UNVERIFIABLE, "DRW-9")
    blocked = after(book, state, "1: pass", "2: pass")
    assert book.pending(blocked) == "hand"
    shown = after(book, blocked, "see hand 1: 0-0 1-1 2-3 2-4 3-3")
    (late,) = book.late_rulings(shown)
    assert (late.turn, late.ruling.facts["tiles"]) == (1, ["2-3", "2-4"])
    assert late.ruling.reason.endswith(
        "with the 2-3 and 2-4 in hand, which fitted the 2 at the west end: none of them was drawn since."
    )
    assert shown.scores == (0, 20)


@pytest.mark.rules("DRW-9")
def test_too_few_tiles_that_do_not_fit_make_a_pass_wrong_at_once() -> None:
    """When fewer unseen tiles do not fit than a hidden hand holds, one of them must fit: illegal now."""
    book = game()
    spinner = {"first": "3-3", "west": ["3-4"], "east": ["3-6"], "north": ["3-5"]}
    state = position(book, 16, "0-1 0-2", board=spinner, turn=1)
    assert can_play(state, 1) is True
    ruling = book.check(state, book.parse("1: draw"))
    assert (ruling.status, ruling.rule) == (Status.ILLEGAL, "DRW-9")
    assert "fewer unseen tiles" in ruling.reason


@pytest.mark.rules("DRW-9")
def test_a_hidden_hand_of_which_no_tile_can_fit_may_draw() -> None:
    """Where no unseen tile fits an end, a draw from a hidden hand is legal now."""
    book = game()
    fitting_ones = "0-5 1-5 2-5 3-5 4-5 5-5 0-6 1-6 2-6 3-6 4-6 6-6"
    state = position(book, 11, fitting_ones, board={"first": "5-6"}, down=2)
    assert can_play(state, 1) is False
    assert [book.format(move) for move in book.legal_moves(state)][:1] == ["1: draw"]
    assert book.check(state, book.parse("1: draw")).status is Status.LEGAL


@pytest.mark.rules("DRW-T2", "DRW-5")
def test_a_tile_from_a_hidden_hand_is_judged_at_once() -> None:
    """A play is never put off: legal where it matches, refused where it does not or is known elsewhere."""
    book = game()
    known = ["0-3", "0-1", "0-2", "0-4", "0-5", "0-6", "1-1", "1-2", "1-3", "1-4", "3-4"]
    state = after(book, position(book, known, 11), "1: down 3-4")
    assert book.check(state, book.parse("2: 3-6 by 3 at west")).status is Status.LEGAL
    assert book.check(state, book.parse("2: 3-6 by 6 at west")).rule == "DRW-5"
    theirs = book.check(state, book.parse("2: 0-3 by 3 at west"))
    assert (theirs.rule, theirs.facts["where"]) == ("DRW-T2", "in the hand of player 1")


@pytest.mark.rules("DRW-13")
def test_a_redeal_from_a_hidden_hand_is_open_until_the_hand_is_shown() -> None:
    """The demand is unverifiable; a hand shown with too few doubles makes a late ruling, a good one none."""
    book = game("hand=7")
    state = after(book, both_hidden(book), "1: down 3-4")
    ruling = book.check(state, book.parse("2: redeal"))
    assert (ruling.status, ruling.rule) == (Status.UNVERIFIABLE, "DRW-13")
    assert book.check(state, book.parse("1: redeal")).status is Status.ILLEGAL
    demanded = after(book, state, "2: redeal")
    assert book.pending(demanded) == "deal"
    honest = after(book, demanded, "see hand 2: 0-0 1-1 2-2 3-3 0-1 0-2 0-3")
    assert book.late_rulings(honest) == ()
    bluffed = after(book, demanded, "see hand 2: 0-0 1-1 2-2 1-3 0-1 0-2 0-3")
    (late,) = book.late_rulings(bluffed)
    assert (late.turn, late.move, late.ruling.rule) == (2, "2: redeal", "DRW-13")
    assert (late.ruling.facts["doubles"], book.pending(bluffed)) == (3, "deal")
    again = after(book, bluffed, "see deal hidden / hidden")
    assert book.late_rulings(again) == (late,)


@pytest.mark.rules("DRW-13")
def test_doubles_known_elsewhere_refuse_a_redeal_of_a_hidden_hand() -> None:
    """A hidden hand cannot hold four doubles when four of the seven are known to be elsewhere."""
    book = game("hand=7")
    state = position(book, "0-0 1-1 2-2 3-3 0-1 0-2 0-3", 7)
    ruling = book.check(state, book.parse("2: redeal"))
    assert (ruling.status, ruling.rule) == (Status.ILLEGAL, "DRW-13")
    assert "at most 3" in ruling.reason
    known = position(book, "0-0 1-1 2-2 +4", "4-4 5-5 6-6 +4")
    assert [book.format(move) for move in book.legal_moves(known)][-2:] == ["1: redeal", "2: redeal"]


@pytest.mark.rules("DRW-13")
def test_tiles_drawn_unseen_were_not_dealt() -> None:
    """Of a hand with three hidden tiles and four that are no doubles, draws do not make a redeal possible."""
    book = game("hand=7")
    start = position(book, 7, "0-1 0-2 0-3 0-4 +3")
    state = after(book, start, "1: down 5-6", "2: draw", "see drawn unseen", "2: draw", "see drawn unseen")
    ruling = book.check(state, book.parse("2: redeal"))
    assert (ruling.status, ruling.facts["doubles"]) == (Status.ILLEGAL, 3)


def test_the_last_hidden_hand_is_told_once_the_boneyard_is_empty() -> None:
    """With one hand known and no boneyard left, the other hand is what is left over, and judged as known."""
    book = game()
    board = chain(2, 6, 15, "3-5")
    open_still = position(book, 8, "0-0 1-1 3-5", board=board, turn=1)
    assert open_still.hidden == (8, 0)
    told = position(book, 10, "0-0 1-1 3-5", board=board, turn=1)
    assert (told.hidden, told.unseen) == ((0, 0), 0)
    assert told.hands[0] == open_still.unseen


@pytest.mark.rules("OBS-DRW-KEPT", "OBS-DRW-COUNT", "OBS-DRW-TWICE", "OBS-DRW-DUE")
def test_a_hand_shown_must_be_the_hand_that_is_held() -> None:
    """A shown hand lacks no known tile, has the right size, and no tile that lies elsewhere."""
    book = game("boneyard_floor=14+hand=7")
    state = position(book, "0-0 +2", "0-1 3-3 1-1", board=chain(2, 6, 8, "0-1"), turn=1)
    blocked = after(book, state, "1: pass", "2: pass")
    for line, rule in (
        ("see hand 1: 1-5 4-4 5-5", "OBS-DRW-KEPT"),
        ("see hand 1: 0-0 4-4", "OBS-DRW-COUNT"),
        ("see hand 1: 0-0 0-1 4-4", "OBS-DRW-TWICE"),
        ("see hand 1: 0-0 4-4 4-4", "OBS-DRW-TWICE"),
        ("see hand 2: 0-1 3-3", "OBS-DRW-DUE"),
        ("see drawn 4-4", "OBS-DRW-DUE"),
    ):
        with pytest.raises(ImpossibleFact) as wrong:
            book.observe(blocked, book.parse_fact(line))
        assert wrong.value.rule == rule, line
    assert book.pending(after(book, blocked, "see hand 1: 0-0 4-4 5-5")) == "deal"


# — a referee who sees backs only, beside the truth —


@dataclass
class Sitting:
    """One deal played by cheats: the truth, what a referee sees of it, and which moves were wrong."""

    book: DrawGame
    truth: DrawState
    seen: DrawState
    wrong: set[int] = field(default_factory=set)
    held: dict[int, int] = field(default_factory=dict)
    """The mover's true hand at every draw and pass, by turn."""
    questions: dict[int, int] = field(default_factory=dict)
    """The tiles that would have fitted, at every draw and pass that the referee could not judge."""
    turn: int = 0

    def play(self, rng: Random) -> None:
        """Plays to the end of the deal; one draw or pass in three is made although a tile would fit."""
        while self.book.pending(self.truth) in (None, "drawn") and not self.book.outcome(self.truth):
            if self.book.pending(self.truth):
                self._draw(rng)
            else:
                self._move(rng)
        while self.book.pending(self.seen) == "hand":
            player = 1 if self.seen.hidden[0] else 2
            shown = Shown(player, tiles_in(self.truth.hands[player - 1]))
            self.seen = self.book.observe(self.seen, shown)

    def _draw(self, rng: Random) -> None:
        tile = rng.choice(tiles_in(self.truth.unseen))
        self.truth = self.book.observe(self.truth, Drawn(tile))
        self.seen = self.book.observe(self.seen, Drawn(tile if rng.random() < 0.2 else None))

    def _move(self, rng: Random) -> None:
        mover = self.truth.mover
        moves = [move for move in self.book.legal_moves(self.truth) if not isinstance(move, Redeal)]
        left = self.truth.unseen.bit_count() > 0
        cheat = Draw(mover) if left else Pass(mover)
        down = board_tiles(self.truth.history) == 0
        cheating = not down and rng.random() < 0.3 and self.book.judge(self.seen, cheat).allowed
        move = cheat if cheating else rng.choice(moves)
        self.turn += 1
        ruling = self.book.judge(self.seen, move)
        assert ruling.allowed
        if not isinstance(move, Play) and not down:
            self.held[self.turn] = self.truth.hands[mover - 1]
            if ruling.status is Status.UNVERIFIABLE:
                self.questions[self.turn] = fitting(self.truth.ends)
        if move in moves:
            self.truth = self.book.play(self.truth, move)
        else:
            self.wrong.add(self.turn)
            self.truth = self.book.let_stand(self.truth, move)
        self.seen = self.book.play(self.seen, move)


def sat(seed: int, profile: str) -> Sitting:
    """A deal played from this seed."""
    rng, book = Random(seed), game(profile)
    truth = book.start(rng=rng)
    seen = both_hidden(book, truth.mover)
    sitting = Sitting(book, truth, seen)
    sitting.play(rng)
    return sitting


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), profile=st.sampled_from(("default", "hand=9", "hand=7")))
def test_late_rulings_are_true_and_the_score_is_that_of_the_open_hands(seed: int, profile: str) -> None:
    """Every late ruling names a turn that was wrong indeed and tiles that were held; scores are the same."""
    sitting = sat(seed, profile)
    assert sitting.seen.scores == sitting.truth.scores
    for late in sitting.book.late_rulings(sitting.seen):
        assert late.turn in sitting.wrong
        tiles = mask(read_tile(str(name)) for name in late.ruling.facts["tiles"])
        assert sitting.held[late.turn] & tiles


def provable(state: DrawState, at: int, player: int, fits: int) -> bool:
    """Whether in every way in which the unseen draws can have gone a fitting tile was held at ``at``.

    Tries them all: each unseen draw was one of the tiles that the player showed later.
    """
    shown: dict[int, int] = {}
    fixed: dict[int, int] = {}
    unseen: list[int] = []
    drawer = 0
    for time, event in enumerate(state.history):
        if isinstance(event, Draw):
            drawer = event.player or 0
        elif isinstance(event, Drawn) and drawer == player:
            if event.tile is None:
                unseen.append(time)
            else:
                fixed[BIT[event.tile]] = time
        elif isinstance(event, Play) and event.player == player:
            shown[event.bit] = time
    for tile in tiles_in(state.hands[player - 1]):
        shown[BIT[tile]] = len(state.history)
    candidates = [bit for bit in shown if bit not in fixed]
    for drawn in permutations(candidates, len(unseen)):
        came = fixed | dict(zip(drawn, unseen, strict=True))
        if any(shown[bit] <= came[bit] for bit in drawn):
            continue
        held = [bit for bit in shown if bit & fits and came.get(bit, -1) < at < shown[bit]]
        if not held:
            return False
    return True


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_everything_that_can_be_proved_is_proved(seed: int) -> None:
    """At the end of a deal a draw or pass has a late ruling exactly where no course excuses it."""
    sitting = sat(seed, "default")
    book, state = sitting.book, sitting.seen
    late = {ruling.turn for ruling in book.late_rulings(state)}
    moves = [time for time, event in enumerate(state.history) if not isinstance(event, Drawn | Shown)]
    for turn, fits in sitting.questions.items():
        at = moves[turn - 1]
        event = state.history[at]
        assert isinstance(event, Draw | Pass)
        player = event.player or 0
        draws = sum(isinstance(one, Draw) and one.player == player for one in state.history)
        if draws <= 3 and not sum(state.hidden):
            assert (turn in late) is provable(state, at, player, fits)
