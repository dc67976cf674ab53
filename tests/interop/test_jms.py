"""Qpid JMS, the AMQP 1.0 client that ships with Artemis: we read its messages on the wire, and it reads ours."""

import base64
import struct
import subprocess
import uuid
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from mqconvert import decode, encode
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.interop import wire
from tests.interop.brokers import Broker
from tests.interop.brokers.java import compiled, jars, java
from tests.interop.generated import generated
from tests.interop.proxy import Proxy
from tests.interop.test_across import kept
from tests.interop.test_wire import check_encoding

QPID = "1.12.1"
PEER = Path(__file__).with_name("java") / "JmsPeer.java"
COUNT = 220
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
NAMES = st.text(st.sampled_from("abcdefghijkl"), min_size=3, max_size=8)
NUMBERS = {"byte": 8, "short": 16, "int": 32, "long": 64}
"""Types of Java by their number of bits."""
VALUES = st.one_of(
    st.tuples(st.just("boolean"), st.booleans()),
    st.tuples(st.just("string"), TEXT),
    st.tuples(st.just("float"), st.floats(width=32, allow_nan=False)),
    st.tuples(st.just("double"), st.floats(allow_nan=False)),
    *(st.tuples(st.just(name), st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)) for name, bits in NUMBERS.items()),
)
MESSAGES = st.fixed_dictionaries({
    "kind": st.sampled_from(["text", "bytes", "map", "stream", "none"]),
    "body": st.text(max_size=20).map(str.encode) | st.binary(max_size=60),
    "correlation_id": TEXT.filter(lambda text: not text.startswith("ID:")),
    "subject": TEXT,
    "priority": st.integers(0, 9),
    "ttl": st.just(0) | st.integers(600_000, 2**31),
    "group_id": TEXT,
    "properties": st.dictionaries(NAMES, VALUES, max_size=6).map(lambda made: dict(sorted(made.items()))),
})  # fmt: skip
TYPE_OF_MESSAGE = {"none": 0, "map": 2, "bytes": 3, "stream": 4, "text": 5}
"""The annotation x-opt-jms-msg-type by the kind of a message."""


def _text(type_: str, value: Any) -> str:
    """Return a value in the notation of the Java program."""
    if type_ in ("float", "double"):
        pack, unpack = (">f", ">I") if type_ == "float" else (">d", ">Q")
        return str(struct.unpack(unpack, struct.pack(pack, value))[0])
    return str(value).lower() if type_ == "boolean" else str(value)


def line(message: dict[str, Any]) -> str:
    """Return a message in the notation of the Java program."""
    fields = [
        message["kind"], message["body"].hex(), message["correlation_id"], message["subject"], str(message["priority"]),
        str(message["ttl"]), message["group_id"],
        *(part for name, (type_, value) in message["properties"].items() for part in (name, type_, _text(type_, value))),
    ]  # fmt: skip
    return "\t".join(base64.b64encode(field.encode()).decode() for field in fields)


def as_read(message: amqp10.Message) -> dict[str, Any]:
    """Return an AMQP 1.0 message in terms of JMS (AMQP JMS mapping, section 3)."""
    annotations = {entry.key: entry.value for entry in message.message_annotations or []}
    (kind,) = [name for name, number in TYPE_OF_MESSAGE.items() if number == annotations["x-opt-jms-msg-type"]]
    header, properties = message.header or amqp10.Header(), message.properties or amqp10.Properties()
    return {
        "kind": kind,
        "correlation_id": properties.correlation_id and properties.correlation_id.value,
        "subject": properties.subject,
        "priority": 4 if header.priority is None else header.priority,
        "ttl": header.ttl or 0,
        "group_id": properties.group_id,
        "properties": {entry.key: (entry.type, entry.value) for entry in message.application_properties or []},
        "body": body(kind, message.body),
    }


def body(kind: str, found: Any) -> Any:
    """Return the contents of a body: bytes, or the entries of a map or stream."""
    if kind == "bytes":
        return b"".join(found.sections)
    if kind == "text":
        return found.value.value.encode()
    if kind == "map":
        return {entry.key.value: (entry.type, entry.value) for entry in found.value.value}
    if kind == "stream":
        return [(value.type, value.value) for value in found.sections[0]]
    assert found is None or found.value == TypedValue("null", None)
    return b""


def as_sent(message: dict[str, Any]) -> dict[str, Any]:
    """Return the message to send in the same terms."""
    bodies = {"map": message["properties"], "stream": list(message["properties"].values()), "none": b""}
    return message | {"body": bodies.get(message["kind"], message["body"])}


def test_qpid_jms_receives_our_encoding_of_its_messages(artemis_broker: Broker, fresh_seed: int) -> None:
    words = f"SEED={fresh_seed}"
    messages = generated("amqp-1.0", MESSAGES, fresh_seed, COUNT)
    for message in messages:
        if message["kind"] not in ("text", "bytes"):
            message["body"] = b""
        if message["kind"] == "text":
            message["body"] = message["body"].decode("utf-8", "ignore").encode()
    replace = wire.replaced("amqp-1.0", lambda raw: encode(decode("amqp-1.0", raw)))
    with Proxy(artemis_broker.port["amqp"], change=replace) as proxy:
        folder = jars("qpid", QPID)
        program = java(folder, "-Xmx128m", classes=(compiled(PEER, folder),))
        done = subprocess.run(
            [*program, PEER.stem, f"amqp://127.0.0.1:{proxy.port}", f"jms-{uuid.uuid4().hex[:8]}"],
            input="".join(f"{line(message)}\n" for message in messages),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    assert sorted(done.stdout.splitlines()) == sorted(map(line, messages)), words
    sent, delivered = (
        [raw for session in proxy.sessions for raw in wire.messages("amqp-1.0", bytes(getattr(session, side)))]
        for side in ("client", "broker")
    )
    for raw in (*sent, *delivered):
        check_encoding("amqp-1.0", raw)
    decoded: list[Any] = [decode("amqp-1.0", raw) for raw in sent]
    assert [as_read(each) for each in decoded] == list(map(as_sent, messages)), words
    assert all(Entry("x-opt-jms-dest", "byte", 0) in each.message_annotations for each in decoded)
    by_id: dict[Any, Any] = {each.properties.message_id.value: each for each in decoded}
    assert len(delivered) == len(by_id) == COUNT, words
    for raw in delivered:
        got: Any = decode("amqp-1.0", raw)
        assert kept(got) == kept(by_id[got.properties.message_id.value]), words
