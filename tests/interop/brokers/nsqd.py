"""nsqd: a Go program of twenty lines that imports its module and sets its addresses."""

import shutil
from pathlib import Path
from typing import ClassVar

from tests.interop.brokers.broker import Broker, installed, prepared, run

_SOURCE = Path(__file__).with_name("nsqd")


class Nsqd(Broker):
    """nsqd with protocol V2 on `tcp` and its administration on `http`."""

    name = "nsqd"
    version = "1.3.0"
    ports: ClassVar[tuple[str, ...]] = ("tcp", "http")

    @classmethod
    def prepare(cls) -> Path:
        def make(folder: Path) -> None:
            source = folder / "source"
            shutil.copytree(_SOURCE, source)
            run(installed("go", "golang-go"), "build", "-o", folder / "nsqd", ".", cwd=source)

        return prepared(f"{cls.name}-{cls.version}", make) / "nsqd"

    def start(self, prepared: Path) -> None:
        tcp, http = (f"{self.host}:{self.port[name]}" for name in self.ports)
        self.run(prepared, tcp, http, self.folder, listens=self.ports)
