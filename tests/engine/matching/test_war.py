"""What nobody can see in Dominoes of War: who fired, when a turn ended, which Sniper keeps his facing."""

import re
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

from engine import rulebook
from engine.dominoes_of_war.deeds import with_facing
from engine.dominoes_of_war.model import Armies, Face, WarState
from engine.dominoes_of_war.places import place_called
from engine.dominoes_of_war.troops import ARMIES
from engine.draw_game.model import Drawn
from engine.history import History
from engine.matching import Choice, Follower, Incomplete, Nothing, Question, Ruled, TakeBack, Verdict
from engine.matching.guide import guide_for
from engine.matching.in_sight import look
from engine.scene import Guess, Scene
from tests.engine.dominoes_of_war.scene import BOOK, bare
from tests.engine.dominoes_of_war.scene import table as war_table
from tests.engine.matching.doubtful_table import Table

BOTH = "1:grenadier@a1 1:grunt@b2! 1:grenadier@e3 2:general@h8"
"""The one on a1 cannot move while the Grunt stands on b2: once the other has fired, the turn is over."""


F6 = place_called("f6")


def seen(state: WarState, *, by: int | None, visits: int = 1) -> Scene:
    """The table of a state, and whose hand was there."""
    return Table(1, skew=0.0).scene(BOOK.layout(state), by=by, visits=visits)


def played(state: WarState, *lines: str) -> tuple[WarState, ...]:
    """A state, and those that these moves lead to."""
    states = [state]
    for line in lines:
        states.append(BOOK.play(states[-1], BOOK.parse(line)))
    return tuple(states)


def told(verdict: Verdict) -> list[str]:
    """What was ruled on."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


@pytest.mark.parametrize("known", [True, False])
def test_who_turns_the_second_of_three_snipers_has_ended_his_turn(known: bool) -> None:
    """Of those who are still to be faced, before him or behind, nothing need be known.

    In the first turns of a game no Sniper has been given a facing yet.
    """
    men = "1:sniper@b1>n 1:sniper@d4>{} 1:sniper@f6>s 1:general@a1 2:general@h8"
    before, turned = (war_table(men.format(facing), actions=2) for facing in "ne")
    state = before if known else war_table(re.sub(">[a-z{}]+", "", men), actions=2)
    verdict = Follower(BOOK, (state,)).at(seen(before, by=1)).see(seen(turned, by=1))
    assert told(verdict) == ["1: end", "1: face d4 e"]


def test_who_turns_the_third_of_three_snipers_has_ended_his_turn_just_as_well() -> None:
    """Once the other player moves, those who were not turned have kept their facing."""
    men = "1:sniper@b1>n 1:sniper@d4>n 1:sniper@f6>{} 1:general@a1 2:general@h8"
    state, turned = (war_table(men.format(facing), actions=2) for facing in "ne")
    follower, table = Follower(BOOK, (state,)), Table(1, skew=0.0)
    assert told(follower.see(table.scene(BOOK.layout(turned), by=1))) == ["1: end", "1: face f6 e"]
    lines = ["1: end", "1: face f6 e", "1: face b1 n", "1: face d4 n", "2: move h8 h7"]
    states = played(state, *lines)
    follower = Follower(BOOK, states[:3], tuple(lines[:2])).at(table.scene(BOOK.layout(turned), by=1))
    assert told(follower.see(table.scene(BOOK.layout(states[-1]), by=2))) == lines[2:]


FACINGS = ("1: face b1 e", "1: face d4 w", "1: face f6 n")


@pytest.mark.rules("A-W47")
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("order", [*permutations(FACINGS)])
def test_snipers_are_followed_in_whichever_order_they_are_turned(order: tuple[str, ...], known: bool) -> None:
    """One after the other, each with a hand of its own; the first of them tells that the turn has ended."""
    men = "1:sniper@b1>n 1:sniper@d4>n 1:sniper@f6>s 1:general@a1 2:general@h8"
    stood = war_table(men, actions=2)
    state = stood if known else war_table(re.sub(">[a-z]", "", men), actions=2)
    lines, states = ["1: end"], played(state, "1: end")
    table = Table(1, skew=0.0)
    follower = Follower(BOOK, states[:1]).at(table.scene(BOOK.layout(stood), by=1))
    for line in order:
        face = BOOK.parse(line)
        assert isinstance(face, Face)
        stood = with_facing(stood, face.at, face.facing)
        scene = table.scene(BOOK.layout(stood), by=1, visits=1)
        lines, states = [*lines, line], (*states, BOOK.apply(states[-1], face))
        assert told(follower.see(scene)) == (lines if line is order[0] else [line])
        follower = Follower(BOOK, states, tuple(lines)).at(scene)
    assert (states[-1].phase, states[-1].turn) == ("act", 2)


@pytest.mark.rules("A-W47")
@pytest.mark.parametrize("turned", [*combinations(FACINGS, 2), FACINGS])
def test_snipers_who_are_turned_in_one_look_are_all_told(turned: tuple[str, ...]) -> None:
    """Those who were turned, and of the others nothing; where all were, it is the other player's turn."""
    state = war_table("1:sniper@b1>n 1:sniper@d4>n 1:sniper@f6>s 1:general@a1 2:general@h8", actions=2)
    after = played(state, "1: end", *turned)[-1]
    table = Table(1, skew=0.0)
    follower = Follower(BOOK, (state,)).at(table.scene(BOOK.layout(state), by=1))
    verdict = follower.see(table.scene(BOOK.layout(after), by=1, visits=1))
    assert told(verdict)[0] == "1: end"
    assert sorted(told(verdict)[1:]) == sorted(turned)


