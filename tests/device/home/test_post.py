"""The house at a real Mosquitto: it is told, also when the box is gone, and nothing holds the game up."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli import main, serve
from device.home import post as posting
from device.home.broker import Broker
from device.home.letters import Facts
from device.home.post import HomePost, HomeSeat, home_post
from device.match.signals import Kind
from device.service.address import Invitation
from tests.device.home.household import MOSQUITTO, Listener, Mosquitto, Papers, Table, free_port, soon
from tests.device.match.match_bench import LEGAL, game, ruled

AVAILABLE, STATE, EVENT, DO = (f"pipwatch/table/{name}" for name in ("available", "state", "event", "do"))
CONFIG = "homeassistant/device/pipwatch_table/config"
needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not here: apt install mosquitto")


class Home:
    """A broker, a house that listens, and a box at a table."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.broker = Mosquitto(folder, self.port).start()
        self.house = Listener(self.port)
        self.table, self.words = Table(), list[str]()
        self.url = "http://box/"
        self.posts: list[HomePost] = []

    def box(self, *, health: Facts | None = None, **more: Any) -> HomePost:
        """The box, looking at its table."""
        broker = Broker("127.0.0.1", self.port, name="table", **more)
        post = HomePost(broker, url=lambda: self.url, health=lambda: health, say=self.words.append)
        self.posts.append(post)
        self.table.show()
        post.start(self.table.desk)
        soon(lambda: "online" in self.house.texts(AVAILABLE) and self.house.texts(STATE))
        return post

    def state(self) -> dict[str, Any]:
        """The last state that was heard."""
        told: dict[str, Any] = json.loads(self.house.texts(STATE)[-1])
        return told

    def play(self, line: str) -> None:
        """A move is seen, and counts."""
        bench = self.table.bench
        bench.see(ruled(bench.match.game or game(), line)).wait(2)
        self.table.show()

    def close(self) -> None:
        """Everybody goes."""
        for post in self.posts:
            post.close(2.0)
        self.house.close()
        self.broker.stop()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A home, and nothing left of it afterwards."""
    monkeypatch.setattr(posting, "LONGEST_WAIT_S", 1)
    made = Home(tmp_path)
    try:
        yield made
    finally:
        made.close()


@needs_mosquitto
def test_a_house_is_told_of_the_box_of_its_match_and_of_each_move(home: Home) -> None:
    """Discovery and state are kept for whoever comes later; an event is not; a clean end says stopped."""
    box = home.box(health={"status": "ok", "camera": {"state": "ok", "fps": 10.0}})
    assert json.loads(home.house.texts(CONFIG)[0])["device"]["configuration_url"] == "http://box/"
    assert soon(lambda: home.state()["box"]["status"] == "ok")
    home.play(LEGAL[0])
    event = json.loads(soon(lambda: home.house.texts(EVENT))[0])
    assert (event["seq"], event["text"], event["ruling"]["verdict"]) == (1, LEGAL[0], "legal")
    soon(lambda: home.state()["turn"] == "Bo")
    later = Listener(home.port)
    soon(lambda: later.texts(STATE))
    kept = {topic: text for topic, text, is_kept in later.heard if is_kept}
    later.close()
    assert set(kept) == {AVAILABLE, STATE, CONFIG}
    assert json.loads(kept[STATE])["ruling"]["move"] == LEGAL[0]
    box.close(2.0)
    soon(lambda: home.house.texts(AVAILABLE) == ["online", "stopped"])
    assert home.words == []


@needs_mosquitto
def test_a_box_that_is_killed_is_told_to_be_offline_by_the_broker(home: Home) -> None:
    """Nothing in it can say so any more: kill -9."""
    child = subprocess.Popen([sys.executable, "-m", "tests.device.home.household", str(home.port)])
    try:
        soon(lambda: home.house.texts(AVAILABLE) == ["online"])
        assert soon(lambda: home.house.texts(STATE))
    finally:
        child.kill()
        child.wait(10)
    soon(lambda: home.house.texts(AVAILABLE) == ["online", "offline"])


@needs_mosquitto
def test_a_broker_that_starts_anew_is_told_all_and_misses_no_event(home: Home) -> None:
    """The game went on meanwhile; the box comes back by itself, says so once, and nobody has waited."""
    box = home.box()
    home.house.close()
    home.broker.stop()
    soon(lambda: home.words)
    for line in LEGAL[:2]:
        home.play(line)
    soon(lambda: box._known.seq == 2)
    with box._lock:  # it speaks only when the house listens again
        home.broker.start()
        home.house = Listener(home.port)
    soon(lambda: len(home.house.texts(EVENT)) >= 2)
    events = home.house.texts(EVENT)
    assert [json.loads(text)["text"] for text in events] == list(LEGAL[:2])
    assert [json.loads(text)["seq"] for text in events] == [1, 2]
    assert soon(lambda: home.house.texts(CONFIG))
    soon(lambda: home.house.texts(STATE) and home.state()["ruling"]["move"] == LEGAL[1])
    assert home.house.texts(AVAILABLE)[-1] == "online"
    soon(lambda: "is there again" in home.words[-1])
    assert "went away" in home.words[0]
    assert len(home.words) <= 3  # that it cannot be reached is said once, however often it is tried


@needs_mosquitto
def test_home_assistant_that_starts_anew_is_told_once_more(home: Home) -> None:
    """It says that it is online; it does not rely on what the broker has kept."""
    home.box()
    told = len(home.house.texts(CONFIG)), len(home.house.texts(STATE))
    home.house.say("homeassistant/status", "offline")
    home.house.say("homeassistant/status", "online")
    soon(lambda: (len(home.house.texts(CONFIG)), len(home.house.texts(STATE))) > told)
    assert len(home.house.texts(CONFIG)) == told[0] + 1


@needs_mosquitto
def test_the_link_to_the_page_is_told_once_it_is_known_and_again_when_it_changes(home: Home) -> None:
    """A box finds its address after its start; one that has lost its network keeps the link it had."""
    home.url = ""
    home.box()

    def links() -> list[str | None]:
        told = [json.loads(text)["device"] for text in home.house.texts(CONFIG)]
        return [one.get("configuration_url") for one in told]

    soon(lambda: links() == [None])
    home.url = "http://pipwatch.local:8000/"
    soon(lambda: links() == [None, "http://pipwatch.local:8000/"])
    home.url = ""
    home.play(LEGAL[0])
    soon(lambda: home.house.texts(EVENT))
    home.url = "http://192.168.1.4:8000/"
    soon(lambda: len(links()) == 3)
    assert links()[1:] == ["http://pipwatch.local:8000/", "http://192.168.1.4:8000/"]


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
def test_a_box_links_to_its_page_as_it_is_announced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Phones are told the same; a page that this machine alone may open is no link for a house."""
    told: dict[str, Any] = {}

    class Halted:
        """A box that ends before it begins."""

        outside: Any = None

        def __init__(self, *_: object, **__: object) -> None:
            told["box"] = self

        def run(self) -> int:
            return 0

    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setattr("device.service.host.Host", Halted)
    monkeypatch.setattr("device.home.post.home_post", lambda _broker, **more: told.update(more))
    monkeypatch.setattr(serve, "ended", lambda status: status)
    (tmp_path / "config.toml").write_text("")
    assert main(["serve", "--config", str(tmp_path / "config.toml"), "--host", host]) == 0
    pairing, url = told["box"].outside.pairing, told["url"]
    assert url() == ""
    pairing.invitation = Invitation(8000, here_only=True)
    assert url() == ""
    pairing.invitation = Invitation(8000, "pipwatch.local", ("192.168.1.4",))
    assert url() == "http://pipwatch.local:8000/"
    pairing.invitation = Invitation(8000, "", ("192.168.1.5",))
    assert url() == "http://192.168.1.5:8000/"


