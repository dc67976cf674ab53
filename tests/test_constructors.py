"""The `__init__` that scripts/speed gives compiled dataclasses is the one that `dataclasses` gives the sources."""

import inspect
import runpy
import sys
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from mqconvert.compiled import is_compiled
from mqconvert.converters import running
from mqconvert.converters.model import bodies, values
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words import answers

REPOSITORY = Path(__file__).parents[1]
constructors = runpy.run_path(str(REPOSITORY / "scripts" / "speed" / "constructors.py"))["constructors"]
MODULES = [values, bodies, answers, running, *(sys.modules[protocol.message.__module__] for protocol in PROTOCOLS.ours())]


def _default(field: "Field[Any]") -> object:
    """Return the default of a field in the text: `...` for one that is made anew."""
    if field.default_factory is not MISSING:
        return ...
    return inspect.Parameter.empty if field.default is MISSING else field.default


@pytest.mark.skipif(is_compiled(), reason="a compiled class checks the types of its fields")
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_compiled_constructors_take_the_fields_of_their_classes(module: Any) -> None:
    made = constructors((REPOSITORY / f"{module.__name__.replace('.', '/')}.py").read_text())
    own: list[Any] = [
        class_ for class_ in vars(module).values() if is_dataclass(class_) and class_.__module__ == module.__name__
    ]
    assert "Message" not in vars(module) or "Message" in made
    for class_ in (class_ for class_ in own if class_.__name__ in made):
        names: dict[str, Any] = dict(vars(module))
        exec(made[class_.__name__], names)
        parameters = list(inspect.signature(names["__init__"]).parameters.values())[1:]
        assert [(each.name, each.default) for each in parameters] == [(each.name, _default(each)) for each in fields(class_)]
        needed = [object() for each in parameters if each.default is inspect.Parameter.empty]
        built = class_.__new__(class_)
        names["__init__"](built, *needed)
        wanted = class_(*needed)
        assert {each.name: getattr(built, each.name) for each in fields(class_)} == {
            each.name: getattr(wanted, each.name) for each in fields(class_)
        }
