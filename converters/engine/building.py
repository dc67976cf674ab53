"""RuleTable -> Function: looks up the names in each row once, and refuses invalid rows.

Each problem is a RuleTableError with file and line: an unknown place, type or word, a target that cannot hold the type, a row
that is never reached. trials.py finds words that do not fit their rows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import itemgetter

from mqconvert.converters.engine.columns import SCOPES
from mqconvert.converters.engine.nodes import (
    BY_TYPE_ROWS,
    ENVIRONMENT,
    RECURSIVE,
    TYPED_ANSWER,
    VALUE,
    Branch,
    Chains,
    Function,
    Group,
    place_and_key,
    plain_keys,
    typed_entries,
)
from mqconvert.converters.engine.rules import CONSTANT, Rule, RuleTable
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.errors import RuleTableError, did_you_mean
from mqconvert.converters.model.places import BODY, ENTRIES, SCALAR, SECTION, TYPED, WHOLE, Place, types_at
from mqconvert.converters.printed.nodes import Call, Compare, Expression, Literal, Name, is_literal
from mqconvert.converters.printed.templates import template
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.words import NAMES, Condition, Transform, Word
from mqconvert.converters.words.scanning import unquoted

MOST_PHRASES = 50
"""Phrases in one `when` or `via`: Python limits recursion, and reads at most 200 nested brackets."""
_NESTING = frozenset(("not", "then", "whether"))
"""The words that hold others."""


def build(table: RuleTable) -> Function:
    """Return the nodes of a table; RuleTableError with file and line for an invalid row."""
    for name in (table.source, table.target):
        if name not in PROTOCOLS:
            guess = did_you_mean(name, PROTOCOLS) or "; is its package installed?"
            raise RuleTableError(f"unknown protocol {name!r}{guess}", file=table.file)
    source, target = PROTOCOLS[table.source], PROTOCOLS[table.target]
    source.learn_words()
    target.learn_words()
    made = Function(table=table, source=source, target=target)
    _Builder(made).build()
    return made


class _Builder:
    """Builds a Function row by row."""

    def __init__(self, made: Function) -> None:
        self.made, self.table = made, made.table
        self.source, self.target = made.source, made.target
        self.read_places, self.to_places = made.read_places, made.to_places

    def build(self) -> None:
        made, table = self.made, self.table
        made.start = [self.start(rule) for rule in table.start]
        for rule in table.rules:
            if rule.source == CONSTANT:
                made.defaults.append(self.default(rule))
                continue
            branch = self.branch(rule)
            group = made.groups.setdefault(rule.source, Group(place=self.read_places[rule.source]))
            (group.absent if rule.absent else group.branches).append(branch)
        for path, place in made.from_places.items():
            if place.kind not in (SECTION, WHOLE):
                made.groups.setdefault(path, Group(place=place))
        for group in made.groups.values():
            _refuse_unreached(table, group.branches)
            _refuse_unreached(table, group.absent)
        rows = [branch for rule in table.types for branch in self.type_rows(rule)]
        for scope, scopes in SCOPES.items():
            there = [branch for branch in rows if branch.rule.scope in scopes]
            chains = {name: [each for each in there if type_ in each.types] for name, type_ in self.source.types.items()}
            made.types[scope] = {name: chain for name, chain in chains.items() if chain}
        _refuse_unreached_types(table, made.types.values())
        made.finish = [self.finish(rule) for rule in table.finish]

    # ---- rows for a place of the source

    def branch(self, rule: Rule) -> Branch:
        place = self.source_place(rule)
        known = {type_.name: type_ for type_ in self.made.types_at(place)}
        names = list(known) if rule.type in ("*", "absent") else rule.type.split("|")
        for name in names:
            rule.refuse_if(name in ("*", "absent"), f"{name} must be alone, not in {rule.type!r}")
            rule.refuse_if(name not in known, f"unknown type {name!r} of {rule.source}: it holds {', '.join(known)}")
        self.reads(rule, self.own(rule, place))
        when, via = self.words(rule)
        if rule.absent:
            _refuse_looking(rule, when, via)
        incomplete = rule.error is not None and (rule.note is None or rule.target is not None)
        rule.refuse_if(incomplete, "a row with an error has no target, and needs a note with the reason")
        unknown = rule.remedy is not None and f"@{rule.remedy.option}" not in ENVIRONMENT
        rule.refuse_if(unknown, f"option = {rule.option!r} is no option of an Environment")
        self.constants(rule)
        if rule.absent and place.kind == TYPED:  # an absent value has no wire type
            place = replace(place, kind=SCALAR)
        types = tuple(map(known.__getitem__, names))
        branch = Branch(rule=rule, place=place, types=types, when=when, via=via, frames=self.frames(rule, rule.target))
        if rule.target is None or rule.accounts:
            self.beside(rule)
            return branch
        target = self.target_place(rule)
        branch = replace(branch, target=target, type=self.type_made(rule, place, target, via))
        self.refuse_unheld(branch, target)
        contested = rule.taken == "drop" and self.made.filled_before(rule, target.path)
        return replace(branch, fits=self.fits(branch), contested=contested)

    def place(self, rule: Rule, path: str, key: str | None, known: Mapping[str, Place], where: str) -> Place:
        """Return a place that a row names: any but a section, with a key only for a map that has keys."""
        place = known.get(path)
        if place is None:
            advice = _entry(path, known) or did_you_mean(path, known) or self.other_side(path, known)
            raise rule.wrong(f"unknown place {path!r}{where}{advice}")
        section = place.kind == SECTION or (place.kind == WHOLE and (known is self.read_places or path != rule.target))
        rule.refuse_if(section, f"{path!r} is a section; name one of its fields")
        if key is not None:
            rule.refuse_if(place.entries is None, f"{path!r} is not a map")
            rule.refuse_if(place.keys is None and key != "*", f"{path!r} is a list without keys: its rows are for [*]")
            fault = None if "*" in key or place.entries is None else place.entries.key_fault(key)
            rule.refuse_if(fault is not None, f"{path!r} cannot have this key: {fault}")
        return place

    def other_side(self, path: str, known: Mapping[str, Place]) -> str:
        """Say that a place is one of the table's other protocol."""
        source, target = self.source.name, self.target.name
        other, places = (target, self.to_places) if known is self.read_places else (source, self.read_places)
        if path not in places or path.startswith("@"):
            return ""
        return f': it is one of {other}; does the row belong below ["{target} -> {source}"]?'

    def one_of(self, rule: Rule, path: str, key: str | None, known: Mapping[str, Place], where: str) -> Place:
        """Return a field, or a map or list with the key of one of its entries."""
        place = self.place(rule, path, key, known, where)
        keyless = place.kind == ENTRIES and place.keys is None
        rule.refuse_if(keyless and known is self.to_places, f"no row can fill {path}, a list without keys")
        rule.refuse_if(place.kind == ENTRIES and key is None, f"{path!r} is a map: name a key, {path}[KEY], or each, {path}[*]")
        return place

    def source_place(self, rule: Rule) -> Place:
        key = rule.source_pattern
        place = self.one_of(rule, rule.source, key, self.read_places, f" of {self.source.name}")
        absent = rule.absent and place.kind == ENTRIES
        rule.refuse_if(absent, f"a row of type absent must name a field: {rule.source!r} is a map or list")
        rule.refuse_if("*" in (key or "")[:-1], f"a * is allowed only at the end of a key, not in {key!r}")
        rule.refuse_if(rule.first and (key or "*").endswith("*"), "first: the row names one key of a map")
        return place

    def own(self, rule: Rule, place: Place) -> tuple[str, ...]:
        """Return what else this row may read: the message; its `as`; its type, for a set place of the message; a map's key."""
        own = ("@message",) if rule.as_ is None else ("@message", "@as")
        if place.path in ENVIRONMENT or rule.absent:
            return own
        return (*own, "@type", "@key") if place.kind == ENTRIES else (*own, "@type")

    def target_place(self, rule: Rule) -> Place:
        key, of = rule.target_template, f" of {self.target.name}"
        place = self.one_of(rule, str(rule.target), key, self.to_places, of)
        stars = (key or "").replace("**", "*").count("*")
        rule.refuse_if(stars > bool(rule.source_pattern), f"one * in {key!r} means the key of the source, which must have one")
        for closed in rule.closes:
            guess = did_you_mean(closed, self.to_places)
            rule.refuse_if(closed not in self.to_places, f"unknown place {closed!r}{of} in closes{guess}")
        return place

    def type_made(self, rule: Rule, place: Place, target: Place, via: Transform | None) -> str:
        if via is not None and via.gives == "typed":
            return TYPED_ANSWER
        if rule.as_ is not None:
            return rule.as_
        if target.kind == ENTRIES and via is None and rule.type == "*" and typed_entries(place):
            return BY_TYPE_ROWS
        if target.values is not None:
            return target.values.name
        if target.kind in (SCALAR, WHOLE, BODY):
            return target.types[0]
        raise rule.wrong(f"{rule.target} needs a type: as = ...{self.listed(target)}")

    def listed(self, target: Place) -> str:
        """Return the types that a row can give a place of the target, for an error."""
        return f", one of {', '.join(name for name in types_at(self.target, target) if self.holds(target, name))}"

    def refuse_unheld(self, branch: Branch, target: Place) -> None:
        """Refuse a row whose target cannot hold its result, in the form of its `as` or of the place's type."""
        rule, type_ = branch.rule, branch.type
        typed = target.kind == ENTRIES and branch.via is None and typed_entries(branch.place)
        if target.kind == WHOLE or rule.closes:
            rule.refuse_if(target.kind != WHOLE, f"{rule.target} is not a section")
            rule.refuse_if(branch.gives != {"sections"}, "no transform gives sections")
            none = self.target.message is not Message
            rule.refuse_if(none, f"{rule.via} gives sections of AMQP 1.0, and {self.target.name} has none")
        elif type_ == TYPED_ANSWER:
            rule.refuse_if(target.kind != TYPED and not typed_entries(target), f"{rule.target} holds no typed value")
        elif type_ == BY_TYPE_ROWS:
            rule.refuse_if(not typed, 'as = "*" needs typed entries as source, an entry as target and no via')
        else:
            if not self.holds(target, type_):
                raise rule.wrong(f"{rule.target} cannot hold type {type_!r}: as = ...{self.listed(target)}")
            kind = self.target.named[type_].kind
            wrong = min(branch.gives - {kind}, default=None)
            advice = '; as = "*" takes values of every type' if typed else _advice(branch, kind, str(wrong))
            rule.refuse_if(wrong, f"{rule.target} holds {type_} ({kind}), but the row gives {wrong}{advice}")

    def holds(self, target: Place, type_: str | None) -> bool:
        return type_ in types_at(self.target, target) and type_ not in target.not_held

    def fits(self, branch: Branch) -> bool:
        rule, types, type_, via = branch.rule, branch.types, branch.type, branch.via
        if type_ in (BY_TYPE_ROWS, TYPED_ANSWER) or rule.target == "@sections":
            return True
        wanted = self.target.named[type_]
        if via is not None:
            made = via.makes is not None and wanted.takes_all_of(via.makes)
            return made or type_ in via.fits or wanted.kind == "body" or (wanted.whole and wanted.kind in ("bytes", "bool"))
        # The condition tests the type's own rule. (The condition "utf8" is weaker than MQTT's type.)
        inline = None if branch.when is None else branch.when.inline
        quick = None if wanted.quick is None else template(wanted.quick)
        own = inline is not None and (inline == quick or _asks_for_fault(inline, wanted.fault))
        tested = own or rule.when == type_ == "shortstr"
        return (tested and branch.kind == "str") or all(map(wanted.takes_all_of, types))

    def constants(self, rule: Rule) -> None:
        for path, constant in rule.constants.items():
            place = self.one_of(rule, *place_and_key(path), self.to_places, " in set")
            held = place.values if place.kind == ENTRIES else self.target.named[place.types[0]]
            rule.refuse_if(held is None or place.kind not in (SCALAR, ENTRIES), f"{path} holds values of several types")
            fault = held and held.fault(constant)
            if fault is None and not is_literal(constant):
                fault = "not a constant"
            rule.refuse_if(fault, f"{path} cannot hold {constant!r}: {fault}")

    def beside(self, rule: Rule) -> None:
        """Check that `@beside[PLACE]` names a place of the source: an entry of a map, a field, or a value of the caller.

        The next table reads @address from the message after this one, for any condition of the row.
        """
        place = self.read_places[rule.source]
        is_text = place.section is None and place.kind == SCALAR and self.made.types_at(place)[0].kind == "str"
        no_address = rule.target == "@address" and (rule.source in ENVIRONMENT or not is_text)
        rule.refuse_if(no_address, f"@address needs a text field of the message itself, not {rule.source}")
        rule.refuse_if(rule.target_template and not rule.beside, f"{rule.target} has no places")
        for beside in rule.beside:
            self.one_of(rule, *place_and_key(beside), self.read_places, f" of {self.source.name} in {rule.columns['to']}")

    def frames(self, rule: Rule, path: str | None) -> tuple[str, ...]:
        """Return the frames of the target that a row is for: that of its column, or those that have the field."""
        known = self.target.frames
        unknown = rule.frame is not None and rule.frame not in known
        rule.refuse_if(unknown, f"unknown frame {rule.frame!r} of {self.target.name}; known: {', '.join(known) or 'none'}")
        return self.target.frames_with(str(path)) if rule.frame is None else (rule.frame,)

    def default(self, rule: Rule) -> Rule:
        """Check a row that fills fields left empty by the others: it has constants for fields, and reads no value."""
        others = ", ".join(sorted(rule.columns.keys() - {"id", "from", "set", "note", "cite"}))
        rule.refuse_if(others, f"a row from {CONSTANT} has its places and values in 'set', and no {others}")
        rule.refuse_if(not rule.constants, f"a row from {CONSTANT} needs 'set', with places and their values")
        entry = next((path for path in rule.constants if "[" in path), None)
        remedy = "'set' beside a row for a field of every message writes it"
        rule.refuse_if(entry, f"a row from {CONSTANT} fills fields, and {entry!r} is an entry: {remedy}")
        self.constants(rule)
        return rule

    # ---- names that every kind of row may use

    def reads(self, rule: Rule, own: tuple[str, ...]) -> None:
        for read in rule.reads:
            if read in own:
                continue
            path, key = place_and_key(read)
            place = self.place(rule, path, key, self.read_places, " in reads")
            rule.refuse_if(key is not None and place.keys is None, f"{path!r} in reads is a list without keys")
            starred = "*" in (key or "") and "@key" not in own
            rule.refuse_if(starred, f"the * in {read!r} means the key of the row's own place, which is not a map")

    def words(self, rule: Rule, inside: Transform | None = None) -> tuple[Condition | None, Transform | None]:
        """Return the words of a row. They get its value and its reads; `inside` is a recursive transform."""
        if rule.via in RECURSIVE and inside is None:
            raise rule.wrong(f"{rule.via} is a word of type rows")
        for text in (rule.when, rule.via):
            nested = sum(word in _NESTING for word in unquoted(text or ""))
            rule.refuse_if(nested > MOST_PHRASES, f"more than {MOST_PHRASES} phrases in one text")
        try:
            when = None if rule.when is None else CONDITIONS.known(rule.when)
            via = inside if inside or rule.via is None else TRANSFORMS.known(rule.via)
        except ValueError as error:
            raise rule.wrong(str(error)) from None
        except RecursionError:
            raise rule.wrong("its words nest too deep") from None
        words: tuple[tuple[str, Word | None], ...] = (("condition", when), ("transform", via))
        for kind, word in words:
            if word is not None and word.needs > 1 + len(rule.reads):
                raise rule.wrong(f"{kind} {word.name} looks at {word.needs - 1} more: {self.wanted(rule, word)}")
        return when, via

    def wanted(self, rule: Rule, word: Word) -> str:
        """Say which places a word wants to read: in its own words, and as another row of the table has it."""
        others = (other for other in self.table.rules if other is not rule and word.name in (other.when, other.via))
        like = next((other for other in others if other.reads), None)
        listed = ", ".join(f'"{read}"' for read in (word.wants if like is None else like.reads))
        example = f"reads = [{listed}]" + ("" if like is None else f" as row {like.id} has")
        return f"it needs {example}, and {len(rule.reads)} are read" + (f" ({word.does})" if word.does else "")

    # ---- rows for types, first and last rows

    def type_rows(self, rule: Rule) -> list[Branch]:
        """Return a branch for each type of a row of types."""
        for name in rule.type.split("|"):
            rule.refuse_if(name not in self.source.types, f"unknown type {name!r} of {self.source.name}")
        types = [self.source.types[name] for name in rule.type.split("|")]
        known = rule.as_ is None or rule.as_ in self.target.types
        rule.refuse_if(not known, f"unknown type {rule.as_!r} of {self.target.name}")
        maps = [place for place in self.to_places.values() if place.kind == ENTRIES and place.keys is not None]
        held = dict.fromkeys(name for place in maps for name in types_at(self.target, place))
        unheld = rule.scope != "key" and rule.as_ is not None and rule.as_ not in held
        rule.refuse_if(unheld, f"a map of {self.target.name} holds no {rule.as_}: as = ..., one of {', '.join(held)}")
        keys = plain_keys(self.target)
        as_key = rule.scope != "key" or keys is None or rule.as_ in (None, keys)
        rule.refuse_if(not as_key, f"the keys of a table are {keys}, not {rule.as_}")
        for read in rule.reads:
            rule.refuse_if(read != "@type", f"a row of types sees a value and reads its @type, not {read!r}")
        recursive = RECURSIVE.get(str(rule.via))
        inside = [name for name, type_ in self.source.types.items() if type_.converted_by == rule.via]
        other = recursive is not None and any(type_.name not in inside for type_ in types)
        rule.refuse_if(other, f"{rule.via} is for {' and '.join(inside) or 'no type here'}, not for {rule.type}")
        when, via = self.words(rule, inside=recursive)
        looks = when is not None and when.takes > 1
        rule.refuse_if(looks, f"a condition of a row of types sees the value alone, and {rule.when} looks at more")
        made = rule.as_ or TYPED_ANSWER
        branches = [Branch(rule=rule, place=VALUE, types=(type_,), when=when, via=via, type=made) for type_ in types]
        unheld = rule.as_ is not None and any(branch.gives != {self.target.types[rule.as_].kind} for branch in branches)
        rule.refuse_if(unheld, f"{rule.as_} cannot hold the result of the row")
        return [replace(branch, fits=recursive is not None or self.fits(branch)) for branch in branches]

    def start(self, rule: Rule) -> Branch:
        """Return the branch of a row that prepares a map or list of the source; the other rows see its result."""
        place = self.place(rule, rule.source, None, self.read_places, f" of {self.source.name}")
        when, via = self.words(rule)
        rule.refuse_if(place.kind != ENTRIES or rule.source_pattern, f"{rule.columns['at']!r} is not a map or list")
        unfit = via is None or via.passes or via.gives != "list"
        rule.refuse_if(unfit, f"{rule.via} does not give a list for every value")
        return Branch(rule=rule, place=place, types=self.made.types_at(place), when=when, via=via)

    def finish(self, rule: Rule) -> Branch:
        """Return the branch of a row that sees a field last."""
        place = self.place(rule, rule.source, rule.source_pattern, self.to_places, f" of {self.target.name}")
        rule.refuse_if(rule.source_pattern, f"a row of finish sees the whole of {rule.source}, and no entry")
        states = rule.columns.get("type", "*") in ("*", "absent")
        rule.refuse_if(not states, f"the type of a row of finish is absent or *, not {rule.type!r}")
        self.reads(rule, ("@message",))
        unread = next((read for read in rule.reads if read not in ENVIRONMENT and read != "@message"), None)
        rule.refuse_if(unread, f"a row of finish reads the caller's values and @message, not {unread}")
        when, via = self.words(rule)
        held = TYPED_ANSWER if place.kind == TYPED else place.types[0]
        if via is not None:
            whole_map = place.kind == ENTRIES
            wanted = "list" if whole_map else "typed" if held == TYPED_ANSWER else self.target.named[held].kind
            some = via.passes or (via.loses and (whole_map or rule.whole))
            rule.refuse_if(some, f"{rule.via} does not give a {'list' if whole_map else 'value'} for every value")
            rule.refuse_if(via.gives != wanted, f"{rule.columns['at']} holds {wanted}, but {rule.via} gives {via.gives}")
        types = tuple(self.target.named[name] for name in place.types)
        frames = self.frames(rule, place.path)
        return Branch(rule=rule, place=place, types=types, when=when, via=via, type=held, frames=frames)


