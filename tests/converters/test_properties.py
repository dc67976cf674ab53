"""Properties of every conversion, over every message that a codec can write, every pair, every profile."""

import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqconvert import (
    PAYLOADS,
    PROTOCOLS,
    ConversionError,
    EncodeError,
    Entry,
    Environment,
    Route,
    convert,
    converter,
    decode,
    encode,
    mappings,
    routes,
    rule_tables,
)
from mqconvert.converters.engine.paths import path as field_path
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.words.conditions import shortstr
from tests.corpus import same_form
from tests.hub import equal
from tests.strategies import DRAWN
from tests.validity import faults

ROUTES = [route for route in routes() if route.legs]
WAYS = {
    f"{route.source}-to-{route.target} {profile}": (route, profile)
    for profile in ("documented", *mappings.overlay_names())
    for tables in [rule_tables(profile)]
    for route in ROUTES
    if profile == "documented" or any(leg not in tables for leg in route.legs)
}
"""Every pair, and again for each profile that changes one of its tables."""
ENVIRONMENTS = st.builds(
    Environment,
    address=st.sampled_from(["t", "t", "a/b"]),
    escape=st.just(True),
    payload=st.sampled_from(PAYLOADS),
    frame=st.sampled_from([None, None, "message", "dispatch"]),
    clock=st.sampled_from([0, 1_700_000_000_000]),
)


def _or_named_row(route: Route, message: Any, environment: Environment, profile: str = "documented") -> Any:
    """Return the conversion, or None if a row of one of the tables refuses the message; fail on other refusals."""
    try:
        return convert(message, route.target, profile=profile, environment=environment)
    except ConversionError as error:
        refused = error
    tables = converter(route.source, route.target, profile=profile).route.legs
    assert refused.code in {row.error for table in tables for row in table.all_rules if row.id == refused.rule}, refused
    return None


@pytest.mark.parametrize(("route", "profile"), WAYS.values(), ids=list(WAYS))
@settings(max_examples=30)
@given(data=st.data(), environment=ENVIRONMENTS)
def test_every_conversion_gives_a_well_formed_result(
    route: Route, profile: str, data: st.DataObject, environment: Environment
) -> None:
    message = data.draw(DRAWN[route.source])
    done = _or_named_row(route, message, environment, profile)
    if done is None:
        return
    back = decode(route.target, encode(done.message))
    made = _as_written(done.message, back)
    assert same_form(back) == same_form(made) or equal(route.target, made, back)
    assert faults(back) == [] or (faults(back) == ["body: 0 bytes"] and _from_rocketmq(message))


def _from_rocketmq(message: Any) -> bool:
    """Return whether annotations tell that a message came from RocketMQ: its empty body stays."""
    return any(str(entry.key).startswith("x-opt-rocketmq-") for entry in getattr(message, "message_annotations", None) or ())


def _as_written(made: Any, back: Any) -> Any:
    """Return the message with the fields that are not on the wire made equal to the decoder's."""
    if getattr(made, "qos", 0) and made.packet_identifier is None:
        made.packet_identifier = 1  # sessions assign it; the encoder writes 1 for a missing one
    names = ["topic"] if PROTOCOLS["pulsar"].message is type(made) else []  # the producer or subscription has the topic
    if getattr(made, "timestamp", None) is not None and PROTOCOLS["nsq"].message is type(made):
        names = ["topic", "channel"]  # a message frame has neither
    for name in names:
        assert not getattr(back, name)
        setattr(back, name, getattr(made, name))
    return made


@pytest.mark.parametrize("target", ["rocketmq", "pulsar"])
def test_the_second_of_equal_keys_is_lost(target: str) -> None:
    twins = [Entry("k", "int", 1), Entry("k", "int", 2)]
    message = amqp10.Message(application_properties=list(twins), body=amqp10.Data([b"a"]))
    done = convert(message, target, environment=Environment(address="t", clock=1))
    assert [loss.field.partition("[")[0] for loss in done.report.lost] == ["application_properties"]
    assert convert(done.message, "amqp-1.0").message.application_properties == [Entry("k", "string", "1")]


