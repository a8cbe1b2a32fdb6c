"""Calendar files are made beside the event loop, one at a time, kept by what is in them."""

from __future__ import annotations

import asyncio
import threading

from commonroom.http.calendar_files import CalendarFiles


class Maker:
    """Makes files of a size, and notes how many are being made at a time."""

    def __init__(self, size: int = 10) -> None:
        self.size = size
        self.made: list[str] = []
        self.threads: set[int] = set()
        self._making = threading.Lock()

    def make(self, name: str) -> bytes:
        """A file, unless another is being made."""
        assert self._making.acquire(blocking=False), "two at a time"
        self.made.append(name)
        self.threads.add(threading.get_ident())
        self._making.release()
        return name.encode() * self.size


async def ask(files: CalendarFiles, maker: Maker, name: str) -> bytes:
    return await files.get(name, lambda: maker.make(name))


async def test_the_same_file_is_made_once_however_many_ask_at_once() -> None:
    files, maker = CalendarFiles(), Maker()
    given = await asyncio.gather(*(ask(files, maker, name) for name in "abab" * 10))
    assert maker.made == ["a", "b"]
    assert given == [b"a" * 10, b"b" * 10] * 20
    assert threading.get_ident() not in maker.threads


async def test_what_is_kept_has_a_bound_and_what_was_not_asked_for_longest_goes() -> None:
    files, maker = CalendarFiles(max_bytes=30), Maker()
    for name in "abcad":
        await ask(files, maker, name)
    assert files.size <= 30
    maker.made.clear()
    for name in "acdb":
        await ask(files, maker, name)
    assert maker.made == ["b"]


async def test_a_file_beyond_the_bound_is_given_and_not_kept() -> None:
    files, maker = CalendarFiles(max_bytes=5), Maker()
    assert await ask(files, maker, "a") == b"a" * 10
    assert files.size == 0


async def test_a_file_that_cannot_be_made_keeps_nobody_else_waiting() -> None:
    files, maker = CalendarFiles(), Maker()

    def fail() -> bytes:
        raise ZeroDivisionError

    failed = await asyncio.gather(
        files.get("x", fail), ask(files, maker, "a"), return_exceptions=True
    )
    assert isinstance(failed[0], ZeroDivisionError)
    assert failed[1] == b"a" * 10
