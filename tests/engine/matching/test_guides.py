"""What is particular to each game: set-ups move by move, faces, maps, and lines that bend."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engine import BadSetup, Move, State, rulebook
from engine.dominoes_of_war.model import WarState
from engine.history import History
from engine.matching import Follower, Incomplete, Nothing, OutOfStep, Question, Ruled, TakeBack, Verdict
from engine.matching.adopted import adopter_for
from engine.matching.guide import guide_for
from engine.scene import Guess, Scene, Sighting
from tests.engine.dominoes_of_war.scene import BOOK as WAR
from tests.engine.dominoes_of_war.scene import bare
from tests.engine.dominoes_of_war.scene import table as war_table
from tests.engine.dominoids.scene import BOOK as DOMINOIDS
from tests.engine.dominoids.scene import acting, position
from tests.engine.matching.doubtful_table import Table


class Watched:
    """A game on its table; what is ruled is entered into its record."""

    def __init__(self, history: History, seed: int = 1) -> None:
        self.history, self.table = history, Table(seed, skew=1.0)
        self.book = history.book
        self.follower = Follower.of(history)

    def look(self, state: State) -> Verdict:
        """What is made of the table of a state; what is ruled is entered."""
        scene = self.table.scene(self.book.layout(state), visits=1)
        verdict = self.follower.see(scene)
        if isinstance(verdict, Ruled):
            for one in verdict.happened:
                self.tell(one.text)
            self.follower = self.follower.after(self.history, scene)
        return verdict

    def tell(self, text: str) -> None:
        """Something is told by hand."""
        self.history = self.history.fact(text) if text.startswith("see") else self.history.move(text)
        self.follower = self.follower.after(self.history, None)

    @property
    def state(self) -> State:
        """The state now."""
        return self.history.state


def _see(book: object, *states: State) -> list[Verdict]:
    """What is made of each state's table by one who believes the first."""
    follower = Follower(book, states[:1])  # type: ignore[arg-type]
    table = Table(5, skew=1.0)
    follower = follower.at(table.scene(book.layout(states[0])))  # type: ignore[attr-defined]
    return [follower.see(table.scene(book.layout(state), visits=1)) for state in states[1:]]  # type: ignore[attr-defined]


# — Dominoes of War —


@pytest.mark.parametrize("hidden", [False, True])
def test_a_war_is_set_up_before_the_camera(hidden: bool) -> None:
    """Armies, bases, walls and soldiers are seen; lot and starter are told."""
    rng = Random(4)
    watched = Watched(History.begin("dominoes-of-war"))
    book = watched.book
    shown = book.observe(watched.state, book.parse_fact("see armies army cowboys"))
    assert isinstance(watched.look(shown), Ruled)
    watched.tell("see lot 1")
    watched.tell("1: first 2")
    for _ in range(40):
        state = watched.state
        assert isinstance(state, WarState)
        if state.phase == "act":
            break
        after = (
            book.observe(state, book.sample(state, rng))
            if book.pending(state)
            else book.play(state, _setting_move(book.legal_moves(state), rng, hidden=hidden))
        )
        verdict = watched.look(after)
        assert isinstance(verdict, Ruled), (state.phase, verdict)
        assert watched.state == after
    assert watched.state.phase == "act"  # type: ignore[attr-defined]


def _setting_move(moves: Sequence[Move], rng: Random, *, hidden: bool) -> Move:
    some = [move for move in moves if (getattr(move, "kind", "") == "hidden") == hidden]
    return rng.choice(some or list(moves))


def _war_move(state: State, line: str) -> Ruled:
    after = WAR.play(state, WAR.parse(line))
    (verdict,) = _see(WAR, state, after)
    assert isinstance(verdict, Ruled), verdict
    return verdict


def test_a_runner_and_the_wall_he_blows_up() -> None:
    """A Kamikaze on an enemy, and one before a wall that goes with him."""
    state = war_table("1:kamikaze@d4 1:general@a1 2:grunt@d5 2:general@h8")
    assert "run" in _war_move(state, "1: run d4 d5").happened[0].text
    state = war_table("1:kamikaze@d4 1:general@a1 2:general@h8", walls="d4/d5")
    line = next(WAR.format(move) for move in WAR.legal_moves(state) if "d4/d5" in WAR.format(move))
    assert _war_move(state, line).happened[0].text == line


def test_who_of_two_fired_nobody_can_see() -> None:
    """One is written down, and the other is named as well."""
    state = war_table("1:grunt@d4 1:grunt@f5 1:general@a1 2:grunt@d5 2:general@h8")
    ruled = _war_move(state, "1: shoot f5 d5")
    assert {ruled.happened[0].text, *ruled.alike} == {"1: shoot d4 d5", "1: shoot f5 d5"}


