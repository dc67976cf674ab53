"""docs/samples: the input files of commands in the docs."""

import json
import subprocess
import sys
from pathlib import Path

from mqconvert import PROTOCOLS, decode, message_to_json
from mqconvert.mappings import sample_messages

FOLDER = Path(__file__).parents[2] / "docs" / "samples"


def test_each_protocol_has_a_file_with_its_first_sample() -> None:
    first = {sample["message"]["protocol"]: sample["message"] for sample in reversed(sample_messages())}
    assert {file.stem for file in FOLDER.glob("*.bin")} == {*PROTOCOLS} == first.keys()
    for name, message in first.items():
        assert message_to_json(decode(name, (FOLDER / f"{name}.bin").read_bytes())) == message


def test_archive_converts_line_by_line() -> None:
    command = [sys.executable, "-m", "mqconvert.app", "convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--format", "jsonl"]
    done = subprocess.run([*command, str(FOLDER / "archive.jsonl")], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in lines] == list(range(100))
    assert all("wire" in line for line in lines)
