"""`convert` of Parquet files: one row a message in one file, and the same answers as every other door."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqconvert import Entry, convert, decode, encode
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import to_base64
from mqconvert.messages import amqp10
from tests import corpus
from tests.app.program import INTERRUPTED

GOOD = bytes.fromhex("3006000174006869")
BAD = b"\x30\x05bad"


def _file(path: Path, **columns: Any) -> str:
    pq.write_table(pa.table(columns), path)
    return str(path)


def _converted(given: str, *more: str) -> tuple[int, list[dict[str, Any]]]:
    out = f"{given}.out"
    status = main(["convert", given, "--to", "amqp-1.0", "-o", out, *more])
    return status, pq.read_table(out).to_pylist()


def test_every_row_is_converted_or_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = _file(tmp_path / "a", id=[7, 8, 9], wire=[GOOD, BAD, None])
    status, rows = _converted(given)
    assert status == 1
    wire = encode(convert(GOOD, "amqp-1.0", source="mqtt-5.0").message)
    assert rows[0] == {
        "id": 7,
        "wire": GOOD,
        "index": 0,
        "converted": wire,
        "report": None,
        "error": None,
        "status": "converted",
    }
    assert [(row["id"], row["converted"], row["error"]["code"], row["status"]) for row in rows[1:]] == [
        (8, None, "truncated", "rejected"),
        (9, None, "no_wire", "rejected"),
    ]
    told = capsys.readouterr().err.splitlines()
    words = "taken for mqtt-5.0 by 1 of the first 2 values, could be mqtt-3.1.1 too; --from PROTOCOL chooses another"
    assert told[0] == f"mqconvert: {words}"
    assert told[1] == "mqconvert: 3 rows read, 1 message converted, 2 rejected"
    assert told[2] == "  all 2 fields arrive (1 unchanged, 1 changed)"


WRITERS: dict[str, Callable[[bytes], object]] = {"binary": bytes, "hex": bytes.hex, "base64": to_base64}


@pytest.mark.parametrize("encoding", WRITERS)
@pytest.mark.parametrize("form", ["plain", "large", "view", "dictionary", "dictionary of large"])
def test_every_type_of_bytes_and_text_is_read(encoding: str, form: str, tmp_path: Path) -> None:
    binary, text = (pa.binary(), pa.large_binary(), pa.binary_view()), (pa.string(), pa.large_string(), pa.string_view())
    kinds = dict(zip(("plain", "large", "view"), binary if encoding == "binary" else text, strict=True))
    values = [None if wire is None else WRITERS[encoding](wire) for wire in (GOOD, BAD, None, GOOD)]
    column = pa.array(values, kinds.get(form.removeprefix("dictionary of "), kinds["plain"]))
    column = column.dictionary_encode() if "dictionary" in form else column
    given = _file(tmp_path / "a", m=pa.StructArray.from_arrays([column], ["w"]))
    _, rows = _converted(given, "--wire-column", "m.w", "--encoding", encoding)
    assert [row["status"] for row in rows] == ["converted", "rejected", "rejected", "converted"]
    assert rows[3]["converted"] == encode(convert(GOOD, "amqp-1.0", source="mqtt-5.0").message)
    assert [row["m"]["w"] for row in rows] == values


def test_one_row_does_not_decide_the_protocol_of_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nul = bytes.fromhex("300d000174072600016b0001006869")  # MQTT 3.1.1 alone has no string there
    given = _file(tmp_path / "a", m=[None, *({"packet": wire.hex()} for wire in (nul, *([GOOD] * 500)))])
    status, rows = _converted(given, "--wire-column", "m.packet", "--encoding", "hex")
    assert (status, [row["error"]["code"] for row in rows if row["error"]]) == (1, ["no_wire", "bad_utf8"])
    assert "taken for mqtt-5.0 by 99 of the first 100 values, could be mqtt-3.1.1 too;" in capsys.readouterr().err


def test_the_summary_has_the_first_error_of_each_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = _file(tmp_path / "a", wire=[BAD, GOOD, b"\x30\x09bad", None])
    _, rows = _converted(given, "--from", "mqtt-5.0")
    words = [row["error"]["message"] for row in rows if row["error"]]
    assert words[0] != words[1]
    told = [line.split(maxsplit=3)[1:] for line in capsys.readouterr().err.splitlines() if "  first: " in line]
    assert told == [["2", "truncated", f"first: {words[0]}"], ["1", "no_wire", f"first: {words[2]}"]]


def test_the_summary_counts_no_fields_where_nothing_was_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _converted(_file(tmp_path / "a", wire=[BAD]), "--from", "mqtt-5.0")
    assert "field" not in capsys.readouterr().err


def test_the_summary_names_the_tables_of_a_route_of_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    retained = bytes.fromhex("3106000174006869")
    given = _file(tmp_path / "a", wire=[retained])
    for target, named in (("amqp-1.0", ""), ("nsq", "  mqtt-5.0 -> amqp-1.0")):
        main(["convert", given, "--from", "mqtt-5.0", "--to", target, "-o", f"{given}.out"])
        told = capsys.readouterr().err.splitlines()
        assert told[0] == "mqconvert: 1 row read, 1 message converted, 0 rejected"
        [line] = [line for line in told if "retain" in line]
        assert line == f"  dropped by rule                1  retain  no counterpart{named}"


def test_the_summary_tells_values_that_are_lost_in_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A time loses its fraction of a second, and AMQP 0.9.1 has no type for a character."""
    part = amqp10.Message(properties=amqp10.Properties(creation_time=1500), body=amqp10.Data([b""]))
    whole = amqp10.Message(application_properties=[Entry("c", "char", 97)], body=amqp10.Data([b""]))
    for messages, title in (([part], "lost in part"), ([whole], "lost"), ([part, whole], "lost, or in part")):
        given = _file(tmp_path / "a", wire=[encode(message) for message in messages])
        main(["convert", given, "--from", "amqp-1.0", "--to", "amqp-0.9.1", "-o", f"{given}.out"])
        told = capsys.readouterr().err.splitlines()
        titles = {line[2:].partition("   ")[0] for line in told[2:]}
        assert title in titles, told


