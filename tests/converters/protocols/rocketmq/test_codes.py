"""The codes of RocketMQ have names and meanings."""

from mqconvert.converters.protocols.rocketmq import codec as rocketmq
from mqconvert.converters.protocols.rocketmq.codes import REQUEST_CODES, RESPONSE_CODES


def test_documented_codes_have_names_and_meanings() -> None:
    requests = [code for code in REQUEST_CODES.values() if code.document]
    responses = [code for code in RESPONSE_CODES.values() if code.document]
    assert (len(requests), len(responses)) == (62, 19)
    assert all(code.name and code.meaning for code in requests + responses)
    for number, code in REQUEST_CODES.items():
        assert rocketmq.frame_from_json({"code": code.name}).code == number
