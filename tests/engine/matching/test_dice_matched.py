"""The Duel's dice between two turns: when they were rolled, and when they only lie there."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine import rulebook
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.guide import DuelGuide
from engine.kingdomino_duel.model import DuelState, Take
from engine.matching import Follower, Incomplete, Nothing, Question, Ruled, TakeBack, Verdict
from engine.matching.evidence import NOTABLE
from engine.matching.guide import guide_for
from engine.matching.reading_odds import agreement
from engine.plain import Json
from engine.scene import Guess, Scene, Sighting

BOOK = rulebook("kingdomino-duel")
PLACES = ((-37.0, 46.0), (-12.0, 45.0), (12.0, 47.0), (38.0, 46.0))


def die(face: str, x: float, y: float, region: str = "dice") -> Sighting:
    """A die that surely shows a face."""
    coat = "joker" if face == "?" else COATS["dDsSqb".index(face[0])]
    guess = Guess({"set": "kingdomino-duel", "face": coat, "crosses": int(face[1:] or 0)}, 0.999)
    return Sighting("die", region, x, y, 0.0, guesses=(guess,))


def lying(faces: str, off: float = 0.0) -> list[Sighting]:
    """Four dice in a row."""
    return [die(face, x + off, y) for face, (x, y) in zip(faces.split(), PLACES, strict=True)]


def awaiting() -> DuelState:
    """A game in which the dice must be rolled."""
    state = BOOK.start(setup={"a": 1})
    assert isinstance(state, DuelState)
    return state


def after(before: Sequence[Sighting], now: Sequence[Sighting], state: DuelState | None = None) -> Verdict:
    """What is said of dice that lay otherwise when the table was last understood."""
    follower = Follower(BOOK, (state or awaiting(),)).at(Scene(tuple(before)))
    return follower.see(Scene(tuple(now), visits=1))


def told(verdict: Verdict) -> list[str]:
    """What happened."""
    assert isinstance(verdict, Ruled)
    return [one.text for one in verdict.happened]


def test_dice_that_were_rolled_where_they_lay() -> None:
    """They came to lie in the same places: what they show tells it."""
    assert told(after(lying("? ? ? ?"), lying("d b q2 ?"))) == ["see roll d b q2 ?"]


def test_dice_that_lie_there_still() -> None:
    """As before the roll; whether there is a cross beside a coat is too fine to say that they were rolled."""
    assert isinstance(after(lying("d b q2 ?"), lying("d b q2 ?", 1.0)), Nothing)
    assert isinstance(after(lying("d b q2 ?"), lying("d b q ?", 1.0)), Nothing)


def test_dice_that_came_to_lie_elsewhere() -> None:
    """They were rolled, though they show the same."""
    assert told(after(lying("d b q2 ?"), lying("d b q2 ?", 9.0))) == ["see roll d b q2 ?"]


def test_dice_of_which_nothing_was_read() -> None:
    """What cannot be compared has not changed."""
    blank = [Sighting("die", one.region, one.x, one.y) for one in lying("d b q2 ?")]
    assert isinstance(after(blank, lying("d b q2 ?")), Nothing)


def test_what_is_known_of_places_alone_is_enough() -> None:
    """A follower that does not know what the dice showed goes by where they lay."""
    follower = Follower(BOOK, (awaiting(),)).at(Scene(tuple(lying("d b q2 ?"))))
    bare = {f"die {number}": lay for number, lay in enumerate(follower.places.values(), 1)}
    known = Follower(BOOK, (awaiting(),), places=bare)
    assert isinstance(known.see(Scene(tuple(lying("? s D S")))), Nothing)


def last_drawing() -> DuelState:
    """All but player 2 have drawn."""
    state = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d D S"))
    for line in ("1: take 1", "2: take 3+4", "1: draw d@r2c4 d@r1c4"):
        state = BOOK.play(state, BOOK.parse(line))
    assert isinstance(state, DuelState)
    return state


def drawn(kingdom: Sequence[Json]) -> Sighting:
    """The second player's map, surely read."""
    return Sighting("sheet", "sheet-2", guesses=(Guess({"map": list(kingdom), "roof": False}, 0.999),))


