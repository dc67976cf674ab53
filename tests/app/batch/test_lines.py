"""JSON lines keep the text of the members beside the message."""

import base64
import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.app.batch.runs import BAD, CONVERTED, PUBLISH, archive, read_lines, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK

WIRE = base64.b64encode(PUBLISH).decode()
TWICE = base64.b64encode(PUBLISH * 2).decode()
MEMBERS = [
    '"price": 0.1234567890123456789, "n":1, "mixed" :1,"dict":{"b":[1,"x"]},"nul":null',
    '"price":1e-400,"n":2.5,"mixed":{"k":1.0},"dict":{"b":[1,"x"]}',
    r'"price":-0.0,"n":123456789012345678901234567890123456789012345,"text":"a\/\u00e9 } é"',
]


def convert(spark: SparkSession, folder: Path, lines: list[str], *more: str) -> tuple[list[str], list[str]]:
    """Return the lines of converted and rejected rows."""
    (folder / "in").mkdir(exist_ok=True)
    (folder / "in" / "a.jsonl").write_text("\n".join(lines) + "\n")
    asked = ("--input", str(folder / "in"), "--output", str(folder / "out"), "--input-format", "jsonl", "--overwrite")
    assert run(spark, *asked, *more) == 0
    converted, rejected = (read_lines(folder / "out" / f"status={status}") for status in ("converted", "rejected"))
    return converted, rejected


def test_other_members_of_json_lines_stay_to_the_digit(spark: SparkSession, tmp_path: Path) -> None:
    made, _ = convert(spark, tmp_path, [f'{{{members},"wire":"{WIRE}"}}' for members in MEMBERS])
    for line, members in zip(made, MEMBERS, strict=True):
        assert line.startswith(f'{{{members},"wire":"{WIRE}","index":0,"converted":"{base64.b64encode(CONVERTED).decode()}"')
        assert json.loads(line, parse_int=str)["index"] == "0"


@pytest.mark.parametrize("format_", ["jsonl", "lines"])
def test_rejected_lines_stay_too(spark: SparkSession, tmp_path: Path, format_: str) -> None:
    bad = base64.b64encode(BAD).decode()
    given = [
        f'{{"wire":"{WIRE}"}}',
        f'{{"wire":"{bad}",{MEMBERS[0]}}} ',
        "{}",
        "",
        "  ",
        '{"wire":"' + WIRE + '"} more',
        "{'wire':'a'}",
    ]
    _, made = convert(spark, tmp_path, given, "--output-format", format_)
    errors = [json.loads(line)["error"]["code"] for line in made]
    assert errors == ["truncated", "no_wire", "no_wire", "no_wire"]
    assert made[0].startswith(f'{{"wire":"{bad}",{MEMBERS[0]},"error":')
    assert made[1].startswith('{"error":')
    assert [json.loads(line).get("_corrupt_record") for line in made] == [None, None, given[-2], given[-1]]


def test_further_messages_repeat_the_members_without_the_wire(spark: SparkSession, tmp_path: Path) -> None:
    lines = [f'{{"msg": {{"wire" : "{wire}" ,"at":1.50}}, {MEMBERS[0]}}}' for wire in (TWICE, WIRE)]
    made, _ = convert(spark, tmp_path, lines, "--wire-column", "msg.wire", "--max-reject-share", "0.5")
    assert len(made) == 3
    assert made[1].startswith(f'{{"msg": {{"wire" : null ,"at":1.50}}, {MEMBERS[0]},"index":1,')
    read = [json.loads(line) for line in made]
    assert [row["index"] for row in read] == [0, 1, 0]
    assert [row["msg"]["wire"] for row in read] == [TWICE, None, WIRE]


