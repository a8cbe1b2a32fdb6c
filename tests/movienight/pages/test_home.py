"""The household's home, for everybody who may come by."""

from __future__ import annotations

import re

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.votes import rate, vote
from commonroom.movienight.service.wishes import add_wish
from commonroom.movienight.tables import Household
from tests.movienight.evenings import likes, now_of
from tests.movienight.pages.site import Site, has
from tests.support.context import at
from tests.support.pages import Browser, addresses, text

HERE = "/movie-night"
START = "Start a movie night"


def part(page: str, begin: str, end: str) -> str:
    """What a page says between two of its headings."""
    return page.partition(begin)[2].partition(end)[0]


class TestWithoutAHousehold:
    async def test_a_guest_is_asked_to_sign_in(self, guest: Browser) -> None:
        answer = await guest.get(HERE)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={HERE}")

    async def test_one_can_be_made_or_joined(self, eves: Browser) -> None:
        answer = await eves.get(HERE)
        assert answer.status_code == 200
        assert "New household" in text(answer)
        assert "Join a household" in text(answer)
        assert addresses(answer, HERE) == ["/movie-night/household"]

    async def test_a_child_is_told_who_can_make_one(self, site: Site, eve: User) -> None:
        child = await _child_without_household(site, eve)
        answer = await (await site.browser(eve, child)).get(HERE)
        assert "Only someone with their own account can create a household." in text(answer)
        assert addresses(answer, HERE) == []


