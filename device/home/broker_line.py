"""The line to the broker: the library's client, with password and encryption as the settings want them."""

import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from device.home.broker import Broker

if TYPE_CHECKING:
    from paho.mqtt.client import Client

Refused = Callable[[str], None]
"""Hears why no encrypted connection came about, as the end of a sentence about the broker."""


class Unusable(Exception):
    """A file that the settings name cannot be used; the words are a sentence."""


def client_for(broker: Broker, refused: Refused) -> "Client":
    """The library's client; loaded only here, for whoever has a broker. Raises ImportError or Unusable."""
    from paho.mqtt.client import Client, MQTTv311
    from paho.mqtt.enums import CallbackAPIVersion  # version 1 has none

    client = Client(CallbackAPIVersion.VERSION2, f"pipwatch-{broker.box}", protocol=MQTTv311)
    if broker.user:
        client.username_pw_set(broker.user, _secret(broker) or None)
    if broker.tls:
        client.tls_set_context(_encryption(broker, refused))
    return client


def _secret(broker: Broker) -> str:
    try:
        return broker.secret()
    except (OSError, UnicodeError) as wrong:
        why = getattr(wrong, "strerror", None) or "it is no text"
        raise Unusable(
            f"password_file {broker.password_file} under [mqtt] cannot be read ({why.lower()}): "
            "let the user that Pipwatch runs as read it."
        ) from None


def _encryption(broker: Broker, refused: Refused) -> ssl.SSLContext:
    """TLS 1.2 or newer with a broker that proves its name; it tells why none came about."""
    try:
        context = ssl.create_default_context(cafile=broker.ca_file or None)
    except (OSError, ssl.SSLError) as wrong:
        why = "it holds no certificate" if isinstance(wrong, ssl.SSLError) else str(wrong.strerror).lower()
        raise Unusable(
            f"ca_file {broker.ca_file} under [mqtt] cannot be used ({why}): "
            "it should be the PEM file of whoever signed the broker's certificate."
        ) from None

    class BrokerLine(ssl.SSLSocket):
        """A connection that tells how its beginning failed."""

        def do_handshake(self, *words: Any, **named: Any) -> None:
            """Agree with the broker on keys."""
            try:
                super().do_handshake(*words, **named)
            except OSError as wrong:
                self.close()  # the library leaves it open
                if not isinstance(wrong, TimeoutError):
                    refused(_why(wrong))
                raise

    context.sslsocket_class = BrokerLine
    return context


def _why(wrong: OSError) -> str:
    if isinstance(wrong, ssl.SSLCertVerificationError):
        about = wrong.verify_message.rstrip(".")
        return f"cannot prove who it is ({about}): look at host and ca_file under [mqtt]"
    return "does not speak TLS: look at port and tls under [mqtt]"
