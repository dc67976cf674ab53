"""END arguments: the URL of a broker, a protocol and a file of JSON lines, or a format and a broker's file; checked first."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from mqconvert import PROTOCOLS, NoRouteError, Protocol
from mqconvert.app.inputs import is_piped
from mqconvert.app.move.files import STANDARD, FileSource, FileTarget, State, StoreSource
from mqconvert.converters.clients.ends import Address, Ends, Source, Target, Tls, Where
from mqconvert.converters.clients.ends.templates import Template, template
from mqconvert.converters.errors import ConversionError, did_you_mean
from mqconvert.converters.protocols import FOLDERS, full_name
from mqconvert.converters.readers import Format, formats, reader

TLS_KEYS = ("ca", "cert", "key")
TLS = "+tls"
_SCHEMES = {"amqp": "amqp-0.9.1 or amqp-1.0", "amqps": "amqp-0.9.1+tls or amqp-1.0+tls", "mqtt": "mqtt-5.0 or mqtt-3.1.1"}
"""Schemes of other programs' URLs, and ours."""


class EndError(ConversionError):
    """A wrong END: what is wrong, on one line."""

    def __init__(self, words: str) -> None:
        super().__init__(words, code="bad_option")


@dataclass(frozen=True, slots=True)
class End:
    """One end. `shown` names it without a password; `path` is that of a file, `ends` and `where` are a broker's.

    `form` is the format of files that a broker left, whose messages may be of several protocols.
    """

    protocols: tuple[Protocol, ...]
    shown: str
    path: str | None = None
    form: Format | None = None
    ends: Ends | None = None
    where: Where | None = None
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def protocol(self) -> Protocol:
        """The only protocol of an end, or the first one."""
        return self.protocols[0]

    @property
    def rejects(self) -> bool:
        return self.ends is not None and self.ends.rejects

    def source(self, state: State | None, *, follow: bool) -> Callable[[], Source]:
        """Return what makes a connection, or opens the file."""
        if self.form is not None:
            form, place, names = self.form, self.path or "", [protocol.name for protocol in self.protocols]
            return lambda: StoreSource(form, place, names, state)
        if self.ends is None or self.where is None:
            path = self.path or STANDARD
            return lambda: FileSource(path, self.protocol.name, state, follow=follow)
        ends, where = self.ends, self.where
        first = [ends.source(where, self.keys)]  # tells invalid keys before anything connects
        return lambda: first.pop() if first else ends.source(where, self.keys)

    def target(self, source: Protocol) -> tuple[Callable[[], Target], Callable[[Any], Address]]:
        """Return what makes a connection, or opens the file, and the address of a message of the source."""
        if self.ends is None or self.where is None:
            path = self.path or STANDARD
            return lambda: FileTarget(path), lambda _: ()
        ends, where = self.ends, self.where
        parts = [None if text is None else template(text, source, "target") for text in ends.address(self.keys)]
        constant = tuple(part if isinstance(part, str) else None for part in parts)
        return lambda: ends.target(where, constant), _addresses(parts, constant)


def _addresses(parts: list[str | Template | None], constant: Address) -> Callable[[Any], Address]:
    if not any(map(callable, parts)):
        return lambda _: constant
    return lambda message: tuple(part if part is None or isinstance(part, str) else part(message) for part in parts)


def parse_end(text: str, role: str) -> End:
    """Return the end of an argument; `role` is `source` or `target`. Raises EndError, and the errors of missing libraries.

    >>> parse_end("amqp-0.9.1:orders#1.jsonl", "source").path
    'orders#1.jsonl'
    >>> parse_end("amqp-1.0:-", "target").shown
    'amqp-1.0:-'
    """
    if "://" in text:
        return _broker(text, role)
    name, colon, path = text.partition(":")
    if not colon or not path:
        example = "" if colon or not text else f", such as {next(iter(PROTOCOLS))}:{text}"
        raise EndError(f"{role} {text!r}: expected PROTOCOL:FILE{example}, or a broker as PROTOCOL://HOST?KEY=VALUE")
    form, plus, only = name.partition("+")
    if form in formats():
        return _store(reader(form), only if plus else None, path, text, role)
    return End((_protocol(name, text, role),), text, path=path)


def _store(form: Format, only: str | None, path: str, text: str, role: str) -> End:
    """Return the end of files that a broker left: FORMAT:FILE, or FORMAT+PROTOCOL:FILE for the messages of one protocol."""
    if role != "source":
        raise EndError(f"{role} {text!r}: {form.name} is read, never written")
    if only is not None and only not in form.protocols:
        raise EndError(f"{role} {text!r}: {form.name} has messages of {', '.join(form.protocols)}")
    try:
        _ = is_piped(path) or form.files(path)
    except FileNotFoundError as error:
        raise EndError(f"{role}: {error}") from None
    names = form.protocols if only is None else (only,)
    return End(tuple(_protocol(name, text, role) for name in names), text, path=path, form=form)


