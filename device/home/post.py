"""Sends what the house is told, and lets it confirm where the owner allows that.

A screen of the match like any other: it looks at the newest view in a thread of its own, so the referee never
waits for it. Where the broker is away the newest state is kept and the newest events are, the oldest being
dropped; the library connects again by itself, waiting longer each time.
"""

import secrets
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

from device.home.broker import Broker, Topics
from device.home.broker_line import Unusable, client_for
from device.home.letters import (
    CONFIRM,
    OFFLINE,
    ONLINE,
    STOPPED,
    Facts,
    KnownAtHome,
    Letter,
    discovery,
    presence,
    state_letter,
    tell,
)
from device.live.desk import Desk
from device.match.signals import Kind, Told

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.reasoncodes import ReasonCode

KEEPALIVE_S: Final = 30
"""A box that loses its network counts as offline after one and a half times this (MQTT 3.1.1, 3.1.2.10)."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1, 60
"""How long is waited before the broker is tried again, doubling from one to the other."""
CONNECT_S: Final = 3.0
MOST_WAITING: Final = 200
"""So many events are kept for a broker that is away: about a whole game's."""
_HEALTH_S: Final = 15.0
"""How often the box's health is looked at for the house."""
_LOOK_S: Final = 0.5
_FAREWELL_S: Final = 0.5
_MOST_LETTERS: Final = 64
_LACKING: Final = (
    "[mqtt] names a host, but paho-mqtt 2 or newer is not installed (pip install 'pipwatch[mqtt]'): "
    "the house is told nothing, and the game goes on."
)
Say = Callable[[str], None]