class TestWhoWeAre:
    async def test_shows_everybody_and_what_they_like(
        self, adas: Browser, bens: Browser, zoe: User
    ) -> None:
        shown = part(text(await adas.get(HERE)), "Household", "Recent films")
        assert "Ada you Comedy, Drama" in shown
        assert "Ben Comedy, Drama" in shown
        assert "Zoe Tastes not set" in shown

    async def test_leads_to_the_tastes_that_are_ones_own_to_say(
        self, adas: Browser, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        own, childs = "/movie-night/preferences", f"/movie-night/preferences/{zoe.user_id}"
        for browser in (adas, bens):
            page = (await browser.get(HERE)).text
            assert f'href="{own}"' in page
            assert f'href="{childs}"' in page, "Ben is her parent, Ada the creator"
            assert f"{own}/{ada.user_id}" not in page
            assert f"{own}/{ben.user_id}" not in page

    async def test_a_child_says_only_what_it_likes_itself(
        self, site: Site, ben: User, zoe: User
    ) -> None:
        answer = await (await site.browser(ben, zoe)).get(HERE)
        assert "Zoe you Tastes not set" in text(answer)
        assert set(re.findall(r'href="(/movie-night/preferences[^"]*)"', answer.text)) == {
            "/movie-night/preferences"
        }

    async def test_only_the_creator_invites_and_only_while_there_is_room(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        assert "Invite someone" in text(await adas.get(HERE))
        assert "Invite someone" not in text(await bens.get(HERE))
        for number in range(6):
            ctx = await site.ctx(ada)
            await add_managed(at(site.store, site.now(), ctx), display_name=f"Child {number}")
        assert "Invite someone" not in text(await adas.get(HERE))

    async def test_a_child_outside_the_household_is_told_so(self, site: Site, ada: User) -> None:
        child = await _child_without_household(site, ada)
        answer = await (await site.browser(ada, child)).get(HERE)
        assert answer.status_code == 403
        assert "Add them first" in text(answer)


class TestTonight:
    async def test_a_movie_night_can_be_started(self, adas: Browser) -> None:
        answer = await adas.get(HERE)
        assert "What are we watching tonight?" in text(answer)
        assert 'href="/movie-night/rounds/new"' in answer.text

    async def test_who_has_not_said_what_they_like_is_asked_to_first(
        self, empty_site: Site, home: Household, ada: User
    ) -> None:
        answer = await (await empty_site.browser(ada)).get(HERE)
        assert "Start with your own" in text(answer)
        assert START not in text(answer)

    async def test_who_has_said_it_waits_for_one_more(
        self, empty_site: Site, home: Household, ada: User, ben: User
    ) -> None:
        await likes(empty_site.store, empty_site.clock, ada)
        answer = await (await empty_site.browser(ada)).get(HERE)
        assert "As soon as one more person has set theirs" in text(answer)

    async def test_a_draft_says_who_prepares_it(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.draft(ada)
        assert "Your shortlist is ready." in text(await adas.get(HERE))
        answer = await bens.get(HERE)
        assert "Ada is choosing films for Ada and Ben." in text(answer)
        assert f'href="{address}"' in answer.text
        assert START not in text(answer)

    async def test_a_vote_shows_who_has_voted_and_what_to_do(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = (await site.see(ada, address)).films[0].film.tmdb_movie_id
        ctx, id_ = await site.ctx(ada), address.rpartition("/")[2]
        await vote(at(site.store, site.now(), ctx), id_, film, "up")
        mine, his = text(await adas.get(HERE)), text(await bens.get(HERE))
        assert "1 of 2 have voted." in mine
        assert "Ada has voted" in mine
        assert "Ben has not voted yet" in mine
        assert "See results" in mine
        assert "Vote now" in his

    async def test_the_screen_can_be_passed_to_ones_children(
        self, site: Site, adas: Browser, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        assert f"{address}/pass" in (await bens.get(HERE)).text
        assert f"{address}/pass" not in (await adas.get(HERE)).text

    async def test_who_does_not_take_part_can_look(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        await site.voting(ada, ada)
        shown = text(await bens.get(HERE))
        assert "See results" in shown
        assert "Vote now" not in shown

    async def test_a_pick_is_shown_and_another_evening_can_be_started(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        picked = (await site.see(ada, address)).pick
        assert picked is not None
        answer = await bens.get(HERE)
        assert f"Tonight’s film {picked.title}" in text(answer)
        assert "Open" in text(answer)
        assert START in text(answer)
        assert f'href="{address}"' in answer.text

    async def test_who_has_not_rated_is_asked_and_then_left_in_peace(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.watched(ada)
        assert "You have not rated it yet." in text(await adas.get(HERE))
        ctx, id_ = await site.ctx(ada), address.rpartition("/")[2]
        await rate(at(site.store, site.now(), ctx), id_, "loved")
        assert "What are we watching tonight?" in text(await adas.get(HERE))
        assert "How was it?" in text(await bens.get(HERE))

    async def test_a_parent_is_asked_for_a_childs_rating(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.watched(ada)
        ctx, id_ = await site.ctx(ben), address.rpartition("/")[2]
        await rate(at(site.store, site.now(), ctx), id_, "liked")
        assert "Not everyone has rated it yet" in text(await bens.get(HERE))

    async def test_nobody_waits_for_those_who_left(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        await site.voting(ada)
        await bens.send("/movie-night/household/leave")
        shown = text(await adas.get(HERE))
        assert "Ada has not voted yet" in shown
        assert "left" not in shown


class TestLookingBack:
    async def test_an_empty_past_says_what_will_be_there(self, adas: Browser) -> None:
        shown = text(await adas.get(HERE))
        assert "Nothing watched yet" in shown
        assert "No wishes yet" in shown

    async def test_the_last_films_come_with_how_they_were_liked(
        self, site: Site, adas: Browser, ada: User, ben: User
    ) -> None:
        address = await site.watched(ada)
        id_ = address.rpartition("/")[2]
        for person, rating in ((ada, "loved"), (ben, "did_not_like")):
            ctx = await site.ctx(person)
            await rate(at(site.store, site.now(), ctx), id_, rating)  # type: ignore[arg-type] # as written above
        picked = (await site.see(ada, address)).pick
        assert picked is not None
        answer = await adas.get(HERE)
        shown = part(text(answer), "Recent films", "Wish list")
        assert picked.title in shown
        assert "1 Loved it, 1 Didn’t like it," in shown
        assert f'href="{address}"' in answer.text

    async def test_wishes_stand_on_a_shelf(self, site: Site, adas: Browser, ada: User) -> None:
        (film,) = await site.films.search("Paddington 2", 1)
        ctx = await site.ctx(ada)
        await add_wish(at(site.store, site.now(), ctx), site.films, film.tmdb_movie_id)
        answer = await adas.get(HERE)
        assert "1 film" in part(text(answer), "Wish list", "Commonroom")
        assert has(answer, f"wish-{film.tmdb_movie_id}")


class TestLive:
    async def test_is_given_to_members_alone(
        self, site: Site, adas: Browser, eves: Browser, guest: Browser
    ) -> None:
        site.app.state.live.close()  # a stream then ends at once
        accept = {"accept": "text/event-stream"}
        for browser, status in ((adas, 200), (eves, 404), (guest, 401)):
            answer = await browser.get(f"{HERE}/live", headers=accept)
            assert answer.status_code == status


async def _child_without_household(site: Site, parent: User) -> User:
    known = await now_of(site.store, parent)
    return await profiles.add_managed(Context(site.store, known, site.now()), display_name="Mia")
