"""The rows of the places of the source as nodes: a block for each field, a loop for each map or list, a branch for each row."""

import dataclasses
from collections.abc import Sequence
from itertools import takewhile

from mqconvert.converters.engine.expressions import Expressions, filled_name, in_frame, key_name, target_name, used_name
from mqconvert.converters.engine.names import (
    NONE,
    Names,
    begins,
    common_stem,
    either,
    fault_of,
    given,
    guarded,
    is_text,
    is_there,
    of_type,
    part_kept,
    refused,
)
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
from mqconvert.converters.engine.type_rows import TYPED_LOCALS, at_once, only_renamed
from mqconvert.converters.model.places import BODY, ENTRIES, TYPED, WHOLE, Place
from mqconvert.converters.printed.nodes import (
    Assign,
    Choice,
    Continue,
    Display,
    Expression,
    For,
    If,
    Name,
    Named,
    Pass,
    Remark,
    Statement,
    Statements,
    both,
    every,
    literal,
    mentions,
    nodes_in,
    opposite,
)
from mqconvert.converters.printed.templates import code, exchanged, filled, line

NOT_SIMPLE = "application properties hold simple types alone"
"""The loss of a compound value in application properties (AMQP 1.0 part 3 section 3.2.5)."""

_TOOK = line("took = True")


