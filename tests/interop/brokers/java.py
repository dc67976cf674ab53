"""Brokers that are Java programs: their jars from Maven, and how they are run small."""

import hashlib
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


def java(folder: Path, *options: str, classes: tuple[Path, ...] = ()) -> list[str]:
    """The command line up to the name of a main class; `classes` are more of them."""
    path = ":".join([*map(str, classes), f"{folder}/*"])
    return [installed("java", "default-jdk-headless"), *SMALL, *options, "-cp", path]


def compiled(source: Path, jars: Path) -> Path:
    """The folder with the classes of one source file, compiled against those jars."""

    def make(folder: Path) -> None:
        run(installed("javac", "default-jdk-headless"), "-cp", f"{jars}/*", "-d", folder, source)

    return prepared(f"{source.stem}-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}", make)
