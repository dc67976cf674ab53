"""RuleTable -> one plain Python function: the only engine. `explain` prints what this function noted; nothing walks rows
a second time.

The text of the function is what a person would write by hand: one block for each place of the source, one branch for each
row, the row's id and line behind it. It is made only of names that were checked against the message classes and the
registries (checks.py); text of a table never reaches it raw. What the type rows become stands in type_rows.py.
"""

import dataclasses
import linecache
import re
from collections.abc import Callable
from itertools import takewhile
from traceback import walk_tb
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.checks import check_rows
from mqconvert.converters.engine.report import SECOND_EQUAL_KEY, Notes
from mqconvert.converters.engine.rules import CONSTANT, Rule, RuleTable
from mqconvert.converters.engine.rules import path as field_path
from mqconvert.converters.engine.signatures import ENVIRONMENT, Rows, place_and_key
from mqconvert.converters.engine.source_text import FunctionText, answered_else, begins
from mqconvert.converters.engine.type_rows import at_once, write_type_rows
from mqconvert.converters.engine.vocabulary import TRANSFORMS
from mqconvert.converters.model.bodies import BODY_CLASSES
from mqconvert.converters.model.places import BODY, ENTRIES, ENTRY_KEYS, PLAIN_ENTRIES, SCALAR, SECTION, TYPED, WHOLE, Place
from mqconvert.converters.words import Word

READABLE = {"@key": "key", "@message": "source", "@result": "target", "@way_back": "way_back", "@again": "again"}
"""What else a row may read: its own key, the source message; in a finish row the target message, the table back, and this
table for a message that came back."""


NOT_SIMPLE = "application properties hold simple types alone"
"""Why a list, a map or the like is none of their values (AMQP 1.0 part 3 section 3.2.5)."""


