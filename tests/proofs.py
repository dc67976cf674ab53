"""Proofs of static facts, such as "no literal of a row becomes code": they take long, and always give the same answer.

A test with the mark `proof` runs if the library, the tables or its own file changed since it passed: the file proofs.json has
the hash of these for each proof. With `--deep` it always runs. With `--record-proofs`, a run of whole files without
failures writes the hashes of the proofs that it ran; the Makefile gives the option. Both lanes try the same examples.
"""

import hashlib
import json
from functools import cache
from pathlib import Path

import pytest

FILE = "tests/data/proofs.json"
INPUTS = ("converters/**/*.py", "mappings/*.toml", "tests/*.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run all proofs, and random tests with all their examples")
    parser.addoption("--record-proofs", action="store_true", help=f"after a run that passed, write its proofs to {FILE}")


@cache
def digest(root: Path, own: str) -> str:
    """Return the hash of all files that a proof in the file `own` depends on."""
    made = hashlib.sha256()
    found = {root / own, *(path for pattern in INPUTS for path in root.glob(pattern))}
    for path in sorted(path for path in found if path == root / own or not path.name.startswith("test_")):  # of other tests
        made.update(f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return made.hexdigest()


def _kept(root: Path) -> dict[str, str]:
    """Return the digests of the last proofs by the names of the tests; none without the file."""
    file = root / FILE
    known: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    return known


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the proofs whose inputs are those of the last proof."""
    kept, left_out = _kept(config.rootpath), []
    for item in items:
        if item.get_closest_marker("proof") is None:
            continue
        name = item.nodeid.partition("[")[0]
        now = digest(config.rootpath, name.partition("::")[0])
        if now == kept.get(name) and not config.getoption("deep"):
            left_out.append(item)
        item.user_properties.append((name, now))  # reports bring it to the process that writes the file
    config.hook.pytest_deselected(items=left_out)
    known = set(left_out)
    items[:] = [item for item in items if item not in known]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the digests of the proofs of a run without failures."""
    config = session.config
    narrowed = config.option.keyword or any("::" in arg for arg in config.args)  # to some cases of a proof
    worker = hasattr(config, "workerinput")  # of xdist: it knows nothing of the failures of others
    if worker or exitstatus != 0 or narrowed or not config.getoption("record_proofs"):
        return
    terminal = config.pluginmanager.getplugin("terminalreporter")
    passed = dict(known for report in terminal.stats.get("passed", ()) for known in report.user_properties)
    made = json.dumps(_kept(config.rootpath) | passed, indent=2, sort_keys=True)
    (config.rootpath / FILE).write_text(f"{made}\n")
