"""Behavior that is the same for compiled modules and sources, and the refusal of outdated compiled modules.

`make speed` compiles; then these run on the compiled modules, and with MQCONVERT_PURE=1 on the sources.
"""

import ast
import copy
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    ConversionError,
    DecodeError,
    EncodeError,
    Environment,
    MqConvertError,
    convert,
    converter,
    decode,
    decode_all,
    decode_each,
    decode_frames,
    encode,
    encode_frame,
    frame_to_json,
    message_from_json,
    message_to_json,
    rule_tables,
)
from mqconvert.compiled import digest, is_compiled
from mqconvert.converters.engine.compiler import compile_table, row_of
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.words import CONDITIONS, NOT_MINE
from mqconvert.converters.words.transforms import urn_to_uuid, uuid_to_urn
from tests.answers import answers, inputs, refused_arguments
from tests.sources import trees

REPOSITORY = Path(__file__).parents[1]
VALUES: list[Any] = [
    TypedValue("ulong", 2**64 - 1),
    Entry("k", "string", "v"),
    Described(TypedValue("symbol", "url"), TypedValue("string", "http://a")),
    Array("uint", [1, 2]),
    Decimal091(1, 2),
    Data([b"a"]),
    AmqpSequence([[TypedValue("null", None)]]),
    AmqpValue(TypedValue("boolean", True)),
    amqp10.Header(durable=True),
    amqp10.Properties(subject="s"),
    *(protocol.message() for protocol in PROTOCOLS.known()),
    rocketmq.Frame(10),
    *decode_frames("pulsar", bytes.fromhex("00000009000000050812920100")),
]


class Text(str):
    """A subclass of str, as in configuration libraries."""

    __slots__ = ()


class BytesLike(bytes):
    """A subclass of bytes."""

    __slots__ = ()


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__module__}.{type(value).__name__}")
def test_values_survive_pickle_and_copies(value: Any) -> None:
    for made in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert made == value
        assert type(made) is type(value)


def test_messages_are_replaced_field_by_field() -> None:
    message = amqp091.Message(payload=b"a")
    assert replace(message, payload=b"b") == amqp091.Message(payload=b"b")
    assert message.payload == b"a"


def test_encode_names_a_field_of_the_wrong_type() -> None:
    wrong: Any = "text"
    with pytest.raises(EncodeError) as failed:
        encode(amqp091.Message(payload=wrong))
    assert failed.value.field == "payload"
    with pytest.raises(EncodeError) as failed:
        encode(amqp091.Message(basic=amqp091.BasicProperties(priority=wrong)))
    assert failed.value.field == "basic.priority"


def test_convert_names_a_field_of_the_wrong_type() -> None:
    wrong: Any = 5
    with pytest.raises(ConversionError) as failed:
        convert(amqp091.Message(basic=amqp091.BasicProperties(content_type=wrong)), "amqp-1.0")
    assert (failed.value.code, failed.value.field) == ("bad_message", "basic.content_type")


@pytest.mark.parametrize("number", [2**63 - 1, -(2**63), 2**64, -(2**64), 2**200])
def test_a_long_beyond_64_bits_is_refused(number: int) -> None:
    message = amqp10.Message(application_properties=[Entry("n", "long", number)], body=Data([b""]))
    if -(2**63) <= number < 2**63:
        assert decode("amqp-1.0", encode(message)) == message
    else:
        with pytest.raises(EncodeError) as failed:
            encode(message)
        assert failed.value.field == 'application_properties["n"]'


def test_surrogate_escapes_of_short_strings_are_kept() -> None:
    message = amqp091.Message(basic=amqp091.BasicProperties(app_id="a\udcff"))
    assert decode("amqp-0.9.1", encode(message)) == message
    assert [loss.field for loss in convert(message, "amqp-1.0").report.lost] == ["basic.app_id"]


def test_subclasses_of_str_convert_as_text() -> None:
    plain = convert(amqp091.Message(basic=amqp091.BasicProperties(app_id="a")), "amqp-1.0").message
    assert convert(amqp091.Message(basic=amqp091.BasicProperties(app_id=Text("a"))), "amqp-1.0").message == plain


