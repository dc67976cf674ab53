"""Overlays: which tables are in force, and what is refused."""

import os
from pathlib import Path
from threading import Thread

import pytest

from mqconvert import (
    RuleTableError,
    check_rules,
    convert,
    converter,
    explain,
    fidelity,
    generated_source,
    mappings,
    rule_tables,
)
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5

SHIPPED = Path(str(mappings.__file__)).parent


def test_one_overlay_needs_no_list(tmp_path: Path) -> None:
    """A string must not be read letter by letter, and a Path must be accepted."""
    message = mqtt5.Message(topic_name="t", payload=b"hi")
    text = """["mqtt-5.0 -> amqp-0.9.1"]\nremove = ["qos"]\n"""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    for one in ("preserve", Overlay("mine.toml", text), file):
        assert convert(message, "amqp-0.9.1", rules=one).report.hash == convert(message, "amqp-0.9.1", rules=[one]).report.hash
        assert converter("mqtt-5.0", "amqp-0.9.1", rules=one) is converter("mqtt-5.0", "amqp-0.9.1", rules=(one,))
        assert rule_tables(rules=one) == rule_tables(rules=[one])
        assert generated_source("mqtt-5.0", "amqp-0.9.1", rules=one) == generated_source("mqtt-5.0", "amqp-0.9.1", rules=[one])
        assert explain(message, "amqp-0.9.1", rules=one) == explain(message, "amqp-0.9.1", rules=[one])
        ways = [fidelity("mqtt-5.0", "mqtt-3.1.1", rules=rules) for rules in (one, [one])]
        assert str(ways[0]) == str(ways[1])


def test_a_misspelt_name_of_an_overlay_gets_a_hint() -> None:
    with pytest.raises(RuleTableError, match=r"^presrve: cannot be read: .* \(did you mean 'preserve'\?\)$"):
        converter("mqtt-5.0", "amqp-1.0", rules="presrve")


def test_an_overlay_in_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = '["mqtt-5.0 -> amqp-1.0"]\nremove = ["qos"]\n'
    writer = Thread(target=pipe.write_text, args=(text,))
    writer.start()
    assert check_rules(pipe) == ["mqtt-5.0 -> amqp-1.0"]
    writer.join()


def test_a_file_of_tables_is_checked_like_an_overlay(tmp_path: Path) -> None:
    assert check_rules(str(SHIPPED / "nsq.toml")) == ["nsq -> amqp-1.0", "amqp-1.0 -> nsq"]
    file = tmp_path / "mine.toml"
    file.write_text((SHIPPED / "nsq.toml").read_text().replace('via = "body-as data"', 'via = "amqp-encoded-body"'))
    with pytest.raises(RuleTableError, match=r"mine.toml:\d+: row body: body holds data \(body\), but the row gives bytes"):
        check_rules(str(file))
    file.write_text(file.read_text().replace('protocol = "nsq"', 'protocol = "mine"'))
    with pytest.raises(RuleTableError, match=r"mine.toml: unknown protocol 'mine'; is its package installed\?"):
        check_rules(str(file))


@pytest.mark.parametrize("name", ["nsq.toml", "hub.toml", "mqtt5_to_amqp10.toml"])
def test_files_of_tables_are_refused_as_overlays(name: str) -> None:
    with pytest.raises(RuleTableError, match=rf"^{name}:1: a file with '\w+' is not an overlay: .* `mqconvert rules check`"):
        convert(amqp10.Message(), "nsq", rules=str(SHIPPED / name))
