"""The rule table semantics of DESIGN.md ("A row") a second time: rows walked one by one, as slow and as plain as can be.

Tests compare it with the compiled function. It shares with it the rows, the conditions, the transforms and the bounds of
the wire types (each has examples of its own), and none of the compiler, the runtime or the report.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from mqconvert import ConversionError, Environment
from mqconvert.converters.messages import PROTOCOLS
from mqconvert.converters.messages.amqp10 import AmqpSequence, AmqpValue, Data
from mqconvert.converters.places import BODY, ENTRIES, ENTRY_KEYS, SECTION, TYPED, places
from mqconvert.converters.rowtypes import ENVIRONMENT
from mqconvert.converters.rules import Rule, RuleTable, path
from mqconvert.converters.transforms import NOT_MINE, Loss, Partial
from mqconvert.converters.values import AMQP10_COMPOUND, TypedValue, symbol_fault
from mqconvert.converters.words import CONDITIONS, TRANSFORMS

BODIES: dict[type, str] = {Data: "data", AmqpSequence: "amqp-sequence", AmqpValue: "amqp-value"}
SCOPES = {"top": ("top",), "nested": ("nested",), "entry": ("nested", "entry"), "key": ("key",)}


@dataclasses.dataclass
class Note:
    """A row that took a value: where from, where to, the type row that made it, and what became of that."""

    rule: Rule
    source: str
    key: Any = None
    to_key: str | None = None
    type_rule: str | None = None
    replaced_by: str | None = None
    to: str | None = None


def _written(read: str) -> str:
    """What a row reads, as reports write it."""
    place, _, key = read.partition("[")
    return path(place, key.removesuffix("]") or None)


def _to(message: Any) -> str | None:
    """Where a message of the hub says that it goes; other messages go there themselves."""
    return getattr(getattr(message, "properties", None), "to", None)


Tables = dict[tuple[str, str], RuleTable]


class Interpreter:
    """One conversion. `message` is the result, `account()` what a report should say; ConversionError where a row refuses.

    `tables` has the table that `@way_back` names.
    """

    def __init__(self, table: RuleTable, source: Any, environment: Environment, tables: Tables | None = None) -> None:
        self.table, self.source, self.environment, self.tables = table, source, environment, tables or {}
        self.from_places, self.to_places = places(PROTOCOLS[table.source]), places(PROTOCOLS[table.target])
        self.types = PROTOCOLS[table.target].types
        self.filled: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.lost: list[tuple[str, str, str, str | None]] = []
        self.dropped: list[tuple[str, str, str]] = []
        self.used: set[str] = set()
        self.fired: set[str] = set()
        self.wholes: list[tuple[Rule, Any]] = []
        self.prepared: dict[str, Any] = {}
        for rule in table.start:
            self.start(rule)
        known = [name for name, place in self.from_places.items() if place.kind != SECTION and not name.startswith("@")]
        for name in dict.fromkeys([*(rule.source for rule in table.rules), *known]):
            self.group(name, [rule for rule in table.rules if rule.source == name])
        self.message: Any = None
        self.build()

    # ---- the source: every value of a place, offered to the rows of that place from top to bottom

    def raw(self, name: str) -> Any:
        if name.startswith("@"):
            return getattr(self.environment, name[1:])
        value = self.source
        for part in name.split("."):
            value = getattr(value, part, None)
        return self.prepared.get(name, value)

    def start(self, rule: Rule) -> None:
        """A map or list of the source as the other rows see it."""
        raw = self.raw(rule.source)
        if raw:
            made = TRANSFORMS[str(rule.via)].function(raw)
            type_ = self.from_places[rule.source].types[0]
            self.prepared[rule.source] = self.kept(made, rule, rule.source, type_)

    def read(self, rule: Rule, read: str, key: Any, type_: str) -> Any:
        """What a row reads: a place, the entry of a key there, or what belongs to the row itself."""
        own = {"@key": key, "@type": type_, "@message": self.source, "@way_back": self.way_back, "@again": self.again}
        if read in own:
            return own[read]
        if read == "@result":
            return self.message
        name, bracket, template = read.partition("[")
        if name.startswith("@result."):
            field = getattr(self.message, name.removeprefix("@result."))
            return dict(field or ()).get(template.removesuffix("]")) if bracket else field
        if not bracket:
            return self.raw(name)
        wanted = self.filled_in(rule, template.removesuffix("]"), key)
        return next((value for known, value in reversed(self.raw(name) or []) if known == wanted), None)

    def way_back(self, message: Any) -> Any:
        assert self.table.way_back is not None
        return Interpreter(self.tables[self.table.way_back], message, Environment(escape=True, clock=0), self.tables).message

    def again(self, message: Any) -> Any:
        alone = dataclasses.replace(self.environment, address=None, escape=True)
        return Interpreter(self.table, message, alone, self.tables).message

    def values(self, name: str) -> Iterator[tuple[Any, str, Any]]:
        """Key (None outside maps), wire type and value of all that is set at a place."""
        raw, place = self.raw(name), self.from_places.get(name)
        if raw is None or name in self.used:
            return
        if place is None:
            yield None, ENVIRONMENT[name], raw
        elif place.kind == ENTRIES:
            for index, entry in enumerate(raw):
                if place.types == ("varints",):
                    yield index, "varint", entry
                elif place.types == ("utf8-pairs",):
                    yield entry[0], "utf8", entry[1]
                else:
                    yield entry[0], entry[1].type, entry[1].value
        elif place.kind in (TYPED, BODY):
            yield (None, raw.type, raw.value) if place.kind == TYPED else (None, BODIES[type(raw)], raw)
        elif raw != place.unset or place.types == ("payload",):
            yield None, place.types[0], raw

    def group(self, name: str, rules: list[Rule]) -> None:
        for key, type_, value in self.values(name):
            took = False
            for rule in rules:
                if self.matches(rule, key, type_, value):
                    took = True
                    self.apply(rule, key, type_, value)
                    if not rule.more:
                        break
            if not took and not name.startswith("@"):
                self.lost.append((path(name, key), type_, "no row takes it", None))
        for rule in rules:
            if rule.absent and self.raw(name) is None and self.takes(rule, None, rule.type, None):
                place = self.from_places.get(name)
                type_ = ENVIRONMENT[name] if place is None else "body" if place.kind == BODY else place.types[0]
                self.apply(rule, None, type_, None)

    def matches(self, rule: Rule, key: Any, type_: str, value: Any) -> bool:
        if rule.absent or not (rule.type == "*" or type_ in rule.type.split("|")):
            return False
        pattern = rule.source_pattern
        if pattern is not None and pattern != "*":
            stem = pattern.removesuffix("*")
            if not (isinstance(key, str) and (key == pattern if stem == pattern else key.startswith(stem))):
                return False
        return self.takes(rule, key, type_, value)

    def takes(self, rule: Rule, key: Any, type_: str, value: Any) -> bool:
        if rule.when is not None and not self.call(CONDITIONS[rule.when], rule, key, type_, value):
            return False
        if rule.taken == "next" and self.is_filled(rule, self.to_key(rule, key)):
            return False
        transform = TRANSFORMS.get(rule.via or "")
        return not (transform and transform.passes and self.call(transform.function, rule, key, type_, value) is NOT_MINE)

    def call(self, function: Callable[..., Any], rule: Rule, key: Any, type_: str, *values: Any) -> Any:
        given = [*values, *(self.read(rule, read, key, type_) for read in rule.reads)]
        return function(*given[: function.__code__.co_argcount])

    def refuse(self, rule: Rule, field: str) -> ConversionError:
        return ConversionError(str(rule.note), code=str(rule.error), field=field, rule=rule.id)

    # ---- one row: make the value, see that the target can hold it and is free, put it there

    def apply(self, rule: Rule, key: Any, type_: str, value: Any) -> None:
        self.fired.add(rule.id)
        field = path(rule.source, key)
        note = Note(rule, field, key, self.to_key(rule, key))
        if rule.error is not None:
            raise self.refuse(rule, field)
        if rule.target is None or rule.accounts or (rule.absent and rule.via is None):
            self.constants(rule)
            self.notes.append(note)
            return
        made = self.make(rule, field, type_, value, note)
        if made is None:
            return
        if rule.target == "@sections":
            if any(known.rule is rule and known.key == key for known in self.notes):
                self.lost.append((field, type_, "a second equal key", rule.id))
                return
            self.wholes.append((rule, made))
        elif not self.put(rule, field, type_, made, note):
            return
        self.notes.append(note)
        self.constants(rule, own=note)
        for read in rule.reads if rule.uses else ():
            if not read.startswith("@") and self.raw(read) is not None:
                self.used.add(read)
                fixed = rule.target_template
                self.notes.append(Note(rule, read, None, fixed if fixed and "*" not in fixed else None))

    def make(self, rule: Rule, field: str, type_: str, value: Any, note: Note) -> Any:
        """The value for the target, None where there is none; every loss is noted."""
        key = note.key
        place = self.to_places[str(rule.target)]
        by_type_rows = place.kind == ENTRIES and place.types != ("utf8-pairs",) and rule.as_ is None and rule.via is None
        if by_type_rows or rule.as_ == "*":
            typed = self.by_type("top", type_, value, field, note)
            if typed is not None and place.types[0] == "application-properties" and typed.type in AMQP10_COMPOUND:
                self.lost.append((field, type_, "application properties hold simple types alone", rule.id))
                return None
            return typed
        made = value
        if rule.via is not None:
            made = self.kept(self.call(TRANSFORMS[rule.via].function, rule, key, type_, value), rule, field, type_)
            if made is None or place.name.startswith("@") or TRANSFORMS[rule.via].gives == "typed":
                return made
        to_type = rule.as_ or {ENTRIES: "utf8", BODY: "data"}.get(place.kind, place.types[0])
        if to_type in self.types and (fault := self.types[to_type].fault(made)) is not None:
            self.lost.append((field, type_, fault, rule.id))
            return None
        wrapped = place.kind == TYPED or (place.kind == ENTRIES and place.types != ("utf8-pairs",))
        return TypedValue(to_type, made) if wrapped else made

    def kept(self, made: Any, rule: Rule, field: str, type_: str) -> Any:
        if made is NOT_MINE or isinstance(made, Loss | Partial):
            reason = made.reason if isinstance(made, Loss | Partial) else "the row does not take this value"
            self.lost.append((field, type_, reason, rule.id))
            return made.value if isinstance(made, Partial) else None
        return made

    def put(self, rule: Rule, field: str, type_: str, made: Any, note: Note) -> bool:
        place = self.to_places[str(rule.target)]
        if place.kind != ENTRIES:
            if rule.taken == "drop" and self.is_filled(rule, None):
                return self.too_late(rule, field, type_, note)
            if rule.taken == "replace":
                self.replace(rule, place.path, None)
            self.filled[place.path] = made
            return True
        key = note.to_key
        own = rule.target_template is None or "*" in rule.target_template
        fault = None
        if own and not (ENTRY_KEYS[place.types[0]] == "symbol" and isinstance(key, int)):
            key_type = ENTRY_KEYS[place.types[0]]
            fault = symbol_fault(key) if key_type == "symbol" else self.types[key_type].fault(key)
        if fault is not None:
            self.lost.append((field, type_, f"its key is {fault}", rule.id))
            return False
        if place.types == ("utf8-pairs",):
            text = made.value if isinstance(made, TypedValue) else made
            self.filled.setdefault(place.path, []).append((key, text))
            return True
        if rule.taken == "drop" and self.is_filled(rule, key):
            return self.too_late(rule, field, type_, note)
        if rule.taken == "replace":
            self.replace(rule, place.path, key)
        self.filled.setdefault(place.path, {})[key] = made
        return True

    def too_late(self, rule: Rule, field: str, type_: str, note: Note) -> bool:
        """A filled place: a second equal key is lost, anything else dropped as taken by the row before."""
        twins = [n for n in self.notes if (n.rule.source, n.key, n.to_key) == (rule.source, note.key, note.to_key)]
        if twins and note.key is not None:
            self.lost.append((field, type_, "a second equal key", rule.id))
        else:
            self.dropped.append((rule.id, field, f"taken by {self.taker(str(rule.target), note.to_key)}"))
        return False

    def to_key(self, rule: Rule, key: Any) -> Any:
        return None if rule.target_template is None else self.filled_in(rule, rule.target_template, key)

    def filled_in(self, rule: Rule, template: str, key: Any) -> Any:
        """A key with what the pattern's star stands for in place of its own; `*` alone is the key of the source itself."""
        if "*" not in template:
            return template
        pattern = rule.source_pattern or ""
        stem = pattern[:-1] if pattern.endswith("*") else ""
        if template == "*" or not isinstance(key, str):
            return key
        return template.replace("**", "*").replace("*", key.removeprefix(stem))

    def is_filled(self, rule: Rule, key: Any) -> bool:
        place = self.to_places[str(rule.target)]
        if place.kind != ENTRIES:
            return place.path in self.filled
        return place.types != ("utf8-pairs",) and key in self.filled.get(place.path, {})

    def taker(self, place: str, key: Any) -> str:
        found = [n for n in self.notes if (n.rule.target == place and n.to_key == key) or place in n.rule.constants]
        return found[-1].rule.id

    def replace(self, rule: Rule, place: str, key: Any = ..., own: Note | None = None) -> None:
        """What earlier rows put at a place (or under one key of it) made nothing after all."""
        for note in self.notes:
            at = note.rule.target
            if at is not None and (at == place or at.startswith(f"{place}.")) and key in (..., note.to_key) and note is not own:
                note.replaced_by = note.replaced_by or rule.id

    def constants(self, rule: Rule, own: Note | None = None) -> None:
        for written, constant in rule.constants.items():
            place, bracket, key = written.partition("[")
            if bracket:
                self.filled.setdefault(place, []).append((key.removesuffix("]"), constant))
                continue
            if not rule.absent and place in self.filled:
                self.replace(rule, place, own=own)
            self.filled[place] = constant

    # ---- type rows: values of entries, and what lies inside them

    def by_type(self, scope: str, type_: str, value: Any, field: str, note: Note | None = None) -> TypedValue | None:
        for rule in self.table.types:
            if type_ not in rule.type.split("|") or not (
                rule.scope in SCOPES[scope] or (rule.scope is None and scope != "key")
            ):
                continue
            if rule.when is not None and not CONDITIONS[rule.when](value):
                continue
            self.fired.add(rule.id)
            if note is not None:
                note.type_rule = rule.id
            return self.by_type_row(rule, type_, value, field)
        self.lost.append((field, type_, "no row of the type table takes it", None))
        return None

    def by_type_row(self, rule: Rule, type_: str, value: Any, field: str) -> TypedValue | None:
        if rule.as_ is None:
            self.lost.append((field, type_, rule.note or "not converted", rule.id))
            return None
        if rule.via == "items":
            return TypedValue(rule.as_, self.items(value, field))
        if rule.via == "entries":
            return TypedValue(rule.as_, self.entries(value, field))
        if rule.via == "array-items":
            if value.descriptors:
                self.lost.append((field, "array", "the descriptor of its elements", None))
            return TypedValue(rule.as_, self.items([TypedValue(value.of, part) for part in value.values], field))
        made = value
        if rule.via is not None:
            made = self.kept(self.call(TRANSFORMS[rule.via].function, rule, None, type_, value), rule, field, type_)
        if made is None and rule.as_ not in ("null", "void"):
            return None
        if (fault := self.types[rule.as_].fault(made)) is not None:
            self.lost.append((field, type_, fault, rule.id))
            return None
        return TypedValue(rule.as_, made)

    def items(self, parts: list[TypedValue], field: str) -> list[TypedValue]:
        made = [self.by_type("nested", part.type, part.value, f"{field}[{index}]") for index, part in enumerate(parts)]
        return [part for part in made if part is not None]

    def entries(self, pairs: Any, field: str) -> list[tuple[Any, TypedValue]]:
        made: list[tuple[Any, TypedValue]] = []
        for key, typed in pairs:
            key_type, raw = ("shortstr", key) if isinstance(key, str) else (key.type, key.value)
            at = field + path("", raw if type(raw) in (str, int) else str(raw))
            before = len(self.lost)
            new_key = self.by_type("key", key_type, raw, at)
            if new_key is None:
                _, _, reason, rule = self.lost[before]
                reason = reason if rule else f"no row takes a key of type {key_type}"
                self.lost[before:] = [(at, typed.type, reason, rule)]
                continue
            value = self.by_type("entry", typed.type, typed.value, at)
            final = new_key if isinstance(key, str) else new_key.value
            if value is not None and final in [known for known, _ in made]:
                self.lost.append((at, typed.type, "a second equal key", None))
            elif value is not None:
                made.append((final, value))
        return made

    # ---- the result

    def build(self) -> None:
        made = {}
        for field in dataclasses.fields(PROTOCOLS[self.table.target].message):
            of = field.metadata["of"]
            if self.to_places[field.name].kind != SECTION:
                if field.name in self.filled:
                    made[field.name] = self.final(field.name)
                continue
            names = [part.name for part in dataclasses.fields(of) if f"{field.name}.{part.name}" in self.filled]
            if names or field.name == "basic":
                made[field.name] = of(**{name: self.final(f"{field.name}.{name}") for name in names})
        self.message = PROTOCOLS[self.table.target].message(**made)
        for rule in self.table.finish:
            self.finish(rule)
        self.put_sections()

    def put_sections(self) -> None:
        """Whole sections, in place of those that other rows made; what a row closes is gone in any case."""
        by: dict[str, tuple[Rule, Any]] = {}
        for rule, whole in self.wholes:
            by |= {name: (rule, whole) for name in whole.__slots__ if name in rule.closes or getattr(whole, name) is not None}
        for name, (rule, whole) in by.items():
            setattr(self.message, name, getattr(whole, name))
            self.replace(rule, name)

    def finish(self, rule: Rule) -> None:
        """A row that sees the target last: a field as it stands, or what an entry is to hold."""
        *section, name = rule.source.split(".")
        holder = getattr(self.message, section[0]) if section else self.message
        entry = rule.source_pattern
        seen = [] if entry is not None else [getattr(holder, name, None)]
        if holder is None or (seen and rule.columns.get("type") != "*" and (seen[0] is None) is not rule.absent):
            return
        if rule.when is not None and not self.call(CONDITIONS[rule.when], rule, entry, "", *seen):
            return
        self.fired.add(rule.id)
        if rule.error is not None:
            raise self.refuse(rule, rule.source)
        taken = [(read, self.read(rule, read, None, "")) for read in rule.reads if not read.startswith("@")]
        taken = [(read, value) for read, value in taken if value is not None and (entry is not None or "[" in read)]
        field, type_ = rule.source, self.to_places[rule.source].types[0]
        if taken:
            read, value = taken[-1]
            field, type_ = _written(read), getattr(value, "type", "utf8") if "[" in read else self.from_places[read].types[0]
        made = self.call(TRANSFORMS[str(rule.via)].function, rule, entry, "", *seen)
        made = self.kept(made, rule, field, type_)
        if entry is None:
            if taken:
                left = [pair[0] for pair in made or []]
                for overruled in [pair[0] for pair in seen[0] or [] if pair[0] not in left] if name == "properties" else []:
                    self.replace(rule, rule.source, overruled)
            setattr(holder, name, made)
        elif made is not None:
            kept = [pair for pair in getattr(holder, name) or [] if pair[0] != entry]
            setattr(holder, name, [*kept, (entry, TypedValue(str(rule.as_), made))])
        for read, _ in taken if entry is None or made is not None else ():
            kept_aside = [
                note for note in self.notes
                if note.rule.columns.get("to") == "@beside" and note.source.startswith(_written(read))
            ]  # fmt: skip
            self.notes = [note for note in self.notes if note not in kept_aside]
            self.notes.append(Note(rule, _written(read), None, entry, to=path(rule.source, entry)))
        if rule.whole and entry is not None and made is not None:
            for read in (_written(read) for read in rule.reads if not read.startswith("@")):
                self.lost = [line for line in self.lost if line[0] != read
                             and not line[0].startswith((f"{read}[", f"{read}."))]  # fmt: skip
        if rule.whole and entry is None and made is not None:
            replaced = [note for note in self.notes if note.replaced_by is not None]
            self.notes = [note for note in self.notes if note.replaced_by is None]
            accounted = [note for note in self.notes if note.rule.columns.get("to") in ("@beside", "@caller", "@address")]
            self.notes = [note for note in self.notes if note not in accounted]
            fields = (
                [line[0] for line in self.lost]
                + [line[1] for line in self.dropped]
                + [note.source for note in replaced + accounted]
            )
            self.notes += [Note(rule, field, to=rule.source) for field in fields]
            self.lost.clear()
            self.dropped.clear()

    def came_with(self) -> str | None:
        """The address for the next table of a route, where this message came with one that the next message does not say.

        A row gives it to `@address`; or the message came in an envelope that names no address itself, whose frame was sent
        to one: the one that the same frame has in the next message when its payload is no envelope (MAPPINGS R24).
        """
        for rule in self.table.rules:
            if rule.target == "@address":
                return self.raw(rule.source) or None
        if self.environment.payload != "envelope" or _to(self.message) is not None:
            return None
        plain = dataclasses.replace(self.environment, payload="body")
        return _to(Interpreter(self.table, self.source, plain, self.tables).message) or None

    def final(self, place: str) -> Any:
        value = self.filled[place]
        return (list(value.items()) if isinstance(value, dict) else value) if value != {} else None

    def beside(self, note: Note) -> str | None:
        """Where that went beside which a row says that the value stands: `@beside[PLACE]`."""
        place, bracket, key = (note.rule.columns.get("to") or "").removeprefix("@beside[").removesuffix("]").partition("[")
        if not str(note.rule.columns.get("to")).startswith("@beside["):
            return None
        if bracket:
            own = str(note.key).removeprefix((note.rule.source_pattern or "").rstrip("*"))
            place = path(place, key.removesuffix("]").replace("**", own))
        gone = [
            other.to or (path(other.rule.target, other.to_key) if other.rule.target else ", ".join(other.rule.constants))
            for other in self.notes
            if other.source == place and other.replaced_by is None and not other.rule.accounts
            and not other.rule.more and not other.rule.absent and (other.to or other.rule.target or other.rule.constants)
        ]  # fmt: skip
        return gone[-1] if gone else None

    def account(self) -> Counter[tuple[str, ...]]:
        """Every line of the report, as tuples that begin with the name of their list."""
        lines: Counter[tuple[Any, ...]] = Counter(("lost", *line) for line in self.lost)
        lines.update(("dropped", *line) for line in self.dropped)
        for note in self.notes:
            rule, beside = note.rule, self.beside(note)
            if note.replaced_by is not None:
                lines["dropped", rule.id, note.source, f"replaced by {note.replaced_by}"] += 1
            elif beside is not None:
                lines["applied", rule.id, note.source, beside, None] += 1
            elif rule.accounts:
                lines["accounted", rule.id, note.source] += 1
            elif note.to is not None:
                lines["applied", rule.id, note.source, note.to, None] += 1
            elif rule.target is not None or rule.constants:
                to = ", ".join(rule.constants) if rule.target is None else path(rule.target, note.to_key)
                lines["applied", rule.id, note.source, to, note.type_rule] += 1
            elif not rule.absent:
                lines["dropped", rule.id, note.source, rule.note or "no counterpart"] += 1
        return lines