def test_a_wall_is_moved_where_a_tile_brought_that() -> None:
    """One wall less and one more is one wall moved."""
    state = war_table("1:general@a1 2:general@h8", walls="c3/c4", phase="bonus", bonus=20)
    line = next(WAR.format(move) for move in WAR.legal_moves(state) if "c3/c4" in WAR.format(move))
    assert _war_move(state, line).happened[0].text == line


def test_a_tile_that_was_not_turned_up_is_waited_for() -> None:
    """The soldier has landed; the sentence says which tile."""
    state = war_table("1:general@a1 2:general@h8")
    after = WAR.play(state, WAR.parse("1: move a1 a2"))
    assert guide_for(WAR).waits_for(after) == "The tile on a2 must be turned up."  # type: ignore[arg-type]
    assert guide_for(WAR).waits_for(state) == ""  # type: ignore[arg-type]


def test_a_soldier_without_colour_is_known_by_his_army() -> None:
    """Where the armies differ, the army says whose he is."""
    state = war_table("1:general@a1 2:chieftain@h8", armies=["army", "indians"])
    after = WAR.play(state, WAR.parse("1: move a1 a2"))
    table = Table(1, skew=1.0)
    before = table.scene(WAR.layout(state))
    scene = table.scene(WAR.layout(after))
    plain = Scene(tuple(replace(one, owner=None) for one in scene.sightings))
    verdict = Follower(WAR, (state,)).at(before).see(plain)  # type: ignore[arg-type]
    assert isinstance(verdict, Ruled)


def test_a_soldier_of_the_other_side_who_moves_is_asked_about() -> None:
    """Player 2's soldier moved in player 1's turn: out of turn, or did player 1 end his turn at once?"""
    state = war_table("1:general@a1 2:general@h8")
    moved = war_table("1:general@a1 2:general@h7")
    (verdict,) = _see(WAR, state, moved)
    assert isinstance(verdict, Question)
    assert sorted("(illegal)" in choice.text for choice in verdict.choices) == [False, True]


def test_soldiers_and_walls_without_a_place_are_borne() -> None:
    """Nothing is proposed for them."""
    state = war_table("1:general@a1 2:general@h8", walls="c3/c4")
    scene = Table(1).scene(WAR.layout(state))
    blind = (Sighting("soldier", "board"), Sighting("wall", "board"), Sighting("domino", "board"))
    verdict = Follower(WAR, (state,)).see(Scene((*scene.sightings, *blind)))  # type: ignore[arg-type]
    assert isinstance(verdict, OutOfStep)


def test_bases_are_adopted_from_the_table() -> None:
    """With no record of them, the tiles off the field are two bases."""
    state = war_table("1:general@(0,3) 2:general@(9,5)", walls="d4/d5 e4/e5 b2/b3 g6/g7")
    scene = Table(1).scene(WAR.layout(state))
    adopter = adopter_for(WAR)  # type: ignore[arg-type]
    found = adopter.table(state._replace(bases=((), ()), troops=()), scene)
    assert found["bases"] == [list(base) for base in state.to_json()["bases"]]  # type: ignore[union-attr]
    assert len(found["troops"]) == 2  # type: ignore[arg-type]


def test_before_the_war_there_are_no_moves() -> None:
    """Nothing is proposed while armies and lot are still to be seen."""
    history = History.begin("dominoes-of-war")
    scene = Scene((Sighting("soldier", "board", 1.0, 1.0, guesses=(Guess({"type": "grunt"}, 1.0),)),))
    assert not isinstance(Follower.of(history).see(scene), Ruled)


def test_a_half_turned_sniper_is_asked_about() -> None:
    """He stands between two facings: turned, or knocked against?"""
    state = war_table("1:sniper@d4>n 1:general@a1 2:general@h8")
    scene = Table(1, skew=0.0).scene(WAR.layout(state))
    askew = tuple(
        replace(one, angle=50.0)
        if (one.value or {}).get("type") == "sniper" and one.region == "board"
        else one
        for one in scene.sightings
    )
    verdict = Follower(WAR, (state,)).see(Scene(askew))  # type: ignore[arg-type]
    assert isinstance(verdict, Question)
    assert verdict.choices[-1].text == "Nothing was moved."


