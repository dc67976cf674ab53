"""Finish rows change the target message last."""

from typing import Any

from mqconvert import convert
from mqconvert.converters.protocols.nsq import message as nsq
from tests.converters.account.accounts import one_row


def test_a_finish_row_that_keeps_a_part_reports_its_field_once_and_loses_the_rest() -> None:
    mine = one_row("nsq -> amqp-1.0", "finish", 'id = "mine", at = "properties.creation_time", via = "whole-seconds"')
    message = nsq.Message(timestamp=1_500_000_000, attempts=1, message_id=b"0" * 16, body=b"hi")
    done: Any = convert(message, "amqp-1.0", rules=mine)
    assert done.message.properties.creation_time == 1
    told = [(entry.rule, entry.source) for entry in done.report.applied if entry.target == "properties.creation_time"]
    assert told == [("creation-time", "timestamp"), ("mine", "timestamp")]
    assert [(loss.rule, loss.field, loss.type, loss.reason) for loss in done.report.lost] == [
        ("mine", "properties.creation_time", "timestamp", "the fraction of a second")
    ]
