"""Wrong arguments get one line that suggests the nearest valid word."""

import re

import pytest

from docs.reference import arguments, below
from mqconvert.app.cli import main, parser
from mqconvert.app.parser import Parser
from tests.app.program import run


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["convert", "--from", "mqtt-5.0", "--to", "amqp-1.0"], 1, "truncated"),
        (["convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--profile", "no"], 2, "unknown profile"),
        (["convert", "--from", "stomp", "--to", "amqp-1.0"], 2, "invalid choice: 'stomp'"),
        (["convert", "--from", "amqp1.0", "--to", "amqp-1.0"], 2, "did you mean 'amqp-1.0'?"),
        (["convert", "--fro", "mqtt-5.0", "--to", "amqp-1.0"], 2, "unknown option --fro (did you mean '--from'?)"),
        (["convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "--profle", "x"], 2, "(did you mean '--profile'?)"),
        (["conver"], 2, "did you mean 'convert'?"),
        (["rules", "shew"], 2, "did you mean 'show'?"),
        (["rules"], 2, "required: ACTION; mqconvert rules --help shows the usage"),
        (["decode", "nsq", "--option", "max_frams=1"], 2, "did you mean 'max_frames'?"),
        (["convert", "--from", "mqtt-5.0", "--to", "amqp-1.0", "/no/such/file"], 2, "No such file"),
        (["explain", "--to", "amqp-1.0", "/no/such/file"], 2, "/no/such/file: No such file or directory"),
        (["explain", "--to", "nsq", "--input-format", "parquet", "/no/such"], 2, "mqconvert: /no/such: No such file"),
        (
            ["convert", "--to", "nsq", "--input-format", "rabbitmq-classic", "/no/such"],
            2,
            "mqconvert: there is no file /no/such",
        ),
        (["decode", "/no/such/file"], 2, "there is no file '/no/such/file'; argument PROTOCOL: invalid choice"),
        (["rules", "check", "/no/such/file"], 2, "cannot be read"),
        (["frames", "mqtt-5.0"], 2, "no other frames"),
        (["frames", "nsq", "--option", "max_decompressed=many"], 2, "bad_option"),
        (["frames", "nsq", "--option", "max_decompressed=many"], 2, "max_decompressed: expected a whole number, got 'many'"),
        (["frames", "nsq", "--option", "check_identify=maybe"], 2, "check_identify: expected true or false, got 'maybe'"),
        (["frames", "nsq", "--option", "max_frames"], 2, "expected an option as NAME=VALUE, got 'max_frames'"),
        (["frames", "phpmq"], 1, "truncated"),
        (["convert", "--from", "mqtt-5.0", "--to", "nsq", "--escape", "--address", "\udcff"], 2, "bad_option"),
        (["convert", "--from", "mqtt-5.0", "--to", "phpmq", "--mqtt-exchange", "\udcff"], 2, "bad_option"),
        (["convert", "--from", "mqtt-5.0", "--to", "nsq", "--frame", "xx"], 2, "frame must be one of send, message"),
        (["convert", "--to", "nsq", "--input-format", "hexx"], 2, "invalid choice: 'hexx' (did you mean 'hex'?)"),
        (["convert", "--to", "nsq", "--fields", "wire,raport"], 2, "commas: invalid choice: 'raport' (did you mean 'report'?)"),
    ],
)
def test_errors_are_one_clear_line(arguments: list[str], status: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == status
    [line] = [line for line in done.stderr.decode().splitlines() if line.startswith("mqconvert: ")]
    assert words in line
    assert "Traceback" not in done.stderr.decode()


def test_the_last_value_of_an_option_counts() -> None:
    """An alias or a script may give defaults before the caller's own options."""
    small, large = ("--option", "max_msg_size=1"), ("--option", "max_msg_size=2")
    wire = b"PUB t\n\0\0\0\x02hi"
    for options, status in (((*small, *large), 0), ((*large, *small), 1)):
        assert run("decode", "nsq", *options, data=wire).returncode == status


@pytest.mark.parametrize("left", [["in", "more"], ["--bogus", "in"], ["-", "in"], ["in", "--bogus"]])
def test_extra_arguments_are_usage_errors(left: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for before in ([], ["--format", "json"]):
        with pytest.raises(SystemExit) as ended:
            main(["decode", "mqtt-5.0", *before, *left])
        assert ended.value.code == 2
        assert ("unknown option --bogus" if "--bogus" in left else "unrecognized arguments") in capsys.readouterr().err


def _ends(of: Parser) -> list[Parser]:
    return [end for one in below(of) for end in _ends(one)] or [of]


@pytest.mark.parametrize("command", _ends(parser()), ids=lambda command: command.prog)
def test_every_argument_has_help(command: Parser) -> None:
    assert [name for name, words in arguments(command) if not words.removesuffix(" (required)")] == []


def test_help_fits_the_terminal_but_for_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    text, _, examples = parser().format_help().partition("examples")
    assert max(map(len, text.splitlines())) <= 60
    assert re.search(r"^    protocols +list the protocols$", text, re.MULTILINE)
    assert "convert --from mqtt-5.0 --to amqp-1.0 docs/samples/mqtt-5.0.bin -o message.bin\n" in examples
