"""The registry: eight built-in protocols, and those of installed packages, which load on demand."""

import dataclasses
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any, get_args

import pytest

from mqconvert import ArgumentError, EncodeError, Message, NoRouteError, encode, message_from_json
from mqconvert.converters.model.protocol import OtherMessage, Protocol
from mqconvert.converters.protocols import PROTOCOLS, Registry, nsq
from mqconvert.converters.protocols import protocol_of_class as of_class

OURS = ["amqp-1.0", "amqp-0.9.1", "mqtt-5.0", "mqtt-3.1.1", "nsq", "phpmq", "rocketmq", "pulsar"]


@dataclasses.dataclass(slots=True)
class Other:
    """A message class of another package."""


OTHER = Protocol("other", "Other", Other, {}, codec=__name__)
AGAIN = Protocol("nsq", "NSQ again", Other, {}, codec=__name__)
SAME_CLASS = Protocol("nsq-2", "NSQ", nsq.Message, nsq.PROTOCOL.types, codec=__name__)
NO_PROTOCOL = "text"


@pytest.mark.parametrize(
    ("form", "option"),
    [
        ({"protocol": "nsq", "topic": "t"}, "max_msg_size"),
        ({"protocol": "phpmq", "queue": "q"}, "max_content"),
        ({"protocol": "rocketmq", "topic": "t"}, "max_body"),
        ({"protocol": "rocketmq", "topic": "t"}, "max_frame_size"),
        ({"protocol": "pulsar", "producer_name": "p", "sequence_id": 0, "publish_time": 1}, "max_frame_size"),
    ],
)
def test_an_encoder_names_the_option_of_a_limit(form: dict[str, Any], option: str) -> None:
    name = "payload" if form["protocol"] == "pulsar" else "content" if form["protocol"] == "phpmq" else "body"
    message = message_from_json(form | {name: {"text": "a" * 200_000}})
    with pytest.raises(EncodeError, match=rf"the limit is 100000 \({option}\)"):
        encode(message, **{option: 100_000})


def registry(monkeypatch: pytest.MonkeyPatch, *names: str) -> tuple[Registry, list[Any]]:
    """Return a registry of NSQ whose installed packages offer the protocols of this module, and the list of its look-ups."""
    asked: list[Any] = []

    def found(**params: Any) -> EntryPoints:
        asked.append(params)
        return EntryPoints(EntryPoint(name, f"{__name__}:{name}", params["group"]) for name in names)

    monkeypatch.setattr("importlib.metadata.entry_points", found)
    return Registry({"nsq": "nsq"}), asked


def test_built_in_protocols_come_first() -> None:
    assert list(PROTOCOLS)[: len(OURS)] == OURS


def test_a_built_in_name_loads_no_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    protocols, asked = registry(monkeypatch, "OTHER")
    assert protocols["nsq"] is nsq.PROTOCOL
    assert protocols.of_class(nsq.Message) is nsq.PROTOCOL
    assert protocols.known() == (nsq.PROTOCOL,)
    assert asked == []


@pytest.mark.parametrize("ask", [list, len, lambda protocols: protocols["other"], lambda protocols: protocols.of_class(Other)])
def test_the_list_and_other_names_load_entry_points_once(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    protocols, asked = registry(monkeypatch, "OTHER")
    ask(protocols)
    assert (protocols["other"], list(protocols)) == (OTHER, ["nsq", "other"])
    assert (protocols.of_class(Other), protocols.of_class(nsq.Message)) == (OTHER, nsq.PROTOCOL)
    assert asked == [{"group": "mqconvert.protocols"}]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("AGAIN", "nsq or its message class is there already"),
        ("SAME_CLASS", "nsq-2 or its message class is there already"),
        ("NO_PROTOCOL", "no Protocol"),
        ("MISSING", "AttributeError: .*'MISSING'"),
    ],
)
def test_an_entry_point_without_a_new_protocol_is_refused_every_time(
    name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    protocols, _ = registry(monkeypatch, name)
    for _ in range(2):
        with pytest.raises(NoRouteError, match=rf"^the entry point '{name}' \({__name__}:{name}\): {why}$"):
            list(protocols)
    assert protocols["nsq"] is nsq.PROTOCOL


def test_a_class_without_protocol_is_refused() -> None:
    with pytest.raises(ArgumentError, match="message: expected a message, got int"):
        of_class(int)


def test_importing_mqconvert_loads_no_entry_points() -> None:
    program = "import sys, mqconvert; mqconvert.PROTOCOLS['nsq']; sys.exit('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_conversion_imports_the_protocols_of_its_two_ends_alone() -> None:
    program = (
        "import sys; from mqconvert import convert; from mqconvert.converters.protocols import FOLDERS\n"
        "convert(bytes.fromhex('3006000174006869'), 'amqp-0.9.1', source='mqtt-5.0')\n"
        "print(*(name for name, folder in FOLDERS.items() if f'mqconvert.converters.protocols.{folder}' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["amqp-0.9.1", "mqtt-5.0"]


def test_the_class_of_any_message_is_the_union_of_all() -> None:
    assert set(get_args(Message)) == {*(protocol.message for protocol in PROTOCOLS.ours()), OtherMessage}
