"""Ends of AMQP 1.0 over python-qpid-proton: receivers and senders of bytes, which our codec reads and writes.

proton's own decoder is not asked: a MessagingHandler would call it for each delivery, so the ends are plain handlers.
"""

import os
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any

from mqconvert.converters.clients import require
from mqconvert.converters.clients.ends import GOODBYE, NO_TLS, Address, DownError, Ends, Where, Window
from mqconvert.converters.clients.ends.loops import InFlight, Jobs, pause
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError
from mqconvert.converters.protocols.amqp10.codec import decode, encode
from mqconvert.converters.protocols.amqp10.message import Message

require("python-qpid-proton", "proton", (0, 39))

import proton  # noqa: E402 - after the check of its version
from proton.handlers import EndpointStateHandler, OutgoingMessageHandler  # noqa: E402
from proton.reactor import ApplicationEvent, AtLeastOnce, Container, EventInjector  # noqa: E402

HEARTBEAT = 20
"""Seconds without a byte after which a half-open connection is found."""
LINKS = 200
"""Senders at a time: RabbitMQ's handle-max is 255."""
RELEASES = 3
"""Times that a message is released before it is unroutable: RabbitMQ answers so for both."""
_OF_THE_MESSAGE = {
    "amqp:decode-error",
    "amqp:invalid-field",
    "amqp:link:message-size-exceeded",
    "amqp:not-allowed",
    "amqp:not-implemented",
    "amqp:precondition-failed",
}
"""Conditions of `rejected` that another try would not change; RabbitMQ rejects without one while a queue is full."""
_FINAL = {"amqp:unauthorized-access", "amqp:not-found"}

_FORCED = {"amqp:connection:forced", "amqp:link:detach-forced"}
"""Conditions of a broker that stops, whatever the messages are."""


class _End(proton.Handler):
    """A connection. Subclasses have `_connected`, which begins the work."""

    def __init__(self, where: Where) -> None:
        own: Any = OutgoingMessageHandler  # its constructor has no types
        me = weakref.proxy(self)
        self.handlers = [EndpointStateHandler(delegate=me), own(auto_settle=False, delegate=me)]
        self._where = where
        self._injector = EventInjector()
        self._jobs = Jobs(lambda: self._injector.trigger(ApplicationEvent("work")))
        self._down: DownError | None = None
        self._closing = False
        self._ready = False
        self._connection: Any = None
        self._patience: Any = None

    def run(self, window: Window) -> None:
        self._window = window
        container = Container(self)
        container.selectable(self._injector)
        try:
            container.run()
        except (OSError, proton.ProtonException) as error:
            self._down = self._down or DownError(str(error))
        finally:
            self._jobs.close()
            for end in self._injector.pipe:  # proton leaves them open
                os.close(end)
        if not self._closing:
            raise self._down or DownError("the broker closed the connection")

    def close(self) -> None:
        self._closing = True
        self._jobs.add(self._goodbye)

    def _lose(self, error: DownError) -> None:
        """End the connection, and the loop."""
        if self._down is None and not self._closing:
            self._down = error
            self._goodbye()

    def _goodbye(self) -> None:
        """Close the connection and end the loop: at once before the broker has answered, and soon if it answers no more."""
        if self._patience is None:
            self._jobs.close()
            self._connection.close()
            self._injector.close()
            self._patience = self._container.schedule(GOODBYE if self._ready else 0, _Timer(self._drop))

    def _drop(self) -> None:
        """End the loop, and close the socket, which proton leaves open until the broker closes it."""
        transport = self._connection.transport
        if transport is not None:
            transport.close_tail()
            transport.close_head()
        self._container.stop()

    def on_reactor_init(self, event: Any) -> None:
        self._container = event.container
        tls, user = self._where.tls, self._where.user
        domain = None
        if tls is not None:
            domain = proton.SSLDomain(proton.SSLDomain.MODE_CLIENT)
            domain.set_trusted_ca_db(tls.authorities)
            domain.set_peer_authentication(proton.SSLDomain.VERIFY_PEER_NAME)
            if tls.cert is not None:
                domain.set_credentials(tls.cert, tls.key or tls.cert, None)
        self._connection = event.container.connect(
            f"{'amqp' if tls is None else 'amqps'}://{self._host()}:{self._where.port}",
            reconnect=False,
            heartbeat=HEARTBEAT,
            ssl_domain=domain,
            user=user,
            password=self._where.password if user is not None else None,
            allowed_mechs="ANONYMOUS" if user is None else "PLAIN",
            allow_insecure_mechs=True,
        )

    def _host(self) -> str:
        return f"[{self._where.host}]" if ":" in self._where.host else self._where.host

    def on_work(self, _event: Any) -> None:
        if self._ready or self._closing:
            self._jobs.work()

    def on_connection_opened(self, _event: Any) -> None:
        self._connected()
        self._ready = True
        self._jobs.work()

    def _connected(self) -> None:
        raise NotImplementedError

    def on_transport_closed(self, _event: Any) -> None:
        if self._patience is not None:
            self._patience.cancel()

    def on_transport_error(self, event: Any) -> None:
        self._lose(_down_by(event.transport.condition, "the connection failed", by_peer=False))

    def on_disconnected(self, event: Any) -> None:
        condition = None if event.transport is None else event.transport.condition
        self._lose(_down_by(condition, "the connection was lost", by_peer=False))

    def on_connection_error(self, event: Any) -> None:
        self._lose(_down_by(event.connection.remote_condition, "the broker closed the connection"))

    def on_connection_closed(self, _event: Any) -> None:
        self._lose(DownError("the broker closed the connection"))

    def on_session_error(self, event: Any) -> None:
        self._lose(_down_by(event.session.remote_condition, "the broker ended the session"))

    def on_session_closed(self, _event: Any) -> None:
        self._lose(DownError("the broker ended the session"))

    def on_link_error(self, event: Any) -> None:
        self._lose(_down_by(event.link.remote_condition, "the broker detached the link"))

    def on_link_closed(self, _event: Any) -> None:
        self._lose(DownError("the broker detached the link"))