def test_a_table_looks_the_same_however_soldiers_face() -> None:
    """How one faces is told by his angle and by his value."""
    one, other = (war_table(f"1:sniper@d4>{facing} 1:general@a1 2:general@h8") for facing in "ne")
    assert look(BOOK.layout(one)) != look(BOOK.layout(other))
    assert look(BOOK.layout(one), facing=False) == look(BOOK.layout(other), facing=False)


def test_nobody_is_asked_who_fired_though_the_turn_may_be_over_by_it() -> None:
    """What is done next tells, and corrects the record if it must."""
    before = bare(war_table(f"{BOTH} 2:grunt@e1", actions=0))
    shots = [BOOK.parse(f"1: shoot {at} e1") for at in ("a1", "e3")]
    after = [BOOK.apply(before, shot) for shot in shots]
    assert [BOOK.format(move) for move in BOOK.legal_moves(after[1]) if "draw" not in BOOK.format(move)] == [
        "1: end"
    ]
    scene = seen(after[0], by=1)
    verdict = Follower(BOOK, (before,)).see(scene)
    assert isinstance(verdict, Ruled)
    (shot,) = verdict.happened
    assert {shot.text, *shot.alike} == {"1: shoot a1 e1", "1: shoot e3 e1"}
    follower = Follower(BOOK, (before, after[0]), ("1: shoot a1 e1",))
    over = BOOK.apply(BOOK.apply(after[1], BOOK.parse("1: end")), BOOK.parse("2: move h8 h7"))
    followed = follower.see(seen(over, by=2))
    assert told(followed) == ["1: end", "2: move h8 h7"]
    assert isinstance(followed, Ruled)
    assert [one.text for one in followed.revised] == ["1: shoot e3 e1"]


def test_the_end_of_a_turn_costs_nothing_where_nobody_is_left_to_act() -> None:
    """Whether it is told at once or with what follows."""
    guide = guide_for(BOOK)
    over, more = (war_table(f"1:grunt@d4{used} 2:general@h8", actions=1) for used in ("!", ""))
    ((end, *_),) = guide.silent(over, guide.evidence(over, Scene(()), {}))
    assert guide.taste(over, end) == 0.0
    assert guide.taste(more, end) < 0.0
    assert guide.forced(over) is None
    done = war_table("1:grunt@d4! 2:general@h8", actions=3)
    assert guide.forced(done) == end


def test_an_illegal_move_was_not_made_by_the_other_after_an_end_that_nobody_saw() -> None:
    """It looks the same but for the Sniper who would have kept the facing that he was never given."""
    before = war_table("1:sniper@f6 1:grunt@a8 1:grunt@c5 2:general@h8", actions=1)
    flipping = BOOK.apply(before, BOOK.parse("1: move c5 d5"))
    shown = BOOK.observe(flipping, BOOK.parse_fact("see d5 3-6"))
    wrong = BOOK.let_stand(shown, BOOK.parse("1: move a8 e8"))
    table = Table(1, skew=0.0)
    follower = Follower(BOOK, (flipping,)).at(table.scene(BOOK.layout(with_facing(flipping, F6, "e"))))
    scene = table.scene(BOOK.layout(with_facing(wrong, F6, "e")), visits=2)
    assert told(follower.see(scene)) == ["see d5 3-6", "1: move a8 e8"]


