"""What the house is told of a match: nothing before it is on the disk, nothing twice, and never a picture."""

import json
from dataclasses import replace
from typing import Any

import pytest

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.home.broker import Broker, Topics
from device.home.letters import Facts, KnownAtHome, Letter, discovery, state_letter, tell
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind
from device.settings import Settings
from tests.device.match.match_bench import BUTTON, FACTS, ILLEGAL, LEGAL, Bench, game, ruled

TOPICS = Topics("table")
HEALTHY: Facts = {
    "status": "ok", "camera": {"state": "ok", "age_s": 0.1, "restarts": 0, "fps": 9.7}, "remarks": [],
    "temperature_c": 51.2,
}  # fmt: skip


class House:
    """What a house has been told so far."""

    def __init__(self) -> None:
        self.known = KnownAtHome("abc")
        self.state: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []

    def hear(self, bench: Bench | None, health: Facts | None = None) -> list[Letter]:
        """The letters that a match as it is brings."""
        shown = None if bench is None else view(bench.match)
        self.known, letters = tell(self.known, TOPICS, shown, health)
        for letter in letters:
            if letter.topic == TOPICS.state:
                assert letter.retained
                self.state = json.loads(letter.text)
            else:
                assert (letter.topic, letter.retained, letter.owed) == (TOPICS.event, False, True)
                self.events.append(json.loads(letter.text))
        return list(letters)


def test_a_house_that_comes_later_is_told_how_it_stands_and_not_all_that_was() -> None:
    """The entries from before are no news; the state holds turn, scores, ruling, phase and health."""
    house = House()
    house.hear(Bench(*FACTS, LEGAL[0]), HEALTHY)
    assert house.events == []
    assert house.state["turn"] == "Bo"
    assert house.state["players"] == ["Ann", "Bo"]
    assert house.state["scores"] == [0, 0]
    assert house.state["ruling"]["verdict"] == "legal"
    assert house.state["ruling"]["rule"].startswith("KD")
    assert house.state["ruling"]["reason"].endswith(".")
    assert house.state["phase"] == "watching"
    assert (house.state["camera_ok"], house.state["fps"], house.state["box"]["status"]) == (True, 10, "ok")
    assert house.state["box"]["temperature_c"] == 51


def test_each_entry_is_told_once_with_its_number_and_its_ruling() -> None:
    """Numbers of events go up by one; the state names the last of them."""
    house, bench = House(), Bench(*FACTS)
    house.hear(bench)
    for line in LEGAL[:2]:
        bench.see(ruled(bench.match.game or game(), line)).wait(2)
        house.hear(bench)
        assert house.hear(bench) == []
    assert [(one["seq"], one["event"], one["text"]) for one in house.events] == [
        (1, "move", LEGAL[0]), (2, "move", LEGAL[1]),
    ]  # fmt: skip
    assert {one["run"] for one in house.events} == {"abc"}
    assert house.events[1]["ruling"]["verdict"] == "legal"
    assert house.state["seq"] == 2


def test_nothing_of_the_game_is_told_before_it_is_on_the_disk() -> None:
    """While the journal has not answered the house knows what it knew; the phase alone is of the moment."""
    house, bench = House(), Bench(*FACTS)
    house.hear(bench)
    bench.holds = True
    bench.see(ruled(bench.match.game or game(), LEGAL[0])).wait(2)
    assert not bench.match.saved
    house.hear(bench)
    assert (house.events, house.state["ruling"], house.state["turn"]) == ([], None, "Ann")
    bench.release()
    house.hear(bench)
    assert [one["text"] for one in house.events] == [LEGAL[0]]
    assert house.state["turn"] == "Bo"


def test_a_refused_move_is_told_as_an_entry_and_as_a_phase() -> None:
    """The word, the rule and the sentence of the refusal; hands that come and go are no events."""
    house, bench = House(), Bench(*FACTS, LEGAL[0])
    house.hear(bench)
    bench.see(ruled(bench.match.game or game(), ILLEGAL)).wait(2)
    house.hear(bench)
    assert [one["event"] for one in house.events] == ["move", "phase"]
    refused = house.events[0]["ruling"]
    assert (refused["verdict"], refused["move"], refused["stands"]) == ("illegal", ILLEGAL, False)
    assert house.events[1]["phase"] == "illegal"
    house.hear(bench.tell(Kind.HAND))
    assert len(house.events) == 2
    assert house.state["ruling"] == refused


def test_what_waits_to_be_confirmed_is_said_so() -> None:
    """A house that has a button knows when to show it; what waits is no ruling yet."""
    house, bench = House(), Bench(*FACTS, manners=BUTTON)
    house.hear(bench.see(ruled(bench.match.game or game(), LEGAL[0])))
    assert (house.state["phase"], house.state["waits"], house.state["ruling"]) == ("ruled", True, None)
    house.hear(bench.tell(Kind.CONFIRM))
    assert (house.state["waits"], house.state["ruling"]["move"]) == (False, LEGAL[0])


def test_between_matches_the_box_is_there_without_a_game() -> None:
    """The next match is looked at afresh: what it begins with is no news, either."""
    house = House()
    house.hear(Bench(*FACTS, LEGAL[0]), HEALTHY)
    house.hear(None, HEALTHY)
    assert (house.state["phase"], house.state["game"], house.state["scores"]) == ("no match", None, [])
    house.hear(Bench(*FACTS), HEALTHY)
    assert (house.events, house.state["phase"]) == ([], "watching")