def test_the_answers_are_those_of_json_lines(tmp_path: Path) -> None:
    cases = islice(corpus.lines("amqp091_to_mqtt5"), 500)
    wires = [encode(corpus.read("amqp-0.9.1", case["input"])) for case in cases] + [b"?"]
    given = _file(tmp_path / "a", wire=wires)
    lines = tmp_path / "lines"
    lines.write_text("".join(json.dumps({"wire": to_base64(wire)}) + "\n" for wire in wires))
    chosen = ["--from", "amqp-0.9.1", "--to", "mqtt-5.0", "--address", "a/b", "--clock", "5"]
    main(["convert", str(lines), "--format", "jsonl", "-o", f"{lines}.out", *chosen])
    expected = [json.loads(line) for line in Path(f"{lines}.out").read_text().splitlines()]
    main(["convert", given, "-o", f"{given}.out", *chosen])
    rows = pq.read_table(f"{given}.out").to_pylist()
    assert len(rows) == len(expected) > 100
    for row, line in zip(rows, expected, strict=True):
        assert (row["converted"] and to_base64(row["converted"])) == line.get("wire")
        assert (row["error"] and row["error"]["code"]) == line.get("error", {}).get("code")
        report = line.get("report", {"dropped": [], "lost": []})
        assert len((row["report"] or {"dropped": []})["dropped"]) == len(report["dropped"])


def test_several_messages_of_a_value_are_rows(tmp_path: Path) -> None:
    status, rows = _converted(_file(tmp_path / "a", id=[1, 2], wire=[GOOD + GOOD, GOOD]), "--from", "mqtt-5.0")
    assert (status, [(row["id"], row["index"], row["wire"]) for row in rows]) == (
        0,
        [(1, 0, GOOD + GOOD), (1, 1, None), (2, 0, GOOD)],
    )


def test_text_and_fields_of_structs_are_read(tmp_path: Path) -> None:
    given = _file(tmp_path / "a", m=[{"packet": GOOD.hex()}])
    _, rows = _converted(given, "--wire-column", "m.packet", "--encoding", "hex")
    assert decode("amqp-1.0", rows[0]["converted"]).body == amqp10.Data([b"hi"])


def test_an_empty_file_has_the_columns(tmp_path: Path) -> None:
    given = _file(tmp_path / "a", wire=pa.array([], pa.binary()))
    assert _converted(given, "--from", "mqtt-5.0") == (0, [])
    assert pq.read_schema(f"{given}.out").names == ["wire", "index", "converted", "report", "error", "status"]