@pytest.mark.parametrize("used", [3, 2, 1, 0])
def test_a_sniper_who_faces_another_way_before_his_turn_is_over_is_asked_about(used: int) -> None:
    """He was put back so, or his turn was ended early, as where one action or two are left, for what no
    picture shows: a shot at nothing; once no action is left he must be given a facing."""
    state = war_table("1:sniper@d4>n 1:general@a1 2:general@h8", actions=used)
    turned = war_table("1:sniper@d4>e 1:general@a1 2:general@h8", actions=used)
    scene = replace(Table(1, skew=0.0).scene(WAR.layout(turned)), by=1, visits=1)
    verdict = Follower(WAR, (state,)).see(scene)  # type: ignore[arg-type]
    if used < 1:
        assert isinstance(verdict, Question)
        told = [choice.text for choice in verdict.choices]
        assert "1: end, then 1: face d4 e" in told
        assert told[-1] == "Nothing was moved."
    else:
        assert isinstance(verdict, Ruled)
        assert [one.text for one in verdict.happened][:2] == ["1: end", "1: face d4 e"]


@pytest.mark.parametrize("sniper", ["", "1:sniper@d4>n "])
def test_who_puts_back_the_last_move_of_his_turn_has_taken_it_back(sniper: str) -> None:
    """That the other's whole turn passed unseen, or that he moved out of turn once his Sniper had been given
    the facing that he had, looks the same; his hand alone was seen."""
    before = bare(war_table(f"{sniper}1:general@a1 2:general@h8", actions=2))
    told, states = ["1: move a1 a2", "1: end"], [before]
    for line in told:
        states.append(WAR.play(states[-1], WAR.parse(line)))  # type: ignore[arg-type]
    table = Table(1, skew=0.0)
    follower = Follower(WAR, tuple(states), tuple(told)).at(table.scene(WAR.layout(states[-1])))
    verdict = follower.see(table.scene(WAR.layout(before), by=1, visits=1))
    assert isinstance(verdict, TakeBack)
    assert verdict.steps == 2
    unseen = follower.see(table.scene(WAR.layout(before), visits=1))
    assert isinstance(unseen, Question | TakeBack)


def test_half_a_base_is_no_base() -> None:
    """Six tiles make one; three do not."""
    history = History.begin("dominoes-of-war", setup={"phase": "bases"})
    before = Table(1).scene(WAR.layout(history.state))  # type: ignore[arg-type]
    laid = tuple(Sighting("domino", "board", 0.0, float(k), 0.0, face="down") for k in range(2, 5))
    assert not isinstance(Follower.of(history).see(Scene((*before.sightings, *laid))), Ruled)


def test_a_tile_that_is_in_no_set_is_not_read() -> None:
    """The referee waits for a better look."""
    state = WAR.play(war_table("1:general@a1 2:general@h8"), WAR.parse("1: move a1 a2"))
    scene = Table(1).scene(WAR.layout(state))
    odd = tuple(
        replace(one, face="up", guesses=(Guess({"pips": [99, 1]}, 1.0),))
        if one.kind == "domino" and (round(one.x or 0), round(one.y or 0)) == (1, 2) and one.region == "board"
        else one
        for one in scene.sightings
    )
    assert not isinstance(Follower(WAR, (state,)).see(Scene(odd)), Ruled)  # type: ignore[arg-type]


# — Dominoids —


def test_what_dominoids_waits_for() -> None:
    """A coin, a roll, the opening, or nothing."""
    guide = guide_for(DOMINOIDS)  # type: ignore[arg-type]
    opening = DOMINOIDS.start()
    assert guide.waits_for(opening) == "The opening must be set up."
    assert guide.waits_for(acting("2@d4-3@e4")) == ""
    assert guide.waits_for(acting("2@d4-3@e4")._replace(stage=5)) == "The dice must be rolled."
    turning = acting("2@d4-3@e4", coins="b6=suns?")._replace(turning=1 << 13)
    assert guide.waits_for(turning) == "The coin on b6 must be turned up."


def test_a_third_die_in_the_middle_of_a_turn_is_refused() -> None:
    """More dice than the turn has."""
    state = acting("2@d4-3@e4")
    layout = DOMINOIDS.layout(state)
    more = tuple(
        replace(spot, region="chosen-dice") if spot.name == "die crowns" else spot for spot in layout.spots
    )
    scene = Table(1).scene(replace(layout, spots=more))
    verdict = Follower(DOMINOIDS, (state,)).see(scene)  # type: ignore[arg-type]
    assert isinstance(verdict, Ruled)
    assert verdict.refused


