"""The seven outcomes, one by one, as a match would meet them."""

from dataclasses import replace
from math import hypot

import pytest

from engine import Spot, State
from engine.history import History
from engine.matching import (
    Difference,
    Follower,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    TakeBack,
    Unreadable,
)
from engine.plain import JsonObject
from engine.scene import Guess, Hidden, Scene, Sighting
from tests.engine.matching.doubtful_table import Table


class Played:
    """A game of Dominoids on its table."""

    def __init__(self, seed: int = 3) -> None:
        self.history = History.begin("dominoids", seed=seed)
        self.table = Table(seed)
        self.follower = Follower.of(self.history)
        self.follower = self.follower.after(self.history, self.scene())

    def scene(self, state: State | None = None, **how: object) -> Scene:
        """The table as it is in a state."""
        layout = self.history.book.layout(state or self.history.state)
        return self.table.scene(layout, **how)  # type: ignore[arg-type]

    def move(self, line: str) -> Scene:
        """Somebody makes a move, and the scene afterwards."""
        return self.scene(self.history.book.play(self.history.state, self.history.book.parse(line)))

    def enter(self, ruled: Ruled, scene: Scene) -> None:
        """What was ruled goes into the record."""
        for one in ruled.happened:
            self.history = self.history.move(one.text) if one.kind == "move" else self.history.fact(one.text)
        self.follower = self.follower.after(self.history, scene)

    def first(self, kind: str) -> str:
        """The first legal move with this word."""
        book = self.history.book
        return next(
            line for move in book.legal_moves(self.history.state) if kind in (line := book.format(move))
        )


@pytest.fixture
def game() -> Played:
    """A fresh game."""
    return Played()


def ruled(game: Played, line: str) -> Ruled:
    """The ruling on a move that is made."""
    verdict = game.follower.see(game.move(line))
    assert isinstance(verdict, Ruled)
    return verdict


def test_nothing_has_changed(game: Played) -> None:
    """The same table again."""
    verdict = game.follower.see(game.scene())
    assert verdict == Nothing()
    assert verdict.sentence == "Nothing has changed."


def test_a_move_is_ruled_and_entered(game: Played) -> None:
    """The record grows by what was told, and then table and record agree."""
    line = game.first("dice")
    scene = game.move(line)
    verdict = game.follower.see(scene)
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == line
    assert verdict.happened[0].to_json()["kind"] == "move"
    assert verdict.ruling is not None
    assert verdict.ruling.allowed
    assert verdict.margin > 4.6
    assert line in verdict.sentence
    game.enter(verdict, scene)
    assert verdict.state == game.history.state
    assert game.follower.see(scene) == Nothing()


def test_a_refused_move_is_refused_until_it_is_put_back(game: Played) -> None:
    """It names its rule, and the table as before is nothing new."""
    game.enter(ruled(game, game.first("dice")), game.move(game.first("dice")))
    before = game.scene()
    moved = tuple(
        replace(one, x=(one.x or 0) + 4)
        if one.kind == "domino" and one.region == "board" and (one.x or 0) < 4 and (one.y or 0) < 4
        else one
        for one in before.sightings
    )
    verdict = game.follower.see(Scene(moved))
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    assert verdict.ruling is not None
    assert verdict.ruling.nearest
    assert "illegal" in verdict.sentence
    history = game.history.move(verdict.happened[-1].text)
    again = Follower.of(history)
    assert again.told[-1] == ""
    assert again.at(before).see(before) == Nothing()


@pytest.mark.parametrize("came", [None, 1])
def test_one_die_of_two_is_a_beginning(game: Played, came: int | None) -> None:
    """The sentence is that of the rule book, and nothing is certain yet, whoever came first."""
    state = game.history.state
    before = game.scene().sightings
    die = next(one for one in before if one.kind == "die" and (one.value or {}).get("suit"))
    away = tuple(replace(one, region="chosen-dice") if one is die else one for one in before)
    verdict = game.follower.see(Scene(away, came=came))
    assert isinstance(verdict, Incomplete)
    assert verdict.sentence
    assert verdict.happened == ()
    assert game.history.state == state


