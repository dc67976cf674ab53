"""From wire bytes to wire bytes: `transcode`, the call for those who need no message. Compiled by mypyc.

A table between two protocols that have layouts of whole messages has a function that makes no objects (engine/fused.py). What
it does not take, and every other route, is decoded, converted and encoded; so are messages whose report is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from mqconvert.converters.engine.report import LossPolicy, Report
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment
from mqconvert.converters.errors import ArgumentError, InternalError
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.overlays import DOCUMENTED, Rules
from mqconvert.converters.protocols.calls import BytesLike, as_bytes, decode, encode
from mqconvert.converters.routes import RouteConverter, converter
from mqconvert.converters.running import Conversion
from mqconvert.converters.shipped import fused_function

Fused = Callable[[bytes, Environment], tuple[bytes, bool] | None]


class Transcoder:
    """The way of wire bytes from one protocol to another. Its pickle has only names.

    >>> way = Transcoder("mqtt-5.0", "amqp-0.9.1")
    >>> way.wire(bytes.fromhex("3006000174006869"), DEFAULT_ENVIRONMENT)[-3:-1]
    b'hi'
    """

    __slots__ = ("_fused", "_names", "convert", "source")

    def __init__(self, source: Any, to: Any, profile: Any = DOCUMENTED, rules: Any = ()) -> None:  # converter() checks them
        found: RouteConverter[Any] = converter(source, to, profile=profile, rules=rules)
        self.source = found.route.source
        self.convert: Callable[[Any, Environment, Any], Conversion[Any]] = found.convert
        self._fused: Fused | None = fused_function(found.legs[0].table) if len(found.legs) == 1 else None
        self._names = source, to, profile, rules

    def __reduce__(self) -> tuple[object, ...]:
        return Transcoder, self._names

    def wire(self, data: bytes, environment: Environment, *, complete: bool = False) -> bytes | None:
        """Return the wire bytes of the result for one message; None where only its objects give them, or an error.

        With `complete`, bytes are returned only where every field of the message arrives: its report has no drop and no loss.
        """
        if self._fused is None:
            return None
        try:
            made = self._fused(data, environment)
        except Exception:  # noqa: BLE001 - whatever it met, the objects meet it again, and tell it
            return None
        return made[0] if made is not None and (made[1] or not complete) else None

    def transcode(self, data: bytes, environment: Environment, on_loss: str) -> Transcoded:
        """Return the result for one message. Raises what `transcode` does."""
        wire = self.wire(data, environment, complete=on_loss != _REPORT) if on_loss in _POLICIES else None
        if wire is not None:
            return Transcoded(wire, self, data, environment, None)
        conversion = self.convert(decode(self.source, data), environment, on_loss)
        return Transcoded(encode(conversion.message), self, data, environment, conversion)


_REPORT: Final = str(LossPolicy.REPORT.value)
_POLICIES: Final = [str(each.value) for each in LossPolicy]
_USUAL: Final = str(DOCUMENTED)


@mypyc_attr(acyclic=True)
class Transcoded:
    """A message in another protocol, as wire bytes. Its `report` is made when it is first read, by a conversion of the message.

    >>> done = transcode(bytes.fromhex("3006000174006869"), "amqp-1.0", source="mqtt-5.0")
    >>> done.wire[-2:], [entry.rule for entry in done.report.applied]
    (b'hi', ['qos', 'payload'])
    """

    __slots__ = ("_conversion", "_data", "_environment", "_way", "wire")

    def __init__(
        self, wire: bytes, way: Transcoder, data: bytes, environment: Environment, conversion: Conversion[Any] | None
    ) -> None:
        self.wire = wire
        """The wire bytes of the result."""
        self._way = way
        self._data = data
        self._environment = environment
        self._conversion = conversion

    @property
    def report(self) -> Report:
        """The account of every field. InternalError if the conversion gives other bytes than `wire`."""
        if self._conversion is None:
            conversion = self._way.convert(decode(self._way.source, self._data), self._environment, _REPORT)
            if encode(conversion.message) != self.wire:
                raise InternalError("the message and its report come to different bytes")
            self._conversion = conversion
        return self._conversion.report

    def __repr__(self) -> str:
        return f"Transcoded(wire={self.wire!r})"


_WAYS: Final[dict[str, dict[str, Transcoder]]] = {}
"""The ways of the default profile without overlays, by source and target: these need no tuple to be found."""
_OTHERS: Final[dict[tuple[object, ...], Transcoder]] = {}
"""Those of other profiles, by the arguments that choose them."""


def transcode(
    data: BytesLike,
    to: str,
    *,
    source: str,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = _REPORT,
) -> Transcoded:
    """Convert the wire bytes of one message to those of another protocol: the same as decode, convert and encode, but faster.

    Arguments and errors are those of `convert`, and EncodeError for a result that cannot be written, such as an MQTT packet
    without a topic. A `report` that is never read costs nothing.

    >>> transcode(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0").wire[-3:-1]
    b'hi'
    """
    plain = type(rules) is tuple and not rules
    usual = plain and (profile is _USUAL or profile == _USUAL)
    try:
        way = _WAYS[source][to] if usual else _OTHERS[source, to, profile, rules]
    except (KeyError, TypeError):  # the first time, or with overlays in a list
        way = Transcoder(source, to, profile, rules)
        if usual:
            _WAYS.setdefault(source, {})[to] = way
        elif plain:
            _OTHERS[source, to, profile, rules] = way
    if type(environment) is not Environment:
        raise ArgumentError("environment", "an Environment", type(environment))
    return way.transcode(data if type(data) is bytes else as_bytes(data), environment, on_loss)
