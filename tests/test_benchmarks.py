"""What benchmarks measure: handwritten code gives the same results as the converter, and the race has all of its messages."""

import importlib.util
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Array, Entry, Environment, TypedValue, convert, converter, decode, encode
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.corpus import lines, read, same_form

FOLDER = Path(__file__).parents[1] / "benchmarks"


def _module(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _legacy(message: amqp091.Message) -> bool:
    """Return whether it has a header of the old AMQP 1.0 plugin, which the handwritten functions do not support."""
    return any(entry.key.startswith("x-amqp-1.0-") for entry in message.basic.headers or ())


def test_handwritten_converters_give_the_same_results() -> None:
    """Result and bytes are equal for every corpus case of that direction, so the validity checks are equal, too."""
    handwritten = _module("handwritten")
    convert = converter("amqp-0.9.1", "amqp-1.0").convert
    messages = [read("amqp-0.9.1", case["input"]) for case in lines("amqp091_to_amqp10")]
    ordinary = [message for message in messages if not _legacy(message)]
    assert len(ordinary) > 1000
    for message in ordinary:
        made = convert(message).message
        assert same_form(handwritten.convert(message)) == same_form(made), message
        assert handwritten.convert_bytes(encode(message)) == encode(made), message


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module benchmarks/race.py, which imports another one beside it and is one of dataclasses."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("race")


def test_the_race_has_messages_for_every_direction_and_kind_and_each_converts(race: Any) -> None:
    heats = list(race.heats())
    ways = permutations(("amqp-1.0", "amqp-0.9.1", "mqtt-5.0"), 2)
    wanted = {(*way, kind) for way, kind in product(ways, race.MIXES)}
    assert {(heat.source, heat.target, heat.kind) for heat in heats} == wanted
    assert len(heats) == len(wanted)
    environment = Environment(address="orders/created")
    for heat in heats:
        assert len(heat.wires) == (1 if heat.kind == "typical" else 24)
        for wire in heat.wires:
            assert race.values_in(decode(heat.source, wire)) > 0
            made = convert(decode(heat.source, wire), to=heat.target, environment=environment)
            assert encode(decode(heat.target, encode(made.message))) == encode(made.message)
        assert heat.kind != "4 kB" or all(bytes.fromhex(race.BODY) in wire for wire in heat.wires)
        assert len(heat.words(erlang=True).split()) == len(heat.wires)


def test_the_values_of_a_message_are_counted_one_by_one(race: Any) -> None:
    inner = [TypedValue("int", 1), TypedValue("array", Array("uint", [1, 2, 3]))]
    section = encode(amqp10.Message(message_annotations=[Entry("x-a", "int", 1), Entry("x-b", "list", inner)]))
    headers = [Entry("x-amqp-1.0-message-annotations", "longstr", section), Entry("k", "bool", True)]
    headers += [Entry("x-amqp-1.0-footer", "longstr", b"no section"), Entry("x-amqp-1.0-properties", "long", 5)]
    message = amqp091.Message(basic=amqp091.BasicProperties(headers=headers, delivery_mode=2), payload=b"hi")
    assert race.values_in(message) == 1 + 4 + 1 + 2 + 1 + 1  # x-a, in x-b, k, other headers, the delivery mode, the payload


def test_the_race_tells_the_ratios_by_mean_and_by_median_and_the_dear_messages(race: Any) -> None:
    heat = next(heat for heat in race.heats() if heat.kind == "nested")
    objects, transcode, report = (race.named("compiled", call) for call in race.CALLS)
    results = {heat: {"RabbitMQ": [4.0, 6.0], objects: [2.0, 2.0], transcode: [1.0, 1.0], report: [3.0, 3.0]}}
    each = [2.0] * (len(heat.wires) - 1)
    costs = {heat: {"RabbitMQ": [*each, 30.0], **{name: [4.0, *each[1:], 9.0] for name in (objects, transcode, report)}}}
    rows = race.summary(results, costs).splitlines()[2:]
    assert rows == [
        "| nested | compiled, objects, report read | RabbitMQ | 2.50 | 2.50 | 1.00 | 1.00 |",
        "| nested | compiled, transcode, report not read | RabbitMQ | 5.00 | 5.00 | 1.00 | 1.00 |",
        "| nested | compiled, transcode, report read | RabbitMQ | 1.67 | 1.67 | 1.00 | 1.00 |",
        "| nested | compiled, transcode, report not read | compiled, objects, report read | 2.00 | 2.00 | 1.00 | 1.00 |",
    ]
    (dear,) = race.dear(costs, objects).splitlines()[2:]
    assert dear.split(" | ")[2:7] == ["nested", "23", "9.0", "4.5", "30.0"]
    assert race.dear({heat: {"RabbitMQ": each, "compiled": each}}, "compiled").startswith("No message takes more than 4 times")
    parts = race.sections(results, costs).split("## ")[1:]
    ways = {part.splitlines()[0]: part.splitlines()[4].split(" | ")[4:] for part in parts[:3]}
    assert ways == {
        "`decode`, `convert` and `encode`, report read": ["2.0 (2.0 to 2.0)", "2.50 |"],
        "`transcode`, report not read": ["1.0 (1.0 to 1.0)", "5.00 |"],
        "`transcode`, report read": ["3.0 (3.0 to 3.0)", "1.67 |"],
    }
    assert all("report read" in part or "report not read" in part for part in parts)


@pytest.mark.parametrize("call", ["objects", "transcode", "report"])
def test_a_runner_of_the_race_converts_by_its_call_and_tells_a_failure(race: Any, call: str) -> None:
    heat = next(heat for heat in race.heats() if heat.kind == "lossy")
    broken = race.Heat(heat.source, heat.target, heat.kind, (*heat.wires, b"no message"))
    with race._python(race.ROOT, call) as process:
        runner = race.Runner(process)
        assert runner.spent(heat, 2, erlang=False) > 0
        assert runner.spent(broken, 2, erlang=False) is None
        process.stdin.close()