class Compiler(FunctionText):
    """Writes the function of one table whose rows were checked."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows.target.types)
        self.rows, self.table = rows, rows.table
        self.from_places, self.to_places = rows.from_places, rows.to_places
        self.filled: dict[str, None] = {}
        self.asked: set[str] = set()
        self.wholes = False
        self.started = {rule.source for rule in self.table.start}
        self.renamed = {rule.source for rule in self.table.start if TRANSFORMS[str(rule.via)].renames}
        self.used = {read: None for rule in self.table.rules for read in self.uses(rule)}
        self.indexed = {
            path: None
            for rule in (*self.table.rules, *self.table.finish)
            for path, key in map(place_and_key, rule.looks_at)
            if key is not None and path in self.from_places
        }

    def compile(self) -> str:
        """The text: what the rows fill is known only when their blocks are written, and what they start from stands first."""
        write_type_rows(self.rows, self)
        head, self.lines = self.lines, []
        for path, rules in self.rows.by_place().items():
            self.group(path, rules)
        for rule in self.rows.defaults():
            self.default(rule)
        self.build()
        body, self.lines = self.lines, head
        self.preamble()
        return "\n".join([*self.lines, *body]) + "\n"

    def preamble(self) -> None:
        self.say(0, f"def {_function_name(self.table)}(source, environment, notes):")
        self.say(1, f'"""{self.table.title}: generated from {self.table.file}."""')
        self.say(1, "taken, lost, partial = notes.taken, notes.lost, []")
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
            unset = ("[]" if place.types[0] in PLAIN_ENTRIES else "{}") if keyed else repr(self.start_of(place))
            self.say(1, f"to_{place.name} = {unset}")
        if self.wholes:
            self.say(1, "sections = {}")

    def group(self, path: str, rules: list[Rule]) -> None:
        """One block: every row of one place of the source."""
        place, where = self.place(path), self.where(path)
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
        self.chain(depth, place, rows, extra=extra, quiet=path in ENVIRONMENT)
        absent = [rule for rule in rules if rule.absent]
        for rule in absent:
            test = self.test(place, rule)
            if tests == ["value is not None"] and len(absent) == 1:
                opening = f"elif {test}:" if test else "else:"
            else:
                self.say(1, "value = None")
                opening = f"if {where} is None{' and ' * bool(test)}{test}:"
            self.say(1, f"{opening}  # {rule.id}, {rule.where}")
            # There is no value whose type could be looked at.
            self.apply(2, dataclasses.replace(place, kind=SCALAR) if place.kind == TYPED else place, rule)

    def place(self, path: str) -> Place:
        """A place of the source, or of the caller's Environment."""
        return Place(path, (ENVIRONMENT[path],), SCALAR) if path in ENVIRONMENT else self.from_places[path]

    def where(self, path: str) -> str:
        """The expression of a place of the source: a field of the message, of a section, or what a start row made of it; or of
        the caller's Environment.
        """
        if path in ENVIRONMENT:
            return f"environment.{path[1:]}"
        place = self.from_places[path]
        if path in self.started:
            return f"from_{place.name}"
        return place.path if place.section else f"source.{place.path}"

    def start(self, rule: Rule) -> None:
        place, transform = self.from_places[rule.source], TRANSFORMS[str(rule.via)]
        function = self.word("via", transform)
        first = next(other for other in self.table.start if other.source == rule.source) is rule
        raw = place.path if place.section else f"source.{place.path}"
        field = raw if first else f"from_{place.name}"
        self.say(1, f"made = {field} and {function}({field})  # {rule.id}, {rule.where}")
        if transform.loses:
            self.say(1, "if made.__class__ is Partial or made.__class__ is Loss:")
            self.say(2, f"lost.append(({place.path!r}, {place.types[0]!r}, made.reason, {self.row(rule)}))")
            self.say(2, "made = made.value if made.__class__ is Partial else None")
        if transform.renames:
            self.say(1, f"own_{place.name} = own_keys(notes, {self.row(rule)}, {place.path!r}, {field}, made)")
        self.say(1, f"from_{place.name} = made")

    def entries(self, place: Place, where: str, rules: list[Rule]) -> None:
        """One loop over a map or list; the rows that name a key, where they come first, stand behind one test of them all."""
        named = list(takewhile(lambda rule: rule.source_pattern is not None and "*" not in rule.source_pattern, rules))
        others = rules[len(named) :] if len(named) > 1 else rules
        if any(rule.first for rule in rules):
            self.say(1, "seen = set()")
        guard = f"() if used_{place.name} else " if place.path in self.used else ""
        if place.types[0] == "varints":
            self.say(1, f"for key, value in enumerate({guard}{where} or ()):")
        elif place.path in self.renamed:
            pair = "(key, value)" if place.types[0] == "utf8-pairs" else "(key, typed)"
            self.say(1, f"for own, {pair} in zip(own_{place.name}, {guard}{where} or ()):")
        elif place.types[0] == "utf8-pairs":
            self.say(1, f"for key, value in {guard}{where} or ():")
        else:
            self.say(1, f"for key, typed in {guard}{where} or ():")
        if self.rows.typed(place):
            self.say(2, "type_ = typed.type")
        extra = any(rule.more for rule in rules) and not self.takes_all(place, rules)
        if extra:
            self.say(2, "took = False")
        if any(rule.first for rule in others):
            self.first(2)
        if others is rules:
            self.chain(2, place, rules, extra=extra)
            return
        keys = self.name("keys", place.path, frozenset(rule.source_pattern for rule in named))
        self.say(2, f"if key in {keys}:")
        if any(rule.first for rule in named) and not any(rule.first for rule in others):
            self.first(3)
        for rule in named:
            self.say(3, f"if {self.test(place, rule)}:  # {rule.id}, {rule.where}")
            if extra and rule.more:
                self.say(4, "took = True")
            self.apply(4, place, rule)
            if not rule.more:
                self.say(4, "continue")
        self.chain(2, place, others, extra=extra)

    def first(self, depth: int) -> None:
        """Whether the entry is the first of its key, for the rows that say so."""
        self.say(depth, "first = key not in seen")
        self.say(depth, "seen.add(key)")

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
            if not rules:
                self.say(depth, "pass")
            return
        taken = "took" if extra else None
        if taken or not first:
            opening = "if" if first else "elif"
            self.say(depth, f"{opening} not {taken}:" if taken else "else:")
            depth += 1
        self.say(depth, f"lost.append(({self.field(place)}, {self.type_text(place)}, 'no row takes it', None))")

    def test(self, place: Place, rule: Rule) -> str:
        parts = []
        if rule.source_pattern is not None and rule.source_pattern != "*":
            text = "key.__class__ is str and " if place.types[0] == "annotations" else ""
            stem = rule.source_pattern[:-1] if rule.source_pattern.endswith("*") else None
            parts.append(f"key == {rule.source_pattern!r}" if stem is None else f"{text}{begins('key', stem)}")
        if rule.first:
            parts.append("first")
        if rule.type not in ("*", "absent") and (place.kind == TYPED or self.rows.typed(place)):
            types = rule.type.split("|")
            parts.append(f"type_ == {types[0]!r}" if len(types) == 1 else f"type_ in {{{', '.join(map(repr, types))}}}")
        elif rule.type not in ("*", "absent") and place.kind == BODY:
            classes = [self.name("class", type_, BODY_CLASSES[type_]) for type_ in rule.type.split("|")]
            parts.append("value.__class__ " + (f"is {classes[0]}" if len(classes) == 1 else f"in ({', '.join(classes)})"))
        if rule.when is not None:
            given = [self.value(rule), *(self.read(rule, read) for read in rule.looks_at)]
            parts.append(self.condition(rule.when, self.rows.kind(rule), given))
        if rule.taken == "next":
            parts.append(self.free(rule))
        if rule.via in TRANSFORMS and TRANSFORMS[rule.via].passes:
            parts.append(f"(made := {self.called(rule)}) is not NOT_MINE")
        return " and ".join(parts)

    def free(self, rule: Rule) -> str:
        place = self.to_places[str(rule.target)]
        if place.kind == WHOLE:
            return f"({self.row(rule)}, {'None' if rule.source_pattern is None else 'key'}) not in sections"
        if place.kind == ENTRIES:
            return f"{self.key(rule)} not in to_{place.name}"
        return self.empty(place)

    def empty(self, place: Place) -> str:
        """The test for a place that no row has filled; filled with its default it is filled."""
        self.asked.add(place.path)
        return f"(to_{place.name} is None)"

    def arguments(self, rule: Rule, word: Word) -> list[str]:
        """The value and what the row reads, as far as the word asks for it."""
        reads = [self.read(rule, read) for read in rule.reads]
        return [self.value(rule), *reads][: word.takes]

    def read(self, rule: Rule, read: str) -> str:
        """The expression of what `reads` names: a place, an entry by its key (`*`: the row's own), or one of READABLE."""
        path, key = place_and_key(read)
        if path == "@as":
            return repr(rule.as_)
        if path == "@type":
            return self.type_text(self.from_places[rule.source])
        if path in READABLE:
            return READABLE[path]
        if path.startswith("@result."):
            field = f"target.{path.removeprefix('@result.')}"
            return field if key is None else f"dict({field} or ()).get({key!r})"
        if key is not None:
            return f"index_{path.replace('.', '_')}.get({self.templated(rule, key)})"
        return self.where(path)

    def value(self, rule: Rule) -> str:
        """The source's value in a row's block."""
        place = self.from_places.get(rule.source)
        return "typed.value" if place is not None and self.rows.typed(place) else "value"

    def called(self, rule: Rule) -> str:
        assert rule.via is not None
        return self.transformed(rule.via, self.arguments(rule, TRANSFORMS[rule.via]), utf8=self.rows.utf8(rule))

    def key(self, rule: Rule) -> str:
        return self.templated(rule, rule.target_template or "*")

    def templated(self, rule: Rule, template: str) -> str:
        """A key with what the `*` of the row's pattern stands for as `*`; `*` alone is the whole key, `**` that rest."""
        if "*" not in template:
            return repr(template)
        stem = rule.source_pattern[:-1] if rule.source_pattern and rule.source_pattern.endswith("*") else ""
        before, _, after = template.partition("**" if "**" in template else "*")
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
        return f"path({place.path!r}, {self.own(place)})" if place.kind == ENTRIES else repr(place.path)

    def own(self, place: Place) -> str:
        """The key that an entry has in the message, whatever a row of `start` calls it; None of a field."""
        return "None" if place.kind != ENTRIES else "own" if place.path in self.renamed else "key"

    def noted(self, place: Place, row: str, key: str = "None") -> str:
        """The note of a row that fills a field, or none: then `key` is that under which the rows see an entry."""
        return f"({row}, {self.own(place)}, {key}, None)" if place.kind == ENTRIES else row

    def type_text(self, place: Place) -> str:
        if place.kind == TYPED or self.rows.typed(place):
            return "type_"
        if place.kind == BODY:
            return "BODY_TYPES.get(value.__class__, 'body')"
        return repr(self.rows.types_at(place)[0])

    def apply(self, depth: int, place: Place, rule: Rule) -> None:
        """What one row does: make the value, check that the target can hold it, put it there, note the row."""
        row = self.row(rule)
        target = self.to_places.get(rule.target or "")
        if rule.error is not None:
            self.say(depth, f"raise refused({row}, {self.field(place)}, {self.value(rule)})")
            return
        if rule.lost is not None:
            self.say(depth, f"lost.append(({self.field(place)}, {self.type_text(place)}, {rule.lost!r}, {row}))")
            return
        for path in rule.constants:
            self.filled[place_and_key(path)[0]] = None
        if target is None or (rule.absent and rule.via is None):
            self.constants(depth, place, rule)
            if rule.accounts or not rule.constants:
                self.say(depth, f"taken.append({self.noted(place, row, 'key' if place.path in self.renamed else 'None')})")
            return
        if rule.closes or target.kind in (SECTION, WHOLE):
            self.whole(depth, place, rule, row, target)
            return
        self.filled[target.path] = None
        depth = self.make(depth, place, rule, row, target)
        depth = self.put(depth, place, rule, row, target)
        self.constants(depth, place, rule)
        for read in self.uses(rule):
            used = self.name("row", f"{rule.id}_uses_{read}", dataclasses.replace(rule, source=read, source_pattern=None))
            self.say(depth, f"if {self.where(read)} is not None:")
            self.say(depth + 1, f"used_{self.from_places[read].name} = True")
            self.say(depth + 1, f"taken.append({used})")

    def uses(self, rule: Rule) -> list[str]:
        """The places that count as used where the row applies; what is the caller's needs no account."""
        return [read for read in rule.reads if read not in ENVIRONMENT] if rule.uses else []

    def constants(self, depth: int, place: Place, rule: Rule) -> None:
        """The places of `set`: what the row makes of its value where it has nothing else for it, else a constant."""
        own = rule.target is None and not rule.absent
        for written, constant in rule.constants.items():
            path, key = place_and_key(written)
            name = f"to_{self.to_places[path].name}"
            if key is not None:
                self.say(depth, f"{name}.append(({key!r}, {constant!r}))")
            else:
                if not rule.absent:
                    self.say(depth, f"if {name} is not None:")
                    self.say(depth + 1, f"notes.replace({self.row(rule)}, ({path!r},), but_own=True)")
                self.say(depth, f"{name} = {constant!r}")
            told = self.name("row", f"{rule.id}_sets_{path}", rule.told(rule.source if own else CONSTANT, path))
            keys = [self.own(place) if own else "None", repr(key)]
            self.say(
                depth,
                f"taken.append({told})" if keys == ["None", "None"] else f"taken.append(({told}, {', '.join(keys)}, None))",
            )

    def default(self, rule: Rule) -> None:
        """A row for what no other row filled."""
        self.say(1, f"# {rule.id}, {rule.where}")
        for path, constant in rule.constants.items():
            self.filled[path] = None
            self.say(1, f"if {self.empty(self.to_places[path])}:")
            self.say(2, f"to_{self.to_places[path].name} = {constant!r}")
            self.say(2, f"taken.append({self.name('row', f'{rule.id}_sets_{path}', rule.told(CONSTANT, path))})")

    def whole(self, depth: int, place: Place, rule: Rule, row: str, target: Place) -> None:
        self.wholes = True
        transform = TRANSFORMS[str(rule.via)]
        if not transform.passes:
            self.say(depth, f"made = {self.called(rule)}")
        if transform.loses:
            self.partial(depth, place, row, transform.gives)
            self.say(depth, "if made is not None:")
            depth += 1
        held = f"{row}, {self.own(place)}"
        self.names["Message"] = self.rows.target.message
        made = "made" if target.kind == WHOLE else f"Message({target.path}=made)"
        self.say(depth, f"if ({held}) in sections:")
        self.say(depth + 1, f"lost.append(({self.field(place)}, {self.type_text(place)}, {SECOND_EQUAL_KEY!r}, {row}))")
        self.say(depth, "else:")
        self.say(depth + 1, f"sections[{held}] = ({self.type_text(place)}, {made})")

    def make(self, depth: int, place: Place, rule: Rule, row: str, target: Place) -> int:
        """Emit `made = ...` and its checks; the returned depth is where the value is good."""
        type_ = self.rows.target_type(rule, target)
        field = self.field(place)
        if type_ == "*":
            return self.by_type_table(depth, field, rule, target)
        transform = TRANSFORMS.get(rule.via or "")
        made = "made" if rule.via else self.value(rule)
        if transform is not None and not transform.passes and not self.straight(rule, type_):
            self.say(depth, f"made = {self.called(rule)}")
        if transform is not None and transform.loses:
            self.partial(depth, place, row, transform.gives)
            self.say(depth, "if made is not None:")
            depth += 1
        if type_ != "typed" and not self.rows.certain(rule, type_):
            self.check(depth, type_, made)
            self.say(depth + 1, f"lost.append(({field}, {self.type_text(place)}, fault, {row}))")
            self.say(depth, "else:")
            depth += 1
        return depth

    def straight(self, rule: Rule, type_: str) -> bool:
        """Whether what the transform makes goes into its place as it is, with nothing to ask before."""
        transform = TRANSFORMS.get(rule.via or "")
        if transform is None or transform.passes or transform.loses:
            return False
        return type_ == "typed" or self.rows.certain(rule, type_)

    def by_type_table(self, depth: int, field: str, rule: Rule, target: Place) -> int:
        """The value by the type rows: a new name for its type where that is all, else the function of its type."""
        self.say(depth, "if type_ in renamed_top:")
        self.say(depth + 1, "by, as_ = renamed_top[type_]")
        self.say(depth + 1, "made = typed if as_ is None else TypedValue(as_, typed.value)")
        for type_, row, test, made in at_once(self.rows):
            self.say(depth, f"elif type_ == {type_!r}{' and ' * bool(test)}{test}:  # {row.id}, {row.where}")
            self.say(depth + 1, f"by, made = {row.id!r}, {made}")
        self.say(depth, "else:")
        self.say(depth + 1, "by, made = types_top[type_](typed.value, partial)")
        self.say(depth + 1, "if partial:")
        self.say(depth + 2, f"flush(partial, {field}, lost)")
        if target.not_held:
            self.say(depth + 1, f"if made is not None and made.type in {target.not_held!r}:")
            self.say(depth + 2, f"lost.append(({field}, type_, {NOT_SIMPLE!r}, {self.row(rule)}))")
            self.say(depth + 2, "made = None")
        if rule.more:
            self.say(depth, "if made is not None:")
            return depth + 1
        self.say(depth + 1, "if made is None:")
        self.say(depth + 2, "continue")
        return depth

    def partial(self, depth: int, place: Place, row: str, gives: str) -> None:
        self.say(depth, f"if {answered_else(gives)}:")
        self.say(depth + 1, f"lost.append(({self.field(place)}, {self.type_text(place)}, made.reason, {row}))")
        self.say(depth + 1, "made = made.value if made.__class__ is Partial else None")

    def put(self, depth: int, place: Place, rule: Rule, row: str, target: Place) -> int:
        """Emit the assignment: with the check of the key, and of a place that is already filled.

        The returned depth is where the value is in its place.
        """
        type_ = self.rows.target_type(rule, target)
        straight = self.straight(rule, type_)
        made = self.called(rule) if straight else "made" if rule.via or type_ == "*" else self.value(rule)
        plain = type_ in ("*", "typed") or target.kind not in (TYPED, ENTRIES)
        value = made if plain else f"TypedValue({type_!r}, {made})"
        if rule.absent:  # there is no value that it could come from
            row = self.name("row", f"{rule.id}_told", dataclasses.replace(rule, source=CONSTANT))
        if target.kind == ENTRIES:
            return self.put_entry(depth, place, rule, row, target, made, value)
        if self.rows.contested(rule, target):
            self.say(depth, f"if not {self.empty(target)}:")
            self.too_late(depth + 1, place, row, target, "None")
            self.say(depth, "else:")
            depth += 1
        elif rule.taken == "replace":
            self.say(depth, f"notes.replace({row}, ({target.path!r},))")
        self.say(depth, f"to_{target.name} = {value}")
        if target.unset is not None and self.rows.target.types[type_].fault(target.unset) is None:
            unset = self.name("row", f"{rule.id}_unset", dataclasses.replace(rule, unset=True))
            row = f"({row} if to_{target.name} != {target.unset!r} else {unset})"
        self.say(depth, f"taken.append({self.noted(place, row)})")
        return depth

    def put_entry(self, depth: int, place: Place, rule: Rule, row: str, target: Place, made: str, value: str) -> int:
        """As `put`, for an entry of a map or a list of pairs: `made` without its type and `value` with it."""
        name, key = f"to_{target.name}", self.key(rule)
        by_table = self.rows.target_type(rule, target) == "*"
        noted = f"taken.append(({row}, {self.own(place)}, {key}, {'by' if by_table else 'None'}))"
        if rule.target_template is None or "*" in rule.target_template:
            keys = ENTRY_KEYS[target.types[0]]
            self.check(
                depth,
                keys,
                key,
                runtime.KEY_FAULTS[keys] if keys == "symbol" else self.rows.target.types[keys].fault,
                "key.__class__ is str and " if place.types[0] == "annotations" else "",
            )
            self.say(depth + 1, f"lost.append(({self.field(place)}, {self.type_text(place)}, 'its key is ' + fault, {row}))")
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

    def too_late(self, depth: int, place: Place, row: str, target: Place, key: str) -> None:
        field, type_ = self.field(place), self.type_text(place)
        self.say(
            depth,
            f"too_late(notes, {row}, {field}, {type_}, {target.path!r}, {key}, {self.own(place)})",
        )

    def build(self) -> None:
        """The end of the function: the target message from what was filled, then the rows that see it last."""
        fields = {field.name: (field, self.to_places[field.name]) for field in dataclasses.fields(self.rows.target.message)}
        made = {name: self.final(place) for name, (_, place) in fields.items() if place.kind != SECTION}
        for name, (field, place) in fields.items():
            if place.kind == SECTION:
                made[name] = self.section(place, always=field.default is not None)
        self.names["Message"] = self.rows.target.message
        self.construct(1, "target = Message", [made[name] for name in fields])
        if any("@again" in rule.reads for rule in self.table.finish):
            self.names |= {"replace": dataclasses.replace, "Notes": Notes}
            self.say(1, "alone = replace(environment, address=None, escape=True)")
            self.say(1, f"again = lambda message: {_function_name(self.table)}(message, alone, Notes())")
        if self.wholes:
            made_by_rows = self.name("made_by_rows", "sections", frozenset(path.partition(".")[0] for path in self.filled))
            self.say(1, "if sections:")
            self.say(2, f"place_sections(target, sections, {made_by_rows}, notes)")
        for rule in self.table.finish:
            self.finish(rule)
        self.say(1, "return target")

    def construct(self, depth: int, opening: str, arguments: list[str]) -> None:
        self.say(depth, f"{opening}(")
        for argument in arguments:
            self.say(depth + 1, f"{argument},")
        self.say(depth, ")")

    def section(self, place: Place, *, always: bool) -> str:
        """The name that holds the section; where it need not be there, only if a row filled one of its fields."""
        class_ = place.message_class
        assert class_ is not None
        parts = [self.to_places[f"{place.path}.{part.name}"] for part in dataclasses.fields(class_)]
        filled = [part for part in parts if part.path in self.filled]
        if not (always or filled):
            return "None"
        self.names[class_.__name__] = class_
        while parts and parts[-1].path not in self.filled:
            parts.pop()
        depth = 1
        if not always:
            tests = [f"to_{part.name}" + ("" if part.kind == ENTRIES else " is not None") for part in filled]
            self.say(1, f"to_{place.name} = None")
            self.say(1, f"if {' or '.join(tests)}:")
            depth = 2
        self.construct(depth, f"to_{place.name} = {class_.__name__}", [self.final(part) for part in parts])
        return f"to_{place.name}"

    def final(self, place: Place) -> str:
        if place.path not in self.filled:
            unset = place.default if place.section is None else place.fallback
            return 'b""' if place.types == ("payload",) else repr(unset)
        if place.kind == ENTRIES:
            return f"to_{place.name} or None" if place.types[0] in PLAIN_ENTRIES else f"list(to_{place.name}.items()) or None"
        unset = place.default if place.section is None else place.fallback
        if self.start_of(place) is not unset:
            return f"{unset!r} if to_{place.name} is None else to_{place.name}"
        return f"to_{place.name}"

    def start_of(self, place: Place) -> Any:
        """What stands for a field before any row: its default, where no row asks whether it is filled."""
        return None if place.path in self.asked else place.default

    def finish(self, rule: Rule) -> None:
        """A row that sees the target last: its function gets the value at `at`, if that is no entry, and what the row reads."""
        place, entry = self.to_places[rule.source], rule.source_pattern
        row = self.row(rule)
        self.say(1, f"# {rule.id}, {rule.where}")
        where = f"target.{rule.source}"
        reads = [*([where] if entry is None else []), *(self.read(rule, read) for read in rule.reads)]
        tests = (
            [f"{where} {'is' if rule.absent else 'is not'} None"] if entry is None and rule.columns.get("type") != "*" else []
        )

        if place.section is not None:
            tests.insert(0, f"target.{place.section} is not None")
        if rule.when is not None:
            tests.append(self.condition(rule.when, None, [*reads, *(self.read(rule, place) for place in rule.asks)]))
        depth = 1
        if tests:
            self.say(1, f"if {' and '.join(tests)}:")
            depth = 2
        if rule.error is not None:
            self.say(depth, f"raise refused({row}, {rule.source!r}, {where})")
            return
        transform = TRANSFORMS[str(rule.via)]
        asked = reads[: transform.takes]
        self.say(depth, f"made = {self.word('via', transform)}({', '.join(asked)})")
        if transform.loses:
            self.finish_loses(depth, rule, transform.gives)
        self.tell_last(depth, rule, place, where, asked)
        if rule.whole and entry is None:
            self.say(depth, "if made is not None:")
            self.say(depth + 1, f"notes.kept_whole({row}, source)")
            if transform.loses:
                self.say(depth, "if late is not None:")
                self.say(depth + 1, "lost.append(late)")

    def tell_last(self, depth: int, rule: Rule, place: Place, where: str, asked: list[str]) -> None:
        """What a row of `finish` made goes into its place, with a note of what it changed and where that came from."""
        row, entry, came = self.row(rule), rule.source_pattern, "()"
        if self.sources(rule):
            came = "came"
            self.say(depth, "came = []")
            for source, key, there in self.sources(rule):
                self.say(depth, f"if {there} is not None:")
                self.say(depth + 1, f"came.append(({source!r}, {key!r}))")
        seen = (read for read in rule.looks_at if read in rule.asks or (read in ENVIRONMENT and self.where(read) in asked))
        other = next((read for read in seen if read in ENVIRONMENT), CONSTANT)
        if entry is not None:
            self.say(depth, "if made is not None:")
            self.say(depth + 1, f"set_entry(target, {rule.source!r}, {entry!r}, TypedValue({rule.as_!r}, made))")
            self.say(depth + 1, f"notes.finished_entry({row}, {rule.source!r}, {entry!r}, {came}, {other!r})")
            for source, key, _ in self.sources(rule) if rule.whole else ():
                self.say(depth + 1, f"notes.keep({source!r}, {key!r})")
            return
        if place.kind == ENTRIES:
            self.say(depth, "made = made or None")
        self.say(depth, f"if {'came or ' * (came != '()')}made != {where}:")
        if TRANSFORMS[str(rule.via)].renames:
            self.say(depth + 1, f"notes.finished_names({row}, {rule.source!r}, {where}, made)")
        else:
            kind = "finished_map" if place.kind == ENTRIES else "finished"
            self.say(depth + 1, f"notes.{kind}({row}, {rule.source!r}, {where}, made, {came}, {other!r})")
        self.say(depth + 1, f"{where} = made")

    def finish_loses(self, depth: int, rule: Rule, gives: str) -> None:
        """A loss is one of the last field that the row read, where that was there; else of the place that the row sees.

        A row that puts the whole message in place has a loss of its own: what the others lost stands there.
        """
        late = rule.whole and rule.source_pattern is None
        if late:
            self.say(depth, "late = None")
        self.say(depth, f"if made is not None and ({answered_else(gives)}):")
        self.say(depth + 1, f"field, type_ = {rule.source!r}, {self.to_places[rule.source].types[0]!r}")
        for source, key, there in self.sources(rule):
            wire = self.from_places[source].types[0]
            type_ = (
                repr(wire if key is None else PLAIN_ENTRIES[wire]) if key is None or wire in PLAIN_ENTRIES else f"{there}.type"
            )
            self.say(depth + 1, f"if {there} is not None:")
            self.say(depth + 2, f"field, type_ = {field_path(source, key)!r}, {type_}")
        loss = f"(field, type_, made.reason, {self.row(rule)})"
        self.say(depth + 1, f"late = {loss}" if late else f"lost.append({loss})")
        self.say(depth + 1, "made = made.value if made.__class__ is Partial else None")

    def sources(self, rule: Rule) -> list[tuple[str, str | None, str]]:
        """Place, key and expression of what a finish row takes from the source: entries, or whole fields for an entry."""
        found = []
        for read in rule.reads:
            source, key = place_and_key(read)
            if source in self.from_places and (key is not None or rule.source_pattern is not None):
                found.append((source, key, self.read(rule, read)))
        return found


