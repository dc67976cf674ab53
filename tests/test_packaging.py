"""The package as users install it: the contents of the wheel, the imports, and the public names."""

import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import mqconvert
from mqconvert import messages

REPOSITORY = Path(__file__).parents[1]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
SOURCES = {package.partition(".")[0]: REPOSITORY / package for package in ("app", "converters", "mappings")}
PUBLISH = "3006000174006869"


def _python(code: str, **environment: str) -> str:
    """Return the output of a new interpreter with the standard library only, without the checkout or its packages."""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build wheel and source distribution from a copy of the tree, with this environment's backend."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE", "mqconvert", "app", "converters", "mappings"):
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(
                source, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.so", "compiled.json")
            )
        else:
            shutil.copy(source, copy / name)
    code = "from setuptools import build_meta as b; b.build_wheel('dist'); b.build_sdist('dist')"
    done = subprocess.run([sys.executable, "-c", code], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "would be ignored" not in done.stderr
    return copy / "dist"


def _wheel(built: Path) -> Path:
    (wheel,) = built.glob("*.whl")
    return wheel


def test_the_wheel_has_one_name_and_every_module(built: Path) -> None:
    names = zipfile.ZipFile(_wheel(built)).namelist()
    assert {name.partition("/")[0] for name in names} == {"mqconvert", f"mqconvert-{PROJECT['project']['version']}.dist-info"}
    for folder in ("app", "converters", "mappings"):
        files = {
            file
            for file in (REPOSITORY / folder).rglob("*.*")
            if file.is_file() and file.suffix not in (".md", ".pyc", ".proto", ".so")
        }
        assert {f"mqconvert/{file.relative_to(REPOSITORY)}" for file in files} <= set(names)
    assert {"mqconvert/py.typed", "mqconvert/__init__.pyi"} <= set(names)
    assert not [name for name in names if "test" in name]


def test_the_source_distribution_is_built(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    assert archive.name == f"mqconvert-{PROJECT['project']['version']}.tar.gz"


def test_the_package_works_from_a_zip_with_only_the_standard_library(built: Path) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(_wheel(built))!r})
import mqconvert
from importlib.resources import files
assert ".whl" in mqconvert.__file__
assert (files("mqconvert") / "py.typed").is_file()
done = mqconvert.convert(bytes.fromhex({PUBLISH!r}), "amqp-0.9.1", source="mqtt-5.0")
print(done.message.payload, len(mqconvert.rule_tables("rabbitmq-4.3")) == len(mqconvert.rule_tables()))
"""
    assert _python(code) == "b'hi' True"


def test_packages_are_the_folders_of_the_tree() -> None:
    folders = {
        ".".join(("mqconvert", *file.parent.relative_to(REPOSITORY).parts))
        for name in ("app", "converters", "mappings")
        for file in (REPOSITORY / name).rglob("*.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders | {"mqconvert"}
    assert all((REPOSITORY / package.replace(".", "/") / "__init__.py").exists() for package in folders)


@pytest.mark.parametrize("module", ["mqconvert", "mqconvert.converters.account.fidelity", "mqconvert.app.cli"])
def test_an_import_needs_only_the_standard_library(module: str) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(REPOSITORY)!r})
before = set(sys.modules)
import {module}
found = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(sorted(found - sys.stdlib_module_names - {{"mqconvert"}}))
"""
    assert _python(code) == "[]"


def test_an_import_loads_no_optional_package() -> None:
    extras = {
        re.split(r"[\[<>=~!; ]", need)[0].replace("-", "_")
        for needs in PROJECT["project"]["optional-dependencies"].values()
        for need in needs
    }
    extras.discard(PROJECT["project"]["name"])  # an extra may include another one: mqconvert[brokers]
    assert extras >= {"fastapi", "pydantic"}
    code = "import sys, mqconvert, mqconvert.app.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    assert not extras & set(done.stdout.split())


def test_the_compiled_modules_of_an_extra_are_of_the_same_version() -> None:
    project = PROJECT["project"]
    assert f"mqconvert-speed=={project['version']}" in project["optional-dependencies"]["speed"]