@pytest.mark.parametrize(("faces", "more"), [("d d D S", []), ("? d b2 S", ["see roll ? d b2 S"])])
def test_dice_that_are_laid_together_again_were_not_rolled(faces: str, more: list[str]) -> None:
    """Once they show something else they were."""
    state = last_drawing()
    line = "2: draw D@r3c5 S@r3c6"
    made = BOOK.play(state, BOOK.parse(line))
    spot = next(spot for spot in BOOK.layout(made).spots if spot.region == "sheet-2")
    assert spot.value is not None
    kingdom = spot.value["map"]
    assert isinstance(kingdom, list)
    before = [die("d", -12.0, 8.0, "dice-1"), die("d", 12.0, 8.0, "dice-1")]
    before += [die("D", -12.0, 8.0, "dice-2"), die("S", 12.0, 8.0, "dice-2")]
    assert told(after(before, [*lying(faces), drawn(kingdom)], state)) == [line, *more]


def test_the_last_drawing_counts_though_the_dice_still_lie_with_the_players() -> None:
    """They are in use no more, and need not be laid together first; a roll since is known as such."""
    state, line = last_drawing(), "2: draw D@r3c5 S@r3c6"
    made = BOOK.play(state, BOOK.parse(line))
    spot = next(spot for spot in BOOK.layout(made).spots if spot.region == "sheet-2")
    assert spot.value is not None
    kingdom = spot.value["map"]
    assert isinstance(kingdom, list)
    before = [*(die(*one) for one in TAKEN), FOURTH]
    assert told(after(before, [*before, drawn(kingdom)], state)) == [line]
    assert told(after(before, [*lying("? d b2 S"), drawn(kingdom)], state)) == [line, "see roll ? d b2 S"]
    follower = told_by_hand(FOURTH)
    assert isinstance(seen(follower, *before), Nothing)
    assert told(seen(follower, *lying("? d b2 S"))) == ["see roll ? d b2 S"]


TAKEN = (("d", -12.0, 8.0, "dice-1"), ("d", 12.0, 8.0, "dice-1"), ("D", -12.0, 8.0, "dice-2"))


def told_by_hand(last: Sighting) -> Follower:
    """All have drawn, as they said, since the dice were seen in use."""
    follower = Follower(BOOK, (last_drawing(),)).at(Scene((*(die(*one) for one in TAKEN), last)))
    state = BOOK.play(follower.state, BOOK.parse("2: draw D@r3c5 S@r3c6"))
    return Follower(BOOK, (*follower.states, state), places=follower.places)


FOURTH = die("S", 12.0, 8.0, "dice-2")
BLANK = Sighting("die", "dice-2", 12.0, 8.0)
UNDRAWN = Sighting("sheet", "sheet-2")


def seen(follower: Follower, *dice: Sighting) -> Verdict:
    """What is said of dice after a hand was there."""
    return follower.see(Scene(dice, visits=1))


def one_taken(faces: str, player: int) -> list[Sighting]:
    """Dice in the middle, of which the first was taken and lies where none lay."""
    first, *others = lying(faces)
    return [*others, replace(first, region=f"dice-{player}", x=0.0, y=30.0)]


def test_dice_laid_together_that_then_show_the_same_elsewhere_were_rolled() -> None:
    """Laid together they say nothing, but from then on they are known where they lie."""
    follower, together = told_by_hand(FOURTH), lying("d d D S")
    verdict = seen(follower, *together)
    assert isinstance(verdict, Nothing)
    assert "type the roll" in verdict.remark
    follower = follower.at(Scene(tuple(together)))
    assert isinstance(seen(follower, *together), Nothing)
    assert told(seen(follower, *lying("d d D S", 9.0))) == ["see roll d d D S"]
    assert told(seen(follower, *lying("d d1 D S1", 9.0))) == ["see roll d S1 D d1"]