def _entry(path: str, known: Mapping[str, Place]) -> str:
    """Ask for the entry of a map that a dotted path may mean: `headers.tenant`, an entry of basic.headers."""
    stem, _, key = path.partition(".")
    maps = (name for name, place in known.items() if place.kind == ENTRIES and place.keys and name.split(".")[-1] == stem)
    return next((f" (did you mean '{name}[{key}]'?)" for name in maps if key), "")


def _advice(branch: Branch, wanted: str, given: str) -> str:
    """Say how a row that gives values of one kind gives those of another."""
    if branch.via is not None:
        return f"; without via it gives {wanted}" if branch.kind == wanted else ""
    words = map(TRANSFORMS.known, (*TRANSFORMS, "body-as data", "text then from-decimal"))
    turns = [word.advised(branch.rule.when) for word in words if word.gives == wanted and word.of == given]
    return f"; {turns[0]} makes {wanted} of it" if turns else ""


def _asks_for_fault(test: Expression, fault: object) -> bool:
    """Return whether a condition is `FAULT({0}) is None`, with that function for the name."""
    match test:
        case Compare(Call(Name(name)), (("is", Literal(None)),)):
            return NAMES.get(name) is fault
    return False


def _refuse_looking(rule: Rule, when: Condition | None, via: Transform | None) -> None:
    """Refuse words that need a value in a row of type `absent`: a condition may test only the row's `reads`."""
    if when is not None and _sees_no_other(when, rule.reads):
        raise rule.wrong(f"{rule.when} needs a value, but the row is of type absent")
    # A compiled function has no annotations; those of the words that take no value are not compiled.
    if via is not None and getattr(via.function, "__annotations__", {}).get("value", object) is not None:
        raise rule.wrong(f"{rule.via} needs a value, but the row is of type absent")


