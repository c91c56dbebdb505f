"""The record: what is written reads back, damage loses only the tail, newer versions are refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadRecord
from engine.history import History
from engine.plain import JsonObject
from engine.record import VERSION, Happening, line, read, write

pytestmark = pytest.mark.usefixtures("toy_game")


def a_game() -> History:
    """A toy game with one of every kind of entry."""
    history = History.begin("toy", seed=1, players=("Ann", "Bo"), software="1.2")
    for text in ("see 4", "1: +3", "see 2", "2: +5"):
        history = history.fact(text) if text.startswith("see") else history.move(text)
    history = history.stand("agreed").insert(2, Happening("move", "2: +1"))
    return history.correct(3, Happening("fact", "see 3"), "misread").undo()


def test_a_record_reads_back_to_the_same_game() -> None:
    """States, rulings, scores and entries are identical after writing and reading."""
    history = a_game()
    again = History.of(read(write(history.header, history.entries)))
    assert again.entries == history.entries
    assert again.header == history.header
    assert again.steps == history.steps
    assert [step.state for step in again.steps] == [step.state for step in history.steps]
    assert again.scores == history.scores
    assert not list(again.disagreements())


def test_a_ruling_that_is_judged_differently_today_is_named() -> None:
    """When the written ruling and today's differ, the reader is told; the record itself stays as it is."""
    history = History.begin("toy").fact("see 2").move("1: +1")
    text = write(history.header, history.entries)
    lines = text.splitlines()
    data = json.loads(lines[2])
    data["ruling"]["status"] = "illegal"
    del data["sum"]
    found = list(History.of(read("\n".join([*lines[:2], line(data), ""]))).disagreements())
    assert [(change.entry, change.was) for change in found] == [(2, "illegal TOY-1")]


@given(cut=st.integers(0, 3000))
def test_a_cut_record_loses_only_its_tail(cut: int) -> None:
    """Wherever a record is cut, what stands before the cut reads back, and the loss is named."""
    text = _long_record()
    cut = min(cut, len(text))
    header_end = text.index("\n")
    if cut < header_end:
        with pytest.raises(BadRecord, match="Line 1"):
            read(text[:cut])
        return
    record = read(text[:cut])
    whole = text[:cut].count("\n") - 1
    clean = text[cut - 1] == "\n" or cut == header_end
    complete = whole + (1 if not clean and text[cut : cut + 1] == "\n" else 0)
    assert len(record.entries) == max(complete, 0)
    assert bool(record.damage) == (not clean and text[cut : cut + 1] not in ("\n",))


def _long_record() -> str:
    header = {
        "pipwatch-record": VERSION,
        "game": "toy",
        "profile": "default",
        "players": ["A", "B"],
        "software": "",
        "seed": None,
        "settings": {},
        "setup": {"game": "toy", "version": 1, "total": 0},
    }
    entries = [{"n": n, "fact": f"see {n}"} for n in range(1, 40)]
    return "".join(line(data) + "\n" for data in (header, *entries))


@given(at=st.integers(0, 2500), byte=st.sampled_from('0aZ"}{,: é'))
def test_one_changed_letter_is_always_noticed(at: int, byte: str) -> None:
    """Any single changed character either ends the record there, with a word, or refuses its head."""
    text = _long_record()
    at = at % len(text)
    if text[at] == byte:
        return
    changed = text[:at] + byte + text[at + 1 :]
    try:
        record = read(changed)
    except BadRecord:
        assert at <= text.index("\n")
    else:
        assert record.damage
        assert len(record.entries) <= text[:at].count("\n")


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"n": 1}, "says nothing"),
        ({"n": 2, "fact": "see 1"}, "should be entry 1"),
        ({"n": 1, "stand": 1}, "earlier entry"),
        ({"n": 1, "fact": 5}, "should be a text"),
        ({"n": True, "fact": "see 1"}, "whole number"),
        ({"fact": "see 1"}, "lacks the entry 'n'"),
        ({"n": 1, "fact": "see 1", "move": "1: +1"}, "not several"),
        ({"n": 1, "set": "as it is"}, "lacks the entry 'state'"),
        ([1], "should be an object"),
    ],
)
def test_a_line_that_says_nothing_sensible_is_damage(entry: object, why: str) -> None:
    """A well-formed line with impossible content ends the record there, and the message says why."""
    head = _long_record().splitlines()[0]
    text = json.dumps(entry) if isinstance(entry, list) else line(entry)  # type: ignore[arg-type] (bad on purpose)
    record = read(f"{head}\n{text}\n")
    assert why in record.damage
    assert "the last 1 of 1 entries" in record.damage