@pytest.mark.parametrize("target", ["rocketmq", "nsq"])
def test_a_send_without_a_body_is_refused(target: str) -> None:
    """MAPPINGS rule 13: clients of RocketMQ and nsqd refuse it."""
    message = amqp10.Message(properties=amqp10.Properties(subject="s"))
    with pytest.raises(ConversionError) as caught:
        convert(message, target, environment=Environment(address="t", clock=1))
    assert (caught.value.code, caught.value.field) == ("bad_message", "body")


SEND = Environment(address="t", clock=1)
CONTRADICTIONS: dict[str, tuple[str, dict[str, tuple[str, Any]], Environment]] = {
    "a delay of a message frame": (
        "nsq", {"x-opt-delivery-delay": ("long", 5)}, Environment(address="t", frame="message", clock=1)
    ),
    "a host that is none": (
        "rocketmq", {"x-opt-rocketmq-born-host": ("string", "nohost")}, Environment(address="t", frame="record", clock=1)
    ),
    "a field of a record in a send": ("rocketmq", {"x-opt-rocketmq-store-timestamp": ("long", 5)}, SEND),
    "a compression without a chunk": ("pulsar", {"x-opt-pulsar-compression": ("string", "LZ4")}, SEND),
    "an id in a send": ("pulsar", {"x-opt-pulsar-message-id": ("string", "1:2:3:4")}, SEND),
}  # fmt: skip
"""Annotations for another kind of message than the result, and annotations of values that it cannot have."""


@pytest.mark.parametrize(
    ("target", "annotations", "environment"),
    [pytest.param(*case, id=name) for name, case in CONTRADICTIONS.items()],
)
def test_entries_that_would_make_the_result_invalid_are_lost(
    target: str, annotations: dict[str, tuple[str, Any]], environment: Environment
) -> None:
    """Every conversion gives a well-formed result."""
    entries = [Entry(key, *value) for key, value in annotations.items()]
    message = amqp10.Message(amqp10.Header(True), None, entries, body=amqp10.Data([b"a"]))
    done = convert(message, target, environment=environment)
    back = decode(target, encode(done.message))
    assert equal(target, _as_written(done.message, back), back)
    assert faults(back) == []
    assert [loss.field for loss in done.report.lost] == [f'message_annotations["{key}"]' for key in annotations]


@pytest.mark.parametrize(("route", "profile"), WAYS.values(), ids=list(WAYS))
@settings(max_examples=30)
@given(data=st.data(), environment=ENVIRONMENTS | st.just(Environment()))
def test_every_field_that_was_set_is_accounted_for(
    route: Route, profile: str, data: st.DataObject, environment: Environment
) -> None:
    message = data.draw(DRAWN[route.source])
    done = _or_named_row(route, message, environment, profile)
    if done is None:
        return
    report = done.report
    named: Counter[str] = Counter(entry.source for entry in report.applied if entry.leg == 1)
    for entries in (report.dropped, report.accounted, report.lost):
        named.update(entry.field for entry in entries if entry.leg == 1)
    given = Counter(set_fields(message))
    for field, times in given.items():
        whole = field.partition("[")[0]  # a row may use a whole map, such as the footer
        inside = sum(count for name, count in named.items() if name == field or name.startswith(f"{field}["))
        assert inside >= times or named[whole], (field, named)
    strangers = {name for name in named if not any(name == field or name.startswith(f"{field}[") for field in given)}
    strangers -= {name for name in strangers if name.startswith("@")}  # values of the caller
    assert strangers <= empty_fields(message), strangers


def set_fields(message: Any) -> Iterator[str]:
    """Yield the path of each field that the sender set, as reports write it; for maps, the path of each entry."""
    for path, value in _leaves(message):
        if value is None or (path in UNSET and not value) or (path == "frame" and value == "send"):
            continue
        if isinstance(value, list):
            for index, member in enumerate(value):
                key = key_of(member) if isinstance(member, Entry | tuple) else index
                yield f"{path}[{key}]" if isinstance(key, int) else f'{path}["{_shown(key)}"]'
        else:
            yield path


def _shown(key: str) -> str:
    """Return a key, abbreviated to its two ends and its length if it is long."""
    return key if len(key) <= 256 else f"{key[:120]}...({len(key)} characters)...{key[-60:]}"


UNSET = ("dup", "retain", "topic_name", "topic", "flag", "sys_flag", "ttl")
"""Fields that are always present; 0 or empty text means unset, as does the frame `send`."""


