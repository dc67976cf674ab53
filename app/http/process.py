"""Memory and processor time of processes, as the kernel has them."""

import ctypes
import os
from pathlib import Path


def give_back() -> None:
    """Give freed memory back to the system. glibc keeps what lies between blocks in use; other libraries have no such call."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def resident(pid: int | str = "self") -> int:
    """Return the memory of a process in bytes; 0 for an unknown process, and where /proc is missing."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def processor_seconds(pid: int | str = "self") -> float:
    """Return the processor time of a process in seconds; 0 for an unknown process, and where /proc is missing."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0
