"""The log: one JSON object per line, from every logger. No line contains message data."""

import json
import logging
import traceback
from datetime import UTC, datetime

from mqconvert.converters.model.jsonform import JsonObject


class OneLine(logging.Formatter):
    """Writes a dict as that object, any other record as `message`, and exceptions only as kind and place."""

    def format(self, record: logging.LogRecord) -> str:
        """
        >>> line = OneLine().format(logging.makeLogRecord({"msg": {"status": 200}, "levelname": "INFO", "created": 0}))
        >>> line
        '{"time": "1970-01-01T00:00:00.000+00:00", "level": "info", "status": 200}'
        """
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: JsonObject = {"time": time, "level": record.levelname.lower()}
        if isinstance(record.msg, dict):
            line |= record.msg
        else:
            line["message"] = record.getMessage().strip()
        if record.exc_info and record.exc_info[1] is not None:
            line |= told(record.exc_info[1])
        return json.dumps(line)


def told(error: BaseException) -> JsonObject:
    """Return the kind and place of an error without its message, which may contain values."""
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    return {"error": type(error).__name__, "trace": frames}


def set_up() -> None:
    """Write all records and warnings to standard error in this form."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.ERROR)  # guard.py logs malformed requests
