"""The rows of the places of the source as text: a block for each field, a loop for each map or list, a branch for each row."""

import dataclasses
from collections.abc import Sequence
from itertools import takewhile

from mqconvert.converters.engine.expressions import Expressions, key_name
from mqconvert.converters.engine.nodes import (
    BY_TYPE_ROWS,
    ENVIRONMENT,
    TYPED_ANSWER,
    Branch,
    Function,
    Group,
    place_and_key,
    typed_entries,
)
from mqconvert.converters.engine.notes import SECOND_EQUAL_KEY
from mqconvert.converters.engine.rules import CONSTANT, Rule
from mqconvert.converters.engine.source_text import (
    Block,
    Lines,
    Names,
    begins,
    common_stem,
    either,
    joined,
    mentions,
    of_type,
    otherwise,
    part_kept,
)
from mqconvert.converters.engine.type_rows import TYPED_LOCALS, at_once, only_renamed
from mqconvert.converters.model.places import BODY, ENTRIES, TYPED, WHOLE, Place

NOT_SIMPLE = "application properties hold simple types alone"
"""The loss of a compound value in application properties (AMQP 1.0 part 3 section 3.2.5)."""


class PlaceRows(Expressions):
    """Writes the rows of one table's places, and records the places and words that they use."""

    def __init__(self, function: Function, names: Names) -> None:
        super().__init__(function, names)
        self.filled: dict[str, None] = {}
        self.asked: set[str] = set()
        self.used = {read: None for rule in function.table.rules for read in _uses(rule)}

    # ---- the places of the source

    def group(self, group: Group) -> Lines:
        return self.loop(group) if group.place.kind == ENTRIES else self.field(group)

    def field(self, group: Group) -> Lines:
        place, where = group.place, self.where(group.place.path)
        value = self.locals[place.path]
        tests = [] if place.payload else [f"{value} {'is not' if place.unset is None else '!='} {place.unset!r}"]
        tests += [f"not used_{place.name}"] if place.path in self.used else []
        extra = self.offers_more(group)
        body = [*["took = False"] * extra, *self.chain(place, group.branches, extra=extra)]
        if place.kind == TYPED:
            both = f"type_, value = {value}.type, {value}.value"
            body.insert(0, both if mentions(body, "type_") else f"value = {value}.value")
        lines = [f"{value} = {where}", *([Block(f"if {' and '.join(tests)}:", body or ["pass"])] if tests else body)]
        for branch in group.absent:
            test, rows = self.test(branch), self.apply(branch)
            if tests == [f"{value} is not None"] and len(group.absent) == 1:
                lines.append(Block(f"elif {test}:" if test else "else:", rows, branch.rule))
            else:
                unset = joined([f"{value} is None", *[test] * bool(test)])
                lines.append(Block(f"if {unset}:", rows, branch.rule))
        return lines

    def loop(self, group: Group) -> Lines:
        """Write a loop; leading rows that name a key share one test for all their keys."""
        place, branches = group.place, group.branches
        named = list(takewhile(lambda branch: "*" not in str(branch.rule.source_pattern), branches))
        others = branches[len(named) :] if len(named) > 1 else branches
        extra = self.offers_more(group)
        body: Lines = ["took = False"] * extra
        # Whether the entry is the first of its key, for the rows that ask for it.
        key = key_name(place)
        first = [f"first = {key} not in seen", f"seen.add({key})"]
        if any(branch.rule.first for branch in others):
            body += first
        if others is not branches:
            patterns = frozenset(str(branch.rule.source_pattern) for branch in named)
            test = f"{key} in {self.names.name('keys', place.path, patterns)}"
            stem = common_stem(patterns)
            if len(stem) > 1 and not place.number_keys:  # few keys begin so: spare the others a hash
                test = f"{begins(key, stem)} and {test}"
            inner: Lines = []
            if any(branch.rule.first for branch in named) and not any(branch.rule.first for branch in others):
                inner += first
            for branch in named:
                more = ["took = True"] * extra if branch.rule.more else []
                onward = [] if branch.rule.more else ["continue"]
                inner.append(Block(f"if {self.test(branch)}:", [*more, *self.apply(branch), *onward], branch.rule))
            body.append(Block(f"if {test}:", inner))
        body += self.chain(place, others, extra=extra)
        parts = {key: "typed.key", "type_": "typed.type"} if typed_entries(place) else {}
        read = {name: part for name, part in parts.items() if mentions(body, name)}
        if read:
            body.insert(0, f"{', '.join(read)} = {', '.join(read.values())}")
        if place.keys is not None and not parts:
            body.insert(0, f"{key}, value = pair")
        seen = ["seen = set()"] * any(branch.rule.first for branch in branches)
        held, used = self.locals[place.path], f" and not used_{place.name}" * (place.path in self.used)
        loop: Lines = [*seen, Block(f"for {self.entries(place)}:", body)]
        return [f"{held} = {self.where(place.path)}", Block(f"if {held} is not None{used}:", loop)]

    def entries(self, place: Place) -> str:
        """Return the names of a map's or list's entries, and the expression of them."""
        held = self.locals[place.path]
        if place.keys is None:
            return f"index, item in enumerate({held})"
        entry = "typed" if typed_entries(place) else "pair"
        return f"own, {entry} in zip(own_{place.name}, {held})" if place.path in self.renamed else f"{entry} in {held}"

    def offers_more(self, group: Group) -> bool:
        """Return whether a row applies and leaves the value to later rows: then only `took` shows a loss."""
        last = group.branches[-1:]
        takes_all = any(not self.test(branch) and not branch.rule.more for branch in last)
        return any(branch.rule.more for branch in group.branches) and not takes_all

    def chain(self, place: Place, branches: Sequence[Branch], *, extra: bool) -> Lines:
        """Write the branches of one place, in the order of the rows; the last is the loss.

        An unused value of the caller's Environment is not a loss.
        """
        if not branches:
            lost: Lines = [] if place.path in ENVIRONMENT else [self.lost(place, "'no row takes it'")]
            return [Block("if not took:", lost)] if extra and lost else lost
        branch, more = branches[0], branches[0].rule.more
        test = self.test(branch)
        body = [*["took = True"] * (extra and more), *self.apply(branch)]
        if not test:
            return [branch.rule, *body, *(self.chain(place, branches[1:], extra=extra) if more else [])]
        rest = self.chain(place, branches[1:], extra=extra)
        return [Block(f"if {test}:", body, branch.rule), *(rest if more else otherwise(rest))]

    # ---- the tests of a row

    def test(self, branch: Branch) -> str:
        rule, place, parts = branch.rule, branch.place, []
        key = key_name(place)
        if rule.source_pattern is not None and rule.source_pattern != "*":
            text = f"type({key}) is str and " if place.number_keys else ""
            stem = rule.source_pattern[:-1] if rule.source_pattern.endswith("*") else None
            parts.append(f"{key} == {rule.source_pattern!r}" if stem is None else f"{text}{begins(key, stem)}")
        if rule.first:
            parts.append("first")
        if rule.type not in ("*", "absent"):
            parts += self.type_test(branch)
        if branch.when is not None:
            asked = self.names.condition(branch.when, branch.kind, self.arguments(branch, branch.when, branch.rule.asks))
            parts.append(asked.removeprefix(f"{parts[-1]} and ") if parts else asked)  # a shared test is written once
        if rule.taken == "next":
            parts.append(self.free(branch))
        if branch.via is not None and branch.via.passes:
            parts += [] if branch.via.rare is None else [branch.via.rare.format(self.value(place))]
            parts.append(f"(made := {self.called(branch)}) is not NOT_MINE")
        return joined(parts)

    def type_test(self, branch: Branch) -> list[str]:
        place, types = branch.place, [type_.name for type_ in branch.types]
        if place.kind == BODY:
            classes = [self.names.of_class(type_.of_class) for type_ in branch.types]
            test = f"is {classes[0]}" if len(classes) == 1 else f"in ({', '.join(classes)})"
            return [f"type({self.value(place)}) {test}"]
        if place.kind != TYPED and not typed_entries(place):
            return []
        return [of_type(types)]

    def free(self, branch: Branch) -> str:
        """Return the test for a target that no row has filled."""
        target, rule = branch.target, branch.rule
        assert target is not None
        if target.kind == WHOLE:
            return (
                f"({self.names.row(rule)}, {'None' if rule.source_pattern is None else key_name(branch.place)}) not in sections"
            )
        return f"{self.key(rule)} not in to_{target.name}" if target.kind == ENTRIES else self.empty(target)

    def empty(self, target: Place) -> str:
        """Return the test for a field that no row has filled, not even with its default."""
        self.asked.add(target.path)
        return f"to_{target.name} is None"

    # ---- the effects of a row

    def apply(self, branch: Branch) -> Lines:
        """Write a row. In a frame without the field, an entry of a map is lost, and any other value is dropped."""
        rows = self.effects(branch)
        if not branch.frames:
            return rows
        place, row, reason = branch.place, self.names.row(branch.rule), "f'the frame {frame} has no field for it'"
        if place.path in ENVIRONMENT:  # an unused value of the caller
            return [Block(f"if {in_frame(branch)}:", rows)]
        without = self.lost(place, reason, row)
        if place.kind != ENTRIES:
            without = f"notes.dropped.append(({row}, {self.path(place)}, {reason}))"
        return either(in_frame(branch), rows, [without])

    def effects(self, branch: Branch) -> Lines:
        """Write a row: compute the value, check that the target can hold it, assign it, note the row."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        if rule.error is not None:
            return [f"raise refused({row}, {self.path(place)}, {self.value(place)})"]
        if rule.lost is not None:
            return [self.lost(place, repr(rule.lost), row)]
        constants = self.constants(place, rule)
        if target is None or (rule.absent and branch.via is None):
            note = _taken(row, self.own(place), key_name(place) if place.path in self.renamed else "None")
            return [*constants, *[note] * (rule.accounts or not rule.constants)]
        if target.kind == WHOLE:
            return self.kept(branch, self.whole(branch))
        self.filled[target.path] = None
        return self.made(branch, self.put(branch, [*constants, *self.uses(rule)]))

    def constants(self, place: Place, rule: Rule) -> Lines:
        """Write the constants of `set`, for a row without `to` in place of its value."""
        own = rule.target is None and not rule.absent
        lines: Lines = []
        for written, constant in rule.constants.items():
            path, key = place_and_key(written)
            self.filled[path] = None
            name = f"to_{self.to_places[path].name}"
            if key is not None:
                held = self.to_places[path].repeats
                lines.append(f"{name}.append(({key!r}, {constant!r}))" if held else f"{name}[{key!r}] = {constant!r}")
            else:
                if not rule.absent:
                    replaced = f"notes.replace({{{path!r}: {self.names.row(rule)}}}, but_own=True)"
                    lines.append(Block(f"if {name} is not None:", [replaced]))
                lines.append(f"{name} = {constant!r}")
            told = self.names.name("row", f"{rule.id}_sets_{path}", rule.told(rule.source if own else CONSTANT, path))
            lines.append(_taken(told, self.own(place) if own else "None", repr(key)))
        return lines

    def uses(self, rule: Rule) -> Lines:
        lines: Lines = []
        for read in _uses(rule):
            used = self.names.name("row", f"{rule.id}_uses_{read}", dataclasses.replace(rule, source=read, source_pattern=None))
            name = self.from_places[read].name
            lines.append(Block(f"if {self.where(read)} is not None:", [f"used_{name} = True", _taken(used)]))
        return lines

    def default(self, rule: Rule) -> Lines:
        """Write a row that fills a field left empty by the others."""
        lines: Lines = [rule]
        for path, constant in rule.constants.items():
            self.filled[path] = None
            told = self.names.name("row", f"{rule.id}_sets_{path}", rule.told(CONSTANT, path))
            name = self.to_places[path].name
            lines.append(Block(f"if {self.empty(self.to_places[path])}:", [f"to_{name} = {constant!r}", _taken(told)]))
        return lines

    def whole(self, branch: Branch) -> Lines:
        """Write that whole sections are placed after the other rows (runtime.place_sections)."""
        place, row = branch.place, self.names.row(branch.rule)
        held = f"{row}, {self.own(place)}"
        twice = [self.lost(place, repr(SECOND_EQUAL_KEY), row)]
        return either(f"({held}) in sections", twice, [f"sections[{held}] = ({self.type_text(place)}, made)"])

    def made(self, branch: Branch, put: Lines) -> Lines:
        if branch.type == BY_TYPE_ROWS:
            return self.by_type_rows(branch, put)
        if not branch.fits:
            unfit = self.names.unfit(branch.type, made_name(branch) if branch.via else self.value(branch.place))
            put = either(unfit, [self.lost(branch.place, "fault", self.names.row(branch.rule))], put)
        return put if branch.straight else self.kept(branch, put)

    def kept(self, branch: Branch, put: Lines) -> Lines:
        """Write `put` for the case that the transform kept a part of the value."""
        via = branch.via
        if via is None:
            return put
        lines: Lines = [] if via.passes else [f"{made_name(branch)} = {self.called(branch)}"]
        if not via.loses:
            return [*lines, *put]
        lost = self.lost(branch.place, "made.reason", self.names.row(branch.rule))
        return [*lines, part_kept(via.gives, lost), Block("if made is not None:", put)]

    def by_type_rows(self, branch: Branch, put: Lines) -> Lines:
        """Write the value by the type rows: only a new name for its type if possible, else the function of its type."""
        rule, target = branch.rule, branch.target
        assert target is not None
        entries = target.values is None
        same = "typed if as_ == type_ else " * (entries and self.key(rule) == key_name(branch.place))
        lines: list[Block] = []
        for types, row, test, made in at_once(self.function):
            head = f"{'elif' if lines else 'if'} {of_type(types)}{' and ' * bool(test)}{test}:"
            entry = self.entry(branch, repr(row.rule.as_), made)
            lines.append(Block(head, [f"by, made = {row.rule.id!r}, {entry}"], row.rule))
        if any(only_renamed(chain[0]) for chain in self.function.types["top"].values()):
            renamed = ["by, as_ = renamed", f"made = {same}{self.entry(branch, 'as_', 'typed.value')}"]
            head = f"{'elif' if lines else 'if'} (renamed := renamed_top.get(type_)) is not None:"
            lines.append(Block(head, renamed))
        rare: Lines = [
            "lost = notes.lost",
            "before = len(lost)",
            "by, as_, made = types_top[type_](typed.value, lost)",
            Block("if len(lost) > before:", [f"put_before({self.path(branch.place)}, lost, before)"]),
        ]
        if target.not_held:
            not_simple = [self.lost(branch.place, repr(NOT_SIMPLE), self.names.row(rule)), "by = None"]
            rare.append(Block(f"if as_ in {target.not_held!r}:", not_simple))
        if not rule.more:
            rare.append(Block("if by is None:", ["continue"]))
        if entries:
            rare.append(f"made = {self.entry(branch, 'as_', 'made')}")
        whole = [*lines, Block("else:", rare)] if lines else rare
        return [*whole, Block("if by is not None:", put)] if rule.more else [*whole, *put]

    def entry(self, branch: Branch, type_: str, made: str) -> str:
        """Return the expression of an entry of a map, or of a value in a list of pairs; `type_` and `made` are expressions."""
        assert branch.target is not None
        return made if branch.target.values is not None else f"Entry({self.key(branch.rule)}, {type_}, {made})"

    def put(self, branch: Branch, after: Lines) -> Lines:
        """Write the assignment with the checks of the key and of a filled place; then `after`."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        assert target is not None
        made = made_name(branch) if branch.via or branch.type == BY_TYPE_ROWS else self.value(place)
        if branch.straight:
            made = self.called(branch)
        if rule.absent:  # an absent value cannot be a source
            row = self.names.name("row", f"{rule.id}_told", dataclasses.replace(rule, source=CONSTANT))
        if target.kind == ENTRIES:
            return self.put_entry(branch, made, after)
        value = made if branch.type == TYPED_ANSWER or target.kind != TYPED else f"TypedValue({branch.type!r}, {made})"
        note = row
        if target.unset is not None and self.function.target.named[branch.type].fault(target.unset) is None:
            unset = self.names.name("row", f"{rule.id}_unset", dataclasses.replace(rule, unset=True))
            note = f"{row} if to_{target.name} != {target.unset!r} else {unset}"
        stored = [f"to_{target.name} = {value}", _taken(note, self.own(place)), *after]
        if branch.contested:
            self.asked.add(target.path)
            return either(f"to_{target.name} is not None", [self.too_late(place, row, target, "None")], stored)
        return [*[f"notes.replace({{{target.path!r}: {row}}})"] * (rule.taken == "replace"), *stored]

    def put_entry(self, branch: Branch, made: str, after: Lines) -> Lines:
        """Write like `put` for an entry of a map or a list of pairs."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        assert target is not None
        entries, by_type_rows = f"to_{target.name}", branch.type == BY_TYPE_ROWS
        fixed = rule.target_template is not None and "*" not in rule.target_template
        whole_key = self.key(rule)
        key = whole_key if fixed or whole_key == key_name(place) else "name"
        value = made
        if not by_type_rows and target.values is None:
            type_, of_type = ("made.type", "made.value") if branch.type == TYPED_ANSWER else (repr(branch.type), made)
            value = f"Entry({key}, {type_}, {of_type})"
        noted = [_taken(row, self.own(place), key, "by" if by_type_rows else "None"), *after]
        put: Lines
        if target.repeats:
            put = [f"{entries}.append(({key}, {value}))", *noted]
            if rule.taken == "replace":
                put = [f"{entries}[:] = [other for other in {entries} if other[0] != {key}]", *put]
        elif rule.taken == "replace":
            replaced = f"notes.replace({{{target.path!r}: {row}}}, {key})"
            put = [Block(f"if {key} in {entries}:", [replaced]), f"{entries}[{key}] = {value}", *noted]
        else:
            late = [self.too_late(place, row, target, key)]
            put = either(f"{key} in {entries}", late, [f"{entries}[{key}] = {value}", *noted])
        if not fixed:
            assert target.entries is not None
            unfit = self.names.unfit_key(target.entries, key, or_number=self.may_be_number(rule))
            put = either(unfit, [self.lost(place, "'its key is ' + fault", row)], put)
        return [f"name = {whole_key}", *put] if key == "name" else put

    def too_late(self, place: Place, row: str, target: Place, key: str) -> str:
        return f"too_late(notes, {row}, {self.path(place)}, {self.type_text(place)}, {target.path!r}, {key}, {self.own(place)})"


def in_frame(branch: Branch) -> str:
    """Return the test for the frames that a row is for."""
    return f"frame == {branch.frames[0]!r}" if len(branch.frames) == 1 else f"frame in {branch.frames!r}"


def _taken(row: str, own: str = "None", key: str = "None", by: str = "None") -> str:
    """Return the note of a row, with the keys of source and target and the type row where there are any."""
    return f"taken.append({row if own == key == by == 'None' else f'({row}, {own}, {key}, {by})'})"


def made_name(branch: Branch) -> str:
    """Return the name of what a row makes of a value: one for each kind that compiled code can give a type."""
    via = branch.via
    return "made" if via is None or via.passes or via.loses else TYPED_LOCALS.get(via.gives, "made")


def _uses(rule: Rule) -> list[str]:
    """Return the places that count as used if a row applies. The caller's values need no account."""
    return [read for read in rule.reads if read not in ENVIRONMENT] if rule.uses else []
