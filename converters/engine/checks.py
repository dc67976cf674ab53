"""Refuses rows that cannot be meant: unknown places, types and words, targets that cannot hold the type, rows never reached.

Each problem is a RuleTableError with file and line. Whether a word can do what its row asks is tried out in trials.py.
"""

from mqconvert.converters.engine.rules import CONSTANT, Rule
from mqconvert.converters.engine.runtime import KEY_FAULTS
from mqconvert.converters.engine.signatures import ENVIRONMENT, RECURSIVE, Rows, place_and_key
from mqconvert.converters.engine.type_rows import scoped
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.places import BODY, ENTRIES, ENTRY_KEYS, PLAIN_ENTRIES, SCALAR, SECTION, TYPED, WHOLE, Place
from mqconvert.converters.model.values import KIND_OF
from mqconvert.converters.protocols.amqp10.message import Message

READABLE_LAST = ("@message", "@result", "@way_back", "@again")
"""What finish rows may read: the source message, the target message, the converter back, and the table itself once more."""


def check_rows(rows: Rows) -> None:
    """Refuse the table of these rows; RuleTableError with file and line."""
    for rule in rows.table.rules:
        _rule(rows, rule)
    for rules in rows.by_place().values():
        _reach(rows, rules)
    for rule in rows.table.types:
        _type_row(rows, rule)
    for chains in scoped(rows).values():
        for chain in chains.values():
            _reach(rows, chain)
    for rule in rows.table.start:
        place = rows.from_places.get(rule.source)
        if place is None or place.kind != ENTRIES:
            raise rule.wrong(f"{rule.source!r} is no map or list of {rows.source.name}")
        _words(rows, rule)
    for rule in rows.table.finish:
        _finish(rows, rule)
        _reads(rows, rule, READABLE_LAST)


def _rule(rows: Rows, rule: Rule) -> None:
    if rule.source == CONSTANT:
        _default(rows, rule)
        return
    if rule.source not in rows.from_places and rule.source not in ENVIRONMENT:
        raise rule.wrong(f"unknown place {rule.source!r} of {rows.source.name}")
    if rule.source in rows.from_places:
        place = rows.from_places[rule.source]
        if place.kind in (SECTION, WHOLE):
            raise rule.wrong(f"{rule.source!r} is a section; name one of its fields")
        if (place.kind == ENTRIES) is (rule.source_pattern is None):
            raise rule.wrong(f"{rule.source!r} is {'a map: name a key' if place.kind == ENTRIES else 'no map'}")
        if place.kind == ENTRIES and rule.absent:
            raise rule.wrong(f"a row for what is absent names a field, and {rule.source!r} is a map or list")
        if place.types[0] == "varints" and rule.source_pattern != "*":
            raise rule.wrong(f"{rule.source!r} is a list without keys: its rows are for [*]")
    if rule.first and (rule.source_pattern is None or rule.source_pattern.endswith("*")):
        raise rule.wrong("first: the row names one key of a map")
    known = rows.types_at(rows.from_places[rule.source]) if rule.source in rows.from_places else (ENVIRONMENT[rule.source],)
    for type_ in () if rule.type in ("*", "absent") else rule.type.split("|"):
        if type_ in ("*", "absent"):
            raise rule.wrong(f"{type_} stands by itself, not in {rule.type!r}")
        if type_ not in known:
            raise rule.wrong(f"unknown type {type_!r} of {rule.source}")
    _reads(rows, rule, _own(rows, rule))
    _words(rows, rule)
    if rule.error is not None:
        if rule.note is None or rule.target is not None:
            raise rule.wrong("a row with an error makes nothing, and its note says what is wrong")
        return
    _target(rows, rule)


def _default(rows: Rows, rule: Rule) -> None:
    """A row for what no other row filled: constants of fields, and nothing that looks at a value."""
    others = rule.columns.keys() - {"id", "from", "set", "note", "cite"}
    if others or not rule.constants:
        raise rule.wrong(
            f"a row from {CONSTANT} has 'set' and looks at nothing" + (f", and {min(others)!r} is more" if others else "")
        )
    if entries := [path for path in rule.constants if "[" in path]:
        raise rule.wrong(f"a row from {CONSTANT} fills fields, and {entries[0]!r} is an entry")
    _target(rows, rule)