def test_odd_readings_are_no_reason_to_think_of_a_move() -> None:
    """Pips that are no pips, or none, and pieces without a place."""
    state = acting("2@d4-3@e4", coins="b6=suns3")
    scene = Table(1).scene(DOMINOIDS.layout(state))
    odd = (
        Sighting("domino", "board", 7.5, 7.0, 0.0, guesses=(Guess({"pips": 3}, 1.0),)),
        Sighting("domino", "board", 7.5, 2.0, None, guesses=(Guess({"pips": [9, 9]}, 1.0),)),
        Sighting("coin", "board", guesses=(Guess({"suit": "suns", "value": None}, 1.0),), face="down"),
        Sighting("coin", "hand-1", guesses=(Guess({"suit": None, "value": 5}, 1.0),)),
    )
    verdict = Follower(DOMINOIDS, (state,)).see(Scene((*scene.sightings, *odd)))  # type: ignore[arg-type]
    assert isinstance(verdict, OutOfStep)


def test_a_coin_taken_away_from_a_player_is_out_of_step() -> None:
    """What was collected stays collected."""
    state = position("2@d4-3@e4", collected="1=suns3 1=suns4", new=["arms"])
    lost = frozenset(("coin suns of value 3",))
    verdict = Follower(DOMINOIDS, (state,)).see(Table(1).scene(DOMINOIDS.layout(state), lost=lost))  # type: ignore[arg-type]
    assert isinstance(verdict, Incomplete)


def test_a_table_with_coins_and_blank_dice_is_adopted() -> None:
    """Value-up coins keep their suits; two blank dice in two boxes cannot be told apart and are kept."""
    state = position("2@d4-3@e4", coins="b6=suns3", dice="null null 2 3", new=["moons"])
    follower = Follower(DOMINOIDS, (state,))  # type: ignore[arg-type]
    scene = Table(1).scene(DOMINOIDS.layout(state))
    found = adopter_for(DOMINOIDS).table(state, scene)  # type: ignore[arg-type]
    assert found["coins"] == [{"square": "b6", "suit": "suns", "value": 3}]
    assert found["dice"] == state.to_json()["dice"]
    assert follower.see(scene) == Nothing()


def test_a_table_of_dominoids_is_taken_as_it_is_between_two_turns() -> None:
    """Not while dice lie out; whose turn it is, is who was seen to move, if anybody was."""
    state = position("2@d4-3@e4", dice="ace 4 2 3")
    adopter = adopter_for(DOMINOIDS)  # type: ignore[arg-type]
    scene = Table(1).scene(DOMINOIDS.layout(state))
    assert [adopter.table(state, replace(scene, by=who))["player"] for who in (None, 1, 2)] == [1, 1, 2]  # type: ignore[arg-type]
    taken = DOMINOIDS.play(state, DOMINOIDS.parse("1: dice suns arms"))
    with pytest.raises(BadSetup, match="between two turns"):
        adopter.table(state, Table(1).scene(DOMINOIDS.layout(taken)))  # type: ignore[arg-type]


def test_what_looks_like_a_coin_beside_a_player_disturbs_nothing() -> None:
    """A knot of the wood looks like a null; put there just now it is asked about."""
    state = position("2@d4-3@e4", dice="ace 4 2 3")
    knot = Sighting("coin", "hand-1", 40.0, 5.0, guesses=(Guess({"suit": None, "value": 0}, 0.98),), ref="k")
    scene = Table(1).scene(DOMINOIDS.layout(state))
    scene = replace(scene, sightings=(*scene.sightings, knot))
    assert Follower(DOMINOIDS, (state,)).see(scene) == Nothing()  # type: ignore[arg-type]
    fresh = replace(scene, visits=1, fresh=("k",))
    assert isinstance(Follower(DOMINOIDS, (state,)).see(fresh), OutOfStep)  # type: ignore[arg-type]


def test_a_stack_whose_suit_is_faint_disturbs_nothing() -> None:
    """A suit in a light ink looks like a null; on a stack the coins lie suit up."""
    state = position("2@d4-3@e4", dice="ace 4 2 3")
    faint = Sighting("coin", "stack-crowns", 4.0, 5.0, guesses=(Guess({"suit": None, "value": 0}, 0.77),))
    scene = Table(1).scene(DOMINOIDS.layout(state))
    scene = replace(scene, sightings=(*scene.sightings, faint), visits=2)
    assert Follower(DOMINOIDS, (state,)).see(scene) == Nothing()  # type: ignore[arg-type]


# — Kingdomino Duel —


