"""Views go out whole once and then as what changed; a screen that comes back is told what it missed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.live.thread_channels import Latest
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from tests.device.match.match_bench import FACTS, LEGAL, game
from web.changes import changed, changes
from web.following import MatchViews, Seats

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inside: (
        st.lists(inside, max_size=5) | st.dictionaries(st.sampled_from(("k", "name")), inside, max_size=3)
    ),
    max_leaves=20,
)  # fmt: skip


@given(PLAIN, PLAIN)
def test_what_changed_leads_from_one_view_to_the_other(before: Any, after: Any) -> None:
    """Whatever differs: the steps, sent as text, make the one of the other, and leave the first as it was."""
    kept = json.dumps(before)
    made = changed(before, json.loads(json.dumps(changes(before, after))))
    assert json.dumps(made, sort_keys=True) == json.dumps(after, sort_keys=True)
    assert json.dumps(before) == kept


def shown(lines: int) -> dict[str, Any]:
    """A match after so many lines."""
    return dict(view(taken_up(Match(), game(*[*FACTS, *LEGAL][:lines]))))


@pytest.fixture
def views() -> Latest[Any]:
    """The views of a match."""
    made: Latest[Any] = Latest()
    made.put(shown(2))
    return made


def told(text: str) -> tuple[str, str, Any]:
    """Name, kind and data of an event."""
    lines = dict(line.split(": ", 1) for line in text.strip().splitlines())
    return lines.get("id", ""), lines.get("event", "message"), json.loads(lines["data"])


def test_a_screen_that_was_away_is_told_what_it_missed(views: Latest[Any]) -> None:
    """The name of the view that it has leads to one change, however many came since."""
    following = MatchViews(views)
    stream = following.events("", lambda: True)
    assert next(stream).startswith("retry")
    name, kind, first = told(next(stream))
    assert (kind, first) == ("message", shown(2))
    for lines in (3, 4, 5):
        views.put(shown(lines))
    again = following.events(name, lambda: True)
    next(again)
    _, kind, change = told(next(again))
    assert kind == "change"
    assert change["from"] == name
    assert changed(first, change["steps"]) == shown(5)


@pytest.mark.parametrize(
    "name",
    ["", "x", "00000000-1", "-", "{word}-0", "{word}-99", "{word}--1", "{word}-1e9", "{word}-" + "9" * 40],
)  # fmt: skip
def test_a_name_that_nobody_knows_gets_the_view_whole(views: Latest[Any], name: str) -> None:
    """Those of another match, of before a restart, of what was forgotten, and what is none at all."""
    following = MatchViews(views)
    word = following.now()[0].split("-")[0]
    stream = following.events(name.format(word=word), lambda: True)
    next(stream)
    assert told(next(stream))[1:] == ("message", shown(2))


def test_after_an_hour_of_views_the_old_ones_are_forgotten(views: Latest[Any]) -> None:
    """What is remembered is bounded; whoever comes back from before that gets the view whole."""
    following = MatchViews(views)
    first, _ = following.now()
    for number in range(3600):
        views.put({**shown(2), "notice": str(number)})
        following.now()
    stream = following.events(first, lambda: True)
    next(stream)
    assert told(next(stream))[1] == "message"
    assert len(following._known) <= 240


def test_a_move_is_told_in_less_than_two_kilobytes(views: Latest[Any]) -> None:
    """A page is not sent the whole match for each move."""
    stream = MatchViews(views).events("", lambda: True)
    next(stream), next(stream)
    sizes = []
    for lines in (3, 4, 5):
        views.put(shown(lines))
        sizes.append(len(next(stream).encode()))
    assert max(sizes) <= 2048, sizes


def test_a_stream_that_hears_nothing_says_that_it_lives(views: Latest[Any]) -> None:
    """A ping that the page can count on; whoever may not look any more hears no more."""
    may = [True]
    stream = MatchViews(views).events("", lambda: may[0], ping_s=0.01)
    next(stream), next(stream)
    assert next(stream) == "event: ping\ndata: {}\n\n"
    may[0] = False
    assert list(stream) == []


def test_seats_are_counted() -> None:
    """Full is full, and a seat that was left is free."""
    seats = Seats(1)
    assert seats.take()
    assert seats.full()
    assert not seats.take()
    seats.leave()
    assert not seats.full()