def _finish(rows: Rows, rule: Rule) -> None:
    """A row of finish names a field or the entry of a key, and its word gives what that, or the type in `as`, holds."""
    place, key = rows.to_places.get(rule.source), rule.source_pattern
    if place is None or place.kind in (SECTION, WHOLE):
        raise rule.wrong(f"unknown place {rule.source!r} of {rows.target.name}")
    if key is not None:
        if place.types[0] not in ENTRY_KEYS or place.types[0] in PLAIN_ENTRIES:
            raise rule.wrong(f"{rule.source} has no typed entries")
        fault = "its * stands for nothing" if "*" in key else _key_fault(place, key)
        if fault is not None:
            raise rule.wrong(f"{rule.source} cannot have the key {key!r}: {fault}")
        if rule.as_ not in rows.target.types or rule.as_ in place.not_held:
            raise rule.wrong(f"an entry of {rule.source} needs a type: as = ...")
    if rule.columns.get("type", "*") not in ("*", "absent"):
        raise rule.wrong(f"a row of finish is for what is set, for what is absent, or with * for both: {rule.type!r} is none")
    wanted = {ENTRIES: "list", TYPED: "typed"}.get(place.kind) if key is None else None
    wanted = wanted or KIND_OF[rule.as_ if key is not None and rule.as_ else place.types[0]]
    _words(rows, rule)
    if rule.via in TRANSFORMS and TRANSFORMS[rule.via].gives != wanted:
        raise rule.wrong(f"{rule.columns['at']} holds {wanted}, but {rule.via} gives {TRANSFORMS[rule.via].gives}")


def _own(rows: Rows, rule: Rule) -> tuple[str, ...]:
    """What a row may read of itself: its `as`; its type, where its place is in the message and set; its key in a map."""
    place = rows.from_places.get(rule.source)
    own = ("@message",) if rule.as_ is None else ("@message", "@as")
    if place is None or rule.absent:
        return own
    return (*own, "@type", "@key") if place.kind == ENTRIES else (*own, "@type")


def _reads(rows: Rows, rule: Rule, own: tuple[str, ...]) -> None:
    for read in rule.looks_at:
        path, key = place_and_key(read)
        place = rows.from_places.get(path)
        if read in ENVIRONMENT or read in own:
            continue
        if path.startswith("@result.") and "@result" in own:
            place = rows.to_places.get(path.removeprefix("@result."))
            if place is not None and place.section is not None:
                raise rule.wrong(f"{read!r} in reads lies in a section, which may not be there")
        if place is None or place.kind in (SECTION, WHOLE) or (key is not None and place.types[0] not in ENTRY_KEYS):
            raise rule.wrong(f"unknown place {read!r} in reads")
        if key is not None and "*" in key and "@key" not in own:
            raise rule.wrong(f"the * in {read!r} stands for the key of the row's own place, which is no map")


def _words(rows: Rows, rule: Rule) -> None:
    if rule.when is not None and rule.when not in CONDITIONS:
        raise rule.wrong(f"unknown condition {rule.columns['when']!r}{CONDITIONS.fault(rule.when)}")
    if rule.via is not None and rule.via not in TRANSFORMS and rule.via not in RECURSIVE:
        raise rule.wrong(f"unknown transform {rule.via!r}{TRANSFORMS.fault(rule.via)}")
    if rule.absent and rule in rows.table.rules:
        # There is no value to hand over: a condition has to look at what the row reads, a transform to take None.
        if rule.when is not None and not (rule.looks_at and CONDITIONS[rule.when].takes > 1):
            raise rule.wrong(f"{rule.when} looks at a value, and the row is for what is absent")
        if rule.via is not None and (
            rule.via in RECURSIVE or TRANSFORMS[rule.via].function.__annotations__.get("value", object) is not None
        ):
            raise rule.wrong(f"{rule.via} takes a value, and the row is for what is absent")


def _target(rows: Rows, rule: Rule) -> None:
    for path, constant in rule.constants.items():
        name, key = place_and_key(path)
        place = rows.to_places.get(name)
        if place is None or (place.types != ("utf8-pairs",) if key else place.kind != SCALAR):
            raise rule.wrong(f"unknown place {path!r} in set")
        fault = (key and _key_fault(place, key)) or rows.target.types["utf8" if key else place.types[0]].fault(constant)
        if fault is not None:
            raise rule.wrong(f"{path} cannot hold {constant!r}: {fault}")
    if rule.target is None or rule.accounts:
        _beside(rows, rule)
        if rule.target == "@address":
            _address(rows, rule)
        return
    place = rows.to_places.get(rule.target)
    if place is None:
        raise rule.wrong(f"unknown place {rule.target!r} of {rows.target.name}")
    if rule.closes or place.kind in (SECTION, WHOLE):
        transform, gives = TRANSFORMS.get(rule.via or ""), {SECTION: "section", WHOLE: "sections"}.get(place.kind)
        if transform is None or transform.gives != gives:
            raise rule.wrong(f"{rule.target} is {'a section, and no transform gives one' if gives else 'no section'}")
        if rows.target.message is not Message:
            raise rule.wrong(f"{rule.via} gives sections of AMQP 1.0, and {rows.target.name} has none")
        return
    if (place.kind == ENTRIES and place.types[0] != "varints") is (rule.target_template is None):
        raise rule.wrong(f"{rule.target!r} is {'a map: name a key' if place.kind == ENTRIES else 'no map'}")
    fault = None if rule.target_template is None else _key_fault(place, rule.target_template)
    if fault is not None:
        raise rule.wrong(f"{rule.target!r} cannot have this key: {fault}")
    _holds(rows, rule, place)


