"""Every error as an RFC 9457 problem: which status an error of the library has is this table."""

import json
import logging
import traceback
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from mqconvert import ConversionError, LimitError, MessageError, MqConvertError, NoRouteError, RuleTableError

STATUS: dict[type[MqConvertError], int] = {
    NoRouteError: 404,
    LimitError: 413,
    MessageError: 422,
    ConversionError: 422,
    RuleTableError: 500,
}
STATUS_OF_CODES = {"missing_package": 501}
"""Codes with a status of their own."""

INTERNAL = "a defect of this service, which is in its log"

_log = logging.getLogger("mqconvert.errors")


def status_of(error: MqConvertError) -> int:
    """
    >>> status_of(NoRouteError("no way"))
    404
    """
    by_kind = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
    return STATUS_OF_CODES.get(error.code, by_kind)


def problem(status: int, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any) -> Response:
    """A problem details answer; `more` are its further members, such as field and rule.

    A type `about:blank` has the words of its status as title (RFC 9457 section 4.2.1); `code` says more.
    """
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "code": code} | more
    return Response(json.dumps(body), status, headers, "application/problem+json")


def problem_of(error: MqConvertError) -> Response:
    """The answer for an error of the library."""
    known = error.as_dict()
    code, message = known.pop("code"), known.pop("message")
    return problem(status_of(error), code, message, **known)


def log_defect(error: Exception) -> None:
    """An error that nobody foresaw, in the log: its kind and where it was, never its words, which may hold values."""
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    _log.error(json.dumps({"error": type(error).__name__, "trace": frames}))
