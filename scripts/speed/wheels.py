"""Builds dist/ with the pure wheel and this machine's wheel of mqconvert-speed, and installs both into an empty environment.

mqconvert-speed contains only the compiled modules of `make speed`, and requires the same version of mqconvert.
"""

import base64
import hashlib
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
TAG = f"{PYTHON}-{PYTHON}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
METADATA = f"""Metadata-Version: 2.1
Name: mqconvert-speed
Version: {VERSION}
Summary: Compiled modules of mqconvert
License: Apache-2.0
Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*
Requires-Dist: mqconvert=={VERSION}
Requires-Dist: librt=={version("librt")}
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: mqconvert\nRoot-Is-Purelib: false\nTag: {TAG}\n"
ASK = """
import mqconvert.compiled
from contextlib import suppress
from mqconvert import PROTOCOLS, ClientLibraryError, convert, encode

for protocol in PROTOCOLS.known():
    with suppress(ClientLibraryError):  # a codec that needs a package of an extra
        protocol.codec_module()
encode(convert(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0").message)
print(mqconvert.compiled.RUNNING)
"""


def compiled_files() -> dict[str, bytes]:
    """Return the compiled modules and their manifest, by their names in the wheel."""
    found = {f"mqconvert/{path.relative_to(ROOT)}": path for path in (ROOT / "converters").rglob("*.so")}
    found |= {f"mqconvert/{path.name}": path for path in (ROOT / "mqconvert").glob("*.so")}
    return {name: path.read_bytes() for name, path in (found | {"mqconvert/compiled.json": MANIFEST}).items()}


MANIFEST = ROOT / "mqconvert" / "compiled.json"


def write_wheel() -> Path:
    """Write the wheel of mqconvert-speed."""
    info = f"mqconvert_speed-{VERSION}.dist-info"
    files = compiled_files() | {f"{info}/METADATA": METADATA.encode(), f"{info}/WHEEL": WHEEL.encode()}
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    wheel = DIST / f"mqconvert_speed-{VERSION}-{TAG}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def main() -> None:
    if not MANIFEST.exists():
        sys.exit("no compiled modules: run make speed first")
    DIST.mkdir(exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(DIST), str(ROOT)], check=True)
    pure, speed = DIST / f"mqconvert-{VERSION}-py3-none-any.whl", write_wheel()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        install = [*pip, "--python", str(python), "install", str(pure)]
        for wheels, wanted in (([], "sources"), ([str(speed)], "compiled modules")):
            subprocess.run([*install, *wheels], check=True)
            done = subprocess.run([str(python), "-I", "-c", ASK], capture_output=True, text=True, check=True, cwd="/")
            if not done.stdout.startswith(wanted):
                sys.exit(f"the installed package runs {done.stdout}{done.stderr}")
    sys.stdout.write(f"{pure.name}\n{speed.name}\n")


if __name__ == "__main__":
    main()
