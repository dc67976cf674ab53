"""Invalid options of `mqconvert batch` are refused before Spark starts."""

import argparse
from pathlib import Path

import pytest

from mqconvert import MqConvertError
from mqconvert.app.batch.options import add_arguments, memory
from mqconvert.app.cli import main
from mqconvert.converters.choices import OPTIONS
from tests.app.batch.runs import PAIR, job
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_batch_takes_every_option_of_a_conversion() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert {one.name for one in OPTIONS} <= set(vars(parser.parse_args([*PAIR, "--input", "i", "--output", "o"])))


def test_a_number_below_its_bound_is_a_one_line_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["batch", *PAIR, "--input", "/in", "--output", "/out", "--partitions", "0"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "argument --partitions: '0' is not a number from 1" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "stomp"], "unknown protocol 'stomp'"),
        (["--to", "stomp"], "unknown protocol 'stomp'"),
        (["--from", "column:"], "names no column"),
        (["--profile", "no"], "unknown profile"),
        (["--rules", "/no/such/overlay.toml"], "cannot be read"),
        (["--max-reject-share", "2"], "max_reject_share must be a number from 0 to 1"),
        (["--max-reject-share", "nan"], "max_reject_share must be a number from 0 to 1"),
        (["--stream"], "needs a --checkpoint"),
        (["--checkpoint", "c"], "go with --stream"),
        (["--stream", "--checkpoint", "c", "--overwrite"], "no --rejects, no --overwrite"),
        (["--rejects", "/out"], "are the same path"),
        (["--input-format", "lines", "--encoding", "binary"], "cannot be combined with lines"),
        (["--report", "/no/such/folder/report.json"], "there is no folder"),
        (["--report", "/"], "--report / is a folder"),
        (["--prefix", "${spark.master}"], "Spark would replace ${...} in '${spark.master}' by a setting"),
        (["--wire-column", "msg.${user.name}"], "Spark would replace ${...} in 'msg.${user.name}' by a setting"),
        (["--from", "column:${user.name}"], "Spark would replace ${...} in '${user.name}' by a setting"),
        (["--memory", "much"], "takes a size"),
        (["--memory", "100m"], "too little"),
        (["--memory", "900t"], "too little memory"),
        (["--option", "lenient"], "expected an option as NAME=VALUE"),
        (["--option", "stream=maybe"], "stream: expected true or false"),
        (["--option", "lenient=true"], "no option 'lenient'; known: "),
        (["--master", "sc://127.0.0.1"], "needs a classic session"),
    ],
)
def test_invalid_options_are_one_line_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    """The error is one clear line, before a Java machine starts."""
    assert main(["batch", *PAIR, "--input", "/in", "--output", "/out", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_options_of_the_codecs_go_to_the_ends_that_have_them() -> None:
    given = ("--option", "lenient=true", "--option", "max_batch=5")
    both = job("--input", "/in", "--output", "/out", "--from", "column:p", *given)
    assert dict(both.choices.options) == {"lenient": True, "max_batch": 5}


@pytest.mark.parametrize("name", ["x; drop table y", "x -- y", "a..b", "a.", ".a", "a-b", "x`y", "``", "a b", ""])
def test_a_text_that_is_no_name_of_a_table_is_refused(name: str) -> None:
    with pytest.raises(MqConvertError, match="is not the name of a table") as refused:
        job("--input", "/in", "--output-table", name)
    assert refused.value.code == "bad_option"


@pytest.mark.parametrize("name", ["a", "lake.`a b.c`.d_1", "`x; drop table ``y`"])
def test_names_of_tables_have_parts_and_backticks(name: str) -> None:
    assert job("--input", "/in", "--output-table", name).table == name


def test_an_invalid_overlay_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text('["mqtt-5.0 -> amqp-0.9.1"]\nremove = ["nothing"]\n')
    assert main(["batch", *PAIR, "--input", "/in", "--output", "/out", "--rules", str(tmp_path / "mine.toml")]) == 2
    assert "mine.toml" in capsys.readouterr().err


def test_memory_beyond_the_free_memory_is_refused() -> None:
    with pytest.raises(MqConvertError, match="512m are free"):
        memory("1g", 512 * 2**20)