@pytest.mark.parametrize(
    ("columns", "more", "words"),
    [
        ({"packet": [GOOD]}, [], "no column 'wire'; there are packet: choose with --wire-column NAME [missing_column]"),
        ({"wire": ["a"]}, [], "column 'wire' is string: --encoding base64 or hex reads text [wrong_column_type]"),
        ({"wire": [1]}, [], "column 'wire' is int64, not binary: choose with --wire-column NAME [wrong_column_type]"),
        ({"wire": [1.5]}, ["--encoding", "hex"], "column 'wire' is double, and --encoding hex reads text [wrong_column_type]"),
        (
            {"wire": [[GOOD]]},
            [],
            "column 'wire' is list<element: binary>, not binary: choose with --wire-column NAME [wrong_column_type]",
        ),
        ({"wire": [GOOD]}, ["--encoding", "hex"], "column 'wire' is binary, and --encoding hex reads text [wrong_column_type]"),
        ({"wire": [GOOD], "Error": [1]}, [], "already has a column error"),
        ({"wire": [b"?"]}, [], "the protocol of the input is not recognized"),
        ({"wire": [GOOD]}, ["--output-format", "json"], "Parquet is converted to Parquet"),
        ({"wire": [GOOD]}, ["--from", "mqtt-5.0", "--option", "no_such=1"], "no_such"),
    ],
)
def test_a_wrong_file_is_one_line(
    columns: dict[str, Any], more: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = _file(tmp_path / "a", **columns)
    assert main(["convert", given, "--to", "amqp-1.0", "-o", f"{given}.out", *more]) in (1, 2)
    told = capsys.readouterr().err
    assert words in told
    assert told.count("mqconvert: ") == 1
    assert not Path(f"{given}.out").exists()


@pytest.mark.parametrize("columns", [{"packet": [GOOD]}, {"wire": [1]}, {"wire": [GOOD], "index": [1]}])
def test_a_wrong_column_is_wrong_usage(columns: dict[str, Any], tmp_path: Path) -> None:
    assert main(["convert", _file(tmp_path / "a", **columns), "--to", "amqp-1.0", "-o", str(tmp_path / "out")]) == 2


def test_columns_of_one_name_and_a_file_without_columns_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given, wire = str(tmp_path / "a"), pa.array([GOOD])
    inside = pa.StructArray.from_arrays([wire, wire, wire], names=["wire"] * 3)
    for table, column, words in (
        (pa.table([wire, wire], names=["wire"] * 2), "wire", "column 'wire' is there 2 times: rename the others"),
        (pa.table([inside], names=["at"]), "at.wire", "column 'at.wire' is there 3 times: rename the others"),
        (pa.table({}), "wire", "no column 'wire': the file has no columns"),
    ):
        pq.write_table(table, given)
        for command in (["convert", given, "-o", f"{given}.out"], ["explain", given]):
            assert main([*command, "--to", "amqp-1.0", "--wire-column", column]) == 2
            assert f"{words} [missing_column]" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = _file(tmp_path / "a", wire=[GOOD])
    assert main(["convert", given, "--from", "mqtt-5.0", "--to", "amqp-1.0", "-o", f"{tmp_path}/none/out"]) == 2
    assert capsys.readouterr().err == f"mqconvert: {tmp_path}/none/out: No such file or directory\n"
    assert main(["convert", given, "--to", "amqp-1.0", "-o", str(tmp_path)]) == 2
    assert "name it with -o FILE" in capsys.readouterr().err


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_other_files_as_they_are(sent: signal.Signals, tmp_path: Path) -> None:
    given = _file(tmp_path / "a", wire=[GOOD] * 500_000)
    out, other = tmp_path / "out", tmp_path / "out.part"
    out.write_bytes(b"before")
    other.write_bytes(b"of another")
    there = {*tmp_path.iterdir()}
    with subprocess.Popen([*INTERRUPTED, "convert", given, "--from", "mqtt-5.0", "--to", "nsq", "-o", str(out)]) as process:
        while {*tmp_path.iterdir()} == there and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(sent)
    assert process.returncode == 128 + sent
    assert {*tmp_path.iterdir()} == there
    assert (out.read_bytes(), other.read_bytes()) == (b"before", b"of another")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["explain", "-", "--to", "amqp-1.0", "--input-format", "parquet"], "Parquet is read from a file"),
        (["explain", "PARQUET", "--to", "amqp-1.0", "--wire-column", "w"], "there are wire: choose with --wire-column NAME"),
        (["convert", "PARQUET", "--to", "nsq", "--wire-column", "\udcff", "-o", "OUT"], "no column '\\udcff'; there are wire"),
        (["explain", "PARQUET", "--from", "mqtt-5.0", "--to", "nsq", "-o", "PARQUET"], "is also the input"),
        (["decode", "mqtt-5.0", "PARQUET", "-o", "PARQUET"], "is also the input"),
        (["decode", "mqtt-5.0", "PARQUET", "--format", "json"], "omit it to get one line for each row"),
        (["decode", "mqtt-5.0", "PARQUET", "--spans"], "--spans is for the bytes of one message"),
        (["convert", "WIRE", "--to", "amqp-1.0", "--output-format", "parquet"], "Parquet is written from Parquet alone"),
        (["convert", "-", "--to", "amqp-1.0", "--input-format", "parquet"], "Parquet is read from a file"),
    ],
)
def test_other_uses_are_one_line(command: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wire").write_bytes(GOOD)
    files = {"PARQUET": _file(tmp_path / "a", wire=[GOOD]), "WIRE": str(tmp_path / "wire"), "OUT": str(tmp_path / "out")}
    assert main([files.get(word, word) for word in command]) in (1, 2)
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_rows_are_explained_and_decoded_by_their_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = _file(tmp_path / "a", msg=[{"packet": GOOD}, None, {"packet": BAD}, {"packet": GOOD * 2}])
    column = ("--wire-column", "msg.packet")
    assert main(["explain", given, "--from", "mqtt-5.0", "--to", "amqp-1.0", *column]) == 1
    told = capsys.readouterr()
    assert [line for line in told.out.splitlines() if line[:2] == "id"] == [
        f"id {given}:0:",
        f"id {given}:3: index 0:",
        f"id {given}:3: index 1:",
    ]
    assert told.err == f"mqconvert: id {given}:2: byte 2: 5 bytes announced, 3 there [truncated]\n"

    assert main(["decode", given, *column]) == 1
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["id"].removeprefix(f"{given}:") for line in lines] == ["0", "2", "3", "3"]
    assert lines[0]["message"]["topic_name"] == "t"
    assert lines[1]["error"]["code"] == "truncated"
    words = "taken for mqtt-5.0 by 2 of the first 3 values, could be mqtt-3.1.1 too; mqconvert decode PROTOCOL chooses another"
    assert told.err.splitlines()[0] == f"mqconvert: {words}"


