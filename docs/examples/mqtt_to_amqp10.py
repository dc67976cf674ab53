"""Take MQTT 5.0 messages from a topic with paho, send them to an AMQP 1.0 address with proton.

python mqtt_to_amqp10.py 127.0.0.1:1883 TOPIC amqp://guest:guest@127.0.0.1:5672 ADDRESS
"""

import sys
from typing import Any
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
import proton
from paho.mqtt.enums import CallbackAPIVersion
from proton.utils import BlockingConnection

from mqconvert import convert
from mqconvert.clients import from_paho, to_proton


def main(mqtt_address: str, topic: str, amqp_url: str, address: str) -> None:
    try:
        url = proton.Url(amqp_url)  # type: ignore[no-untyped-call]  # proton has no types
        at = urlsplit(f"//{mqtt_address}")
        host, port = at.hostname or "localhost", at.port or 1883
        int(url.port or 0)  # check now: proton's later error cannot be caught
    except ValueError as error:
        sys.exit(f"no address: not HOST:PORT and amqp://USER:PASSWORD@HOST:PORT: {error}")
    sender = BlockingConnection(url, timeout=10, allowed_mechs="PLAIN").create_sender(address)

    def on_connect(client: mqtt.Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            sys.exit(f"no broker: {reason}")
        client.subscribe(topic, qos=1)

    def on_message(_client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        done = convert(from_paho(message), to="amqp-1.0")
        made = to_proton(done.message)
        for lost in (*done.report.lost, *made.lost):
            print(f"lost {lost.field}: {lost.reason}", file=sys.stderr)
        sender.send(made.message)

    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set("guest", "guest")
    client.on_connect = on_connect
    client.on_subscribe = lambda *_: print("subscribed", flush=True)
    client.on_message = on_message
    client.connect(host, port)
    client.loop_forever()


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: mqtt_to_amqp10.py MQTT_HOST:PORT TOPIC AMQP_URL ADDRESS")
    try:
        main(*sys.argv[1:])
    except (OSError, proton.ProtonException) as error:
        sys.exit(f"no broker: {error}")
