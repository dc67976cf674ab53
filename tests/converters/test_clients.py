"""Common behavior of all adapters: lazy imports, and errors for missing libraries."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import aiomqtt
import nsq
import pika
import proton
import pulsar
import pytest
from paho.mqtt.client import MQTTMessage

from mqconvert import ArgumentError, ClientLibraryError, ConversionError, EncodeError, clients, convert, encode
from mqconvert.converters.clients import require
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5.message import Message


def test_no_client_library_is_imported_before_it_is_used() -> None:
    program = (
        "import sys, mqconvert, mqconvert.clients as clients\n"
        "known = {'nsq', 'pika', 'proton', 'paho', 'pulsar'}\n"
        "assert not known & set(sys.modules)\n"
        "clients.from_paho\n"
        "assert known & set(sys.modules) == {'paho'}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", clients.__all__)
def test_every_adapter_function_exists(name: str) -> None:
    assert getattr(clients, name).__name__ == name


OBJECTS: dict[str, Any] = {
    "from_aiomqtt": aiomqtt.Message,
    "from_paho": MQTTMessage,
    "from_pika": pika.BasicProperties,
    "from_proton": proton.Message,
    "from_pulsar": pulsar.Message,
    "from_pynsq": nsq.Message,
}


@pytest.mark.parametrize("name", [name for name in clients.__all__ if name.startswith("from_")])
def test_an_object_of_a_client_library_is_told_with_its_adapter(name: str) -> None:
    class_ = OBJECTS[name]
    own: Any = type("Own", (class_,), {})
    for given in (class_, own):
        words = f"message: expected a message, got {given.__module__}.{given.__qualname__}: mqconvert.clients.{name} makes one"
        for function, arguments in ((convert, ("nsq",)), (encode, ())):
            with pytest.raises(ArgumentError) as raised:
                function(given.__new__(given), *arguments)
            assert raised.value.message == words


def test_other_names_raise_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="from_nowhere"):
        _ = clients.from_nowhere


def test_require_refuses_an_old_library() -> None:
    with pytest.raises(
        ClientLibraryError, match=r"pika [0-9.]+ is too old, mqconvert needs 99\.1 or later: pip install"
    ) as raised:
        require("pika", "pika", (99, 1))
    assert raised.value.code == "old_library"
    assert isinstance(raised.value, ImportError)


def test_require_refuses_a_missing_library() -> None:
    with pytest.raises(ClientLibraryError, match=r"no-such-library 1 or later is not installed: pip install") as raised:
        require("no-such-library", "none", (1,))
    assert raised.value.code == "missing_library"


@pytest.mark.parametrize("to_object", [clients.to_pika, clients.to_proton, clients.to_paho])
def test_adapters_refuse_a_message_of_another_protocol(to_object: Callable[[Any], Any]) -> None:
    with pytest.raises(EncodeError, match="convert it first"):
        to_object("no message at all")
    done = convert(Message(topic_name="t"), to="mqtt-3.1.1")
    with pytest.raises(EncodeError, match=r"a Conversion is not a message of .*: hand over its \.message$"):
        to_object(done)
    with pytest.raises(
        ArgumentError, match=r"^message: expected a message, got mqconvert\.\S+\.Conversion: pass its \.message$"
    ):
        encode(done)  # the user's mistake


def test_adapters_refuse_an_unknown_loss_policy() -> None:
    """`Fail` instead of `fail` would silently lose fields that the caller wants to know about."""
    for to_object, message in ((clients.to_pika, amqp091.Message()), (clients.to_proton, amqp10.Message())):
        with pytest.raises(ConversionError, match="on_loss must be one of report, fail, strict, ignore") as raised:
            to_object(message, on_loss="Fail")  # type: ignore[arg-type]  # wrong on purpose
        assert raised.value.code == "bad_option"


@pytest.mark.parametrize(
    "from_object",
    [clients.from_pika, clients.from_proton, clients.from_paho, clients.from_aiomqtt, clients.from_pynsq, clients.from_pulsar],
)
def test_adapters_refuse_an_object_of_another_library(from_object: Callable[..., Any]) -> None:
    """Passing the body or the channel instead of the message is a common mistake in callbacks."""
    more = (b"body",) if from_object is clients.from_pika else ()
    for wrong in (b"body", object()):
        with pytest.raises(EncodeError, match=r"^(message|basic) is .*: not [a-z-]+'s (\w*Message|BasicProperties)$"):
            from_object(wrong, *more)
    with pytest.raises(EncodeError, match=r"^method is .* neither pika's Basic.Deliver"):
        clients.from_pika(None, b"body", "exchange")
