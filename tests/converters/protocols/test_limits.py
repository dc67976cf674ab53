"""A limit ends the input: the messages behind it are not decoded, while those behind an invalid one are."""

from typing import Any

import pytest

from mqconvert import LimitError, decode_each, encode
from mqconvert.messages import pulsar, rocketmq

_BODY = bytes(100)
_MESSAGES: dict[str, Any] = {
    "rocketmq-send": rocketmq.Message(topic="t", body=_BODY),
    "rocketmq-record": rocketmq.Message(topic="t", body=_BODY, frame="record"),
    "pulsar": pulsar.Message(payload=_BODY, producer_name="p", sequence_id=0, publish_time=1),
}


@pytest.mark.parametrize("name", _MESSAGES)
def test_a_limit_is_the_last_error(name: str) -> None:
    wire = encode(_MESSAGES[name], compress="ZLIB") * 3
    (found,) = decode_each(name.partition("-")[0], wire, max_decompressed=10)
    assert isinstance(found, LimitError)
    assert len(list(decode_each(name.partition("-")[0], wire))) == 3
