"""The suite's own guards hold."""

import socket

import pytest

from tests.conftest import NetworkUsed, is_local


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("0.0.0.0", True),
        ("localhost", True),
        ("127.evil.example", False),
        ("192.0.2.1", False),
    ],
)
def test_only_this_machine_is_local(host: str, local: bool) -> None:
    """Loopback addresses are this machine, and names that merely look like them are not."""
    assert is_local(host) is local


def test_a_test_cannot_leave_the_machine() -> None:
    """Looking up or connecting to another host fails the test that tries, whatever the network."""
    with pytest.raises(NetworkUsed):
        socket.create_connection(("example.invalid", 80), timeout=1)
    with socket.socket() as plain, pytest.raises(NetworkUsed):
        plain.connect(("192.0.2.1", 80))
    with socket.socket() as plain, pytest.raises(NetworkUsed):
        plain.connect_ex(("192.0.2.1", 80))
