"""Expressions of a table's function for its source: values, keys, field paths and wire types."""

import builtins
import keyword

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.names import NONE, Names, is_text, lost
from mqconvert.converters.engine.nodes import ENVIRONMENT, Branch, Function, kind_of, place_and_key, typed_entries
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.model.places import BODY, ENTRIES, SCALAR, SECTION, TYPED, Place
from mqconvert.converters.printed.nodes import Attribute, Choice, Expression, Junction, Name, Operation, Statement, literal
from mqconvert.converters.printed.templates import code
from mqconvert.converters.words import Word
from mqconvert.converters.words.phrases import HANDED

_NAMES = (
    "source", "environment", "notes", "taken", "lost", "before", "key", "label", "index", "item", "text", "raw",
    "number", "typed", "value", "type_", "made", "name", "fault", "by", "as_", "took", "seen", "first",
    "sections", "target", "inside", "renamed_top", "frame", HANDED,
)  # fmt: skip
"""The other names of a generated function without a prefix; no field of a specification has one of them."""


class Expressions:
    """The expressions of one table."""

    def __init__(self, function: Function, names: Names) -> None:
        self.function, self.names = function, names
        self.read_places, self.to_places = function.read_places, function.to_places
        self.locals = _locals(function)
        self.started = {branch.place.path for branch in function.start}

    def arguments(self, branch: Branch, word: Word, reads: tuple[str, ...]) -> list[Expression]:
        """Return the value and as many of the row's `reads` as the word accepts."""
        return [self.value(branch.place), *(self.read(branch, read) for read in reads)][: word.takes]

    def kinds(self, branch: Branch) -> list[str | None]:
        """Return the Python forms of a row's value and of its `reads`; None for several, an entry, and what is of the row."""
        return [branch.kind, *map(self._kind_of, branch.rule.reads)]

    def _kind_of(self, read: str) -> str | None:
        place = self.read_places.get(read)
        return kind_of(self.function.types_at(place)) if place and place.kind == SCALAR else None

    def read(self, branch: Branch, read: str) -> Expression:
        """Return the expression of one of a row's `reads`: a place, an entry (`*` is the row's own key), or of the row."""
        path, key = place_and_key(read)
        if path == "@as":
            return literal(branch.rule.as_)
        if path == "@key":
            return key_name(branch.place)
        if path == "@type":
            return self.type_text(branch.place)
        if path == "@message":
            return Name("source")
        if key is not None:
            return code("{0}.get({1})", self.index(path), self.templated(branch.rule, key))
        held = self.where(path)
        return Junction("or", (held, NONE)) if self.read_places[path].empty_is_unset else held

    @staticmethod
    def index(path: str) -> Name:
        """Return the variable with the entries of a place by key, for the rows that read one."""
        return Name(f"index_{path.replace('.', '_')}")

    def where(self, path: str) -> Expression:
        """Return the expression of a place that a row may read, which may be the result of a start row."""
        place = self.read_places[path]
        if path in ENVIRONMENT:
            return Attribute(Name("environment"), place.attribute)
        return Name(f"from_{place.name}") if path in self.started else self.held(place)

    def held(self, place: Place) -> Expression:
        """Return the expression of a field of the source or of a section."""
        return Attribute(Name(place.section or "source"), place.attribute)

    def local(self, path: str) -> Name:
        """Return the variable of a field's value."""
        return Name(self.locals[path])

    def called(self, branch: Branch) -> Expression:
        assert branch.via is not None
        arguments = self.arguments(branch, branch.via, branch.rule.reads)
        made = self.names.transformed(branch.via, arguments, branch.kind, utf8=branch.utf8)
        return made.then if isinstance(made, Choice) and made.test == self.condition(branch) else made

    def condition(self, branch: Branch) -> Expression | None:
        """Return the test of a row's condition."""
        if branch.when is None:
            return None
        return self.names.condition(branch.when, self.kinds(branch), self.arguments(branch, branch.when, branch.rule.reads))

    def key(self, rule: Rule) -> Expression:
        return self.templated(rule, rule.target_template or "*")

    def templated(self, rule: Rule, template: str) -> Expression:
        """Return a key with `*` replaced by the text that the `*` of the row's pattern matched.

        `*` alone is the whole key, `**` that matched text.
        """
        if "*" not in template:
            return literal(template)
        stem = rule.source_pattern[:-1] if rule.source_pattern and rule.source_pattern.endswith("*") else ""
        before, _, after = template.partition("**" if "**" in template else "*")
        key = key_name(self.read_places[rule.source])
        if template == "*" or (before == stem and not after):
            return key
        text = code("{0}[{1}:]", key, literal(len(stem))) if stem else key
        if template == "**":
            return text
        text = Operation(literal(before), "+", text) if before else text
        text = Operation(text, "+", literal(after)) if after else text
        return Choice(is_text(key), text, key) if self.may_be_number(rule) else text

    def may_be_number(self, rule: Rule) -> bool:
        """Return whether the keys of a row may be numbers. A ulong key of AMQP 1.0 annotations has no text to match."""
        return self.read_places[rule.source].number_keys and rule.source_pattern in (None, "*")

    def value(self, place: Place) -> Expression:
        if typed_entries(place):
            return code("typed.value")
        if place.kind == ENTRIES:
            return Name("item" if place.keys is None else "value")
        return Name("value" if place.kind == TYPED else self.locals[place.path])

    def path(self, place: Place) -> Expression:
        whole = literal(place.path)
        return code("path({0}, {1})", whole, self.own(place)) if place.kind == ENTRIES else whole

    def own(self, place: Place) -> Expression:
        """Return the key of an entry in the message; None for a field."""
        return key_name(place) if place.kind == ENTRIES else NONE

    def type_text(self, place: Place) -> Expression:
        if place.kind == TYPED or typed_entries(place):
            return Name("type_")
        if place.kind == BODY:
            return code("BODY_TYPES.get(type({0}), 'body')", self.value(place))
        return literal(self.function.types_at(place)[0].name)

    def lost(self, place: Place, reason: Expression, row: Expression = NONE) -> Statement:
        return lost(self.path(place), self.type_text(place), reason, row)


