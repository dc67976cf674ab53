"""Apache Pulsar standalone: broker, bookie and metadata in one process."""

import contextlib
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker
from tests.interop.brokers.java import jars, java

_CONFIGURATION = """\
clusterName=standalone
bindAddress=127.0.0.1
listeningInterface=lo
allowLoopback=true
advertisedListeners=peer:pulsar://127.0.0.1:{proxy}
internalListenerName=peer
brokerServicePort={binary}
webServicePort={http}
managedLedgerDefaultEnsembleSize=1
managedLedgerDefaultWriteQuorum=1
managedLedgerDefaultAckQuorum=1
managedLedgerCacheSizeMB=16
maxMessageSize={most}
loadBalancerEnabled=false
transactionCoordinatorEnabled={transactions}
systemTopicEnabled={transactions}
topicLevelPoliciesEnabled={transactions}
acknowledgmentAtBatchIndexLevelEnabled=true
brokerEntryMetadataInterceptors={entry}BrokerTimestampMetadataInterceptor,{entry}IndexMetadataInterceptor
exposingBrokerEntryMetadataToClientEnabled=true
diskUsageThreshold=0.99
diskUsageWarnThreshold=0.98
"""
_ENTRY = "org.apache.pulsar.common.intercept.Append"
MAX_MESSAGE_SIZE = 131072
"""Maximum message size in bytes instead of 5 MiB, for small chunked messages."""
_OPEN = ("java.base/java.io", "java.base/java.lang", "java.base/jdk.internal.loader", "java.base/jdk.internal.platform")
"""Packages for its reflection, which Java 17 keeps closed."""
_MAIN = "org.apache.pulsar.PulsarStandaloneStarter"


class Pulsar(Broker):
    """Pulsar standalone: clients connect to `binary`, which redirects them to `proxy`, where a recording proxy can listen.

    With `transactions`, the broker's own client for system topics also connects to the proxy.
    """

    name = "pulsar"
    version = "4.0.7"
    ports: ClassVar[tuple[str, ...]] = ("binary", "http", "bookie", "proxy")

    def __init__(self, *, transactions: bool = False) -> None:
        super().__init__()
        self._transactions = "true" if transactions else "false"

    @classmethod
    def prepare(cls) -> Path:
        return jars(cls.name, cls.version)

    def start(self, prepared: Path) -> None:
        configuration = self.folder / "standalone.conf"
        configuration.write_text(
            _CONFIGURATION.format(most=MAX_MESSAGE_SIZE, entry=_ENTRY, transactions=self._transactions, **self.port)
        )
        opened = (option for package in _OPEN for option in ("--add-opens", f"{package}=ALL-UNNAMED"))
        folders = (option for kind in ("bookkeeper", "zookeeper", "metadata") for option in (f"--{kind}-dir", f"data/{kind}"))
        self.run(
            *java(prepared, "-Xmx512m", "-XX:MaxDirectMemorySize=256m", *opened),
            *(_MAIN, "--config", str(configuration), "--no-functions-worker", "--no-stream-storage", *folders),
            *("--bookkeeper-port", str(self.port["bookie"])),
            listens=("binary", "http"),
        )

    def ready(self) -> bool:
        """Return whether it has the namespace for clients, which it creates last."""
        namespaces = f"http://{self.at('http')}/admin/v2/namespaces/public"
        with (
            contextlib.suppress(urllib.error.URLError, ConnectionError),
            urllib.request.urlopen(namespaces, timeout=5) as answer,
        ):
            return "public/default" in json.load(answer)
        return False