@needs_mosquitto
@pytest.mark.parametrize("allowed", [True, False])
def test_the_house_confirms_only_where_that_is_allowed(home: Home, allowed: bool) -> None:
    """Nor does a press count that was kept from earlier, or that is none."""
    home.house.say(DO, "confirm", retain=True)
    home.box(commands=allowed)
    for text in ("put back", "confirm" + "!" * 100, "confirm"):
        home.house.say(DO, text)
    home.house.say("homeassistant/status", "online")  # what was said before this has been heard after it
    soon(lambda: len(home.house.texts(CONFIG)) >= 2)
    assert home.table.pressed() == ([str(Kind.CONFIRM)] if allowed else [])


@needs_mosquitto
def test_a_second_match_follows_the_first_and_between_them_there_is_none(home: Home) -> None:
    """The box stays at the broker: the end of a match is not the box's end."""
    box = home.box()
    home.play(LEGAL[0])
    soon(lambda: home.house.texts(EVENT))
    first = home.table
    first.views.close()
    HomeSeat(box).close(1.0)
    soon(lambda: home.state()["phase"] == "no match")
    home.table = Table()
    home.table.show()
    HomeSeat(box).start(home.table.desk)
    soon(lambda: home.state()["phase"] == "watching")
    home.play(LEGAL[0])
    events = soon(lambda: home.house.texts(EVENT)[1:])
    assert [json.loads(text)["seq"] for text in events] == [2]
    assert home.house.texts(AVAILABLE) == ["online"]


