"""A table's function from wire bytes to wire bytes, composed of what the other functions are printed from.

The codec of the source reads fields into variables in place of the attributes of a message, the rows are those of the table's
function (compiler.py, place_rows.py), and the codec of the target writes from variables. So no message and no section is made.
It returns the bytes, and whether it knows that every field arrives; None, or an error, where one of the codecs has to look
twice. The caller then decodes, converts and encodes.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from operator import itemgetter

from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.expressions import filled_name, key_name, target_name
from mqconvert.converters.engine.last_rows import last_row
from mqconvert.converters.engine.names import NONE, Names, is_there
from mqconvert.converters.engine.nodes import Branch, Function, Group, place_and_key
from mqconvert.converters.engine.notes import is_drop
from mqconvert.converters.engine.place_rows import PlaceRows
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.variables import CONTAINERS, LOCALS, field_type, set_in
from mqconvert.converters.model.places import SECTION, WHOLE, Place
from mqconvert.converters.printed.nodes import (
    Assign,
    Call,
    Compare,
    Declare,
    Display,
    Do,
    Expression,
    For,
    If,
    Junction,
    Literal,
    Name,
    Named,
    Not,
    Operation,
    Pass,
    Remark,
    Return,
    Statement,
    Statements,
    While,
    literal,
    mentions,
    nodes_in,
    targets,
)
from mqconvert.converters.printed.nodes import Function as Definition
from mqconvert.converters.printed.templates import code, exchanged, filled, line, lines, replaced, spliced, template
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import MessageLayout, within
from mqconvert.converters.words import Transform

NAME = "transcode"
"""The name of such a function."""
_INFERRED = ("out", "room", "identifier", "properties", "head")
"""Variables of layouts whose type the compiler sees at their first assignment."""
_FIRST: dict[str, object] = {"at": 0, "last": 0, "complete": True}
"""The variables that statements read before they set them."""
_COMPLETE = Name("complete")
_INCOMPLETE = Assign(_COMPLETE, literal(False))


class _Rows(PlaceRows):
    """Rows whose source is in variables, and which read and write the entries of maps one by one.

    `found` has the maps of the source that one loop goes through, `maps` those of the target that no row sees last.
    """

    def __init__(self, function: Function, names: Names, source: MessageLayout, target: MessageLayout) -> None:
        super().__init__(function, names)
        self.source, self.target = source, target
        last = {path for branch in function.finish for path in (branch.place.path, *branch.rule.reads)}
        self.maps = target.maps.keys() - last
        self.alone = {
            target_name(function.to_places[path]).id: template(made) for path, made in target.alone.items() if path not in last
        }
        rows = (*function.table.rules, *function.table.finish)
        others = {place_and_key(read)[0] for rule in rows for read in rule.reads} | self.started | self.used.keys()
        one_by_one = (path for path, each in source.maps.items() if each.next)
        self.found = {path for path in one_by_one if path in function.groups and path not in others}
        self.text: tuple[Expression, ...] = ()
        """Where the value of the entry of this loop is in `data`, a text that nothing has read yet."""

    def held(self, place: Place) -> Expression:
        return self.local(place.path)

    def loop(self, group: Group) -> Statements:
        path, key = group.place.path, key_name(group.place)
        self.text = self.source.maps[path].text if path in self.found else ()
        made = super().loop(group)
        text, self.text = self.text, ()
        match made:
            case [If(_, (*first, For(_, Name(), body)))] if path in self.found:
                parts: dict[str, Expression] = {"typed.key": key, "typed.type": Name("type_"), "typed.value": Name("value")}
                parts["typed"] = code("Entry({0}, type_, value)", key)
                parts["pair"] = code("({0}, value)", key)
                each = [line for line in replaced(body, parts) if not _changes_nothing(line)]
                if text:
                    octets = code("data[{0}:{1}]", *text)
                    each = [exchanged(line, {code("value.encode()"): octets}) for line in each]
                    if mentions(each, "value"):
                        each.insert(0, Assign(Name("value"), code("{0}.decode()", octets)))
                entries = _of(self.source.maps[path].loop(self.local(path), key, each), "source")
                return [If(self.local(path), (*first, *entries))]
        return made

    def answer(self, branch: Branch, type_: Expression, made: Expression) -> Statements:
        assert branch.target is not None
        if branch.target.path not in self.maps:
            return super().answer(branch, type_, made)
        pairs = ((Name("as_"), type_), (Name("made"), made))
        return [Assign(name, value) for name, value in pairs if name != value]

    def stored(self, target: Place, key: Expression, type_: Expression, made: Expression, *, by_type_rows: bool) -> Statements:
        if target.path not in self.maps:
            return super().stored(target, key, type_, made, by_type_rows=by_type_rows)
        entry = target.path, target_name(target), key, type_
        written = self.target.entry_of_text(*entry, self.text) if made == Name("value") else ()
        written = written or self.target.entry(*entry, made)
        noted = [] if target.repeats else [line("{0}.add({1})", filled_name(target), key)]
        return [*_of(written, "target"), *noted]


class Fuser(Compiler):
    """Makes the function from bytes to bytes of one table, beside its other function."""

    rows: _Rows

    def __init__(self, beside: Compiler, source: Layout, target: Layout) -> None:
        self.layouts = {"source": source, "target": target}
        assert source.message is not None
        assert target.message is not None
        self.source, self.target = source.message, target.message
        super().__init__(beside.function, _Rows(beside.function, beside.names, self.source, self.target))

    def fuse(self) -> Definition:
        """Return the function."""
        types: dict[str, Expression] = {}
        body = _undeclared(tuple(self.silent(self.body())), types)
        counted = {*_counted(body)}
        fields = [*self.fields(counted)]
        declared = [*fields, *_declared(body, types, {each.name for each in fields})]
        of = tuple(map(template, ("bytes", "Environment", "tuple[bytes, bool] | None")))
        return Definition(NAME, ("data", "environment"), (*declared, *body), of)

    def origins(self, function: Definition) -> Iterator[tuple[str, str, str]]:
        """Yield each name of the codecs that the function uses, with its module and its name there, as Layout does."""
        used = {node.id for node in nodes_in(function) if isinstance(node, Name)} - self.names.known.keys()
        for side, layout in self.layouts.items():
            own = {name.removeprefix(f"{side}_") for name in used if name in (f"{side}_codec", f"{side}_types")}
            yield from ((f"{side}_{name}", module, there) for name, module, there in layout.origins_of(own))
        both: dict[str, tuple[str, str, str]] = {}
        for layout in self.layouts.values():
            both |= {found[0]: found for found in layout.origins_of(used)}
        yield from both.values()

    def silent(self, statements: Sequence[Statement]) -> Iterator[Statement]:
        """Yield statements without their notes, but for whether one tells of a field that does not arrive.

        The report of a message is made from its conversion, when it is read.
        """
        for statement in statements:
            match statement:
                case Do() if mentions([statement], "notes") or mentions([statement], "put_before"):
                    if not any(via.moves for via in self.last_words(statement)):
                        yield _INCOMPLETE
                case Do() if mentions([statement], "taken"):
                    if any(is_drop(rule) for rule in self.noted(statement)):
                        yield _INCOMPLETE
                case Assign(Name("taken")):
                    continue
                case Assign(Name("lost"), _):
                    yield Assign(Name("lost"), Display("[]"))
                case Assign(Name(name) as variable, made) if name in self.rows.alone:
                    yield Assign(variable, _inside(self.rows.alone[name], made))
                case If(test, body, other):
                    then, rest = tuple(self.silent(body)), tuple(self.silent(other))
                    if len(then) == 1 and isinstance(then[0], Assign) and test == _is_other(then[0]):
                        yield then[0]  # the test was for the note
                    elif len(then) == 1 and not rest and isinstance(then[0], If) and test == is_there(then[0].test):
                        yield then[0]
                    elif then == (_INCOMPLETE,) and len(rest) == 1 and isinstance(rest[0], If) and rest[0].body == then:
                        yield dataclasses.replace(rest[0], test=Junction("or", (test, rest[0].test)), row=statement.row)
                    elif not (_idle(then) and _idle(rest) and _harmless(test)):
                        yield If(test, then if _acts(then) else (Pass(),), rest if _acts(rest) else (), statement.row)
                case For(target, over, body):
                    each = tuple(self.silent(body))
                    if _INCOMPLETE in each and _idle([one for one in each if one != _INCOMPLETE]):
                        yield If(_entries(over), (_INCOMPLETE,))
                    elif not _idle(each):
                        yield For(target, over, each)
                case While(test, body):  # it also checks the entries
                    yield While(test, tuple(self.silent(body)))
                case _:
                    yield statement

    def noted(self, statement: Statement) -> Iterator[Rule]:
        """Yield the rows that a note names."""
        for node in nodes_in(statement):
            if isinstance(node, Name) and isinstance(rule := self.names.known.get(node.id), Rule):
                yield rule

    def last_words(self, statement: Statement) -> Iterator[Transform]:
        """Yield the words of the finish rows that a note names."""
        rules = [*self.noted(statement)]
        yield from (branch.via for branch in self.function.finish if branch.via and branch.rule in rules)

    def fields(self, counted: set[str]) -> Iterator[Declare]:
        """Yield the variables of the source's fields with their types; those in `counted` are in arithmetic."""
        for place in _fields(self.from_places):
            unset = place.default if place.section is None else place.fallback
            name = self.rows.local(place.path).id
            kinds = ("str", "bytes", *["int"] * (name in counted))
            type_ = field_type(place, self.function, kinds, always=place.unset is not None or place.payload)
            found = place.path in self.rows.found
            yield Declare(name, template("i64" if found else type_), literal(0 if found else unset))

    def opening(self) -> Statements:
        places = {place.path: self.rows.held(place) for place in _fields(self.from_places)}
        return [*_of(self.source.read(places, self.rows.found), "source"), *_of(lines(self.target.before), "target")]

    def started_map(self, place: Place) -> Statements:
        start, *seen = super().started_map(place)
        if place.path in self.rows.maps:
            start = Assign(target_name(place), code("Writer()"))
        return [start, *[Assign(filled_name(place), code("Keys()"))] * len(seen)]

    def build(self) -> Statements:
        finished = {branch.place.path: Name(f"last_{branch.place.name}") for branch in self.function.finish}
        made: Statements = [Assign(name, self.final(self.to_places[path])) for path, name in finished.items()]
        last = [line for branch in self.function.finish for line in last_row(branch, self.rows, finished[branch.place.path])]
        made += [If(Not(Name("sections")), tuple(last))] if last and self.function.wholes else last
        places = {place.path: finished.get(place.path) or self.final(place) for place in _fields(self.to_places)}
        *written, end = _of(self.target.write(places, dict(self.written(places))), "target")
        assert isinstance(end, Return)
        wholes = self.with_sections(end.value) if self.function.wholes else []
        return [*made, *written, *wholes, Return(Display("()", (end.value, _COMPLETE)))]

    def with_sections(self, written: Expression) -> Statements:
        """Return the end for messages that get whole sections: those are placed in the message that was written."""
        text = """
            if sections:
                target = codec.decode({written})
                place_sections(target, sections, {by_rows}, Notes())
                {last}
                return codec.encode(target), False
            """
        last = [line for branch in self.function.finish for line in last_row(branch, self.rows)]
        return _of(lines(text, written=written, by_rows=self.made_by_rows(), last=last), "target")

    def written(self, places: dict[str, Expression]) -> Iterator[tuple[str, Statements]]:
        """Yield the statements that write each section and field, by its name."""
        values: dict[str, Expression | If | None] = {path: None if value == NONE else value for path, value in places.items()}
        values |= {path: self.whole(self.to_places[path]) for path in self.rows.maps}
        for name, shape in self.target.shapes.items():
            section = self.to_places.get(name)
            fields = tuple(shape.writing(within(name, values)))
            if section is None or section.default is not None:
                yield name, list(fields)
            else:
                there = self.there(section)
                yield name, [] if there is None else [If(there, fields)]
        for name in (*self.target.parts, *self.rows.maps):
            match values[name]:
                case If() as whole:
                    yield name, [whole]
                case Expression() as value:
                    yield name, [If(is_there(value), self.target.part(name, value))]
                case None:
                    yield name, []

    def whole(self, place: Place) -> If | None:
        """Return the statements that write a map, if it has entries; None if no row fills it."""
        if place.path not in self.rows.filled:
            return None
        filled = code("len({0})", target_name(place))
        whole = lines(self.target.maps[place.path].whole, value=target_name(place), count=code("len({0})", filled_name(place)))
        return If(filled, tuple(_of(whole, "target")))


