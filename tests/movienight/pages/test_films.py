"""A film's page, and looking for one."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import UNDO_SECONDS
from commonroom.movienight.tables import Household, WatchedFilm, Wish
from commonroom.store import create, update
from tests.movienight.evenings import home_of
from tests.movienight.pages.site import Site, films_on, has, refusal
from tests.support.pages import Browser, said, text, value

FILMS = "/films"
SEARCH = "/movie-night/films"


@pytest.fixture
async def at(site: Site) -> str:
    """The page of a film that everybody may see."""
    return f"{FILMS}/{(await site.films.search('Paddington'))[0].tmdb_movie_id}"


class TestLookingForOne:
    async def test_shows_what_resembles_it(self, site: Site, adas: Browser, at: str) -> None:
        assert "Find a film" in text(await adas.get(SEARCH))
        answer = await adas.get(SEARCH, params={"title": "paddington"})
        assert f'href="{at}"' in answer.text
        assert value(answer, "title") == "paddington"

    async def test_what_was_typed_is_never_taken_for_a_page(
        self, site: Site, adas: Browser
    ) -> None:
        answer = await adas.get(SEARCH, params={"title": '"><script>'})
        assert "<script>" not in answer.text

    async def test_is_for_members_of_a_household(self, guest: Browser, eves: Browser) -> None:
        assert (await guest.get(SEARCH)).status_code == 303
        assert (await eves.get(SEARCH)).headers["location"] == "/movie-night"


class TestTheFacts:
    async def test_are_all_that_is_known(self, site: Site, adas: Browser, at: str) -> None:
        film = await site.films.film(int(at.rpartition("/")[2]))
        assert film is not None
        shown = text(await adas.get(at))
        for fact in (film.title, str(film.year), *film.makers, *film.cast, film.overview):
            assert str(fact) in shown
        assert "Comedy" in shown
        assert "Not watched yet" in shown
        assert "Not on the wish list" in shown

    @pytest.mark.parametrize("number", ["0", "-1", "x", "1e3", "9" * 20, "²", "1"])
    async def test_of_no_film_are_none(self, site: Site, adas: Browser, number: str) -> None:
        assert (await adas.get(f"{FILMS}/{number}")).status_code == 404

    async def test_are_for_everybody_and_what_the_household_knows_for_its_members(
        self, guest: Browser, eves: Browser, at: str
    ) -> None:
        for browser in (guest, eves):
            shown = text(await browser.get(at))
            assert "Paddington" in shown
            assert "household" not in shown

    async def test_have_one_page(self, adas: Browser, at: str) -> None:
        answer = await adas.get(f"{SEARCH}/{at.rpartition('/')[2]}")
        assert answer.headers["location"] == at

    async def test_are_as_many_as_were_kept_where_nobody_knows_it_any_longer(
        self, site: Site, adas: Browser, eves: Browser, home: Household
    ) -> None:
        kept = Wish(
            group_id=home.group_id,
            tmdb_movie_id=987_654,
            title="A film of yore",
            year=1971,
            added_by=home.created_by,
            added_at=iso(site.clock()),
        )
        await site.store.write(create(kept))
        shown = text(await adas.get(f"{FILMS}/987654"))
        assert "A film of yore" in shown
        assert "1971" in shown
        assert "On the wish list: Ada" in shown
        assert (await eves.get(f"{FILMS}/987654")).status_code == 404


class TestWishing:
    async def test_puts_it_on_the_list_and_takes_it_off(
        self, site: Site, adas: Browser, bens: Browser, at: str
    ) -> None:
        answer = await bens.follow(await bens.send(f"{at}/wish"))
        assert said(answer) == "Added to the wish list."
        assert "On the wish list: Ben, just now" in text(answer)
        assert (has(answer, "wish"), has(answer, "unwish")) == (False, True)
        answer = await adas.follow(await adas.send(f"{at}/unwish"))
        assert said(answer) == "Removed from the wish list."
        assert "Not on the wish list" in text(answer)

    async def test_twice_says_that_it_is_there(self, site: Site, bens: Browser, at: str) -> None:
        await bens.send(f"{at}/wish")
        answer = await bens.send(f"{at}/wish")
        assert answer.status_code == 409
        assert refusal(answer) == "This film is already on the wish list."
        assert has(answer, "unwish"), "the film as it is now"

    async def test_is_taken_back_by_whoever_wished_and_the_creator(
        self, site: Site, adas: Browser, bens: Browser, at: str
    ) -> None:
        await adas.send(f"{at}/wish")
        assert not has(await bens.get(at), "unwish")
        assert (await bens.send(f"{at}/unwish")).status_code == 403


class TestHavingSeenIt:
    async def test_is_noted_and_taken_back(self, site: Site, bens: Browser, at: str) -> None:
        answer = await bens.follow(await bens.send(f"{at}/watched"))
        assert said(answer) == "Marked as watched."
        assert "Marked as watched by Ben on" in text(answer)
        assert not has(answer, "mark")
        answer = await bens.follow(await bens.send(f"{at}/unwatched"))
        assert said(answer) == "No longer marked as watched."
        assert "Not watched yet" in text(answer)

    async def test_is_taken_back_within_a_day_only(
        self, site: Site, bens: Browser, ada: User, at: str
    ) -> None:
        await bens.send(f"{at}/watched")
        ctx, number = await site.ctx(ada), int(at.rpartition("/")[2])
        watched = WatchedFilm.at(group_id=ctx.group_id, tmdb_movie_id=number)
        long_ago = iso(site.clock() - UNDO_SECONDS)
        await site.store.write(update(watched, marked_at=long_ago))
        assert not has(await bens.get(at), "undo")
        answer = await bens.send(f"{at}/unwatched")
        assert answer.status_code == 409
        assert refusal(answer) == "This can only be undone within a day."

    async def test_in_a_round_leads_to_that_evening(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.watched(ada)
        number = (await site.see(ada, address)).films[0].film.tmdb_movie_id
        answer = await bens.get(f"{FILMS}/{number}")
        assert f'href="{address}"' in answer.text
        assert not has(answer, "undo")


class TestVotes:
    async def test_of_earlier_rounds_are_remembered(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        number = films_on(await adas.get(address))[0]
        await adas.send(f"{address}/vote", tmdb_movie_id=number, vote="up")
        await bens.send(f"{address}/vote", tmdb_movie_id=number, vote="down")
        answer = await adas.get(f"{FILMS}/{number}")
        assert "In the current vote 1 vote for 1 vote against" in text(answer)
        assert f'src="{address}/live"' in answer.text, "they come as they are given"
        other = films_on(await adas.get(address))[1]
        await adas.send(f"{address}/pick", tmdb_movie_id=other)
        answer = await adas.get(f"{FILMS}/{number}")
        assert "Earlier votes" in text(answer)
        assert "1 vote for 1 vote against" in text(answer)
        assert "In the current vote" not in text(answer)

    async def test_of_another_household_are_not_shown(
        self, site: Site, adas: Browser, eves: Browser, ada: User, eve: User
    ) -> None:
        address = await site.voting(ada)
        number = films_on(await adas.get(address))[0]
        await adas.send(f"{address}/vote", tmdb_movie_id=number, vote="up")
        await home_of(site.store, site.clock, eve)
        shown = text(await eves.get(f"{FILMS}/{number}"))
        assert "vote for" not in shown


async def test_a_page_that_was_refused_can_be_loaded_anew(adas: Browser, at: str) -> None:
    for deed in ("wish", "unwish", "propose", "watched", "unwatched"):
        assert (await adas.get(f"{at}/{deed}")).headers["location"] == at
