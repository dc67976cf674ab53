"""Limits of brokers that both a codec and the options of a caller have. This module imports no protocol."""

from typing import Final

MAX_REQ_TIMEOUT: Final = 3_600_000
"""Default limit of nsqd for deferring a message, in milliseconds (--max-req-timeout)."""
