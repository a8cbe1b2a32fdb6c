"""Looking back: evenings, and the films that were watched."""

from __future__ import annotations

import re

import httpx

from commonroom.accounts.tables import User
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.tables import Round
from commonroom.store import update
from tests.movienight.evenings import home_of
from tests.movienight.pages.site import Site, requests_for
from tests.support.context import at
from tests.support.pages import Browser, text

HISTORY = "/movie-night/history"
FILMS = f"{HISTORY}/films"


def evenings_on(answer: httpx.Response) -> list[str]:
    """Where the evenings of a page lead, in their order."""
    return re.findall(r'class="row row-link past" href="([^"]+)"', answer.text)


async def rated(site: Site, person: User) -> str:
    """The address of an evening of somebody's own that is over."""
    address = await site.watched(person, person)
    ctx = await site.ctx(person)
    await rate(at(site.store, site.now(), ctx), address.rpartition("/")[2], "loved")
    return address


class TestEvenings:
    async def test_that_are_not_there_yet_say_what_to_do(self, site: Site, adas: Browser) -> None:
        answer = await adas.get(HISTORY)
        assert "No movie night yet" in text(answer)
        assert 'href="/movie-night/rounds/new"' in answer.text

    async def test_are_shown_the_newest_first_with_film_day_and_faces(
        self, site: Site, bens: Browser, ada: User, ben: User
    ) -> None:
        past = [await rated(site, ada), await site.selected(ada), await site.draft(ada)]
        answer = await bens.get(HISTORY)
        assert evenings_on(answer) == past[::-1]
        film = (await site.see(ada, past[0])).films[0].film
        assert film.title in text(answer)
        assert "Ada: Loved it" in text(answer)
        assert "not watched yet" in text(answer)
        assert "Preparing a shortlist" in text(answer)

    async def test_are_only_ones_own(self, site: Site, eves: Browser, ada: User, eve: User) -> None:
        await site.draft(ada)
        assert (await eves.get(HISTORY)).headers["location"] == "/movie-night"
        await home_of(site.store, site.clock, eve)
        assert "No movie night yet" in text(await eves.get(HISTORY))

    async def test_go_on_a_page_later(self, site: Site, adas: Browser, ada: User) -> None:
        made = [await rated(site, ada) for _ in range(21)]
        first = await adas.get(HISTORY)
        assert evenings_on(first) == made[:0:-1]
        further = re.findall(r'href="(\?cursor=[^"]+)"', first.text)
        second = await adas.get(HISTORY + further[0])
        assert evenings_on(second) == made[:1]
        assert "cursor=" not in second.text

    async def test_with_a_spoilt_place_to_go_on_are_refused(
        self, site: Site, adas: Browser
    ) -> None:
        assert (await adas.get(f"{HISTORY}?cursor=spoilt")).status_code == 400

    async def test_take_two_requests_however_many_there_are(
        self, site: Site, adas: Browser, ada: User, zoe: User
    ) -> None:
        for number in (1, 4):
            for _ in range(number):
                await site.watched(ada)
            # The rounds, and their picks with the faces.
            assert await requests_for(adas, HISTORY) == 2

    async def test_of_an_earlier_version_name_nobody(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.watched(ada)
        old = Round.at(round_id=address.rpartition("/")[2])
        await site.store.write(update(old, attendees=None, status="picked"))
        answer = await adas.get(HISTORY)
        assert evenings_on(answer) == [address]


class TestFilms:
    async def test_that_are_not_there_yet_say_so(self, site: Site, adas: Browser) -> None:
        answer = await adas.get(FILMS)
        assert "Nothing watched yet" in text(answer)
        assert 'href="/movie-night/films"' in answer.text, "what else was seen can be marked"

    async def test_are_those_that_were_watched_and_how_they_were_liked(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        seen, waiting = await rated(site, ada), await site.selected(ada)
        answer = await adas.get(FILMS)
        watched, picked = [(await site.see(ada, one)).films[0].film for one in (seen, waiting)]
        assert f'href="/films/{watched.tmdb_movie_id}"' in answer.text
        assert f'href="/films/{picked.tmdb_movie_id}"' not in answer.text
        assert "1 Loved it" in text(answer)

    async def test_are_only_ones_own(self, site: Site, eves: Browser, ada: User, eve: User) -> None:
        await rated(site, ada)
        await home_of(site.store, site.clock, eve)
        assert "Nothing watched yet" in text(await eves.get(FILMS))


async def test_a_guest_signs_in_first(guest: Browser) -> None:
    for path in (HISTORY, FILMS):
        assert (await guest.get(path)).headers["location"] == f"/sign-in?next={path}"
