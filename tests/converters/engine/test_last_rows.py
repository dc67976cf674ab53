"""Finish rows change the target message last."""

from pathlib import Path
from typing import Any

from mqconvert import Entry, convert
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.routes import Overlay
from tests.converters.engine.table_files import HEAD, LOST


def test_a_finish_row_may_lose_pairs_of_texts_that_it_reads(tmp_path: Path) -> None:
    """Their entries have no separate types."""
    file = tmp_path / "mine.toml"
    row = f'id = "mine", at = "message_annotations[x-k]", as = "binary", via = {LOST}, reads = ["user_properties[k]"]'
    file.write_text(f'["mqtt-5.0 -> amqp-1.0"]\nfinish = [\n  {{ {row} }},\n]\n')
    report = convert(mqtt5.Message(topic_name="t", user_properties=[("k", "a")]), "amqp-1.0", rules=file).report
    assert [(line.field, line.type) for line in report.lost if line.rule == "mine"] == [('user_properties["k"]', "utf8")]


def test_a_finish_row_makes_an_entry_of_a_map_in_a_section() -> None:
    row = '{ id = "a", at = "basic.headers[k]", as = "long", via = "constant 5", reads = ["@address"] }'
    done: Any = convert(
        amqp10.Message(body=amqp10.Data([b""])), "amqp-0.9.1", rules=Overlay("mine.toml", f"{HEAD}finish = [\n{row},\n]")
    )
    assert done.message.basic.headers == [Entry("k", "long", 5)]
    assert [applied.target for applied in done.report.applied if applied.rule == "a"] == ['basic.headers["k"]']
