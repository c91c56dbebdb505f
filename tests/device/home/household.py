"""A real Mosquitto for the tests, somebody who listens to it, and a box that can be killed.

Run as a program it is a box at the table that waits to be killed:

    python -m tests.device.home.household PORT
"""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from device.home.broker import Broker
from device.home.post import HomePost
from device.live.desk import Desk
from device.live.messages import Heard, Message
from device.live.thread_channels import Latest
from device.match.match_view import View, view
from tests.device.match.match_bench import FACTS, Bench

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
PATIENCE_S = 15.0
"""What is waited for takes milliseconds; a machine that is busy with other things may take longer."""


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def soon(true: Callable[[], Any]) -> Any:
    """What becomes true within moments."""
    until = time.monotonic() + PATIENCE_S
    while not (found := true()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
    return found


class Mosquitto:
    """A broker at a port of its own, which keeps nothing when it is stopped."""

    def __init__(self, folder: Path, port: int, password: str = "", papers: "Papers | None" = None) -> None:
        assert MOSQUITTO is not None  # the tests are skipped without it
        self.port, self._config = port, folder / "mosquitto.conf"
        self._child: subprocess.Popen[bytes] | None = None
        lines = [f"listener {port} 127.0.0.1", "persistence false", "log_dest none"]
        if papers is not None:
            lines += [f"certfile {papers.certificate}", f"keyfile {papers.key}"]
        if os.geteuid() == 0:
            lines.append("user root")  # else it could not read its files here
        if password:
            tool = Path(MOSQUITTO).with_name("mosquitto_passwd")
            tool = tool if tool.exists() else Path("/usr/bin/mosquitto_passwd")
            subprocess.run([tool, "-c", "-b", folder / "passwords", "pipwatch", password], check=True)
            lines += ["allow_anonymous false", f"password_file {folder / 'passwords'}"]
        else:
            lines.append("allow_anonymous true")
        self._config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self) -> "Mosquitto":
        """Let it listen."""
        self._child = subprocess.Popen([str(MOSQUITTO), "-c", str(self._config)])
        soon(self._answers)
        return self

    def stop(self) -> None:
        """End it as a machine that is switched off does."""
        if self._child is not None:
            self._child.kill()
            self._child.wait(PATIENCE_S)
            self._child = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1.0):
                return True
        except OSError:
            return False


@dataclass(frozen=True)
class Papers:
    """A certificate of a broker's own with its key, signed by itself, as an owner would make it."""

    certificate: Path
    key: Path

    @staticmethod
    def made(folder: Path, name: str) -> "Papers":
        """Made with openssl; ``name`` is an address."""
        papers = Papers(folder / f"{name}.pem", folder / f"{name}.key")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{name}",
             "-keyout", papers.key, "-out", papers.certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        return papers


class Listener:
    """A house: it hears all that is said, and can say something itself."""

    def __init__(self, port: int, password: str = "", papers: Papers | None = None) -> None:
        self.heard: list[tuple[str, str, bool]] = []
        """Topic, text, and whether it was kept for us."""
        self._ready = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        if password:
            self.client.username_pw_set("pipwatch", password)
        if papers is not None:
            self.client.tls_set(str(papers.certificate))
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_subscribe = lambda *_: self._ready.set()
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self._ready.wait(PATIENCE_S)

    def texts(self, topic: str) -> list[str]:
        """What was said so far in a topic."""
        return [text for where, text, _ in self.heard if where == topic]

    def say(self, topic: str, text: str, *, retain: bool = False) -> None:
        """Say something, and wait until the broker has it."""
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(PATIENCE_S)

    def close(self) -> None:
        """Go."""
        self.client.disconnect()
        self.client.loop_stop()

    def _hear(self, _client: Client, _: Any, message: MQTTMessage) -> None:
        self.heard.append((message.topic, message.payload.decode(), bool(message.retain)))


@dataclass
class Table:
    """A match on the bench with its desk, as the box has it."""

    bench: Bench = field(default_factory=lambda: Bench(*FACTS))
    said: list[Message] = field(default_factory=list)
    views: Latest[View] = field(default_factory=Latest)

    @property
    def desk(self) -> Desk:
        """Where the house sits down."""
        return Desk(self.said.append, self.views, Latest(), Path("none"))

    def show(self) -> None:
        """Let everybody see the match as it is."""
        self.views.put(view(self.bench.match))

    def pressed(self) -> list[str]:
        """What was pressed at the desk."""
        return [str(one.signal.kind) for one in self.said if isinstance(one, Heard)]


def main() -> None:
    """A box that goes on until it is killed."""
    table = Table()
    table.show()
    HomePost(Broker("127.0.0.1", int(sys.argv[1]), name="table")).start(table.desk)
    threading.Event().wait()


if __name__ == "__main__":
    main()
