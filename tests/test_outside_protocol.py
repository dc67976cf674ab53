"""A protocol of another package works in every interface. The example is installed in its own environment.

That environment runs the tests of the example (codec, rows, interfaces), and those of our tests that cover all protocols.
"""

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.on_spark import ENVIRONMENT, ON_SPARK

REPOSITORY = Path(__file__).parents[1]
EXAMPLE = REPOSITORY / "docs" / "examples" / "mqconvert-stomp"
NAME = "stomp"

# One worker installs it once.
pytestmark = [pytest.mark.system, pytest.mark.xdist_group("outside")]

_, ON_JAVA = ON_SPARK  # starts its own JVM, so any worker can run it


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the packages of this one and the example."""
    folder = tmp_path_factory.mktemp("outside")
    venv.create(folder / "venv", symlinks=True)
    made = folder / "venv" / "bin" / "python"
    purelib = _run(made, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    here = sysconfig.get_path("purelib")
    Path(purelib, "beside.pth").write_text(f"import site; site.addsitedir({here!r})\n")  # include its editable installs
    # Install from a copy: setuptools writes beside its sources.
    copy = shutil.copytree(EXAMPLE, folder / "copy", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    options = ["-q", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"]
    _run(sys.executable, "-m", "pip", "--python", made, "install", *options, copy)
    return made


def _run(*command: str | Path, **environment: str) -> str:
    """Return the output of a command, which must succeed."""
    done = subprocess.run(
        command, cwd=REPOSITORY, env=os.environ | environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]
    return done.stdout


def _tests(python: Path, *arguments: str | Path, **environment: str) -> str:
    return _run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *arguments, **environment)


def test_an_outside_protocol_is_loaded_by_its_entry_point_and_not_on_import(python: Path) -> None:
    code = (
        "import sys, mqconvert; before = 'mqconvert_stomp' in sys.modules; "
        "print(before, list(mqconvert.PROTOCOLS)[-1], mqconvert.PROTOCOLS['stomp'].message.__module__)"
    )
    assert _run(python, "-c", code).split() == ["False", NAME, "mqconvert_stomp.message"]
    assert "site-packages" in _run(python, "-c", "import mqconvert_stomp; print(mqconvert_stomp.__file__)")


def test_an_outside_protocol_works_in_every_interface(python: Path) -> None:
    assert " passed" in _tests(python, "-m", "not spark", EXAMPLE / "tests")


@ON_JAVA
def test_messages_of_an_outside_protocol_convert_on_spark(python: Path) -> None:
    assert "1 passed" in _tests(python, "-m", "spark", EXAMPLE / "tests", **(ENVIRONMENT | {"PYSPARK_PYTHON": str(python)}))


GENERIC = [
    "tests/converters/engine/test_samples.py",
    "tests/converters/json/test_messages.py::test_random_json_is_read_or_refused",
    "tests/converters/json/test_messages.py::test_messages_round_trip",
    "tests/converters/json/test_schemas.py::test_schemas_are_valid_in_their_dialect",
    "tests/converters/json/test_schemas.py::test_schemas_accept_every_written_form",
    "tests/converters/model/test_places.py",
    "tests/converters/protocols/test_codecs.py",
    "tests/converters/engine/test_trials.py::test_a_row_is_refused_or_converts",
    "tests/converters/test_laws.py::test_every_conversion_keeps_the_laws",
]
"""Our tests that cover all protocols or tables, here for protocols of other packages."""


def test_tests_for_all_protocols_pass_for_an_outside_protocol(python: Path) -> None:
    said = _tests(python, "--deep", "-k", NAME, *GENERIC)
    assert int(said.rpartition(" passed")[0].split()[-1]) >= 20, said


def test_generated_files_ignore_installed_outside_protocols(python: Path) -> None:
    _run(python, "-m", "docs.openapi", "--check")
    code = (
        "from mqconvert import PROTOCOLS, routes, rule_tables\n"
        "from docs.pages import table_pages\n"
        "with PROTOCOLS.ours_alone():\n"
        "    print(len(routes()), any('stomp' in page for page in (*table_pages(), *PROTOCOLS)))\n"
        "print(len(routes()), 'stomp' in PROTOCOLS)"
    )
    assert _run(python, "-c", code).split() == ["56", "False", "72", "True"]


def test_the_example_imports_only_public_modules() -> None:
    imported = {
        node.module
        for file in (EXAMPLE / "mqconvert_stomp").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("mqconvert.")
    }
    assert imported == {"mqconvert.plugin"}


def test_no_source_file_names_the_outside_protocol() -> None:
    named = [
        str(file)
        for folder in ("app", "converters", "mappings", "mqconvert")
        for file in (REPOSITORY / folder).rglob("*")
        if file.suffix in (".py", ".toml", ".html") and NAME in file.read_text(encoding="utf-8").lower()
    ]
    assert named == []