def test_what_the_duel_waits_for() -> None:
    """Each stage has its sentence."""
    book = rulebook("kingdomino-duel")
    guide = guide_for(book)
    state = book.start(rng=Random(1))
    assert guide.waits_for(state) == "The dice must be rolled."
    draft = book.observe(state, book.sample(state, Random(1)))
    assert guide.waits_for(draft) == "Dice are being taken."
    drawing = draft
    while drawing.stage == "draft":  # type: ignore[attr-defined]
        drawing = book.apply(drawing, book.legal_moves(drawing)[0])
    assert "has drawn is not told yet" in guide.waits_for(drawing)
    side = replace(drawing.side(1), bolts=(5,))  # type: ignore[attr-defined]
    bolts = replace(drawing.with_side(1, side), stage="bolts")  # type: ignore[attr-defined]
    assert guide.waits_for(bolts) == "The power that player 1 has won must be used."
    other = replace(drawing.side(2), bolts=(6,))  # type: ignore[attr-defined]
    both = bolts.with_side(2, other)
    due = " and ".join(f"player {player}" for player in both.players)
    assert guide.waits_for(both) == f"The powers that {due} have won must be used."
    assert guide.waits_for(replace(draft, stage="over")) == ""  # type: ignore[type-var]
    assert guide.facts(draft, guide.evidence(draft, Scene(()), {})) == []


def test_dice_thrown_before_the_drawing_was_told_are_waited_for() -> None:
    """No map can be read: the referee asks for what was drawn instead of guessing."""
    book = rulebook("kingdomino-duel")
    state = book.observe(book.start(rng=Random(1)), book.parse_fact("see roll d d D S"))
    while state.stage == "draft":  # type: ignore[attr-defined]
        state = book.apply(state, book.legal_moves(state)[0])
    shown = ("black", "stripe", "dot", "quarters")
    dice = tuple(
        Sighting("die", "dice", 20.0 * k, 0.0, guesses=(Guess({"face": face, "crosses": 0}, 1.0),))
        for k, face in enumerate(shown)
    )
    verdict = Follower(book, (state,)).see(Scene(dice))
    assert isinstance(verdict, Incomplete)
    assert "not told yet" in verdict.sentence


def test_a_cross_more_on_a_map_is_p6() -> None:
    """The map that was read has one cross more than the record."""
    book = rulebook("kingdomino-duel")
    rows = [". . . . . . .", ". . . d0 . . .", ". . . C . . .", ". . . . . . .", ". . . . . . ."]
    plain = {"a": 1, "players": [{"map": rows}, {}], "spellbook": {"b": {"ticks": [0, 0]}}}
    state = book.start(setup=plain)
    state = book.observe(state, book.parse_fact("see roll d d D S"))
    while state.stage == "draft":  # type: ignore[attr-defined]
        state = book.apply(state, book.legal_moves(state)[0])
    more = state.with_side(1, replace(state.side(1), kingdom=state.side(1).kingdom.cross(11)))  # type: ignore[attr-defined]
    (verdict,) = _see(book, state, more)
    assert isinstance(verdict, Ruled)
    assert "P6 r2c4" in verdict.happened[0].text
    assert verdict.refused


def test_a_map_that_lacks_what_was_drawn_is_a_doubt() -> None:
    """Nobody rubs out a coat: the reader has overlooked it."""
    book = rulebook("kingdomino-duel")
    rows = [". . . . . . .", ". . . d0 . . .", ". . . C . . .", ". . . . . . .", ". . . . . . ."]
    state = book.start(setup={"a": 1, "players": [{"map": rows}, {}]})
    (verdict,) = _see(book, state, book.start(setup={"a": 1}))
    assert isinstance(verdict, Nothing)
    assert [one.sentence for one in verdict.doubts] == [
        "What is drawn on player 1's map is not what the record says."
    ]


def test_a_die_that_shows_no_face_is_no_roll() -> None:
    """Odd readings are left out."""
    book = rulebook("kingdomino-duel")
    state = book.start(rng=Random(1))
    dice = tuple(
        Sighting("die", "dice", 20.0 * k, 0.0, guesses=(Guess({"face": "moon", "crosses": 0}, 1.0),))
        for k in range(4)
    )
    assert not isinstance(Follower(book, (state,)).see(Scene(dice)), Ruled)


def test_a_fact_of_the_draw_game_is_nobodys_and_a_move_may_be_the_other_ones() -> None:
    """Where players were taken for each other, who moved is another one, and what was seen is the same."""
    history = History.begin("draw-game").fact("see lot 3-4 / 5-6")
    book, state = history.book, history.state
    guide, deal = guide_for(book), book.parse_fact("see deal hidden / hidden")
    assert list(guide.again(state, state, deal)) == [deal]
    state = book.observe(state, deal)
    move = book.parse("1: down 3-6")
    assert list(guide.again(state, state, move)) == [move, replace(move, player=state.mover)]
