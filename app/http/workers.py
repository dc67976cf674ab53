"""Where bodies are worked on: small ones at once, larger ones in threads, so that everybody else is answered meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.requests import Request

from mqconvert import DecodeError

T = TypeVar("T")

LARGE = 16 * 2**10
"""Octets from which on work goes to a thread: ordinary messages stay below, and need not pay for the way there and back."""

THREADS = 2
"""More would share one processor, and hold the memory of more large messages at once."""


class Workers:
    """The threads of one service."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(THREADS, "large")

    async def run(self, octets: int, work: Callable[[], T]) -> T:
        """What `work` gives, or raises, for a body or line of so many octets."""
        if octets < LARGE:
            return work()
        return await asyncio.get_running_loop().run_in_executor(self.pool, work)

    async def answer(self, request: Request, work: Callable[[], T]) -> T:
        """As `run`, for the body of a request; one that does not tell its length counts as large.

        The choices of such a request stand in its body: DecodeError for any behind a `?`, where they would be overlooked.
        """
        if request.scope["query_string"]:
            raise DecodeError("bad_request", "the choices of this request stand in its body, not in the query")
        return await self.run(int(request.headers.get("content-length", LARGE)), work)
