"""RuleTable -> one plain Python function: the only engine. `explain` prints what this function noted; nothing walks rows
a second time.

The text of the function is what a person would write by hand: one block for each place of the source, one branch for each
row, the row's id and line behind it. It is made only of names that were checked against the message classes and the
registries; text of a table never reaches it raw.
"""

import linecache
from collections.abc import Callable, Iterator
from dataclasses import replace as altered
from itertools import takewhile
from typing import Any

from mqconvert.converters import runtime
from mqconvert.converters.errors import RuleTableError
from mqconvert.converters.hubwords import CONDITIONS, TRANSFORMS
from mqconvert.converters.messages import PROTOCOLS
from mqconvert.converters.places import BODY, ENTRIES, ENTRY_KEYS, SCALAR, SECTION, TYPED, WHOLE, Place, places
from mqconvert.converters.report import Notes
from mqconvert.converters.rules import Rule, RuleTable

ENVIRONMENT = {
    "@address": "string", "@mqtt_exchange": "string", "@frame": "string", "@payload": "string", "@escape": "boolean",
    "@clock": "timestamp", "@producer": "string", "@sequence_id": "ulong",
}  # fmt: skip
"""Places of the caller's Environment that a row may name or read, with the type of each."""

READABLE = {"@key": "key", "@message": "source", "@result": "target", "@way_back": "way_back"}
"""What else a row may read: its own key, the source message; in a finish row the target message and the table back."""

RECURSIVE = ("items", "entries", "array-items")
"""Words of `via` that convert the elements of a list, the entries of a map or table, or the elements of an array."""

SCOPES: dict[str, tuple[str | None, ...]] = {
    "top": (None, "top"),
    "nested": (None, "nested"),
    "entry": (None, "nested", "entry"),
    "key": ("key",),
}
"""Where type rows apply, by their `scope`: entries of the message itself, elements of lists, values of maps, their keys."""

KINDS = {
    "str": ("string", "symbol", "shortstr", "utf8", "topic", "name", "compression", "position"),
    "bytes": ("binary", "longstr", "payload", "uuid", "decimal32", "decimal64", "decimal128", "id_octets"),
    "bool": ("boolean", "bool"),
    "float": ("float", "double"),
    "none": ("null", "void"),
    "list": ("list", "array", "map", "table", "varints", "texts", "ints", "records"),
    "body": ("data", "amqp-sequence", "amqp-value"),
    "decimal": ("decimal",),
    "described": ("described",),
}
KIND_OF = {type_: kind for kind, types in KINDS.items() for type_ in types}
"""The Python form of each wire type; every other type is an integer."""

SAFE = {
    ("boolean", "bool"), ("bool", "boolean"), ("octet", "ubyte"), ("ubyte", "octet"), ("byte", "byte"),
    ("string", "string"), ("symbol", "string"), ("utf8", "string"), ("binary", "longstr"), ("longstr", "binary"),
    ("payload", "payload"), ("binary", "payload"), ("utf8", "utf8"), ("uint", "unsignedint"), ("void", "null"),
    ("null", "void"), ("ubyte", "unsignedbyte"), ("unsignedbyte", "ubyte"), ("ushort", "unsignedshort"),
    ("unsignedshort", "ushort"), ("unsignedint", "uint"), ("int", "signedint"), ("signedint", "int"),
    ("topic", "topic"), ("topic", "utf8"), ("longstr", "payload"), ("utf8", "string"), ("topic", "string"), ("name", "string"),
    ("int", "long"), ("ushort", "uint"), ("ubyte", "uint"), ("timestamp", "long"), ("compression", "string"),
    ("position", "string"), ("payload", "binary"), ("id_octets", "binary"), ("boolean", "boolean"),
}  # fmt: skip
"""Pairs of types where every value of the first fits the second, so that no check is written out."""

QUICK = {
    "string": "{0}.isascii()",
    "symbol": "{0}.isascii()",
    "shortstr": "len({0}) < 256 and {0}.isascii() and '\\0' not in {0}",
    "utf8": "len({0}) < 65536 and {0}.isascii() and '\\0' not in {0}",
    "uint": "0 <= {0} <= 4294967295",
    "unsignedint": "0 <= {0} <= 4294967295",
    "timestamp": "0 <= {0} <= 9223372036854775807",
    "ushort": "0 <= {0} <= 65535",
    "ubyte": "0 <= {0} <= 255",
    "octet": "0 <= {0} <= 255",
}
"""By target type, an expression that is true for the values that nearly every message carries, and only for values that fit:
it spares them the call of the type's `fault`."""

PYTHON_CLASSES = ("str", "bytes", "int", "bool", "float", "list")
"""The kinds that are the names of the classes of their values."""