def test_dice_that_lay_with_the_players_for_a_while_were_in_use_all_the_same() -> None:
    """The table was looked at between the last drawing and their being laid together: that is no roll."""
    with_players = [*(die(*one) for one in TAKEN), FOURTH]
    follower = told_by_hand(FOURTH).at(Scene(tuple(with_players)))
    assert isinstance(seen(follower, *lying("d d D S")), Nothing)
    assert told(seen(follower, *lying("? d b2 S"))) == ["see roll ? d b2 S"]
    follower = follower.at(Scene(tuple(lying("d d D S"))))
    assert told(seen(follower, *lying("d d D S", 9.0))) == ["see roll d d D S"]


def test_a_roll_of_the_same_coats_is_known_once_a_die_is_taken() -> None:
    """It looked as if they were laid together; or nobody saw them together at all."""
    follower = told_by_hand(FOURTH)
    rolled = BOOK.observe(follower.state, BOOK.parse_fact("see roll d d D S"))
    player = 1 if BOOK.judge(rolled, Take(1, (1,))).allowed else 2
    made = ["see roll d d D S", f"{player}: take 1"]
    assert told(seen(follower, *one_taken("d d D S", player))) == made
    follower = follower.at(Scene(tuple(lying("d d D S"))))
    assert told(seen(follower, *one_taken("d d D S", player))) == made


def test_dice_that_are_partly_laid_together_are_waited_for() -> None:
    """One lies where it lay; and it is said what to do if they were rolled all the same."""
    verdict = seen(told_by_hand(FOURTH), *lying("d d D S")[:3], FOURTH)
    assert isinstance(verdict, Incomplete)
    assert verdict.sentence == (
        "The dice must be rolled; if they were and show the same as before, type the roll."
    )


@pytest.mark.parametrize("off_mm", [0.0, 4.0, 9.0, 15.0])
def test_the_last_die_may_be_pushed_while_the_others_are_gathered(off_mm: float) -> None:
    """It shows what it showed, near where it lay: it was not taken again."""
    pushed = replace(FOURTH, x=12.0 + off_mm)
    assert isinstance(seen(told_by_hand(FOURTH), *lying("d d D S")[:3], pushed), Incomplete)


@pytest.mark.parametrize("off_mm", [0.0, 9.0, 15.0])
def test_a_die_that_is_pushed_while_players_draw_lies_where_it_should(off_mm: float) -> None:
    """A sleeve pushed it so far that it looks new there; it is among its player's dice all the same."""
    dice = [replace(one, ref=str(k)) for k, one in enumerate((*(die(*one) for one in TAKEN), FOURTH))]
    follower = Follower(BOOK, (last_drawing(),)).at(Scene(tuple(dice)))
    pushed = replace(dice[3], x=12.0 + off_mm)
    sheet = replace(UNDRAWN, ref="4")
    seen = follower.see(Scene((*dice[:3], pushed, sheet), visits=1, fresh=("3",)))
    assert isinstance(seen, Nothing), seen.sentence


def test_dice_that_could_not_be_read_hide_no_roll() -> None:
    """One may be any of those that lay there, more may not; what cannot be read now is looked at again."""
    assert isinstance(seen(told_by_hand(BLANK), *lying("d d D S")), Nothing)
    unread = [Sighting("die", one.region, one.x, one.y) for one in lying("d d D S")]
    assert not isinstance(seen(told_by_hand(BLANK), *unread), Nothing)
    blank = [Sighting("die", region, x, y) for _, x, y, region in TAKEN]
    follower = told_by_hand(FOURTH)
    places = guide_for(BOOK).remembered(
        BOOK.layout(last_drawing()), {}, follower.places, Scene((*blank, FOURTH))
    )
    follower = replace(follower, places=places)
    assert told(seen(follower, *lying("? d b2 S"))) == ["see roll ? d b2 S"]


