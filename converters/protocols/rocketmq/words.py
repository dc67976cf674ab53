"""Words that only the tables of RocketMQ use (decisions.md 4): its own properties, escapes of its property string, limits."""

from collections.abc import Callable
from typing import Any

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.properties import FORMS, Form, Pairs, WayBack, comes_back
from mqconvert.converters.protocols.amqp10.words.stated import Typed, place_in_batch, stated_in
from mqconvert.converters.protocols.amqp10.words.textforms import bytes_of_base64
from mqconvert.converters.protocols.rocketmq import message as native
from mqconvert.converters.protocols.rocketmq.message import is_system_name, topic_fault
from mqconvert.converters.words import CONDITIONS, NAMES, condition, transform
from mqconvert.converters.words.literals import likeness, whole_number

NAMES["rocketmq_topic_fault"] = topic_fault
CONDITIONS.expression("rocketmq-topic", "type({0}) is str and rocketmq_topic_fault({0}) is None", "Match a topic of RocketMQ.")
_NATIVE = "{0} != '' and '\\x01' not in {0} and '\\x02' not in {0}"
CONDITIONS.expression("native-text", _NATIVE, "Match text that a property of RocketMQ can hold unchanged.")
ESCAPES = ("amqp-b64.", "amqp-b64n.")


@transform("rocketmq-escaped", gives="list", renames=True)
def rocketmq_escaped(value: Pairs) -> Pairs:
    """Write properties that a property string cannot hold (empty, or with separators) in base64.

    >>> rocketmq_escaped([("k", ""), ("", "v")])
    [('amqp-b64.k', '='), ('amqp-b64n.', '=dg==')]
    """
    return [_escaped_pair(name, text) for name, text in value]


def _escaped_pair(name: str, text: str) -> tuple[str, str]:
    if not name or "\x01" in name or "\x02" in name:
        return f"amqp-b64n.{to_base64(name.encode())}", f"={to_base64(text.encode())}"
    if not text or "\x02" in text:
        return f"amqp-b64.{name}", f"={to_base64(text.encode())}"
    return name, text


@transform("rocketmq-unescaped", gives="list", renames=True)
def rocketmq_unescaped(value: Pairs) -> Pairs:
    """Restore the properties that `rocketmq-escaped` wrote.

    >>> rocketmq_unescaped([("amqp-b64.k", "="), ("amqp-b64n.", "=dg=="), ("amqp-b64.k", "x")])
    [('k', ''), ('', 'v'), ('amqp-b64.k', 'x')]
    """
    return [_unescaped_pair(*pair) if pair[0].startswith(ESCAPES) else pair for pair in value]


def _unescaped_pair(name: str, text: str) -> tuple[str, str]:
    beside, alone = ESCAPES
    value = text_of(bytes_of_base64(text[1:])) if text.startswith("=") else None
    own = text_of(bytes_of_base64(name[len(alone) :])) if name.startswith(alone) else name[len(beside) :]
    return (name, text) if value is None or own is None else (own, value)


@transform("raw-string", gives="str")
def raw_string(raw: str | None, _unescaped: Pairs | None, message: Any, result: Message, way_back: WayBack) -> str | None:
    """Return the original property string if the table back would give another one.

    >>> from mqconvert.converters.protocols.rocketmq import message as rocketmq
    >>> sent = rocketmq.Message(properties=[("amqp-b64.a", "=")])
    >>> raw_string(None, [("a", "")], sent, Message(), lambda result: sent)
    >>> raw_string(None, [("a", "")], sent, Message(), lambda result: rocketmq.Message(properties=[]))
    'amqp-b64.a\\x01=\\x02'
    """
    if raw is None and not comes_back(message.properties or [], result, way_back):
        return "".join(f"{name}\x01{text}\x02" for name, text in message.properties or ())
    return raw


def _changed(text: str, gone: set[str], added: Pairs) -> str:
    """Return a property string without the entries of some names, and with others at its end."""
    if not gone and not added:
        return text
    entries = [entry for entry in text.split("\x02") if entry and entry.partition("\x01")[0] not in gone]
    return "".join(f"{entry}\x02" for entry in [*entries, *("\x01".join(pair) for pair in added)])


@transform("odd-string", gives="str")
def odd_string(value: str) -> str | None:
    """Return the property string itself, if its entries would not restore it.

    >>> odd_string("a\\x01b\\x02"), odd_string("a\\x01b")
    (None, 'a\\x01b')
    """
    return parse_properties(value)[1]


def parse_properties(text: str) -> tuple[Pairs | None, str | None]:
    from mqconvert.converters.protocols.rocketmq.codec import parse_properties as parsed  # noqa: PLC0415 - rows that need it are rare

    return parsed(text)


@condition("too-many-properties")
def too_many_properties(value: Pairs) -> bool:
    """Match properties with a string of more than 32767 bytes.

    >>> too_many_properties([("k", "v" * 32764)]), too_many_properties([("k", "v" * 32765)])
    (False, True)
    """
    return sum(len(name.encode()) + len(text.encode()) + 2 for name, text in value) > 32767


FORMS["entries"] = Form("string", "str", lambda text: parse_properties(text)[0] or [], _changed)


@condition("system-name", len)
def system_name(before: int, key: str) -> bool:
    """Match a key of that text and one of RocketMQ's own names: `system-name x-opt-rocketmq-prop-`."""
    return is_system_name(key[before:])


@condition("reserved-or-system", likeness)
def reserved_or_system(like: Callable[[object], bool | None], key: Any) -> bool:
    """Match one of RocketMQ's own names, or a key that matches one of these patterns (see `like`)."""
    known = like(key)
    return is_system_name(key) if known is None else known


EXT = "x-opt-rocketmq-ext-"


@condition("undefined-field")
def undefined_field(_value: object, key: str, index: Typed, size: Typed, annotations: list[Entry] | None) -> bool:
    """Match a field that a send request does not define. It defines letters or long names; the others are free.

    >>> undefined_field("v", "x-opt-rocketmq-ext-k", None, None, None)
    True
    """
    from mqconvert.converters.protocols.rocketmq.codec import LONG_NAMES, SHORT_NAMES  # noqa: PLC0415 - only this function needs it

    own = key[len(EXT) :]
    if own not in SHORT_NAMES and own not in LONG_NAMES:
        return True
    names = {str(entry.key)[len(EXT) :] for entry in annotations or () if str(entry.key).startswith(EXT)}
    if own in SHORT_NAMES and place_in_batch(index, size, "uint", None) is not None:
        return False
    return not (names & SHORT_NAMES and names & LONG_NAMES)


@condition("host", whole_number)
def host(bit: int, typed: Typed, bits: Typed) -> bool:
    """Match the annotation of a host: IPv6 if sysFlag's annotation has that bit, else IPv4. Invalid bits count as unset."""
    from mqconvert.converters.protocols.rocketmq.codec import host_bytes  # noqa: PLC0415 - only this function needs it

    if typed is None or not isinstance(typed.value, str):
        return False
    impossible = CONDITIONS["states int&0x701 0x401 0x501 0x601 0x701"].function
    flags = stated_in(bits, "int") if bits is not None and not impossible(bits.value, bits.type) else None
    try:
        host_bytes(native.Message(born_host=typed.value, sys_flag=flags or 0), "born_host", bit)
    except EncodeError:
        return False
    return True