@needs_mosquitto
@pytest.mark.parametrize(("password", "let_in"), [("right", True), ("wrong", False)])
def test_a_wrong_password_is_one_sentence_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, password: str, let_in: bool
) -> None:
    """It is tried again, for the password may be put right at the broker; it is not said again."""
    monkeypatch.setattr(posting, "LONGEST_WAIT_S", 1)
    port, words, table = free_port(), list[str](), Table()
    broker = Mosquitto(tmp_path, port, "right").start()
    house = Listener(port, "right")
    post = HomePost(
        Broker("127.0.0.1", port, name="table", user="pipwatch", password=password), say=words.append
    )
    try:
        table.show()
        post.start(table.desk)
        if let_in:
            soon(lambda: house.texts(STATE))
            assert words == []
        else:
            soon(lambda: words)
            time.sleep(1.5)  # it was tried again by then
            assert len(words) == 1
            assert "does not let Pipwatch in (not authorized)" in words[0]
            assert "user and password under [mqtt]" in words[0]
            assert post.trouble == words[0]
            assert house.heard == []
    finally:
        post.close(2.0)
        house.close()
        broker.stop()


@needs_mosquitto
def test_a_broker_with_a_certificate_of_its_own_is_spoken_to_in_secret(tmp_path: Path) -> None:
    """With user and password, which lies in a file; the house hears the same as without encryption."""
    port, words, table = free_port(), list[str](), Table()
    papers, password = Papers.made(tmp_path, "127.0.0.1"), tmp_path / "mqtt-password"
    password.write_text("right\n")
    broker = Mosquitto(tmp_path, port, "right", papers).start()
    house = Listener(port, "right", papers)
    named = Broker("127.0.0.1", port, "pipwatch", password_file=str(password), name="table", tls=True,
                   ca_file=str(papers.certificate))  # fmt: skip
    post = home_post(named, say=words.append)
    assert post is not None
    try:
        table.show()
        post.start(table.desk)
        soon(lambda: house.texts(STATE))
        assert house.texts(AVAILABLE) == ["online"]
        assert words == []
    finally:
        post.close(2.0)
        house.close()
        broker.stop()


