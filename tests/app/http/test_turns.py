"""The queue for workers is fair to clients, lets short jobs pass, and lets nobody wait for ever."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from mqconvert.app.http.turns import SLOW, Turn, Turns
from mqconvert.app.http.work import BusyError


def in_loop(steps: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(steps(), 30))


def waits(turns: Turns, client: str, *, long: bool = False, patient: bool = False) -> asyncio.Task[Turn]:
    return asyncio.get_running_loop().create_task(turns.take(client, long=long, patient=patient))


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def order(turns: Turns, first: Turn, waiting: dict[str, asyncio.Task[Turn]]) -> list[str]:
    """Give one turn after the other back; return the names of the jobs in the order of their turns."""
    found: list[str] = []
    turn = first
    while len(found) < len(waiting):
        turns.give(turn)
        await settled()
        [(name, turn)] = [(name, task.result()) for name, task in waiting.items() if task.done() and name not in found]
        found.append(name)
    return found


def test_long_jobs_leave_a_worker_free_for_short_ones() -> None:
    async def steps() -> None:
        turns = Turns(2, 64)
        longs = [waits(turns, "a", long=True), waits(turns, "b", long=True)]
        await settled()
        assert [task.done() for task in longs] == [True, False]
        short = await turns.take("a")
        assert not longs[1].done()
        turns.give(short)
        turns.give(longs[0].result())
        assert (await longs[1]).client == "b"

    in_loop(steps)


def test_a_single_worker_does_every_job() -> None:
    async def steps() -> None:
        turns = Turns(1, 64)
        for _ in range(3):
            turns.give(await turns.take("a", long=True))

    in_loop(steps)


def test_short_jobs_and_other_clients_pass_and_every_fourth_turn_is_the_oldest() -> None:
    async def steps() -> None:
        turns = Turns(1, 64)
        first = await turns.take("a")
        named = {"a-long": ("a", True, False), "a-lines": ("a", False, True), "a-short": ("a", False, False)}
        named |= {"b-long": ("b", True, False), "b-short": ("b", False, False)}
        waiting = {name: waits(turns, client, long=long, patient=patient) for name, (client, long, patient) in named.items()}
        await settled()
        assert await order(turns, first, waiting) == ["a-short", "b-short", "a-long", "a-lines", "b-long"]

    in_loop(steps)


def test_the_client_with_the_fewest_workers_is_next() -> None:
    async def steps() -> None:
        turns = Turns(2, 64)
        held = [await turns.take("a"), await turns.take("b")]
        later = [waits(turns, "b"), waits(turns, "a")]
        await settled()
        turns.give(held[0])
        await settled()
        assert [task.done() for task in later] == [False, True]

    in_loop(steps)


@pytest.mark.parametrize("ended", [False, True])
def test_a_client_whose_short_jobs_are_slow_does_not_get_the_last_worker(ended: bool) -> None:
    async def steps() -> None:
        turns = Turns(2, 64)
        slow = await turns.take("a")
        slow.since -= 2 * SLOW
        if ended:
            turns.give(slow)
            await turns.take("a")
        more = waits(turns, "a")
        await settled()
        assert not more.done()
        quick = await turns.take("b")
        turns.give(quick)
        for turn in [*turns.running]:  # the next job of the client was quick
            turn.since += 2 * SLOW
            turns.give(turn)
        assert (await more).client == "a"
        await turns.take("a")

    in_loop(steps)


def test_a_full_queue_drops_the_newest_job_of_the_client_with_most() -> None:
    async def steps() -> None:
        turns = Turns(1, 4)
        await turns.take("a")
        waiting = [waits(turns, "a") for _ in range(3)]
        await settled()
        with pytest.raises(BusyError):
            await turns.take("a")
        waits(turns, "b")
        await settled()
        assert [task.done() for task in waiting] == [False, False, True]
        with pytest.raises(BusyError):
            waiting[2].result()
        with pytest.raises(BusyError):
            await turns.take("b")
        lines = waits(turns, "c", patient=True)
        await settled()
        assert not lines.done()
        assert [turn.client for turn in turns.waiting] == ["a", "a", "b", "c"]

    in_loop(steps)


@pytest.mark.parametrize("begun", [False, True])
def test_a_cancelled_job_gives_its_turn_away(begun: bool) -> None:
    async def steps() -> None:
        turns = Turns(1, 64)
        first = await turns.take("a")
        gone = waits(turns, "a")
        await settled()
        if begun:
            turns.give(first)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        if not begun:
            turns.give(first)
        assert not turns.running
        assert not turns.waiting

    in_loop(steps)
