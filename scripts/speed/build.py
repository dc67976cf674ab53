"""Compiles the hot modules with mypyc and puts them beside their sources: `make speed`. `--remove` deletes them.

Modules of one group call one another directly; groups are compiled in parallel. mqconvert/compiled.json has a digest of every
source; mqconvert/compiled.py refuses modules with changed sources.
"""

import argparse
import json
import os
import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "mqconvert"
MANIFEST = PACKAGE / "compiled.json"
SHIPPED = PACKAGE / "converters" / "shipped"
PRINTED = "printed_codec"

GROUPS = ("model", "codecs", "brokers", "words", "engine")
LEVEL = os.environ.get("MYPYC_OPT_LEVEL")
"""The optimization of all groups; unset: -O3, and FUNCTION_FLAGS for functions."""
FUNCTION_FLAGS = ["-O1", "-fno-tree-pta", "-finline-small-functions", "-freorder-blocks-algorithm=stc"]
"""For functions but those of `documented`, the default: half the time of -O3, for 2% more time of a conversion."""


def remove() -> None:
    """Delete every compiled module and the manifest."""
    MANIFEST.unlink(missing_ok=True)
    for folder in (PACKAGE, ROOT / "converters"):
        for path in folder.rglob("*.so"):
            path.unlink()


MODULES = {
    "model": [
        *(f"model/{name}" for name in ("values", "jsonform", "wiretypes", "plain", "compound", "bodies", "entries", "fields")),
        *("model/sections", "model/paths"),
    ],
    "codecs": ["model/primitives"],
    "brokers": ["protocols/calls"],
    "words": [f"words/{name}" for name in ("answers", "conditions", "transforms")],
    "engine": [
        *(f"engine/{name}" for name in ("runtime", "notes", "values", "equality", "summary", "report")),
        *("running", "converting", "transcoding", "pipeline", "columns/loop"),
    ],
}
"""The modules below converters/ by their group, without those of protocols."""
OF_PROTOCOLS = {"model": ("message",), "codecs": ("codec", PRINTED, "protobufs"), "words": ("words", "words/[!_]*")}
"""Those in the folder of a protocol, if it has them. The codecs of brokers are a group of their own.

`inspect.signature` does not read compiled functions within functions: makers of words return partial objects of others.
"""


def grouped(wanted: list[str], profiles: list[str] | None) -> dict[str, list[str]]:
    """Return the files to compile by their group, with those of functions and printed codecs."""
    from mqconvert.converters.protocols import PROTOCOLS  # noqa: PLC0415 - after the compiled modules are gone

    folders = {protocol.message.__module__.split(".")[-2]: protocol for protocol in PROTOCOLS.ours()}
    brokers = [folder for folder, protocol in folders.items() if protocol.frames]  # several frames: those of a broker alone
    groups = {name: [f"mqconvert/converters/{module}.py" for module in MODULES[name]] for name in wanted}
    for name, kinds in OF_PROTOCOLS.items():
        for folder in folders:
            group = "brokers" if name == "codecs" and folder in brokers else name
            found = (
                file for kind in kinds for file in sorted(Path(f"mqconvert/converters/protocols/{folder}").glob(f"{kind}.py"))
            )
            groups.get(group, []).extend(map(str, found))
    begins = ("",) if profiles is None else tuple(re.sub(r"\W", "_", f"{profile}_") for profile in profiles)
    for path in sorted(SHIPPED.glob("[!_]*.py")):
        name = path.stem.removeprefix("fused_")
        if name.startswith(begins) and name != "index":
            group = next((broker for broker in brokers if broker in name), name.split("_")[0])
            groups.setdefault(f"functions_{group}", []).append(f"mqconvert/converters/shipped/{path.name}")
    return groups


def compile_all(wanted: list[str], profiles: list[str] | None, processes: int) -> None:
    """Compile groups and the functions of profiles, and write the manifest at the end."""
    os.chdir(ROOT)
    sys.path[:0] = str(ROOT), str(Path(__file__).parent)  # these sources, not those of another checkout that is installed
    remove()
    import operations  # noqa: PLC0415 - mypyc, as below
    from mypyc.build import include_dir, mypycify  # noqa: PLC0415 - it patches setuptools, which the rest of the program need not see
    from setuptools import setup  # noqa: PLC0415 - the same

    from mqconvert.compiled import digest  # noqa: PLC0415 - it reads the manifest on import

    groups = grouped(wanted, profiles)
    sources = {file.removeprefix("mqconvert/"): file for files in groups.values() for file in files}
    files = [file for group in groups.values() for file in group]
    operations.register()
    extensions = mypycify(
        ["--config-file=scripts/speed/mypy.ini", *files],
        opt_level=LEVEL or "3",
        debug_level="0",
        target_dir="build/speed",
        separate=[(group, f"mqconvert.compiled_{name}") for name, group in groups.items()],
    )
    for extension in extensions:
        flags = ["-fvisibility=hidden"]  # hidden functions can be inlined
        if extension.name.endswith("__mypyc"):  # a group; the others only name its modules
            flags += ["-include", str(operations.HEADER)]
            extension.depends.append(str(operations.HEADER))
        if LEVEL is None and "functions_" in extension.name and "functions_documented" not in extension.name:
            flags += FUNCTION_FLAGS
        extension.extra_compile_args = [*extension.extra_compile_args, *flags]
        extension.include_dirs.append(include_dir())
    # The largest first: otherwise one compiler works on it alone at the end.
    extensions.sort(key=lambda extension: sum(Path(source).stat().st_size for source in extension.sources), reverse=True)
    setup(
        name="mqconvert-speed",
        ext_modules=extensions,
        packages=[],
        script_args=["-q", "build_ext", "--inplace", f"-j{processes}"],
    )
    manifest = {
        "suffix": EXTENSION_SUFFIXES[0],
        "sources": {name: digest(Path(file).read_bytes()) for name, file in sources.items()},
    }
    MANIFEST.write_text(json.dumps(manifest, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile the hot modules beside their sources.")
    parser.add_argument("--remove", action="store_true", help="take the compiled modules away")
    parser.add_argument("--group", action="append", choices=GROUPS, help="compile this group of modules alone (repeatable)")
    parser.add_argument(
        "--profile", action="append", help="compile the functions of this profile alone (repeatable); none: of no profile"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="C compilers at once")
    options = parser.parse_args()
    if options.remove:
        remove()
    else:
        compile_all(options.group or list(GROUPS), options.profile, options.processes)


if __name__ == "__main__":
    main()
