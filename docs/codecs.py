"""The codecs of layouts as modules: `make generate` writes printed_codec.py beside the wire.py of each protocol.

A review shows the effect of a change in a form, a shape or the printer. `make speed` compiles these modules.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from docs.generated import write_or_check
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.wire.layouts import Layout

FOLDER = Path(__file__).parent.parent / "converters" / "protocols"


def layouts() -> dict[str, Layout]:
    """Return the layouts of our protocols by the folders of their packages."""
    packages = [protocol.codec.rpartition(".")[0] for protocol in PROTOCOLS.ours()]
    wires = [import_module(f"{package}.wire") for package in packages if find_spec(f"{package}.wire") is not None]
    return {wire.LAYOUT.package.rpartition(".")[2]: wire.LAYOUT for wire in wires}


def modules() -> dict[str, str]:
    """Return the texts of the modules by the names of their files."""
    return {f"{folder}/printed_codec.py": layout.module for folder, layout in layouts().items()}


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "*/printed_codec.py", modules(), sys.argv[1:]))