def _beside(rows: Rows, rule: Rule) -> None:
    """What `@beside[PLACE]` names is a place of the source: an entry of a map, a field, or a value of the caller's."""
    if rule.target_template is None:
        return
    for beside in rule.beside or (rule.target_template,):
        path, key = place_and_key(beside)
        place = rows.from_places.get(path)
        known = path in ENVIRONMENT or (place is not None and place.kind not in (SECTION, WHOLE))
        if not rule.beside or not known or (key is not None) is not (place is not None and place.kind == ENTRIES):
            raise rule.wrong(f"{rule.columns['to']!r} names no place of {rows.source.name}")


def _address(rows: Rows, rule: Rule) -> None:
    """The next table's address is read from the message when this one is done, whatever the row's condition."""
    place = rows.from_places.get(rule.source)
    if place is None or place.section is not None or place.kind != SCALAR or KIND_OF[place.types[0]] != "str":
        raise rule.wrong(f"@address is for a text of the message itself, and {rule.source} is none")


def _key_fault(place: Place, key: str) -> str | None:
    """Why no entry of the place can have a key; a key with a star is checked when it is known."""
    return None if "*" in key else KEY_FAULTS[ENTRY_KEYS[place.types[0]]](key)


def _holds(rows: Rows, rule: Rule, place: Place) -> None:
    """The target can hold the type: the row's `as`, or the place's own type, has the form that the row gives."""
    type_ = rows.target_type(rule, place)
    if type_ == "typed":
        if place.kind not in (TYPED, ENTRIES) or place.types[0] in PLAIN_ENTRIES:
            raise rule.wrong(f"{rule.target} holds no typed value")
        return
    if type_ == "*":
        source = rows.from_places.get(rule.source)
        if place.kind != ENTRIES or rule.via is not None or source is None or not rows.typed(source):
            raise rule.wrong('as = "*" needs typed entries as source, an entry as target and no via')
        return
    known = place.types if place.kind in (SCALAR, TYPED, BODY) else tuple(rows.target.types)
    if type_ not in known or type_ in place.not_held:
        raise rule.wrong(f"{rule.target} cannot hold type {type_!r}")
    given = rows.given_kinds(rule)
    wanted = KIND_OF[type_]
    if given - {wanted}:
        raise rule.wrong(f"{rule.target} holds {type_} ({wanted}), but the row gives {min(given - {wanted})}")


def _type_row(rows: Rows, rule: Rule) -> None:
    for type_ in rule.type.split("|"):
        if type_ not in rows.source.types:
            raise rule.wrong(f"unknown type {type_!r} of {rows.source.name}")
    if rule.as_ is not None and rule.as_ not in rows.target.types:
        raise rule.wrong(f"unknown type {rule.as_!r} of {rows.target.name}")
    for read in rule.looks_at:
        if read != "@type":
            raise rule.wrong(f"a row of types sees a value and reads its @type, not {read!r}")
    _words(rows, rule)
    if rule.when is not None and CONDITIONS[rule.when].takes > 1:
        raise rule.wrong(f"a condition of a row of types sees the value alone, and {rule.when} looks at more")
    if rule.as_ is not None and rows.type_kinds(rule) - {KIND_OF[rule.as_]}:
        raise rule.wrong(f"{rule.as_} cannot hold what the row gives")


def _reach(rows: Rows, rules: list[Rule]) -> None:
    """A row behind one of the same or a wider key, type and no condition is never reached."""
    for at, rule in enumerate(rules):
        for earlier in rules[:at]:
            if rows.always(earlier) and _wider(earlier, rule, rows.possible(earlier), rows.possible(rule)):
                help_ = "" if rule.file == earlier.file else f"; replace or remove it in {earlier.file}"
                raise rule.wrong(f"never reached: {earlier.id} ({earlier.where}) takes all of it{help_}")


def _wider(earlier: Rule, rule: Rule, types: set[str] | None, wanted: set[str] | None) -> bool:
    if (earlier.type == "absent") is not (rule.type == "absent"):
        return False
    if types is not None and (wanted is None or not wanted <= types):
        return False
    pattern, key = earlier.source_pattern, rule.source_pattern
    if pattern is None or pattern in ("*", key):
        return True
    return pattern.endswith("*") and key is not None and key.startswith(pattern[:-1])
