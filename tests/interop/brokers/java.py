"""Brokers in Java: their jars from Maven, and options for a small JVM."""

import hashlib
import shutil
from pathlib import Path

from tests.interop.brokers.broker import installed, prepared, run

_POMS = Path(__file__).with_name("maven")
SMALL = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options for a quick start with few threads, since brokers run for minutes only."""


def jars(name: str, version: str) -> Path:
    """Return the folder with the jars that maven/NAME.xml names, in that version."""

    def make(folder: Path) -> None:
        shutil.copy(_POMS / f"{name}.xml", folder / "pom.xml")
        run(
            *(installed("mvn", "maven"), "-q", "-B", f"-Dversion.{name}={version}"),
            *("dependency:copy-dependencies", f"-DoutputDirectory={folder}/jars"),
            cwd=folder,
        )

    return prepared(f"{name}-{version}", make) / "jars"


def java(folder: Path, *options: str, classes: tuple[Path, ...] = ()) -> list[str]:
    """Return the command line before the main class; `classes` are further class paths."""
    path = ":".join([*map(str, classes), f"{folder}/*"])
    return [installed("java", "default-jdk-headless"), *SMALL, *options, "-cp", path]


def compiled(source: Path, jars: Path) -> Path:
    """Return the folder with the classes of one source file, compiled against those jars."""

    def make(folder: Path) -> None:
        run(installed("javac", "default-jdk-headless"), "-cp", f"{jars}/*", "-d", folder, source)

    return prepared(f"{source.stem}-{hashlib.sha256(source.read_bytes()).hexdigest()[:12]}", make)
