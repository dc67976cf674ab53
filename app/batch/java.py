"""Find a Java for Spark. `python -m mqconvert.app.batch.java` prints its path, or one line with the version to install."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from mqconvert import JobError

OLDEST = 17
"""Spark 4 runs on Java 17 and later."""

_INSTALL = f"install a Java {OLDEST} runtime (Debian: apt-get install default-jre-headless) or point JAVA_HOME at one"


def find_java(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the first Java that is new enough, from JAVA_HOME, then from the PATH.

    Raises JobError `no_java` if there is no Java, `wrong_java` if every Java found is too old.
    """
    home, path = environment.get("JAVA_HOME"), shutil.which("java", path=environment.get("PATH", ""))
    too_old: list[str] = []
    for java in ([Path(home) / "bin" / "java"] if home else []) + ([Path(path)] if path else []):
        version = _version(java)
        if version >= OLDEST:
            return java
        if version:
            too_old.append(f"{java} is Java {version}")
    if too_old:
        raise JobError(f"Spark needs Java {OLDEST} or later, and {', '.join(too_old)}: {_INSTALL}", code="wrong_java")
    raise JobError(f"Spark needs Java {OLDEST} or later, and neither JAVA_HOME nor PATH has one: {_INSTALL}", code="no_java")


def _version(java: Path) -> int:
    """Return the feature release of a Java, or 0 if the program is not a Java."""
    try:
        told = subprocess.run(  # noqa: S603 - the user's settings name this Java
            [java, "-version"], capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    return version_in(told.stderr)


def version_in(text: str) -> int:
    """Return the feature release in the output of `java -version`, or 0 if there is no version in it.

    >>> version_in('openjdk version "17.0.15" 2025-04-15'), version_in('java version "1.8.0_402"'), version_in("sh")
    (17, 8, 0)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found[1]) if found else 0


if __name__ == "__main__":
    try:
        print(find_java())  # noqa: T201 - a command line prints
    except JobError as error:
        sys.exit(error.message)
