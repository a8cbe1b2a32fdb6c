"""Starting a movie night."""

from __future__ import annotations

import re

import httpx

from commonroom.accounts.tables import User
from commonroom.movienight.service.wishes import add_wish
from tests.movienight.evenings import likes
from tests.movienight.pages.site import ROUNDS, Site, has
from tests.support.context import at
from tests.support.pages import Browser, said, text

NEW = f"{ROUNDS}/new"


def ticked(answer: httpx.Response) -> set[str]:
    boxes = re.findall(r'<input type="checkbox" name="attendees"[^>]*>', answer.text)
    return {re.findall(r'value="([^"]*)"', box)[0] for box in boxes if " checked" in box}


class TestTheForm:
    async def test_asks_a_guest_to_sign_in(self, guest: Browser) -> None:
        answer = await guest.get(NEW)
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/sign-in?next={NEW}"

    async def test_leads_whoever_has_no_household_to_where_one_is_made(self, eves: Browser) -> None:
        answer = await eves.follow(await eves.get(NEW))
        assert said(answer) == "Start a household first, or ask to join one."
        assert has(answer, "name")

    async def test_shows_everybody_ticked(
        self, site: Site, adas: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        answer = await adas.get(NEW)
        assert ticked(answer) == {one.user_id for one in (ada, ben, zoe)}
        assert "Ada" in text(answer)
        assert "Zoe tastes not set" in text(answer)

    async def test_offers_wishes_only_where_there_are_some(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        assert "Include the wish list" not in text(await adas.get(NEW))
        film = (await site.films.search("Toy Story"))[0].tmdb_movie_id
        await add_wish(at(site.store, site.now(), await site.ctx(ada)), site.films, film)
        assert "Include the wish list" in text(await adas.get(NEW))

    async def test_leads_to_the_round_that_is_open(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.draft(ada)
        answer = await bens.get(NEW)
        assert answer.headers["location"] == address
        assert said(await bens.follow(answer)) == "A movie night is already open. Here it is."


class TestSendingIt:
    async def test_makes_a_shortlist_for_those_who_were_ticked(
        self, site: Site, adas: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        answer = await adas.send(ROUNDS, attendees=[ada.user_id, ben.user_id])
        shown = await adas.follow(answer)
        assert "Tonight’s shortlist" in text(shown)
        assert "For Ada and Ben." in text(shown)

    async def test_works_for_one_alone(self, site: Site, bens: Browser, ben: User) -> None:
        answer = await bens.send(ROUNDS, attendees=ben.user_id)
        assert "For Ben." in text(await bens.follow(answer))

    async def test_puts_wishes_on_the_shortlist(
        self, site: Site, adas: Browser, ada: User, ben: User
    ) -> None:
        film = (await site.films.search("Toy Story"))[0].tmdb_movie_id
        await add_wish(at(site.store, site.now(), await site.ctx(ada)), site.films, film)
        answer = await adas.send(ROUNDS, attendees=[ada.user_id, ben.user_id], wishes="true")
        shown = await adas.follow(answer)
        assert has(shown, f"film-{film}")
        assert "From the wish list" in text(shown)

    async def test_may_be_done_for_a_child_by_its_parent(
        self, site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        zoes = await site.browser(ben, acting_as=zoe)
        answer = await zoes.send(ROUNDS, attendees=[ada.user_id, ben.user_id, zoe.user_id])
        shown = await zoes.follow(answer)
        assert has(shown, "shuffle"), "whoever starts a round steers it"

    async def test_wants_somebody_to_watch(self, site: Site, adas: Browser) -> None:
        answer = await adas.send(ROUNDS)
        assert answer.status_code == 422
        assert "Choose at least one person." in text(answer)
        assert 'aria-describedby="attendees-wrong"' in answer.text
        assert ticked(answer) == set()

    async def test_wants_members_of_the_household(
        self, site: Site, adas: Browser, eve: User
    ) -> None:
        answer = await adas.send(ROUNDS, attendees=[eve.user_id])
        assert answer.status_code == 422
        assert "Only members of the household can take part." in text(answer)

    async def test_says_whose_tastes_are_missing_and_where_to_say_them(
        self, empty_site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        bens = await empty_site.browser(ben)
        everybody = [one.user_id for one in (ada, ben, zoe)]
        answer = await bens.send(ROUNDS, attendees=everybody)
        assert answer.status_code == 422
        assert "Before films can be suggested, these people need to set their tastes:" in text(
            answer
        )
        assert 'href="/movie-night/preferences">Set your tastes</a>' in answer.text
        assert f'href="/movie-night/preferences/{zoe.user_id}">Set Zoe’s tastes' in answer.text
        assert "Ada, on their own device" in text(answer), "of another grown-up nobody else says it"
        assert ticked(answer) == set(everybody), "what was ticked stays so"

    async def test_goes_on_once_enough_have_said_what_they_like(
        self, empty_site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        for person in (ada, ben):
            await likes(empty_site.store, empty_site.clock, person)
        bens = await empty_site.browser(ben)
        everybody = [one.user_id for one in (ada, ben, zoe)]
        shown = await bens.follow(await bens.send(ROUNDS, attendees=everybody))
        assert "Tonight’s shortlist" in text(shown)

    async def test_leads_to_the_round_that_somebody_else_began_meanwhile(
        self, site: Site, bens: Browser, ada: User, ben: User
    ) -> None:
        address = await site.draft(ada)
        answer = await bens.send(ROUNDS, attendees=[ben.user_id])
        assert answer.headers["location"] == address

    async def test_is_done_again_from_the_form(self, site: Site, adas: Browser) -> None:
        assert (await adas.get(ROUNDS)).headers["location"] == NEW
