"""One ranking of titles: for the picker, the API and search alike, whoever made a title."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient

from commonroom.accounts.context import Context
from commonroom.hangouts.tables import Venue
from commonroom.search.words import title_words
from commonroom.store import counting, put
from commonroom.titles.builtin import known_films
from commonroom.watchlists.service.lists import ListDraft, create_list
from tests.accounts.people import Watch
from tests.hangouts.friends import group_of, hangout_of
from tests.house.whole import Whole
from tests.library.bookcase import book_of, library_of
from tests.search.pages.private_things import indexed
from tests.search.things import movie

FAMOUS = [one.title for one in known_films()[:21]]
JAWS = movie("ours-jaws", "Jaws", release_year=1972)
BELLA = movie(
    "ours-bella", "Life goes on", other_titles=["La strada è bella"], tmdb_id="99999", cast=["Zoe"]
)


async def spoiled(house: Whole, folder: Path) -> None:
    """Titles from files: of the same name, of nearly the same, and with more behind it."""
    made = [
        movie(f"ours-{number}-{way}", name, release_year=1931)
        for number, title in enumerate(FAMOUS)
        for way, name in enumerate((title, f"{title[:-1]}x", f"Beyond {title}", f"{title} again"))
    ]
    for start in range(0, len(made), 50):
        await house.store.write(*(put(one) for one in made[start : start + 50]))
    await house.store.write(put(movie("ours-jasmine", "Blue Jasmine", cast=["Jaws Smith"])))
    await indexed(house, folder)


async def by_api(client: AsyncClient, text: str, **wanted: Any) -> list[str]:
    answer = await client.get("/api/v1/titles", params={"text": text, "limit": 8, **wanted})
    assert answer.status_code == 200, answer.text
    return [one["page"] for one in answer.json()["items"]]


async def by_picker(house: Whole, client: AsyncClient, text: str) -> list[str]:
    made = await create_list(Context(house.store, house.ada), ListDraft(title="Doors"))
    page = await client.get(f"/lists/{made.watchlist_id}/arrange", params={"q": text})
    found = re.findall(r'id="found-(MOVIE|SHOW)-([^"]+)"', page.text)
    return [f"/{'films' if kind == 'MOVIE' else 'shows'}/{id_}" for kind, id_ in found]


async def by_search(client: AsyncClient, text: str) -> list[str]:
    found = []
    for kind in ("film", "show"):
        answer = await client.get("/api/v1/search", params={"q": text, "kind": kind, "limit": 8})
        found += [one["address"] for one in answer.json()["items"]]
    return found


async def test_famous_titles_stay_first_whatever_files_have_brought(
    house: Whole, tmp_path: Path
) -> None:
    await spoiled(house, tmp_path)
    ada = await house.browser()
    wanted = [f"/films/{one.content_id}" for one in known_films()[:21]]
    assert [(await by_api(ada, title))[0] for title in FAMOUS] == wanted
    assert (await by_api(ada, "jaws"))[0] == "/films/578"


async def test_picker_api_and_search_have_one_order(house: Whole, tmp_path: Path) -> None:
    await spoiled(house, tmp_path)
    ada = await house.browser()
    for text in ("jaws", "god", "godfahter", FAMOUS[0], "blue"):
        api = await by_api(ada, text, kind="films")
        everywhere = await by_search(ada, text)
        assert api == [one for one in everywhere if one.startswith("/films")], text
        assert await by_api(ada, text) == await by_picker(house, ada, text), text


async def test_a_title_made_here_is_found_like_any_other(house: Whole, tmp_path: Path) -> None:
    await house.store.write(put(JAWS))
    await indexed(house, tmp_path)
    assert (await by_api(await house.browser(), "jaws"))[:2] == ["/films/578", "/films/ours-jaws"]


@pytest.mark.parametrize(
    "text",
    [
        "La strada è bella",
        "la strada e bella",
        "https://www.themoviedb.org/movie/99999-life-goes-on?language=de",
        "themoviedb.org/movie/99999",
        "tmdb movie 99999",
    ],
)
async def test_other_titles_and_links_are_as_good_as_the_title(
    house: Whole, tmp_path: Path, text: str
) -> None:
    await house.store.write(put(BELLA))
    await indexed(house, tmp_path)
    ada = await house.browser()
    assert (await by_api(ada, text))[0] == "/films/ours-bella"
    assert (await by_search(ada, text))[0] == "/films/ours-bella"
    shown = await ada.get("/search", params={"q": text})
    assert "/films/ours-bella" in shown.text


@pytest.mark.parametrize(
    "text",
    ["tt0133093", "https://www.imdb.com/title/tt0133093/?ref_=nv", "m.imdb.com/title/tt0133093"],
)
async def test_an_id_finds_one_title_and_nothing_else(house: Whole, text: str) -> None:
    ada = await house.browser()
    assert await by_api(ada, text) == ["/films/603"]
    assert await by_search(ada, text) == ["/films/603"]
    assert await by_api(ada, text.replace("tt0133093", "tt01330930")) == []


@pytest.mark.parametrize(
    "text, address",
    [
        ("Le Fabuleux Destin d'Amélie Poulain", "/films/194"),
        ("il buono il brutto", "/films/429"),
        ("千と千尋の神隠し", "/films/129"),
        ("La casa de papel", "/shows/71446"),
    ],
)
async def test_titles_that_come_with_commonroom_are_found_by_their_original_ones(
    house: Whole, text: str, address: str
) -> None:
    ada = await house.browser()
    assert (await by_api(ada, text))[0] == address
    assert (await by_picker(house, ada, text))[0] == address


@pytest.mark.parametrize("text", ["matrix", "tt0133093", "themoviedb.org/movie/603"])
async def test_movie_night_finds_films_in_the_same_way(house: Whole, text: str) -> None:
    ada = await house.browser()
    answer = await ada.get("/api/v1/films", params={"title": text})
    assert answer.json()["items"][0]["tmdb_movie_id"] == 603


async def test_a_result_says_by_which_other_title_it_was_found(
    house: Whole, tmp_path: Path
) -> None:
    await house.store.write(put(BELLA))
    await indexed(house, tmp_path)
    shown = await (await house.browser()).get("/search", params={"q": "la strada"})
    plain = unescape(re.sub(r"<[^>]+>", "", shown.text))
    assert "La strada è bella" in plain


async def test_only_what_does_not_come_with_commonroom_is_read(
    house: Whole, tmp_path: Path
) -> None:
    await house.store.write(put(JAWS))
    await indexed(house, tmp_path)
    ada = await house.browser()
    await by_api(ada, "matrix")
    requests = []
    for text in ("matrix", "jaws"):
        with counting() as count:
            await by_api(ada, text)
        requests.append(count.requests)
    assert requests[1] == requests[0] + 1


async def test_ones_own_things_come_before_members_of_a_cast(house: Whole, tmp_path: Path) -> None:
    await group_of(house.store, Watch(), house.ada, name="Climbing")
    await indexed(house, tmp_path)
    shown = await (await house.browser()).get("/search", params={"q": "cli"})
    results = re.findall(r'href="([^"]+)" data-result', shown.text)
    assert results[0].startswith("/groups/")
    cast = [one.title for one in known_films() if any("Clive" in name for name in one.cast)]
    assert cast, "somebody of a cast is called so"
    assert not any(word.startswith("cli") for title in cast for word in title_words(title))


async def test_ones_own_things_come_first_also_where_a_name_alone_matches(
    house: Whole, tmp_path: Path
) -> None:
    clock, garden = Watch(), Venue(name="Clive's garden")
    home = await library_of(house.store, clock, house.ada)
    await book_of(house.store, clock, house.ada, home, "Weaveworld", authors=["Clive Barker"])
    await hangout_of(house.store, clock, house.ada, title="Barbecue", place=garden)
    await indexed(house, tmp_path)
    shown = await (await house.browser()).get("/search", params={"q": "clive"})
    results = re.findall(r'href="([^"]+)" data-result', shown.text)
    own = [one for one in results if not one.startswith(("/films/", "/shows/"))]
    assert len(own) == 2
    assert results[:2] == own, "before films with Clive Owen"
    assert len(results) > 2
