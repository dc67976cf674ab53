"""END arguments, checked before anything connects."""

from pathlib import Path

import pytest

from mqconvert import PROTOCOLS
from mqconvert.app.move.ends import EndError, parse_end
from mqconvert.converters.clients.ends import Tls
from mqconvert.converters.protocols.amqp091 import message as amqp091


def test_a_url_has_its_parts() -> None:
    end = parse_end("AMQP-0.9.1://us%40er@[::1]:5673/my%2Fhost?exchange=a+b&routing_key=%26%7Bx", "target")
    assert end.where is not None
    where = end.where
    assert (where.host, where.port, where.path, where.user, where.tls) == ("::1", 5673, "my/host", "us@er", None)
    assert end.keys == {"exchange": "a+b", "routing_key": "&{x"}


def test_defaults() -> None:
    end = parse_end("amqp-0.9.1+tls://host?queue=orders#1", "source")
    assert end.where is not None
    assert (end.where.port, end.where.path, end.where.user, end.where.tls) == (5671, None, None, Tls())
    assert end.keys == {"queue": "orders#1"}


def test_files() -> None:
    end = parse_end("nsq:a:b#c?d.jsonl", "source")
    assert (end.protocol.name, end.path, end.rejects) == ("nsq", "a:b#c?d.jsonl", False)


def test_certificates(tmp_path: Path) -> None:
    (tmp_path / "ca").touch()
    end = parse_end(f"amqp-1.0+tls://h?address=a&ca={tmp_path / 'ca'}", "source")
    assert end.where is not None
    assert end.where.tls == Tls(ca=str(tmp_path / "ca"))


@pytest.mark.parametrize("variable", ["MQCONVERT_SOURCE_PASSWORD", "MQCONVERT_SOURCE_PASSWORD_FILE"])
def test_passwords_come_from_the_environment(variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "password").write_text("s3cret\n")
    monkeypatch.setenv(variable, str(tmp_path / "password") if variable.endswith("FILE") else "s3cret")
    end = parse_end("amqp-1.0://me@h?address=a", "source")
    assert end.where is not None
    assert end.where.password == "s3cret"
    assert "s3cret" not in end.shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("orders.jsonl", "expected PROTOCOL:FILE, such as amqp-1.0:orders.jsonl, or a broker as "),
        ("nsq:", "expected PROTOCOL:FILE, or a broker as "),
        ("mqtt5:a", "did you mean 'mqtt-5.0'"),
        ("amqp://h?queue=a", "write amqp-0.9.1 or amqp-1.0"),
        ("mqtt://h?topic=a", "write mqtt-5.0 or mqtt-3.1.1"),
        ("rocketmq://h?topic=a", "connects to no broker of RocketMQ"),
        ("amqp-0.9.1://me:s3cret@h?queue=a", "set MQCONVERT_SOURCE_PASSWORD"),
        ("amqp-0.9.1://h", "lacks the key queue"),
        ("amqp-0.9.1://h?queues=a", "did you mean 'queue'"),
        ("amqp-0.9.1://h?queue=a&queue=b", "a second key 'queue'"),
        ("amqp-0.9.1://h?queue", "no value of key 'queue'"),
        ("amqp-0.9.1://h:port?queue=a", "Port could not be cast"),
        ("amqp-1.0://h/path?address=a", "has no path"),
        ("amqp-1.0://h?address=a&ca=/none", "add \\+tls"),
        ("amqp-1.0+tls://h?address=a&ca=/none", "there is no file /none"),
    ],
)
def test_wrong_ends_are_one_line(text: str, words: str) -> None:
    with pytest.raises(EndError, match=words) as told:
        parse_end(text, "source")
    assert "\n" not in str(told.value)
    assert "s3cret" not in str(told.value)


def test_a_queue_is_alone() -> None:
    end = parse_end("amqp-0.9.1://h?queue=a&exchange=b", "target")
    with pytest.raises(Exception, match="queue must be alone"):
        end.target(PROTOCOLS["amqp-0.9.1"])


def test_addresses_come_from_the_keys() -> None:
    message = amqp091.Message(routing_key="k")
    for keys, address in (
        ("?queue=a", ("", "a")),
        ("?exchange=e&routing_key=x-{routing_key}", ("e", "x-k")),
        ("?exchange=e", ("e", None)),
        ("", (None, None)),
    ):
        _, of = parse_end(f"amqp-0.9.1://h{keys}", "target").target(PROTOCOLS["amqp-0.9.1"])
        assert of(message) == address