@pytest.mark.parametrize("sheet", ["sheet-1", "sheet-2", "spellbook"])
def test_a_coat_on_a_sheet_is_no_die(sheet: str) -> None:
    """It looks like one to whoever looks for dice."""
    seen = lying("d b q2 ?")
    assert isinstance(after(seen, [*seen, die("d", 5.0, 27.0, sheet)]), Nothing)


def one_die_taken() -> Follower:
    """Player 1 has taken a die of four, and player 2 is to take two."""
    state = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d d ?"))
    state = BOOK.play(state, BOOK.parse("1: take 1"))
    first, *others = lying("d d d ?")
    seen = (*others, replace(first, region="dice-1", x=-13.0, y=10.0))
    return Follower(BOOK, (state,)).at(Scene(seen))


def all_taken(presence: float, by: int | None) -> Scene:
    """Player 2 has taken two, of which one is there only perhaps, and the last has gone to player 1."""
    dice = [die("d", -13.0, 10.0, "dice-1"), die("d", 12.0, 6.0, "dice-1"), die("?", 14.0, 6.0, "dice-2")]
    return Scene((*dice, replace(die("d", -12.0, 7.0, "dice-2"), presence=presence)), by=by, visits=1)


@pytest.mark.parametrize("presence", [1.0, 0.7, 0.6, 0.3, 0.1])
@pytest.mark.parametrize("by", [2, None])
def test_a_die_that_is_seen_faintly_accuses_nobody(presence: float, by: int | None) -> None:
    """It is no reason to disagree; but a move that puts it there is thought of, and explains the table."""
    verdict = one_die_taken().see(all_taken(presence, by))
    assert told(verdict) == ["2: take 2+4"]
    assert isinstance(verdict, Ruled)
    assert not verdict.refused


def only(move: Take) -> Callable[..., list[Take]]:
    """A guide's moves where it thinks of one alone."""
    return lambda *_: [move]


def test_a_legal_move_that_was_overlooked_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a move is refused every legal one is held against the table, whatever the guide thought of."""
    monkeypatch.setattr(DuelGuide, "moves", only(Take(1, (2,))))
    verdict = one_die_taken().see(all_taken(1.0, 2))
    assert isinstance(verdict, Ruled)
    assert not verdict.refused
    assert told(verdict) == ["2: take 2+4"]


def test_nobody_is_accused_whose_hand_was_not_there() -> None:
    """A die lies with player 2, whose turn it is not; where only player 1 was seen there, all wait."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d d ?"))
    follower = Follower(BOOK, (rolled,)).at(Scene(tuple(lying("d d d ?"))))
    for by, accused in ((2, True), (None, True), (1, False)):
        verdict = follower.see(Scene(tuple(one_taken("d d d ?", 2)), by=by, visits=1))
        assert (isinstance(verdict, Ruled) and verdict.refused) is accused, verdict
        assert isinstance(verdict, Ruled if accused else Incomplete)


def test_either_player_may_have_begun_where_nobody_saw_it() -> None:
    """All dice lie with the players already: who took the first is asked, and no legal taking is accused."""
    follower = Follower(BOOK, (BOOK.start(),)).at(Scene(tuple(lying("? ? ? ?"))))
    taken = (die("?", -13.0, 9.0, "dice-1"), die("d1", 13.0, 9.0, "dice-1"))
    other = (die("s", -12.0, 8.0, "dice-2"), die("q", 13.0, 7.0, "dice-2"))
    verdict = follower.see(Scene((*taken, *other), visits=3))
    assert isinstance(verdict, Question)
    ruled = [choice.outcome for choice in verdict.choices]
    assert all(isinstance(one, Ruled) and not one.refused for one in ruled)
    firsts = {one.happened[1].text[0] for one in ruled if isinstance(one, Ruled)}
    assert firsts == {"1", "2"}