def _fields(places: dict[str, Place]) -> Iterator[Place]:
    """Yield the places that are neither sections nor wholes."""
    yield from (place for place in places.values() if place.kind not in (SECTION, WHOLE))


def layout_of(protocol: str) -> Layout | None:
    """Return the layout of a protocol whose messages can be transcoded; None for another one."""
    package = PROTOCOLS[protocol].codec.rpartition(".")[0]
    if find_spec(f"{package}.wire") is None:
        return None
    layout: Layout = import_module(f"{package}.wire").LAYOUT
    return layout if layout.message else None


def fuser(beside: Compiler) -> Fuser | None:
    """Return what fuses the function of a compiler's table; None where a protocol has no layout of its messages."""
    source, target = layout_of(beside.table.source), layout_of(beside.table.target)
    return Fuser(beside, source, target) if source and target else None


def _counted(body: Sequence[Statement]) -> Iterator[str]:
    """Yield the variables that stand in arithmetic, or are compared with numbers."""
    for node in nodes_in(*body):
        match node:
            case Operation(Name(name)) | Compare(Name(name), ((_, Literal(int())),)):
                yield name


def _is_other(assigned: Assign) -> Expression:
    """Return the test whether an assignment changes its variable."""
    return code("{0} != {1}", assigned.value, assigned.target)