@needs_mosquitto
@pytest.mark.parametrize(
    ("served", "trusted", "told"),
    [
        ("127.0.0.1", "", "cannot prove who it is (self-signed certificate): look at host and ca_file"),
        ("127.0.0.2", "127.0.0.2", "cannot prove who it is (IP address mismatch"),
        ("", "127.0.0.1", "does not speak TLS: look at port and tls"),
    ],
)
def test_a_broker_that_does_not_prove_who_it_is_hears_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: str, trusted: str, told: str
) -> None:
    """A certificate that nobody vouches for, one of another host, and none at all: one sentence each."""
    monkeypatch.setattr(posting, "LONGEST_WAIT_S", 1)
    papers = {name: Papers.made(tmp_path, name) for name in {served, trusted} - {""}}
    port, words, table = free_port(), list[str](), Table()
    broker = Mosquitto(tmp_path, port, "", papers.get(served)).start()
    authority = str(papers[trusted].certificate) if trusted else ""
    post = HomePost(Broker("127.0.0.1", port, name="table", tls=True, ca_file=authority), say=words.append)
    try:
        table.show()
        post.start(table.desk)
        soon(lambda: words)
        time.sleep(1.5)  # it was tried again by then
        assert len(words) == 1
        assert told in words[0]
        assert post.trouble == words[0]
    finally:
        post.close(2.0)
        broker.stop()


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"password_file": "away"}, "password_file away under [mqtt] cannot be read (no such file"),
        ({"tls": True, "ca_file": "away"}, "ca_file away under [mqtt] cannot be used (no such file"),
        ({"tls": True, "ca_file": __file__}, "(it holds no certificate)"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_sentence_and_the_game_goes_on(
    named: dict[str, Any], told: str
) -> None:
    """The house is told nothing then, rather than in the open."""
    words: list[str] = []
    assert home_post(Broker("127.0.0.1", user="pipwatch", **named), say=words.append) is None
    assert len(words) == 1
    assert told in words[0]


def test_the_port_follows_the_encryption_and_settings_that_contradict_each_other_are_refused() -> None:
    """1883 and 8883 are the usual ones; a CA without TLS would look safe and be open."""
    assert (Broker("house").place, Broker("house", tls=True).place) == ("house:1883", "house:8883")
    assert Broker("house", 2000, tls=True).door == 2000
    for wrong in ({"ca_file": "ca.pem"}, {"password": "a", "password_file": "b"}, {"port": 0}):
        with pytest.raises(ValueError, match=r"tls = true|leave one out|port should"):
            Broker("house", **wrong)


def test_where_no_broker_is_the_game_goes_on_and_the_end_comes_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Showing a view takes no longer than without a house; the newest events are kept, the oldest dropped."""
    monkeypatch.setattr(posting, "MOST_WAITING", 2)
    words, table = list[str](), Table()
    post = HomePost(Broker("127.0.0.1", free_port(), name="table"), say=words.append)
    table.show()
    post.start(table.desk)
    soon(lambda: words)
    assert "cannot be reached: look at host and port under [mqtt]" in words[0]
    for line in LEGAL:
        before = time.monotonic()
        table.bench.see(ruled(table.bench.match.game or game(), line)).wait(2)
        table.show()
        assert time.monotonic() - before < 0.5
    entries = len((table.bench.match.game or game()).entries)
    soon(lambda: post._known.entry == entries)
    last = post._known.seq
    assert last > 2
    assert [json.loads(one.text)["seq"] for one in post._waiting] == [last - 1, last]
    before = time.monotonic()
    post.close(1.0)
    assert time.monotonic() - before < 2.0


def test_without_a_host_nothing_is_loaded_and_without_the_library_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An old paho-mqtt, as Debian 12 has it, is as good as none."""
    assert home_post(Broker()) is None
    monkeypatch.setitem(sys.modules, "paho.mqtt.enums", None)
    words: list[str] = []
    assert home_post(Broker("house"), say=words.append) is None
    assert "pip install 'pipwatch[mqtt]'" in words[0]
    assert words[0].count(".") == 1


def test_whoever_has_no_broker_does_not_load_the_library() -> None:
    """It costs a small machine time and memory."""
    code = "import sys, device.home.post, device.settings; sys.exit('paho' in str(sorted(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