class Compiler:
    """Writes the source text of one table's function, checking every name on the way."""

    def __init__(self, table: RuleTable) -> None:
        self.table = table
        for name in (table.source, table.target):
            if name not in PROTOCOLS:
                raise RuleTableError(f"unknown protocol {name!r}", file=table.file)
        self.source, self.target = PROTOCOLS[table.source], PROTOCOLS[table.target]
        self.from_places, self.to_places = places(self.source), places(self.target)
        self.lines: list[str] = []
        self.names: dict[str, Any] = dict(runtime.NAMES)
        self.filled: dict[str, None] = {}
        self.wholes: dict[str, None] = {}
        self.used: dict[str, None] = {}
        self.indexed: dict[str, None] = {}
        self.started = {rule.source for rule in table.start}

    # ---- checks of a row -------------------------------------------------------------------------------------------

    def wrong(self, rule: Rule, problem: str) -> RuleTableError:
        return RuleTableError(f"row {rule.id}: {problem}", file=rule.file, line=rule.line, rule=rule.id)

    def check_rule(self, rule: Rule) -> None:
        if rule.source not in self.from_places and rule.source not in ENVIRONMENT:
            raise self.wrong(rule, f"unknown place {rule.source!r} of {self.source.name}")
        if rule.source in self.from_places:
            place = self.from_places[rule.source]
            if place.kind in (SECTION, WHOLE):
                raise self.wrong(rule, f"{rule.source!r} is a section; name one of its fields")
            if (place.kind == ENTRIES) is (rule.source_pattern is None):
                raise self.wrong(rule, f"{rule.source!r} is {'a map: name a key' if place.kind == ENTRIES else 'no map'}")
            for type_ in rule.type.split("|"):
                if type_ not in ("*", "absent") and type_ not in self.types_at(place):
                    raise self.wrong(rule, f"unknown type {type_!r} of {rule.source}")
        self.check_reads(rule, ())
        self.check_words(rule)
        if rule.error is not None:
            if rule.note is None or rule.target is not None:
                raise self.wrong(rule, "a row with an error makes nothing, and its note says what is wrong")
            return
        self.check_target(rule)

    def check_reads(self, rule: Rule, more: tuple[str, ...]) -> None:
        for read in rule.reads:
            path, keyed = _read(read)
            place = self.from_places.get(path)
            if path in ENVIRONMENT or path in ("@key", "@type", "@message", *more):
                continue
            if place is None or place.kind in (SECTION, WHOLE) or (keyed is not None and place.kind != ENTRIES):
                raise self.wrong(rule, f"unknown place {read!r} in reads")

    def types_at(self, place: Place) -> tuple[str, ...]:
        if place.kind != ENTRIES:
            return place.types
        return {"utf8-pairs": ("utf8",), "varints": ("varint",)}.get(place.types[0]) or tuple(self.source.types)

    def check_words(self, rule: Rule) -> None:
        if rule.when is not None and rule.when not in CONDITIONS:
            raise self.wrong(rule, f"unknown condition {rule.when!r}")
        if rule.via is not None and rule.via not in TRANSFORMS and rule.via not in RECURSIVE:
            raise self.wrong(rule, f"unknown transform {rule.via!r}")
        if rule.absent and rule in self.table.rules:
            # There is no value to hand over: a condition has to look at what the row reads, a transform to take None.
            if rule.when is not None and not (rule.reads and CONDITIONS[rule.when].__code__.co_argcount > 1):
                raise self.wrong(rule, f"{rule.when} looks at a value, and the row is for what is absent")
            if rule.via is not None and (
                rule.via in RECURSIVE or TRANSFORMS[rule.via].function.__annotations__["value"] is not None
            ):
                raise self.wrong(rule, f"{rule.via} takes a value, and the row is for what is absent")

    def check_target(self, rule: Rule) -> None:
        for path, constant in rule.constants.items():
            name, key = _read(path)
            place = self.to_places.get(name)
            if place is None or (place.types != ("utf8-pairs",) if key else place.kind != SCALAR):
                raise self.wrong(rule, f"unknown place {path!r} in set")
            fault = self.target.types["utf8" if key else place.types[0]].fault(constant)
            if fault is not None:
                raise self.wrong(rule, f"{path} cannot hold {constant!r}: {fault}")
        if rule.target is None or rule.accounts:
            return
        place = self.to_places.get(rule.target)
        if place is None:
            raise self.wrong(rule, f"unknown place {rule.target!r} of {self.target.name}")
        if rule.closes or place.kind in (SECTION, WHOLE):
            if rule.via is None or TRANSFORMS[rule.via].gives not in ("section", "sections"):
                raise self.wrong(rule, f"{rule.target} is a section, and no transform gives one")
            return
        if (place.kind == ENTRIES and place.types[0] != "varints") is (rule.target_template is None):
            raise self.wrong(rule, f"{rule.target!r} is {'a map: name a key' if place.kind == ENTRIES else 'no map'}")
        self.check_holds(rule, place)

    def check_holds(self, rule: Rule, place: Place) -> None:
        """The target can hold the type: the row's `as`, or the place's own type, has the form that the row gives."""
        type_ = self.target_type(rule, place)
        if type_ == "typed":
            if place.kind not in (TYPED, ENTRIES) or place.types[0] in ("utf8-pairs", "varints"):
                raise self.wrong(rule, f"{rule.target} holds no typed value")
            return
        if type_ == "*":
            source = self.from_places.get(rule.source)
            if place.kind != ENTRIES or rule.via is not None or source is None or not self.typed(source):
                raise self.wrong(rule, 'as = "*" needs typed entries as source, an entry as target and no via')
            return
        known = place.types if place.kind in (SCALAR, TYPED, BODY) else tuple(self.target.types)
        if type_ not in known:
            raise self.wrong(rule, f"{rule.target} cannot hold type {type_!r}")
        given = self.given_kinds(rule)
        wanted = KIND_OF.get(type_, "int")
        if given - {wanted}:
            raise self.wrong(rule, f"{rule.target} holds {type_} ({wanted}), but the row gives {min(given - {wanted})}")

    def target_type(self, rule: Rule, place: Place) -> str:
        """The wire type that the row gives; `*` by the type rows, `typed` where the transform answers a TypedValue."""
        if rule.via in TRANSFORMS and TRANSFORMS[rule.via].gives == "typed":
            return "typed"
        if rule.as_ is not None:
            return rule.as_
        if place.kind == ENTRIES and place.types[0] == "utf8-pairs":
            return "utf8"
        if place.kind == SCALAR:
            return place.types[0]
        if place.kind == BODY:
            return "data"
        if place.kind == ENTRIES and rule.via is None and self.source_types(rule) is None:
            return "*"
        raise self.wrong(rule, f"{rule.target} needs a type: as = ...")

    def source_types(self, rule: Rule) -> tuple[str, ...] | None:
        """The wire types that a row may see, None for any type of an entry."""
        if rule.source in ENVIRONMENT:
            return (ENVIRONMENT[rule.source],)
        place = self.from_places[rule.source]
        if rule.type not in ("*", "absent"):
            return tuple(rule.type.split("|"))
        if place.kind == ENTRIES and place.types[0] not in ("utf8-pairs", "varints"):
            return None
        return self.types_at(place)

    def given_kinds(self, rule: Rule) -> set[str]:
        if rule.via is not None:
            return {"list" if rule.via in RECURSIVE else TRANSFORMS[rule.via].gives}
        types = self.source_types(rule)
        if types is None:
            raise self.wrong(rule, "a row for any type needs a transform, or the type table (no as)")
        return {KIND_OF.get(type_, "int") for type_ in types}

    def check_reach(self, rules: list[Rule]) -> None:
        """A row behind one of the same or a wider key, type and no condition is never reached."""
        for at, rule in enumerate(rules):
            for earlier in rules[:at]:
                if self.always(earlier) and _wider(earlier, rule, self.possible(earlier), self.possible(rule)):
                    raise self.wrong(rule, f"never reached: {earlier.id} ({earlier.where}) takes all of it")

    def possible(self, rule: Rule) -> set[str] | None:
        """The types that a row takes, None for any type of an entry."""
        if rule.source in self.from_places or rule.source in ENVIRONMENT:
            types = self.source_types(rule)
            return None if types is None else set(types)
        return set(rule.type.split("|"))

    def always(self, rule: Rule) -> bool:
        passes = rule.via in TRANSFORMS and TRANSFORMS[rule.via].passes
        return rule.when is None and not rule.more and rule.taken != "next" and not passes

    # ---- the text ----------------------------------------------------------------------------------------------------

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self, prefix: str, word: str, value: Any) -> str:
        name = f"{prefix}_{word}".replace("-", "_").replace(".", "_").replace("+", "_")
        self.names[name] = value
        return name

    def rule_name(self, rule: Rule) -> str:
        return self.name("row", rule.id, rule)

    def compile(self) -> str:
        for rule in self.table.rules:
            self.check_rule(rule)
            self.indexed.update((_read(read)[0], None) for read in rule.reads if _read(read)[1] is not None)
        groups: dict[str, list[Rule]] = {}
        for rule in self.table.rules:
            groups.setdefault(rule.source, []).append(rule)
            for read in self.uses(rule):
                self.used[read] = None
        for path, place in self.from_places.items():
            if place.kind not in (SECTION, WHOLE):
                groups.setdefault(path, [])
        for rules in groups.values():
            self.check_reach(rules)
        self.type_table()
        body: list[str] = []
        self.lines, head = body, self.lines
        for path, rules in groups.items():
            self.group(path, rules)
        tail: list[str] = []
        self.lines = tail
        self.build()
        self.lines = head
        self.preamble()
        self.lines.extend(body)
        self.lines.extend(tail)
        return "\n".join(self.lines) + "\n"

    def preamble(self) -> None:
        self.say(0, f"def {_function_name(self.table)}(source, environment, notes):")
        self.say(1, f'"""{self.table.title}: generated from {self.table.file}."""')
        self.say(1, "note, lose, partial = notes.taken.append, notes.lost.append, []")
        for path, place in self.from_places.items():
            if place.kind == SECTION:
                empty = self.name("EMPTY", path, _empty(place.message_class))
                self.say(1, f"{path} = source.{path}")
                self.say(1, f"if {path} is None:")
                self.say(2, f"{path} = {empty}")
        for rule in self.table.start:
            self.start(rule)
        for path in self.indexed:
            self.say(1, f"index_{path.replace('.', '_')} = dict({self.where(path)} or ())")
        for path in self.used:
            self.say(1, f"used_{self.from_places[path].name} = False")
        for path in self.filled:
            place = self.to_places[path]
            keyed = place.kind == ENTRIES
            unset = ("[]" if place.types[0] in ("utf8-pairs", "varints") else "{}") if keyed else repr(place.default)
            self.say(1, f"to_{place.name} = {unset}")
        for path in self.wholes:
            self.say(1, "sections = {}" if path == "@sections" else f"whole_{path} = None")

    def group(self, path: str, rules: list[Rule]) -> None:
        """One block: every row of one place of the source."""
        if path in ENVIRONMENT:
            self.say(1, f"value = environment.{path[1:]}")
            self.say(1, "if value is not None:")
            self.chain(2, Place(path, (ENVIRONMENT[path],), SCALAR), rules, quiet=True)
            return
        place = self.from_places[path]
        where = self.where(path)
        if place.kind == ENTRIES:
            self.entries(place, where, rules)
            return
        rows = [rule for rule in rules if not rule.absent]
        self.say(1, f"value = {where}")
        tests = (
            [] if place.types == ("payload",) else [f"value {'is not None' if place.unset is None else f'!= {place.unset!r}'}"]
        )
        tests += [f"not used_{place.name}"] if path in self.used else []
        depth = 2 if tests else 1
        if tests:
            self.say(1, f"if {' and '.join(tests)}:")
        if place.kind == TYPED:
            self.say(2, "type_, value = value.type, value.value")
        extra = any(rule.more for rule in rows) and not self.takes_all(place, rows)
        if extra:
            self.say(depth, "took = False")
        self.chain(depth, place, rows, extra=extra)
        for rule in rules:
            if rule.absent:
                self.say(1, "value = None")
                test = self.test(place, rule)
                self.say(1, f"if {where} is None{' and ' * bool(test)}{test}:  # {rule.id}, {rule.where}")
                self.apply(2, place, rule)

    def where(self, path: str) -> str:
        """The expression of a place of the source: a field of the message, of a section, or what a start row made of it."""
        place = self.from_places[path]
        if path in self.started:
            return f"from_{place.name}"
        return place.path if place.section else f"source.{place.path}"

    def start(self, rule: Rule) -> None:
        place = self.from_places.get(rule.source)
        if place is None or place.kind != ENTRIES:
            raise self.wrong(rule, f"{rule.source!r} is no map or list of {self.source.name}")
        self.check_words(rule)
        function = self.name("via", str(rule.via), TRANSFORMS[str(rule.via)].function)
        field = place.path if place.section else f"source.{place.path}"
        self.say(1, f"from_{place.name} = {function}({field} or ())  # {rule.id}, {rule.where}")

    def entries(self, place: Place, where: str, rules: list[Rule]) -> None:
        """One loop over a map or list; the rows that name a key, where they come first, stand behind one test of them all."""
        guard = f"() if used_{place.name} else " if place.path in self.used else ""
        if place.types[0] == "varints":
            self.say(1, f"for key, value in enumerate({guard}{where} or ()):")
        elif place.types[0] == "utf8-pairs":
            self.say(1, f"for key, value in {guard}{where} or ():")
        else:
            self.say(1, f"for key, typed in {guard}{where} or ():")
            self.say(2, "type_ = typed.type")
        named = list(takewhile(lambda rule: rule.source_pattern is not None and "*" not in rule.source_pattern, rules))
        extra = any(rule.more for rule in rules) and not self.takes_all(place, rules)
        if extra:
            self.say(2, "took = False")
        if len(named) < 2:
            self.chain(2, place, rules, extra=extra)
            return
        keys = self.name("keys", place.path, frozenset(rule.source_pattern for rule in named))
        self.say(2, f"if key in {keys}:")
        for rule in named:
            self.say(3, f"if {self.test(place, rule)}:  # {rule.id}, {rule.where}")
            if extra and rule.more:
                self.say(4, "took = True")
            self.apply(4, place, rule)
            if not rule.more:
                self.say(4, "continue")
        self.chain(2, place, rules[len(named) :], extra=extra)

    def takes_all(self, place: Place, rules: list[Rule]) -> bool:
        """Whether the last row takes whatever the others left."""
        return bool(rules) and not self.test(place, rules[-1]) and not rules[-1].more

    def chain(self, depth: int, place: Place, rules: list[Rule], *, extra: bool = False, quiet: bool = False) -> None:
        """The branches of one place, in the order of the rows; the last one is the loss.

        `quiet`: what no row takes is no loss (places of the caller's Environment).
        `extra`: some row applies and still offers the value to later ones, so that only `took` says whether it was lost.
        """
        first = True
        for at, rule in enumerate(rules):
            test = self.test(place, rule)
            if rule.more and not first:
                self.say(depth, "else:")
                self.chain(depth + 1, place, rules[at:], extra=extra, quiet=quiet)
                return
            if not test and first:
                self.say(depth, f"# {rule.id}, {rule.where}")
                if extra and rule.more:
                    self.say(depth, "took = True")
                self.apply(depth, place, rule)
                if rule.more:
                    continue
                return
            opening = f"{'if' if first else 'elif'} {test or 'True'}:"
            self.say(depth, f"{opening if test or first else 'else:'}  # {rule.id}, {rule.where}")
            if extra and rule.more:
                self.say(depth + 1, "took = True")
            self.apply(depth + 1, place, rule)
            first = rule.more
            if not test:
                return
        if quiet:
            return
        taken = "took" if extra else None
        if taken or not first:
            opening = "if" if first else "elif"
            self.say(depth, f"{opening} not {taken}:" if taken else "else:")
            depth += 1
        self.say(depth, f"lose(({self.field(place)}, {self.type_text(place)}, 'no row takes it', None))")

    def test(self, place: Place, rule: Rule) -> str:
        parts = []
        if rule.source_pattern is not None and rule.source_pattern != "*":
            text = "key.__class__ is str and " if place.types[0] == "annotations" else ""
            stem = rule.source_pattern[:-1] if rule.source_pattern.endswith("*") else None
            parts.append(f"key == {rule.source_pattern!r}" if stem is None else f"{text}key[:{len(stem)}] == {stem!r}")
        if rule.type not in ("*", "absent") and (place.kind == TYPED or self.typed(place)):
            types = rule.type.split("|")
            parts.append(f"type_ == {types[0]!r}" if len(types) == 1 else f"type_ in {tuple(types)!r}")
        elif rule.type not in ("*", "absent") and place.kind == BODY:
            parts.append(f"value.__class__ is {self.name('class', rule.type, runtime.BODY_CLASSES[rule.type])}")
        if rule.when is not None:
            parts.append(
                f"{self.name('when', rule.when, CONDITIONS[rule.when])}({self.arguments(rule, CONDITIONS[rule.when])})"
            )
        if rule.taken == "next":
            parts.append(self.free(rule))
        if rule.via in TRANSFORMS and TRANSFORMS[rule.via].passes:
            parts.append(f"(made := {self.called(rule)}) is not NOT_MINE")
        return " and ".join(parts)

    def typed(self, place: Place) -> bool:
        return place.kind == ENTRIES and place.types[0] not in ("utf8-pairs", "varints")

    def free(self, rule: Rule) -> str:
        place = self.to_places[str(rule.target)]
        if place.kind == ENTRIES:
            return f"{self.key(rule)} not in to_{place.name}"
        return self.empty(place)

    def empty(self, place: Place) -> str:
        return f"(to_{place.name} {'is' if place.default is None else '=='} {place.default!r})"

    def arguments(self, rule: Rule, function: Callable[..., Any]) -> str:
        """The value and what the row reads, as far as the function asks for it."""
        reads = [self.read(rule, read) for read in rule.reads]
        return ", ".join([self.value(rule), *reads][: function.__code__.co_argcount])

    def read(self, rule: Rule, read: str) -> str:
        """The expression of what `reads` names: a place, an entry by its key (`*`: the row's own), or one of READABLE."""
        path, key = _read(read)
        if path in ENVIRONMENT:
            return f"environment.{path[1:]}"
        if path == "@type":
            return self.type_text(self.from_places[rule.source])
        if path in READABLE:
            return READABLE[path]
        if key is not None:
            return f"index_{path.replace('.', '_')}.get({self.templated(rule, key)})"
        return self.where(path)

    def value(self, rule: Rule) -> str:
        """The source's value in a row's block."""
        place = self.from_places.get(rule.source)
        return "typed.value" if place is not None and self.typed(place) else "value"

    def called(self, rule: Rule) -> str:
        assert rule.via is not None
        function = TRANSFORMS[rule.via].function
        return f"{self.name('via', rule.via, function)}({self.arguments(rule, function)})"

    def key(self, rule: Rule) -> str:
        return self.templated(rule, rule.target_template or "*")

    def templated(self, rule: Rule, template: str) -> str:
        """A key with what the `*` of the row's pattern stands for as `*`; `*` alone is the whole key, `**` that rest."""
        if "*" not in template:
            return repr(template)
        stem = rule.source_pattern[:-1] if rule.source_pattern and rule.source_pattern.endswith("*") else ""
        before, _, after = template.partition("*")
        if template == "*" or (before == stem and not after):
            return "key"
        own = f"key[{len(stem)}:]" if stem else "key"
        if template == "**":
            return own
        text = " + ".join(filter(None, (before and repr(before), own, after and repr(after))))
        # A ulong key of AMQP 1.0 annotations has no part that could stand for the star.
        plain = self.from_places[rule.source].types[0] not in ("annotations", "varints")
        return f"({text})" if plain else f"({text} if key.__class__ is str else key)"

    def field(self, place: Place) -> str:
        return f"path({place.path!r}, key)" if place.kind == ENTRIES else repr(place.path)

    def type_text(self, place: Place) -> str:
        if place.kind == TYPED or self.typed(place):
            return "type_"
        if place.kind == BODY:
            return "BODY_TYPES.get(value.__class__, 'body')"
        return repr(self.types_at(place)[0])

    def apply(self, depth: int, place: Place, rule: Rule) -> None:
        """What one row does: make the value, check that the target can hold it, put it there, note the row."""
        row = self.rule_name(rule)
        keyed = place.kind == ENTRIES
        target = self.to_places.get(rule.target or "")
        if rule.error is not None:
            self.say(depth, f"raise refused({row}, {self.field(place)}, {self.value(rule)})")
            return
        for path in rule.constants:
            self.filled[_read(path)[0]] = None
        if target is None or (rule.absent and rule.via is None):
            self.constants(depth, rule, row)
            self.say(depth, f"note(({row}, key, None, None))" if keyed else f"note({row})")
            return
        if rule.closes or target.kind in (SECTION, WHOLE):
            self.whole(depth, rule, row, target, keyed=keyed)
            return
        self.filled[target.path] = None
        depth = self.make(depth, place, rule, row, target)
        depth = self.put(depth, place, rule, row, target)
        self.constants(depth, rule, row)
        for read in self.uses(rule):
            used = self.name("row", f"{rule.id}_uses_{read}", altered(rule, source=read, source_pattern=None))
            self.say(depth, f"if {self.where(read)} is not None:")
            self.say(depth + 1, f"used_{self.from_places[read].name} = True")
            self.say(depth + 1, f"note({used})")

    def uses(self, rule: Rule) -> list[str]:
        """The places that count as used where the row applies; what is the caller's needs no account."""
        return [read for read in rule.reads if read not in ENVIRONMENT] if rule.uses else []

    def constants(self, depth: int, rule: Rule, row: str) -> None:
        for written, constant in rule.constants.items():
            path, key = _read(written)
            name = f"to_{self.to_places[path].name}"
            if key is not None:
                self.say(depth, f"{name}.append(({key!r}, {constant!r}))")
                continue
            if not rule.absent:
                self.say(depth, f"if {name} is not None:")
                self.say(depth + 1, f"notes.replace({row}, ({path!r},), but_own=True)")
            self.say(depth, f"{name} = {constant!r}")

    def whole(self, depth: int, rule: Rule, row: str, target: Place, *, keyed: bool) -> None:
        name = target.path
        self.wholes[name] = None
        transform = TRANSFORMS[str(rule.via)]
        if not transform.passes:
            self.say(depth, f"made = {self.called(rule)}")
        if transform.loses:
            self.partial(depth, self.from_places[rule.source], row, transform.gives)
        if name == "@sections":
            place = self.from_places[rule.source]
            self.say(depth, f"if ({row}, {'key' if keyed else 'None'}) in sections:")
            self.say(depth + 1, f"lose(({self.field(place)}, {self.type_text(place)}, 'a second equal key', {row}))")
            self.say(depth, "else:")
            depth += 1
            self.say(depth, f"sections[{row}, {'key' if keyed else 'None'}] = made")
        else:
            self.say(depth, f"whole_{name} = ({row}, made)")
        self.say(depth, f"note(({row}, key, None, None))" if keyed else f"note({row})")

    def make(self, depth: int, place: Place, rule: Rule, row: str, target: Place) -> int:
        """Emit `made = ...` and its checks; the returned depth is where the value is good."""
        type_ = self.target_type(rule, target)
        field = self.field(place)
        if type_ == "*":
            return self.by_type_table(depth, field, rule)
        transform = TRANSFORMS.get(rule.via or "")
        made = "made" if rule.via else self.value(rule)
        if transform is not None and not transform.passes:
            self.say(depth, f"made = {self.called(rule)}")
        if transform is not None and transform.loses:
            self.partial(depth, place, row, transform.gives)
            self.say(depth, "if made is not None:")
            depth += 1
        if type_ != "typed" and not self.certain(rule, type_):
            self.check(depth, type_, made)
            self.say(depth + 1, f"lose(({field}, {self.type_text(place)}, fault, {row}))")
            self.say(depth, "else:")
            depth += 1
        return depth

    def by_type_table(self, depth: int, field: str, rule: Rule) -> int:
        """The value by the type rows: a new name for its type where that is all, else the function of its type."""
        self.say(depth, "if type_ in renamed_top:")
        self.say(depth + 1, "by, as_ = renamed_top[type_]")
        self.say(depth + 1, "made = typed if as_ is None else TypedValue(as_, typed.value)")
        self.say(depth, "else:")
        self.say(depth + 1, "by, made = types_top[type_](typed.value, partial)")
        self.say(depth + 1, "if partial:")
        self.say(depth + 2, f"flush(partial, {field}, lose)")
        if rule.more:
            self.say(depth, "if made is not None:")
            return depth + 1
        self.say(depth + 1, "if made is None:")
        self.say(depth + 2, "continue")
        return depth

    def check(
        self, depth: int, type_: str, made: str, fault: Callable[[Any], str | None] | None = None, also: str = ""
    ) -> None:
        """Emit `if` with a true test where `made` does not fit; `fault` then says why."""
        name = self.name("key_fault", type_, fault) if fault else self.name("fault", type_, self.target.types[type_].fault)
        quick = QUICK.get(type_)
        test = f"(fault := {name}({made})) is not None"
        self.say(depth, f"if not ({also}{quick.format(made)}) and {test}:" if quick else f"if {test}:")

    def partial(self, depth: int, place: Place, row: str, gives: str) -> None:
        self.say(depth, f"if {_answered_else(gives)}:")
        self.say(depth + 1, f"lose(({self.field(place)}, {self.type_text(place)}, made.reason, {row}))")
        self.say(depth + 1, "made = made.value if made.__class__ is Partial else None")

    def certain(self, rule: Rule, type_: str) -> bool:
        if rule.via is not None:
            return (
                type_ in ("boolean", "payload", "data", "amqp-sequence", "amqp-value", "longstr") or rule.via in runtime.CERTAIN
            )
        types = self.source_types(rule) or ()
        return all((known == type_ and type_ != "shortstr") or (known, type_) in SAFE for known in types)

    def put(self, depth: int, place: Place, rule: Rule, row: str, target: Place) -> int:
        """Emit the assignment: with the check of the key, and of a place that is already filled.

        The returned depth is where the value is in its place.
        """
        type_ = self.target_type(rule, target)
        keyed = place.kind == ENTRIES
        name = f"to_{target.name}"
        by_table = type_ == "*"
        made = "made" if rule.via else self.value(rule)
        value = (
            "made"
            if by_table or type_ == "typed"
            else f"TypedValue({type_!r}, {made})"
            if target.kind in (TYPED, ENTRIES)
            else made
        )
        if target.kind != ENTRIES:
            if self.contested(rule, target):
                self.say(depth, f"if not {self.empty(target)}:")
                self.too_late(depth + 1, place, row, target, "None")
                self.say(depth, "else:")
                depth += 1
            elif rule.taken == "replace":
                self.say(depth, f"notes.replace({row}, ({target.path!r},))")
            self.say(depth, f"{name} = {value}")
            self.say(depth, f"note(({row}, key, None, None))" if keyed else f"note({row})")
            return depth
        key = self.key(rule)
        noted = f"note(({row}, {'key' if keyed else 'None'}, {key}, {'by' if by_table else 'None'}))"
        if rule.target_template is None or "*" in rule.target_template:
            keys = ENTRY_KEYS[target.types[0]]
            self.check(
                depth,
                keys,
                key,
                runtime.KEY_FAULTS[keys] if keys == "symbol" else self.target.types[keys].fault,
                "key.__class__ is str and " if place.types[0] == "annotations" else "",
            )
            self.say(depth + 1, f"lose(({self.field(place)}, {self.type_text(place)}, 'its key is ' + fault, {row}))")
            self.say(depth, "else:")
            depth += 1
        if target.types[0] == "utf8-pairs":
            if rule.taken == "replace":
                self.say(depth, f"{name}[:] = [pair for pair in {name} if pair[0] != {key}]")
            self.say(depth, f"{name}.append(({key}, {'made.value' if by_table else made}))")
            self.say(depth, noted)
            return depth
        self.say(depth, f"if {key} in {name}:")
        if rule.taken == "replace":
            self.say(depth + 1, f"notes.replace({row}, ({target.path!r},), {key})")
        else:
            self.too_late(depth + 1, place, row, target, key)
            self.say(depth, "else:")
            depth += 1
        self.say(depth, f"{name}[{key}] = {value}")
        self.say(depth, noted)
        return depth

    def contested(self, rule: Rule, target: Place) -> bool:
        others = [
            other for other in self.table.rules
            if other is not rule and (other.target == target.path or target.path in other.constants)
            and (other.source != rule.source or other.more)
        ]  # fmt: skip
        return rule.taken == "drop" and (bool(others) or rule.source_pattern is not None)

    def too_late(self, depth: int, place: Place, row: str, target: Place, key: str) -> None:
        field, type_ = self.field(place), self.type_text(place)
        self.say(
            depth,
            f"too_late(notes, {row}, {field}, {type_}, {target.path!r}, {key}, {'key' if place.kind == ENTRIES else 'None'})",
        )

    def build(self) -> None:
        """The end of the function: the target message from what was filled."""
        import dataclasses  # noqa: PLC0415 - only the compiler of a table needs it

        arguments = []
        for field in dataclasses.fields(self.target.message):
            place = self.to_places[field.name]
            expression = self.section(place) if place.kind == SECTION else self.final(place)
            if field.name in self.wholes:
                expression = f"whole_{field.name}[1] if whole_{field.name} is not None else ({expression})"
            arguments.append(expression)
        self.names["Message"] = self.target.message
        self.say(1, f"target = Message({', '.join(arguments)})")
        for rule in self.table.finish:
            self.finish(rule)
        for path in self.wholes:
            if path == "@sections":
                self.say(1, "if sections:")
                self.say(2, "replace_sections(target, sections, notes)")
            else:
                self.say(1, f"if whole_{path} is not None:")
                self.say(2, f"notes.replace(whole_{path}[0], whole_{path}[0].closes)")
        self.say(1, "return target")

    def section(self, place: Place) -> str:
        import dataclasses  # noqa: PLC0415 - only the compiler of a table needs it

        assert place.message_class is not None
        parts = [self.to_places[f"{place.path}.{part.name}"] for part in dataclasses.fields(place.message_class)]
        filled = [part for part in parts if part.path in self.filled]
        self.names[place.message_class.__name__] = place.message_class
        while parts and parts[-1].path not in self.filled:
            parts.pop()
        made = f"{place.message_class.__name__}({', '.join(self.final(part) for part in parts)})"
        if place.path == "basic" or not filled:
            return made if place.path == "basic" else "None"
        test = " or ".join(f"to_{part.name}" + ("" if part.kind == ENTRIES else " is not None") for part in filled)
        return f"{made} if {test} else None"

    def final(self, place: Place) -> str:
        if place.path not in self.filled:
            unset = place.default if place.section is None else place.fallback
            return 'b""' if place.types == ("payload",) else repr(unset)
        if place.kind == ENTRIES:
            return (
                f"to_{place.name} or None"
                if place.types[0] in ("utf8-pairs", "varints")
                else f"list(to_{place.name}.items()) or None"
            )
        if place.fallback is not None:
            return f"{place.fallback!r} if to_{place.name} is None else to_{place.name}"
        return f"to_{place.name}"

    def finish(self, rule: Rule) -> None:
        """A row that sees the target last: its function gets the value at `at`, if that is no entry, and what the row reads."""
        place = self.to_places.get(rule.source)
        entry = rule.source_pattern
        if place is None or place.kind in (SECTION, WHOLE) or (entry is not None and place.kind != ENTRIES):
            raise self.wrong(rule, f"unknown place {rule.source!r} of {self.target.name}")
        self.check_reads(rule, tuple(READABLE))
        self.check_words(rule)
        row = self.rule_name(rule)
        self.say(1, f"# {rule.id}, {rule.where}")
        where = f"target.{rule.source}"
        reads = [*([where] if entry is None else []), *(self.read(rule, read) for read in rule.reads)]
        self.indexed.update((_read(read)[0], None) for read in rule.reads if _read(read)[1] is not None)
        tests = (
            [f"{where} {'is' if rule.absent else 'is not'} None"] if entry is None and rule.columns.get("type") != "*" else []
        )

        def asked(function: Callable[..., Any]) -> str:
            return ", ".join(reads[: function.__code__.co_argcount])

        if place.section is not None:
            tests.insert(0, f"target.{place.section} is not None")
        if rule.when is not None:
            function = CONDITIONS[rule.when]
            tests.append(f"{self.name('when', rule.when, function)}({asked(function)})")
        depth = 1
        if tests:
            self.say(1, f"if {' and '.join(tests)}:")
            depth = 2
        if rule.error is not None:
            self.say(depth, f"raise refused({row}, {rule.source!r}, {where})")
            return
        transform = TRANSFORMS[str(rule.via)]
        self.say(depth, f"made = {self.name('via', transform.name, transform.function)}({asked(transform.function)})")
        if transform.loses:
            self.say(depth, f"if {_answered_else(transform.gives)}:")
            self.say(depth + 1, f"lose(({rule.source!r}, {place.types[0]!r}, made.reason, {row}))")
            self.say(depth + 1, "made = made.value if made.__class__ is Partial else None")
        if entry is None:
            self.say(depth, f"{where} = made")
        else:
            self.say(depth, "if made is not None:")
            self.say(depth + 1, f"set_entry(target, {rule.source!r}, {entry!r}, TypedValue({rule.as_!r}, made))")
            self.say(depth + 1, f"note(({row}, None, {entry!r}, None))")
        if rule.whole:
            self.say(depth, f"notes.kept_whole({row})")

    # ---- type rows -----------------------------------------------------------------------------------------------------

    def type_table(self) -> None:
        """One small function for each source type and scope, and the dicts that find them."""
        types = self.source.types
        for rule in self.table.types:
            for type_ in rule.type.split("|"):
                if type_ not in types:
                    raise self.wrong(rule, f"unknown type {type_!r} of {self.source.name}")
            if rule.as_ is not None and rule.as_ not in self.target.types:
                raise self.wrong(rule, f"unknown type {rule.as_!r} of {self.target.name}")
            self.check_words(rule)
            if rule.as_ is not None and self.type_kinds(rule) - {KIND_OF.get(rule.as_, "int")}:
                raise self.wrong(rule, f"{rule.as_} cannot hold what the row gives")
        top: dict[str, list[Rule]] = {}
        for scope, scopes in SCOPES.items():
            rows = [rule for rule in self.table.types if rule.scope in scopes]
            self.check_reach(rows)
            found = {type_: [rule for rule in rows if type_ in rule.type.split("|")] for type_ in types}
            self.say(0, f"types_{scope} = TypeTable()")
            if scope == "top":
                self.renamed(found)
            self.say(0, "")
            for type_, chain in found.items():
                if chain and chain == top.get(type_):
                    self.say(0, f"types_{scope}[{type_!r}] = top_{type_}")
                elif chain:
                    self.type_function(scope, type_, chain)
            top = top or found
        self.say(0, "")
        self.say(0, "items, entries, array_items = recursion(types_nested, types_entry, types_key)")
        self.say(0, "")

    def renamed(self, rows: dict[str, list[Rule]]) -> None:
        """The types whose values stay as they are: the row, and the new name of the type, None for the same one."""
        self.say(0, "renamed_top = {")
        for type_, chain in rows.items():
            rule = chain[0] if chain else None
            if rule is not None and rule.as_ and rule.when is None and rule.via is None and self.same(type_, rule.as_):
                self.say(1, f"{type_!r}: ({rule.id!r}, {None if rule.as_ == type_ else rule.as_!r}),  # {rule.where}")
        self.say(0, "}")

    def same(self, type_: str, as_: str) -> bool:
        """Every value of the first type is one of the second."""
        return (type_, as_) in SAFE or (type_ == as_ and type_ != "timestamp")

    def type_kinds(self, rule: Rule) -> set[str]:
        if rule.via in RECURSIVE:
            return {"list"}
        if rule.via is not None:
            return {TRANSFORMS[rule.via].gives}
        return {KIND_OF.get(type_, "int") for type_ in rule.type.split("|")}

    def type_function(self, scope: str, type_: str, rules: list[Rule]) -> None:
        self.say(0, f"def {scope}_{type_}(value, lost):")
        for rule in rules:
            test = ""
            if rule.when is not None:
                test = f"{self.name('when', rule.when, CONDITIONS[rule.when])}(value)"
            depth = 1
            if test:
                self.say(1, f"if {test}:  # {rule.id}, {rule.where}")
                depth = 2
            self.type_row(depth, type_, rule)
            if not test:
                break
        else:
            self.say(1, f"lost.append(('', {type_!r}, 'no row of the type table takes it', None))")
            self.say(1, "return None, None")
        self.say(0, "")
        self.say(0, f"types_{scope}[{type_!r}] = {scope}_{type_}")
        self.say(0, "")

    def type_row(self, depth: int, type_: str, rule: Rule) -> None:
        row = self.rule_name(rule)
        if rule.as_ is None:
            self.say(depth, f"lost.append(('', {type_!r}, {rule.note or 'not converted'!r}, {row}))")
            self.say(depth, "return None, None")
            return
        transform = TRANSFORMS.get(rule.via or "")
        if rule.via in RECURSIVE:
            self.say(depth, f"made = {rule.via.replace('-', '_')}(value, lost)")
        elif transform is not None:
            reads = "".join(f", {type_!r}" for read in rule.reads if read == "@type")
            self.say(depth, f"made = {self.name('via', transform.name, transform.function)}(value{reads})")
            if transform.loses or transform.passes:
                self.say(depth, f"if {_answered_else(transform.gives)} or made is NOT_MINE:")
                self.say(depth + 1, f"made = part(made, {type_!r}, {row}, lost)")
                self.say(depth + 1, "if made is None:")
                self.say(depth + 2, "return None, None")
        made = "made" if rule.via else "value"
        if rule.via not in RECURSIVE and not (rule.via is None and self.same(type_, rule.as_)):
            self.check(depth, rule.as_, made)
            self.say(depth + 1, f"lost.append(('', {type_!r}, fault, {row}))")
            self.say(depth + 1, "return None, None")
        self.say(depth, f"return {rule.id!r}, TypedValue({rule.as_!r}, {made})")


