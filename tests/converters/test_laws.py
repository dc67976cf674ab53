"""Laws of every conversion: one message and one conversion a route, profile and Environment, and each law is asked about it.

A law returns None, or its fault in a few words. A new law is one function in LAWS, and a case in BROKEN that breaks it.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    PAYLOADS,
    PROTOCOLS,
    Conversion,
    ConversionError,
    EncodeError,
    Entry,
    Environment,
    MqConvertError,
    Remedy,
    Report,
    Route,
    convert,
    decode,
    encode,
    explained,
    mappings,
    routes,
    transcode,
)
from mqconvert.converters.engine.report import Entries
from mqconvert.converters.engine.summary import UNREPORTED
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.paths import path
from mqconvert.converters.overlays import tables_in_force
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.routes import route as shortest
from mqconvert.converters.words.conditions import shortstr
from tests.corpus import same_form
from tests.hub import BROKERS, differences, equal
from tests.interpreter import difference
from tests.strategies import DRAWN, examples, mixed_messages
from tests.validity import faults

WAYS = {
    f"{route.source}-to-{route.target} {profile}": (route, profile)
    for profile in ("documented", *mappings.overlay_names())
    for plain in (*routes(), *(Route(name, name, ()) for name in PROTOCOLS))
    for route in [shortest(plain.source, plain.target, tables_in_force(profile))]
    if profile == "documented" or route.legs != plain.legs
}
"""Every route, those to the same protocol too, and again for each profile that changes it."""
ENVIRONMENTS = st.just(Environment()) | st.builds(
    Environment,
    address=st.sampled_from([None, "t", "t", "t", "a/b", "", "#", "t#ephemeral", "non-persistent://a/b/c"]),
    mqtt_exchange=st.sampled_from(["amq.topic", "x"]),
    payload=st.sampled_from(PAYLOADS),
    escape=st.booleans(),
    frame=st.sampled_from([None, None, None, "send", "message", "record", "dispatch"]),
    clock=st.sampled_from([None, 0, 1_700_000_000_000]),
    producer=st.sampled_from(["mqconvert", ""]),
    sequence_id=st.sampled_from([0, 2**63]),
)


@dataclass(frozen=True)
class Case:
    """A message, and its conversion or the error that refuses it."""

    route: Route
    profile: str
    environment: Environment
    message: Any
    done: Conversion | None = None
    refused: ConversionError | None = None

    @classmethod
    def of(cls, route: Route, profile: str, environment: Environment, message: Any) -> "Case":
        case = cls(route, profile, environment, message)
        try:
            return replace(case, done=convert(message, route.target, profile=profile, environment=environment))
        except ConversionError as error:
            return replace(case, refused=error)

    @property
    def pair(self) -> tuple[str, str]:
        return self.route.source, self.route.target

    @cached_property
    def report(self) -> Report:
        assert self.done is not None
        return self.done.report

    @cached_property
    def back(self) -> Any:
        """Return the result as its target reads it, with the fields of the result that are not on the wire.

        Raises EncodeError.
        """
        assert self.done is not None
        made = self.done.message
        back = decode(self.route.target, encode(made))
        for name in NOT_ON_THE_WIRE.get((self.route.target, getattr(made, "frame", "")), ()):
            assert not getattr(back, name)
            setattr(back, name, getattr(made, name))
        return back

    def __str__(self) -> str:
        return f"{' -> '.join(self.pair)}, profile {self.profile}, {self.environment}, message {self.message!r}"


Law = Callable[[Case], str | None]
NOT_ON_THE_WIRE = {("pulsar", "send"): ["topic"], ("pulsar", "message"): ["topic"], ("nsq", "message"): ["topic", "channel"]}
"""Fields by protocol and frame that the producer or the subscription has."""


# ---- refusals and results ---------------------------------------------------------------------------------------------


def a_refusal_names_its_row(case: Case) -> str | None:
    error = case.refused
    if error is None:
        return None
    named = any(row.id == error.rule and row.error == error.code for table in case.route.legs for row in table.all_rules)
    return None if named else f"no row {error.rule} refuses messages as {error.code}: {error}"


def a_result_is_well_formed(case: Case) -> str | None:
    """It can be written, reads back as itself, and has no fault by the specification. Only an address may be missing."""
    if case.done is None or not case.route.legs:
        return None
    try:
        back = case.back
    except EncodeError as error:
        missing = case.environment.address is None and error.field == ADDRESSES.get(case.route.target)
        return None if missing and error.remedy == Remedy("address") else f"cannot be written: {error.field}: {error}"
    made = _as_written(case.done.message)
    if same_form(back) != same_form(made) and not equal(case.route.target, made, back):
        return f"reads back as {back}, not {made}"
    found = faults(back)
    return None if found == [] or (found == ["body: 0 bytes"] and _from_rocketmq(case.message)) else f"ill-formed: {found}"


ADDRESSES = {"mqtt-5.0": "topic_name", "mqtt-3.1.1": "topic_name", "nsq": "topic", "phpmq": "queue", "rocketmq": "topic"}
"""The address fields of protocols whose messages must have an address."""


def _from_rocketmq(message: Any) -> bool:
    """Return whether annotations tell that a message came from RocketMQ: its empty body stays."""
    return any(str(entry.key).startswith("x-opt-rocketmq-") for entry in getattr(message, "message_annotations", None) or ())


def _as_written(message: Any) -> Any:
    """Return a copy with the values that the encoder writes for missing ones."""
    made = copy.copy(message)
    if getattr(made, "qos", 0) and made.packet_identifier is None:
        made.packet_identifier = 1  # sessions assign it
    if getattr(made, "producer_group", None) == "":
        made.producer_group = "DEFAULT_PRODUCER"
    return made


def the_same_protocol_changes_nothing(case: Case) -> str | None:
    if case.route.legs or case.done is None:
        return None
    return None if case.done.message is case.message and case.report.tables == () else f"made {case.done.message}"


# ---- the report -------------------------------------------------------------------------------------------------------


def every_field_is_accounted_for(case: Case) -> str | None:
    """The first table's lines name each field that the sender set, each as often as it was set, and no other."""
    if case.done is None or not case.route.legs:
        return None
    report = case.report
    shared, own = report.entries, Entries(case.done._legs)
    if (shared.applied, shared.dropped, shared.lost, shared.accounted) != (own.applied, own.dropped, own.lost, own.accounted):
        return f"{report} has entries of other notes"
    named = Counter(entry.source for entry in report.applied if entry.leg == 1)
    for entries in (report.dropped, report.accounted, report.lost):
        named.update(entry.field for entry in entries if entry.leg == 1)
    given = Counter(source_places(case.message))
    for field, times in given.items():
        whole = field.partition("[")[0]  # a row may use a whole map, such as the footer
        inside = sum(count for name, count in named.items() if name == field or name.startswith(f"{field}["))
        if inside < times and not named[whole]:
            return f"{field}, set {times} times, stands {inside} times in the report"
    inside_them = ("@", *(f"{field}[" for field in given))  # @: values of the caller
    strangers = {name for name in named if name not in given and not name.startswith(inside_them)}
    strangers -= {name for name, value in leaves(case.message) if value is None or isinstance(value, list)}
    return f"the message has no {strangers}" if strangers else None


