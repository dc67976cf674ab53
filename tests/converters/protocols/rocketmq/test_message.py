"""Topics and names of RocketMQ, by the rules of its brokers."""

import pytest

from mqconvert.converters.protocols.rocketmq.message import is_system_name, parsed_host, topic_fault


@pytest.mark.parametrize("topic", ["t", "t" * 127, "a-Z_0|9%b", "%RETRY%" + "t" * 248, "%DLQ%" + "t" * 250])
def test_topics_that_brokers_accept_have_no_fault(topic: str) -> None:
    assert topic_fault(topic) is None


@pytest.mark.parametrize(
    ("topic", "fault"),
    [
        ("", "empty topic"),
        ("a/b", "a topic holds only letters"),
        ("a.b", "a topic holds only letters"),
        ("é", "a topic holds only letters"),
        ("t\n", "a topic holds only letters"),
        ("t" * 128, "128 characters, a topic has at most 127"),
        ("%RETRY%" + "t" * 249, "256 characters, a topic has at most 255"),
        ("%SYS%" + "t" * 127, "132 characters, a topic has at most 127"),
    ],
)
def test_other_topics_have_their_fault(topic: str, fault: str) -> None:
    assert str(topic_fault(topic)).startswith(fault)


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("KEYS", True),
        ("TAGS", True),
        ("keys", False),
        ("KEYS ", False),
        ("__RMQ.TRANSIENT.é", False),
        ("__RMQ.TRANSIENT.", True),
    ],
)
def test_own_names_are_known(name: str, *, system: bool) -> None:
    assert is_system_name(name) is system


def test_a_port_may_begin_with_any_number_of_zeros() -> None:
    assert parsed_host(f"127.0.0.1:{'0' * 5000}7") == (bytes((127, 0, 0, 1)), 7)
    assert parsed_host(f"127.0.0.1:{'1' * 20}") is None
