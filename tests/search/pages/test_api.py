"""Search for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from commonroom.rate_limits import Rate
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.reindexing import reindex
from commonroom.store import counting, delete, update
from commonroom.watchlists.tables import Profile, Watchlist
from tests.house.whole import Whole, whole
from tests.search.test_search import HOSTILE
from tests.search.things import indexer_of

SEARCH = "/api/v1/search"


async def asked(house: Whole, **wanted: Any) -> httpx.Response:
    guest = await house.guest(accept="application/json")
    return await guest.get(SEARCH, params=wanted)


async def titles(house: Whole, **wanted: Any) -> list[str]:
    answer = await asked(house, **wanted)
    assert answer.status_code == 200, answer.text
    return [one["title"] for one in answer.json()["items"]]


async def test_a_guest_finds_what_everybody_may_find(house: Whole) -> None:
    answer = await asked(house, q="the matrx", limit=1)
    assert answer.json() == {
        "items": [
            {
                "kind": "film",
                "id": "603",
                "title": "The Matrix",
                "title_parts": [
                    {"text": "The ", "matches": False},
                    {"text": "Matrix", "matches": True},
                ],
                "snippet": [],
                "address": "/films/603",
                "year": 1999,
                "genres": ["Action", "Science Fiction"],
            }
        ]
    }


async def test_all_kinds_are_found_and_each_by_itself(house: Whole) -> None:
    answer = await asked(house, q="matrix")
    assert {one["kind"] for one in answer.json()["items"]} == {"film", "list", "curator"}
    assert await titles(house, q="matrix", kind="list") == ["Rainy matrix evenings"]
    assert await titles(house, q="matrix", kind="curator") == ["matrixmaya"]


async def test_films_are_filtered_by_year_and_genre(house: Whole) -> None:
    found = await titles(house, q="star", year_from=1970, year_to=1979, genre="science fiction")
    assert found == ["Star Wars"]


async def test_a_kind_that_there_is_none_of_is_named(house: Whole) -> None:
    answer = await asked(house, q="x", kind="book")
    assert answer.status_code == 422
    assert answer.json()["field"] == "kind"
    assert "film, show, list, curator" in answer.json()["detail"]


@pytest.mark.parametrize(
    "wanted", [{"limit": 0}, {"limit": 51}, {"year_from": -1}, {"genre": "x" * 51}, {"other": "1"}]
)
async def test_what_is_out_of_bounds_is_refused(house: Whole, wanted: dict[str, Any]) -> None:
    assert (await asked(house, q="x", **wanted)).status_code == 400


async def test_no_text_fails(house: Whole) -> None:
    for text in ("", *HOSTILE):
        typed = text.encode("utf-8", "replace").decode()
        assert (await asked(house, q=typed, genre="'\"*")).status_code == 200, typed[:20]


async def test_a_list_that_turned_private_is_not_shown_though_the_index_still_has_it(
    house: Whole,
) -> None:
    rainy = await house.store.get(Watchlist.at(watchlist_id="rainy"))
    assert rainy is not None
    await house.store.write(update(rainy, is_public=False))
    await house.store.write(update(Profile.at(user_id="maya"), curator_status="suspended"))
    assert await titles(house, q="rainy", kind="list") == []
    assert await titles(house, q="matrixmaya", kind="curator") == []
    await house.store.write(delete(rainy.ref))
    assert await titles(house, q="rainy", kind="list") == []


async def test_a_list_is_shown_as_it_is_now(house: Whole) -> None:
    await house.store.write(update(Watchlist.at(watchlist_id="rainy"), title="Sunny evenings"))
    assert await titles(house, q="rainy", kind="list") == ["Sunny evenings"]


async def test_it_reads_once_where_results_can_become_private_and_never_writes(
    house: Whole,
) -> None:
    guest = await house.guest(accept="application/json")
    for text, reads in (("godfather", 0), ("rainy", 1), ("matrix", 1)):
        with counting() as count:
            await guest.get(SEARCH, params={"q": text})
        assert (count.reads, count.writes) == (reads, 0), text


async def test_of_a_room_that_is_switched_off_nothing_is_found(tmp_path: Path) -> None:
    async with whole(tmp_path, rooms="movienight") as house:
        assert (await asked(house, q="x", kind="list")).status_code == 422
        assert (await asked(house, q="x", kind="film")).status_code == 200


async def test_before_there_is_an_index_nothing_is_found(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        assert await titles(house, q="matrix") == []


async def test_an_index_that_cannot_be_asked_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "search.lock").mkdir()
    async with whole(tmp_path) as house:
        answer = await asked(house, q="matrix")
    assert answer.status_code == 503
    assert "cannot be opened" in answer.json()["detail"]


async def test_whoever_asks_too_often_waits(house: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonroom.search.find.GUEST", Rate(burst=2, per_minute=1))
    answers = [await asked(house, q="x") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    ada = await house.browser(accept="application/json")
    assert (await ada.get(SEARCH, params={"q": "x"})).status_code == 200, "each is counted alone"


async def test_a_file_that_is_lost_meanwhile_does_no_harm(house: Whole, tmp_path: Path) -> None:
    assert await titles(house, q="matrix")
    index = EmbeddedIndex(tmp_path / "search.db")
    index.path.unlink()
    assert await titles(house, q="matrix") == []
    await reindex(indexer_of(house.store, index))
    assert "The Matrix" in await titles(house, q="matrix")
    await index.close()