def test_a_lifted_piece_is_a_beginning(game: Played) -> None:
    """A domino in the hand is neither here nor there."""
    name = next(spot.name for spot in game.history.book.layout(game.history.state).in_region("board"))
    verdict = game.follower.see(game.scene(lost=frozenset((name,))))
    assert isinstance(verdict, Incomplete)
    assert "taken up" in verdict.sentence
    assert verdict.differences[0].piece == name


def test_a_domino_that_was_turned_over_is_out_of_step(game: Played) -> None:
    """No move turns one over: its place is named, and nothing is acted on."""
    name = next(spot.name for spot in game.history.book.layout(game.history.state).in_region("board"))
    spot = next(one for one in game.history.book.layout(game.history.state).spots if one.name == name)
    seen = game.scene().sightings
    turned = tuple(
        replace(one, face="down", guesses=())
        if one.kind == "domino" and one.region == "board" and (one.x, one.y) == _nearest(seen, spot)
        else one
        for one in seen
    )
    verdict = game.follower.see(Scene(turned))
    assert isinstance(verdict, OutOfStep)
    assert len(verdict.differences) == 1
    assert "looks like a tile that lies face down" in verdict.sentence


def _nearest(seen: tuple[Sighting, ...], spot: Spot) -> tuple[float | None, float | None]:
    """Where the domino of a spot was seen."""
    dominoes = [one for one in seen if one.kind == "domino" and one.region == "board"]
    near = min(
        dominoes,
        key=lambda one: hypot((one.x or 0) - (spot.x or 0), (one.y or 0) - (spot.y or 0)),
    )
    return near.x, near.y


def test_what_no_move_explains_is_out_of_step(game: Played) -> None:
    """Every place that disagrees is named; nothing is acted on."""
    before = game.scene().sightings
    pawns = [one for one in before if one.kind == "pawn"]
    swapped = tuple(
        replace(one, guesses=pawns[(pawns.index(one) + 1) % 4].guesses) if one in pawns else one
        for one in before
    )
    verdict = game.follower.see(Scene(swapped))
    assert isinstance(verdict, OutOfStep)
    assert len(verdict.differences) == 4
    assert "looks like a" in verdict.sentence
    assert verdict.differences[0].to_json()["place"]


def test_a_misread_piece_in_its_place_is_a_doubt(game: Played) -> None:
    """One domino of another face where nothing was touched: the eye is wrong, not the record."""
    before = game.scene().sightings
    domino = next(one for one in before if one.kind == "domino" and one.region == "board")
    wrong = replace(domino, guesses=(Guess({"pips": [1, 1]}, 0.97),))
    verdict = game.follower.see(Scene(tuple(wrong if one is domino else one for one in before)))
    assert isinstance(verdict, Nothing)
    assert len(verdict.doubts) == 1


def test_a_table_as_before_is_a_take_back(game: Played) -> None:
    """The dice are put back into their box."""
    start = game.scene()
    game.enter(ruled(game, game.first("dice")), game.move(game.first("dice")))
    verdict = game.follower.see(start)
    assert isinstance(verdict, TakeBack)
    assert game.follower.states[-1 - verdict.steps] == game.history.first
    assert "taken back" in verdict.sentence


def test_two_steps_taken_back(game: Played) -> None:
    """Dice and the first slide are undone at once."""
    start = game.scene()
    for word in ("dice", "move"):
        scene = game.move(game.first(word))
        verdict = game.follower.see(scene)
        assert isinstance(verdict, Ruled)
        game.enter(verdict, scene)
    verdict_back = game.follower.see(start)
    assert isinstance(verdict_back, TakeBack)
    assert verdict_back.steps >= 2
    assert "steps were taken back" in verdict_back.sentence


