"""A second, slow and simple implementation of the rule tables, row by row.

Tests compare it with the compiled function. The two share the rows, the conditions, the transforms and the bounds of the wire
types, which have examples of their own. They share no part of the compiler, the runtime or the report.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mqconvert import Conversion, ConversionError, Environment, Report
from mqconvert.converters.engine.nodes import ENVIRONMENT
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.environment import addressed
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import BODY, ENTRIES, SECTION, TYPED, places
from mqconvert.converters.model.plain import symbol_fault
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.words import NOT_MINE, Loss, Partial, Word
from tests.corpus import same_form
from tests.entries import by_key, entry, pair

BODIES: dict[type, str] = {Data: "data", AmqpSequence: "amqp-sequence", AmqpValue: "amqp-value"}
SCOPES = {"top": ("top",), "nested": ("nested",), "entry": ("nested", "entry"), "key": ("key",)}


@dataclasses.dataclass
class Note:
    """The use of a row: the source of its value, the target, the type row, and the outcome.

    `kind` is made, unset (the place's default), beside, accounted or dropped.
    """

    rule: Rule
    source: str
    place: str | None = None
    to_key: str | None = None
    kind: str = "made"
    type_rule: str | None = None
    replaced_by: str | None = None

    @property
    def target(self) -> str:
        return path(str(self.place), self.to_key)


def _reason(rule: Rule, fault: str) -> str:
    """Return the reason of a value that does not fit its type: of a number that the row computed, behind its transform."""
    return f"after {rule.via}: {fault}" if rule.via is not None and TRANSFORMS[rule.via].gives == "int" else fault


def _to(message: Any) -> str | None:
    """Return the `to` of a message of the hub; None for a message of another protocol."""
    return getattr(getattr(message, "properties", None), "to", None)


class Interpreter:
    """One conversion. `message` is the result, `account()` the expected report. Raises ConversionError if a row refuses."""

    def __init__(self, table: RuleTable, source: Any, environment: Environment) -> None:
        self.table, self.source, self.environment = table, source, environment
        self.from_places, self.to_places = places(PROTOCOLS[table.source]), places(PROTOCOLS[table.target])
        self.types = PROTOCOLS[table.target].types
        self.filled: dict[str, Any] = {}
        self.notes: list[Note] = []
        self.lost: list[tuple[str, str, str, str | None]] = []
        self.dropped: list[tuple[str, str, str]] = []
        self.used: set[str] = set()
        self.fired: set[str] = set()
        self.wholes: list[tuple[Rule, Note, str, Any]] = []
        self.prepared: dict[str, Any] = {}
        for rule in table.start:
            self.start(rule)
        known = [name for name, place in self.from_places.items() if place.kind != SECTION and not name.startswith("@")]
        for name in dict.fromkeys([*(rule.source for rule in table.rules if rule.source != "@constant"), *known]):
            self.group(name, [rule for rule in table.rules if rule.source == name])
        for rule in table.rules:
            if rule.source == "@constant":
                self.defaults(rule)
        self.message: Any = None
        self.build()

    # ---- the source: every value of a place, offered to the rows of that place from top to bottom

    def raw(self, name: str) -> Any:
        if name.startswith("@"):
            return getattr(self.environment, name[1:])
        value = self.source
        for part in name.split("."):
            value = getattr(value, part, None)
        value = self.prepared.get(name, value)
        place = self.from_places.get(name)
        return None if place is not None and place.empty_is_unset and not value else value

    def start(self, rule: Rule) -> None:
        """Prepare a map or list of the source for the other rows."""
        raw = self.raw(rule.source)
        if raw:
            made, place = TRANSFORMS[str(rule.via)].function(raw), self.from_places[rule.source]
            if isinstance(made, Partial) and place.keys is not None:
                left = Counter(map(key_of, raw)) - Counter(map(key_of, made.value))
                for one in raw if left else ():
                    if left[key := key_of(one)]:
                        left -= Counter([key])
                        type_ = one.type if place.values is None else place.values.name
                        self.lost.append((path(rule.source, key), type_, made.reason, rule.id))
                made = made.value if self.lost else made
            self.prepared[rule.source] = self.kept(made, rule, rule.source, place.types[0])

    def read(self, rule: Rule, read: str, key: Any, type_: str) -> Any:
        """Return the value of a `read`: a place, the entry of a key there, or a value of the row itself."""
        own = {"@key": key, "@type": type_, "@as": rule.as_, "@message": self.source}
        if read in own:
            return own[read]
        name, bracket, template = read.partition("[")
        if not bracket:
            return self.raw(name)
        wanted = self.filled_in(rule, template.removesuffix("]"), key)
        found = by_key(self.raw(name)).get(wanted)
        return entry(wanted, found) if isinstance(found, TypedValue) else found

    def values(self, name: str) -> Iterator[tuple[Any, str, Any]]:
        """Yield key (None outside maps), wire type and value of everything set at a place."""
        raw, place = self.raw(name), self.from_places.get(name)
        if raw is None or name in self.used:
            return
        if place is None:
            yield None, ENVIRONMENT[name].types[0], raw
        elif place.kind == ENTRIES:
            for index, entry in enumerate(raw):
                if place.types == ("varints",):
                    yield index, "varint", entry
                elif place.values is not None:
                    yield entry[0], place.values.name, entry[1]
                else:
                    yield entry.key, entry.type, entry.value
        elif place.kind in (TYPED, BODY):
            yield (None, raw.type, raw.value) if place.kind == TYPED else (None, BODIES[type(raw)], raw)
        elif raw != place.unset or place.types == ("payload",):
            yield None, place.types[0], raw

    def group(self, name: str, rules: list[Rule]) -> None:
        seen: list[Any] = []
        for key, type_, value in self.values(name):
            took, first = False, key not in seen
            seen.append(key)
            for rule in rules:
                if (first or not rule.first) and self.matches(rule, key, type_, value):
                    took = True
                    self.apply(rule, key, type_, value)
                    if not rule.more:
                        break
            if not took and not name.startswith("@"):
                self.lost.append((path(name, key), type_, "no row takes it", None))
        for rule in rules:
            if rule.absent and self.raw(name) is None and self.takes(rule, None, rule.type, None):
                place = self.from_places.get(name)
                type_ = ENVIRONMENT[name].types[0] if place is None else "body" if place.kind == BODY else place.types[0]
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
        if rule.target == "@sections" and rule.taken == "next":
            if any(known is rule and note.source == path(rule.source, key) for known, note, *_ in self.wholes):
                return False
        elif rule.taken == "next" and self.is_filled(rule, self.to_key(rule, key)):
            return False
        transform = TRANSFORMS.get(rule.via or "")
        return not (transform and transform.passes and self.call(transform, rule, key, type_, value) is NOT_MINE)

    def call(self, word: Word, rule: Rule, key: Any, type_: str, *values: Any) -> Any:
        given = [*values, *(self.read(rule, read, key, type_) for read in rule.reads)]
        return word.function(*given[: word.takes])

    @property
    def frame(self) -> str:
        return self.environment.frame or next(iter(PROTOCOLS[self.table.target].frames), "")

    def in_frame(self, rule: Rule, field: str | None) -> bool:
        """Return whether a row is for the caller's frame: that of its column, or one that has its field."""
        frames = PROTOCOLS[self.table.target].frames
        wanted = [name for name, own in frames.items() if field in own] if rule.frame is None else [rule.frame]
        return not wanted or self.frame in wanted

    def refuse(self, rule: Rule, field: str) -> ConversionError:
        return ConversionError(str(rule.note), code=str(rule.error), field=field, rule=rule.id)

    # ---- one row: make the value, check that the target is free and can hold it, put it there

    def apply(self, rule: Rule, key: Any, type_: str, value: Any) -> None:
        self.fired.add(rule.id)
        field = path(rule.source, key)
        note = Note(rule, "@constant" if rule.absent else field, rule.target, self.to_key(rule, key))
        if not self.in_frame(rule, rule.target):
            reason = f"the frame {self.frame} has no field for it"
            if "[" in field:
                self.lost.append((field, type_, reason, rule.id))
            elif not field.startswith("@"):
                self.dropped.append((rule.id, field, reason))
            return
        if rule.error is not None:
            raise self.refuse(rule, field)
        if rule.lost is not None:
            self.lost.append((field, type_, rule.lost, rule.id))
            return
        if rule.target in (None, "@caller", "@address", "@beside") or (rule.absent and rule.via is None):
            self.constants(rule, field)
            to = str(rule.columns.get("to"))
            note.kind = "dropped" if rule.target is None else "beside" if "@beside" in to else "accounted"
            note.to_key = key
            if rule.target is not None or not rule.constants:
                self.notes.append(note)
            return
        made = self.make(rule, key, field, type_, value, note)
        if made is None:
            return
        if rule.target == "@sections":
            if any(known.rule is rule and known.source == field for known in self.notes):
                self.lost.append((field, type_, "a second equal key", rule.id))
                return
            self.wholes.append((rule, note, type_, made))
            self.notes.append(note)
            return
        if not self.put(rule, field, type_, made, note):
            return
        place = self.to_places[str(rule.target)]
        if place.unset is not None and made == place.unset:
            note.kind = "unset"
        self.notes.append(note)
        self.constants(rule, field, own=note)
        for read in rule.reads if rule.uses else ():
            if not read.startswith("@") and self.raw(read) is not None:
                self.used.add(read)
                fixed = rule.target_template
                self.notes.append(Note(rule, read, rule.target, fixed if fixed and "*" not in fixed else None))

    def defaults(self, rule: Rule) -> None:
        """Fill the places of a `@constant` row that no other row filled."""
        for place, constant in rule.constants.items():
            if place not in self.filled:
                self.fired.add(rule.id)
                self.filled[place] = constant
                self.notes.append(Note(rule, "@constant", place))

    def make(self, rule: Rule, key: Any, field: str, type_: str, value: Any, note: Note) -> Any:
        """Return the value for the target, or None; note every loss."""
        place = self.to_places[str(rule.target)]
        by_type_rows = place.kind == ENTRIES and place.values is None and rule.as_ is None and rule.via is None
        if by_type_rows or rule.as_ == "*":
            typed = self.by_type("top", type_, value, field, note)
            if typed is not None and place.types[0] == "application-properties" and typed.type in AMQP10_COMPOUND:
                self.lost.append((field, type_, "application properties hold simple types alone", rule.id))
                return None
            return typed
        made = value
        if rule.via is not None:
            made = self.kept(self.call(TRANSFORMS[rule.via], rule, key, type_, value), rule, field, type_)
            if made is None or place.name.startswith("@") or TRANSFORMS[rule.via].gives == "typed":
                return made
        to_type = rule.as_ or {ENTRIES: "utf8", BODY: "data"}.get(place.kind, place.types[0])
        if to_type in self.types and (fault := self.types[to_type].fault(made)) is not None:
            self.lost.append((field, type_, _reason(rule, fault), rule.id))
            return None
        wrapped = place.kind == TYPED or (place.kind == ENTRIES and place.values is None)
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
            self.filled[place.path] = made
            return True
        key = note.to_key
        own = rule.target_template is None or "*" in rule.target_template
        fault = None
        if own and place.keys is not None and not (place.keys.name == "symbol" and isinstance(key, int)):
            key_type = place.keys.name
            fault = symbol_fault(key) if key_type == "symbol" else self.types[key_type].fault(key)
        if fault is not None:
            self.lost.append((field, type_, f"its key is {fault}", rule.id))
            return False
        if place.values is not None:
            made = made.value if isinstance(made, TypedValue) else made
        if place.repeats:
            self.filled.setdefault(place.path, []).append((key, made))
            return True
        if rule.taken == "drop" and self.is_filled(rule, key):
            return self.too_late(rule, field, type_, note)
        self.filled.setdefault(place.path, {})[key] = made
        return True

    def too_late(self, rule: Rule, field: str, type_: str, note: Note) -> bool:
        """Note a value for a filled place: lost for a second equal key, else dropped."""
        made = [n for n in self.notes if n.kind in ("made", "unset")]
        twins = [n for n in made if (n.source, n.to_key) == (note.source, note.to_key)]
        if twins and "[" in field:
            self.lost.append((field, type_, "a second equal key", rule.id))
        else:
            self.dropped.append((rule.id, field, f"taken by {self.taker(str(rule.target), note.to_key)}"))
        return False

    def to_key(self, rule: Rule, key: Any) -> Any:
        return None if rule.target_template is None else self.filled_in(rule, rule.target_template, key)

    def filled_in(self, rule: Rule, template: str, key: Any) -> Any:
        """Return the key of a template: its star becomes the pattern's match, and `*` alone becomes the source key."""
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
        return not place.repeats and key in self.filled.get(place.path, {})

    def taker(self, place: str, key: Any) -> str:
        return [n for n in self.notes if n.place == place and n.to_key == key and n.kind in ("made", "unset")][-1].rule.id

    def replace(self, rule: Rule, place: str, key: Any = ..., own: Note | None = None) -> None:
        """Mark the notes of earlier rows at a place (or under one key of it) as replaced."""
        for note in self.notes:
            at = str(note.place)
            if (at == place or at.startswith(f"{place}.")) and key in (..., note.to_key) and note is not own:
                note.replaced_by = note.replaced_by or rule.id

    def constants(self, rule: Rule, field: str, own: Note | None = None) -> None:
        """Put the constants of a row. Their source is the row's value if the row has no other target."""
        source = field if rule.target is None and not rule.absent else "@constant"
        for written, constant in rule.constants.items():
            place, bracket, key = written.partition("[")
            if bracket:
                self.filled.setdefault(place, []).append((key.removesuffix("]"), constant))
            else:
                if not rule.absent and place in self.filled:
                    self.replace(rule, place, own=own)
                self.filled[place] = constant
            self.notes.append(Note(rule, source, place, key.removesuffix("]") if bracket else None))

    # ---- type rows: values of entries, and nested values

    def by_type(self, scope: str, type_: str, value: Any, field: str, note: Note | None = None) -> TypedValue | None:
        for rule in self.table.types:
            if type_ not in rule.type.split("|") or not (
                rule.scope in SCOPES[scope] or (rule.scope is None and scope != "key")
            ):
                continue
            if rule.when is not None and not CONDITIONS[rule.when].function(value):
                continue
            self.fired.add(rule.id)
            if note is not None:
                note.type_rule = rule.id
            return self.by_type_row(rule, type_, value, field)
        self.lost.append((field, type_, f"no row takes this {type_}", None))
        return None

    def by_type_row(self, rule: Rule, type_: str, value: Any, field: str) -> TypedValue | None:
        if rule.as_ is None:
            self.lost.append((field, type_, str(rule.lost), rule.id))
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
            made = self.kept(self.call(TRANSFORMS[rule.via], rule, None, type_, value), rule, field, type_)
        if made is None and rule.as_ not in ("null", "void"):
            return None
        if (fault := self.types[rule.as_].fault(made)) is not None:
            self.lost.append((field, type_, _reason(rule, fault), rule.id))
            return None
        return TypedValue(rule.as_, made)

    def items(self, parts: list[TypedValue], field: str) -> list[TypedValue]:
        made = [self.by_type("nested", part.type, part.value, f"{field}[{index}]") for index, part in enumerate(parts)]
        return [part for part in made if part is not None]

    def entries(self, given: Any, field: str) -> list[Entry]:
        made: list[Entry] = []
        for key, typed in map(pair, given):
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
            if value is not None and final in [known.key for known in made]:
                self.lost.append((at, typed.type, "a second equal key", None))
            elif value is not None:
                made.append(entry(final, value))
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
        self.put_sections()
        for rule in self.table.finish:
            self.finish(rule)

    def put_sections(self) -> None:
        """Put whole sections in the place of those that their rows close, the others at the end; the last of a kind wins.

        Each is a layer: its slot, its sections, and the note that names their source.
        """
        if not self.wholes:
            return
        slots = list(self.message.__dataclass_fields__)
        closed = {slot: rule for rule, *_ in self.wholes for slot in rule.closes}
        made = {name.partition(".")[0] for rule in self.table.rules for name in (rule.target, *rule.constants) if name}
        layers: list[tuple[float, dict[str, Any], Note | None, str]] = []
        for index, slot in enumerate(slots):
            own = getattr(self.message, slot)
            if slot not in closed and (slot in made or own is not None):
                layers.append((index, {slot: own}, None, ""))
        for rule, own_note, type_, whole in self.wholes:
            at = slots.index(rule.closes[0]) if rule.closes else len(slots)
            parts = {slot: getattr(whole, slot) for slot in slots if getattr(whole, slot) is not None}
            layers.append((at, parts, own_note, type_))
            self.notes.remove(own_note)
        stands: dict[str, Any] = {}
        came: dict[str, list[tuple[Note | None, str]]] = {}
        by = dict(closed)
        for _, parts, note, type_ in sorted(layers, key=lambda layer: layer[0]):
            for slot, value in parts.items():
                before = stands.get(slot)
                if isinstance(value, Data) and isinstance(before, Data):
                    stands[slot] = Data(before.sections + value.sections)
                    came[slot].append((note, type_))
                    continue
                if isinstance(value, AmqpSequence) and isinstance(before, AmqpSequence):
                    stands[slot] = AmqpSequence(before.sections + value.sections)
                    came[slot].append((note, type_))
                    continue
                for earlier, earlier_type in came.get(slot, []):
                    if earlier is None and note is not None:
                        by[slot] = note.rule
                    elif earlier is not None:
                        reason = f"its {slot.replace('_', ' ')}: a later section takes the place"
                        self.lost.append((earlier.source, earlier_type, reason, earlier.rule.id))
                stands[slot], came[slot] = value, [(note, type_)]
        for slot in slots:
            setattr(self.message, slot, stands.get(slot))
        for slot, rule in by.items():
            self.replace(rule, slot)
        for rule, own_note, _, _ in self.wholes:
            stand = [slot for slot, notes in came.items() for note, _ in notes if note is own_note]
            filled = [held for slot in stand for held in self.set_in(slot)]
            self.notes += [dataclasses.replace(own_note, place=place, to_key=key) for place, key in filled]
            if not filled and not any((line[0], line[3]) == (own_note.source, rule.id) for line in self.lost):
                self.dropped.append((rule.id, own_note.source, "an empty section"))

    def set_in(self, slot: str) -> list[tuple[str, Any]]:
        """Return the places that are set in a section of the result."""
        section = getattr(self.message, slot)
        if slot == "body":
            return [(slot, None)]
        if isinstance(section, list):
            return [(slot, key) for key in dict.fromkeys(entry.key for entry in section)]
        fields = [field.name for field in dataclasses.fields(section) if getattr(section, field.name) is not None]
        return [(f"{slot}.{name}", None) for name in fields]

    def finish(self, rule: Rule) -> None:
        """Apply a row of finish: it changes a field or map of the result."""
        *section, name = rule.source.split(".")
        holder = getattr(self.message, section[0]) if section else self.message
        seen = getattr(holder, name, None)
        if holder is None or not self.in_frame(rule, rule.source):
            return
        if rule.columns.get("type") != "*" and (seen is None) is not rule.absent:
            return
        if rule.when is not None and not self.call(CONDITIONS[rule.when], rule, None, "", seen):
            return
        self.fired.add(rule.id)
        if rule.error is not None:
            raise self.refuse(rule, rule.source)
        place, transform = self.to_places[rule.source], TRANSFORMS[str(rule.via)]
        made = self.kept(self.call(transform, rule, None, "", seen), rule, rule.source, place.types[0])
        if place.kind == ENTRIES:
            made = made or None
        if made != seen:
            other = next((read for read in rule.reads[: transform.takes - 1] if read in ENVIRONMENT), "@constant")
            there = [n for n in self.notes if (n.place, n.kind, n.replaced_by) == (rule.source, "made", None)]
            (self.finished_map if place.kind == ENTRIES else self.finished)(rule, seen, made, there, other)
            setattr(holder, name, made)
        if rule.whole:
            self.keep_whole(rule)

    def tell(self, rule: Rule, told: list[tuple[str, Any]]) -> None:
        self.notes += [Note(rule, source, rule.source, key) for source, key in dict.fromkeys(told)]

    def finished(self, rule: Rule, before: Any, after: Any, there: list[Note], other: str) -> None:
        """Note the change of a row of finish to a field."""
        if after is None:
            for note in there:
                note.replaced_by = rule.id
            return
        sources = [note.source for note in there if before is not None]
        if rule.whole:
            sources = [source for source in sources if source != "@constant"]
        self.tell(rule, [(source, None) for source in sources or ([] if rule.whole else [other])])

    def finished_map(self, rule: Rule, before: Any, after: Any, there: list[Note], other: str) -> None:
        """Note the changes of a row of finish to a map: new and changed entries, else moved ones."""
        old, new = list(map(pair, before or [])), list(map(pair, after or []))
        keys = dict.fromkeys(key for key, _ in new)
        for key in {key for key, _ in old if key not in keys}:
            self.replace(rule, rule.source, key)
        changed = [key for key in keys if [v for k, v in old if k == key] != [v for k, v in new if k == key]]
        if not changed:
            changed = [one[0] for at, one in enumerate(new) if old[at : at + 1] != [one]]
        sources = {key: [note.source for note in there if note.to_key == key] for key in changed}
        self.tell(rule, [(source, key) for key in changed for source in sources[key] or [other]])

    def keep_whole(self, rule: Rule) -> None:
        """Note that the row stored the whole message: every field without another use is in it, once for each value."""
        kinds = ("beside", "accounted", "unset", "dropped")
        gone = [note for note in self.notes if note.replaced_by is not None or note.kind in kinds]
        gone = [note for note in gone if note.replaced_by is None or note.source != "@constant"]
        self.notes = [note for note in self.notes if note.replaced_by is None and note.kind not in kinds]
        fields = [line[0] for line in self.lost] + [line[1] for line in self.dropped] + [note.source for note in gone]
        for field, times in Counter(fields).items():
            place, _, key = field.partition("[")
            value = self.source
            for part in place.split("."):
                value = getattr(value, part, None)
            held = (
                [path(place, pair(one)[0] if isinstance(one, Entry | tuple) else at) for at, one in enumerate(value)]
                if key
                else []
            )
            self.notes += [Note(rule, field, rule.source)] * min(times, max(held.count(field), 1))
        self.lost.clear()
        self.dropped.clear()

    def came_with(self) -> str | None:
        """Return the address for the next table of a route, if this message has one that the next message lacks.

        A row gives it to `@address`. For an envelope without an address it is the address of the frame: the `to` of the same
        frame converted with a plain payload (decisions.md G3).
        """
        for rule in self.table.rules:
            if rule.target == "@address":
                return self.raw(rule.source) or None
        if self.environment.payload != "envelope" or _to(self.message) is not None:
            return None
        plain = dataclasses.replace(self.environment, payload="body")
        return _to(Interpreter(self.table, self.source, plain).message) or None

    def final(self, place: str) -> Any:
        value = self.filled[place]
        if isinstance(value, dict) and self.to_places[place].values is not None:
            return list(value.items()) or None
        return ([entry(*one) for one in value.items()] if isinstance(value, dict) else value) if value != {} else None

    def went(self) -> dict[str, str]:
        """Return the target of each field, by the rows that leave nothing to later rows."""
        notes = (note for note in self.notes if note.kind == "made" and note.replaced_by is None)
        return {note.source: note.target for note in notes if not note.rule.more}

    def beside(self, note: Note, went: dict[str, str]) -> str | None:
        """Return the target of the field that `@beside[PLACE]` names, or of the first of several."""
        for named in note.rule.columns["to"].removeprefix("@beside[").removesuffix("]").split("|"):
            place, bracket, key = named.partition("[")
            if bracket:
                own = str(note.to_key).removeprefix((note.rule.source_pattern or "").rstrip("*"))
                place = path(place, key.removesuffix("]").replace("**", own))
            if place in went:
                return went[place]
        return None

    def account(self) -> Counter[tuple[Any, ...]]:
        """Return every line of the report, as tuples that begin with the name of their list."""
        lines: Counter[tuple[Any, ...]] = Counter(("lost", *line) for line in self.lost)
        lines.update(("dropped", *line) for line in self.dropped)
        went = self.went()
        for note in self.notes:
            rule = note.rule
            if note.replaced_by is not None:
                if note.source != "@constant":
                    lines["dropped", rule.id, note.source, f"replaced by {note.replaced_by}"] += 1
            elif note.kind == "beside" and (beside := self.beside(note, went)) is not None:
                lines["applied", rule.id, note.source, beside, None, rule.note or "says how it is read"] += 1
            elif note.kind == "made":
                lines["applied", rule.id, note.source, note.target, note.type_rule, None] += 1
            elif note.kind == "dropped":
                lines["dropped", rule.id, note.source, rule.note or "no counterpart"] += 1
            else:
                lines["accounted", rule.id, note.source] += 1
        return lines


def difference(
    tables: tuple[RuleTable, ...], message: Any, environment: Environment, outcome: Conversion | ConversionError
) -> str | None:
    """Return how the interpreter differs from the outcome of a route, table by table; None if it does not.

    It compares the messages, the reports, the refusals, and the address that the next table gets.
    """
    for leg, table in enumerate(tables, 1):
        try:
            wanted = Interpreter(table, message, environment)
        except ConversionError as error:
            if isinstance(outcome, Conversion):
                return f"{table.name} converts what the interpreter refuses: {error.rule}: {error}"
            mine, theirs = ((one.code, one.rule, one.field) for one in (outcome, error))
            return None if mine == theirs else f"{table.name} refuses with {mine}, the interpreter with {theirs}"
        if isinstance(outcome, Conversion):
            made = (*outcome.between, outcome.message)[leg - 1]
            if same_form(made) != same_form(wanted.message):
                return f"{table.name} makes {made}, the interpreter {wanted.message}"
            reported, expected = account(outcome.report, leg), wanted.account()
            if reported != expected:
                return f"{table.name} reports {reported - expected}, the interpreter {expected - reported}"
        if environment.address is None and table is not tables[-1] and (address := wanted.came_with()):
            environment = addressed(environment, address)
        message = wanted.message
    return f"refused, and not by the interpreter: {outcome}" if isinstance(outcome, ConversionError) else None


def account(report: Report, leg: int) -> Counter[tuple[Any, ...]]:
    """Return the lines that a report has for one table of the route, in the form of `Interpreter.account`."""
    lines: Counter[tuple[Any, ...]] = Counter()
    lines.update(("applied", a.rule, a.source, a.target, a.type_rule, a.note) for a in report.applied if a.leg == leg)
    lines.update(("dropped", one.rule, one.field, one.note) for one in report.dropped if one.leg == leg)
    lines.update(("accounted", one.rule, one.field) for one in report.accounted if one.leg == leg)
    lines.update(("lost", one.field, one.type, one.reason, one.rule) for one in report.lost if one.leg == leg)
    return lines
