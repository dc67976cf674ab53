"""Apache RocketMQ: a name server, and a broker with a small commit log."""

import json
import shutil
import socket
import struct
from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker, NoBrokerError
from tests.interop.brokers.java import compiled, jars, java

_CONFIGURATION = """\
brokerClusterName=peer
brokerName=peer
brokerId=0
brokerIP1=127.0.0.1
bindAddress=127.0.0.1
namesrvAddr=127.0.0.1:{names}
listenPort={broker}
autoCreateTopicEnable=true
storePathRootDir={folder}/store
mapedFileSizeCommitLog=16777216
mapedFileSizeConsumeQueue=60000
maxHashSlotNum=5000
maxIndexNum=20000
waitTimeMillsInSendQueue=20000
osPageCacheBusyTimeOutMills=20000
timerFlushIntervalMs=600000
"""
"""The broker's configuration, with limits for a busy machine.

By default it refuses a message after 200 ms in its queue, or while another has been written for a second. It also writes its
38 MB of timers to disk every second by default, which takes a third of a core.
"""
_ALONE = Path(__file__).parents[1] / "java" / "Alone.java"
_SERVICES = "META-INF/service"
"""The folder of files that name replacements for RocketMQ's classes."""
FULLEST = 0.9
"""Maximum fill of the disk: above it the broker refuses every message, and no setting raises it."""
_ROUTE = 105
"""GET_ROUTEINFO_BY_TOPIC."""
_OF_JAVA = {"flag": 0, "language": "JAVA", "version": 0, "serializeTypeCurrentRPC": "JSON"}


class RocketMQ(Broker):
    """`names` is the name server, which gives clients the address of `broker`."""

    name = "rocketmq"
    version = "5.4.0"
    ports: ClassVar[tuple[str, ...]] = ("names", "broker")

    @classmethod
    def prepare(cls) -> Path:
        folder = jars(cls.name, cls.version)
        compiled(_ALONE, folder)
        return folder

    def start(self, prepared: Path) -> None:
        disk = shutil.disk_usage(self.folder)
        if disk.used / (disk.used + disk.free) > FULLEST:
            raise NoBrokerError(f"rocketmq takes no messages on a disk over {FULLEST:.0%} full, as that of {self.folder} is")
        home = {"ROCKETMQ_HOME": str(self.folder)}
        (self.folder / "conf").mkdir()
        names, broker = self.folder / "names.conf", self.folder / "broker.conf"
        names.write_text(f"listenPort={self.port['names']}\nbindAddress={self.host}\n")
        broker.write_text(_CONFIGURATION.format(folder=self.folder, **self.port))
        services = self.folder / "services"
        (services / _SERVICES).mkdir(parents=True)
        (services / _SERVICES / "org.apache.rocketmq.store.ha.HAService").write_text(_ALONE.stem)
        small = ("-Xmx256m", "-XX:MaxDirectMemorySize=256m", f"-Duser.home={self.folder}")
        program = java(prepared, *small, classes=(compiled(_ALONE, prepared), services))
        self.run(*program, "org.apache.rocketmq.namesrv.NamesrvStartup", "-c", names, listens=("names",), env=home)
        self.run(*program, "org.apache.rocketmq.broker.BrokerStartup", "-c", broker, listens=("broker",), env=home)

    def ready(self) -> bool:
        """Return whether the broker has registered: the name server then has the template topic."""
        header = json.dumps({"code": _ROUTE, "opaque": 1, "extFields": {"topic": "TBW102"}, **_OF_JAVA}).encode()
        with socket.create_connection((self.host, self.port["names"]), timeout=5) as names:
            names.sendall(struct.pack(">II", 4 + len(header), len(header)) + header)
            lengths = names.recv(8, socket.MSG_WAITALL)
            answer = names.recv(struct.unpack(">II", lengths)[1] & 0xFFFFFF, socket.MSG_WAITALL)
        return bool(json.loads(answer)["code"] == 0)