@pytest.mark.parametrize("presence", [0.1, 0.4])
def test_what_is_hardly_a_die_hides_no_roll(presence: float) -> None:
    """Four dice are plain to see; what looks a little like a fifth is none."""
    follower = Follower(BOOK, (BOOK.start(),)).at(Scene(tuple(lying("? ? ? ?"))))
    shadow = replace(die("b", 30.0, -30.0), presence=presence)
    strange = Sighting("die", "dice-2", 5.0, 20.0, presence=0.3)
    verdict = follower.see(Scene((*lying("? q s d1"), shadow, strange), visits=1))
    assert told(verdict) == ["see roll ? q s d1"]


def test_what_is_read_of_one_die_is_no_question_about_who_took_another() -> None:
    """Quarters with a cross or without: with each the dice have other numbers, and the same one was taken."""
    follower = Follower(BOOK, (BOOK.start(),)).at(Scene(tuple(lying("? ? ? ?"))))
    ranked = ({"face": "quarters", "crosses": 0}, 0.91), ({"face": "quarters", "crosses": 2}, 0.09)
    doubted = replace(die("q", -11.0, 46.0), guesses=tuple(Guess({**value}, p) for value, p in ranked))
    dice = (die("?", -38.0, 47.0), doubted, die("d1", 37.0, 46.0), die("s", -12.0, 8.0, "dice-2"))
    verdict = follower.see(Scene(dice, visits=2))
    assert told(verdict) == ["see roll ? q s d1", "2: take 3"]


def map_of(state: DuelState, player: int) -> Sighting:
    """A player's map as the record has it, surely read."""
    spot = next(spot for spot in BOOK.layout(state).spots if spot.region == f"sheet-{player}")
    return Sighting("sheet", spot.region, guesses=(Guess(spot.value, 0.999),))


def test_dice_that_nobody_saw_taken_are_told_by_what_was_drawn_for_them() -> None:
    """They lie together again, and both maps are filled in: nothing was taken back."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d s D S"))
    state = BOOK.play(rolled, BOOK.parse("1: take 1"))
    lines = ["2: take 3+4", "2: draw D@r3c5 S@r3c6", "1: draw s@r1c4 d@r2c4"]
    made = state
    assert isinstance(state, DuelState)
    for line in lines:
        made = BOOK.play(made, BOOK.parse(line))
    assert isinstance(made, DuelState)
    first, *others = lying("d s D S")
    follower = Follower(BOOK, (rolled, state), ("1: take 1",)).at(
        Scene((*others, replace(first, region="dice-1", x=-13.0, y=10.0), map_of(state, 1), map_of(state, 2)))
    )
    verdict = follower.see(Scene((*lying("d s D S"), map_of(made, 1), map_of(made, 2)), visits=3))
    assert isinstance(verdict, Ruled), verdict.sentence
    assert sorted(one.text for one in verdict.happened) == sorted(lines)


def after_taking(*lines: str) -> DuelState:
    """A turn of player 2 in which these dice were taken."""
    state = BOOK.observe(BOOK.start(setup={"a": 2}), BOOK.parse_fact("see roll d S1 q2 ?"))
    for line in lines:
        state = BOOK.play(state, BOOK.parse(line))
    assert isinstance(state, DuelState)
    return state


@pytest.mark.parametrize("visits", [2, 0])
def test_dice_that_changed_places_were_taken_back_and_taken_anew(visits: int) -> None:
    """Each lies where the other did: both are hardly misread, unless nobody was there."""
    rolled, state = after_taking(), after_taking("2: take 2")
    first, second, third, fourth = lying("d S1 q2 ?")
    taken = replace(second, region="dice-2", x=-11.0, y=7.0)
    follower = Follower(BOOK, (rolled, state), ("2: take 2",)).at(Scene((first, taken, third, fourth)))
    changed = (
        first,
        replace(second, x=third.x, y=third.y),
        fourth,
        replace(third, region="dice-2", x=-11.0, y=7.0),
    )
    verdict = follower.see(Scene(changed, visits=visits))
    assert isinstance(verdict, TakeBack if visits else Nothing)


def test_dice_that_changed_hands_were_taken_anew() -> None:
    """All are taken; then player 2 has another one, and player 1 the one that was left: nobody used P4."""
    first = after_taking("2: take 2")
    both = after_taking("2: take 2", "1: take 1+4")
    dice = [die("S1", -12.0, 7.0, "dice-2"), die("q2", 12.0, 7.0, "dice-2")]
    dice += [die("d", -12.0, 7.0, "dice-1"), die("?", 12.0, 7.0, "dice-1")]
    maps = (map_of(both, 1), map_of(both, 2))
    follower = Follower(BOOK, (first, both), ("1: take 1+4",)).at(Scene((*dice, *maps)))
    changed = [dice[0], die("?", 12.0, 7.0, "dice-2"), dice[2], die("q2", 12.0, 8.0, "dice-1")]
    verdict = follower.see(Scene((*changed, *maps), by=1, visits=2))
    assert isinstance(verdict, TakeBack)
    assert (verdict.steps, verdict.more) == (1, True)


def test_nobody_has_turned_a_die_that_changed_hands() -> None:
    """What player 2 has now may just be the die of before with another face; both were taken anew."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d q D d1"))
    first = BOOK.play(rolled, BOOK.parse("1: take 3"))
    both = BOOK.play(first, BOOK.parse("2: take 1+2"))
    assert isinstance(both, DuelState)
    dice = [die("D", -13.0, 7.0, "dice-1"), die("d1", 11.0, 8.0, "dice-1")]
    dice += [die("d", -12.0, 9.0, "dice-2"), die("q", 13.0, 5.0, "dice-2")]
    maps = (map_of(both, 1), map_of(both, 2))
    follower = Follower(BOOK, (first, both), ("2: take 1+2",)).at(Scene((*dice, *maps)))
    ranked = ({"face": "dot", "crosses": 1}, 0.97), ({"face": "dot", "crosses": 0}, 0.03)
    doubted = replace(
        die("d1", 12.0, 10.0, "dice-2"), guesses=tuple(Guess({**value}, p) for value, p in ranked)
    )
    changed = (dice[0], die("q", 12.0, 7.0, "dice-1"), dice[2], doubted)
    verdict = follower.see(Scene((*changed, *maps), by=2, visits=2))
    assert isinstance(verdict, TakeBack), verdict.sentence
    assert (verdict.steps, verdict.more) == (1, True)


