"""A PHP program and PHPMQ: we read the bytes of PHP's own functions, and they read ours.

There is no server of PHPMQ in any registry; php/peer.php is written from the protocol's description.
"""

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from mqconvert import Environment, convert, decode_frames, encode, encode_frame
from mqconvert.converters.protocols.phpmq import message as phpmq
from tests.hub import differences
from tests.interop.brokers.php import Php
from tests.interop.frames import read_back
from tests.interop.generated import generated
from tests.interop.messages import amqp10_messages

PEER = Path(__file__).with_name("php") / "peer.php"
COUNT = 250
BYTES = st.binary(max_size=60) | st.text(max_size=20).map(str.encode)
NUMBERS = st.integers(0, 2**63 - 1) | st.integers(0, 100) | st.just(2**63 - 1)
FRAMES: st.SearchStrategy[Any] = st.one_of(
    st.builds(phpmq.Message, BYTES, BYTES, st.none(), NUMBERS),
    st.builds(phpmq.ConsumeRequest, BYTES, NUMBERS),
    st.builds(phpmq.Message, BYTES, BYTES, BYTES, NUMBERS, st.just("dispatch")),
    st.builds(phpmq.Acknowledgement, BYTES, BYTES),
    st.builds(phpmq.Requeue, BYTES, BYTES, NUMBERS),
    st.builds(phpmq.DeadLetter, BYTES, BYTES),
)
TYPES: dict[type[Any], int] = {
    phpmq.ConsumeRequest: 2, phpmq.Acknowledgement: 4, phpmq.Requeue: 5, phpmq.DeadLetter: 6,
}  # fmt: skip
PACKETS = {"queue": 1, "content": 2, "message_id": 3, "count": 4, "ttl": 5}
"""The type of each field's packet in the protocol's description."""


def asked(php: Php, what: str, given: bytes) -> bytes:
    done = subprocess.run([php.command, PEER, what], input=given, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr[-2000:] or done.stdout[-2000:]
    return done.stdout


def told(frame: Any) -> dict[str, Any]:
    """Return a frame in the notation of the PHP program."""
    packets = {}
    for field, code in PACKETS.items():
        value = getattr(frame, field, None)
        if value is not None:
            raw = value if isinstance(value, bytes) else b"%d" % value
            packets[str(code)] = base64.b64encode(raw).decode()
    sent = {"send": 1, "dispatch": 3}
    return {"type": sent[frame.frame] if isinstance(frame, phpmq.Message) else TYPES[type(frame)], "packets": packets}


def lines(frames: list[Any]) -> bytes:
    return b"".join(json.dumps(told(each)).encode() + b"\n" for each in frames)


def read_by_php(php: Php, raw: bytes) -> list[Any]:
    return [json.loads(line) for line in asked(php, "read", raw).splitlines()]


def test_decode_reads_messages_of_php(php_broker: Php, fresh_seed: int) -> None:
    frames = generated("phpmq", FRAMES, fresh_seed, COUNT)
    raw = asked(php_broker, "write", lines(frames))
    assert decode_frames("phpmq", raw) == frames, f"SEED={fresh_seed}"
    read_back("phpmq", raw)


def test_php_reads_encoded_messages(php_broker: Php, fresh_seed: int) -> None:
    frames = generated("phpmq", FRAMES, fresh_seed, COUNT)
    raw = b"".join(encode_frame("phpmq", each) for each in frames)
    assert read_by_php(php_broker, raw) == [told(each) for each in frames], f"SEED={fresh_seed}"


def test_amqp_messages_round_trip_through_php(php_broker: Php, fresh_seed: int) -> None:
    sources = generated("amqp-1.0", amqp10_messages(arrays=True), fresh_seed, COUNT)
    environment = Environment(address="queue", payload="envelope")
    done = [convert(source, "phpmq", environment=environment) for source in sources]
    read = read_by_php(php_broker, b"".join(encode(each.message) for each in done))
    raw = asked(php_broker, "write", b"".join(json.dumps(each).encode() + b"\n" for each in read))
    for source, conversion, got in zip(sources, done, decode_frames("phpmq", raw), strict=True):
        assert got == conversion.message, f"SEED={fresh_seed}"
        back: Any = convert(got, "amqp-1.0", environment=environment).message
        assert differences(source, back, conversion.report) == set(), f"SEED={fresh_seed}"
