"""Whatever a request brings, each route that acts answers it: never an error of the box's own."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.service import owner as owner_module
from device.service.owner import Owner
from tests.web.test_access import BOX, FILLED, PASSWORD, PHONE, Net
from web.access import ROUTES, Access
from web.guard import OWNER_COOKIE, TOKEN_HEADER
from web.lobby import OWN_PATHS

ACTING = [row.split(" ", 1)[1] for row in ROUTES if row.startswith("POST ")]
KEYS = (
    "kind", "words", "number", "key", "name", "game", "players", "profile", "confirm", "by", "camera",
    "pieces", "code", "secret", "password", "pin", "text", "changes", "corners", "maps", "spot", "piece",
    "fact", "value", "lens", "role",
)  # fmt: skip
"""Words that our own pages send, so that what is drawn comes further than to the first look."""
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=12)
    | st.sampled_from(KEYS)
)
BODIES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
NOT_NOW = (501, 503)
"""What the box cannot do just now is no error of it."""
ENTERING = ("/api/owner/enter", "/api/join", "/api/room")
"""Where whoever asks is told that what they enter is wrong."""


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Net:
    """One dashboard: what it was told before is no reason to break, either."""
    return Net(Path(tmp_path_factory.mktemp("any")))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that take no time: each request comes from an owner who has just entered."""
    monkeypatch.setitem(owner_module._COST, "n", 2)


def test_each_route_that_acts_is_asked() -> None:
    """So that no new one is forgotten."""
    assert len(ACTING) == 29


@pytest.mark.parametrize("path", ACTING)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.dictionaries(st.sampled_from(KEYS), BODIES, max_size=6) | BODIES, raw=st.binary(max_size=40))
def test_no_body_is_an_error_of_the_box(net: Net, path: str, body: Any, raw: bytes) -> None:
    """JSON of any form, bytes that are none, and a form that breaks off; from the owner, or on the box."""
    from_the_box = ROUTES[f"POST {path}"] not in (Access.OWN, Access.LET_GO)
    for name, value in FILLED.items():
        path = path.replace(name, value)
    whole = json.dumps(body).encode()
    for data in (whole, raw, whole[:-1]):
        for peer in (PHONE, BOX) if from_the_box else (PHONE,):
            status = sent(net, path, data, peer)
            assert status < 500 or status in NOT_NOW
            assert status != 401 or path in ENTERING


def sent(net: Net, path: str, data: bytes, peer: str) -> int:
    """The answer to bytes that call themselves JSON, from the owner's phone or on the machine itself."""
    net.pairing.owner = Owner()
    net.pairing.owner.set_password(PASSWORD)
    head = {"Content-Type": "application/json", TOKEN_HEADER: net.door.token}
    head["Host"] = "192.168.1.4:8000" if peer == PHONE else "localhost:8000"
    head["Origin"] = f"http://{head['Host']}"
    if peer == PHONE:
        head["Cookie"] = f"{OWNER_COOKIE}={net.pairing.owner.enter(PHONE, PASSWORD)[2]}"
    app = net.lobby if path.startswith(OWN_PATHS) else net.app
    client = app.test_client(use_cookies=False)
    with client.post(path, data=data, headers=head, environ_overrides={"REMOTE_ADDR": peer}) as answer:
        return answer.status_code
