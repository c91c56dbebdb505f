"""Each game is drawn in its own true form: what lies there by the state, and nothing else, is on the page."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine import GAMES
from engine.draw_game.line import FIRST_SHORT, WORTH
from engine.draw_game.model import DrawState
from engine.history import History
from engine.kingdomino_duel.model import DuelState
from engine.layout import Spot
from engine.plain import Json, items, obj
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_steps
from tests.web.read_back import SUITS, Look, ReadPage, read_back

HASTE: Final = {"Agree", "Forfeit", "Draw"}
"""What ends a game early, or passes over a piece of it; in War to draw is to offer a draw."""
SHOWN: Final = {
    "dominoids": (6, (3, 14, 38, 60)), "draw-game": (4, (1, 24, 60, 104)),
    "dominoes-of-war": (4, (10, 30, 150)), "kingdomino-duel": (4, (1, 4, 50, 80)),
}  # fmt: skip
"""Which random game of each is looked at, and after which of its steps."""
SEEN: Final = {
    "dominoids": {
        "board",
        "pool",
        "old-dice",
        "new-dice",
        "chosen-dice",
        "hand-2",
        *(f"stack-{one}" for one in SUITS),
    },
    "draw-game": {"board", "hand-1", "hand-2", "boneyard", "aside"},
    "dominoes-of-war": {"board", "pool-1", "pool-2", "discard"},
    "kingdomino-duel": {"dice", "dice-1", "dice-2", "sheet-1", "sheet-2", "spellbook"},
}
"""In which regions something lies then, open or hidden."""
OFF_THE_PAGE: Final = {"spares", "discard"}
"""How many spare tiles are left, and how many lie face down beside the field: nobody plays by that."""
TYPES: Final = {
    "general": "Ge", "chieftain": "Ch", "grunt": "Gr", "sniper": "Sn", "kamikaze": "Ka", "grenadier": "Gn",
    "quick-shot": "Qu", "shotgunner": "Sh", "gunslinger": "Gu", "spear-thrower": "Sp", "lightfoot": "Li",
    "hidden": "?",
}  # fmt: skip
Pairs = Iterator[tuple[object, object]]
"""What is read from the page, and what the state holds."""


def value_of(spot: Spot) -> Mapping[str, Json]:
    """What a piece shows that shows something."""
    assert spot.value is not None, spot
    return spot.value


def lying(spot: Spot) -> tuple[float, float, float]:
    """Where a piece lies on its board, and how it is turned."""
    assert spot.x is not None
    assert spot.y is not None
    return float(spot.x), float(spot.y), float(spot.angle or 0) % 360


def of_dominoids(history: History, page: ReadPage) -> Pairs:
    """Tiles, coins and pawns on their squares; dice, stacks, gene pool and what was eaten beside them."""
    layout = history.book.layout(history.state)

    def drawn(look: Look) -> object:
        if "coin" in look.kinds:
            return "coin", str(look.coin)
        return ("pawn", look.suit) if "rim" in look.kinds else ("domino", str(look.pips()))

    def wanted(spot: Spot) -> object:
        if spot.kind == "coin":
            return "coin", str(value_of(spot)["suit" if spot.face == "down" else "value"])
        return (spot.kind, str(value_of(spot)["suit" if spot.kind == "pawn" else "pips"]))

    board = [(one.at[0], one.at[1] + 9, one.at[2], drawn(one)) for one in page.boards[0]]
    yield (
        sorted(board, key=str),
        sorted(((*lying(one), wanted(one)) for one in layout.in_region("board")), key=str),
    )
    for caption, region in (("Old dice", "old-dice"), ("New dice", "new-dice"), ("This turn", "chosen-dice")):
        dice = [(one.name.removeprefix("die "), value_of(one)["face"]) for one in layout.in_region(region)]
        yield [one.die for one in page.tray(caption).things], dice
    stacks = page.tray("Stacks")
    many = [layout.hidden[f"stack-{name}"] for name in SUITS]
    yield stacks.numbers, many
    yield (
        [one.suit for one in stacks.things],
        [name if many else None for name, many in zip(SUITS, many, strict=True)],
    )
    free = [name for name in SUITS if f"pawn {name}" not in layout.by_name()]
    yield (
        [drawn(one) for one in page.tray("Gene pool").things],
        [("pawn", name) for name in free] + [wanted(one) for one in layout.in_region("pool")],
    )
    for player, name in ((1, "Ann"), (2, "Bo")):
        eaten = [value_of(one)["value"] for one in layout.in_region(f"hand-{player}")]
        yield [one.coin for one in page.tray(name).things], eaten


def of_the_draw_game(history: History, page: ReadPage) -> Pairs:
    """The line as it lies with its spinner and what its ends count, both hands and the boneyard."""
    layout, state = history.book.layout(history.state), history.state
    assert isinstance(state, DrawState)
    line = page.boards[0]
    yield (
        sorted((*one.at, one.pips()) for one in line),
        sorted((*lying(one), value_of(one)["pips"]) for one in layout.in_region("board")),
    )
    deal = max((k for k, one in enumerate(history.steps) if "see deal" in one.happened.text), default=0)
    laid = [re.search(r": (?:down )?(\d)-(\d)", one.happened.text) for one in history.steps[deal:]]
    doubles = [[int(one[1])] * 2 for one in laid if one and one[1] == one[2]]
    yield (
        [one.pips() for one in line if "spinner" in one.kinds],
        doubles[:1] if layout.in_region("board") else [],
    )
    worth = [WORTH[end] for end in state.ends if end < FIRST_SHORT]
    yield page.tray("Open ends").numbers, [sum(worth)] if worth else []
    aside = [value_of(one)["pips"] for one in layout.in_region("aside")]
    yield [one.pips() for one in page.tray("Beside the line").things], aside
    for caption, region in (("Ann", "hand-1"), ("Bo", "hand-2"), ("Boneyard", "boneyard")):
        there, many = page.tray(caption), layout.hidden.get(region, 0)
        yield (
            [one.pips() for one in there.things],
            [value_of(one)["pips"] for one in layout.in_region(region)],
        )
        yield there.numbers, [] if there.things else [many]
        yield there.told["stood"], 0 if there.things else min(many, 14)


def of_the_war(history: History, page: ReadPage) -> Pairs:
    """Field and bases, turned tiles, walls, soldiers by letter, side and facing; pools and the dead."""
    layout = history.book.layout(history.state)
    on = layout.in_region("board")
    tiles = [one for one in on if one.kind == "domino"]
    for owner in (0, 1, 2):
        mine = [one for one in tiles if (one.owner or 0) == owner]
        yield page.ground(owner, back=False), sorted((one.x, one.y) for one in mine)
        yield page.ground(owner, back=True), sorted((one.x, one.y) for one in mine if one.value is None)
    soldiers = [one for one in page.boards[0] if "letter" in one.kinds]
    turned = [one for one in page.boards[0] if "bar" in one.kinds]
    walls = [one for one in page.boards[0] if one not in soldiers and one not in turned]
    yield (
        sorted((*one.at[:2], one.pips(axis=1, first=1)) for one in turned),
        sorted((*lying(one)[:2], value_of(one)["pips"]) for one in tiles if one.value is not None),
    )
    yield (
        sorted((one.at[0], one.at[1], one.at[2] % 180) for one in walls),
        sorted((*lying(one)[:2], lying(one)[2] % 180) for one in on if one.kind == "wall"),
    )
    yield (
        sorted(((*one.at[:2], *one.figure) for one in soldiers), key=str),
        sorted(((*lying(one)[:2], *figure(one)) for one in on if one.kind == "soldier"), key=str),
    )
    figures = {one.word: one.shapes["lines"][1 if one.shapes["wedge"] else 0] for one in soldiers}
    assert len({str(line) for line in figures.values()}) == len(figures)  # no two of a kind look the same
    for side, name in ((1, "Ann"), (2, "Bo")):
        pool = page.tray(name)
        left = [figure(one)[:2] for one in layout.in_region(f"pool-{side}")]
        drawn = {one.figure[:2]: one.beside for one in pool.things}
        yield drawn, {one: f"{one[1]}{left.count(one)}" for one in left}
        hidden = layout.hidden.get(f"pool-{side}", 0)
        yield (f"{hidden} hidden" in pool.told["words"]) == bool(hidden), True
        count = sum(one.kind == "soldier" and one.owner == side for one in on)
        yield f"{name} · {count} on the table" in str(pool.told["words"]), True
    lost = page.tray("Killed and exploded").things
    dead = [one for one in layout.in_region("discard") if one.kind == "soldier"]
    yield [one.figure[:2] for one in lost if "letter" in one.kinds], [figure(one)[:2] for one in dead]
    yield (
        [one.pips() for one in lost if "letter" not in one.kinds],
        [value_of(one)["pips"] for one in layout.in_region("discard") if one.kind == "domino"],
    )
    types = {figure(one)[1] for one in layout.spots if one.kind == "soldier"}
    legend = {look.word for look, _, _ in page.tray("Who is who").rows if "letter" in look.kinds}
    yield legend | {"?"}, types | {"?"}


def figure(spot: Spot) -> tuple[str, str, float | None]:
    """A soldier as he ought to look."""
    kind = str(value_of(spot)["type"] or "hidden")
    return f"p{spot.owner}", TYPES[kind], None if spot.angle is None else spot.angle % 360


def of_the_duel(history: History, page: ReadPage) -> Pairs:
    """Both maps square by square, the dice with whoever has them, and each line of the spellbook."""
    layout, state = history.book.layout(history.state), history.state
    assert isinstance(state, DuelState)
    for player, board in enumerate(page.boards, 1):
        rows = items(value_of(layout.by_name()[f"map {player}"])["map"], "the rows")
        cells = {
            (x + 0.5, -y - 0.5): (obj(cell, "a square")["coat"], obj(cell, "a square")["crosses"])
            for y, row in enumerate(rows)
            for x, cell in enumerate(items(row, "a row"))
            if cell is not None
        }
        yield {one.at[:2]: one.coat for one in board if "tower" not in one.kinds}, cells
        side, told = state.sides[player - 1], str(page.told["captions"][player - 1])
        yield "begins" in told, state.a == player
        yield "castle's cross used" in told, side.roof
        yield ("P5: " in told), side.named is not None
        assert all(f"P{power}" in told for power in side.declared)
    for caption, region in (("In the middle", "dice"), ("Ann", "dice-1"), ("Bo", "dice-2")):
        dice = [one for one in layout.in_region(region) if one.kind == "die"]
        shown = [
            (
                one.name.removeprefix("die "),
                None if one.value is None else (one.value["face"], one.value["crosses"]),
            )
            for one in dice
        ]
        yield [(one.beside.lstrip("?").split(" ")[0], one.coat) for one in page.tray(caption).things], shown
    book = value_of(layout.by_name()["spellbook"])
    lines = {name: obj(line, "a line") for name, line in book.items()}
    owners = {None: "", 1: "Ann", 2: "Bo"}
    yield (
        {look.coat: (ticks, said) for look, ticks, said in page.tray("Spellbook").rows},
        {
            (name, 0): (
                ["●" * int(str(many)) or "·" for many in items(line["ticks"], "the ticks")],
                owners[line["owner"]] + (" (used)" if line["spent"] else ""),  # type: ignore[index]
            )
            for name, line in lines.items()
        },
    )


_ROWS: Final = "return document.querySelectorAll('#log li:not(.mend)').length"
OF: Final[Mapping[str, Callable[[History, ReadPage], Pairs]]] = {
    "dominoids": of_dominoids, "draw-game": of_the_draw_game, "dominoes-of-war": of_the_war,
    "kingdomino-duel": of_the_duel,
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_there_by_the_state_is_drawn_as_it_lies(
    tmp_path: Path, browser: Browser, game: str
) -> None:
    """In the set-up, in the midst of a game and late in it: each piece once, and each number as it is."""
    seed, looked_at = SHOWN[game]
    steps = random_steps(game, max(looked_at), seed, HASTE)
    games = [one for k, one in enumerate(steps, 1) if k in looked_at]
    assert len(games) == len(looked_at)
    if game == "draw-game":  # a tile that opens no end, and that both let stand
        games.append(list(random_steps(game, 9, seed, HASTE))[-1].move("2: 0-1 by 0 beside 0-0").stand())
    layouts = [one.book.layout(one.state) for one in games]
    open_ = {spot.region for layout in layouts for spot in layout.spots}
    assert open_ | {region for layout in layouts for region in layout.hidden} - OFF_THE_PAGE == SEEN[game]
    with ShownDesk(tmp_path, taken_up(Match(), games[0])) as shown:
        browser.viewport(1280, 800)
        browser.open(shown.address)
        for history in games:
            shown.desk.views.put(view(taken_up(Match(), history)))
            browser.until(lambda history=history: browser.run(_ROWS) == len(history.steps), 15)
            page = read_back(browser)
            for k, (drawn, lies) in enumerate(OF[game](history, page)):
                assert drawn == lies, (len(history.steps), k)
        told = browser.complaints()
        assert [one for one in told if "/api/history/" not in one] == []  # only the first is in the journal
