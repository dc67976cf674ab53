"""PHP from Debian's package, the peer for PHPMQ: a command, since no registry has a PHPMQ server."""

from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker, installed


class Php(Broker):
    """`command` is the path of PHP."""

    name = "php"
    version = "8.2"
    ports: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def prepare(cls) -> Path:
        return Path(installed("php", "php-cli"))

    def start(self, prepared: Path) -> None:
        self.command = prepared
