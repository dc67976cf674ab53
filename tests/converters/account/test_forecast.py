"""Lines of a forecast: equal outcomes in one, and their text."""

from functools import cache
from pathlib import Path

import pytest

from mqconvert import Forecast, fidelity, routes

PAIRS = [(route.source, route.target) for route in routes()]


@cache
def _forecast(source: str, target: str) -> Forecast:
    return fidelity(source, target, back=True)


_OF_A_KEY = """
title = "Mine"

["mqtt-5.0 -> amqp-1.0"]
rules = [
  { before = "user-property-x", id = "mine", from = 'user_properties[x-a]', lost = 'no place for ["x-a"], ["*"] or [*]' },
  { after = "mine", id = "moved", from = 'user_properties[x-b]', to = 'message_annotations[x-b]', as = "string" },
]
"""


def test_lines_name_a_longer_value_only_where_its_outcome_differs() -> None:
    lines = {target: _forecast("amqp-0.9.1", target).lines() for target in ("mqtt-5.0", "amqp-1.0")}
    values = {target: {line.values for line in of if line.field == "basic.headers[*]"} for target, of in lines.items()}
    assert "longstr (over 65535 bytes), binary (over 65535 bytes)" in values["mqtt-5.0"]
    assert not any("65535" in said for said in values["amqp-1.0"])


def test_the_outcome_without_the_way_back_is_that_of_the_way_there() -> None:
    assert all(outcome.outcome == outcome.there for outcome in fidelity("mqtt-5.0", "amqp-1.0").outcomes)


@pytest.mark.parametrize("pair", PAIRS)
def test_lines_match_the_outcomes(pair: tuple[str, str]) -> None:
    forecast = _forecast(*pair)
    lines = forecast.lines()
    assert {line.there for line in lines} == {outcome.there for outcome in forecast.outcomes}
    assert {line.field.partition("[")[0] for line in lines} == {
        outcome.field.partition("[")[0] for outcome in forecast.outcomes
    }
    assert len(lines) < len(forecast.outcomes)
    text = str(forecast)
    assert all(line.field in text for line in lines)


def test_a_key_with_its_own_rows_has_its_own_lines() -> None:
    fields = {line.field for line in _forecast("amqp-1.0", "amqp-0.9.1").lines()}
    assert {name for name in fields if name.startswith(("message_", "footer"))} == {
        "message_annotations[*]",
        "message_annotations[x-*]",
        "message_annotations[x-cc]",
        "footer[*]",
    }


def test_the_text_of_a_forecast_is_one_line_and_its_table_has_every_line() -> None:
    forecast = fidelity("mqtt-5.0", "amqp-1.0", back=True)
    assert repr(forecast) == f"<Forecast mqtt-5.0 -> amqp-1.0 -> mqtt-5.0: {len(forecast.outcomes)} outcomes>"
    table = forecast._repr_html_()
    assert table.count("<tr>") == 1 + len(forecast.lines())
    assert "<td>message_expiry_interval</td><td>changes</td><td>header.ttl</td>" in table


def test_a_key_in_the_words_of_a_row_stays_as_written(tmp_path: Path) -> None:
    overlay = tmp_path / "mine.toml"
    overlay.write_text(_OF_A_KEY)
    lines = {line.field: line for line in fidelity("mqtt-5.0", "amqp-1.0", back=True, rules=overlay).lines()}
    assert lines["user_properties[x-a]"].reason() == 'no place for ["x-a"], ["*"] or [*]'
    for key in ("x-*", "x-b"):
        assert lines[f"user_properties[{key}]"].to == f"message_annotations[{key}]"


def test_texts_say_elsewhere_where_json_has_accounted() -> None:
    forecast = fidelity("mqtt-5.0", "amqp-1.0", back=True)
    assert {"accounted"} < {one["there"] for one in forecast.as_dict()["outcomes"]}
    for text in (forecast.text(), forecast.folded(80), forecast._repr_html_()):
        assert "elsewhere" in text
        assert "accounted" not in text
