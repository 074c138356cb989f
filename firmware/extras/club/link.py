"""The line to the club's broker, in a thread of its own: it comes and goes, and nobody waits for it.

The one file that knows paho; the program without the extra ``club`` never comes here.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware.core.io.files import write_whole
from firmware.extras.club.card import JoinCard
from firmware.extras.club.messages import ClubError
from firmware.table.loop.watched import RULES, Part

KEEPALIVE_S: Final = 15
MAX_IN_FLIGHT: Final = 200

OnMessage = Callable[[str, bytes, int], None]
"""Topic, payload, and what to ``ack`` once it is kept."""


class Link:
    """One machine's connection. ``up`` says whether it stands; what is called back comes from the line's own thread."""

    def __init__(
        self,
        card: JoinCard,
        *,
        will: tuple[str, str] | None = None,
        topics: tuple[str, ...] = (),
        on_message: OnMessage = lambda _topic, _payload, _number: None,
        on_change: Callable[[bool], None] = lambda _: None,
        on_sent: Callable[[int], None] = lambda _: None,
        own_acks: bool = False,
        name: str = "",
        passing: bool = False,
    ) -> None:
        """``will`` is a topic and what the broker keeps there when this machine is gone. ``own_acks``: what arrives is
        the broker's until ``ack``. ``name``: the client id, else the user's name, which a club's broker insists on.
        ``passing``: the broker keeps nothing for this machine while it is away.

        Raises ClubError where paho is missing or a certificate cannot be used.
        """
        try:
            from paho.mqtt import client as mqtt
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError as error:
            raise ClubError(
                "MQTT needs paho-mqtt, which is not installed: in the program's folder, CLUB=1 make setup."
            ) from error
        self.up = False
        self.refusal = ""
        self._topics, self._on_message, self._on_change, self._on_sent = topics, on_message, on_change, on_sent
        self._card = card
        self._client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=name or card.user or f"engarde-{card.club}-{card.table}",
            clean_session=passing,
            manual_ack=own_acks,
        )
        if card.user and card.password:
            self._client.username_pw_set(card.user, card.password)
        if card.ca:
            self._client.tls_set_context(_context(card))
        if will is not None:
            self._client.will_set(will[0], will[1], qos=1, retain=True)
        self._client.suppress_exceptions = True  # nothing that comes ends paho's thread
        self._client.max_inflight_messages_set(MAX_IN_FLIGHT)
        rule = RULES[Part.BROKER]
        self._client.reconnect_delay_set(round(rule.first_s), round(rule.longest_s))
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._gone
        self._client.on_message = self._arrived
        self._client.on_publish = lambda _client, _data, mid, *_: self._on_sent(mid)

    def start(self) -> None:
        """Begin to connect, and go on trying."""
        self._client.connect_async(self._card.host, self._card.port, KEEPALIVE_S)
        self._client.loop_start()

    def publish(self, topic: str, text: str, *, keep: bool = False) -> int | None:
        """Hand a message over for sending: its number, or None while the line is down."""
        if not self.up:
            return None
        return self._client.publish(topic, text, qos=1, retain=keep).mid

    def ack(self, number: int) -> None:
        """Tell the broker that the message of this number is kept, and may be forgotten there."""
        self._client.ack(number, 1)

    def close(self, last: tuple[str, str] | None = None) -> None:
        """Part properly, with a last word to be kept."""
        with suppress(ValueError, RuntimeError):
            if last is not None and self.up:
                self._client.publish(last[0], last[1], qos=1, retain=True).wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self.refusal = str(reason)
            return
        self.refusal = ""
        for topic in self._topics:
            client.subscribe(topic, qos=1)
        self.up = True
        self._on_change(True)

    def _gone(self, *_: Any) -> None:
        was, self.up = self.up, False
        if was:
            self._on_change(False)

    def _arrived(self, _client: Any, _data: Any, message: Any) -> None:
        self._on_message(message.topic, message.payload, message.mid)


def _context(card: JoinCard) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cadata=card.ca)
        if card.certificate:
            with TemporaryDirectory(prefix="engarde-") as folder:  # there is no way to hand them over but as a file
                chain = Path(folder) / "chain.pem"
                write_whole(chain, f"{card.certificate}{card.key}", private=True)
                context.load_cert_chain(chain)
    except (ssl.SSLError, OSError, ValueError) as error:
        raise ClubError(
            f"the card of {card.table}: its certificates cannot be used ({error}); ask for a new card."
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
