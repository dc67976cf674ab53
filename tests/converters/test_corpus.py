"""Every open case of the corpus: what RabbitMQ's page says, what RabbitMQ 4.0 did, what RabbitMQ 4.3 does."""

from collections import Counter
from typing import Any

import pytest

from mqconvert import DecodeError, Environment, convert, decode, encode
from tests.corpus import PAIRS, compared, lines, read

NEWEST = {case["id"]: case["expected"] for case in lines("newest")}
PROFILES = {"documented": "bad-page:", "rabbitmq-4.0": "bad-target:", "rabbitmq-4.3": "bad-target:"}

TWO_VALUES = "amqp091_to_amqp10/sys/type-amqp-1.0/two-values"
"""A payload of two amqp-value sections, of which RabbitMQ took the last; AMQP 1.0 section 3.2 allows one, and so do we."""


def wanted(case: dict[str, Any], profile: str) -> Any:
    """The profile's answer, None where there is none to compare: errors, mixed cases, answers that are ill-formed."""
    answer = case.get("page") if profile == "documented" else case["expected"]
    if profile == "rabbitmq-4.3":
        answer = NEWEST.get(case["id"], answer)
    if answer is None or "error" in answer or "skip" in answer:
        return None
    if any(tag.startswith(PROFILES[profile]) for tag in case["tags"]) or case["id"] == TWO_VALUES:
        return None
    try:
        return read(case["target"], answer)
    except DecodeError:
        assert profile != "documented", case["id"]
        return None


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("pair", PAIRS)
def test_answers(pair: str, profile: str) -> None:
    counted: Counter[str] = Counter()
    wrong = []
    for case in lines(pair):
        try:
            message = read(case["source"], case["input"])
        except DecodeError:
            # Only sources that their own protocol forbids are refused.
            assert any(tag.startswith("bad-source:") for tag in case["tags"]), case["id"]
            counted["refused"] += 1
            continue
        environment = Environment(address="t") if case["target"] == "mqtt-5.0" else Environment()
        made = convert(message, case["target"], profile=profile, environment=environment).message
        # Whatever the profile says, what comes out is well-formed: it encodes, and its own decoder takes it.
        back = decode(case["target"], encode(made))
        answer = wanted(case, profile)
        if answer is None:
            continue
        if case["target"] == "mqtt-5.0":
            answer.packet_identifier = back.packet_identifier = None  # type: ignore[union-attr]  # of MQTT alone
        counted["compared"] += 1
        if compared(case["target"], back) != compared(case["target"], answer) and not _newest_ill_formed(answer, profile):
            wrong.append(case["id"])
    assert wrong == []
    assert counted["compared"] > 700, counted


def _newest_ill_formed(answer: Any, profile: str) -> bool:
    """The newest's answers carry no tag: a short string with NUL or invalid UTF-8, or a header twice, is ill-formed."""
    if profile != "rabbitmq-4.3" or not hasattr(answer, "basic"):
        return False
    texts = [getattr(answer.basic, name) for name in answer.basic.__slots__]
    bad = any(isinstance(text, str) and ("\0" in text or any("\udc80" <= c <= "\udcff" for c in text)) for text in texts)
    keys = [key for key, _ in answer.basic.headers or ()]
    return bad or len(set(keys)) < len(keys)
