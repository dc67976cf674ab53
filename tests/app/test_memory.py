"""Long input takes no more memory than short input."""

import subprocess
import sys


def peak(raw: int) -> tuple[int, int]:
    """Return the peak, measured by a separate process: the peak of a child includes its parent's memory at the start."""
    program = f"from benchmarks.memory import peak; print(*peak({raw}))"
    made = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    size, count = made.stdout.split()
    return int(size), int(count)


def test_memory_does_not_grow_with_the_input() -> None:
    small, _ = peak(2_000_000)
    large, count = peak(60_000_000)
    assert count > 2000
    assert large < 200_000_000
    assert large - small < 16_000_000
