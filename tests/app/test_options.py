"""An option is declared once and available at every entry point."""

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from docs.pages import options_page
from mqconvert import PROTOCOLS, Environment, convert, message_from_json
from mqconvert.app.batch.options import OPTIONS as JOB
from mqconvert.app.batch.options import add_arguments, job_of
from mqconvert.app.cli import parser
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from mqconvert.converters.choices import OPTIONS
from mqconvert.mappings import sample_messages

DOCS = Path(__file__).parents[2] / "docs"
PAIR = ["--from", "mqtt-5.0", "--to", "amqp-1.0"]
GIVEN = {
    "profile": "preserve", "address": "a", "mqtt_exchange": "x", "payload": "envelope", "escape": True, "frame": "record",
    "clock": 5, "producer": "me", "sequence_id": 7, "max_req_timeout_ms": 9, "on_loss": "fail",
}  # fmt: skip
"""A value of each option but `rules` other than its default."""


def arguments() -> list[str]:
    pairs = ((f"--{name.replace('_', '-')}", value) for name, value in GIVEN.items())
    return [word for flag, value in pairs for word in ([flag] if value is True else [flag, str(value)])]


def test_every_option_has_a_test_value() -> None:
    assert [one.name for one in OPTIONS if one.name != "rules"] == list(GIVEN)
    assert all(GIVEN[one.name] != one.default for one in OPTIONS if one.name != "rules")


@pytest.mark.parametrize("command", ["convert", "explain"])
def test_commands_take_every_option(command: str) -> None:
    chosen: dict[str, Any] = vars(parser().parse_args([command, *PAIR, *arguments(), "--rules", "preserve"]))
    assert {name: chosen[name] for name in GIVEN} == GIVEN
    assert chosen["rules"] == ["preserve"]
    plain = vars(parser().parse_args([command, *PAIR]))
    assert {one.name: plain[one.name] for one in OPTIONS} == {one.name: one.default or plain[one.name] for one in OPTIONS}


def test_a_batch_job_takes_every_option() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    made = job_of(vars(parser.parse_args([*PAIR, "--input", "in", "--output", "out/", *arguments()])))
    own = {name: value for name, value in GIVEN.items() if name not in ("profile", "on_loss")}
    assert made.choices.environment == Environment(**own)  # type: ignore[arg-type]  # mypy sees one type for all values of a dict
    assert (made.choices.profile, made.choices.on_loss, made.output) == ("preserve", "fail", "out")
    flags = {one.dest for one in parser._actions}
    assert {one.name for one in JOB} <= flags


@pytest.mark.parametrize("path", ["/v1/convert", "/v1/explain", "/v1/convert/batch"])
def test_requests_take_every_option(path: str) -> None:
    """A batch takes all but rules, since any page can send its query."""
    document = create_app(Settings()).openapi()
    operation = document["paths"][path]["post"]
    if "parameters" in operation:
        told = {one["name"]: one["schema"] for one in operation["parameters"]}
    else:
        name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        told = document["components"]["schemas"][name]["properties"]
    assert ("rules" in told) == (path != "/v1/convert/batch")
    for one in [one for one in OPTIONS if one.name != "rules" or one.name in told]:
        assert told[one.name].get("default") == (one.default if one.name != "rules" else None)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_conversion_to_the_same_protocol_ignores_every_option(protocol: str) -> None:
    own = {name: value for name, value in GIVEN.items() if name not in ("profile", "on_loss")}
    environment = Environment(**own)  # type: ignore[arg-type]  # as above
    for sample in sample_messages(PROTOCOLS[protocol].tables):
        if sample["message"]["protocol"] == protocol:
            message = message_from_json(sample["message"])
            assert convert(message, protocol, profile="preserve", environment=environment, on_loss="fail").message == message


def test_the_options_page_matches_the_declarations() -> None:
    assert (DOCS / "options.md").read_text() == options_page()
    told = re.findall(r"^\| `(\w+)` ", options_page(), re.MULTILINE)
    assert {one.name for one in (*OPTIONS, *JOB)} <= {*told}