def empty_fields(message: Any) -> set[str]:
    """Return the places for rows of type `absent`, and the paths of whole maps."""
    return {path for path, value in _leaves(message) if value is None or isinstance(value, list)}


def _leaves(message: Any) -> Iterator[tuple[str, Any]]:
    for field in fields(message):
        section, value = field.metadata["of"], getattr(message, field.name)
        if section is None:
            yield field.name, value
        else:
            yield from ((f"{field.name}.{part.name}", getattr(value, part.name, None)) for part in fields(section))


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
    ("mqtt-5.0", "amqp-0.9.1"): ("topic_name", "packet_identifier", "qos", "response_topic"),
}  # fmt: skip
"""By pair, the fields (or their beginnings) that RabbitMQ's page changes without reporting a loss or drop."""


@pytest.mark.parametrize("pair", DOCUMENTED, ids="-to-".join)
@settings(max_examples=40)
@given(data=st.data())
def test_fields_without_losses_return(pair: tuple[str, str], data: st.DataObject) -> None:
    """The message has only fields that are neither lost nor dropped on either way."""
    source, target = pair
    message = copy.deepcopy(data.draw(DRAWN[source]))
    for _ in range(8):
        there = convert(message, target)
        unsaid = [line.field for line in there.report.lost] + [line.field for line in there.report.dropped]
        if not unsaid:
            break
        for field in unsaid:
            _clear(message, field)
    assume(not unsaid and getattr(message, "body", message) is not None)  # only AMQP 1.0 has messages without a body
    back = convert(there.message, source)
    assume(not back.report.lost and not back.report.dropped)
    before, after = (dict(_told(each)) for each in (message, back.message))
    differ = {field for field in before | after if before.get(field) != after.get(field)} - set(_octets(message))
    assert {field for field in differ if not field.startswith(DOCUMENTED[pair])} == set()


def _octets(message: Any) -> Iterator[str]:
    """Yield the headers whose long string is no short text: they come back as binary (row type-longstr)."""
    for entry in getattr(getattr(message, "basic", None), "headers", None) or ():
        if entry.type == "longstr" and not shortstr(entry.value):
            yield field_path("basic.headers", entry.key)


def _clear(message: Any, field: str) -> None:
    """Remove a field, or the entries of a key, from a message."""
    place, bracket, _ = field.partition("[")
    section, _, name = place.rpartition(".")
    holder = getattr(message, section) if section else message
    value = getattr(holder, name)
    if bracket and isinstance(value, list) and value and isinstance(value[0], Entry | tuple):
        setattr(holder, name, [one for one in value if not field.startswith(field_path(place, key_of(one)))] or None)
    else:
        setattr(holder, name, 0 if place in UNSET else None)


def _told(message: Any) -> Iterator[tuple[str, str]]:
    """Yield path and value of every set field. The first of duplicate keys comes last, so that it wins in a dict."""
    for place, value in _leaves(message):
        pairs = isinstance(value, list) and value and isinstance(value[0], Entry | tuple)
        if pairs:
            yield from ((field_path(place, key_of(entry)), repr(entry)) for entry in reversed(value))
        elif value is not None and value != []:
            yield place, repr(value)


ADDRESSES = {"mqtt-5.0": "topic_name", "mqtt-3.1.1": "topic_name", "nsq": "topic", "phpmq": "queue", "rocketmq": "topic"}
"""The address fields of protocols whose messages must have an address."""
UNADDRESSED = [route for route in ROUTES if route.source in ("amqp-1.0", "amqp-0.9.1", "pulsar") and route.target in ADDRESSES]


@pytest.mark.parametrize("route", UNADDRESSED, ids=lambda route: f"{route.source}-to-{route.target}")
@settings(max_examples=60)
@given(data=st.data())
def test_conversion_without_an_address_gives_a_topic_or_an_error(route: Route, data: st.DataObject) -> None:
    message = data.draw(DRAWN[route.source])
    done = _or_named_row(route, message, Environment())
    if done is None:
        return
    place = ADDRESSES[route.target]
    try:
        wire = encode(done.message)
    except EncodeError as error:
        answer = (error.field, "--address" in error.message)
    else:
        answer = (place, faults(decode(route.target, wire)) == [])
    assert answer == (place, True)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=10)
@given(data=st.data())
def test_conversion_to_the_same_protocol_changes_nothing(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    done = convert(message, protocol)
    assert done.message is message
    assert done.report.tables == ()
