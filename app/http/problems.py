"""Errors as RFC 9457 problems, with the table of HTTP statuses by code."""

import json
from http import HTTPStatus

from starlette.responses import Response

from mqconvert import ConversionError, DecodeError, LimitError, MessageError, MqConvertError, NoRouteError, RuleTableError


class NotJsonError(DecodeError):
    """A body that does not parse as JSON."""


class RefusedError(MqConvertError):
    """The settings of this service forbid the request."""


STATUS: dict[type[MqConvertError], int] = {
    RefusedError: 403,
    NoRouteError: 404,
    LimitError: 413,
    NotJsonError: 400,
    MessageError: 422,
    ConversionError: 422,
    RuleTableError: 500,
}
STATUS_OF_CODES = {"missing_package": 501}
"""Codes with their own status."""

INTERNAL = "a defect of this service, which is in its log"


def status_of(error: MqConvertError) -> int:
    """Return the HTTP status of an error of the library.

    >>> status_of(NoRouteError("no way"))
    404
    """
    by_kind = next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)
    return STATUS_OF_CODES.get(error.code, by_kind)


def problem_body(status: int, code: str, detail: str, **more: object) -> bytes:
    """Return problem details; `more` has further members, such as field and rule.

    A type `about:blank` has the phrase of its status as title (RFC 9457 section 4.2.1); `code` is more specific.
    """
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, "code": code} | more
    return json.dumps(body).encode()


def problem(status: int, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: object) -> Response:
    return Response(problem_body(status, code, detail, **more), status, headers, "application/problem+json")
