"""Memory and processor time of processes, from the kernel."""

import ctypes
import os
from pathlib import Path


def give_back() -> None:
    """Return freed memory to the system. glibc keeps memory between blocks in use; other C libraries lack this call."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident(pid: int | str = "self") -> int:
    """Return the memory of a process in bytes; 0 for an unknown process, or without /proc."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def processor_seconds(pid: int | str = "self") -> float:
    """Return the processor time of a process in seconds; 0 for an unknown process, or without /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0