def test_an_import_defers_the_library_until_a_name_is_used() -> None:
    code = """
import sys
import mqconvert
ours = {name for name in sys.modules if name.startswith("mqconvert")}
print(sorted(ours), sorted({"dataclasses", "inspect", "json", "re", "typing"} & set(sys.modules)))
print(mqconvert.decode.__module__, "mqconvert.converters.routes" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})\n{code}"],
                          capture_output=True, text=True, check=True, env={"MQCONVERT_PURE": "1"})  # fmt: skip
    assert done.stdout.splitlines()[1:] == ["mqconvert.converters.protocols.calls False"]
    assert done.stdout.splitlines()[0] == "['mqconvert', 'mqconvert.compiled'] []"


def test_dir_shows_only_the_public_names() -> None:
    assert set(dir(mqconvert)) == {*mqconvert.__all__, "__version__", "clients", "messages", "plugin"}
    assert mqconvert.__version__ == PROJECT["project"]["version"]


def test_the_wheel_names_its_author_and_license(built: Path) -> None:
    with zipfile.ZipFile(_wheel(built)) as wheel:
        folder = f"mqconvert-{PROJECT['project']['version']}.dist-info"
        told = Parser().parsestr(wheel.read(f"{folder}/METADATA").decode())
        assert "Apache License" in wheel.read(f"{folder}/licenses/LICENSE").decode()
    assert (told["License-Expression"], told["Author"], told["Project-URL"]) == ("Apache-2.0", "mqconvert developers", None)
    assert "Programming Language :: Python :: 3.14" in told.get_all("Classifier", [])


def test_every_error_is_exported() -> None:
    from mqconvert.converters import errors  # noqa: PLC0415 - a private module

    defined = {name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, Exception)}
    public = [getattr(mqconvert, name) for name in mqconvert.__all__]
    raised = {value for value in public if inspect.isclass(value) and issubclass(value, Exception)}
    assert defined == {kind.__name__ for kind in raised}
    assert defined <= set(mqconvert.__all__)


def test_exported_names_exist_and_no_other_is_public() -> None:
    assert all(hasattr(mqconvert, name) for name in mqconvert.__all__)
    assert set(mqconvert.__all__) == {
        name for name, value in vars(mqconvert).items() if name[0] != "_" and not inspect.ismodule(value)
    }


SHOWN_ELSEWHERE = {"Report", "LossPolicy"}
"""Classes without examples: `Conversion` and `convert` have theirs."""


@pytest.mark.parametrize("name", sorted(mqconvert.__all__))
def test_every_exported_name_is_documented(name: str) -> None:
    value = getattr(mqconvert, name)
    if not (inspect.isclass(value) or inspect.isfunction(value)) or name in SHOWN_ELSEWHERE:
        return
    text = value.__doc__ or ""
    assert text.strip()
    assert not text.startswith(f"{name}("), "a dataclass's own docstring is none"
    members = inspect.getmembers(value, inspect.isfunction) if inspect.isclass(value) else []
    examples = [text, *(member.__doc__ or "" for _, member in members)]
    assert any(">>>" in example for example in examples), f"{name} has no example"


def test_only_the_registry_lists_all_protocols() -> None:
    names = set(mqconvert.PROTOCOLS)
    folders = {protocol.message.__module__.split(".")[-2] for protocol in mqconvert.PROTOCOLS.values()}
    naming = set()
    for folder in ("app", "converters", "mqconvert", "scripts"):
        for file in (REPOSITORY / folder).glob("**/*.py" if folder != "mqconvert" else "*.py"):
            texts = {node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)}
            if names <= texts or (folder == "scripts" and folders <= texts):
                naming.add(file.relative_to(REPOSITORY).as_posix())
    assert naming == {"converters/protocols/__init__.py"}


def test_every_protocol_of_ours_has_a_public_module_of_messages() -> None:
    folders = {protocol.message.__module__.split(".")[-2] for protocol in mqconvert.PROTOCOLS.ours()}
    assert set(messages.__all__) == {"Entry"} | folders


def test_doors_know_no_field_of_any_protocol() -> None:
    from mqconvert.converters.model.places import places  # noqa: PLC0415 - a private module

    fields = {path.rpartition(".")[2] for protocol in mqconvert.PROTOCOLS.values() for path in places(protocol)}
    fields = {field for field in fields if "_" in field}
    assert {"message_id", "topic_name", "user_properties"} <= fields
    for file in [*(REPOSITORY / "app").rglob("*.py"), *(REPOSITORY / "converters" / "spark").glob("*.py")]:
        words = set(re.findall(r"[a-z][a-z_]+", file.read_text()))
        assert not words & fields, file
