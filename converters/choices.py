"""The choices of a caller, in every interface: the tables, the Environment, and the policy for losses."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from mqconvert import mappings
from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment, bad_option, option, options_of
from mqconvert.converters.overlays import DOCUMENTED, Rules, tables_in_force
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.options import NOTHING, options_for
from mqconvert.converters.routes import RouteConverter, converter

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message


Profile = Literal["documented", "preserve", "rabbitmq-4.0", "rabbitmq-4.3"]
"""The names of `profiles()`, for type checkers."""


def profiles() -> tuple[str, ...]:
    """Return the names of the profiles.

    >>> profiles()
    ('documented', 'preserve', 'rabbitmq-4.0', 'rabbitmq-4.3')
    """
    return DOCUMENTED, *mappings.overlay_names()


_POLICIES = tuple(policy.value for policy in LossPolicy)


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a caller: the tables, the Environment, and the policy for losses.

    `options` are those of codecs, by name, in work on messages of several protocols, such as a Spark job.
    """

    profile: str = option(
        DOCUMENTED,
        "set of tables: RabbitMQ's page (documented), its releases 4.0 and 4.1 (rabbitmq-4.0) or 4.2 and 4.3 (rabbitmq-4.3), "
        "or fields and types kept (preserve)",
        values=profiles,
    )
    rules: tuple[Rules, ...] = option((), "overlay with rows that change the tables", metavar="FILE|NAME")
    environment: Environment = DEFAULT_ENVIRONMENT
    on_loss: str = option(
        LossPolicy.REPORT.value, "losses: report them, fail, be strict (drops fail, too) or ignore them", values=_POLICIES
    )
    options: tuple[tuple[str, str | int | bool], ...] = ()

    def __post_init__(self) -> None:
        _ON_LOSS.check(self.on_loss)

    def converter(self, source: str, target: str) -> RouteConverter:
        """Return the converter between two protocols. Raises NoRouteError and RuleTableError."""
        return converter(source, target, profile=self.profile, rules=self.rules)


BOTH = ("max_req_timeout_ms",)
"""The options that rows read in the Environment and codecs have, too: one number for both."""


def with_codecs(
    choices: Choices,
    source: str,
    target: str,
    given: Mapping[str, Any],
    limits: Mapping[str, Any] = NOTHING,
    *,
    lower_only: bool = False,
) -> tuple[Choices, dict[str, Any], dict[str, Any]]:
    """Return the choices of a conversion, and the options of the source's decoder and of the target's encoder.

    `given`, `limits` and `lower_only` are those of `options_for`. A number that rows read, too, is the same for all: that of
    `given`, else of the Environment, else of `limits`.

    >>> choices, _, writing = with_codecs(Choices(), "amqp-1.0", "nsq", {"max_req_timeout_ms": 7_200_000})
    >>> choices.environment.max_req_timeout_ms, writing
    (7200000, {'max_req_timeout_ms': 7200000})
    """
    environment, chosen = choices.environment, dict(limits)
    for name in BOTH:
        own = getattr(environment, name)
        value = given.get(name, limits.get(name, own) if own == getattr(DEFAULT_ENVIRONMENT, name) else own)
        if value != own:
            environment = replace(environment, **{name: value})
        if value != getattr(DEFAULT_ENVIRONMENT, name):
            chosen[name] = value
    pairs = (source, "decode_all"), (target, "encode")
    reading, writing = options_for(pairs, given, chosen, lower_only=lower_only)
    return replace(choices, environment=environment), reading, writing


OPTIONS = options_of(Choices)
"""The options of a conversion in every interface."""

_ON_LOSS = OPTIONS[-1]
_ENVIRONMENT = options_of(Environment)


def choices_of(given: Mapping[str, Any], **more: object) -> Choices:
    """Return the Choices of the given options. Missing options have their defaults; `more` replaces those that are None.

    >>> choices_of({"address": "a/b", "clock": None, "fields": "wire"}, clock=5).environment.clock
    5
    """
    chosen = {one.name: given[one.name] for one in OPTIONS if one.name in given}
    chosen |= {name: value for name, value in more.items() if chosen.get(name) is None}
    own = {one.name: chosen.pop(one.name) for one in _ENVIRONMENT if one.name in chosen}
    if "rules" in chosen:
        chosen["rules"] = tuple(chosen["rules"])
    return Choices(environment=Environment(**own), **chosen)


def with_address(message: "Message", environment: Environment) -> "Message":
    """Return a message with the address of an Environment if it lacks one. Rows of a table to its protocol set it.

    Raises ConversionError for a protocol whose messages have no address, or an address that it refuses.

    >>> from mqconvert.messages import mqtt5
    >>> with_address(mqtt5.Message(payload=b"hi"), Environment(address="a/b")).topic_name
    'a/b'
    """
    protocol = protocol_of(message)
    tables = tables_in_force()
    sources = (source for source, target in tables if target == protocol.name)
    for way in (converter(source, protocol.name) for source in sources):
        field = way.legs[0].address_target
        if field is not None:
            there = converter(protocol.name, way.route.source).convert(message).message
            made = way.convert(there, environment).message
            addressed: Message = filled(message, made, field.split("."))
            return addressed
    raise bad_option("address", f"not usable: messages of {protocol.title} have no address")


def filled(held: Any, made: object, path: list[str]) -> Any:
    """Return `held` with the value of `made` at a path, if `held` has none there.

    >>> from mqconvert.messages import nsq
    >>> filled(nsq.Message(), nsq.Message(topic="t"), ["topic"]).topic
    't'
    """
    name, *inner = path
    mine, new = getattr(held, name), getattr(made, name)
    if inner:
        mine = type(new)() if mine is None else mine
        return replace(held, **{name: filled(mine, new, inner)})
    return held if mine else replace(held, **{name: new})