def test_hidden_is_never_empty(game: Played) -> None:
    """A covered board says nothing; a piece that may have gone under the hand is not ruled on."""
    assert game.follower.see(game.scene(hidden=(Hidden("board"),))) == Nothing()
    name = next(spot for spot in game.history.book.layout(game.history.state).in_region("board"))
    far = 9 - (name.x or 0)
    corner = Hidden("board", ((far - 1, 0), (far + 1, 0), (far + 1, 1), (far - 1, 1)))
    verdict = game.follower.see(game.scene(hidden=(corner,), lost=frozenset((name.name,))))
    assert isinstance(verdict, Unreadable)
    assert verdict.rule == "OBS-HIDDEN"
    assert verdict.differences


def test_an_empty_scene_is_unreadable(game: Played) -> None:
    """No piece at all: that is the camera, not the players."""
    verdict = game.follower.see(Scene(()))
    assert isinstance(verdict, Unreadable)
    assert verdict.rule == "OBS-SCENE"


def test_two_close_readings_are_a_question(game: Played) -> None:
    """A coin face that may be two things is asked for, in plain choices."""
    for seed in range(40):
        game = Played(seed)
        line = game.first("dice")
        scene = game.move(line)
        game.enter(ruled(game, line), scene)
        book, state = game.history.book, game.history.state
        moves = [move for move in book.legal_moves(state) if " bud " in book.format(move)]
        if moves:
            break
    after = game.scene(book.apply(state, moves[0]))
    child = moves[0].child.domino  # type: ignore[attr-defined]
    others = [move for move in moves if move.child.low == moves[0].child.low]  # type: ignore[attr-defined]
    other = next(move.child.domino for move in others if move.child.domino != child)  # type: ignore[attr-defined]
    doubtful = tuple(
        replace(one, guesses=(Guess(one.value, 0.5), Guess({"pips": list(other)}, 0.49)), angle=one.angle)
        if one.region == "board" and one.kind == "domino" and sorted((one.value or {})["pips"]) == list(child)  # type: ignore[arg-type]
        else one
        for one in after.sightings
        if not (one.region == "pool" and sorted((one.value or {})["pips"]) == list(other))  # type: ignore[arg-type]
    )
    verdict = game.follower.see(Scene(doubtful))
    assert isinstance(verdict, Question | Ruled | OutOfStep)


def test_a_correction_of_the_record_is_offered_for_blank_dice() -> None:
    """Of two blank dice in one box one was taken; the roll shows that it was the other."""
    for seed in range(200):
        game = Played(seed)
        state = game.history.state
        if list(state.faces).count(0) == 2 and state.new == 0:  # type: ignore[attr-defined]
            break
    book = game.history.book
    faces = state.faces  # type: ignore[attr-defined]
    blank = [die for die in range(4) if faces[die] == 0]
    suits = ("suns", "moons", "crowns", "arms")
    other = next(die for die in range(4) if die not in blank)
    follower = Follower.of(game.history)  # nobody saw where the dice came to lie
    line = f"{state.player}: dice " + " ".join(sorted((suits[blank[1]], suits[other]), key=suits.index))  # type: ignore[attr-defined]
    after = book.play(state, book.parse(line))
    scene = game.scene(after)
    verdict = follower.see(scene)
    assert isinstance(verdict, Ruled)
    history = game.history
    for one in verdict.happened:
        history = history.move(one.text)
    truth = after
    while book.pending(truth) is None:
        quiet = [move for move in book.legal_moves(truth) if not hasattr(move, "dice")]
        truth = book.apply(truth, quiet[0])
    if book.pending(truth) != "roll":
        pytest.skip("this game turns a coin first")
    shown = book.parse_fact(f"see roll {' '.join(f'{suits[die]}=5' for die in sorted((blank[1], other)))}")
    rolled = book.observe(truth, shown)
    told = follower.after(history, scene).see(game.scene(rolled))
    assert told.kind in ("ruled", "question")


def test_words_for_outcomes() -> None:
    """Each outcome can be told and stored."""
    difference = Difference("Something.", "board", "c5", "pawn suns", "7")
    plain: JsonObject = difference.to_json()
    assert plain == {
        "sentence": "Something.",
        "region": "board",
        "place": "c5",
        "piece": "pawn suns",
        "ref": "7",
    }