class _Source(_End):
    """Receives from an address. Tokens are the numbers of deliveries; credit bounds those without an outcome."""

    def __init__(self, where: Where, keys: Mapping[str, str]) -> None:
        super().__init__(where)
        self._address = keys["address"]
        self._open: InFlight[Any] = InFlight()
        self._granted = 0
        self._allowed = 0
        self._stopped = False
        self._receiver: Any = None

    def settle(self, token: object) -> None:
        self._jobs.add(self._settle, token)

    def reject(self, token: object, reason: str) -> None:
        self._jobs.add(self._reject, token, reason)

    def allow(self, unsettled: int) -> None:
        self._jobs.add(self._allow, unsettled)

    def stop(self) -> None:
        self._jobs.add(self._stop)

    def _connected(self) -> None:
        self._receiver = self._container.create_receiver(self._connection, self._address, options=AtLeastOnce())

    def on_link_opened(self, event: Any) -> None:
        if event.link.remote_source.address is None and event.link.remote_condition is not None:
            return  # a refused link is detached at once
        self._allowed = self._window.opened(self)
        self._grant()

    def on_delivery(self, event: Any) -> None:
        delivery = event.delivery
        if delivery.aborted:
            delivery.settle()
            return
        if not delivery.readable or delivery.partial:
            return
        wire = bytes(delivery.link.recv(delivery.pending) or b"")
        delivery.link.advance()
        self._granted -= 1
        token = self._open.add(delivery)
        if delivery.settled:
            self._window.note("the source sends messages that are settled already: a failure may lose them")
        try:
            message = decode(wire)
        except DecodeError as error:
            self._window.undecoded(self, token, wire, error)
            return
        self._window.received(self, token, message, len(wire))

    def _grant(self) -> None:
        """Ask for as many messages as may be without an outcome, in big steps."""
        more = self._allowed - len(self._open) - self._granted
        if not self._stopped and more > 0 and (more * 2 >= self._allowed or not self._granted):
            self._receiver.flow(more)
            self._granted += more

    def _settle(self, token: int) -> None:
        for delivery in self._open.up_to(token):
            delivery.update(proton.Delivery.ACCEPTED)
            delivery.settle()
        self._grant()

    def _reject(self, token: int, reason: str) -> None:
        if self._open.is_first(token):
            [delivery] = self._open.up_to(token)
            delivery.local.condition = proton.Condition("amqp:not-allowed", reason)
            delivery.update(proton.Delivery.REJECTED)
            delivery.settle()
        self._grant()

    def _allow(self, unsettled: int) -> None:
        self._allowed = unsettled
        self._grant()

    def _stop(self) -> None:
        self._stopped = True
        if self._receiver is not None and self._granted:
            self._receiver.drain(0)