def key_name(place: Place) -> Name:
    """Return the name of the key of an entry: one for text, one for text or a number, and one for the index in a list.

    >>> from mqconvert.converters.model.places import places
    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> [key_name(places(PROTOCOLS["amqp-1.0"])[path]).id for path in ("application_properties", "message_annotations")]
    ['key', 'label']
    """
    return Name("index" if place.keys is None else "label" if place.number_keys else "key")


def by_key(place: Place, entries: Expression) -> Expression:
    """Return the expression of a dict of the values of a map or list of pairs, by key."""
    return code("by_key({0})" if typed_entries(place) else "dict({0} or ())", entries)


def target_name(place: Place) -> Name:
    """Return the variable of a place of the target."""
    return Name(f"to_{place.name}")


def filled_name(place: Place) -> Name:
    """Return the variable with the keys that rows have filled in a map of the target: for maps that may be large, a set."""
    return Name(f"filled_{place.name}") if typed_entries(place) else target_name(place)


def used_name(place: Place) -> Name:
    """Return the variable that tells whether a row has used the whole of a place."""
    return Name(f"used_{place.name}")


def in_frame(branch: Branch) -> Expression:
    """Return the test for the frames that a row is for."""
    if len(branch.frames) == 1:
        return code("frame == {0}", literal(*branch.frames))
    return code("frame in {0}", literal(branch.frames))


def _locals(function: Function) -> dict[str, str]:
    """Return the variable of each field's value in the function: the field's name, or a longer one if that is in use."""
    sections = [path for path, place in function.from_places.items() if place.kind == SECTION]
    known = {*_NAMES, *runtime.NAMES, *dir(builtins), *keyword.kwlist, *sections}
    found: dict[str, str] = {}
    for path, group in function.groups.items():
        whole = path.replace(".", "_").lstrip("@")
        name = next(name for name in (group.place.attribute, whole, f"the_{whole}") if name not in known)
        known.add(name)
        found[path] = name
    return found