def _entries(over: Expression) -> Expression:
    """Return the list that a loop goes over, by index or not."""
    return over.arguments[0] if isinstance(over, Call) else over


def _inside(around: Expression, made: Expression) -> Expression:
    """Return the value in an object that a template makes around it; anything else as it is."""
    return next((part for part in nodes_in(made) if isinstance(part, Expression) and filled(around, {"0": part}) == made), made)


def _changes_nothing(statement: Statement) -> bool:
    """Return whether a statement sets variables to themselves."""
    return isinstance(statement, Assign) and statement.target == statement.value


def _of(statements: Sequence[Statement], side: str) -> Statements:
    """Return statements of a protocol with its codec and its types under names of their own."""
    return list(replaced(tuple(statements), {name: Name(f"{side}_{name}") for name in ("codec", "types")}))


def _idle(statements: Sequence[Statement]) -> bool:
    """Return whether statements only set variables of an entry that nobody reads, if anything."""
    return all(isinstance(each, Remark | Pass) or (isinstance(each, Assign) and _own_of_entry(each)) for each in statements)


def _acts(statements: Sequence[Statement]) -> bool:
    return not all(isinstance(each, Remark | Pass) for each in statements)


_KEY, _LABEL, _TYPE = Name("key"), Name("label"), Name("type_")


