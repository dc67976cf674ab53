"""Brokers that are Java programs: their jars from Maven, and how they are run small."""

import shutil
from pathlib import Path

from tests.interop.brokers.broker import installed, prepared, run

_POMS = Path(__file__).with_name("maven")
SMALL = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Quick to start, with few threads: they live for minutes."""


def jars(name: str, version: str) -> Path:
    """The folder with the jars that maven/NAME.xml names, of that version."""

    def make(folder: Path) -> None:
        shutil.copy(_POMS / f"{name}.xml", folder / "pom.xml")
        run(
            *(installed("mvn", "maven"), "-q", "-B", f"-Dversion.{name}={version}"),
            *("dependency:copy-dependencies", f"-DoutputDirectory={folder}/jars"),
            cwd=folder,
        )

    return prepared(f"{name}-{version}", make) / "jars"


def java(folder: Path, *options: str) -> list[str]:
    """The command line up to the name of a main class."""
    return [installed("java", "default-jdk-headless"), *SMALL, *options, "-cp", f"{folder}/*"]