def _empty(message_class: Any) -> Any:
    """A section without any field set, whatever its defaults."""
    return message_class(*(None for _ in message_class.__slots__))


def _function_name(table: RuleTable) -> str:
    return f"{table.source}_to_{table.target}".replace("-", "_").replace(".", "_")


def _filename(table: RuleTable) -> str:
    """What stands for the table's function in tracebacks."""
    return f"<{table.name} {table.hash}>"


_ROW = re.compile(r"# (\S+), .+:\d+$")
"""What stands behind the branch of a row."""


def row_of(error: Exception, table: RuleTable) -> Rule | None:
    """The row in whose lines of the table's function an error was raised; None where it was not raised there."""
    rules = {rule.id: rule for rule in table.all_rules}
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if frame.f_code.co_filename == _filename(table):
            found = map(_ROW.search, reversed(linecache.getlines(_filename(table))[:line]))
            return next((rules[row[1]] for row in found if row is not None and row[1] in rules), None)
    return None


def compile_table(
    table: RuleTable, way_back: Callable[[Any], Any] | None = None
) -> tuple[Callable[[Any, Any, Notes], Any], str]:
    """The table's function and its text. The text is in linecache, so that a traceback shows its lines.

    `way_back` converts a message of the target back, for the finish rows that read `@way_back`.
    RuleTableError, with file and line, for a row that cannot be meant.
    """
    rows = Rows(table)
    check_rows(rows)
    compiler = Compiler(rows)
    compiler.names["way_back"] = way_back
    text = compiler.compile()
    filename = _filename(table)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    # The one exec of the project: the text was made above, from checked names alone.
    exec(compile(text, filename, "exec"), compiler.names)  # noqa: S102
    return compiler.names[_function_name(table)], text
