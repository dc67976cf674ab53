"""Take AMQP 1.0 messages from an address with proton, publish them to an AMQP 0.9.1 queue with pika.

python proton_to_pika.py amqp://guest:guest@127.0.0.1:5672 ADDRESS QUEUE
"""

import sys

import pika
import proton
from pika.exceptions import AMQPError
from proton.handlers import MessagingHandler
from proton.reactor import Container

from mqconvert import convert
from mqconvert.clients import from_proton, to_pika


class Republish(MessagingHandler):
    def __init__(self, url: str, address: str, queue: str) -> None:
        super().__init__(auto_accept=False)
        self.url, self.address, self.queue = url, address, queue
        try:
            parameters = pika.URLParameters(url)
        except (TypeError, ValueError) as error:  # pika raises TypeError for a user without a password
            sys.exit(f"no address: not amqp://USER:PASSWORD@HOST:PORT/VHOST: {error}")
        self.channel = pika.BlockingConnection(parameters).channel()
        self.channel.confirm_delivery()

    def on_start(self, event: proton.Event) -> None:
        connection = event.container.connect(
            self.url,
            allowed_mechs="PLAIN",
            reconnect=False,  # pyright: ignore[reportArgumentType]  # proton accepts it
        )
        event.container.create_receiver(connection, self.address)

    def on_message(self, event: proton.Event) -> None:
        done = convert(from_proton(event.message), to="amqp-0.9.1")
        made = to_pika(done.message)
        for lost in (*done.report.lost, *made.lost):
            print(f"lost {lost.field}: {lost.reason}", file=sys.stderr)
        self.channel.basic_publish("", self.queue, made.body, made.properties)
        self.accept(event.delivery)  # type: ignore[arg-type]  # a delivery event always has one

    def on_transport_error(self, event: proton.Event) -> None:
        sys.exit(f"no broker: {event.transport and event.transport.condition}")

    def on_session_error(self, event: proton.Event) -> None:
        sys.exit(f"no address: {event.session and event.session.remote_condition}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: proton_to_pika.py AMQP_URL ADDRESS QUEUE")
    try:
        Container(Republish(*sys.argv[1:])).run()
    except AMQPError as error:
        sys.exit(f"no broker: {error!r}")  # many errors of pika have no text
