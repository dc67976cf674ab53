"""The commands: read, call the library, write. cli.py has the arguments."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import sys
import time
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from functools import partial
from itertools import chain, islice, starmap
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import mqconvert
from mqconvert import Conversion, ConversionError, DecodeError, message_from_json
from mqconvert.app.inputs import INPUTS, PARQUET, form_of, instead, is_parquet, lines, read, source_of, stored
from mqconvert.app.jsontext import write_json
from mqconvert.app.lines import (
    FIELDS,
    Made,
    Members,
    TooLong,
    answer_line,
    convert_entry,
    convert_numbered,
    each,
    message_in,
    parsed,
    shown,
    unbase64,
)
from mqconvert.app.options import choices_from, codec_options
from mqconvert.app.rows import cells, columns_of
from mqconvert.app.terminal import (
    CommandError,
    complain,
    excerpt,
    flag,
    hinting,
    hinting_bytes,
    note,
    on_errors,
    on_output,
    painted,
    several,
    table,
    tell,
    tell_progress,
)
from mqconvert.converters.account.aligned import Styled
from mqconvert.converters.choices import Choices, with_address, with_codecs
from mqconvert.converters.errors import redacting
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.jsonobject import STRICT
from mqconvert.converters.pipeline import Answer, Pipeline, Read
from mqconvert.converters.readers import Broken, Record, reader

if TYPE_CHECKING:
    from mqconvert import Message

T = TypeVar("T")

OK, SOME_FAILED, USAGE = 0, 1, 2
_CONTROLS = re.compile(rb"[^\t\n\r -~]")
"""Bytes that a terminal does not show as they are."""


def _output(name: str) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdout.buffer) if name == "-" else open(name, "wb")  # noqa: PTH123 - the shortest form


def _write(name: str, raw: bytes) -> None:
    with _output(name) as out:
        out.write(raw)


def _write_wire(name: str, raw: bytes, instead: str) -> int:
    """Write wire bytes, but binary ones to no terminal: they could change it. `instead` is what to do for text."""
    if name == "-" and sys.stdout.isatty() and _CONTROLS.search(raw):
        raise CommandError(f"the output is binary: redirect it with > FILE or -o FILE{instead}")
    _write(name, raw)
    return OK


def convert(chosen: Namespace) -> int:
    if _is_parquet(chosen):
        return _convert_parquet(chosen)
    given = form_of(chosen, codec_options(chosen.option))
    wanted = chosen.output_format or (chosen.format if given in INPUTS else "jsonl")
    if wanted == PARQUET:
        raise CommandError("Parquet is written from Parquet alone, and the input is not Parquet")
    if wanted == "wire" and chosen.fields not in (None, ("wire",)):
        raise CommandError("--fields selects members of JSON: add --output-format json or jsonl")
    if chosen.jobs > 1 and (given, wanted) != ("jsonl", "jsonl"):
        raise CommandError("--jobs divides lines among processes: add --format jsonl")
    chosen.source = source_of(chosen, given, chosen.source, codec_options(chosen.option))
    default = {"wire": ("wire",), "json": FIELDS, "jsonl": ("wire", "report")}[wanted]
    pipeline = _pipeline(chosen, chosen.fields or default)
    account = partial(_account, pipeline, redact=chosen.redact, width=_width(chosen), styled=on_errors)
    make = partial(_line, account if chosen.explain else None)
    if chosen.jobs > 1:
        from mqconvert.app.jobs import in_order  # noqa: PLC0415 - multiprocessing is slow to import, and some platforms lack it

        with closing(in_order(chosen.jobs, _lines(chosen), partial(_made, pipeline, make))) as results:
            return _written(chosen, given, results)
    if wanted == "jsonl":
        return _written(chosen, given, starmap(make, _answers(chosen, given, pipeline)))
    answers = [answer for _, answer in islice(_answers(chosen, given, pipeline), 2)]
    if len(answers) == 2 and answers[1].message is None:
        answers[1].result()  # raises the error after the message
    if len(answers) != 1:
        number = "several messages" if answers else "no message"
        raise CommandError(f"the input holds {number}; convert several with --output-format jsonl")
    if chosen.explain:
        sys.stderr.write(account(answers[0]))
    made = answers[0].result()
    if wanted == "wire":
        return _write_wire(chosen.output, unbase64(made["wire"]), ", or show it with --output-format json")
    _write(chosen.output, _json(made, indent=2))
    return OK


def _is_parquet(chosen: Namespace) -> bool:
    """Return whether the input is a Parquet file: by its name for the format, or by its first bytes."""
    if chosen.input_format not in (None, "wire"):
        return bool(chosen.input_format == PARQUET)
    bytes_in = ("wire", "json") if chosen.run is decode else ("wire",)  # the format of `decode` is that of its output
    return chosen.format in bytes_in and chosen.input != "-" and is_parquet(chosen.input)


def _convert_parquet(chosen: Namespace) -> int:
    if chosen.output_format not in (None, PARQUET) or chosen.fields is not None or chosen.explain or chosen.jobs > 1:
        raise CommandError("Parquet is converted to Parquet: without --output-format, --fields, --explain and --jobs")
    if _one_file(chosen.input, chosen.output):
        raise CommandError(f"{chosen.output} is also the input: choose another output file")
    if (chosen.output == "-" and sys.stdout.isatty()) or Path(chosen.output).is_dir():
        raise CommandError("Parquet is binary, and one file: name it with -o FILE")
    return SOME_FAILED if _parquet().convert_file(chosen) else OK


def _parquet() -> ModuleType:
    try:
        from mqconvert.app import parquet  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise CommandError(f"Parquet needs its extra ({error}): pip install 'mqconvert[parquet]'") from None
    return parquet


def explain(chosen: Namespace) -> int:
    given = PARQUET if _is_parquet(chosen) else form_of(chosen, codec_options(chosen.option))
    with redacting(wanted=chosen.redact):
        chosen.source = _source_of(chosen, given, chosen.source)
    pipeline = _pipeline(chosen, ("wire",))  # so that it fails where `convert` does
    form, environment = chosen.output_format, pipeline.choices.environment
    shown = sys.stdout if chosen.output == "-" else None

    def make(named: Members, answer: Answer[Members]) -> Made:
        if answer.error is not None:
            tell(answer.error.redacted() if chosen.redact else answer.error, chosen.errors, **named)
        output = b""
        if form == "text":
            width, styled = (_width(chosen), on_output) if shown else (None, None)
            text = _headed(named, _account(pipeline, answer, redact=chosen.redact, width=width, styled=styled))
            output = text.encode(sys.stdout.encoding if shown else "utf-8", "backslashreplace")
        elif answer.conversion is not None:
            told = mqconvert.explained_json(answer.message, answer.conversion, redact=chosen.redact, environment=environment)
            output = _json(named | {"report": told}, 2 if form == "json" else None)
        return Made(output, _defect(answer), int(answer.error is not None))

    with redacting(wanted=chosen.redact):
        return _written(chosen, given, starmap(make, _answers(chosen, given, pipeline)), told_each=True)


def _source_of(chosen: Namespace, form: str, named: str, choose: str = "--from") -> str:
    if form == PARQUET:
        told: str = _parquet().source_of(chosen, named, choose)
        return told
    return source_of(chosen, form, named, codec_options(chosen.option), choose)


def decode(chosen: Namespace) -> int:
    if chosen.format == "jsonl" and chosen.input_format != "wire":
        raise CommandError(f"--format jsonl also applies to the input: leave it out for one message in {chosen.input_format}")
    given = PARQUET if _is_parquet(chosen) else "jsonl" if chosen.format == "jsonl" else chosen.input_format
    if (given, chosen.format) == (PARQUET, "json"):
        raise CommandError("--format json is for one message: omit it to get one line for each row of the Parquet file")
    chosen.protocol = _source_of(chosen, given, chosen.protocol, "mqconvert decode")
    if chosen.spans:
        if given in ("jsonl", PARQUET) or chosen.option:
            raise CommandError("--spans is for the bytes of one message: leave out --format jsonl and --option")
        return _decode_located(chosen)
    [reading] = mqconvert.options_for([(chosen.protocol, "decode_all")], codec_options(chosen.option))
    pipeline: Pipeline[Members]
    pipeline = Pipeline(Choices(), chosen.protocol, chosen.protocol, partial(shown, fields=("message",)), reading)
    if given in ("jsonl", PARQUET):
        return _written(chosen, given, starmap(partial(_line, None), _answers(chosen, given, pipeline)))
    answers = list(_answers(chosen, given, pipeline))
    if chosen.format == "json" and len(answers) > 1:
        raise CommandError(f"the input holds {len(answers)} messages; omit --format json to get one line for each")
    indent = 2 if chosen.format == "json" else None
    _write(chosen.output, b"".join(_json(answer.result()["message"], indent) for _, answer in answers if answer.error is None))
    return _told(chosen, answers)


def _decode_located(chosen: Namespace) -> int:
    """Write one message and the bytes of its places."""
    data = read(chosen, chosen.input_format)
    with hinting(data, chosen.protocol, "mqconvert decode"):
        located = mqconvert.decode(chosen.protocol, data, spans=True)
    made = {"message": mqconvert.message_to_json(located.message), "spans": located.spans}
    _write(chosen.output, _json(made, 2 if chosen.format == "json" else None))
    return OK


def _told(chosen: Namespace, answers: list[tuple[Members, Answer[Members]]]) -> int:
    """Print the errors of invalid members, and return the exit status."""
    status = OK
    for named, answer in answers:
        if answer.error is not None:
            tell(answer.error, chosen.errors, **named)
            status = SOME_FAILED
    return status


def encode(chosen: Namespace) -> int:
    if chosen.batch and chosen.format == "jsonl":
        raise CommandError("--batch makes one frame of all messages: omit --format jsonl")
    environment = choices_from(chosen).environment
    [writing] = mqconvert.options_for([(chosen.protocol, "encode")], codec_options(chosen.option), {"clock": environment.clock})

    def addressed(message: Message) -> Message:
        return message if environment.address is None else with_address(message, environment)

    def write(conversion: Conversion) -> Members:
        return {"wire": to_base64(mqconvert.encode(addressed(conversion.message), **writing))}

    if chosen.format == "jsonl":
        pipeline = Pipeline(Choices(), chosen.protocol, chosen.protocol, write)
        return _written(chosen, "jsonl", starmap(partial(_line, None), _answers(chosen, "jsonl", pipeline)))
    data = read(chosen, "json")
    with hinting_bytes(data, instead(chosen)):
        given = _json_values(data, "message")
    messages = each(given, lambda form: addressed(message_from_json(message_in(form), chosen.protocol)))
    if chosen.batch:
        raw = mqconvert.encode_batch(messages, **writing)
    elif chosen.format == "json" and len(messages) > 1:
        raise CommandError(f"the input holds {len(messages)} messages; omit --format json to write them one after another")
    else:
        raw = b"".join(each(messages, lambda message: mqconvert.encode(message, **writing)))
    return _write_wire(chosen.output, raw, "")


def _pipeline(chosen: Namespace, fields: tuple[str, ...]) -> Pipeline[Members]:
    choices, reading, writing = with_codecs(choices_from(chosen), chosen.source, chosen.target, codec_options(chosen.option))
    return Pipeline(choices, chosen.source, chosen.target, partial(shown, fields=fields, writing=writing), reading)


def _answers(chosen: Namespace, form: str, pipeline: Pipeline[Members]) -> Iterator[tuple[Members, Answer[Members]]]:
    """Yield the answers to the input, each with the first members of its line. Raises DecodeError unless the input is jsonl."""
    if form == "jsonl":
        return chain.from_iterable(starmap(partial(convert_numbered, pipeline), enumerate(_lines(chosen), 1)))
    if form not in INPUTS:
        entries = (
            _parquet().records(chosen, pipeline.source)
            if form == PARQUET
            else _entries(form, chosen.input, pipeline.source, chosen.errors)
        )
        return chain.from_iterable(convert_entry(entry, pipeline) for entry in entries)
    data = read(chosen, form)
    if form == "json":
        with hinting_bytes(data, instead(chosen)):
            made = Read([message_from_json(message_in(parsed(data)), pipeline.source)])
    else:
        with hinting(data, pipeline.source, "--from" if "source" in chosen else "mqconvert decode"):
            made = pipeline.read(data)
        for one in made.found:
            if isinstance(one, DecodeError) and one.offset is not None:
                one.add_note(excerpt(data, one.offset))
    if made.skipped:
        note(f"skipped {several(made.skipped, 'frame')} without a message", chosen.errors)
    many = len(made.found) > 1
    return (({"index": index} if many else {}, pipeline.answer(message)) for index, message in enumerate(made.found))


def _entries(form: str, path: str, protocol: str, errors: str) -> Iterator[Record | Broken]:
    """Yield the messages of a protocol, and the broken entries, in files that a broker left."""
    found = reader(form)
    if protocol not in found.protocols:
        words = f"{form} has messages of {', '.join(found.protocols)}, not of {protocol}"
        raise ConversionError(words, code="bad_option")
    notes, others = found.notes, 0
    for entry in stored(found, path):
        if isinstance(entry, Record) and entry.protocol != protocol:
            others += 1
            continue
        if isinstance(entry, Record) and entry.maybe_settled:
            for words in notes:
                note(words, errors)
            notes = ()
        yield entry
    if others:
        note(f"left out {several(others, 'message')} of other protocols than {protocol}", errors)


def _lines(chosen: Namespace) -> Iterator[bytes | TooLong]:
    coming = lines(chosen)
    return _with_progress(coming, _size(chosen.input)) if sys.stderr.isatty() else coming


def _with_progress(lines: Iterable[bytes | TooLong], size: int | None) -> Iterator[bytes | TooLong]:
    """Yield the lines, and print once a second how far they are, for a terminal. `size` is that of the input, if known."""
    start = last = time.monotonic()
    done = 0
    for count, line in enumerate(lines, 1):
        yield line
        done += 1 + (line.limit if isinstance(line, TooLong) else len(line))
        if count % 1024 == 0 and time.monotonic() - last > 1:
            last = time.monotonic()
            tell_progress(several(count, "line"), count, last - start, min(done / size, 1) if size else None)
    if last > start:
        print(file=sys.stderr)


def _size(source: str) -> int | None:
    """Return the bytes of an input that is a regular file."""
    told = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
    return told.st_size if stat.S_ISREG(told.st_mode) else None


def _json(value: object, indent: int | None = None) -> bytes:
    return (json.dumps(value, allow_nan=False, indent=indent).encode() if indent else write_json(value)) + b"\n"


def _made(
    pipeline: Pipeline[Members], make: Callable[[Members, Answer[Members]], Made], number: int, line: bytes | TooLong
) -> Iterator[Made]:
    """Return the output of each answer to a line, in a process of --jobs."""
    return starmap(make, convert_numbered(pipeline, number, line))


def _line(account: Callable[[Answer[Members]], str] | None, named: Members, answer: Answer[Members]) -> Made:
    """Return an answer as a line of JSON, with the account of its fields for standard error if requested."""
    if account is None and answer.error is None:
        return Made(answer_line(named, answer))
    told = "" if account is None else _headed(named, account(answer))
    return Made(answer_line(named, answer), told + _defect(answer), int(answer.error is not None))


def _account(
    pipeline: Pipeline[Members], answer: Answer[Members], *, redact: bool, width: int | None, styled: Styled | None
) -> str:
    """Return the outcome of every field; an empty text for a message that was not converted."""
    if answer.conversion is None:
        return ""
    explained = partial(mqconvert.explained, redact=redact, width=width, styled=styled)
    return f"{explained(answer.message, answer.conversion, environment=pipeline.choices.environment)}\n"


def _headed(named: Members, text: str) -> str:
    """Return an account below the members that name its message among several, as in errors."""
    return f"{': '.join(f'{name} {value}' for name, value in named.items())}:\n{text}" if named and text else text


def _width(chosen: Namespace) -> int | None:
    """Return the characters of a line of an explanation: those of the terminal, or COLUMNS, or 80."""
    return None if chosen.wide else shutil.get_terminal_size().columns


def _defect(answer: Answer[Members]) -> str:
    """Return the traceback of a defect that rejected its message; an empty text for other answers."""
    error = answer.error
    return "".join(traceback.format_exception(error)) if error is not None and error.code == "internal" else ""


def _written(chosen: Namespace, form: str, results: Iterable[Made], *, told_each: bool = False) -> int:
    """Write the results one by one; lines take constant memory. Return 1 if a message failed.

    Standard error has the number of failed lines, unless the errors are there (`told_each`) or wanted as JSON.
    """
    if (form == "jsonl" or form not in INPUTS) and _one_file(chosen.input, chosen.output):
        raise CommandError(f"{chosen.output} is also the input: choose another output file")
    found, count, failures = False, 0, 0
    results = iter(results)
    first = list(islice(results, 1))  # an input that cannot be read leaves the output as it is
    with _output(chosen.output) as out:
        for output, told, failed in chain(first, results):
            found |= bool(output or told or failed)
            if told:
                sys.stderr.write(told)
            out.write(output)
            count += output.count(b"\n")
            failures += failed
    if not found and chosen.errors == "text":
        complain("no message in the input")
    if failures and not told_each and chosen.errors == "text":
        complain(f'{failures:,} of {several(count, "line")} failed; the member "error" says why')
    return SOME_FAILED if failures else OK


def _one_file(source: str, target: str) -> bool:
    """Return whether input and output are the same regular file, also under other names or by redirection."""
    try:
        read = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
        written = os.fstat(sys.stdout.fileno()) if target == "-" else Path(target).stat()
    except OSError:
        return False  # one of the files does not exist yet
    return stat.S_ISREG(read.st_mode) and os.path.samestat(read, written)


def frames(chosen: Namespace) -> int:
    options = codec_options(chosen.option)
    data = read(chosen, "json" if chosen.encode else chosen.input_format)
    if chosen.encode:
        with hinting_bytes(data, instead(chosen)):
            values = _json_values(data, "frame")
        made = each(values, partial(mqconvert.frame_from_json, chosen.protocol))
        raw = b"".join(each(made, lambda frame: mqconvert.encode_frame(chosen.protocol, frame, **options)))
        return _write_wire(chosen.output, raw, "")
    with hinting(data, chosen.protocol, "mqconvert frames"):
        frames = mqconvert.decode_frames(chosen.protocol, data, **options)
    written = [mqconvert.frame_to_json(chosen.protocol, frame) for frame in frames]
    texts, indent = ([written], 2) if chosen.format == "json" else (written, None)
    raw = b"".join(json.dumps(text, allow_nan=False, indent=indent).encode() + b"\n" for text in texts)
    _write(chosen.output, raw)
    return OK


def _json_values(data: bytes, what: str) -> list[object]:
    """Return the JSON objects, or arrays of objects, from the output of `frames`. Raises DecodeError for an empty input."""
    read, skip, at = STRICT.raw_decode, re.compile(r"\s*").match, 0
    values: list[object] = []
    try:
        text = data.decode(json.detect_encoding(data)).strip()  # with or without a byte order mark
        while at < len(text):
            found, at = read(text, at)
            values.extend(found if isinstance(found, list) else [found])
            at = skip(text, at).end()  # type: ignore[union-attr]  # \s* matches anywhere
    except (ValueError, RecursionError) as error:
        raise DecodeError("bad_json", f"not JSON: {error}") from None
    if not values:
        raise DecodeError("bad_json", f"no {what}")
    return values


def fidelity(chosen: Namespace) -> int:
    tables = {"profile": chosen.profile, "rules": chosen.rules}
    forecast = mqconvert.fidelity(chosen.source, chosen.target, back=chosen.back, payload=chosen.payload, **tables)
    text = forecast.folded(shutil.get_terminal_size().columns, flag) if sys.stdout.isatty() else forecast.text(flag)
    print(json.dumps(forecast.as_dict(), indent=2) if chosen.format == "json" else text)
    return OK


def serve(chosen: Namespace) -> int:
    try:
        from mqconvert.app.http.server import serve  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise CommandError(f"the service needs its extra ({error}): pip install 'mqconvert[http]'") from None
    try:
        serve(chosen.host, chosen.port, workers=chosen.workers)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise CommandError(f"port {chosen.port} is in use: --port N chooses another") from None
    return OK


def batch(chosen: Namespace) -> int:
    try:
        from mqconvert.app.batch.command import command  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise CommandError(f"the Spark job needs its extra ({error}): pip install 'mqconvert[spark]'") from None
    status: int = command(chosen)
    return status


def move(chosen: Namespace) -> int:
    from mqconvert.app.move import move  # noqa: PLC0415 - other commands need none of it

    return move(chosen)


def protocols(_chosen: Namespace) -> int:
    print(table(("protocol", "title"), [(protocol.name, protocol.title) for protocol in mqconvert.PROTOCOLS.values()]))
    return OK


def routes(_chosen: Namespace) -> int:
    rows = [(route.source, route.target, ", ".join(route.tables)) for route in mqconvert.routes()]
    print(table(("from", "to", "tables"), rows))
    return OK


def rules_list(chosen: Namespace) -> int:
    tables = mqconvert.rule_tables(chosen.profile, chosen.rules)
    rows = [(one.name, str(len(one.rules)), str(len(one.types)), one.hash, one.file) for one in tables]
    print(table(("table", "rules", "types", "hash", "file"), rows))
    return OK


_NO_TABLE = "# no table: messages of the same protocol remain unchanged"


def rules_show(chosen: Namespace) -> int:
    converter = mqconvert.converter(chosen.source, chosen.target, profile=chosen.profile, rules=tuple(chosen.rules))
    if not converter.route.legs:
        print(_NO_TABLE)
    for one in converter.route.legs:
        print(painted(f"{one.name}  ({one.file}, {one.hash})", "bold"))
        for heading, rules in (("first", one.start), ("fields", one.rules), ("types", one.types), ("last", one.finish)):
            if rules:
                rows = [cells(rule) | {"note": rule.note or ""} for rule in rules]
                columns = tuple(name for name in columns_of(rows) if name != "cite")
                listed = [[row.get(name, "") for name in columns] for row in rows]
                print(f"\n{heading}\n{table(columns, listed, wide=chosen.wide)}")
    return OK


def rules_source(chosen: Namespace) -> int:
    print(mqconvert.generated_source(chosen.source, chosen.target, profile=chosen.profile, rules=chosen.rules) or _NO_TABLE)
    return OK


def rules_check(chosen: Namespace) -> int:
    changed = mqconvert.check_rules(chosen.file, profile=chosen.profile)
    print(f"{chosen.file}: {'good, for ' + ', '.join(changed) if changed else 'empty, changes no table'}")
    return OK


def completion(chosen: Namespace) -> int:
    try:
        from argcomplete.shell_integration import shellcode  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CommandError(f"completion needs its extra ({error}): pip install 'mqconvert[completion]'") from None
    print(shellcode(["mqconvert"], shell=chosen.shell))
    return OK
