"""What a deployment may set: environment variables, read once, here."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from mqconvert import MqConvertError, check_options_of_all
from mqconvert.app.options import codec_option

_NUMBERS = ("max_body", "max_line", "max_messages", "concurrency")


class SettingError(MqConvertError):
    """An environment variable that cannot be meant. `code` is `bad_option`."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`max_body` and `max_line` in octets; `rules` are overlays (names or files) loaded into every conversion; `options` are
    those of codecs, such as limits, for every protocol that has them.
    """

    token: str | None = None
    max_body: int = 2**20
    max_line: int = 2**20
    max_messages: int = 1_000_000
    concurrency: int = 64
    rules: tuple[str, ...] = ()
    options: Mapping[str, str | int | bool] = field(default_factory=dict)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """MQCONVERT_TOKEN, _MAX_BODY, _MAX_LINE, _MAX_MESSAGES, _CONCURRENCY, _RULES (separated by colons) and _OPTIONS
        (NAME=VALUE, separated by blanks).

        An empty one is as one that is not set. SettingError for what is no positive number, for an option that no protocol
        has, and for a token that no header can bring; its text does not have the token.

        >>> Settings.from_environment({"MQCONVERT_MAX_BODY": "1024", "MQCONVERT_CONCURRENCY": ""}).max_body
        1024
        >>> Settings.from_environment({"MQCONVERT_CONCURRENCY": "0"})
        Traceback (most recent call last):
            ...
        mqconvert.app.http.settings.SettingError: MQCONVERT_CONCURRENCY is a number from 1, not '0'
        """
        given = {name: environment.get(f"MQCONVERT_{name.upper()}", "") for name in _NUMBERS}
        numbers = {name: _number(name, text) for name, text in given.items() if text}
        rules = tuple(name for name in environment.get("MQCONVERT_RULES", "").split(":") if name)
        options = _options(environment.get("MQCONVERT_OPTIONS", ""))
        return cls(token=_token(environment.get("MQCONVERT_TOKEN", "")), rules=rules, options=options, **numbers)


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


def _number(name: str, text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 20 and int(text) > 0:
        return int(text)
    raise SettingError(f"MQCONVERT_{name.upper()} is a number from 1, not {text!r}", code="bad_option")
