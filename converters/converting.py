"""`convert`, the call for one message; compiled by mypyc.

Most calls have the arguments of one before: they need no more than a converter that is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment
from mqconvert.converters.errors import ArgumentError, NoRouteError
from mqconvert.converters.overlays import DOCUMENTED, Rules
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.calls import BytesLike, decode
from mqconvert.converters.routes import check_protocol, converter
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

_Convert = Callable[[Any, Environment, Any], Conversion[Any]]
_KNOWN: Final[dict[str, dict[type, dict[str, _Convert]]]] = {}
"""What converted messages before, without overlays: by the profile, the class of the message and the target."""
_OPTIONS: Final[type] = Environment
"""The class of the caller's values: compiled code would look up an imported name in a dict."""


def convert(
    message: Message | BytesLike,
    to: str,
    *,
    source: str | None = None,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT.value,
) -> Conversion[Message]:
    """Convert a message, or the wire bytes of one, into another protocol.

    `to` and `source` are names of protocols; only bytes need a `source`. `profile` is documented or the name of a shipped
    overlay (rabbitmq-4.0, rabbitmq-4.3, preserve). `rules` names one or more further overlays, or their files. Each process
    reads a file once. Raises NoRouteError, DecodeError, RuleTableError, ConversionError, ArgumentError for an argument of the
    wrong type, and LossError with every loss for the `on_loss` "fail", with every field that does not arrive for "strict".

    >>> done = convert(bytes.fromhex("3006000174006869"), "amqp-1.0", source="mqtt-5.0")
    >>> done.message.body
    Data(sections=[b'hi'])
    >>> [applied.rule for applied in done.report.applied]
    ['qos', 'payload']
    """
    plain = source is None and type(rules) is tuple and not rules and type(environment) is _OPTIONS
    try:
        known: _Convert | None = _KNOWN[profile][type(message)][to] if plain else None
    except (KeyError, TypeError):  # the first time, or an argument that is invalid, for which there is an error below
        known = None
    if known is None:
        if isinstance(message, BytesLike):
            if source is None:
                raise NoRouteError("bytes do not name their protocol: pass source=", code="unknown_protocol")
            if not isinstance(source, str):
                raise ArgumentError("source", "the name of a protocol", type(source))
            message = decode(source, message)
        given = protocol_of(message).name
        if source and source != given:
            check_protocol(message, source)
        if not isinstance(environment, Environment):
            raise ArgumentError("environment", "an Environment", type(environment))
        found: _Convert = converter(given, to, profile=profile, rules=rules).convert
        if plain:
            _KNOWN.setdefault(profile, {}).setdefault(type(message), {})[to] = found
        known = found
    return known(message, environment, on_loss)
