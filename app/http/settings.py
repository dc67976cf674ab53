"""The settings of a deployment, read once from environment variables."""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from mqconvert import MqConvertError, check_options
from mqconvert.app.options import codec_options
from mqconvert.converters.environment import Option, option, options_of

PREFIX = "MQCONVERT_"
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_ORIGIN = re.compile(r"\*|[a-z][a-z0-9+.-]*://([^\s/?#@:\[\]A-Z]+|\[[0-9a-f:.]+\])(:\d{1,5})?")
_SITE = re.compile(r"https?://[^\s\"'<>?#]+")
_OTHERS = ("PURE", "RABBITMQ", "SEED")
"""Variables of the library and the tests; the service ignores them."""


DAY = 86_400
"""The longest time of a setting, in seconds."""


class SettingError(MqConvertError):
    """An invalid environment variable. `code` is `bad_option`."""


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes are in bytes, times in seconds. The tuples are separated by colons (`rules`) and blanks (`cors`, `hosts`)."""

    token: str | None = option(None, "bearer token, required except on /healthz and /readyz", unset="none", secret=True)
    docs: str | None = option(None, "address of the documentation (`make site`), to which the pages link", unset="none")
    rules: tuple[str, ...] = option((), "overlays for every conversion (names or files)")
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    cors: tuple[str, ...] = option((), "origins whose pages may call the service, or `*`")
    allow_rules: bool = option(False, "whether requests may have their own rules")
    hosts: tuple[str, ...] = option((), "names of this service besides `localhost`, where requests may have their own rules")
    workers: int = option(_processors, "worker processes (default: one per processor)", least=1, most=1024)
    max_body: int = option(2**20, "request body, except for a batch", least=1)
    max_line: int = option(2**20, "line of a batch; a longer line is skipped and becomes an error line", least=1)
    max_messages: int = option(1_000_000, "messages in one batch; the response ends with an error line after them", least=1)
    max_batch: int = option(1000, "messages of one value: members of a batch, or consecutive messages", least=1)
    max_frames: int = option(10_000, "frames of one value", least=1)
    max_decompressed: int = option(4 * 2**20, "decompressed bytes of one value", least=1)
    max_rules: int = option(200, "rows in the rules of a request", least=1)
    max_answer: int = option(16 * 2**20, "response; in a batch, the response to one line", least=1)
    max_held: int = option(128 * 2**20, "bodies and responses of all clients in memory; further requests get 429", least=1)
    max_cache: int = option(32 * 2**20, "cached responses about tables, compressed", least=1)
    max_connections: int = option(
        512, "connections; beyond it a stalled or idle one is closed; the limit on descriptors may lower it", least=1
    )
    concurrency: int = option(64, "waiting and running requests; further ones get 429", least=1)
    worker_memory: int = option(384 * 2**20, "memory of one worker; requests that need more get 413", least=64 * 2**20)
    work_timeout: int = option(30, "time of work on one request or line; requests that need more get 413", least=1, most=DAY)
    head_timeout: int = option(10, "time to send the head of a request", least=1, most=DAY)
    body_timeout: int = option(20, "time by which a body may lag behind MQCONVERT_MIN_RATE", least=1, most=DAY)
    min_rate: int = option(1024, "minimum rate of a client, in bytes per second", least=1)
    answer_timeout: int = option(20, "time for reading each 48 KiB of a response", least=1, most=DAY)
    idle_timeout: int = option(60, "idle time of a connection between requests", least=1, most=DAY)
    drain_delay: int = option(
        5, "time after SIGTERM during which /readyz returns 503 and the service still accepts requests", most=DAY
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read MQCONVERT_TOKEN, _RULES (separated by colons), _OPTIONS (NAME=VALUE, separated by blanks), _CORS (separated by
        blanks), on or off for _ALLOW_RULES, and a number for every other field.

        An empty variable counts as unset. SettingError for an unknown name, an invalid number, option, origin or host, and
        a token that no header can hold; its text does not contain the token.

        >>> Settings.from_environment({"MQCONVERT_MAX_BODY": "1024", "MQCONVERT_CONCURRENCY": ""}).max_body
        1024
        >>> "s3cret" in repr(Settings.from_environment({"MQCONVERT_TOKEN": "s3cret"}))
        False
        >>> Settings.from_environment({"MQCONVERT_CONCURRENCY": "0"})
        Traceback (most recent call last):
            ...
        mqconvert.app.http.settings.SettingError: MQCONVERT_CONCURRENCY must be a number from 1, not '0'
        >>> Settings.from_environment({"MQCONVERT_MAXBODY": "1024"})
        Traceback (most recent call last):
            ...
        mqconvert.app.http.settings.SettingError: no setting MQCONVERT_MAXBODY; did you mean MQCONVERT_MAX_BODY?
        """
        known = {one.name.upper(): one for one in fields(cls)}
        given = {name.removeprefix(PREFIX): text for name, text in environment.items() if name.startswith(PREFIX)}
        for name in given.keys() - known.keys() - {*_OTHERS}:
            raise _unknown(name, [*known])
        plain: dict[str, Any] = {
            one.name: _flag(name, given[name]) if one.kind is bool else _number(name, given[name], one)
            for one in options_of(cls)
            if one.kind in (bool, int) and given.get(name := one.name.upper())
        }
        rules = tuple(name for name in given.get("RULES", "").split(":") if name)
        options = _options(given.get("OPTIONS", ""))
        cors = _names("CORS", given, _ORIGIN, "origins as browsers send them, such as https://a.example, or *")
        hosts = _names("HOSTS", given, _HOST, "host names in small letters, without port")
        token, docs = _token(given.get("TOKEN", "")), _site(given.get("DOCS", ""))
        return cls(token=token, docs=docs, rules=rules, options=options, cors=cors, hosts=hosts, **plain)

    @property
    def limits(self) -> dict[str, str | int | bool]:
        """Return the options of codecs: the limits among the settings, overridden by MQCONVERT_OPTIONS."""
        own = {"max_batch": self.max_batch, "max_frames": self.max_frames, "max_decompressed": self.max_decompressed}
        return own | dict(self.options)

    @property
    def memory(self) -> int:
        """Return the maximum memory of the service in bytes; docs/service.md has the formula."""
        server = 128 * 2**20 + self.max_held + self.max_cache + self.max_connections * 256 * 2**10
        return server + (self.workers + 1) * self.worker_memory


