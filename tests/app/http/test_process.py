"""Memory and processor time are those that the kernel counts."""

import ctypes
import os
import resource
import subprocess
import sys
import time

import pytest

from mqconvert.app.http.process import give_back, processor_seconds, resident

NOBODY = 2**22 + 1
"""A number above every process id of Linux."""


def test_memory_grows_with_a_block_and_does_not_exceed_its_peak() -> None:
    before = resident()
    block = bytearray(os.urandom(2**20)) * 64
    assert resident() - before > 48 * 2**20
    del block
    assert 2**20 < resident() <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + 2**20


def test_memory_given_back_is_no_longer_resident() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("this C library has no malloc_trim")
    blocks = [bytes(1000 + number % 7) for number in range(64 * 1024)]
    last = bytes(1000)  # the C library keeps the memory below it
    held = resident()
    del blocks
    give_back()
    assert held - resident() > 32 * 2**20
    assert len(last) == 1000


def test_processor_time_is_that_of_the_operating_system() -> None:
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    times = os.times()
    assert processor_seconds() == pytest.approx(times.user + times.system, abs=0.1)
    assert processor_seconds(os.getpid()) == pytest.approx(processor_seconds(), abs=0.1)


def test_another_process_has_its_own_numbers() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        try:
            assert 0 < resident(child.pid) != resident()
            assert processor_seconds(child.pid) < processor_seconds()
        finally:
            child.kill()


def test_an_unknown_process_has_none() -> None:
    assert (resident(NOBODY), processor_seconds(NOBODY)) == (0, 0.0)
