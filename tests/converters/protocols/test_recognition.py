"""Recognition: a list of the protocols whose codec reads all or most messages of the bytes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, MqConvertError, decode_all, encode, message_from_json
from mqconvert.converters.protocols.recognition import begin_in_frame, broken_off, likely, recognize
from mqconvert.mappings import sample_messages
from mqconvert.messages import mqtt5, mqtt311
from tests.strategies import MESSAGES


def _reads(protocol: str, wire: bytes) -> bool:
    try:
        return bool(decode_all(protocol, wire))
    except MqConvertError:
        return False


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_messages_are_recognized_as_their_protocol(protocol: str, data: st.DataObject) -> None:
    assert protocol in recognize(encode(data.draw(MESSAGES[protocol])))


@given(wire=st.binary(max_size=40))
def test_the_answer_names_exactly_the_codecs_that_read_the_bytes(wire: bytes) -> None:
    assert recognize(wire) == [name for name in PROTOCOLS if _reads(name, wire)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_beginning_of_a_message_is_one_of_its_protocol(protocol: str) -> None:
    told: Counter[bool] = Counter()
    for sample in sample_messages(PROTOCOLS[protocol].tables):
        if sample["message"]["protocol"] == protocol:
            wire = encode(message_from_json(sample["message"]))
            parts = [wire[:end] for end in range(8, len(wire)) if not recognize(wire[:end])]
            told.update(protocol in broken_off(part) for part in parts)
    assert told[True] > 10 * told[False]  # a size of NSQ that is cut may go on to be invalid


def test_a_whole_message_may_come_before_a_beginning() -> None:
    assert broken_off(PLAIN + PLAIN[:-1]) == ["mqtt-5.0", "mqtt-3.1.1"]
    assert broken_off(PLAIN + b"no packet") == []


@given(text=st.text(st.characters(max_codepoint=127), min_size=8), data=st.binary(min_size=20))
def test_other_bytes_are_no_beginning(text: str, data: bytes) -> None:
    for given_ in (text.encode(), b"\xff" + data):
        assert set(broken_off(given_)) <= {"nsq"}  # whose commands are text, and whose frames begin with any small number


LINKS = {
    "ethernet": "00" * 12 + "{}",
    "ethernet, tagged": "00" * 12 + "81000064 {}",
    "ethernet, tagged twice": "00" * 12 + "88a80064 81000064 {}",
    "sll": "0000 0304 0006 000000000000 0000 {}",
    "sll, tagged": "0000 0304 0006 000000000000 0000 81000064 {}",
    "sll2": "{} 0000 00000001 0304 00 06 0000000000000000",
    "sll2, tagged": "8100 0000 00000001 0304 00 06 0000000000000000 0064 {}",
}
PACKETS = {"0800": "4500003000004000400600007f0000017f000001", "86dd": "60000000001c0640" + "00" * 32}
TCP = "d431075b0000000100000001501801f500000000"
FRAMES = [link.format(kind) + ip for link in LINKS.values() for kind, ip in PACKETS.items()] + [
    family + PACKETS[kind]
    for kind, families in {"0800": ["", "00000002", "02000000"], "86dd": ["", "18000000", "0000001c", "1e000000"]}.items()
    for family in families
]


@pytest.mark.parametrize("begin", FRAMES)
def test_the_payload_of_a_captured_frame_begins_behind_its_headers(begin: str) -> None:
    headers = bytes.fromhex(begin + TCP)
    assert begin_in_frame(headers + b"a") == len(headers)
    assert all(begin_in_frame(headers[:cut]) == 0 for cut in range(len(headers) + 1))


def test_a_captured_frame_without_tcp_has_no_message() -> None:
    udp = bytes.fromhex(PACKETS["0800"].replace("4006", "4011") + TCP)
    assert begin_in_frame(udp + b"a") == begin_in_frame(bytes(12) + b"\x08\x06" + udp + b"a") == 0


def test_a_limit_counts_for_the_codecs_that_have_it() -> None:
    wire = bytes.fromhex("4d50554220740a 00000010 00000002 00000002 6869 00000002 6f6b")  # an MPUB of two messages
    assert recognize(wire) == recognize(wire, {"max_batch": 2}) == ["nsq"]
    assert recognize(wire, {"max_batch": 1}) == []
    assert recognize(bytes.fromhex("3006000174006869"), {"max_batch": 1}) == ["mqtt-5.0", "mqtt-3.1.1"]


PROPERTY = encode(mqtt5.Message(topic_name="t", payload=b"hi", user_properties=[("k", "v")]))
PLAIN = encode(mqtt5.Message(topic_name="t", payload=b"hi"))
OLDER = encode(mqtt311.Message(topic_name="t", payload=b"hi"))
OFF, ON = (encode(mqtt311.Message(topic_name="t", payload=bytes([state]))) for state in (0, 1))


@pytest.mark.parametrize(
    ("packets", "protocol"),
    [
        ([PLAIN, OLDER, PLAIN], "mqtt-5.0"),
        ([PROPERTY.replace(b"k", b"\0"), PROPERTY, PROPERTY, PROPERTY], "mqtt-5.0"),  # NUL in a key
        ([PLAIN, PLAIN, b"hello"], "mqtt-5.0"),
        ([PLAIN, OLDER], "mqtt-3.1.1"),
        ([OLDER, OLDER, OLDER], "mqtt-3.1.1"),
        ([OFF, ON, OFF, ON], "mqtt-3.1.1"),
    ],
)
def test_messages_count_against_errors(packets: list[bytes], protocol: str) -> None:
    assert likely([recognize(b"".join(packets))]) == [protocol]


@given(
    payloads=st.lists(
        st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"])).map(str.encode), min_size=1, max_size=5
    )
)
def test_packets_of_mqtt_311_with_text_stay_mqtt_311(payloads: list[bytes]) -> None:
    wire = b"".join(encode(mqtt311.Message(topic_name="t", payload=payload)) for payload in payloads)
    assert recognize(wire) == ["mqtt-3.1.1"]
