"""RuleTable -> Function: looks up the names in each row once, and refuses invalid rows.

Each problem is a RuleTableError with file and line: an unknown place, type or word, a target that cannot hold the type, a row
that is never reached. trials.py finds words that do not fit their rows.
"""

from collections.abc import Iterable
from dataclasses import replace

from mqconvert.converters.engine.nodes import (
    BY_TYPE_ROWS,
    ENVIRONMENT,
    RECURSIVE,
    SCOPES,
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
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS, learn
from mqconvert.converters.errors import RuleTableError, did_you_mean
from mqconvert.converters.model.places import BODY, ENTRIES, SCALAR, SECTION, TYPED, WHOLE, Place, types_at
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.words import Condition, Transform, Word

READABLE_LAST = ("@message", "@result", "@way_back", "@again")
"""Values for finish rows: the source message, the target message, the converter back, and the same table again."""


def build(table: RuleTable) -> Function:
    """Return the nodes of a table; RuleTableError with file and line for an invalid row."""
    for name in (table.source, table.target):
        if name not in PROTOCOLS:
            raise RuleTableError(f"unknown protocol {name!r}", file=table.file)
    source, target = PROTOCOLS[table.source], PROTOCOLS[table.target]
    learn(source)
    learn(target)
    made = Function(table=table, source=source, target=target)
    _Builder(made).build()
    return made


class _Builder:
    """Builds a Function row by row."""

    def __init__(self, made: Function) -> None:
        self.made, self.table = made, made.table
        self.source, self.target = made.source, made.target
        self.from_places, self.to_places = made.from_places, made.to_places

    def build(self) -> None:
        made, table = self.made, self.table
        made.start = [self.start(rule) for rule in table.start]
        for rule in table.rules:
            if rule.source == CONSTANT:
                made.defaults.append(self.default(rule))
                continue
            branch = self.branch(rule)
            group = made.groups.setdefault(rule.source, Group(place=made.place(rule.source)))
            (group.absent if rule.absent else group.branches).append(branch)
        for path, place in self.from_places.items():
            if place.kind not in (SECTION, WHOLE):
                made.groups.setdefault(path, Group(place=place))
        for group in made.groups.values():
            _refuse_unreached(group.branches)
            _refuse_unreached(group.absent)
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
        for type_ in () if rule.type in ("*", "absent") else rule.type.split("|"):
            if type_ in ("*", "absent"):
                raise rule.wrong(f"{type_} must be alone, not in {rule.type!r}")
            if type_ not in known:
                raise rule.wrong(f"unknown type {type_!r} of {rule.source}")
        self.reads(rule, self.own(rule, place))
        when, via = self.words(rule)
        if rule.absent:
            _refuse_looking(rule, when, via)
        if rule.error is not None and (rule.note is None or rule.target is not None):
            raise rule.wrong("a row with an error has no target, and needs a note with the reason")
        self.constants(rule)
        types = tuple(known.values() if rule.type in ("*", "absent") else map(known.__getitem__, rule.type.split("|")))
        if rule.absent and place.kind == TYPED:  # an absent value has no wire type
            place = replace(place, kind=SCALAR)
        if rule.target is None or rule.accounts:
            self.beside(rule)
            return Branch(rule=rule, place=place, types=types, when=when, via=via)
        target = self.target_place(rule)
        type_ = self.type_made(rule, place, target, via)
        branch = Branch(rule=rule, place=place, types=types, when=when, via=via, target=target, type=type_)
        self.refuse_unheld(branch, target)
        return replace(branch, fits=self.fits(branch), contested=self.contested(rule, target))

    def source_place(self, rule: Rule) -> Place:
        pattern, wrong = rule.source_pattern, rule.wrong
        if rule.source not in self.from_places and rule.source not in ENVIRONMENT:
            raise _unknown(rule, rule.source, self.from_places, f" of {self.source.name}")
        place = self.made.place(rule.source)
        if place.kind in (SECTION, WHOLE):
            raise wrong(f"{rule.source!r} is a section; name one of its fields")
        if (place.kind == ENTRIES) is (pattern is None):
            raise wrong(f"{rule.source!r} is {'a map: name a key' if place.kind == ENTRIES else 'not a map'}")
        if place.kind == ENTRIES and rule.absent:
            raise wrong(f"a row of type absent must name a field: {rule.source!r} is a map or list")
        if place.kind == ENTRIES and place.keys is None and pattern != "*":
            raise wrong(f"{rule.source!r} is a list without keys: its rows are for [*]")
        if pattern is not None and "*" in pattern[:-1]:
            raise wrong(f"a * is allowed only at the end of a key, not in {pattern!r}")
        if rule.first and (pattern is None or pattern.endswith("*")):
            raise wrong("first: the row names one key of a map")
        return place

    def own(self, rule: Rule, place: Place) -> tuple[str, ...]:
        """Return the READABLEs of this row: its `as`; its type, for a set place of the message; a map's key."""
        own = ("@message",) if rule.as_ is None else ("@message", "@as")
        if place.path in ENVIRONMENT or rule.absent:
            return own
        return (*own, "@type", "@key") if place.kind == ENTRIES else (*own, "@type")

    def target_place(self, rule: Rule) -> Place:
        place, template = self.to_places.get(str(rule.target)), rule.target_template
        if place is None:
            raise _unknown(rule, str(rule.target), self.to_places, f" of {self.target.name}")
        if place.kind == SECTION:
            raise rule.wrong(f"{rule.target!r} is a section; name one of its fields")
        if place.kind == ENTRIES and place.keys is None:
            raise rule.wrong(f"no row can fill {rule.target}, a list without keys")
        if (place.kind == ENTRIES) is (template is None):
            raise rule.wrong(f"{rule.target!r} is {'a map: name a key' if place.kind == ENTRIES else 'not a map'}")
        if template is not None:
            if template.replace("**", "*").count("*") > 1 or ("*" in template and rule.source_pattern is None):
                raise rule.wrong(f"one * in {template!r} means the key of the source, which must have one")
            fault = _key_fault(place, template)
            if fault is not None:
                raise rule.wrong(f"{rule.target!r} cannot have this key: {fault}")
        for closed in rule.closes:
            if closed not in self.to_places:
                raise _unknown(rule, closed, self.to_places, f" of {self.target.name} in closes")
        return place

    def type_made(self, rule: Rule, place: Place, target: Place, via: Transform | None) -> str:
        """Return the wire type of a row's result."""
        if via is not None and via.gives == "typed":
            return TYPED_ANSWER
        if rule.as_ is not None:
            return rule.as_
        if target.values is not None:
            return target.values.name
        if target.kind in (SCALAR, WHOLE, BODY):
            return target.types[0]
        if target.kind == ENTRIES and via is None and rule.type == "*" and typed_entries(place):
            return BY_TYPE_ROWS
        raise rule.wrong(f"{rule.target} needs a type: as = ...")

    def refuse_unheld(self, branch: Branch, target: Place) -> None:
        """Refuse a row whose target cannot hold its result, in the form of its `as` or of the place's type."""
        rule, place, type_, via = branch.rule, branch.place, branch.type, branch.via
        if target.kind == WHOLE or rule.closes:
            if target.kind != WHOLE or branch.gives != {"sections"}:
                raise rule.wrong(f"{rule.target} is not a section" if target.kind != WHOLE else "no transform gives sections")
            if self.target.message is not Message:
                raise rule.wrong(f"{rule.via} gives sections of AMQP 1.0, and {self.target.name} has none")
            return
        if type_ == TYPED_ANSWER:
            if target.kind != TYPED and not typed_entries(target):
                raise rule.wrong(f"{rule.target} holds no typed value")
            return
        if type_ == BY_TYPE_ROWS:
            if target.kind != ENTRIES or via is not None or not typed_entries(place):
                raise rule.wrong('as = "*" needs typed entries as source, an entry as target and no via')
            return
        if type_ not in types_at(self.target, target) or type_ in target.not_held:
            raise rule.wrong(f"{rule.target} cannot hold type {type_!r}")
        kind = self.target.named[type_].kind
        if wrong := branch.gives - {kind}:
            raise rule.wrong(f"{rule.target} holds {type_} ({kind}), but the row gives {min(wrong)}")

    def fits(self, branch: Branch) -> bool:
        rule, types, type_, via = branch.rule, branch.types, branch.type, branch.via
        if type_ in (BY_TYPE_ROWS, TYPED_ANSWER) or rule.target == "@sections":
            return True
        wanted = self.target.named[type_]
        if via is not None:
            return type_ in via.fits or wanted.kind == "body" or (wanted.whole and wanted.kind in ("bytes", "bool"))
        # The condition tests the type's own rule. (The condition "utf8" is weaker than MQTT's type.)
        vouched = rule.when == type_ == "shortstr" and branch.kind == "str"
        return vouched or all(map(wanted.takes_all_of, types))

    def contested(self, rule: Rule, target: Place) -> bool:
        others = (
            other.source != CONSTANT and (other.source != rule.source or other.more)
            for other in self.table.rules
            if other is not rule and (other.target == target.path or target.path in other.constants)
        )
        return rule.taken == "drop" and (rule.source_pattern is not None or any(others))

    def constants(self, rule: Rule) -> None:
        for path, constant in rule.constants.items():
            name, key = place_and_key(path)
            place = self.to_places.get(name)
            if place is None or (place.keys is None or place.values is None if key else place.kind != SCALAR):
                raise _unknown(rule, path, self.to_places, " in set")
            held = place.values or self.target.types[place.types[0]]
            fault = (key and _key_fault(place, key)) or held.fault(constant)
            if fault is not None:
                raise rule.wrong(f"{path} cannot hold {constant!r}: {fault}")

    def beside(self, rule: Rule) -> None:
        """Check that `@beside[PLACE]` names a place of the source: an entry of a map, a field, or a value of the caller.

        The next table reads @address from the message after this one, for any condition of the row.
        """
        place = self.made.place(rule.source)
        is_text = place.section is None and place.kind == SCALAR and self.made.types_at(place)[0].kind == "str"
        if rule.target == "@address" and (rule.source in ENVIRONMENT or not is_text):
            raise rule.wrong(f"@address needs a text field of the message itself, not {rule.source}")
        for beside in rule.beside or (rule.target_template,) if rule.target_template is not None else ():
            path, key = place_and_key(str(beside))
            known = path in ENVIRONMENT or path in self.from_places
            kind = self.made.place(path).kind if known else SECTION
            if not rule.beside or kind in (SECTION, WHOLE) or (key is not None) is not (kind == ENTRIES):
                raise rule.wrong(f"{rule.columns['to']!r} names no place of {self.source.name}")

    def default(self, rule: Rule) -> Rule:
        """Check a row that fills fields left empty by the others: it has constants for fields, and reads no value."""
        others = rule.columns.keys() - {"id", "from", "set", "note", "cite"}
        if others or not rule.constants:
            more = f", and {min(others)!r} is more" if others else ""
            raise rule.wrong(f"a row from {CONSTANT} needs 'set' and must read nothing{more}")
        if entries := [path for path in rule.constants if "[" in path]:
            raise rule.wrong(f"a row from {CONSTANT} fills fields, and {entries[0]!r} is an entry")
        self.constants(rule)
        return rule

    # ---- names that every kind of row may use

    def reads(self, rule: Rule, own: tuple[str, ...]) -> None:
        for read in (*rule.reads, *rule.asks):
            path, key = place_and_key(read)
            place = self.from_places.get(path)
            if read in ENVIRONMENT or read in own:
                continue
            if path.startswith("@result.") and "@result" in own:
                place = self.to_places.get(path.removeprefix("@result."))
                if place is not None and place.section is not None:
                    raise rule.wrong(f"{read!r} in reads lies in a section, which may not be there")
            if place is None or place.kind in (SECTION, WHOLE) or (key is not None and place.keys is None):
                raise _unknown(rule, read, self.from_places, " in reads")
            if key is not None and "*" in key and "@key" not in own:
                raise rule.wrong(f"the * in {read!r} means the key of the row's own place, which is not a map")

    def words(self, rule: Rule, given: int = 1, inside: Transform | None = None) -> tuple[Condition | None, Transform | None]:
        """Return the words of a row. They get `given` values and the row's reads; `inside` is a recursive transform."""
        if rule.via in RECURSIVE and inside is None:
            raise rule.wrong(f"{rule.via} is a word of type rows")
        try:
            when = None if rule.when is None else CONDITIONS.known(rule.when, rule.columns["when"])
            via = inside if inside or rule.via is None else TRANSFORMS.known(rule.via)
        except ValueError as error:
            raise rule.wrong(str(error)) from None
        words: list[tuple[str, Word | None, int]] = [("condition", when, len(rule.asks)), ("transform", via, len(rule.reads))]
        for kind, word, read in words:
            if word is not None and word.needs > given + read:
                raise rule.wrong(f"{kind} {word.name} looks at {word.needs - 1} more: it needs reads, and {read} are read")
        return when, via

    # ---- rows for types, first and last rows

    def type_rows(self, rule: Rule) -> list[Branch]:
        """Return a branch for each type of a row of types."""
        types = []
        for name in rule.type.split("|"):
            if name not in self.source.types:
                raise rule.wrong(f"unknown type {name!r} of {self.source.name}")
            types.append(self.source.types[name])
        if rule.as_ is not None and rule.as_ not in self.target.types:
            raise rule.wrong(f"unknown type {rule.as_!r} of {self.target.name}")
        keys = plain_keys(self.target)
        if rule.scope == "key" and keys is not None and rule.as_ not in (None, keys):
            raise rule.wrong(f"the keys of a table are {keys}, not {rule.as_}")
        for read in rule.reads:
            if read != "@type":
                raise rule.wrong(f"a row of types sees a value and reads its @type, not {read!r}")
        recursive = RECURSIVE.get(str(rule.via))
        if recursive is not None and any(type_.converted_by != rule.via for type_ in types):
            inside = [name for name, type_ in self.source.types.items() if type_.converted_by == rule.via]
            raise rule.wrong(f"{rule.via} is for {' and '.join(inside) or 'no type here'}, not for {rule.type}")
        when, via = self.words(rule, inside=recursive)
        if when is not None and when.takes > 1:
            raise rule.wrong(f"a condition of a row of types sees the value alone, and {rule.when} looks at more")
        made = rule.as_ or TYPED_ANSWER
        branches = [Branch(rule=rule, place=VALUE, types=(type_,), when=when, via=via, type=made) for type_ in types]
        if rule.as_ is not None and any(branch.gives != {self.target.types[rule.as_].kind} for branch in branches):
            raise rule.wrong(f"{rule.as_} cannot hold the result of the row")
        return [replace(branch, fits=recursive is not None or self.fits(branch)) for branch in branches]

    def start(self, rule: Rule) -> Branch:
        """Return the branch of a row that prepares a map or list of the source; the other rows see its result."""
        place = self.from_places.get(rule.source)
        if place is None or place.kind != ENTRIES:
            raise rule.wrong(f"{rule.source!r} is not a map or list of {self.source.name}")
        when, via = self.words(rule)
        if via is None or via.passes or via.gives != "list":
            raise rule.wrong(f"{rule.via} does not give a list for every value")
        return Branch(rule=rule, place=place, types=self.made.types_at(place), when=when, via=via)

    def finish(self, rule: Rule) -> Branch:
        """Return the branch of a row that sees a field last, or makes the entry of a key, in its type or that of `as`."""
        place, key = self.to_places.get(rule.source), rule.source_pattern
        if place is None or place.kind in (SECTION, WHOLE):
            raise _unknown(rule, rule.source, self.to_places, f" of {self.target.name}")
        type_ = place.types[0] if key is None else self.entry_type(rule, place, key)
        if rule.columns.get("type", "*") not in ("*", "absent"):
            raise rule.wrong(f"the type of a row of finish is absent or *, not {rule.type!r}")
        self.reads(rule, READABLE_LAST)
        when, via = self.words(rule, given=key is None)
        if via is not None:
            whole_map = key is None and place.kind == ENTRIES
            if via.gives == "list" and not whole_map and key is None:
                raise rule.wrong(f"{rule.via} gives a list, and {rule.source} is neither a map nor a list")
            if via.passes or (whole_map and (via.gives != "list" or (via.loses and not rule.reads))):
                raise rule.wrong(f"{rule.via} does not give a {'list' if whole_map else 'value'} for every value")
            wanted = "list" if whole_map else "typed" if key is None and place.kind == TYPED else self.target.named[type_].kind
            if via.gives != wanted:
                raise rule.wrong(f"{rule.columns['at']} holds {wanted}, but {rule.via} gives {via.gives}")
        held = TYPED_ANSWER if key is None and place.kind == TYPED else type_
        types = tuple(self.target.named[name] for name in place.types)
        return Branch(rule=rule, place=place, types=types, when=when, via=via, type=held)

    def entry_type(self, rule: Rule, place: Place, key: str) -> str:
        """Return the type of an entry that a row of finish makes."""
        if not typed_entries(place):
            raise rule.wrong(f"{rule.source} has no typed entries")
        fault = "its * matches nothing" if "*" in key else _key_fault(place, key)
        if fault is not None:
            raise rule.wrong(f"{rule.source} cannot have the key {key!r}: {fault}")
        if rule.as_ is None or rule.as_ not in types_at(self.target, place) or rule.as_ in place.not_held:
            raise rule.wrong(f"an entry of {rule.source} needs a type: as = ...")
        return rule.as_


def _unknown(rule: Rule, path: str, known: Iterable[str], where: str) -> RuleTableError:
    return rule.wrong(f"unknown place {path!r}{where}{did_you_mean(path, known)}")


def _refuse_looking(rule: Rule, when: Condition | None, via: Transform | None) -> None:
    """Refuse words that need a value in a row of type `absent`: a condition may test only the row's `reads`."""
    if when is not None and not (rule.asks and when.takes > 1):
        raise rule.wrong(f"{rule.when} needs a value, but the row is of type absent")
    # A compiled function has no annotations; those of the words that take no value are not compiled.
    if via is not None and getattr(via.function, "__annotations__", {}).get("value", object) is not None:
        raise rule.wrong(f"{rule.via} needs a value, but the row is of type absent")


def _refuse_unreached(branches: list[Branch]) -> None:
    """Refuse a row after one of the same or a wider key and type without a condition: no value reaches it."""
    for at, branch in enumerate(branches):
        for earlier in branches[:at]:
            if earlier.covers(branch):
                raise _unreached(branch.rule, earlier.rule)


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
            raise _unreached(rule, taken[rule])


def _unreached(rule: Rule, earlier: Rule) -> RuleTableError:
    help_ = "" if rule.file == earlier.file else f"; replace or remove it in {earlier.file}"
    return rule.wrong(f"never reached: {earlier.id} ({earlier.where}) takes all of it{help_}")


def _key_fault(place: Place, key: str) -> str | None:
    """Return why an entry of the place cannot have a key; None for a key with a star, which is checked once it is known."""
    return None if "*" in key or place.entries is None else place.entries.key_fault(key)
