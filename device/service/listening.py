"""Where the page listens: for the whole network by IPv4 and, where the system has it, by IPv6, too."""

import errno
import socket
from collections.abc import Callable
from typing import Final

EVERYWHERE: Final = "0.0.0.0"
"""What the settings call the whole network; a network of IPv6 alone is one, too."""
_WITHOUT_IPV6: Final = frozenset({errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT, errno.EADDRNOTAVAIL})
_TRIES: Final = 8
"""A port that was given by chance may be another program's by IPv6."""


def listening(
    host: str, port: int, made: Callable[..., socket.socket] = socket.create_server, tries: int = _TRIES
) -> list[socket.socket]:
    """Sockets at which connections come, that of IPv4 first; raises OSError where the port is taken."""
    if host != EVERYWHERE:
        return [made((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)]
    first = made((EVERYWHERE, port), family=socket.AF_INET)
    try:
        return [first, made(("::", first.getsockname()[1]), family=socket.AF_INET6)]
    except OSError as wrong:
        if wrong.errno in _WITHOUT_IPV6:
            return [first]
        first.close()
        if port or tries <= 1:
            raise
    return listening(host, port, made, tries - 1)