@pytest.mark.parametrize("buffer", [BytesLike, bytearray, memoryview])
def test_any_buffer_is_decoded(buffer: Any) -> None:
    wire = encode(mqtt5.Message(topic_name="t", payload=b"hi"))
    assert decode("mqtt-5.0", buffer(wire)) == mqtt5.Message(topic_name="t", payload=b"hi")


def test_threads_convert_simultaneously() -> None:
    message = amqp091.Message(basic=amqp091.BasicProperties(headers=[Entry(f"h{at}", "signedint", at) for at in range(50)]))
    wanted = convert(message, "amqp-1.0").report.as_dict()
    with ThreadPoolExecutor(4) as pool:
        assert all(made.report.as_dict() == wanted for made in pool.map(lambda _: convert(message, "amqp-1.0"), range(400)))


def test_values_inside_themselves_nest_too_deep() -> None:
    items: list[Any] = []
    items.append(TypedValue("list", items))
    table: list[Any] = []
    table.append(Entry("k", "table", table))
    endless: dict[str, Any] = {
        "amqp-0.9.1": amqp10.Message(message_annotations=[Entry("x-k", "list", items)], body=Data([b""])),
        "amqp-1.0": amqp091.Message(basic=amqp091.BasicProperties(headers=[Entry("x-k", "table", table)])),
    }
    for target, message in endless.items():
        with pytest.raises(ConversionError) as failed:
            convert(message, target)
        assert failed.value.code == "nesting"


def test_errors_hide_the_errors_that_they_replace() -> None:
    with pytest.raises(DecodeError) as failed:
        decode("mqtt-5.0", bytes.fromhex("30070002ffff006869"))
    assert failed.value.__suppress_context__
    assert "During handling" not in "".join(traceback.format_exception(failed.value))


@pytest.mark.parametrize(
    "nested",
    [
        lambda value: TypedValue("list", [value]),
        lambda value: TypedValue("array", Array("array", [value.value])),
        lambda value: TypedValue("described", Described(TypedValue("symbol", "d"), value)),
    ],
)
def test_json_of_values_nested_by_hand_is_refused(nested: Callable[[Any], Any]) -> None:
    value = TypedValue("array", Array("int", [1]))
    for _ in range(300_000):
        value = nested(value)
    with pytest.raises(EncodeError) as failed:
        message_to_json(amqp10.Message(body=AmqpValue(value)))
    assert failed.value.code == "nesting"


class Whole(int):
    """A subclass of int, as that of an enumeration."""

    __slots__ = ()


@pytest.mark.parametrize("number", [True, 5.0, float("nan"), Whole(5), "5"])
def test_json_of_a_message_has_no_number_of_another_class(number: Any) -> None:
    with pytest.raises(EncodeError) as failed:
        message_to_json(amqp10.Message(amqp10.Header(ttl=number), body=Data([b""])))
    assert failed.value.field == "header.ttl"


@pytest.mark.parametrize("number", [True, 5.0, Whole(5)])
def test_json_with_a_number_of_another_class_is_refused(number: Any) -> None:
    with pytest.raises(DecodeError) as failed:
        message_from_json({"protocol": "amqp-1.0", "header": {"ttl": number}})
    assert (failed.value.code, failed.value.field) == ("bad_json", "header.ttl")


@pytest.mark.parametrize("body", [Data([bytearray(b"a")]), Data([memoryview(b"a")])])  # type: ignore[list-item]  # no bytes
def test_json_of_a_message_has_no_buffer_but_bytes(body: Data) -> None:
    with pytest.raises(EncodeError) as failed:
        message_to_json(amqp10.Message(body=body))
    assert failed.value.message == "not bytes"