def _protocol(name: str, text: str, role: str) -> Protocol:
    try:
        return PROTOCOLS[full_name(name)]
    except KeyError:
        known = ", ".join([*FOLDERS, *(formats() if role == "source" else ())])
        raise EndError(f"{role} {text!r}: no protocol {name!r}{did_you_mean(name, PROTOCOLS)}; known: {known}") from None


def _broker(text: str, role: str) -> End:
    scheme, _, rest = text.partition("://")
    scheme = scheme.lower()
    name = scheme.removesuffix(TLS)
    if scheme in _SCHEMES:
        raise EndError(f"{role}: {scheme}:// does not tell the version: write {_SCHEMES[scheme]}")
    protocol = _protocol(name, f"{scheme}://...", role)
    try:
        ends = getattr(protocol.ends_module(), "ENDS", None)
    except NoRouteError as error:
        raise EndError(f"{role}: {error.message}") from None
    if ends is None:
        raise EndError(f"{role}: mqconvert connects to no broker of {protocol.title}; a file of it is {name}:FILE")
    # `#` is an ordinary letter here, a wildcard of MQTT's topics.
    try:
        parts = urlsplit(f"x://{rest.replace('#', '%23')}")
        port = parts.port
    except ValueError as error:
        raise EndError(f"{role}: {error}") from None
    if parts.password is not None:
        names = f"{_variable(role)} or {_variable(role)}_FILE"
        raise EndError(f"{role}: a password in a URL is visible to everyone (ps): set {names} instead")
    keys = _keys(parts.query, role)
    tls = scheme.endswith(TLS)
    secured = _tls(keys, role, tls=tls)
    _check(keys, ends, role)
    if parts.path not in ("", "/") and not ends.has_path:
        raise EndError(f"{role}: a URL of {protocol.title} has no path: use the keys {', '.join(_known(ends, role))}")
    user = None if parts.username is None else unquote(parts.username)
    path = unquote(parts.path[1:]) if parts.path else None
    where = Where(
        parts.hostname or "localhost", port or (ends.tls_port if tls else ends.port), path, secured, user, _password(role)
    )
    shown = f"{scheme}://{'' if user is None else f'{user}@'}{where.host}:{where.port}{parts.path}"
    query = "&".join(f"{key}={value}" for key, value in keys.items())
    return End((protocol,), f"{shown}?{query}" if query else shown, ends=ends, where=where, keys=keys)


def _keys(query: str, role: str) -> dict[str, str]:
    keys: dict[str, str] = {}
    for pair in filter(None, query.split("&")):
        key, equals, value = pair.partition("=")
        if not equals or key in keys:
            raise EndError(f"{role}: {'a second' if key in keys else 'no value of'} key {key!r} (& in a value is %26)")
        keys[key] = unquote(value, errors="strict")
    return keys


def _known(ends: Ends, role: str) -> tuple[str, ...]:
    return ends.source_keys if role == "source" else ends.target_keys


def _check(keys: Mapping[str, str], ends: Ends, role: str) -> None:
    known = _known(ends, role)
    for key in keys:
        if key not in known:
            raise EndError(f"{role}: no key {key!r}{did_you_mean(key, known)}; known: {', '.join([*known, *TLS_KEYS])}")
    missing = [key for key in known if key not in keys] if role == "source" else []
    if missing:
        raise EndError(f"{role}: lacks the key {missing[0]}, such as ?{missing[0]}=orders")


def _tls(keys: dict[str, str], role: str, *, tls: bool) -> Tls | None:
    """Take the files of TLS from the keys."""
    files = {key: keys.pop(key) for key in TLS_KEYS if key in keys}
    if files and not tls:
        raise EndError(f"{role}: {min(files)} is for TLS: add {TLS} to the protocol")
    for key, path in files.items():
        if not Path(path).is_file():
            raise EndError(f"{role}: {key}: there is no file {path}")
    if "key" in files and "cert" not in files:
        raise EndError(f"{role}: key needs cert, the client's certificate")
    return Tls(**files) if tls else None


def _variable(role: str) -> str:
    return f"MQCONVERT_{role.upper()}_PASSWORD"


def _password(role: str) -> str:
    name = _variable(role)
    if name in os.environ:
        return os.environ[name]
    file = os.environ.get(f"{name}_FILE")
    if file is None:
        return ""
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise EndError(f"{role}: {name}_FILE: {error.strerror}: {file}") from None
