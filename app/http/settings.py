"""What a deployment may set: environment variables, read once, here."""

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """`max_body` and `max_line` in octets; `rules` are overlays (names or files) loaded into every conversion."""

    token: str | None = None
    max_body: int = 16 * 2**20
    max_line: int = 16 * 2**20
    max_messages: int = 1_000_000
    concurrency: int = 64
    rules: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """MQCONVERT_TOKEN, _MAX_BODY, _MAX_LINE, _MAX_MESSAGES, _CONCURRENCY and _RULES (separated by colons).

        >>> Settings.from_environment({"MQCONVERT_MAX_BODY": "1024"}).max_body
        1024
        """
        numbers = {
            name: int(environment[f"MQCONVERT_{name.upper()}"])
            for name in ("max_body", "max_line", "max_messages", "concurrency")
            if f"MQCONVERT_{name.upper()}" in environment
        }
        rules = tuple(name for name in environment.get("MQCONVERT_RULES", "").split(":") if name)
        return cls(token=environment.get("MQCONVERT_TOKEN") or None, rules=rules, **numbers)