def _sees_no_other(when: Condition, reads: tuple[str, ...]) -> bool:
    """Return whether a condition, or a part of it, tests only the row's own value."""
    if when.parts:
        return any(_sees_no_other(part, reads) for part in when.parts)
    return when.takes < 2 or not reads


def _refuse_unreached(table: RuleTable, branches: list[Branch]) -> None:
    """Refuse a row after one of the same or a wider key and type without a condition: no value reaches it."""
    takers: dict[str | None, list[tuple[int, Branch]]] = {}
    wide: list[tuple[int, Branch]] = []
    for at, branch in enumerate(branches):
        key = branch.rule.source_pattern
        for _, earlier in sorted((*takers.get(key, ()), *wide), key=itemgetter(0)):
            if earlier.covers(branch):
                raise _unreached(table, branch.rule, earlier.rule)
        if branch.always:
            (wide if key and key.endswith("*") else takers.setdefault(key, [])).append((at, branch))


def _refuse_unreached_types(table: RuleTable, scopes: Iterable[Chains]) -> None:
    """Refuse a type row that comes, in every scope, after a row that takes all values of its types."""
    taken: dict[Rule, Rule] = {}
    reached = set()
    for chain in (chain for chains in scopes for chain in chains.values()):
        last = next((at for at, branch in enumerate(chain) if branch.always), len(chain))
        reached |= {branch.rule for branch in chain[: last + 1]}
        taken |= {branch.rule: chain[last].rule for branch in chain[last + 1 :]}
    for rule in table.types:
        if rule not in reached:
            raise _unreached(table, rule, taken[rule])


def _unreached(table: RuleTable, rule: Rule, earlier: Rule) -> RuleTableError:
    """Return the error for a row that another one hides. In an overlay, the user places the new row or replaces the other."""
    help_ = f"; replace or remove it in {earlier.file}"
    if rule.file == earlier.file:
        help_ = ""
    elif earlier.file == table.file:
        help_ = f"; place it before {earlier.id}"
    return rule.wrong(f"never reached: {earlier.id} ({earlier.where}) takes all of it{help_}")
