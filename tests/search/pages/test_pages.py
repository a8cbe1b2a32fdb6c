"""Search, as a page that works without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from commonroom.rate_limits import Rate
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.reindexing import reindex
from commonroom.store import counting
from tests.accounts.people import Watch
from tests.house.whole import Whole, whole
from tests.library.bookcase import book_of, library_of
from tests.search.things import indexer_of
from tests.support.pages import text

SEARCH = "/search"


def groups(answer: httpx.Response) -> list[str]:
    """The kinds of which something was found, as they are called."""
    return re.findall(r'<h2 id="found-\w+">([^<]+)</h2>', answer.text)


def addresses(answer: httpx.Response) -> list[str]:
    """Where results lead."""
    return re.findall(r'href="([^"]+)" data-result', answer.text)


async def test_a_guest_finds_what_is_public_grouped_by_kind(house: Whole) -> None:
    answer = await (await house.guest()).get(SEARCH, params={"q": "matrix"})
    assert groups(answer) == ["Films", "Lists", "Curators"]
    assert addresses(answer)[0] == "/films/603"
    assert "/lists/rainy" in addresses(answer)
    assert "/curators/matrixmaya" in addresses(answer)
    assert "12 titles · by Maya" in text(answer)
    assert "The <mark>Matrix</mark>" in answer.text


async def test_before_anything_is_typed_it_says_what_can_be(house: Whole) -> None:
    guest = await house.guest()
    for typed in ("", "   ", "\u200b"):
        with counting() as count:
            answer = await guest.get(SEARCH, params={"q": typed})
        assert "What are you looking for?" in text(answer)
        assert count.requests == 0


async def test_where_nothing_is_found_it_says_what_to_do(house: Whole) -> None:
    guest = await house.guest()
    answer = await guest.get(SEARCH, params={"q": "xqzjkw"})
    assert "No match found" in text(answer)
    answer = await guest.get(SEARCH, params={"q": "xqzjkw", "kind": "film"})
    assert "Search everything" in text(answer)


async def test_while_the_index_is_built_it_says_so_and_looks_again(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        guest = await house.guest()
        answer = await guest.get(SEARCH, params={"q": "xqzjkw"})
        assert "Search is being prepared" in text(answer)
        assert "No match found" not in text(answer)
        assert 'hx-get="/search?q=xqzjkw" hx-trigger="every 1s"' in answer.text
        index = EmbeddedIndex(tmp_path / "search.db")
        await reindex(indexer_of(house.store, index))
        await index.close()
        answer = await guest.get(SEARCH, params={"q": "xqzjkw"})
        assert "No match found" in text(answer)
        assert "every 1s" not in answer.text


async def test_one_kind_by_itself_shows_more_of_it(house: Whole) -> None:
    guest = await house.guest()
    several = await guest.get(SEARCH, params={"q": "the"})
    assert "Show all" in text(several)
    assert "/search?q=the&amp;kind=film" in several.text
    alone = await guest.get(SEARCH, params={"q": "the", "kind": "film"})
    assert groups(alone) == ["Films"]
    assert len(addresses(alone)) == 30


async def test_years_and_genre_narrow_it_down_and_stay_filled_in(house: Whole) -> None:
    asked = {"q": "star", "year_from": "1970", "year_to": "1979", "genre": "Science Fiction"}
    answer = await (await house.guest()).get(SEARCH, params=asked)
    assert addresses(answer) == ["/films/11"]
    assert 'value="1970"' in answer.text
    assert '<option value="Science Fiction" selected>' in answer.text


@pytest.mark.parametrize(
    "asked", [{"kind": "nothing"}, {"year_from": "x"}, {"year_to": "19999"}, {"genre": "<b>"}]
)
async def test_what_makes_no_sense_is_left_out(house: Whole, asked: dict[str, str]) -> None:
    answer = await (await house.guest()).get(SEARCH, params={"q": "matrix"} | asked)
    assert answer.status_code == 200
    assert "/films/603" in addresses(answer)


async def test_what_people_type_and_what_lists_are_called_is_escaped(house: Whole) -> None:
    answer = await (await house.guest()).get(SEARCH, params={"q": '<script>"matrix'})
    assert "<script>&quot;" not in answer.text
    assert "&lt;script&gt;" in answer.text


async def test_what_is_mine_is_found_by_me_alone(house: Whole) -> None:
    clock = Watch()
    home = await library_of(house.store, clock, house.ada)
    await book_of(house.store, clock, house.ada, home, "The Matrix and Philosophy")
    mine = await (await house.browser()).get(SEARCH, params={"q": "matrix"})
    assert groups(mine) == ["Films", "Lists", "Curators", "Your libraries"]
    assert "The Matrix and Philosophy" in text(mine)
    assert "/library/search?q=matrix" in mine.text
    alone = await (await house.browser()).get(SEARCH, params={"q": "matrix", "kind": "library"})
    assert groups(alone) == ["Your libraries"]
    theirs = await (await house.guest()).get(SEARCH, params={"q": "matrix", "kind": "library"})
    assert "Philosophy" not in text(theirs)


async def test_requests_are_few_and_do_not_grow(house: Whole) -> None:
    guest, ada = await house.guest(), await house.browser()
    for browser, requests in ((guest, 1), (ada, 4)):
        await browser.get(SEARCH, params={"q": "matrix"})
        with counting() as count:
            await browser.get(SEARCH, params={"q": "matrix"})
        assert count.requests <= requests, browser
        assert count.writes == 0


async def test_an_index_that_cannot_be_asked_is_said(tmp_path: Path) -> None:
    (tmp_path / "search.lock").mkdir()
    async with whole(tmp_path) as house:
        answer = await (await house.guest()).get(SEARCH, params={"q": "matrix"})
    assert answer.status_code == 503
    assert "Search is not available" in text(answer)


async def test_whoever_asks_too_often_waits(house: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonroom.search.find.GUEST", Rate(burst=1, per_minute=1))
    guest = await house.guest()
    assert (await guest.get(SEARCH, params={"q": "matrix"})).status_code == 200
    assert (await guest.get(SEARCH, params={"q": "matrix"})).status_code == 429
    assert (await guest.get(SEARCH)).status_code == 200, "the empty page costs nothing"