@pytest.mark.parametrize("facing", ["", ">n"])
def test_who_turns_his_sniper_back_has_taken_the_turning_back(facing: str) -> None:
    """How he stood when table and record agreed last is how he was turned, not how he stood before."""
    before = war_table(f"1:sniper@f6{facing} 1:general@a1 2:general@h8", actions=3)
    ended = BOOK.apply(before, BOOK.parse("1: end"))
    turned = BOOK.apply(ended, BOOK.parse("1: face f6 w"))
    follower = Follower(BOOK, (before, ended, turned), ("1: end", "1: face f6 w"))
    verdict = follower.at(seen(turned, by=1)).see(seen(with_facing(turned, F6, "n"), by=1))
    assert isinstance(verdict, TakeBack)
    assert verdict.steps == 1


def test_nobody_is_accused_after_a_tile_that_was_read_in_doubt() -> None:
    """What it may have been is asked, however little it looks like it, and what is done next answers that."""
    before = war_table("1:grunt@c5 1:grunt@b8 2:general@h8", actions=1)
    flipping = BOOK.apply(before, BOOK.parse("1: move c5 d5"))
    shown = BOOK.observe(flipping, BOOK.parse_fact("see d5 3-7"))
    bonus = next(move for move in BOOK.legal_moves(shown) if BOOK.format(move).startswith("1: bonus"))
    after = BOOK.apply(shown, bonus)

    def doubtful(scene: Scene) -> Scene:
        return replace(
            scene,
            sightings=tuple(
                replace(one, guesses=(Guess({"pips": [2, 3]}, 0.6), Guess({"pips": [3, 5]}, 0.3)))
                if one.value == {"pips": [3, 7]}
                else one
                for one in scene.sightings
            ),
        )

    follower = Follower(BOOK, (flipping,)).at(seen(flipping, by=1))
    verdict = follower.see(doubtful(seen(after, by=1)))
    assert isinstance(verdict, Question)
    accusing, allowed = (one.outcome for one in verdict.choices)
    assert told(accusing)[0] == "see d5 2-3"
    assert isinstance(allowed, Ruled)
    read, made = allowed.happened
    assert "see d5 3-7" in {read.text, *read.alike}
    assert made.text == BOOK.format(bonus)
    again = follower.asking(verdict).see(doubtful(seen(after, by=1)))
    assert isinstance(again, Question), "nobody has answered, nor gone on"
    assert [told(one.outcome)[1:] for one in again.choices] == [told(accusing)[1:], [made.text]]
    then = BOOK.apply(after, BOOK.parse("1: move b8 b7"))
    followed = follower.asking(verdict).see(doubtful(seen(then, by=1, visits=2)))
    assert told(followed)[1:] == [BOOK.format(bonus), "1: move b8 b7"]
    clear = follower.see(seen(after, by=1))
    assert told(clear) == ["see d5 3-7", BOOK.format(bonus)]


def test_only_what_a_tile_shows_may_have_been_any_other() -> None:
    """Not the armies, nor what a player of another game has drawn."""
    state = war_table("1:grunt@c5 2:general@h8", actions=1)
    assert not [*guide_for(BOOK).whatever(state, Armies("indians", "indians"))]
    draw = rulebook("draw-game")
    assert not [*guide_for(draw).whatever(draw.start(), Drawn(None))]


def test_which_of_two_bombs_was_hit_is_named_where_both_blasts_leave_the_same() -> None:
    """Two Kamikazes side by side, one of them shot: whichever it was, the same men are gone."""
    alone = bare(war_table("1:grunt@a1 1:general@h1 2:kamikaze@a4 2:kamikaze@b4 2:general@h8", actions=2))
    assert list(guide_for(BOOK).twins(alone, BOOK.parse("1: shoot a1 a4"))) == []
    near = bare(war_table("1:general@b3 1:general@h1 2:kamikaze@a4 2:kamikaze@b4 2:general@h8", actions=2))
    hit = BOOK.parse("1: shoot b3 b4")
    assert [BOOK.format(one) for one in guide_for(BOOK).twins(near, hit)] == ["1: shoot b3 a4"]
    verdict = Follower(BOOK, (near,)).see(seen(BOOK.apply(near, hit), by=1))
    assert isinstance(verdict, Ruled)
    one = verdict.happened[0]
    assert {one.text, *one.alike} == {"1: shoot b3 b4", "1: shoot b3 a4"}


