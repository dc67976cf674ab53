"""Take AMQP 0.9.1 messages from a queue with pika, publish them to an MQTT 5.0 topic with paho.

python pika_to_mqtt.py amqp://guest:guest@127.0.0.1:5672 127.0.0.1:1883 QUEUE TOPIC
"""

import sys
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import pika
from paho.mqtt.enums import CallbackAPIVersion
from pika.exceptions import AMQPError

from mqconvert import Environment, convert
from mqconvert.clients import from_pika, to_paho


def main(amqp_url: str, mqtt_address: str, queue: str, topic: str) -> None:
    try:
        parameters, at = pika.URLParameters(amqp_url), urlsplit(f"//{mqtt_address}")
        host, port = at.hostname or "localhost", at.port or 1883
    except (TypeError, ValueError) as error:  # pika raises TypeError for a user without a password
        sys.exit(f"no address: not amqp://USER:PASSWORD@HOST:PORT/VHOST and HOST:PORT: {error}")
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set("guest", "guest")
    answers: SimpleQueue[Any] = SimpleQueue()
    client.on_connect = lambda _client, _data, _flags, reason, _properties: answers.put(reason)
    client.connect(host, port)
    client.loop_start()
    reason = answers.get()
    if reason.is_failure:
        sys.exit(f"no broker: {reason}")

    def on_message(channel: Any, method: Any, properties: pika.BasicProperties, body: bytes) -> None:
        message = from_pika(properties, body, method)
        done = convert(message, to="mqtt-5.0", environment=Environment(address=topic))
        for lost in done.report.lost:
            print(f"lost {lost.field}: {lost.reason}", file=sys.stderr)
        client.publish(**to_paho(done.message).publish).wait_for_publish(10)
        channel.basic_ack(method.delivery_tag)

    channel = pika.BlockingConnection(parameters).channel()
    channel.basic_consume(queue, on_message)
    channel.start_consuming()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: pika_to_mqtt.py AMQP_URL MQTT_HOST:PORT QUEUE TOPIC")
    try:
        main(*sys.argv[1:])
    except (OSError, AMQPError) as error:
        sys.exit(f"no broker: {error!r}")  # many errors of pika have no text
