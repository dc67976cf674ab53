"""Apache ActiveMQ Artemis with AMQP 1.0, MQTT and STOMP, embedded, and without files unless it has to last."""

from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker
from tests.interop.brokers.java import jars, java

_CONFIGURATION = """\
<configuration xmlns="urn:activemq"><core xmlns="urn:activemq:core">
  <name>peer</name>
  <persistence-enabled>{lasting}</persistence-enabled>
  <journal-type>NIO</journal-type>
  <security-enabled>false</security-enabled>
  <acceptors>{acceptors}</acceptors>
  <address-settings><address-setting match="#">
    <auto-create-queues>true</auto-create-queues><auto-create-addresses>true</auto-create-addresses>
    <auto-delete-queues>false</auto-delete-queues><auto-delete-addresses>false</auto-delete-addresses>
    <default-address-routing-type>ANYCAST</default-address-routing-type>
    <default-queue-routing-type>ANYCAST</default-queue-routing-type>
  </address-setting><address-setting match="mqtt.#">
    <default-address-routing-type>MULTICAST</default-address-routing-type>
    <default-queue-routing-type>MULTICAST</default-queue-routing-type>
  </address-setting></address-settings>
</core></configuration>
"""


class Artemis(Broker):
    """Artemis without access control."""

    name = "artemis"
    version = "2.40.0"
    ports: ClassVar[tuple[str, ...]] = ("amqp", "mqtt", "stomp")

    @classmethod
    def prepare(cls) -> Path:
        return jars(cls.name, cls.version)

    def __init__(self, *, lasting: bool = False) -> None:
        super().__init__()
        self._lasting = str(lasting).lower()

    def start(self, prepared: Path) -> None:
        acceptors = "".join(
            f'<acceptor name="{name}">tcp://{self.host}:{port}?protocols={name.upper()}</acceptor>'
            for name, port in self.port.items()
        )
        (self.folder / "etc").mkdir()
        (self.folder / "etc" / "broker.xml").write_text(_CONFIGURATION.format(acceptors=acceptors, lasting=self._lasting))
        main = "org.apache.activemq.artemis.core.server.embedded.Main"
        self.run(*java(prepared, "-Xmx256m"), main, self.folder, listens=self.ports)
