"""Whatever a request brings, each route that acts answers it: never an error of the box's own."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.test_access import BOX, FILLED, PASSWORD, PHONE, Net
from web.access import ROUTES
from web.guard import OWNER_COOKIE, TOKEN_HEADER

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
REFUSED = (501, 503)
"""What the box cannot do just now is no error of it."""


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Net:
    """One dashboard with an owner: what it was told before is no reason to break, either."""
    made = Net(Path(tmp_path_factory.mktemp("any")))
    made.pairing.owner.set_password(PASSWORD)
    return made


@pytest.fixture(scope="module")
def owner(net: Net) -> str:
    """The cookie of who is known as the owner."""
    return f"{OWNER_COOKIE}={net.pairing.owner.enter(PHONE, PASSWORD)[2]}"


@pytest.mark.parametrize("path", ACTING)
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.dictionaries(st.sampled_from(KEYS), BODIES, max_size=6) | BODIES, raw=st.binary(max_size=40))
def test_no_body_is_an_error_of_the_box(net: Net, owner: str, path: str, body: Any, raw: bytes) -> None:
    """JSON of any form, and bytes that are none, from the owner and from a program of the machine."""
    for name, value in FILLED.items():
        path = path.replace(name, value)
    assert is_answered(net.ask(path, body if body is not None else {}, peer=PHONE, Cookie=owner))
    assert is_answered(net.ask(path, body if body is not None else {}, peer=BOX))
    assert is_answered(sent(net, path, raw))
    assert is_answered(sent(net, path, json.dumps(body).encode()[:-1]))


def sent(net: Net, path: str, data: bytes) -> Any:
    """The answer to bytes that call themselves JSON."""
    net.ask("/api/door")
    kind = {"Content-Type": "application/json", "Host": "localhost:8000", TOKEN_HEADER: net.door.token}
    app = net.lobby if path.startswith(("/api/box", "/api/owner")) else net.app
    return app.test_client(use_cookies=False).post(
        path, data=data, headers=kind, environ_overrides={"REMOTE_ADDR": BOX}
    )


def is_answered(answer: Any) -> bool:
    """Whether this is an answer, and no error of ours."""
    with answer:
        return answer.status_code < 500 or answer.status_code in REFUSED
