"""Where administrators make and correct titles."""

from __future__ import annotations

from pathlib import Path

from httpx import AsyncClient, Response

from commonroom.accounts.tables import User
from commonroom.house.search import open_indexer
from commonroom.settings import Settings
from commonroom.store import update
from commonroom.titles.stored_titles import load_title
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.ratings import rate
from tests.support.cinema import Cinema, requests_for, words_of

ADMIN = "/admin/titles"
MATRIX = TitleId("MOVIE", "603")
PICTURE = "https://pictures.example/summer.jpg"
HOME_FILM = {
    "title": "Our summer",
    "year": "2024",
    "runtime": "42",
    "genres": ["Family", "Documentary"],
    "makers": "Ada, Ben",
    "cast": "Lea\nMax",
    "synopsis": "At the lake.",
    "certification": "G",
}


async def make(client: AsyncClient, kind: str = "films", **fields: object) -> Response:
    """Sends the form for a new title."""
    return await client.post(f"{ADMIN}/{kind}/new", data={**HOME_FILM, **fields})


async def test_a_film_is_made_and_has_a_page(house: Cinema, ada: User) -> None:
    adas = await house.client(ada)
    answer = await make(adas)
    page = words_of(await (await house.client()).get(answer.headers["location"]))

    assert answer.status_code == 303
    for fact in ("Our summer", "2024", "42 min", "Ada, Ben", "Lea, Max", "At the lake.", "G"):
        assert fact in page, fact


async def test_a_show_has_what_shows_have(house: Cinema, ada: User) -> None:
    adas = await house.client(ada)
    typed = {"title": "Neighbours we know", "year": "2020", "seasons": "2", "status": "ongoing"}
    answer = await adas.post(f"{ADMIN}/shows/new", data=typed)
    made = await load_title(
        house.store, TitleId("SHOW", answer.headers["location"].removeprefix("/shows/"))
    )

    assert isinstance(made, Show)
    assert (made.title, made.start_year, made.number_of_seasons) == ("Neighbours we know", 2020, 2)
    assert made.status == "ongoing"


async def test_what_is_wrong_is_said_beside_each_field_and_what_was_typed_stays(
    house: Cinema, ada: User
) -> None:
    answer = await make(await house.client(ada), title="", year="long ago")
    assert answer.status_code == 422
    assert 'id="year-wrong"' in answer.text
    assert "At the lake." in answer.text

    answer = await make(await house.client(ada), title="", year="1200")
    assert 'id="title-wrong"' in answer.text
    assert 'id="year-wrong"' in answer.text


async def test_one_tmdb_id_is_one_title(house: Cinema, ada: User) -> None:
    adas = await house.client(ada)
    assert (await make(adas, tmdb_id="424242")).headers["location"] == "/films/424242"
    second = await make(adas, tmdb_id="424242", title="Another")
    assert second.status_code == 409
    assert "This title is in the catalogue already." in words_of(second)


async def test_a_correction_keeps_what_was_not_touched(house: Cinema, ada: User, ben: User) -> None:
    await rate(house.asks(ben), house.titles, MATRIX, rating=7)
    adas = await house.client(ada)
    form = (await adas.get(f"{ADMIN}/films/603")).text
    assert 'value="The Matrix"' in form
    assert 'value="Science Fiction" checked' in form
    corrected = {**HOME_FILM, "title": "Matrix", "certification": "R", "tmdb_id": "603"}
    answer = await adas.post(f"{ADMIN}/films/603", data=corrected)
    stored = await load_title(house.store, MATRIX)

    assert answer.headers["location"] == "/films/603"
    assert isinstance(stored, Movie)
    assert (stored.title, stored.certification, stored.rating_count) == ("Matrix", "R", 1)
    assert "Matrix" in words_of(await adas.get("/films/603"))


async def test_a_correction_of_what_somebody_else_has_corrected_is_refused(
    house: Cinema, ada: User
) -> None:
    adas = await house.client(ada)
    address = f"{ADMIN}{(await make(adas)).headers['location']}"
    assert 'name="version" value="1"' in (await adas.get(address)).text
    first, second = [
        await adas.post(address, data={**HOME_FILM, "title": title, "version": "1"})
        for title in ("Our winter", "Our spring")
    ]

    assert (first.status_code, second.status_code) == (303, 412)
    assert "This was changed since you loaded it." in words_of(second)
    assert "Our spring" in second.text, "what was typed stays"


