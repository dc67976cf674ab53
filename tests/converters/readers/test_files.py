"""Files in memory, and the search for sound entries in them: every byte is read a bounded number of times."""

from mmap import mmap
from pathlib import Path

from mqconvert.converters.readers.files import PASSES, Search, mapped


def test_files_are_mapped_and_empty_ones_are_no_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for raw in (b"", b"abc"):
        path.write_bytes(raw)
        with mapped(path) as data:
            assert data[:] == raw


def _to_the_end(data: bytes | mmap, _at: int) -> int:
    return len(data)


def test_the_first_sound_entry_is_found() -> None:
    search = Search(b"..M..M..M", b"M", 1, _to_the_end, lambda at, _: at > 3)
    assert [search.next(at) for at in range(9)] == [4, 4, 4, 4, 4, 7, 7, 7, None]
    assert not search.spent


def test_a_search_costs_no_more_than_some_passes_over_the_file() -> None:
    data = b"M" * 1000
    checked: list[int] = []

    def sound(at: int, end: int) -> bool:
        checked.append(end - at)
        return False

    search = Search(data, b"M", 0, _to_the_end, sound)
    assert [search.next(0) for _ in range(20)] == [None] * 20
    assert search.spent
    assert sum(checked) <= (PASSES + 1) * len(data)
