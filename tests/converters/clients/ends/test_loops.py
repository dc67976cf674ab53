"""Loops of clients: work of other threads is done in order and never left behind, and pauses grow and stay bounded."""

import threading
from statistics import fmean

import pytest

from mqconvert.converters.clients.ends.loops import LONGEST, PAUSE, Jobs, pause


@pytest.mark.parametrize(("tries", "seconds"), [(1, 0.1), (2, 0.2), (5, 1.6), (9, 25.6), (10, 30), (100_000, 30)])
def test_pauses_double_up_to_half_a_minute(tries: int, seconds: float) -> None:
    """They differ, so that many clients do not come back together."""
    pauses = [pause(tries) for _ in range(300)]
    assert all(0.5 * seconds <= each <= 1.5 * seconds for each in pauses)
    assert fmean(pauses) == pytest.approx(seconds, rel=0.25)
    assert len(set(pauses)) > 200
    assert PAUSE / 2 <= min(pauses) <= max(pauses) <= 1.5 * LONGEST


def test_jobs_of_many_threads_are_all_done_in_the_order_of_their_thread() -> None:
    """The loop sleeps until `wake`: a wake-up that is missing would leave jobs behind."""
    awake = threading.Event()
    jobs = Jobs(awake.set)
    done: list[tuple[int, int]] = []

    def add(own: int) -> None:
        for number in range(2000):
            jobs.add(done.append, (own, number))

    threads = [threading.Thread(target=add, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    while len(done) < 8000:
        assert awake.wait(30)
        awake.clear()
        jobs.work()
    for thread in threads:
        thread.join(30)
    assert [[number for own, number in done if own == each] for each in range(4)] == [list(range(2000))] * 4


def test_many_jobs_wake_the_loop_once_until_it_works() -> None:
    woken: list[int] = []
    jobs = Jobs(lambda: woken.append(1))
    for _ in range(3):
        jobs.add(list)
    assert len(woken) == 1
    jobs.work()
    jobs.add(list)
    assert len(woken) == 2


def test_a_job_may_add_another_that_is_done_with_it() -> None:
    done: list[str] = []
    jobs = Jobs(lambda: None)

    def first() -> None:
        done.append("first")
        jobs.add(done.append, "second")

    jobs.add(first)
    jobs.work()
    assert done == ["first", "second"]


def test_a_loop_that_has_ended_is_not_woken() -> None:
    """`wake` of an event loop that is closed would raise."""
    woken: list[int] = []
    jobs = Jobs(lambda: woken.append(1))
    jobs.close()
    jobs.add(list)
    assert woken == []