@pytest.mark.parametrize("call", [encode_frame, frame_to_json])
@pytest.mark.parametrize(
    ("frame", "field"),
    [
        (nsq.Response([]), "data"),  # type: ignore[arg-type]  # no bytes
        (nsq.Rdy("5"), "count"),  # type: ignore[arg-type]  # no number
        (nsq.Message("t", batch_index=0, batch_size="2", body=b"a"), "batch_size"),  # type: ignore[arg-type]  # no number
    ],
)
def test_frames_name_a_field_of_the_wrong_type(call: Callable[[str, object], object], frame: object, field: str) -> None:
    with pytest.raises(EncodeError) as failed:
        call("nsq", frame)
    assert failed.value.field == field


@pytest.mark.parametrize("policy", [5, None, b"fail"])
def test_a_policy_of_any_type_is_refused_by_its_name(policy: Any) -> None:
    with pytest.raises(ConversionError) as failed:
        converter("amqp-0.9.1", "amqp-1.0").convert(amqp091.Message(), on_loss=policy)
    assert (failed.value.code, failed.value.field) == ("bad_option", "on_loss")


@pytest.mark.parametrize(("rule", "leg", "error"), [(5, 1, KeyError), (None, 1, KeyError), ("payload", 2**70, IndexError)])
def test_a_report_refuses_an_unknown_row_of_any_type(rule: Any, leg: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        convert(amqp091.Message(), "amqp-1.0").report.rule(rule, leg)


def test_an_envelope_of_an_invalid_message_names_its_own_field() -> None:
    wrong: Any = bytearray(b"a")
    with pytest.raises(ConversionError) as failed:
        convert(mqtt5.Message(topic_name="t", payload=wrong), "phpmq", environment=Environment(payload="envelope"))
    assert (failed.value.code, failed.value.field) == ("bad_message", "payload")


def test_encode_refuses_a_routing_key_that_is_false() -> None:
    wrong: Any = False
    with pytest.raises(EncodeError) as failed:
        encode(amqp091.Message(exchange="e", routing_key=wrong))
    assert failed.value.field == "routing_key"


BROKERS: dict[str, Any] = {
    "nsq": nsq.Message(topic="t", body=b"hi"),
    "phpmq": phpmq.Message(queue=b"q", content=b"hi"),
    "pulsar": pulsar.Message(payload=b"hi", producer_name="p", sequence_id=1, publish_time=1),
    "rocketmq": rocketmq.Message(topic="t", body=b"hi", properties=[("TAGS", "a")], queue_id=0, born_timestamp=0),
}
"""A message of each protocol of a broker."""


@pytest.mark.parametrize("buffer", [BytesLike, bytearray, memoryview])
@pytest.mark.parametrize("protocol", BROKERS)
def test_brokers_decode_any_buffer(protocol: str, buffer: Any) -> None:
    wire = encode(BROKERS[protocol])
    assert encode(decode(protocol, buffer(wire))) == wire


WRONG: list[tuple[str, str, Any]] = [
    ("nsq", "body", "text"),
    ("nsq", "body", BytesLike(b"a")),
    ("nsq", "topic", Text("t")),
    ("nsq", "defer_ms", 2**64),
    ("nsq", "defer_ms", True),
    ("phpmq", "ttl", 2**63),
    ("phpmq", "ttl", -(2**200)),
    ("phpmq", "content", "text"),
    ("phpmq", "queue", BytesLike(b"q")),
    ("phpmq", "frame", True),
    ("pulsar", "sequence_id", 2**64),
    ("pulsar", "publish_time", -1),
    ("pulsar", "payload", bytearray(b"a")),
    ("pulsar", "producer_name", "a\udcff"),
    ("pulsar", "partition_key", Text("k")),
    ("pulsar", "properties", [("k", "a\udcff")]),
    ("rocketmq", "born_timestamp", 2**63),
    ("rocketmq", "queue_id", 2**31),
    ("rocketmq", "flag", 2**200),
    ("rocketmq", "topic", Text("t")),
    ("rocketmq", "producer_group", "a\udcff"),
    ("rocketmq", "body", BytesLike(b"a")),
]
"""Values that the wire types cannot hold: beyond 64 bits, surrogates, subclasses."""


@pytest.mark.parametrize(("protocol", "field", "value"), WRONG)
def test_brokers_refuse_a_field_of_the_wrong_value(protocol: str, field: str, value: Any) -> None:
    with pytest.raises(EncodeError) as failed:
        encode(replace(BROKERS[protocol], **{field: value}))
    assert failed.value.field == field


@pytest.mark.parametrize("protocol", BROKERS)
def test_threads_decode_and_encode_simultaneously(protocol: str) -> None:
    wire = encode(BROKERS[protocol])
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: encode(decode(protocol, wire)), range(400))) == {wire}