def test_a_line_with_valid_and_invalid_messages_and_other_frames(spark: SparkSession, tmp_path: Path) -> None:
    """The members stay with each message, and with the first rejected one the wire does, too."""
    ping = bytes.fromhex("c000")
    values = [ping + PUBLISH + BAD, PUBLISH + ping + PUBLISH, ping, PUBLISH]
    wires = [base64.b64encode(wire).decode() for wire in values]
    lines = [
        f'{{{members},"wire":"{wire}","id":{at}}}' for at, (wire, members) in enumerate(zip(wires, MEMBERS * 2, strict=False))
    ]
    made, bad = convert(spark, tmp_path, lines, "--option", "stream=true", "--max-reject-share", "0.5")
    read = [json.loads(line) for line in made]
    assert [(row["id"], row["index"], row["wire"]) for row in read] == [
        (0, 0, wires[0]), (1, 0, wires[1]), (1, 1, None), (3, 0, wires[3]),
    ]  # fmt: skip
    for line, row in zip(made, read, strict=True):
        assert line.startswith(f"{{{MEMBERS[row['id'] % 3]},")
    read = [json.loads(line) for line in bad]
    assert [(row["id"], row.get("index"), row["wire"], row["error"]["code"]) for row in read] == [
        (0, 1, wires[0], "truncated"), (2, None, wires[2], "no_message"),
    ]  # fmt: skip
    told = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert [told[name] for name in ("read", "converted", "rejected", "messages", "rejected_messages")] == [4, 2, 2, 4, 2]
    assert told["skipped"] == [{"count": 3}]


def test_a_stream_keeps_the_members_of_lines(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--input-format", "jsonl")
    stream = ("--stream", "--once", "--checkpoint", str(tmp_path / "state"), "--max-reject-share", "1")
    bad = base64.b64encode(PUBLISH + BAD).decode()
    for name, wire in (("a", TWICE), ("b", bad)):
        lines = "".join(f'{{{members},"wire":"{wire}"}}\n' for members in MEMBERS)
        (tmp_path / "in" / f"{name}.jsonl").write_text(f"{lines}no object\n")
        assert run(spark, *asked, *stream) == 0
    made = read_lines(tmp_path / "out" / "status=converted")
    for members in MEMBERS:
        found = [line.removeprefix(f"{{{members},") for line in made if line.startswith(f"{{{members},")]
        assert [rest.partition(',"index"')[0] for rest in sorted(found)] == [
            f'"wire":"{bad}"',
            f'"wire":"{TWICE}"',
            '"wire":null',
        ]
    rejected = read_lines(tmp_path / "out" / "status=rejected")
    assert sorted(json.loads(line)["error"]["code"] for line in rejected) == ["no_wire"] * 2 + ["truncated"] * 3


def test_the_sample_knows_the_protocol_in_the_name_of_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    for format_, text in {"jsonl": f'{{"wire":"{WIRE}"}}\n', "lines": f"{WIRE}\n", "parquet": ""}.items():
        folder = tmp_path / format_ / "p=mqtt-5.0"
        folder.mkdir(parents=True)
        if text:
            (folder / "a").write_text(text * 3)
        else:
            archive(folder / "a.parquet", [PUBLISH] * 3)
        asked = ("--input", str(folder.parent), "--output", str(tmp_path / f"{format_}-out"), "--input-format", format_)
        assert run(spark, *asked, "--from", "column:p", "--max-reject-share", "0.1") == 0


def test_the_protocol_may_be_a_member_or_a_folder(spark: SparkSession, tmp_path: Path) -> None:
    made, bad = convert(
        spark, tmp_path, [f'{{"wire":"{WIRE}","how":{{"p":"{p}"}}}}' for p in ("mqtt-5.0", "x")], "--from", "column:how.p"
    )
    assert [len(made), len(bad)] == [1, 1]
    (tmp_path / "in" / "p=mqtt-5.0").mkdir()
    (tmp_path / "in" / "a.jsonl").rename(tmp_path / "in" / "p=mqtt-5.0" / "a.jsonl")
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "by"), "--input-format", "jsonl", "--from", "column:p")
    assert run(spark, *asked) == 0
    assert [json.loads(line)["p"] for line in read_lines(tmp_path / "by" / "status=converted")] == ["mqtt-5.0"] * 2


def test_the_counts_are_those_of_the_wire_values(spark: SparkSession, tmp_path: Path) -> None:
    convert(spark, tmp_path, [f'{{"wire":"{WIRE}",{MEMBERS[0]}}}'] * 3)
    told = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert (told["read"], told["messages"], told["bytes_in"], told["bytes_out"]) == (3, 3, 3 * len(WIRE), 3 * len(CONVERTED))
