"""Ends of AMQP 1.0 with a broker of proton's own in a thread. Live tests have the rest."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from proton.handlers import MessagingHandler
from proton.reactor import ApplicationEvent, Container, EventInjector

from mqconvert.converters.clients.ends import Where
from mqconvert.converters.clients.ends import amqp10 as ends
from mqconvert.converters.protocols.amqp10.message import Data, Message
from tests.app.move.test_files import Window, _until

WAIT = 30


class Broker(MessagingHandler):
    """Accepts each message, and keeps the addresses of links in the order of their attaching."""

    def __init__(self, prefetch: int = 10) -> None:
        super().__init__(prefetch=prefetch)
        self.attached: list[str] = []
        self.detached: list[str] = []
        self.connections = 0
        self.port = 0
        self.started = threading.Event()
        self.injector = EventInjector()

    def on_start(self, event: Any) -> None:
        self.container = event.container
        event.container.selectable(self.injector)
        self.acceptor = event.container.listen("127.0.0.1:0")
        self.port = self.acceptor._selectable.getsockname()[1]  # proton has no other way
        self.started.set()

    def on_connection_opening(self, _event: Any) -> None:
        self.connections += 1

    def on_credit(self, _event: Any) -> None:
        self.link.flow(1)

    def on_link_opening(self, event: Any) -> None:
        self.link = event.link
        self.attached.append(event.link.remote_target.address)
        event.link.target.address = event.link.remote_target.address

    def on_link_closing(self, event: Any) -> None:
        self.detached.append(event.link.remote_target.address)

    def on_stop(self, _event: Any) -> None:
        self.acceptor.close()
        self.container.stop()


@pytest.fixture
def broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    made = Broker(**getattr(request, "param", {}))
    thread = threading.Thread(target=Container(made).run)
    thread.start()
    assert made.started.wait(WAIT)
    yield made
    made.injector.trigger(ApplicationEvent("stop"))
    thread.join(WAIT)


def test_a_link_that_makes_room_for_another_does_not_end_the_connection(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ends, "LINKS", 1)
    window = Window()
    target = ends.ENDS.target(Where("127.0.0.1", broker.port), (None,))
    thread = threading.Thread(target=target.run, args=(window,))
    thread.start()
    addresses = ["a", "b", "c", "a"]
    for number, address in enumerate(addresses):
        target.send(number, Message(body=Data([b"hi"])), (address,))
        _until(lambda: len(window.stored) == number + 1)  # noqa: B023 - called at once
    _until(lambda: broker.detached == addresses[:-1])
    assert thread.is_alive()
    target.close()
    thread.join(WAIT)
    assert (window.stored, broker.attached, broker.connections) == ([0, 1, 2, 3], addresses, 1)


@pytest.mark.parametrize("broker", [{"prefetch": 0}], indirect=True)
def test_a_target_without_credit_owes_no_answers(broker: Broker) -> None:
    """`move` gives up a target that owes answers, and waits for one without credit."""
    window = Window()
    target = ends.ENDS.target(Where("127.0.0.1", broker.port), ("a",))
    thread = threading.Thread(target=target.run, args=(window,))
    thread.start()
    assert window.is_up.wait(WAIT)
    for number in range(2):
        target.send(number, Message(body=Data([b"hi"])), ("a",))
    for stored in ([0], [0, 1]):
        assert target.blocked
        broker.injector.trigger(ApplicationEvent("credit"))
        _until(lambda: window.stored == stored)  # noqa: B023 - called at once
    target.close()
    thread.join(WAIT)
    assert not thread.is_alive()
