"""The text of each simple type in a user property of MQTT, also of those on which RabbitMQ crashes, so that no corpus has them.

The texts are those of C (`printf`), of RFC 4122 and of Unicode; docs/decisions.md E8, E9 and F6, and differences.md E11 and F7.
"""

from typing import Any
from uuid import UUID

import pytest

from mqconvert import Decimal091, Entry, Environment, convert
from mqconvert.messages import amqp091, amqp10, mqtt5

A10, A091 = "amqp-1.0", "amqp-0.9.1"
UUID_BYTES = UUID("550E8400-E29B-41D4-A716-446655440000")


@pytest.mark.parametrize("profile", ["documented", "rabbitmq-4.0", "rabbitmq-4.3"])
@pytest.mark.parametrize(
    ("protocol", "type_", "value", "text"),
    [
        (A10, "char", 0xE9, "é"),
        (A10, "char", 0x1F600, "\U0001f600"),
        (A10, "uuid", UUID_BYTES.bytes, UUID_BYTES.urn),
        (A10, "double", 0.1, "1.00000000000000005551e-01"),
        (A10, "double", -0.0, "-0.00000000000000000000e+00"),
        (A10, "float", 1.5, "1.50000000000000000000e+00"),
        *(
            (of, kind, float(word), word)
            for of in (A10, A091)
            for kind in ("float", "double")
            for word in ("nan", "inf", "-inf")
        ),
        (A10, "timestamp", -1999, "-1"),
        (A10, "timestamp", 2**63 - 1, "9223372036854775"),
        (A10, "ulong", 2**64 - 1, "18446744073709551615"),
        (A10, "null", None, ""),
        (A091, "decimal", Decimal091(2, -5), "-0.05"),
        (A091, "decimal", Decimal091(0, 2**31 - 1), "2147483647"),
        (A091, "decimal", Decimal091(255, 1), f"0.{'0' * 254}1"),
        (A091, "timestamp", 2**64 - 1, "18446744073709551615"),
        (A091, "byte", -128, "-128"),
        (A091, "void", None, ""),
    ],
)
def test_simple_values_are_text(protocol: str, type_: str, value: Any, text: str, profile: str) -> None:
    entries = [Entry("k", type_, value)]
    message: Any = (
        amqp10.Message(application_properties=entries, body=amqp10.Data([b""]))
        if protocol == A10
        else amqp091.Message(basic=amqp091.BasicProperties(headers=entries))
    )
    made = convert(message, "mqtt-5.0", profile=profile, environment=Environment(address="t")).message
    assert isinstance(made, mqtt5.Message)
    assert made.user_properties == [("k", text)]