def test_who_is_put_back_after_a_refused_move_is_not_asked_about_though_he_faces_otherwise() -> None:
    """He was never given a facing; that he stands otherwise than before does not end his player's turn.

    Where nobody has picked him up, it is asked about.
    """
    before = war_table("1:sniper@f6 1:general@a1 2:general@h8", actions=0)
    history = History.begin("dominoes-of-war", setup=before.to_json())
    stood = seen(with_facing(before, F6, "n"), by=None)
    back = replace(seen(with_facing(before, F6, "e"), by=None), visits=None)
    follower = Follower.of(history).at(stood)
    assert isinstance(follower.see(back), Question)
    refused = history.move("1: move f6 f3")
    assert refused.steps[-1].ruling is not None
    assert not refused.steps[-1].ruling.allowed
    assert isinstance(follower.after(refused, None).see(back), Nothing)


def test_who_goes_on_before_a_tile_is_turned_up_has_only_begun_whoever_came_first() -> None:
    """Several hands were there: the tile is waited for."""
    before = war_table("1:grunt@c5 1:grunt@b8 2:general@h8", actions=0)
    flipping = BOOK.apply(before, BOOK.parse("1: move c5 d5"))
    on = BOOK.let_stand(flipping, BOOK.parse("1: move b8 b7"))
    follower = Follower(BOOK, (flipping,)).at(seen(flipping, by=1))
    for came in (None, 1, 2):
        verdict = follower.see(replace(seen(on, by=None, visits=2), came=came))
        assert isinstance(verdict, Incomplete)
        assert "d5" in verdict.sentence


def test_what_a_tile_shows_that_nobody_had_thought_of_is_told_with_the_end_of_the_turn() -> None:
    """Players were asked which of two it is, and either would have ended the turn as well."""
    before = war_table("1:grunt@c5 2:general@h8", actions=2)
    flipping = BOOK.apply(before, BOOK.parse("1: move c5 d5"))
    follower = Follower(BOOK, (flipping,)).at(seen(flipping, by=1))
    answers = []
    for text in ("see d5 2-3", "see d5 2-5"):
        after = BOOK.observe(flipping, BOOK.parse_fact(text))
        answer = follower.see(seen(after, by=1))
        assert told(answer) == [text, "1: end"]
        assert isinstance(answer, Ruled)
        answers.append(Choice(text, answer))
    shown = BOOK.observe(flipping, BOOK.parse_fact("see d5 2-4"))
    verdict = follower.asking(Question("What was it?", tuple(answers))).see(seen(shown, by=1))
    assert told(verdict) == ["see d5 2-4", "1: end"]


def mustered(armies: str, kinds: tuple[str, ...] = ()) -> tuple[Follower, Scene]:
    """A game that waits for its armies, and their table as an eye sees it: types, and of no army.

    Or only those of some ``kinds``.
    """
    state = BOOK.start()
    table = Table(1, skew=0.0)
    full = table.scene(BOOK.layout(BOOK.observe(state, BOOK.parse_fact(f"see armies {armies}"))), visits=1)
    read = []
    for one in full.sightings:
        if one.kind == "soldier":
            value = {**(one.value or {}), "army": None}
            if kinds and value["type"] not in kinds:
                continue
            one = replace(one, guesses=(Guess(value, 0.9999),))
        read.append(one)
    return Follower(BOOK, (state,)), replace(full, sightings=tuple(read))


@pytest.mark.parametrize("armies", [" ".join(pair) for pair in product(ARMIES, repeat=2)])
def test_the_armies_of_a_new_game_are_told_by_who_is_among_them(armies: str) -> None:
    """No soldier says of which army he is, and some are in two of them."""
    follower, scene = mustered(armies)
    assert told(follower.see(scene)) == [f"see armies {armies}"]


def test_armies_that_may_be_either_are_not_told() -> None:
    """Generals and Snipers alone fight for two of them."""
    follower, scene = mustered("army cowboys", ("general", "sniper"))
    assert not isinstance(follower.see(scene), Ruled)


def test_one_army_alone_is_waited_for() -> None:
    """The other player has not set up yet."""
    follower, scene = mustered("army indians")
    alone = tuple(one for one in scene.sightings if one.kind != "soldier" or one.region == "pool-1")
    assert isinstance(follower.see(replace(scene, sightings=alone)), Incomplete)