def _own_of_entry(statement: Assign) -> bool:
    """Return whether a statement sets only the variables of an entry's key and type."""
    return all(each in (_KEY, _LABEL, _TYPE) for each in targets(statement))


def _harmless(test: Expression) -> bool:
    """Return whether a test calls nothing and names nothing on the way."""
    return not any(isinstance(node, Call | Named) for node in nodes_in(test))


def _undeclared(statements: Sequence[Statement], types: dict[str, Expression]) -> tuple[Statement, ...]:
    """Return statements with assignments in place of declarations, whose types go to `types`: shapes have the same names."""

    def assigned(statement: Statement) -> Statements | None:
        if not isinstance(statement, Declare):
            return None
        types[statement.name] = statement.type
        return [] if statement.value is None else [Assign(Name(statement.name), statement.value)]

    return spliced(statements, assigned)


def _declared(body: Sequence[Statement], types: dict[str, Expression], known: set[str]) -> Iterator[Statement]:
    """Yield declarations of the variables that statements set."""
    for name, value in sorted({**dict.fromkeys((*types, _COMPLETE.id)), **dict(set_in(body))}.items(), key=itemgetter(0)):
        if name not in (*known, *_INFERRED):
            of = CONTAINERS.get(value, "Any")
            type_ = types.get(name) or template(LOCALS.get(name, of))
            yield Declare(name, type_, literal(_FIRST[name]) if name in _FIRST else None)