@pytest.mark.parametrize(("shows", "made"), [("s", ["1: take 4"]), ("s1", ["1: take 4"]), ("q", None)])
def test_a_cross_that_is_overlooked_makes_no_other_die(shows: str, made: list[str] | None) -> None:
    """A die that was taken and shows its coat with fewer crosses is the one that is missing."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll ? D1 S s1"))
    before = lying("? D1 S s1")
    follower = Follower(BOOK, (rolled,)).at(Scene(tuple(before)))
    verdict = seen(follower, *before[:3], die(shows, -12.0, 8.0, "dice-1"))
    assert isinstance(verdict, Incomplete) if made is None else told(verdict) == made


def test_a_cross_more_than_a_die_has_was_never_overlooked() -> None:
    """What shows a cross that the die has not is another face, as it would be with another coat."""
    spots = {face: BOOK.layout(_taken(face)).by_name()["die 4"] for face in ("s", "s1")}
    fewer, more = (agreement(spots[a], die(b, 0, 0), turned=None) for a, b in (("s1", "s"), ("s", "s1")))
    assert more < NOTABLE < fewer < agreement(spots["s"], die("s", 0, 0), turned=None)
    there = BOOK.layout(_rolled("s1")).by_name()["die 4"]
    assert agreement(there, die("s", 0, 0), turned=None) == more


def _rolled(last: str) -> DuelState:
    state = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact(f"see roll ? D1 S {last}"))
    assert isinstance(state, DuelState)
    return state


def _taken(last: str) -> DuelState:
    state = BOOK.play(_rolled(last), BOOK.parse("1: take 4"))
    assert isinstance(state, DuelState)
    return state
