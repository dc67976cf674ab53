"""Long input takes no more memory than short input."""

from benchmarks.memory import peak


def test_memory_does_not_grow_with_the_input() -> None:
    small, _ = peak(2_000_000)
    large, count = peak(60_000_000)
    assert count > 2000
    assert large < 200_000_000
    assert large - small < 16_000_000
