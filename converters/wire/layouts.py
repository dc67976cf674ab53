"""A protocol's layout: its shapes, and the names that their functions use. It prints the functions as the text of a module."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import islice
from typing import Any

from mqconvert.converters.printed.defining import defined, show
from mqconvert.converters.printed.nodes import Function, Name, nodes_in
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.wall import BUILTINS, pass_wall
from mqconvert.converters.wire.messages import MessageLayout
from mqconvert.converters.wire.shapes import Fixed, Shape

_ROOM = "mqconvert.converters"
_COMMON = ("typing", *(f"{_ROOM}.{name}" for name in ("errors", "model.native", "model.primitives", "model.entries")))
"""Modules whose names every layout may use."""
_BUILTINS = ("AttributeError", "IndexError", "KeyError", "OverflowError", "UnicodeError", "ValueError", "object", "tuple")
"""Python's own names that functions use, beside those of the wall."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The layout of a protocol.

    * `package`: the protocol's package, which has `codec`; `shapes`: the groups, unions and single functions that are printed;
    * `types`: the name of its wire types in its module `types`, to which functions refer as `types`;
    * `uses`: further modules whose names functions use, such as that of the message class;
    * `message`: how a whole message stands in bytes, for a protocol whose messages are transcoded (engine/fused.py).
    """

    package: str
    shapes: Sequence[Shape | Function]
    types: str
    uses: Sequence[str] = ()
    message: MessageLayout | None = None

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The nodes of the functions."""
        return tuple(each for shape in self.shapes for each in ([shape] if isinstance(shape, Function) else shape.functions()))

    @cached_property
    def printed(self) -> Printed:
        """The text of the functions."""
        return Printed(self.functions)

    @property
    def origins(self) -> Iterator[tuple[str, str, str]]:
        """Yield each name from outside with its module and its name there; the name is empty for the module itself."""
        own = {node.name for node in self.functions}
        yield from self.origins_of({node.id for node in nodes_in(*self.functions) if isinstance(node, Name)} - own)

    def origins_of(self, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        """Yield those names that come from outside, as `origins` does."""
        for name in sorted(names):
            if name == "codec":
                yield name, f"{self.package}.codec", ""
            elif name == "types":
                yield name, f"{self.package}.types", self.types
            elif name in _BUILTINS:
                yield name, "builtins", name
            elif name not in BUILTINS:
                modules = (module for module in (*_COMMON, *self.uses) if hasattr(import_module(module), name))
                yield from ((name, module, name) for module in islice(modules, 1))

    @property
    def module(self) -> str:
        """The text of the module `printed_codec`: imports, the functions, and what sources run in place of some."""
        head = [f'"""The codec printed from {self.package}.wire: `make generate` writes it."""', ""]
        used: dict[str, list[str]] = {}
        for name, module, own in self.origins:
            used.setdefault(module, []).append(name if name == own else f"{own} as {name}".lstrip())
        used.pop("builtins", None)
        if self._of_sources:
            used.setdefault(f"{_ROOM}.model.primitives", []).append("COMPILED")
            used["struct"] = ["Struct"]
        for module, names in sorted(used.items()):
            head.append(
                f"import {module} {names[0]}" if names[0].startswith("as ") else f"from {module} import {', '.join(names)}"
            )
        pass_wall(self.printed.stable, self.functions, [name for name, _, _ in self.origins], self.package)
        return "\n".join([*head, "", "", self.printed.stable, *self._of_sources])

    @property
    def _of_sources(self) -> list[str]:
        """The lines that put readers of `struct` in place of those of fixed sizes, where nothing is compiled."""
        fixed = [shape for shape in self.shapes if isinstance(shape, Fixed)]
        readers = [f"    read_{shape.name} = Struct({shape.layout!r}).unpack_from" for shape in fixed]
        return ["if not COMPILED:", *readers, ""] if readers else []

    def load(self) -> dict[str, Any]:
        """Return the functions by their names, for a protocol whose package has no module `printed_codec`.

        Raises RuleTableError for a text that does not pass the wall.
        """
        filename = f"<printed codec of {self.package}>"
        known = {name: _object(module, own) for name, module, own in self.origins}
        show(filename, self.printed.text)
        return defined(self.functions, self.printed, known, filename)


def _object(module: str, name: str) -> object:
    found = import_module(module)
    return getattr(found, name) if name else found
