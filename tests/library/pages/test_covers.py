"""Covers in a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.library.service.covers import CoverNames, file_name
from commonroom.outgoing.caches import PictureCache
from commonroom.settings import Settings
from tests.house.whole import Whole, whole
from tests.library.service.pictures import drawn, written

ADDRESS = "https://pictures.example/hobbit.jpg"
WEBP = written(drawn(240, 360), "WEBP")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    """A house in which Ada lives."""
    async with whole(tmp_path) as house:
        yield house


@pytest.fixture
def kept(tmp_path: Path) -> str:
    """The name of a cover that was fetched before."""
    PictureCache(tmp_path / "covers").put(file_name(ADDRESS, "small"), WEBP)
    return CoverNames(Settings(data=tmp_path)).name(ADDRESS)


async def test_a_guest_sees_none(house: Whole, kept: str) -> None:
    guest = await house.guest()
    answer = await guest.get(f"/library/covers/small/{kept}")
    assert answer.status_code in (303, 401)
    assert WEBP not in answer.content


async def test_one_that_is_kept_is_shown_and_may_be_kept_by_the_browser(
    house: Whole, kept: str
) -> None:
    ada = await house.browser()
    answer = await ada.get(f"/library/covers/small/{kept}")
    assert (answer.status_code, answer.content) == (200, WEBP)
    assert answer.headers["content-type"] == "image/webp"
    assert "private" in answer.headers["cache-control"]
    assert "max-age=604800" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("where", ["small/nonsense", "huge/{}", "small/{}x"])
async def test_what_was_not_given_here_is_not_there(house: Whole, kept: str, where: str) -> None:
    ada = await house.browser()
    answer = await ada.get(f"/library/covers/{where.format(kept)}")
    assert (answer.status_code, answer.content) == (404, b"")
    assert answer.headers["cache-control"] == "private, max-age=60"


async def test_names_of_another_house_lead_nowhere(house: Whole, kept: str, tmp_path: Path) -> None:
    ada = await house.browser()
    other = CoverNames(Settings(data=tmp_path, secret_key="another house " * 3)).name(ADDRESS)
    assert other != kept
    assert (await ada.get(f"/library/covers/small/{other}")).status_code == 404