def test_an_entry_about_two_entries_at_once_is_damage() -> None:
    """An entry either stands, corrects or inserts; one that claims more is not believed."""
    head, first, *_ = _long_record().splitlines()
    both = line({"n": 2, "stand": 1, "correct": 1, "with": None})
    bare = line({"n": 2, "before": 1, "with": None})
    for bad in (both, bare):
        record = read(f"{head}\n{first}\n{bad}\n")
        assert len(record.entries) == 1
        assert "says nothing" in record.damage
    unknown = line({"n": 2, "correct": 1, "with": {"weather": "rain"}})
    assert "a fact, a move or a table" in read(f"{head}\n{first}\n{unknown}\n").damage
    empty = read(f"{head}\n\n{first}\n")
    assert "it is empty" in empty.damage


def test_brackets_without_end_are_damage_like_any_other() -> None:
    """A line nested deeper than any reader can follow ends the record with a word, not with a crash."""
    head, first, *_ = _long_record().splitlines()
    assert "is not JSON" in read(f"{head}\n{first}\n{'[' * 100_000}\n").damage


def test_a_record_with_the_set_up_of_another_game_is_refused() -> None:
    """A header that names one game and holds the set-up of another is no game at all."""
    header = json.loads(_long_record().splitlines()[0])
    del header["sum"]
    setup = {**History.begin("draw-game", seed=1).first.to_json()}
    with pytest.raises(BadRecord, match="a game of toy with a set-up of draw-game"):
        History.of(read(line(header | {"setup": setup}) + "\n"))


@pytest.mark.parametrize("version", [0, -3])
def test_versions_count_from_one(version: int) -> None:
    """A header with a version that never was is refused."""
    header = json.loads(_long_record().splitlines()[0])
    del header["sum"]
    with pytest.raises(BadRecord, match=f"from 1 on, not {version}"):
        read(line(header | {"pipwatch-record": version}) + "\n")


def test_a_newer_record_is_refused_in_one_sentence() -> None:
    """A record of a later version is not half-read but refused, naming both versions."""
    header = json.loads(_long_record().splitlines()[0])
    del header["sum"]
    with pytest.raises(BadRecord, match=rf"version {VERSION + 1}.*up to {VERSION}"):
        read(line(header | {"pipwatch-record": VERSION + 1}) + "\n")


@pytest.mark.parametrize("players", [["A"], ["A", "B", "C"], []])
def test_a_record_names_two_players(players: list[str]) -> None:
    """A header without exactly two players is refused."""
    header = json.loads(_long_record().splitlines()[0])
    del header["sum"]
    with pytest.raises(BadRecord, match="two players"):
        read(line(header | {"players": players}) + "\n")


@pytest.mark.parametrize("where", ["fact", "alike", "with"])
def test_signs_that_a_terminal_would_obey_are_damage(where: str) -> None:
    """Whatever a record tells is told to people again, so nothing in it may clear their screen."""
    head, first = write(History.begin("toy").header), line({"n": 1, "fact": "see 4"})
    bad = "see 4\x1b[2J"
    told: JsonObject = {"fact": bad} if where == "fact" else {"fact": "see 4", "alike": [bad]}
    entry: JsonObject = {"n": 2, "correct": 1, "with": told} if where == "with" else {"n": 2, **told}
    record = read(f"{head}{first}\n{line(entry)}\n")
    assert "cannot be printed" in record.damage
    assert len(record.entries) == 1