def test_a_piece_that_nobody_could_place_does_no_harm(game: Played) -> None:
    """Sightings without coordinates are borne: they are too many, not a reason to fall over."""
    blind = tuple(Sighting(kind, "board") for kind in ("domino", "coin"))
    verdict = game.follower.see(Scene((*game.scene().sightings, *blind)))
    assert isinstance(verdict, OutOfStep)


def test_a_cup_beside_the_board_is_no_matter(game: Played) -> None:
    """What lies in no region is nobody's business."""
    cup = Sighting("coin", "", 300.0, 10.0, presence=0.6)
    assert game.follower.see(Scene((*game.scene().sightings, cup))) == Nothing()


def test_too_much_for_one_visit_is_not_believed(game: Played) -> None:
    """Dice, a slide and another one while a hand came only once: nothing is acted on."""
    state, book = game.history.state, game.history.book
    for word in ("dice", "move", "move"):
        for quiet in book.legal_moves(state) if word == "move" else ():
            if book.format(quiet).endswith(("none", "pass")):
                state = book.apply(state, quiet)
                break
        state = book.apply(state, next(move for move in book.legal_moves(state) if word in book.format(move)))
    verdict = game.follower.see(game.scene(state, visits=1))
    assert isinstance(verdict, OutOfStep | Question | Incomplete)


def test_back_by_a_move_or_taken_back_is_asked() -> None:
    """A Dominoid slides back to where it was: with the other die, or was the move undone?"""
    for seed in range(60):
        game = Played(seed)
        game.enter(ruled(game, game.first("dice")), game.move(game.first("dice")))
        start = game.scene()
        line = _there_and_back(game)
        if line is not None:
            break
    scene = game.move(line)
    verdict = game.follower.see(scene)
    assert isinstance(verdict, Ruled)
    game.enter(verdict, scene)
    asked = game.follower.see(start)
    assert isinstance(asked, Question)
    assert any(isinstance(choice.outcome, TakeBack) for choice in asked.choices)
    assert any(isinstance(choice.outcome, Ruled) for choice in asked.choices)


def _there_and_back(game: Played) -> str | None:
    """A legal move that the other die of the turn can undo."""
    book, state = game.history.book, game.history.state
    for move in book.legal_moves(state):
        after = book.apply(state, move)
        for quiet in book.legal_moves(after):
            if book.format(quiet).endswith("none"):
                after = book.apply(after, quiet)
        if " move " in book.format(move) and book.pending(after) is None:
            for back in book.legal_moves(after):
                if book.layout(book.apply(after, back)) == book.layout(state):
                    return book.format(move)
    return None


def test_a_fact_that_cannot_follow_ends_a_retelling() -> None:
    """Another die would not have been rolled."""
    for seed in range(200):
        game = Played(seed)
        state = game.history.state
        if list(state.faces).count(0) == 2 and state.new == 0:  # type: ignore[attr-defined]
            break
    book, suits = game.history.book, ("suns", "moons", "crowns", "arms")
    faces = state.faces  # type: ignore[attr-defined]
    blank, other = [die for die in range(4) if faces[die] == 0], next(die for die in range(4) if faces[die])
    line = f"{state.player}: dice " + " ".join(suits[die] for die in sorted((blank[0], other)))  # type: ignore[attr-defined]
    after = book.play(state, book.parse(line))
    told = (line, f"see roll {suits[blank[0]]}=2")
    assert list(Follower(book, (state, after, after), told).pasts()) == []
    assert len(list(Follower(book, (state, after), told[:1]).pasts())) == 1


BLANKS: JsonObject = {
    "player": 2, "stage": "dice", "chosen": [],
    "dominoes": {"1-2": ["f4", "f3"], "1-5": ["b4", "b5"], "4-4": ["d6", "e6"]},
    "pawns": {"suns": "b7", "moons": "d2", "crowns": "g6", "arms": "c7"},
    "coins": [{"square": square, "suit": suit} for square, suit in (("a7", "suns"), ("c6", "arms"))],
    "dice": {"suns": "null", "moons": "null", "crowns": "2", "arms": "5"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "then"), [("moons shift row 4 left", "suns shift row 4 left"), ("eat h8", "")]
)
def test_what_players_let_stand_stands_in_another_past_too(line: str, then: str) -> None:
    """Which of two blank dice was taken is open all the same; what cannot stand then ends that past."""
    history = History.begin("dominoids", setup=BLANKS).move("2: dice moons crowns")
    state = history.state
    stood = ("", f"2: {line}")
    follower = Follower(
        history.book, (history.first, state, state), ("2: dice moons crowns", ""), stood=stood
    )
    found = [[one.text for one in past.revised] for past in follower.pasts()]
    assert found == ([["2: dice suns crowns", f"2: {then}"]] if then else [])