def test_text_in_a_column_is_read_by_its_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = _file(tmp_path / "a", wire=[GOOD.hex(), "0"])
    assert main(["decode", "mqtt-5.0", given, "--encoding", "hex", "-o", f"{given}.jsonl"]) == 1
    lines = [json.loads(line) for line in Path(f"{given}.jsonl").read_text().splitlines()]
    assert [line.get("error", {}).get("code") for line in lines] == [None, "bad_hex"]
    assert main(["move", f"mqtt-5.0:{given}.jsonl", f"mqtt-5.0:{given}.moved", "--refused", f"{given}.refused"]) == 1
    assert "1 of 2 messages moved" in capsys.readouterr().err


def test_a_broken_file_leaves_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = Path(_file(tmp_path / "a", wire=[GOOD] * 1000))
    data = given.read_bytes()
    for broken in (data[:-5], b"PAR1" + data[8:], b"PAR1"):
        given.write_bytes(broken)
        assert main(["convert", str(given), "--from", "mqtt-5.0", "--to", "amqp-1.0", "-o", f"{given}.out"]) == 1
        assert "[not_parquet]" in capsys.readouterr().err
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


@pytest.mark.parametrize("name", ["s3:a", "file:a", "a:b#c", "\udcff"])
def test_names_are_those_of_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(_file(tmp_path / "a", wire=[GOOD])).rename(name)
    assert main(["convert", name, "--from", "mqtt-5.0", "--to", "amqp-1.0", "-o", f"{name}.out"]) == 0
    with Path(f"{name}.out").open("rb") as made:
        assert pq.read_table(made).num_rows == 1


def test_a_named_pipe_gets_the_output_and_stays(tmp_path: Path) -> None:
    given, pipe = _file(tmp_path / "a", wire=[GOOD]), tmp_path / "pipe"
    os.mkfifo(pipe)
    there = os.open(pipe, os.O_RDWR)  # a reader, so that opening and writing never wait
    assert main(["convert", given, "--from", "mqtt-5.0", "--to", "amqp-1.0", "-o", str(pipe)]) == 0
    assert pipe.is_fifo()
    assert pq.read_table(pa.BufferReader(os.read(there, 2**20))).num_rows == 1
    os.close(there)


def test_the_output_goes_into_the_file_that_a_link_names(tmp_path: Path) -> None:
    given, file, link = _file(tmp_path / "a", wire=[GOOD]), tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    assert main(["convert", given, "--from", "mqtt-5.0", "--to", "amqp-1.0", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert pq.read_table(file).num_rows == 1


def test_the_output_goes_through_a_pipe(tmp_path: Path) -> None:
    given = _file(tmp_path / "a", wire=[GOOD])
    command = [sys.executable, "-m", "mqconvert.app", "convert", given, "--to", "amqp-1.0"]
    made = subprocess.run(command, check=True, capture_output=True).stdout
    assert pq.read_table(pa.BufferReader(made)).num_rows == 1
