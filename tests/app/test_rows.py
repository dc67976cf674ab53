"""Rows of tables as text."""

import pytest

from mqconvert.app.cli import main


def test_rules_show_has_a_line_for_each_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "mqtt-5.0", "amqp-0.9.1"]) == 0
    head, *rows = [line.split() for line in capsys.readouterr().out.splitlines()[3:] if line]
    assert head[:3] == ["id", "from", "when"]
    assert rows[1][:6] == ["qos", "qos", "basic.delivery_mode", "choose", "2", "1"]