def test_a_camera_that_is_away_and_a_box_that_ails_are_told() -> None:
    """The camera as the match knows it, and as the box's health does: either is enough to say so."""
    house, bench = House(), Bench(*FACTS)
    house.hear(bench.tell(Kind.LOST, "The camera gives no picture."), HEALTHY)
    assert house.state["camera_ok"] is False
    stale = {
        **HEALTHY,
        "camera": {"state": "stale", "fps": 0.0},
        "status": "degraded",
        "remarks": ["It hangs."],
    }
    house.hear(Bench(*FACTS), stale)
    assert (house.state["camera_ok"], house.state["box"]["remarks"]) == (False, ["It hangs."])
    house.hear(Bench(*FACTS), None)
    assert (house.state["camera_ok"], house.state["box"]["status"]) == (True, None)


@pytest.mark.parametrize("state", ["none", "ok"])
def test_a_camera_that_nobody_needs_just_now_is_no_problem(state: str) -> None:
    """Between matches it rests; a match by hand wants none, and neither does a box that never had one."""
    house, by_hand = House(), Bench(*FACTS)
    by_hand.match = replace(by_hand.match, by_hand=True, camera=False)
    resting = {**HEALTHY, "camera": {"state": state, "age_s": None, "restarts": 0, "fps": None}}
    for bench in (None, by_hand, Bench(*FACTS)):
        house.hear(bench, resting)
        assert house.state["camera_ok"] is True
    house.hear(by_hand.tell(Kind.LOST, "There is no camera."), resting)
    assert house.state["camera_ok"] is True


def test_a_match_that_is_to_be_seen_and_is_not_has_a_problem() -> None:
    """Also where the box has no camera; and so has one that is open between matches and shows nothing."""
    house, away = House(), {**HEALTHY, "camera": {"state": "away", "fps": 0.0}}
    none = {**HEALTHY, "camera": {"state": "none", "fps": None}}
    house.hear(Bench(*FACTS).tell(Kind.LOST, "There is no camera."), none)
    assert house.state["camera_ok"] is False
    house.hear(None, away)
    assert house.state["camera_ok"] is False


def test_small_changes_of_the_figures_are_no_news() -> None:
    """A house keeps all it is told in a database: tenths of a degree are not told."""
    house, bench = House(), Bench(*FACTS)
    house.hear(bench, HEALTHY)
    warmer = {**HEALTHY, "temperature_c": 51.4, "camera": {"state": "ok", "fps": 9.9}, "gate_ms": 12.0}
    assert house.hear(bench, warmer) == []


def test_how_it_stands_can_be_told_once_more() -> None:
    """A broker that has just started knows nothing; before anything is known there is nothing to tell."""
    house = House()
    assert state_letter(house.known, TOPICS) is None
    letters = house.hear(Bench(*FACTS))
    assert state_letter(house.known, TOPICS) == letters[-1]


def test_what_home_assistant_reads_is_one_device_with_all_its_entities() -> None:
    """Each entity has an id of its own and reads the state; values are templates over its keys."""
    letter = discovery(TOPICS, "1.2", url="http://pipwatch.local:8000/")
    assert (letter.topic, letter.retained) == ("homeassistant/device/pipwatch_table/config", True)
    told = json.loads(letter.text)
    assert told["origin"] == {"name": "Pipwatch", "sw_version": "1.2"}
    assert told["device"]["configuration_url"] == "http://pipwatch.local:8000/"
    assert told["availability_topic"] == "pipwatch/table/available"
    assert "'stopped'" not in told["availability_template"]  # whatever is not online is away
    parts = told["components"]
    assert set(parts) == {"turn", "score_1", "score_2", "ruling", "phase", "camera", "box", "confirm"}
    ids = [one["unique_id"] for key, one in parts.items() if key != "confirm"]
    assert len(set(ids)) == len(ids) == 7
    assert all(one["value_template"].startswith("{{") for key, one in parts.items() if key != "confirm")
    assert set(parts["phase"]["options"]) == {"no match", *map(str, Phase)}


def test_the_house_has_a_button_only_where_its_owner_allows_it() -> None:
    """Else the component has nothing but its platform, by which Home Assistant takes an old one away."""
    assert json.loads(discovery(TOPICS, "1").text)["components"]["confirm"] == {"platform": "button"}
    button = json.loads(discovery(TOPICS, "1", commands=True).text)["components"]["confirm"]
    assert (button["command_topic"], button["payload_press"]) == ("pipwatch/table/do", "confirm")
    assert button["unique_id"] == "pipwatch_table_confirm"


def test_the_settings_name_a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them none is named; what is wrong in them is a sentence."""
    assert Settings().mqtt.host == ""
    read = toml.parse('[mqtt]\nhost = "house"\ncommands = true\nname = "den"', Settings, "config.toml").mqtt
    assert (read.box, read.place, read.commands) == ("den", "house:1883", True)
    monkeypatch.setattr("device.home.broker.socket.gethostname", lambda: "ann's pi.local")
    assert Broker("house").box == "ann-s-pi-local"
    for line, said in (
        ("port = 0", "port should be"), ('name = "a/b"', "name should be"), ('discovery = "#"', "discovery"),
    ):  # fmt: skip
        with pytest.raises(BadProfileFile, match=said):
            toml.parse(f"[mqtt]\n{line}", Settings, "config.toml")