async def test_only_what_was_made_here_is_removed(house: Cinema, ada: User) -> None:
    adas = await house.client(ada)
    address = (await make(adas)).headers["location"]
    assert "Remove this title" in words_of(await adas.get(f"{ADMIN}{address}"))
    answer = await adas.post(f"{ADMIN}{address}/remove")
    assert answer.headers["location"] == ADMIN
    assert (await adas.get(address)).status_code == 404

    assert "Remove this title" not in words_of(await adas.get(f"{ADMIN}/films/603"))
    assert (await adas.post(f"{ADMIN}/films/603/remove")).status_code == 409


async def test_titles_in_use_are_listed_with_two_requests(
    house: Cinema, ada: User, ben: User
) -> None:
    await rate(house.asks(ben), house.titles, MATRIX, rating=7)
    adas = await house.client(ada)
    assert "The Matrix" in words_of(await adas.get(ADMIN))
    assert "The Matrix" not in words_of(await adas.get(f"{ADMIN}?kind=shows"))
    before = await requests_for(adas, ADMIN)
    await make(adas)
    await adas.get(ADMIN)
    assert await requests_for(adas, ADMIN) == before == 2


async def test_a_title_made_here_is_found_by_whoever_looks_for_one(
    house: Cinema, ada: User, ben: User, tmp_path: Path
) -> None:
    adas = await house.client(ada)
    address = (await make(adas)).headers["location"]
    async with open_indexer(Settings(data=tmp_path), house.store) as indexer:
        await indexer.refresh([("film", address.removeprefix("/films/"))])

    assert f'href="{ADMIN}{address}"' in (await adas.get(f"{ADMIN}?q=our+sumer")).text
    found = (await (await house.client(ben)).get("/api/v1/titles?text=our%20summer")).json()
    assert found["items"][0]["page"] == address


async def test_only_administrators_are_shown_the_way(house: Cinema, ada: User, ben: User) -> None:
    way = f'href="{ADMIN}/films/603"'
    assert way in (await (await house.client(ada)).get("/films/603")).text
    assert way not in (await (await house.client(ben)).get("/films/603")).text
    assert (await (await house.client(ben)).get(ADMIN)).status_code == 403


async def test_a_poster_is_entered_by_its_address_and_shown_by_this_server(
    house: Cinema, ada: User
) -> None:
    adas, guest = await house.client(ada), await house.client()
    refused = await make(adas, poster_url="http://pictures.example/a.jpg")
    assert refused.status_code == 422
    address = (await make(adas, poster_url=PICTURE)).headers["location"]
    page = (await guest.get(address)).text
    assert '<img src="/pictures/small/' in page
    assert "pictures.example" not in page
    told = (await guest.get(f"/api/v1/titles{address}")).json()
    assert (told["poster"], told["poster_url"]) == (None, PICTURE)
    form = (await adas.get(f"{ADMIN}{address}")).text
    assert f'value="{PICTURE}"' in form
    await adas.post(f"{ADMIN}{address}", data=HOME_FILM)
    assert "/pictures/" not in (await guest.get(address)).text


async def test_a_sources_poster_stays_unless_another_is_entered(house: Cinema, ada: User) -> None:
    adas, typed = await house.client(ada), {**HOME_FILM, "tmdb_id": "603"}
    theirs = "/posters/abcdefgh.jpg"

    async def poster_after(**entered: str) -> str | None:
        answer = await adas.post(f"{ADMIN}/films/603", data={**typed, **entered})
        assert answer.status_code == 303
        kept = await load_title(house.store, MATRIX)
        assert kept is not None
        return kept.poster_url

    assert await poster_after() is None
    await house.store.write(update(Movie.at(movie_id="603"), poster_url=theirs))
    assert await poster_after() == theirs
    assert await poster_after(poster_url=PICTURE) == PICTURE
    assert await poster_after() is None