@pytest.mark.skipif(not is_compiled(), reason="make test-speed compares compiled modules with the sources")
def test_inputs_and_arguments_get_the_answers_of_the_sources() -> None:
    """The answers of a second process with the sources must be equal."""
    environment = os.environ | {"MQCONVERT_PURE": "1"}
    command = [sys.executable, "-m", "tests.answers"]
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=True)
    expected = json.loads(done.stdout)
    assert list(refused_arguments()) == expected.pop("calls")
    for protocol, wanted in expected.items():
        assert answers(protocol) == wanted


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_error_does_not_stay_the_current_one(protocol: str) -> None:
    """A compiled generator that yields while it handles an error leaves it to its caller; each later error keeps it alive."""
    calls: list[Callable[[str, bytes], Any]] = [decode, decode_all, lambda name, wire: list(decode_each(name, wire))]
    for wire in inputs(protocol):
        for call in calls:
            with suppress(MqConvertError):
                call(protocol, wire)
            assert sys.exc_info() == (None, None, None), wire.hex()


def test_no_compiled_generator_yields_while_it_handles_an_error() -> None:
    found = [
        f"{file.name}:{inner.lineno}"
        for file, tree in trees("converters", "yield")
        if file.parent.name != "readers"  # these never are compiled
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Yield | ast.YieldFrom)
    ]
    assert found == []


def test_the_reported_modules_are_the_running_ones() -> None:
    import mqconvert.converters.model.values as module  # noqa: PLC0415 - the test needs the module's file

    assert module.__file__.endswith(tuple(EXTENSION_SUFFIXES)) == is_compiled()


# ---- modules whose sources have changed -------------------------------------------------------------------------------

ENTRIES = "converters/model/entries.py"
ASK = "import mqconvert.converters.model.entries as m, mqconvert.compiled as c; print(m.__file__, c.is_compiled())"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Copy the tree with an empty compiled module, whose import fails."""
    for name in ("mqconvert", "app", "converters", "mappings"):
        ignore = shutil.ignore_patterns("__pycache__", "*.so", "compiled.json")
        shutil.copytree(REPOSITORY / name, tmp_path / name, symlinks=True, ignore=ignore)
    (tmp_path / ENTRIES).with_suffix(EXTENSION_SUFFIXES[0]).write_bytes(b"no module")
    manifest = {
        "suffix": EXTENSION_SUFFIXES[0],
        "sources": {ENTRIES: digest((tmp_path / ENTRIES).read_bytes())},
    }
    (tmp_path / "mqconvert" / "compiled.json").write_text(json.dumps(manifest))
    return tmp_path


def _ask(checkout: Path, *, library: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the module that runs in a process with only the package librt, or a stand-in."""
    if library:
        (checkout / "librt.py").touch()
    command = [sys.executable, "-S", "-c", ASK]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_a_compiled_module_is_preferred_to_its_source(checkout: Path) -> None:
    done = _ask(checkout)
    assert done.returncode == 1
    assert "ImportError" in done.stderr


def test_an_environment_variable_selects_the_sources(checkout: Path) -> None:
    done = _ask(checkout, MQCONVERT_PURE="1")
    assert (done.stdout.split(), done.stderr) == ([str(checkout / "mqconvert" / ENTRIES), "False"], "")


def test_sources_run_where_librt_is_missing(checkout: Path) -> None:
    done = _ask(checkout, library=False)
    assert (done.stdout.split(), done.stderr) == ([str(checkout / "mqconvert" / ENTRIES), "False"], "")


