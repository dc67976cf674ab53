"""Eclipse Mosquitto, a second MQTT broker, from Debian's package."""

from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker, installed


class Mosquitto(Broker):
    """Mosquitto. It accepts every user, or none with `refusing`."""

    name = "mosquitto"
    version = "2.0"
    ports: ClassVar[tuple[str, ...]] = ("mqtt",)

    def __init__(self, *, refusing: bool = False) -> None:
        super().__init__()
        self._users = "password_file /dev/null" if refusing else "allow_anonymous true"

    @classmethod
    def prepare(cls) -> Path:
        return Path(installed("mosquitto"))

    def start(self, prepared: Path) -> None:
        configuration = self.folder / "mosquitto.conf"
        listener = f"listener {self.port['mqtt']} {self.host}\n{self._users}\n"
        configuration.write_text(f"{listener}persistence false\nlog_dest none\nuser root\n")
        self.run(prepared, "-c", configuration, listens=self.ports)