def setting_of(limit: str, settings: Settings) -> str:
    """Return the environment variable that sets a limit of a codec.

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
    """Return the token; refuse one that no request could send, such as with the line end that secrets in files have."""
    if text != text.strip() or not text.isprintable():
        words = "MQCONVERT_TOKEN begins or ends with white space, or has characters that a header cannot carry"
        raise SettingError(words, code="bad_option")
    return text or None


def _site(text: str) -> str | None:
    if text and _SITE.fullmatch(text) is None:
        raise SettingError(
            f"MQCONVERT_DOCS is an address such as https://a.example/mqconvert/, not {text!r}", code="bad_option"
        )
    return text or None


def _names(name: str, given: Mapping[str, str], form: re.Pattern[str], words: str) -> tuple[str, ...]:
    names = tuple(given.get(name, "").split())
    for one in names:
        if form.fullmatch(one) is None:
            raise SettingError(f"{PREFIX}{name} takes {words}, not {one!r}", code="bad_option")
    return names


def _options(text: str) -> dict[str, str | int | bool]:
    try:
        options = codec_options(text.split())
        if options:  # avoids importing a codec
            check_options(options)
    except MqConvertError as error:
        raise SettingError(f"MQCONVERT_OPTIONS: {error}", code="bad_option", field=error.field) from None
    return options


def _number(name: str, text: str, one: Option) -> int:
    most = 2**40 if one.most is None else one.most  # no machine has more bytes, or messages at a time
    if text.isascii() and text.isdigit() and len(text) < 16 and one.least <= int(text) <= most:
        return int(text)
    bound = "" if one.most is None and len(text) < 13 else f" to {most}"
    raise SettingError(f"{PREFIX}{name} must be a number from {one.least}{bound}, not {text!r}", code="bad_option")


def _flag(name: str, text: str) -> bool:
    if text not in ("on", "off"):
        raise SettingError(f"{PREFIX}{name} must be on or off, not {text!r}", code="bad_option")
    return text == "on"