class HomePost:
    """One box at one broker. ``start`` follows a match; another match may follow; ``close`` says good-bye."""

    def __init__(
        self, broker: Broker, *, url: Callable[[], str] = str,
        health: Callable[[], Facts | None] = lambda: None, say: "Say | None" = None,
    ) -> None:  # fmt: skip
        """``url`` is where the box's own page is just now, or nothing while nobody knows; raises ImportError
        without a fitting paho-mqtt, and Unusable where a file that the settings name cannot be used."""
        self._client: Client = client_for(broker, self._refused)
        self._broker, self._url, self._health = broker, url, health
        self._say = say or _on_stderr
        self._topics = Topics(broker.box, broker.discovery)
        self._known = KnownAtHome(secrets.token_hex(4))
        self._lock = threading.Lock()
        """Held for all that is told, so that letters go out in order."""
        self._linked = ""
        """Where the house was told that the page is."""
        self._there = self._opened = False
        self._waiting: deque[Letter] = deque(maxlen=MOST_WAITING)
        self._trouble = self._unsafe = ""
        self._desk: Desk | None = None
        self._news, self._ending = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="home", daemon=True)

    @property
    def trouble(self) -> str:
        """Why the house cannot be told anything just now, in a sentence, or nothing."""
        return self._trouble

    def open(self) -> None:
        """Begin to connect; nobody waits for it."""
        if self._opened:
            return
        self._opened = True
        client = self._client
        client.will_set(self._topics.available, OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)
        client.connect_timeout = CONNECT_S
        client.max_queued_messages_set(MOST_WAITING)
        client.on_connect, client.on_disconnect = self._arrived, self._gone
        client.on_connect_fail, client.on_message = self._missed, self._heard
        client.connect_async(self._broker.host, self._broker.door, KEEPALIVE_S)
        client.loop_start()
        self._thread.start()

    def start(self, desk: Desk) -> None:
        """Follow a match."""
        self._desk = desk
        self._news.set()
        self.open()

    def close(self, timeout_s: float) -> None:
        """Say that the box was stopped, and go; never waits much longer than it may."""
        until = time.monotonic() + timeout_s
        self._ending.set()
        self._news.set()
        if not self._opened:
            return
        self._thread.join(timeout_s)
        if self._there:
            said = self._publish(presence(self._topics, STOPPED))
            with suppress(ValueError, RuntimeError):
                said.wait_for_publish(min(_FAREWELL_S, max(0.1, until - time.monotonic())))
        self._client.disconnect()
        ends = threading.Thread(target=self._client.loop_stop, name="home's end", daemon=True)
        ends.start()  # it waits for a connection that is just being tried
        ends.join(max(0.1, until - time.monotonic()))

    # — the thread that looks —

    def _run(self) -> None:
        number, due, health = 0, 0.0, None
        following: Desk | None = None
        view: Any = None
        while not self._ending.is_set():
            if following is not self._desk:
                following, number, view = self._desk, 0, None
            if following is None:
                self._news.wait(_LOOK_S)
                self._news.clear()
            else:
                number, newer = following.views.get(number, _LOOK_S)
                view = view if newer is None else newer
                if newer is None and following.views.closed:
                    view = None
                    self._desk = None if self._desk is following else self._desk
            if time.monotonic() >= due:
                due, health = time.monotonic() + _HEALTH_S, self._looked_at()
            self._tell(view, health)

    def _looked_at(self) -> Facts | None:
        try:
            return self._health()
        except Exception as wrong:  # the house goes without it; whoever gives it has it looked into
            self._say(f"The box's health could not be told to the house: {wrong}")
            return None

    def _tell(self, view: Any, health: Facts | None) -> None:
        with self._lock:
            self._known, letters = tell(self._known, self._topics, view, health)
            for letter in letters:
                if self._there:
                    self._publish(letter)
                elif letter.owed:
                    self._waiting.append(letter)
            if self._there and self._moved():
                self._publish(self._card())

    def _publish(self, letter: Letter) -> Any:
        # What is told anew after a break must not come once more, late: only what is owed is repeated.
        return self._client.publish(letter.topic, letter.text, qos=int(letter.owed), retain=letter.retained)

    def _introduce(self) -> None:
        """All that a broker or a house which has just started needs to know."""
        self._moved()
        state = state_letter(self._known, self._topics)
        for letter in (self._card(), presence(self._topics, ONLINE), *([state] if state else [])):
            self._publish(letter)

    def _moved(self) -> bool:
        """Whether the page has another address than the house knows; without a network it keeps the last."""
        before, self._linked = self._linked, self._url() or self._linked
        return self._linked != before

    def _card(self) -> Letter:
        """What the box is, and where its page is."""
        version = metadata.version("pipwatch")
        return discovery(self._topics, version, url=self._linked, commands=self._broker.commands)

    # — what the library calls, in a thread of its own —

    def _arrived(
        self, client: "Client", _: Any, _flags: "ConnectFlags", reason: "ReasonCode", _more: Any
    ) -> None:
        if reason.is_failure:
            self._complain(
                f"The MQTT broker at {self._broker.place} does not let Pipwatch in ({str(reason).lower()}): "
                "look at user and password under [mqtt]. The game goes on."
            )
            return
        client.subscribe(self._topics.house)
        if self._broker.commands:
            client.subscribe(self._topics.do)
        with self._lock:
            self._there = True
            self._introduce()
            while self._waiting:
                self._publish(self._waiting.popleft())
        if self._trouble:
            self._trouble = ""
            self._say(f"The MQTT broker at {self._broker.place} is there again.")

    def _gone(
        self, _client: "Client", _: Any, _flags: "DisconnectFlags", reason: "ReasonCode", _more: Any
    ) -> None:
        with self._lock:
            was_there, self._there = self._there, False
        if was_there and not self._ending.is_set():
            self._complain(
                f"The MQTT broker at {self._broker.place} went away ({str(reason).lower()}). "
                "It is tried again, and the game goes on."
            )

    def _refused(self, why: str) -> None:
        """No encrypted connection came about; the library itself only says that there is none."""
        self._unsafe = why

    def _missed(self, _client: "Client", _: Any) -> None:
        why, self._unsafe = self._unsafe, ""
        why = why or "cannot be reached: look at host and port under [mqtt]"
        self._complain(
            f"The MQTT broker at {self._broker.place} {why}. It is tried again, and the game goes on."
        )

    def _heard(self, _client: "Client", _: Any, message: "MQTTMessage") -> None:
        said = message.payload[:_MOST_LETTERS].decode("utf-8", "replace").strip()
        if message.topic == self._topics.house and said == ONLINE:
            with self._lock:
                self._introduce()
        # What was kept for later, or came twice, is nobody's press now.
        fresh = not (message.retain or message.dup)
        if message.topic == self._topics.do and said == CONFIRM and fresh and self._broker.commands:
            desk = self._desk
            if desk is not None:
                desk.press(Told(Kind.CONFIRM))

    def _complain(self, words: str) -> None:
        """Say what is wrong, once as long as it stays the same."""
        if words != self._trouble and not self._ending.is_set():
            self._trouble = words
            self._say(words)


class HomeSeat:
    """The post as a screen of one match among several: when the match ends the box is still there."""

    def __init__(self, post: HomePost) -> None:
        self._post = post

    def start(self, desk: Desk) -> None:
        """Follow the match."""
        self._post.start(desk)

    def close(self, timeout_s: float) -> None:
        """Nothing is to be done: the end of the match is seen by the post."""


def home_post(
    broker: Broker, *, url: Callable[[], str] = str, health: Callable[[], Facts | None] = lambda: None,
    say: "Say | None" = None,
) -> HomePost | None:  # fmt: skip
    """The post, if the settings name a broker; None where they do not, or where its library is not here."""
    if not broker.host:
        return None
    try:
        return HomePost(broker, url=url, health=health, say=say)
    except ImportError:
        (say or _on_stderr)(_LACKING)
    except Unusable as wrong:
        (say or _on_stderr)(f"{wrong} The house is told nothing, and the game goes on.")
    return None


def _on_stderr(words: str) -> None:
    print(f"pipwatch: {words}", file=sys.stderr, flush=True)