def _read(read: str) -> tuple[str, str | None]:
    """The place and the key of what `reads` or `set` names.

    >>> _read("properties[amqp-type.*]"), _read("footer")
    (('properties', 'amqp-type.*'), ('footer', None))
    """
    place, bracket, key = read.partition("[")
    return place, key[:-1] if bracket else None


def _empty(message_class: Any) -> Any:
    """A section without any field set, whatever its defaults."""
    return message_class(*(None for _ in message_class.__slots__))


def _wider(earlier: Rule, rule: Rule, types: set[str] | None, wanted: set[str] | None) -> bool:
    if (earlier.type == "absent") is not (rule.type == "absent"):
        return False
    if types is not None and (wanted is None or not wanted <= types):
        return False
    pattern, key = earlier.source_pattern, rule.source_pattern
    if pattern is None or pattern in ("*", key):
        return True
    return pattern.endswith("*") and key is not None and key.startswith(pattern[:-1])


def _answered_else(gives: str) -> str:
    """The test for a transform's answer that is a loss instead of the kind of value that it gives."""
    if gives in PYTHON_CLASSES:
        return f"made.__class__ is not {gives}"
    return "made.__class__ is Partial or made.__class__ is Loss"


def _function_name(table: RuleTable) -> str:
    return f"{table.source}_to_{table.target}".replace("-", "_").replace(".", "_")


def compile_table(
    table: RuleTable, way_back: Callable[[Any], Any] | None = None
) -> tuple[Callable[[Any, Any, Notes], Any], str]:
    """The table's function and its text. The text is in linecache, so that a traceback shows its lines.

    `way_back` converts a message of the target back, for the finish rows that read `@way_back`.
    """
    compiler = Compiler(table)
    compiler.names["way_back"] = way_back
    text = compiler.compile()
    filename = f"<{table.name} {table.hash}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    # The one exec of the project: the text was made above, from checked names alone.
    exec(compile(text, filename, "exec"), compiler.names)  # noqa: S102
    return compiler.names[_function_name(table)], text


def iter_rules(table: RuleTable) -> Iterator[Rule]:
    yield from table.all_rules
