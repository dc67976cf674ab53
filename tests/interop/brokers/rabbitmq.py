"""RabbitMQ 4.0 of Debian 13, in a separate tree.

Debian 12's own RabbitMQ is 3.10, which knows neither AMQP 1.0 without a plugin nor MQTT 5.0. debootstrap makes the tree once in
the cache folder, from its default mirror. Every broker has its own data folder and ports.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Self

import pika

from tests.interop.brokers.broker import Broker, NoBrokerError, installed, prepared, run

SUITE = "trixie"
"""Debian 13 has rabbitmq-server 4.0.5, the version of profile rabbitmq-4.0."""

_CONFIGURATION = """\
listeners.tcp.1 = 127.0.0.1:{amqp}
mqtt.listeners.tcp.1 = 127.0.0.1:{mqtt}
stream.listeners.tcp.1 = 127.0.0.1:{stream}
stomp.listeners.tcp.1 = 127.0.0.1:{stomp}
management.tcp.ip = 127.0.0.1
management.tcp.port = {management}
log.file = false
log.console = true
log.console.level = warning
total_memory_available_override_value = 2GB
disk_free_limit.absolute = 1MB
vm_memory_calculation_strategy = erlang
max_message_size = {max_message_size}
"""


class RabbitMQ(Broker):
    """AMQP 0.9.1 and 1.0 share `amqp`. User and password: guest.

    MQCONVERT_RABBITMQ may name a running one as HOST:AMQP_PORT:MQTT_PORT, whose other ports are not known.
    """

    name = "rabbitmq"
    version = "4.0.5"
    ports: ClassVar[tuple[str, ...]] = ("amqp", "mqtt", "stream", "stomp", "management", "names", "peers")

    def __init__(self, *, max_message_size: int = 2**24) -> None:
        """`max_message_size`: bytes; 16 MiB is RabbitMQ's default."""
        super().__init__()
        self._max_message_size = max_message_size

    def __enter__(self) -> Self:
        name = os.environ.get("MQCONVERT_RABBITMQ")
        if not name:
            return super().__enter__()
        match name.rsplit(":", 2):
            case [host, amqp, mqtt] if amqp.isdigit() and mqtt.isdigit():
                self.host, self.port = host, {"amqp": int(amqp), "mqtt": int(mqtt)}
                self._check()
                return self
        raise NoBrokerError(f"MQCONVERT_RABBITMQ is HOST:AMQP_PORT:MQTT_PORT, not {name!r}")

    def _check(self) -> None:
        """Raise NoBrokerError with one line if it is down or refuses its user."""
        try:
            pika.BlockingConnection(pika.URLParameters(self.amqp_url)).close()
        except pika.exceptions.AMQPError as error:
            raise NoBrokerError(f"no AMQP broker at {self.at('amqp')}: {str(error) or type(error).__name__}") from None

    @classmethod
    def prepare(cls) -> Path:
        """Return the tree with rabbitmq-server. Making it takes about a minute."""
        if os.geteuid() != 0:
            raise NoBrokerError("a chroot of Debian 13 needs root; name a running broker with MQCONVERT_RABBITMQ")
        if shutil.which("apt-get") is None:
            raise NoBrokerError("a tree of Debian 13 is made on Debian only; name a running broker with MQCONVERT_RABBITMQ")
        return prepared(f"rabbitmq-{SUITE}", _make_tree)

    @contextlib.contextmanager
    def data(self, prepared: Path) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp(prefix="mqconvert-", dir=prepared / "var/lib"))  # the broker sees this tree only
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def start(self, prepared: Path) -> None:
        (self.folder / "rabbitmq.conf").write_text(_CONFIGURATION.format(**self.port, max_message_size=self._max_message_size))
        (self.folder / "enabled_plugins").write_text("[rabbitmq_management,rabbitmq_mqtt,rabbitmq_stomp,rabbitmq_stream].\n")
        home = f"/{self.folder.relative_to(prepared)}"
        run("chroot", prepared, "chown", "-R", "rabbitmq:rabbitmq", home)
        env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "HOME": home,
            "ERL_EPMD_PORT": str(self.port["names"]),
            "ERL_EPMD_ADDRESS": self.host,
            "RABBITMQ_NODENAME": "rabbit@localhost",
            "RABBITMQ_DIST_PORT": str(self.port["peers"]),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false",
            "RABBITMQ_CONFIG_FILE": f"{home}/rabbitmq.conf",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{home}/enabled_plugins",
            "RABBITMQ_MNESIA_BASE": f"{home}/mnesia",
            "RABBITMQ_LOG_BASE": f"{home}/log",
            "RUNNING_UNDER_SYSTEMD": "yes",  # the start script becomes the Erlang VM: one process, one pid
        }
        chroot = ("chroot", "--userspec=rabbitmq:rabbitmq", prepared)
        self.run(*chroot, "epmd", "-port", env["ERL_EPMD_PORT"], "-address", self.host, listens=("names",), env=env)
        self.run(*chroot, "/usr/lib/rabbitmq/bin/rabbitmq-server", listens=self.ports[:5], env=env)


def _make_tree(tree: Path) -> None:
    run(installed("debootstrap"), "--variant=minbase", SUITE, tree)
    # No service of the tree may start: invoke-rc.d runs this file, and 101 means "forbidden".
    policy = tree / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    quick = ["--no-install-recommends", "-o", "Dpkg::Options::=--force-unsafe-io"]
    run("chroot", tree, "apt-get", "install", "-qy", *quick, "rabbitmq-server")
    run("chroot", tree, "apt-get", "clean")
    (tree / "etc/hosts").write_text("127.0.0.1 localhost\n")
    tree.chmod(0o755)