def applied_names_the_places_that_are_set(case: Case) -> str | None:
    if case.done is None:
        return None
    for leg, made in enumerate((*case.done.between, case.done.message), 1):
        named = {entry.target for entry in case.report.applied if entry.leg == leg}
        made_of = set(target_places(made))
        if case.route.legs and named != made_of:
            return f"table {leg}: {named - made_of} named and not set, {made_of - named} set and not named"
    return None


MAPS = ("annotations", "application-properties", "table", "utf8-pairs")


def leaves(message: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and value of every field, those of unset sections too."""
    yield from ((name, value) for name, value, _ in _fields(message))


def _fields(message: Any) -> Iterator[tuple[str, Any, Any]]:
    for field in fields(message):
        section, value = field.metadata["of"], getattr(message, field.name)
        for part in () if section is None else fields(section):
            yield f"{field.name}.{part.name}", getattr(value, part.name, None), part.metadata
        if section is None:
            yield field.name, value, field.metadata


def source_places(message: Any) -> Iterator[str]:
    """Yield the path of each field that the sender set, and of each member of lists and maps."""
    for place, value, about in _fields(message):
        if isinstance(value, list):
            yield from (path(place, key_of(one) if isinstance(one, Entry | tuple) else at) for at, one in enumerate(value))
        elif value is not None and value != about["unset"]:
            yield place


def target_places(message: Any) -> Iterator[str]:
    """Yield the path of each field that is set, and of each entry of maps.

    A field is unset if it has its default (`wire(unset=...)`): None, and for some fields 0 or empty text.
    """
    for place, value, about in _fields(message):
        if value is not None and about["types"][0] in MAPS:
            yield from (path(place, key_of(one)) for one in value)
        elif value is not None and value != about["unset"]:
            yield place


def the_summary_counts_every_field_once(case: Case) -> str | None:
    """Each set field arrives, is dropped or lost with a reason, or belongs to the caller's side."""
    if case.done is None:
        return None
    report = case.report
    summary, lines = report.summary, str(report).split("\n")
    numbers = summary.unchanged, summary.changed, summary.by_rule, summary.lost
    counted, given = sum(numbers), sum(1 for _ in counted_places(case.message))
    if min(numbers) < 0 or summary.fields != counted or not given - len(report.accounted) <= counted <= given:
        return f"{numbers} of {given} fields, {len(report.accounted)} accounted"
    in_part = sum(": lost in part, " in line for line in lines)
    if len(lines) - in_part != 1 + summary.by_rule + summary.lost or lines[0] != str(summary):
        return f"{len(lines)} lines for {numbers}: {lines}"
    if report.lossless() and (summary.lost or in_part):
        return f"lost without a loss: {lines}"
    if report.complete() and (summary.by_rule or summary.lost):
        return f"missing without a drop or a loss: {lines}"
    return next((f"{line!r}, which the report names" for line in lines if line.endswith(UNREPORTED)), None)


def counted_places(message: Any) -> Iterator[str]:
    """Yield the path of each field that counts: other lists than maps and subscription identifiers are one."""
    for place, value, about in _fields(message):
        if about["types"][0] in (*MAPS, "varints") and value is not None:
            yield from (path(place, key_of(one) if isinstance(one, Entry | tuple) else at) for at, one in enumerate(value))
        elif value not in (None, about["unset"], []):
            yield place


def an_explanation_tells_each_entry_once(case: Case) -> str | None:
    """Entries that differ in their row alone share a line, which names the rows."""
    if case.done is None:
        return None
    report = case.report
    lines = explained(case.message, case.done, environment=case.environment).split("\n")
    if not case.route.legs:
        return None if len(lines) == 2 else f"{len(lines)} lines for 2"
    entries: list[Any] = [*report.applied, *report.dropped, *report.lost, *report.accounted]
    given = Counter(entry.rule for entry in entries if entry.rule is not None)
    given.update(entry.type_rule for entry in report.applied if entry.type_rule is not None)
    told = Counter(rule for line in lines[1:] for rule in line.rsplit("  ", 1)[-1].split(", ") if rule in given)
    unruled = sum(entry.rule is None for entry in entries)
    if told != given or not 1 + len(report.tables) + unruled <= len(lines) <= 1 + len(report.tables) + len(entries):
        return f"{len(lines)} lines for {len(entries)} entries; missing: {given - told}, too many: {told - given}"
    return next((f"not printable: {line!r}" for line in lines if not line.isprintable()), None)


# ---- a second implementation of the tables ----------------------------------------------------------------------------


def the_interpreter_gives_the_same(case: Case) -> str | None:
    outcome = case.refused or case.done
    assert outcome is not None
    return difference(case.route.legs, case.message, case.environment, outcome)


def bytes_become_the_same_bytes(case: Case) -> str | None:
    """`transcode` gives what the message gives, as far as both can be written, and the same report."""
    if case.done is None or case.message != (read := _written_and_read(case)):
        return None
    wanted = None
    with suppress(EncodeError):
        wanted = encode(case.done.message)
    try:
        choices: Any = {"profile": case.profile, "environment": case.environment}
        done = transcode(encode(read), case.route.target, source=case.route.source, **choices)
    except EncodeError as error:
        return None if wanted is None else f"cannot be written: {error}"
    if done.wire != wanted:
        return f"{done.wire.hex()}, not {wanted and wanted.hex()}"
    return None if done.report.as_dict() == case.report.as_dict() else "another report"


def _written_and_read(case: Case) -> Any:
    with suppress(MqConvertError):
        return decode(case.route.source, encode(case.message))
    return None


# ---- the way back and further -----------------------------------------------------------------------------------------

TO_BROKERS = {("amqp-1.0", broker) for broker in BROKERS}
TIMES = {path("message_annotations", key) for key in ("x-opt-delivery-time", "x-opt-delivery-delay")}


def what_does_not_come_back_is_reported(case: Case) -> str | None:
    """Messages of the hub go to a broker, in any frame, and back."""
    if case.done is None or case.profile != "documented" or case.pair not in TO_BROKERS:
        return None
    told = case.environment
    if told.payload == "envelope" or told.address is None:
        return None  # without an address, the one of the message may go beside it
    try:
        back: Any = convert(case.back, "amqp-1.0", environment=case.environment).message
    except EncodeError:
        return None  # it has no address (a_result_is_well_formed)
    silent = differences(case.message, back, case.report)
    if TIMES & {path("message_annotations", entry.key) for entry in back.message_annotations or ()}:
        silent -= TIMES  # NSQ has delays only, and Pulsar times
    if getattr(case.message.properties, "to", None) == told.address:
        silent.discard("properties.to")  # written once, as the topic: a property amqp-to of the application wins
    return f"{silent} came back as {back}" if silent else None


def a_result_goes_on_to_every_other_protocol(case: Case) -> str | None:
    """A frame of a broker, as it is read there, becomes a well-formed message of any other protocol, or is refused."""
    if case.done is None or case.profile != "documented" or case.pair not in TO_BROKERS:
        return None
    try:
        made = case.back
    except EncodeError:
        return None  # as above
    for name in PROTOCOLS.keys() - set(case.pair):
        with suppress(ConversionError):
            further = convert(made, name, environment=Environment(address="t", escape=True, clock=5)).message
            if (found := faults(decode(name, encode(further)))) not in ([], ["body: 0 bytes"]):
                return f"to {name}: {found}"
    return None


DOCUMENTED: dict[tuple[str, str], tuple[str, ...]] = {
    ("amqp-1.0", "amqp-0.9.1"): (
        "header.durable",  # false equals unset
        "body", "footer", 'message_annotations["x-basic-type"]',  # encoded, unless it is one data section
        "properties.message_id", "properties.correlation_id",  # ids of bytes become headers; numbers and uuids become text
        'application_properties["x-', 'message_annotations["x-',  # headers that begin with x- are annotations
    ),
    ("amqp-0.9.1", "amqp-1.0"): (
        "exchange", "routing_key", "basic.delivery_mode", "basic.type",  # durable in AMQP 1.0 is a boolean
        "basic.expiration", 'basic.headers["x-',  # "+5" becomes a number, and "5" on the way back
    ),
    ("amqp-1.0", "mqtt-5.0"): (
        "header.durable", "body", "footer", "properties.content_type",  # other kinds of body are encoded
        "properties.to", "properties.correlation_id", 'application_properties["', 'message_annotations["x-',  # all become text
    ),
    ("mqtt-5.0", "amqp-1.0"): ("topic_name", "packet_identifier", "qos", "response_topic"),  # "." and "/" merge
    ("amqp-0.9.1", "mqtt-5.0"): (
        "exchange", "routing_key", "basic.delivery_mode", "basic.correlation_id", "basic.expiration", 'basic.headers["',
    ),
    ("mqtt-5.0", "amqp-0.9.1"): (
        "topic_name", "packet_identifier", "qos", "response_topic", 'user_properties["x-reply-to-topic"]',
    ),
}  # fmt: skip
"""By pair, the fields (or their beginnings) that RabbitMQ's page changes without reporting a loss or drop."""


def fields_without_losses_return(case: Case) -> str | None:
    """Of a message that has only fields which are neither lost nor dropped on either way."""
    if case.pair not in DOCUMENTED or case.profile != "documented":
        return None
    message = copy.deepcopy(case.message)
    for _ in range(8):
        there = convert(message, case.route.target)
        unsaid = [line.field for line in there.report.lost] + [line.field for line in there.report.dropped]
        if not unsaid:
            break
        for field in unsaid:
            _clear(message, field)
    if unsaid or getattr(message, "body", message) is None:  # only AMQP 1.0 has messages without a body
        return None
    back = convert(there.message, case.route.source)
    if back.report.lost or back.report.dropped:
        return None
    before, after = (dict(_told(each)) for each in (message, back.message))
    differ = {field for field in before | after if before.get(field) != after.get(field)} - set(_retyped(message))
    differ = {field for field in differ if not field.startswith(DOCUMENTED[case.pair])}
    return f"{differ} differ of {message}, in {back.message}" if differ else None


def _retyped(message: Any) -> Iterator[str]:
    """Yield the entries that come back in another type: long strings that are no short text as binary, ulongs as longs."""
    for entry in getattr(getattr(message, "basic", None), "headers", None) or ():
        if _changes(entry.type, entry.value):
            yield path("basic.headers", entry.key)
    for entry in getattr(message, "application_properties", None) or ():
        if _changes(entry.type, entry.value):
            yield path("application_properties", entry.key)


def _changes(type_: str, value: Any) -> bool:
    """Return whether a value, or one inside of it, has another type after AMQP 1.0, 0.9.1 and 1.0, or the other way round."""
    if isinstance(value, list):
        return any(_changes(inner.type, inner.value) for inner in value)
    return type_ in ("symbol", "ulong") or (type_ in ("string", "longstr") and not shortstr(value))


def _clear(message: Any, field: str) -> None:
    """Remove a field, or the entries of a key, from a message."""
    place, bracket, _ = field.partition("[")
    section, _, name = place.rpartition(".")
    holder = getattr(message, section) if section else message
    value = getattr(holder, name)
    if bracket and isinstance(value, list) and value and isinstance(value[0], Entry | tuple):
        setattr(holder, name, [one for one in value if not field.startswith(path(place, key_of(one)))] or None)
    else:
        setattr(holder, name, {about[0]: about[2]["unset"] for about in _fields(message)}[place])


def _told(message: Any) -> Iterator[tuple[str, str]]:
    """Yield path and value of every set field. The first of duplicate keys comes last, so that it wins in a dict."""
    for place, value in leaves(message):
        pairs = isinstance(value, list) and value and isinstance(value[0], Entry | tuple)
        if pairs:
            yield from ((path(place, key_of(entry)), repr(entry)) for entry in reversed(value))
        elif value is not None and value != []:
            yield place, repr(value)


LAWS: tuple[Law, ...] = (
    a_refusal_names_its_row,
    a_result_is_well_formed,
    the_same_protocol_changes_nothing,
    every_field_is_accounted_for,
    applied_names_the_places_that_are_set,
    the_summary_counts_every_field_once,
    an_explanation_tells_each_entry_once,
    the_interpreter_gives_the_same,
    bytes_become_the_same_bytes,
    what_does_not_come_back_is_reported,
    a_result_goes_on_to_every_other_protocol,
    fields_without_losses_return,
)


OF_OURS = (a_result_is_well_formed, applied_names_the_places_that_are_set, the_summary_counts_every_field_once)
OF_ANY_PACKAGE = tuple(law for law in LAWS if law not in OF_OURS)
"""The laws for protocols of other packages: these know the types of our maps, and which addresses our encoders require."""


@pytest.mark.parametrize("way", WAYS)  # by name: Hypothesis writes the arguments of a failing example, and tables are long
@examples(100)
@given(data=st.data(), environment=ENVIRONMENTS)
def test_every_conversion_keeps_the_laws(way: str, data: st.DataObject, environment: Environment) -> None:
    route, profile = WAYS[way]
    drawn = DRAWN[route.source]
    if route.source == "amqp-1.0":  # half of the messages have annotations of a broker, which may contradict one another
        drawn |= st.sampled_from(BROKERS).flatmap(mixed_messages)
    case = Case.of(route, profile, environment, data.draw(drawn))
    for law in LAWS if set(case.pair) <= DRAWN.keys() else OF_ANY_PACKAGE:
        assert (fault := asked(law, case)) is None, fault


def asked(law: Law, case: Case) -> str | None:
    """Return the fault with the names of the law and the case. An exception gets them as a note."""
    try:
        fault = law(case)
    except Exception as error:
        error.add_note(f"in the law {law.__name__}: {case}")
        raise
    return f"{law.__name__}: {fault}\n{case}" if fault is not None else None


# ---- each law can fail ------------------------------------------------------------------------------------------------


def _case(target: str, **changed: Any) -> Case:
    """Return the case of a plain message, with something changed after the conversion."""
    route = shortest("amqp-1.0", target, tables_in_force())
    return replace(
        Case.of(route, "documented", Environment(address="t", clock=1), amqp10.Message(body=amqp10.Data([b"a"]))), **changed
    )


OTHER = amqp10.Message(properties=amqp10.Properties(subject="s"), body=amqp10.Data([b"a"]))
DELIVERED_THRICE = Conversion(amqp091.Message(amqp091.BasicProperties(delivery_mode=3), b"a"), [], (), OTHER)
BROKEN: dict[Law, Case] = {
    a_refusal_names_its_row: _case("nsq", done=None, refused=ConversionError("no", code="bad_topic", rule="none")),
    a_result_is_well_formed: _case("amqp-0.9.1", done=DELIVERED_THRICE),
    the_same_protocol_changes_nothing: _case("amqp-1.0", message=OTHER),
    every_field_is_accounted_for: _case("nsq", message=OTHER),
    applied_names_the_places_that_are_set: _case("amqp-0.9.1", done=DELIVERED_THRICE),
    the_summary_counts_every_field_once: _case("nsq", message=replace(OTHER, footer=[Entry("f", "int", 1)] * 9)),
    an_explanation_tells_each_entry_once: _case("nsq", route=_case("amqp-1.0").route),
    bytes_become_the_same_bytes: _case("amqp-0.9.1", done=DELIVERED_THRICE),
    the_interpreter_gives_the_same: _case("nsq", environment=Environment(address="other", clock=1)),
    what_does_not_come_back_is_reported: _case("pulsar", message=OTHER),
}
"""Cases that break a law. The last two laws convert further; to see them fail, break a row."""


@pytest.mark.parametrize("law", BROKEN, ids=lambda law: law.__name__)
def test_a_broken_law_names_itself_and_the_case(law: Law) -> None:
    case = BROKEN[law]
    fault = str(asked(law, case))
    assert fault.startswith(f"{law.__name__}: ")
    assert all(word in fault for word in (*case.pair, case.profile, str(case.environment), repr(case.message)))