class PlaceRows(Expressions):
    """Builds the rows of one table's places, and records the places and words that they use."""

    def __init__(self, function: Function, names: Names) -> None:
        super().__init__(function, names)
        self.filled: dict[str, None] = {}
        self.asked: set[str] = set()
        self.used = {read: None for rule in function.table.rules for read in _uses(rule)}

    # ---- the places of the source

    def group(self, group: Group) -> Statements:
        return self.loop(group) if group.place.kind == ENTRIES else self.field(group)

    def field(self, group: Group) -> Statements:
        place, value = group.place, self.local(group.place.path)
        test = every([None if place.payload else _is_set(place, value), self.unused(place)])
        extra = self.offers_more(group)
        body = [*[line("took = False")] * extra, *self.chain(place, group.branches, extra=extra)]
        if place.kind == TYPED:
            parts = line("type_, value = {0}.type, {0}.value", value)
            body.insert(0, parts if mentions(body, "type_") else line("value = {0}.value", value))
        lines = self.taken_out(place.path)
        if test == is_there(value) and len(group.absent) == 1:
            return [*lines, If(test, tuple(body) or (Pass(),), tuple(self.absent(group.absent[0])))]
        lines += body if test is None else [If(test, tuple(body) or (Pass(),))]
        unset = code("{0} is None", value) if place.payload else opposite(_is_set(place, value))
        return [*lines, *(line for branch in group.absent for line in self.absent(branch, unset))]

    def absent(self, branch: Branch, unset: Expression | None = None) -> Statements:
        """Return the block of a row for an absent value."""
        return guarded(branch.rule, every([unset, self.test(branch)]), self.apply(branch))

    def loop(self, group: Group) -> Statements:
        """Return a loop; leading rows that name a key share one test for all their keys."""
        place, branches = group.place, group.branches
        named = list(takewhile(lambda branch: "*" not in str(branch.rule.source_pattern), branches))
        others = branches[len(named) :] if len(named) > 1 else branches
        extra = self.offers_more(group)
        body: Statements = [*[line("took = False")] * extra]
        # Whether the entry is the first of its key, for the rows that ask for it.
        key = key_name(place)
        first = [line("first = {0} not in seen", key), line("seen.add({0})", key)]
        if any(branch.rule.first for branch in others):
            body += first
        if others is not branches:
            inner: Statements = []
            if any(branch.rule.first for branch in named) and not any(branch.rule.first for branch in others):
                inner += first
            one_key = len({branch.rule.source_pattern for branch in named}) == 1
            for branch in named:
                more, onward = ([_TOOK] * extra, []) if branch.rule.more else ([], [Continue()])
                inner += guarded(branch.rule, self.test(branch, of_key=not one_key), [*more, *self.apply(branch), *onward])
            body.append(If(self.one_of_keys(place, named), tuple(inner)))
        body += self.chain(place, others, extra=extra)
        seen = [line("seen = set()")] * any(branch.rule.first for branch in branches)
        there = both(is_there(self.local(place.path)), self.unused(place))
        loop = For(*self.entries(place), (*self.parts(place, body), *body))
        return [*self.taken_out(place.path), If(there, (*seen, loop))]

    def unused(self, place: Place) -> Expression | None:
        """Return the test for a place that a row may use as a whole; None for any other."""
        return code("not {0}", used_name(place)) if place.path in self.used else None

    def parts(self, place: Place, body: Statements) -> Statements:
        """Return the assignment of those parts of an entry that the body of its loop names."""
        key, type_ = key_name(place), Name("type_")
        if not typed_entries(place):
            return [] if place.keys is None else [line("{0}, value = pair", key)]
        named = [name for name in (key, type_) if mentions(body, name.id)]
        if len(named) == 2:
            return [line("{0}, type_ = typed.key, typed.type", key)]
        return [line("{0} = typed.key" if name == key else "{0} = typed.type", name) for name in named]

    def taken_out(self, path: str) -> Statements:
        """Return the assignment of a field's value to its variable, unless it is there already."""
        local, where = self.local(path), self.where(path)
        return [] if local == where else [Assign(local, where)]

    def one_of_keys(self, place: Place, named: list[Branch]) -> Expression:
        """Return the test whether the key is one of those that rows name."""
        key, patterns = key_name(place), frozenset(str(branch.rule.source_pattern) for branch in named)
        if len(patterns) == 1:
            return code("{0} == {1}", key, literal(*patterns))
        tests = [code("{0} in {1}", key, self.names.name("keys", place.path, patterns))]
        stem = common_stem(patterns)
        if len(stem) > 1 and not place.number_keys:  # few keys begin so: spare the others a hash
            tests.insert(0, begins(key, stem))
        return both(*tests)

    def entries(self, place: Place) -> tuple[Expression, Expression]:
        """Return the names of a map's or list's entries, and the expression of them."""
        held = self.local(place.path)
        if place.keys is None:
            return code("(index, item)"), code("enumerate({0})", held)
        return Name("typed" if typed_entries(place) else "pair"), held

    def offers_more(self, group: Group) -> bool:
        """Return whether a row applies and leaves the value to later rows: then only `took` shows a loss."""
        rows = group.branches
        return any(each.rule.more for each in rows) and (rows[-1].rule.more or self.test(rows[-1]) is not None)

    def chain(self, place: Place, branches: Sequence[Branch], *, extra: bool) -> Statements:
        """Return the branches of one place, in the order of the rows; the last is the loss.

        An unused value of the caller's Environment is not a loss.
        """
        if not branches:
            lost: Statements = [] if place.path in ENVIRONMENT else [self.lost(place, literal("no row takes it"))]
            return [If(code("not took"), tuple(lost))] if extra and lost else lost
        branch, more = branches[0], branches[0].rule.more
        test = self.test(branch)
        body = [*[_TOOK] * (extra and more), *self.apply(branch)]
        rest = self.chain(place, branches[1:], extra=extra) if test or more else []
        return [*guarded(branch.rule, test, body), *rest] if more else guarded(branch.rule, test, body, rest)

    # ---- the tests of a row

    def test(self, branch: Branch, *, of_key: bool = True) -> Expression | None:
        """Return the test of a row, None for a row that takes all; without `of_key` for one whose key is tested already."""
        rule, place = branch.rule, branch.place
        parts: list[Expression | None] = []
        key = key_name(place)
        if of_key and rule.source_pattern is not None and rule.source_pattern != "*":
            if rule.source_pattern.endswith("*"):
                parts += [*([is_text(key)] if place.number_keys else []), begins(key, rule.source_pattern[:-1])]
            else:
                parts.append(code("{0} == {1}", key, literal(rule.source_pattern)))
        if rule.first:
            parts.append(Name("first"))
        if rule.type not in ("*", "absent"):
            parts.append(self.type_test(branch))
        parts.append(self.condition(branch))
        if rule.taken == "next":
            parts.append(self.free(branch))
        if branch.via is not None and branch.via.passes:
            if branch.via.rare is not None:
                parts.append(filled(branch.via.rare, given(self.arguments(branch, branch.via, rule.reads))))
            parts.append(code("{0} is not NOT_MINE", Named("made", self.called(branch))))
        return every(parts)

    def type_test(self, branch: Branch) -> Expression | None:
        """Return the test for the types of a row; None where the place has only one."""
        place = branch.place
        if place.kind == BODY:
            classes = [self.names.of_class(type_.of_class) for type_ in branch.types]
            if len(classes) == 1:
                return code("type({0}) is {1}", self.value(place), *classes)
            return code("type({0}) in {1}", self.value(place), Display("()", tuple(classes)))
        if place.kind != TYPED and not typed_entries(place):
            return None
        return of_type([type_.name for type_ in branch.types])

    def free(self, branch: Branch) -> Expression:
        """Return the test for a target that no row has filled."""
        target, rule = branch.target, branch.rule
        assert target is not None
        if target.kind == WHOLE:
            key = NONE if rule.source_pattern is None else key_name(branch.place)
            return code("({0}, {1}) not in sections", self.names.row(rule), key)
        if target.kind == ENTRIES:
            return code("{0} not in {1}", self.key(rule), filled_name(target))
        return self.empty(target)

    def empty(self, target: Place) -> Expression:
        """Return the test for a field that no row has filled, not even with its default."""
        self.asked.add(target.path)
        return code("{0} is None", target_name(target))

    # ---- the effects of a row

    def apply(self, branch: Branch) -> Statements:
        """Return a row. In a frame without the field, an entry of a map is lost, and any other value is dropped."""
        rows = self.effects(branch)
        if not branch.frames:
            return rows
        place, row = branch.place, self.names.row(branch.rule)
        reason = code("no_field(frame)")
        without: Statements = []
        if place.kind == ENTRIES:
            without = [self.lost(place, reason, row)]
        elif place.path not in ENVIRONMENT:
            without = [line("notes.dropped.append(({0}, {1}, {2}))", row, self.path(place), reason)]
        return either(in_frame(branch), rows, without)

    def effects(self, branch: Branch) -> Statements:
        """Return a row's work: compute the value, check that the target can hold it, assign it, note the row."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        if rule.error is not None:
            return [refused(row, self.path(place), self.value(place))]
        if rule.lost is not None:
            return [self.lost(place, literal(rule.lost), row)]
        constants = self.constants(place, rule)
        if target is None or (rule.absent and branch.via is None):
            return [*constants, *[_taken(row, self.own(place))] * (rule.accounts or not rule.constants)]
        if target.kind == WHOLE:
            return self.kept(branch, self.whole(branch))
        self.filled[target.path] = None
        return self.made(branch, self.put(branch, [*constants, *self.uses(rule)]))

    def constants(self, place: Place, rule: Rule) -> Statements:
        """Return the constants of `set`, for a row without `to` in place of its value."""
        own = rule.target is None and not rule.absent
        lines: Statements = []
        for path_set, constant in rule.constants.items():
            path, key = place_and_key(path_set)
            self.filled[path] = None
            name = target_name(self.to_places[path])
            if key is not None:
                lines += self.stored(self.to_places[path], literal(key), NONE, literal(constant), by_type_rows=False)
            else:
                if not rule.absent and self.function.filled_before(rule, path):
                    noted = line("notes.replace({ {0}: {1} })", literal(path), self.names.row(rule))
                    lines.append(If(is_there(name), (noted,)))
                lines.append(Assign(name, literal(constant)))
            told = self.names.name("row", f"{rule.id}_sets_{path}", rule.told(rule.source if own else CONSTANT, path))
            lines.append(_taken(told, self.own(place) if own else NONE, literal(key)))
        return lines

    def uses(self, rule: Rule) -> Statements:
        lines: Statements = []
        for read in _uses(rule):
            used = self.names.name("row", f"{rule.id}_uses_{read}", dataclasses.replace(rule, source=read, source_pattern=None))
            name = used_name(self.read_places[read])
            lines.append(If(_is_set(self.read_places[read], self.where(read)), (Assign(name, literal(True)), _taken(used))))
        return lines

    def default(self, rule: Rule) -> Statements:
        """Return a row that fills a field left empty by the others."""
        lines: Statements = [Remark(rule)]
        for path, constant in rule.constants.items():
            self.filled[path] = None
            told = self.names.name("row", f"{rule.id}_sets_{path}", rule.told(CONSTANT, path))
            place = self.to_places[path]
            lines.append(If(self.empty(place), (Assign(target_name(place), literal(constant)), _taken(told))))
        return lines

    def whole(self, branch: Branch) -> Statements:
        """Return that whole sections are placed after the other rows (runtime.place_sections)."""
        place, row = branch.place, self.names.row(branch.rule)
        held = code("({0}, {1})", row, self.own(place))
        twice = [self.lost(place, literal(SECOND_EQUAL_KEY), row)]
        made = line("sections[{0}] = {1}, made", held, self.type_text(place))
        return either(code("{0} in sections", held), twice, [made])

    def made(self, branch: Branch, put: Statements) -> Statements:
        if branch.type == BY_TYPE_ROWS:
            return self.by_type_rows(branch, put)
        if not branch.fits:
            unfit = self.names.unfit(branch.type, made_name(branch) if branch.via else self.value(branch.place))
            put = either(unfit, [self.lost(branch.place, fault_of(branch.rule, branch.via), self.names.row(branch.rule))], put)
        return put if branch.straight else self.kept(branch, put)

    def kept(self, branch: Branch, put: Statements) -> Statements:
        """Return `put` for the case that the transform kept a part of the value."""
        via = branch.via
        if via is None:
            return put
        lines: Statements = [] if via.passes else [Assign(made_name(branch), self.called(branch))]
        if not via.loses:
            return [*lines, *put]
        lost = part_kept(via, self.path(branch.place), self.type_text(branch.place), self.names.row(branch.rule))
        return [*lines, *lost, If(is_there(Name("made")), tuple(put))]

    def by_type_rows(self, branch: Branch, put: Statements) -> Statements:
        """Return the value by the type rows: only a new name for its type if possible, else the function of its type."""
        rule, target = branch.rule, branch.target
        assert target is not None
        ways: list[tuple[Expression, Statements, Rule | None]] = []
        for types, row, test, made in at_once(self.function):
            asked = both(of_type(types), test)
            then: Statements = [Assign(Name("by"), literal(row.rule.id))]
            for named in [node for node in nodes_in(made) if isinstance(node, Named)]:
                then.append(Assign(Name(named.name), named.value))
                made = exchanged(made, {named: Name(named.name)})  # noqa: PLW2901 - its first name stands on the line above
            ways.append((asked, [*then, *self.answer(branch, literal(row.rule.as_), made)], row.rule))
        if any(only_renamed(chain[0]) for chain in self.function.types["top"].values()):
            renamed = [line("by, as_ = renamed"), *self.answer(branch, Name("as_"), code("typed.value"))]
            ways.append((code("(renamed := renamed_top.get(type_)) is not None"), renamed, None))
        rare: Statements = [
            line("lost = notes.lost"),
            line("before = len(lost)"),
            line("by, as_, made = types_top[type_](typed.value, lost)"),
            If(code("len(lost) > before"), (line("put_before({0}, lost, before)", self.path(branch.place)),)),
        ]
        if target.not_held:
            not_simple = (self.lost(branch.place, literal(NOT_SIMPLE), self.names.row(rule)), Assign(Name("by"), NONE))
            rare.append(If(code("as_ in {0}", literal(target.not_held)), not_simple))
        if not rule.more:
            rare.append(If(code("by is None"), (Continue(),)))
        rare += self.answer(branch, Name("as_"), Name("made"))
        whole = rare
        for asked, then, told in reversed(ways):
            whole = [If(asked, tuple(then), tuple(whole), told)]
        return [*whole, If(is_there(Name("by")), tuple(put))] if rule.more else [*whole, *put]

    def answer(self, branch: Branch, type_: Expression, made: Expression) -> Statements:
        """Return the statements that set `made` to an entry of a map, or to a value in a list of pairs."""
        assert branch.target is not None
        key = self.key(branch.rule)
        if branch.target.values is None:
            entry = code("Entry({0}, {1}, {2})", key, type_, made)
            as_it_is = type_ == Name("as_") and made == code("typed.value") and key == key_name(branch.place)
            made = code("typed if as_ == type_ else {0}", entry) if as_it_is else entry
        return [] if made == Name("made") else [Assign(Name("made"), made)]

    def put(self, branch: Branch, after: Statements) -> Statements:
        """Return the assignment with the checks of the key and of a filled place; then `after`."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        assert target is not None
        made = made_name(branch) if branch.via or branch.type == BY_TYPE_ROWS else self.value(place)
        if branch.straight:
            made = self.called(branch)
        if rule.absent:  # an absent value cannot be a source
            row = self.names.name("row", f"{rule.id}_told", dataclasses.replace(rule, source=CONSTANT))
        if target.kind == ENTRIES:
            return self.put_entry(branch, made, after)
        plain = branch.type == TYPED_ANSWER or target.kind != TYPED
        value = made if plain else code("TypedValue({0}, {1})", literal(branch.type), made)
        name = target_name(target)
        note: Expression = row
        if target.unset is not None and self.function.target.named[branch.type].fault(target.unset) is None:
            unset = self.names.name("row", f"{rule.id}_unset", dataclasses.replace(rule, unset=True))
            note = Choice(_is_set(target, name), row, unset)
        stored = [Assign(name, value), _taken(note, self.own(place)), *after]
        if branch.contested:
            self.asked.add(target.path)
            return either(is_there(name), [self.too_late(place, row, target, NONE)], stored)
        return stored

    def put_entry(self, branch: Branch, made: Expression, after: Statements) -> Statements:
        """Return like `put` for an entry of a map or a list of pairs."""
        rule, place, target, row = branch.rule, branch.place, branch.target, self.names.row(branch.rule)
        assert target is not None
        by_type_rows = branch.type == BY_TYPE_ROWS
        fixed = rule.target_template is not None and "*" not in rule.target_template
        whole_key = self.key(rule)
        key = whole_key if fixed or whole_key == key_name(place) else Name("name")
        type_: Expression = Name("as_") if by_type_rows else literal(branch.type)
        if branch.type == TYPED_ANSWER and target.values is None:
            type_, made = code("made.type"), code("made.value")
        noted = [_taken(row, self.own(place), key, Name("by") if by_type_rows else NONE), *after]
        put = [*self.stored(target, key, type_, made, by_type_rows=by_type_rows), *noted]
        if not target.repeats:
            put = either(code("{0} in {1}", key, filled_name(target)), [self.too_late(place, row, target, key)], put)
        if not fixed:
            assert target.entries is not None
            unfit = self.names.unfit_key(target.entries, key, or_number=self.may_be_number(rule))
            put = either(unfit, [self.lost(place, code("'its key is ' + fault"), row)], put)
        return [Assign(Name("name"), whole_key), *put] if key == Name("name") else put

    def stored(self, target: Place, key: Expression, type_: Expression, made: Expression, *, by_type_rows: bool) -> Statements:
        """Return the statements that put an entry into a map or a list of pairs; the type rows have made the entry."""
        entries = target_name(target)
        if target.repeats:
            return [line("{0}.append(({1}, {2}))", entries, key, made)]
        if not typed_entries(target):
            return [Assign(code("{0}[{1}]", entries, key), made)]
        entry = made if by_type_rows else code("Entry({0}, {1}, {2})", key, type_, made)
        return [line("{0}.append({1})", entries, entry), line("{0}.add({1})", filled_name(target), key)]

    def too_late(self, place: Place, row: Expression, target: Place, key: Expression) -> Statement:
        told = (row, self.path(place), self.type_text(place), literal(target.path), key, self.own(place))
        return line("too_late(notes, {0}, {1}, {2}, {3}, {4}, {5})", *told)


def _is_set(place: Place, value: Expression) -> Expression:
    """Return the test whether a place has a value that does not mean unset."""
    if place.unset is None:
        return is_there(value)
    return value if place.empty_is_unset else code("{0} != {1}", value, literal(place.unset))


def _taken(row: Expression, own: Expression = NONE, key: Expression = NONE, by: Expression = NONE) -> Statement:
    """Return the note of a row, with the keys of source and target and the type row where there are any."""
    return line("taken.append({0})", row if own == key == by == NONE else code("({0}, {1}, {2}, {3})", row, own, key, by))


def made_name(branch: Branch) -> Name:
    """Return the name of what a row makes of a value: one for each kind that compiled code can give a type."""
    via = branch.via
    return Name("made" if via is None or via.passes or via.loses else TYPED_LOCALS.get(via.gives, "made"))


def _uses(rule: Rule) -> list[str]:
    """Return the places that count as used if a row applies. The caller's values need no account."""
    return [read for read in rule.reads if read not in ENVIRONMENT] if rule.uses else []