def test_sources_run_in_a_subinterpreter(checkout: Path) -> None:
    program = f"""
try:
    import _interpreters as interpreters
except ImportError:  # before Python 3.13
    import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), "import sys; sys.path.insert(0, ''); {ASK}; sys.stdout.flush()")
"""
    (checkout / "librt.py").touch()
    command = [sys.executable, "-S", "-c", program]
    done = subprocess.run(command, cwd=checkout, env={}, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(checkout / "mqconvert" / ENTRIES), "False"]
    assert done.stderr == "mqconvert: the sources run, not the compiled modules: they do not load in a subinterpreter\n"


def test_compiled_modules_without_a_manifest_do_not_run(checkout: Path) -> None:
    """As while `make speed` runs, and after it was interrupted."""
    (checkout / "mqconvert" / "compiled.json").unlink()
    done = _ask(checkout)
    assert (done.stdout.split(), done.stderr) == ([str(checkout / "mqconvert" / ENTRIES), "False"], "")


def test_a_changed_source_runs_with_a_one_line_warning(checkout: Path) -> None:
    source = checkout / ENTRIES
    source.write_text(source.read_text() + "\n")
    done = _ask(checkout)
    assert done.stdout.split() == [str(checkout / "mqconvert" / ENTRIES), "False"]
    assert done.stderr.count("\n") == 1
    assert f"{ENTRIES} has changed since it was compiled" in done.stderr


def test_the_row_of_a_failing_word_is_found() -> None:
    def failing(_value: Any) -> bool:
        raise ValueError

    (table,) = (table for table in rule_tables() if table.name == "amqp-0.9.1 -> amqp-1.0")
    CONDITIONS["number"] = replace(CONDITIONS["number"], own=failing)
    try:
        function, text = compile_table(table)
    finally:
        del CONDITIONS["number"]  # it is made when a row names it
    message = amqp091.Message(basic=amqp091.BasicProperties(expiration="soon"))
    with pytest.raises(ValueError) as failed:  # noqa: PT011 - the program's own error
        function(message, Environment(), Notes())
    found = row_of(failed.value, table, text)
    assert found is not None
    rule, columns = found
    assert (rule.id, columns) == ("expiration", "when = 'number'")


@pytest.mark.parametrize("nested", [lambda value: TypedValue("list", value), lambda value: Entry("k", "map", [value])])
def test_values_nested_by_hand_are_freed(nested: Callable[[Any], Any]) -> None:
    value: Any = None
    for _ in range(300_000):
        value = nested(value)
    del value


@given(st.uuids(), st.integers(0, 44), st.sampled_from("gG-é0\0"))
def test_uuid_urns_are_those_of_the_standard_library(value: UUID, at: int, wrong: str) -> None:
    assert (urn_to_uuid(value.urn), uuid_to_urn(value.bytes)) == (value.bytes, value.urn)
    assert urn_to_uuid(Text(value.urn)) == value.bytes
    changed = value.urn[:at] + wrong + value.urn[at + 1 :]
    assert (urn_to_uuid(changed) is NOT_MINE) == (_URN.fullmatch(changed) is None)


_URN = re.compile("urn:uuid:[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@given(st.text(alphabet="0123456789+-_ \u0663", max_size=25))
def test_expirations_are_numbers_of_ascii_digits(expiration: str) -> None:
    made: Any = convert(amqp091.Message(amqp091.BasicProperties(expiration=expiration)), "amqp-1.0").message
    number = int(expiration) if re.fullmatch("[+-]?[0-9]+", expiration) else -1
    assert made.header.ttl == (number if 0 <= number < 2**32 else None)


def test_keys_with_equal_ends_stay_apart() -> None:
    """Compiled decoders keep keys by their ends and length; these all have one place there."""
    keys = [f"same{number:06}ends" for number in range(1000)] * 2
    basic = amqp091.BasicProperties(headers=[Entry(key, "bool", True) for key in keys])
    again: Any = decode("amqp-0.9.1", encode(amqp091.Message(basic)))
    assert [entry.key for entry in again.basic.headers] == keys
    sections = amqp10.Message(application_properties=[Entry(key, "boolean", True) for key in keys])
    decoded: Any = decode("amqp-1.0", encode(sections))
    assert [entry.key for entry in decoded.application_properties] == keys