class _Target(_End):
    """Sends to the addresses of messages, over a link for each."""

    def __init__(self, where: Where, address: Address) -> None:
        super().__init__(where)
        self._first = address[0]
        self._links: OrderedDict[str, _Link] = OrderedDict()
        self._pending: dict[str, _Sent] = {}
        self._count = 0

    @property
    def blocked(self) -> bool:
        """Return whether everything waits: for credit, or for another try."""
        return not self._pending

    def send(self, number: int, message: Message, to: Address) -> None:
        self._jobs.add(self._prepare, number, message, to[0])

    def _connected(self) -> None:
        if self._first is None:
            self._window.up(self)
        else:
            self._link(self._first)

    def on_link_opened(self, event: Any) -> None:
        if event.link.is_sender and event.link.remote_target.address is not None and self._first is not None:
            self._first = None
            self._window.up(self)

    def on_link_closed(self, event: Any) -> None:
        """Note that the broker detached a link, and drop one that made room for another."""
        link = self._links.get(event.link.target.address)
        if link is not None and link.sender == event.link:
            super().on_link_closed(event)
        else:
            event.link.free()

    def _link(self, address: str) -> "_Link":
        """Return the link to an address; the one that was idle longest makes room for a new one."""
        link = self._links.get(address)
        if link is None:
            if len(self._links) >= LINKS:
                idle = next((name for name, one in self._links.items() if not one.busy), None)
                if idle is not None:
                    self._links.pop(idle).sender.close()
            sender = self._container.create_sender(self._connection, address, options=AtLeastOnce())
            link = self._links[address] = _Link(sender)
        self._links.move_to_end(address)
        return link

    def _prepare(self, number: int, message: Message, to: str | None) -> None:
        try:
            sent = _Sent(number, _address_of(message) if to is None else to, encode(message))
        except EncodeError as error:
            self._window.refused(self, number, error)
            return
        self._queue(sent)

    def _queue(self, sent: "_Sent") -> None:
        link = self._link(sent.address)
        link.busy += 1
        link.waiting.append(sent)
        self._push(link)

    def on_sendable(self, event: Any) -> None:
        link = self._links.get(event.link.target.address)
        if link is not None:
            self._push(link)

    def _push(self, link: "_Link") -> None:
        sender = link.sender
        while link.waiting and sender.credit > 0:
            sent = link.waiting.popleft()
            most = sender.remote_max_message_size
            if most and len(sent.wire) > most:
                link.busy -= 1
                words = f"{len(sent.wire)} bytes, more than the {most} that the broker takes"
                self._window.refused(self, sent.number, DeliveryError(words, code="refused_by_target"))
                continue
            self._count += 1
            tag = str(self._count)
            self._pending[tag] = sent
            sender.delivery(tag)
            sender.stream(sent.wire)
            sender.advance()

    def on_accepted(self, event: Any) -> None:
        self._window.confirmed(self, [self._answered(event).number])

    def on_rejected(self, event: Any) -> None:
        sent, condition = self._answered(event), event.delivery.remote.condition
        if condition is None or condition.name not in _OF_THE_MESSAGE:
            self._again(sent)
            return
        words = f"rejected: {condition.name}{f' {condition.description}' if condition.description else ''}"
        self._window.refused(self, sent.number, DeliveryError(words, code="refused_by_target"))

    def on_released(self, event: Any) -> None:
        sent = self._answered(event)
        if event.delivery.remote_state == proton.Delivery.RELEASED:
            sent.releases += 1
            if sent.releases >= RELEASES:
                words = f"released {RELEASES} times: no queue takes a message for {sent.address!r}"
                self._window.refused(self, sent.number, DeliveryError(words, code="unroutable"))
                return
        self._again(sent)

    def _answered(self, event: Any) -> "_Sent":
        delivery = event.delivery
        sent = self._pending.pop(delivery.tag)
        delivery.settle()
        link = self._links.get(sent.address)
        if link is not None:
            link.busy -= 1
        return sent

    def _again(self, sent: "_Sent") -> None:
        sent.tries += 1
        self._window.delayed(self)
        self._container.schedule(pause(sent.tries), _Timer(lambda: self._queue(sent)))


def _address_of(message: Message) -> str:
    """Return the address that a message names. Raises EncodeError for none."""
    address = None if message.properties is None else message.properties.to
    if address is None:
        words = "the message names no address, and neither does the target: add its key, such as ?address=/queues/orders"
        raise EncodeError("missing_field", words, field="properties.to")
    return address


class _Link:
    """A sender; `waiting` has no credit yet, `busy` counts messages without an outcome."""

    def __init__(self, sender: Any) -> None:
        self.sender = sender
        self.waiting: deque[_Sent] = deque()
        self.busy = 0


class _Sent:
    """A message on its way."""

    __slots__ = ("address", "number", "releases", "tries", "wire")

    def __init__(self, number: int, address: str, wire: bytes) -> None:
        self.number = number
        self.address = address
        self.wire = wire
        self.tries = self.releases = 0


class _Timer(proton.Handler):
    def __init__(self, then: Callable[[], object]) -> None:
        self._then = then

    def on_timer_task(self, _event: Any) -> None:
        self._then()


def _down_by(condition: Any, otherwise: str, *, by_peer: bool = True) -> DownError:
    if condition is None:
        return DownError(otherwise)
    words = condition.description or condition.name
    if "wrong version number" in words:
        return DownError(NO_TLS, final=True)
    final = condition.name in _FINAL or "certificate" in words.lower()
    return DownError(f"{words} ({condition.name})", final=final, by_peer=by_peer and condition.name not in _FORCED)


ENDS = Ends(
    5672,
    5671,
    source_keys=("address",),
    target_keys=("address",),
    address=lambda keys: (keys.get("address"),),
    source=_Source,
    target=_Target,
    rejects=True,
)
