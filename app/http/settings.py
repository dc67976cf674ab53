"""The settings of a deployment: environment variables, read once, here."""

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from mqconvert import MqConvertError, check_options_of_all
from mqconvert.app.options import codec_option

PREFIX = "MQCONVERT_"
_OTHERS = ("PURE", "RABBITMQ", "SEED")
"""Variables of the library and of the tests, which the service does not read."""


class SettingError(MqConvertError):
    """An invalid environment variable. `code` is `bad_option`."""


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limit(default: int, words: str, least: int = 1) -> Any:
    return field(default=default, metadata={"words": words, "least": least})


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes are in bytes, times in seconds. `rules` are overlays (names or files) loaded into every conversion; `options` are
    those of codecs, for every protocol that has them; `cors` are origins, or `*`.
    """

    token: str | None = None
    rules: tuple[str, ...] = ()
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    cors: tuple[str, ...] = ()
    workers: int = field(
        default_factory=_processors, metadata={"words": "worker processes (default: one a processor)", "least": 1}
    )
    max_body: int = _limit(2**20, "request body, but for a batch")
    max_line: int = _limit(2**20, "line of a batch; a longer one is skipped, and an error line stands for it")
    max_messages: int = _limit(1_000_000, "messages in one batch; more end it with an error line")
    max_batch: int = _limit(1000, "messages of one value: members of a batch, or messages in a row")
    max_frames: int = _limit(10_000, "frames of one value")
    max_decompressed: int = _limit(4 * 2**20, "bytes that the compressed parts of one value become")
    max_answer: int = _limit(16 * 2**20, "answer; of a batch, the answer to one line")
    max_held: int = _limit(128 * 2**20, "bodies and answers on their way, of all clients together; more are answered 429")
    max_cache: int = _limit(32 * 2**20, "cached answers about tables, compressed")
    max_connections: int = _limit(
        512, "connections; the one that waited longest gives way, and the limit of descriptors lowers it"
    )
    concurrency: int = _limit(64, "requests that wait for a worker or have one; more are answered 429")
    worker_memory: int = _limit(384 * 2**20, "memory of one worker; work that needs more is answered 413")
    work_timeout: int = _limit(30, "work on one request or line; more is answered 413")
    head_timeout: int = _limit(10, "time to send the head of a request")
    body_timeout: int = _limit(20, "time to send a body, beside what MQCONVERT_MIN_RATE gives")
    min_rate: int = _limit(1024, "bytes a second that a client sends at least")
    answer_timeout: int = _limit(20, "time to take each 48 KiB of an answer")
    idle_timeout: int = _limit(60, "time that a connection may be idle between requests")
    drain_delay: int = _limit(5, "time from SIGTERM on in which /readyz says 503 and requests are still taken", least=0)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read MQCONVERT_TOKEN, _RULES (separated by colons), _OPTIONS (NAME=VALUE, separated by blanks), _CORS (separated by
        blanks), and a number for every other field.

        An empty variable counts as unset. SettingError for an unknown name, an invalid number, an option that no protocol
        has, and a token that no header can bring; its text does not have the token.

        >>> Settings.from_environment({"MQCONVERT_MAX_BODY": "1024", "MQCONVERT_CONCURRENCY": ""}).max_body
        1024
        >>> Settings.from_environment({"MQCONVERT_CONCURRENCY": "0"})
        Traceback (most recent call last):
            ...
        mqconvert.app.http.settings.SettingError: MQCONVERT_CONCURRENCY is a number from 1, not '0'
        >>> Settings.from_environment({"MQCONVERT_MAXBODY": "1024"})
        Traceback (most recent call last):
            ...
        mqconvert.app.http.settings.SettingError: no setting MQCONVERT_MAXBODY; did you mean MQCONVERT_MAX_BODY?
        """
        known = {one.name.upper(): one for one in fields(cls)}
        given = {name.removeprefix(PREFIX): text for name, text in environment.items() if name.startswith(PREFIX)}
        for name in given.keys() - known.keys() - {*_OTHERS}:
            raise _unknown(name, [*known])
        numbers = {
            one.name: _number(name, given[name], one.metadata["least"])
            for name, one in known.items()
            if one.metadata and given.get(name)
        }
        rules = tuple(name for name in given.get("RULES", "").split(":") if name)
        options = _options(given.get("OPTIONS", ""))
        cors = tuple(given.get("CORS", "").split())
        return cls(token=_token(given.get("TOKEN", "")), rules=rules, options=options, cors=cors, **numbers)

    @property
    def limits(self) -> dict[str, str | int | bool]:
        """The options of codecs: the limits that are settings, and MQCONVERT_OPTIONS over them."""
        own = {"max_batch": self.max_batch, "max_frames": self.max_frames, "max_decompressed": self.max_decompressed}
        return own | dict(self.options)

    @property
    def memory(self) -> int:
        """The most memory that the service takes with these settings, in bytes: docs/service.md has the sum."""
        server = 128 * 2**20 + self.max_held + self.max_cache + self.max_connections * 256 * 2**10
        return server + (self.workers + 1) * self.worker_memory


def setting_of(limit: str, settings: Settings) -> str:
    """The environment variable that sets a limit of a codec.

    >>> setting_of("max_batch", Settings()), setting_of("max_content", Settings())
    ('MQCONVERT_MAX_BATCH', 'MQCONVERT_OPTIONS')
    """
    own = limit in {one.name for one in fields(Settings)} and limit not in settings.options
    return f"{PREFIX}{limit.upper() if own else 'OPTIONS'}"


def _unknown(name: str, known: list[str]) -> SettingError:
    close = difflib.get_close_matches(name, known, 1)
    hint = f"did you mean {PREFIX}{close[0]}?" if close else f"known: {', '.join(known)}"
    return SettingError(f"no setting {PREFIX}{name}; {hint}", code="bad_option")


def _token(text: str) -> str | None:
    """A line end behind it, as secrets in files have, would make a token that no request can bring."""
    if text != text.strip() or not text.isprintable():
        words = "MQCONVERT_TOKEN begins or ends with white space, or holds what no header can"
        raise SettingError(words, code="bad_option")
    return text or None


def _options(text: str) -> dict[str, str | int | bool]:
    options = dict(map(codec_option, text.split()))
    try:
        if options:  # else no codec is imported for it
            check_options_of_all(options)
    except MqConvertError as error:
        raise SettingError(f"MQCONVERT_OPTIONS: {error}", code="bad_option", field=error.field) from None
    return options


def _number(name: str, text: str, least: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 16 and int(text) >= least:
        return int(text)
    raise SettingError(f"{PREFIX}{name} is a number from {least}, not {text!r}", code="bad_option")
