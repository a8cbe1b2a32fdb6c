"""Caches: entries that expire, pictures in a folder, and one task for all who wait."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.outgoing.caches import (
    PICTURE_SECONDS,
    PICTURE_TYPES,
    PictureCache,
    SingleFlight,
    TooMuch,
    TtlCache,
    picture_type,
)
from commonroom.outgoing.fetcher import Unreachable
from tests.accounts.people import Watch
from tests.support.clocks import SET_BACK


def test_a_thing_is_remembered_for_its_time() -> None:
    clock = Watch()
    cache: TtlCache[str] = TtlCache(10, clock)
    cache.put("a", "thing", 5)
    clock.forward(4)
    assert cache.get("a") == "thing"
    clock.forward(1)
    assert cache.get("a") is None


@pytest.mark.parametrize("ahead", SET_BACK)
def test_a_thing_of_a_clock_that_was_ahead_is_forgotten(ahead: float) -> None:
    clock = Watch()
    cache: TtlCache[str] = TtlCache(10, clock)
    cache.put("a", "thing", 5)
    clock.now -= ahead
    assert cache.get("a") is None


def test_the_oldest_goes_where_there_are_too_many() -> None:
    cache: TtlCache[int] = TtlCache(2)
    for number, name in enumerate(["a", "b", "a", "c"]):
        cache.put(name, number, 60)
    assert [cache.get(name) for name in ("a", "b", "c")] == [2, None, 3]


JPEG = b"\xff\xd8\xff\xe0 a picture"
PNG = b"\x89PNG\r\n\x1a\n a picture"
WEBP = b"RIFF\x00\x00\x00\x00WEBPVP8 a picture"


@pytest.mark.parametrize(
    "data, told", [(JPEG, "image/jpeg"), (PNG, "image/png"), (WEBP, "image/webp")]
)
def test_a_picture_is_known_by_its_first_bytes(data: bytes, told: str) -> None:
    assert picture_type(data) == told
    assert told in PICTURE_TYPES


@pytest.mark.parametrize(
    "data", [b"", b"<svg/>", b"<html>", b"GIF89a", b"RIFF\0\0\0\0WAVE", PNG[:4]]
)
def test_everything_else_is_none(data: bytes) -> None:
    assert picture_type(data) is None


def test_what_is_kept_is_found_and_for_its_owner_alone(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path / "posters")
    assert cache.get("one.jpg") is None
    cache.put("one.jpg", JPEG)
    cache.put("one.jpg", PNG)
    assert cache.get("one.jpg") == PNG
    assert [path.name for path in (tmp_path / "posters").iterdir()] == ["one.jpg"]
    assert (tmp_path / "posters").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "posters" / "one.jpg").stat().st_mode & 0o777 == 0o600


def test_the_oldest_make_room_for_the_newest(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path, most=3)
    for number in range(5):
        cache.put(f"{number}.jpg", JPEG)
        os.utime(tmp_path / f"{number}.jpg", (number, time.time() - 100 + number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.jpg", "3.jpg", "4.jpg"]


def test_nothing_is_kept_for_ever(tmp_path: Path) -> None:
    PictureCache(tmp_path).put("one.jpg", JPEG)
    later = time.time() + PICTURE_SECONDS
    assert PictureCache(tmp_path, clock=lambda: later - 60).get("one.jpg") == JPEG
    assert PictureCache(tmp_path, clock=lambda: later + 60).get("one.jpg") is None


@pytest.mark.parametrize("ahead", SET_BACK)
def test_a_picture_of_a_clock_that_was_ahead_is_fetched_anew(tmp_path: Path, ahead: float) -> None:
    PictureCache(tmp_path).put("one.jpg", JPEG)
    before = time.time() - ahead
    assert PictureCache(tmp_path, clock=lambda: before).get("one.jpg") is None


def test_what_was_cut_off_by_a_power_cut_is_not_found(tmp_path: Path) -> None:
    cache = PictureCache(tmp_path)
    (tmp_path / "one.jpg").write_bytes(b"")
    assert cache.get("one.jpg") is None
    cache.put("one.jpg", JPEG)
    assert cache.get("one.jpg") == JPEG


def test_where_nothing_can_be_kept_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"in the way")
    cache = PictureCache(tmp_path / "file")
    cache.put("one.jpg", JPEG)
    assert cache.get("one.jpg") is None


def test_what_could_not_be_kept_is_not_left_lying_about(tmp_path: Path) -> None:
    (tmp_path / "one.jpg").mkdir()
    PictureCache(tmp_path).put("one.jpg", JPEG)
    assert [path.name for path in tmp_path.iterdir()] == ["one.jpg"]


class Work:
    """Something that is done when it is told to."""

    def __init__(self) -> None:
        self.begun = 0
        self.go_on = asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        await self.go_on.wait()
        return self.begun

    async def fail(self) -> int:
        """Ends in an error."""
        await self()
        raise LookupError


@pytest.fixture
async def flight() -> AsyncIterator[SingleFlight[int]]:
    """Room for two things at once."""
    flight: SingleFlight[int] = SingleFlight(2)
    yield flight
    await flight.close()


async def begun() -> None:
    """Lets everything go as far as it can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_same_thing_is_done_once_for_all_who_want_it(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run("a", work)) for _ in range(5)]
    await begun()
    work.go_on.set()
    assert await asyncio.gather(*waiting) == [1] * 5
    assert await flight.run("a", work) == 2, "what is over is begun anew"


async def test_who_stops_waiting_does_not_stop_it_for_others(flight: SingleFlight[int]) -> None:
    work = Work()
    first, second = (asyncio.create_task(flight.run("a", work)) for _ in range(2))
    await begun()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    work.go_on.set()
    assert await second == 1


async def test_all_who_wait_learn_of_an_error(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run("a", work.fail)) for _ in range(2)]
    await begun()
    work.go_on.set()
    ended = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(one) for one in ended] == [LookupError] * 2


async def test_only_so_much_is_done_at_once(flight: SingleFlight[int]) -> None:
    work = Work()
    waiting = [asyncio.create_task(flight.run(key, work)) for key in "ab"]
    await begun()
    with pytest.raises(TooMuch):
        await flight.run("c", work)
    work.go_on.set()
    await asyncio.gather(*waiting)
    assert await flight.run("c", work) == 3


async def test_closing_tells_those_who_wait(flight: SingleFlight[int]) -> None:
    waiting = asyncio.create_task(flight.run("a", Work()))
    await begun()
    await flight.close()
    with pytest.raises(Unreachable, match="shutting down"):
        await waiting
