"""Every move, fact, piece set by hand and change of the record is said by taps and reads back as meant."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from engine import GAMES, BadNotation, CannotStand, rulebook
from engine.book import AnyRuleBook, State
from engine.dominoes_of_war.places import name
from engine.history import History
from engine.matching import set_by_hand
from engine.plain import Json, JsonObject
from engine.ruling import Status
from engine.touch import Form, Touch, Way, fill, touched
from engine.touching import forms_of, table_of, touch, toucher_for, words_of
from tests.engine.dominoes_of_war.scene import table as war_table

STATES = 60
"""States of each game whose ways are tapped; each lies further on in one of many games."""
SOMETIMES = re.compile("put (turn|die)")
"""What can be put only where there is a turn, and dice."""
PROFILES = {
    "draw-game": ("default", "default+muggins=yes"),
    "dominoids": ("default", "default+reveal=chosen"),
    "dominoes-of-war": ("default", "2016"),
    "kingdomino-duel": ("default",),
}


def walk(book: AnyRuleBook, rng: Random, plies: int) -> Iterator[State]:
    """The states of a random game, from its set-up on; in the Draw Game hands are often hidden."""
    state = book.start()
    hidden = rng.random() < 0.6
    for _ in range(plies):
        if book.outcome(state) is not None:
            return
        yield state
        if book.pending(state) == "deal" and hidden:
            state = book.observe(state, book.parse_fact("see deal hidden / hidden"))
        elif book.pending(state):
            state = book.observe(state, book.sample(state, rng))
        else:
            state = book.apply(state, rng.choice(book.legal_moves(state)))


def states(game: str, many: int = STATES) -> Iterator[tuple[AnyRuleBook, State]]:
    """Random states of a game: of each walk one for each kind of move and of fact."""
    found = 0
    for seed in range(1000):
        profiles = PROFILES[game]
        book, rng = rulebook(game, profiles[seed % len(profiles)]), Random(seed)
        kinds: dict[str, State] = {}
        for state in walk(book, rng, 12 if seed % 4 == 3 else 300):
            offered = {type(one).__name__ for one in book.legal_moves(state)}
            for kind in (*offered, f"see {book.pending(state)}"):
                if kind not in kinds or rng.random() < 0.1:
                    kinds[kind] = state
        for state in dict.fromkeys(kinds.values()):
            found += 1
            yield book, state
            if found == many:
                return


def tapped(book: AnyRuleBook, state: State, way: Way) -> str:
    """The line that the taps of a way make, one after the other, each being lit before it is tapped."""
    toucher, taps = toucher_for(book), ()
    for tap in (*way.taps, *way.asked):
        offered = {choice.tap for choice in touched(toucher, state, taps).next}
        after = touched(toucher, state, (*taps, tap))
        assert tap in offered or after.line or taps, (way, tap)
        taps = (*taps, tap)
        assert after.taps == taps
        if after.line:
            return after.line
        assert after.next, (way, taps)
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_and_fact_is_reached_by_taps(game: str) -> None:
    """In random states each legal move has its own taps, and they give back its notation."""
    rng, seen, many = Random(game), set(), 0
    for book, state in states(game):
        toucher = toucher_for(book)
        ways = tuple(toucher.ways(state))
        lines = {way.line for way in ways}
        assert {book.format(one) for one in book.legal_moves(state)} <= lines
        assert len({(*way.taps, *way.asked) for way in ways}) == len(ways) == len(lines)
        for way in ways if len(ways) < 12 else rng.sample(ways, 12):
            assert tapped(book, state, way) == way.line
            many += 1
        seen |= {line.split(" ")[1] for line in lines}
        assert toucher.expected(state)
        assert all(choice.words for choice in touched(toucher, state, ()).next)
    assert many > 3 * STATES
    assert len(seen) > 4


@pytest.mark.parametrize("game", GAMES)
def test_every_pending_fact_is_told_by_taps(game: str) -> None:
    """Whatever waits to be seen can be told from the board: taps lead to a line that is observed."""
    kinds = set()
    for book, state in states(game):
        if book.pending(state):
            line = at_random(book, state, Random(str(state))).line
            book.observe(state, book.parse_fact(line))
            kinds.add(book.pending(state))
    assert len(kinds) >= {"draw-game": 4, "kingdomino-duel": 2, "dominoids": 3, "dominoes-of-war": 4}[game]


def at_random(book: AnyRuleBook, state: State, rng: Random) -> Touch:
    """Whatever is lit is tapped, until something is said that the book takes."""
    toucher = toucher_for(book)
    for _ in range(200):
        shown = touched(toucher, state, ())
        while not shown.line:
            shown = touched(toucher, state, (*shown.taps, rng.choice(shown.next).tap))
        try:
            book.observe(state, book.parse_fact(shown.line))
        except ValueError:
            continue  # a hand that nobody can hold
        return shown
    raise AssertionError("nothing that can be tapped can be seen")


def filled(form: Form, state: State, rng: Random) -> str:
    """The line of a form, its parts chosen at random."""
    shown = fill(form, state, ())
    while not shown.line:
        shown = fill(form, state, (*shown.taps[1:], rng.choice(shown.next).tap))
    return shown.line


@pytest.mark.parametrize("game", GAMES)
def test_every_form_of_the_notation_is_said_part_by_part(game: str) -> None:
    """Moves and facts parse whatever is chosen, allowed or not; the example of each form does, too."""
    for book, state in states(game, 12):
        for number, form in enumerate(forms_of(book)):
            if form.group not in ("move", "fact"):
                continue
            read = book.parse if form.group == "move" else book.parse_fact
            write = book.format if form.group == "move" else book.format_fact
            assert write(read(form.example)) == form.example
            for seed in range(6):
                line = filled(form, state, Random(f"{number} {seed}"))
                read(line)


@pytest.mark.parametrize("game", GAMES)
def test_every_piece_is_set_by_hand_by_taps(game: str) -> None:
    """Each form of ``put`` is understood whatever is chosen, and each of them sets something somewhere."""
    done: dict[str, int] = {}
    unread: list[str] = []
    forms = [form for form in forms_of(rulebook(game)) if form.group == "put"]
    for book, state in states(game, 60):
        history = History.begin(game, book.profile).put(state, "as it lies")
        for form in forms:
            for seed in range(4):
                line = filled(form, state, Random(f"{form.name} {seed} {len(done)}"))
                try:
                    set_by_hand(history, line)
                except CannotStand:
                    continue  # a sentence that no table looks so
                except BadNotation as wrong:
                    unread += [line] * ("Nothing can be put so" in str(wrong))
                    continue
                done[form.name] = done.get(form.name, 0) + 1
    assert set(done) == {form.name for form in forms}
    assert all(SOMETIMES.search(line) for line in unread)


def game_of(game: str, *lines: str, profile: str = "default") -> History:
    """A game after these lines."""
    history = History.begin(game, profile)
    for line in lines:
        history = history.fact(line) if line.startswith("see") else history.move(line)
    return history


DRAWING = ("draw-game", "see lot 3-4 / 5-6", "see deal hidden / hidden")
LAID = (*DRAWING, "down 3-6")
OPENED = (
    "dominoids", "see suns@b3 2@c3-3@d3", "see moons@c7 1@c6-4@c5", "see crowns@g6 2@f6-5@e6",
    "see arms@f2 1@f3-1@f4", "see roll suns=3 moons=4 crowns=ace arms=null", "see first 1",
)  # fmt: skip
DICE = (*OPENED, "dice suns moons")
FIELD = ("dominoes-of-war", "see armies army cowboys", "see lot 1", "first 1")
ROLLED = ("kingdomino-duel", "see oldest 1", "see roll d b q2 ?")
SHARED = (*ROLLED, "1: take 1", "2: take 2+3", "1: take 4")


@pytest.mark.parametrize(
    ("lines", "taps", "said"),
    [
        (LAID, ("tile 1-2", "arm west"), "1-2 by 1 at west"),
        (LAID, ("tile 1-2", "arm north"), "1-2 by 1 at north"),
        (LAID, ("tile 1-2", "lying 3-6"), "1-2 by 1 beside 3-6"),
        (LAID, ("tile 1-3", "lying 3-6"), "1-3 by 3 beside 3-6"),
        (LAID, ("tile 1-2", "place down"), "down 1-2"),
        (DRAWING, ("say pass",), "pass"),
        ((*LAID, "draw"), ("tile 3-6",), "see drawn 3-6"),
        (OPENED, ("die suns", "die moons", "die arms"), "dice suns moons arms"),
        (DICE, ("domino 2-3", "square h8"), "suns move 2@h8-3@i8"),
        (DICE, ("domino 2-3", "square h8", "square h7"), "suns move 3@h7-2@h8"),
        (DICE, ("domino 5-5", "square h8"), "suns bud 5@g8-5@h8"),
        (DICE, ("domino 5-5", "square a8", "square c8"), "suns bud 5@a8-5@b8"),
        (DICE, ("pawn suns", "arrow column 1 up"), "suns shift column 1 up"),
        (DICE, ("stack suns", "square a1"), "place suns a1"),
        ((*DICE, "moons move 1@f4-1@f5"), ("square a3",), "eat a3"),
        ((*DICE, "moons move 1@f4-1@f5"), ("domino 2-3",), "attack 2-3"),
        (FIELD, ("place (0,1)", "place d4"), "base (0,1) d4"),
        (ROLLED, ("die 1", "die 2"), "take 1+2"),
        (SHARED, ("map 1 r3c4",), "1: draw d@r3c4"),
        (SHARED, ("map 1 r2c4", "map 1 r5c5"), "1: draw d@r2c4 d@r5c5"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_said_all_the_same(
    lines: tuple[str, ...], taps: tuple[str, ...], said: str
) -> None:
    """A tap that no legal move has makes the line that says it, and the rule book tells why not."""
    history = game_of(*lines)
    book, shown = history.book, touch(history, taps)
    assert shown.line == said
    if said.startswith("see"):
        return
    ruling = book.check(history.state, book.parse(shown.line))
    assert ruling.status in (Status.ILLEGAL, Status.INCOMPLETE)
    assert ruling.rule
    assert ruling.reason


def test_soldiers_go_and_shoot_where_they_may_not() -> None:
    """Whatever a soldier, a wall or the pool is dragged to, the line says it and the rule book answers."""
    book, seen = rulebook("dominoes-of-war"), set()
    toucher = toucher_for(book)
    for book_, state in states("dominoes-of-war", 80):
        names = [
            choice.tap
            for form in toucher.forms
            if form.name == "move"
            for choice in form.ask(state, ("player 1",))
        ]
        rng = Random(str(state))
        rng.shuffle(names)
        walls = [f"wall {wall}" for wall in state.walls]  # type: ignore[attr-defined]
        pool = ["pool 1 grunt", "pool 2 sniper"]
        soldiers = [f"soldier {name(troop.at)}" for troop in state.troops]  # type: ignore[attr-defined]
        for first in (*soldiers, *walls, *pool, "border d4/d5", "place d4"):
            for second in (*soldiers, *walls, "place d4", "place (0,3)", "border d4/d5", "facing n"):
                line = toucher.spoken(state, (first, second))
                if line:
                    seen.add(line.split(" ")[0])
                    assert book_.judge(state, book_.parse(line)).reason
            if line := toucher.spoken(state, (first,)):
                seen.add(line.split(" ")[0])
                assert book_.judge(state, book_.parse(line)).reason
    assert seen == {
        "move",
        "run",
        "shoot",
        "blow",
        "face",
        "rewall",
        "wall",
        "stock",
        "bonus",
        "spawn",
        "extend",
        "base",
    }
    assert toucher.words(state, "soldier (99,99)") == "soldier (99,99)"


@pytest.mark.parametrize(
    ("game", "taps"),
    [
        (
            "dominoids",
            "say pass|form dice|digit 3|with suns|lie 2@b4-3@c4|face suns null|value 1|player 2|coin 3",
        ),
        (
            "draw-game",
            "say draw|say call 10|place down|tile 2-3|half 2|player 1|lying 2-3|arm west|form down",
        ),
        (
            "dominoes-of-war",
            "say end|pool 1 grunt|army 1 army|kind grunt|low 1|high 3|by d4|player 1|form end|place d4",
        ),
        (
            "kingdomino-duel",
            "say P3|coat d|face d1|shows 2 ?|mark d@r2c4|player 1|map 1 r1c1|form take|die 2",
        ),
    ],
)
def test_every_tap_has_words(game: str, taps: str) -> None:
    """What a button says are words of the game, none of them twice."""
    toucher, first = toucher_for(rulebook(game)), History.begin(game).state
    said = [toucher.words(first, tap) for tap in taps.split("|")]
    assert len(set(said)) == len(said)
    assert all(said)


def rare() -> Iterator[tuple[AnyRuleBook, State]]:
    """Positions that few games come to: a Kamikaze before enemy and wall, bonuses, powers that are won."""
    war = rulebook("dominoes-of-war")
    soldiers = "1:kamikaze@d4 1:general@a1 2:grunt@d5 2:kamikaze@h8"
    yield war, war_table(soldiers, walls="d3/d4")
    for bonus in (10, 17, 20):
        yield war, war_table(soldiers, walls="d3/d4", phase="bonus", bonus=bonus)
    duel = rulebook("kingdomino-duel")
    rows: list[Json] = ["d . . . . . .", ". . . . . . .", ". . . C . . .", *[". . . . . . ."] * 2]
    ticks: JsonObject = {"b": {"ticks": [3, 0]}, "q": {"ticks": [0, 3]}, "S": {"ticks": [4, 0]}}
    dice: list[Json] = [
        {"rolled": shown, "shows": shown, "taker": taker}
        for shown, taker in zip(("d", "s", "d", "s"), (1, 2, 2, 1), strict=True)
    ]
    yield duel, duel.start(setup={"a": 1, "dice": dice, "spellbook": ticks})
    players: list[Json] = [{"map": rows, "drawing": "drawn", "bolts": [power]} for power in ("P5", "P6")]
    yield duel, duel.start(setup={"a": 1, "dice": dice, "players": players, "spellbook": ticks})
    dominoids = rulebook("dominoids")
    yield dominoids, game_of(*OPENED[:-1]).state
    yield dominoids, game_of(*DICE).state
    games = (state for seed in range(40) for state in walk(dominoids, Random(seed), 300))
    yield (
        dominoids,
        next(one for one in games if any("bud" in str(way.line) for way in _ways(dominoids, one))),
    )


def _ways(book: AnyRuleBook, state: State) -> Iterator[Way]:
    yield from toucher_for(book).ways(state)


def test_what_seldom_happens_is_reached_by_taps_too() -> None:
    """Runs, wall blown up, free spawns, base tiles, walls moved, powers named and dice turned."""
    seen = set()
    for book, state in rare():
        for number, way in enumerate(_ways(book, state)):
            assert number > 60 or tapped(book, state, way) == way.line
            seen |= {*way.line.split(" ")[1:3]}
    assert {"run", "blow", "bonus", "extend", "rewall", "P4", "P5", "P6", "castle", "2", "bud"} <= seen


@pytest.mark.parametrize(
    ("entries", "taps", "said"),
    [
        ({"phase": "bonus", "bonus": 10}, ("pool 1 grunt", "place d4"), "bonus grunt d4"),
        ({"phase": "bonus", "bonus": 17}, ("place d4",), "extend d4"),
        ({"phase": "bonus", "bonus": 20}, ("wall d3/d4", "border d3/d4"), "rewall d3/d4 d3/d4"),
        ({}, ("soldier d4", "soldier h8"), "run d4 h8"),
        ({}, ("soldier d4", "wall d3/d4"), ""),
        ({}, ("pool 1 grunt", "place d8"), "spawn a1 grunt d8"),
        ({}, ("soldier a1", "soldier d4"), ""),
        ({}, ("place d4",), ""),
    ],
)
def test_soldiers_out_of_the_pool_and_walls(
    entries: dict[str, Json], taps: tuple[str, ...], said: str
) -> None:
    """What may not be done with them is said in the words of the phase."""
    soldiers = "1:kamikaze@d4 1:general@a1 2:grunt@d5 2:kamikaze@h8"
    state = war_table(soldiers, walls="d3/d4", **entries)
    assert toucher_for(rulebook("dominoes-of-war")).spoken(state, taps) == said or not said


def test_a_cross_where_none_may_be_is_said_for_its_player() -> None:
    """Who won P6 puts a cross on the square that was tapped; the rule book says that nothing is there."""
    book, state = next((book, state) for book, state in rare() if getattr(state, "stage", "") == "bolts")
    assert touched(toucher_for(book), state, ("map 2 r5c5",)).line == "2: P6 r5c5"
    history = game_of(*FIELD)
    history = history.put(history.state._replace(phase="walls"), "walls")  # type: ignore[attr-defined]
    assert touch(history, ("border (0,3)/(0,4)",)).line == "wall (0,3)/(0,4)"
    assert toucher_for(history.book).spoken(history.state, ("pool 1 grunt", "place d4")) == ""


def test_another_piece_is_taken_up_instead() -> None:
    """A second piece that may be moved is what is meant now; what means nothing stays alone, with a word."""
    history = game_of(*DICE)
    assert touch(history, ("domino 2-3", "domino 1-4")).taps == ("domino 1-4",)
    nothing = touch(history, ("domino 2-3", "hand 1"))
    assert (nothing.taps, nothing.next) == (("hand 1",), ())
    assert "hand 1" in nothing.prompt
    assert touch(game_of(*LAID), ("lying 3-6",)).line == ""
    assert touch(history, ("form nonsense",)).prompt == "There is no form 'nonsense'."
    assert touch(game_of(*ROLLED), ("map 1 r1c1",)).line == ""


def test_soldiers_of_ones_own_are_not_shot_by_tapping_two() -> None:
    """The second of two own soldiers is the one that is meant; so it is for what no soldier stands on."""
    for book, state in states("dominoes-of-war", 80):
        own = [f"soldier {name(troop.at)}" for troop in state.troops if troop.side == 1]  # type: ignore[attr-defined]
        if len(own) > 1:
            assert toucher_for(book).spoken(state, (own[0], own[1])) == ""
            return


def test_places_show_where_a_tile_would_lie() -> None:
    """The ends are where the tile that was tapped would lie; before the line there is the middle."""
    history = game_of(*LAID)
    toucher = toucher_for(history.book)
    assert set(toucher.places(history.state, ("tile 1-2",))) == {"arm west", "arm east"}
    assert toucher.places(history.state, ()) == {}
    first = game_of(*DRAWING)
    assert toucher.places(first.state, ("tile 1-1",))["place down"].angle == 90
    assert toucher_for(game_of(*ROLLED).book).places(game_of(*ROLLED).state, ("die 1",)) == {}


def test_a_part_that_is_no_choice_is_left_out() -> None:
    """What cannot be a part of a form changes nothing, and neither does what comes after its end."""
    history = game_of(*LAID)
    assert touch(history, ("form put turn", "square d4")).taps == ("form put turn",)
    assert touch(history, ("form put turn", "player 2", "player 1")).line == "put turn 2"
    nothing = touch(game_of(*SHARED), ("form draw", "player 1", "say nothing"))
    assert nothing.line == "1: draw nothing"


@pytest.mark.parametrize(
    ("taps", "line"),
    [
        (("form undo",), "undo"),
        (("form stand",), "stand"),
        (("form take back", "entry 2"), "take back 2"),
        (("form back to", "entry 1"), "back to 1"),
        (("form correct", "entry 3", "tile 2-6", "place down"), "correct 3: 2: down 2-6"),
        (("form correct", "entry 1", "tile 2-6", "tile 0-1"), "correct 1: see lot 2-6 / 0-1"),
        (("form before", "entry 3", "form redeal", "player 2"), "before 3: 2: redeal"),
        (("form correct", "entry 3", "tile 2-6"), ""),
        (("form correct", "entry 9"), ""),
        (("form take back",), ""),
    ],
)
def test_what_was_said_before_is_changed_by_taps(taps: tuple[str, ...], line: str) -> None:
    """A change names its entry, and what happened there is tapped on the table as it lay then."""
    history = game_of(*LAID)
    shown = touch(history, taps)
    assert shown.line == line
    assert shown.next or shown.line
    if taps == ("form correct", "entry 3", "tile 2-6"):
        assert table_of(history, taps) == history.steps[1].state
    assert table_of(history, ()) == table_of(history, ("form correct",)) == history.state
    assert table_of(history, ("form correct", "entry 1")) == history.first


@pytest.mark.parametrize(
    "taps",
    [
        ("tile 1-1", "place down"),
        ("form put turn", "player 2"),
        ("form correct", "entry 3", "tile 2-6", "place down"),
        ("form before", "entry 3", "form redeal", "player 2"),
        ("form take back", "entry 2"),
        ("form undo",),
    ],
)
def test_each_tap_is_called_as_it_was_offered(taps: tuple[str, ...]) -> None:
    """With the words of its button, or of its form; never more or fewer than there are taps."""
    history = game_of(*(DRAWING if taps[0].startswith("tile") else LAID))
    said = words_of(history, taps)
    assert len(said) == len(taps)
    forms = {f"form {form.name}": form.told for form in forms_of(history.book)}
    for number, (tap, words) in enumerate(zip(taps, said, strict=True)):
        offered = {choice.tap: choice.words for choice in touch(history, taps[:number]).next}
        assert words == (forms[tap] if tap in forms else offered[tap])
    assert words_of(history, ()) == ()
    assert words_of(history, ("form correct", "entry 9"))[1] == "entry 9"


@pytest.mark.parametrize("game", GAMES)
def test_every_form_is_told(game: str) -> None:
    """Each form has a name of its own, and says what it is for; changes are among them."""
    forms = forms_of(rulebook(game))
    assert len({form.name for form in forms}) == len(forms)
    assert all(form.told and form.pattern and form.example for form in forms)
    changes = [form for form in forms if form.group == "change"]
    assert [form.name for form in changes] == [
        "undo",
        "redo",
        "stand",
        "take back",
        "back to",
        "correct",
        "before",
    ]
    assert all(fill(form, History.begin(game).state, ()).line == form.name for form in changes)