def test_a_move_in_place_of_one_taken_back_is_no_third_action(game: Played) -> None:
    """An illegal move is asked about where taking the last one back makes it legal, and then it is ruled."""
    book = game.history.book
    for kind in ("dice", "move", "move"):
        line = game.first(kind)
        before, scene = game.history, game.move(line)
        game.history = game.history.move(line)
        game.follower = game.follower.after(game.history, scene)
    others = (move for move in book.legal_moves(before.state) if "move" in book.format(move))
    last = game.history.steps[-1].happened.text
    other = next(
        after
        for move in others
        if book.format(move) != last
        and (after := book.apply(before.state, move)).dominoes != game.history.state.dominoes
        and isinstance(game.follower.see(game.scene(after)), Question)
    )
    asked = game.follower.see(game.scene(other))
    assert isinstance(asked, Question)
    kinds = [type(choice.outcome) for choice in asked.choices]
    assert TakeBack in kinds
    back = next(choice.outcome for choice in asked.choices if isinstance(choice.outcome, TakeBack))
    assert back.state.dominoes == before.state.dominoes
    ruled = game.follower.after(before, None).see(game.scene(other))
    assert isinstance(ruled, Ruled)
    assert not ruled.refused


def test_a_move_that_was_taken_back_for_another_is_taken_back_first() -> None:
    """One hand did both, and no move from the record explains it: once that counts, the other is ruled."""
    game = Played(5)
    game.enter(ruled(game, game.first("dice")), game.move(game.first("dice")))
    before, line, other = game.history, "2: suns move 4@f4-2@g4", "2: suns move 3@d3-3@e3"
    game.enter(ruled(game, line), game.move(line))
    book = before.book
    scene = replace(game.scene(book.play(before.state, book.parse(other))), visits=1)
    verdict = game.follower.see(scene)
    assert isinstance(verdict, TakeBack)
    assert verdict.more
    assert verdict.state == before.state
    again = game.follower.after(before, None).see(scene)
    assert isinstance(again, Ruled)
    assert not again.refused
    assert other in (again.happened[0].text, *again.happened[0].alike)
    # where something else reads wrong as well, it is not acted on only because nothing else comes to mind
    sightings = [_as_another_tile(one) if _is_apart(one) else one for one in scene.sightings]
    assert sightings != [*scene.sightings]
    ill = game.follower.see(replace(scene, sightings=tuple(sightings)))
    assert isinstance(ill, Question)
    assert [type(one.outcome) for one in ill.choices] == [TakeBack]
    # nor is it acted on once a hand came again that has changed nothing
    once_more = replace(scene, sightings=tuple(sightings), visits=2)
    assert isinstance(game.follower.asking(ill).see(once_more), Question)


def _is_apart(one: Sighting) -> bool:
    """Whether this is the 3-5, which no move touches."""
    return one.kind == "domino" and sorted((one.value or {}).get("pips") or ()) == [3, 5]


def _as_another_tile(one: Sighting) -> Sighting:
    return replace(one, guesses=(Guess({"pips": [1, 1]}, 0.999),))


def test_what_was_seen_is_not_taken_back() -> None:
    """A roll that was misread is no move that was taken back for another."""
    history = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d d D S")
    first = Follower.of(history).at(Table(1).scene(history.book.layout(history.state)))
    other = history.book.layout(history.undo().fact("see roll ? s b2 S").state)
    verdict = first.see(Table(2).scene(other, visits=1))
    assert not isinstance(verdict, TakeBack | Ruled)
