"""The page of a round, whose view follows its state."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.rounds.lifecycle import expire_untouched
from commonroom.store import delete, update
from tests.movienight.evenings import home_of, now_of
from tests.movienight.pages.site import ELSEWHERE, Site, films_on, has, refusal, requests_for
from tests.support.pages import Browser, said, text

WEEK = 7 * 24 * 3600


class TestWhoSeesIt:
    async def test_a_guest_signs_in_first(self, site: Site, guest: Browser, ada: User) -> None:
        address = await site.draft(ada)
        assert (await guest.get(address)).headers["location"] == f"/sign-in?next={address}"

    async def test_for_a_stranger_there_is_nothing(
        self, site: Site, eves: Browser, ada: User
    ) -> None:
        assert (await eves.get(await site.draft(ada))).status_code == 404

    async def test_who_has_no_household_is_told_where_one_begins(
        self, site: Site, eves: Browser, ada: User
    ) -> None:
        address = await site.draft(ada)
        for answer in (
            await eves.get(address),
            await eves.get(ELSEWHERE),
            await eves.send(f"{address}/start"),
            await eves.send("/movie-night/wishes", tmdb_movie_id="13"),
        ):
            assert answer.status_code == 404
            assert "You are not in a household yet." in text(answer)
            assert "typos" not in text(answer)
            assert '<a class="button" href="/movie-night">Start or join a household</a>' in (
                answer.text
            )

    async def test_for_another_household_there_is_nothing(
        self, site: Site, eves: Browser, ada: User, eve: User
    ) -> None:
        address = await site.draft(ada)
        await home_of(site.store, site.clock, eve)
        for path in (address, f"{address}/live", f"{address}/pass", f"{address}/attendees"):
            answer = await eves.get(path)
            assert answer.status_code == 404, path
        for step in ("shuffle", "start", "abandon", "reopen", "watched", "unwatched"):
            assert (await eves.send(f"{address}/{step}")).status_code == 404, step
        assert (await site.see(ada, address)).round.status == "draft"

    @pytest.mark.parametrize("path", [ELSEWHERE, f"{ELSEWHERE}%00", f"{ELSEWHERE}{'x' * 500}"])
    async def test_there_is_no_other(self, site: Site, adas: Browser, path: str) -> None:
        assert (await adas.get(path)).status_code == 404

    async def test_a_child_outside_the_household_is_told_so(
        self, site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.draft(ada)
        zoes = await site.browser(ben, acting_as=zoe)
        assert (await zoes.get(address)).status_code == 200
        await site.store.write(update(zoe.ref, household_id=None))
        answer = await zoes.get(address)
        assert answer.status_code == 403
        assert "Add them first" in text(answer)


class TestADraft:
    async def test_shows_each_film_and_why_it_is_here(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.draft(ada)
        answer = await adas.get(address)
        seen = await site.see(ada, address)
        assert films_on(answer) == [one.film.tmdb_movie_id for one in seen.films]
        assert all(one.film.title in text(answer) for one in seen.films)
        assert "Everyone likes comedy" in text(answer)

    async def test_is_shuffled_and_started_by_whoever_began_it_and_the_creator(
        self, site: Site, adas: Browser, bens: Browser, ben: User
    ) -> None:
        address = await site.draft(ben)
        for browser in (adas, bens):
            answer = await browser.get(address)
            assert (has(answer, "start"), has(answer, "shuffle")) == (True, True)

    async def test_others_wait(self, site: Site, adas: Browser, bens: Browser, ada: User) -> None:
        address = await site.draft(ada)
        answer = await bens.get(address)
        assert "Ada is choosing films for Ada and Ben." in text(answer)
        assert not has(answer, "start")
        assert (await bens.send(f"{address}/start")).status_code == 403
        assert (await bens.send(f"{address}/shuffle")).status_code == 403

    async def test_shows_other_films_when_it_is_shuffled(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.draft(ada)
        before = films_on(await adas.get(address))
        answer = await adas.follow(await adas.send(f"{address}/shuffle"))
        assert said(answer) == "New films suggested."
        assert set(films_on(answer)).isdisjoint(before)

    async def test_says_what_was_given_up(self, site: Site, adas: Browser, ada: User) -> None:
        address = await site.draft(ada)
        assert not has(await adas.get(address), "relaxed")
        round_ = (await site.see(ada, address)).round
        wider = update(round_.ref, relaxed_constraints=["genres", "votes", "year"])
        await site.store.write(wider)
        assert (
            "Few films suit everyone here, so we also looked in other genres, for lesser-known "
            "films and back to 1960."
        ) in text(await adas.get(address))

    async def test_becomes_the_vote(self, site: Site, adas: Browser, ada: User) -> None:
        address = await site.draft(ada)
        answer = await adas.follow(await adas.send(f"{address}/start"))
        assert said(answer) == "Voting is open."
        assert "Vote for tonight’s film" in text(answer)

    async def test_that_somebody_else_has_started_says_so(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        for step in ("start", "shuffle"):
            answer = await adas.send(f"{address}/{step}")
            assert answer.status_code == 409
            assert refusal(answer) == "Voting is still open."
            assert has(answer, "films"), "the round as it is now"


class TestCancelling:
    async def test_is_for_whoever_began_it_and_the_creator_and_asks_first(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        assert "Yes, cancel it" in text(await adas.get(address))
        assert not has(await bens.get(address), "abandon")
        assert (await bens.send(f"{address}/abandon")).status_code == 403
        answer = await adas.follow(await adas.send(f"{address}/abandon"))
        assert said(answer) == "Movie night cancelled."
        assert "No film was picked Ada cancelled this movie night." in text(answer)
        assert "/movie-night/rounds/new" in answer.text, "there is another evening"

    async def test_of_one_that_nobody_touched_says_so(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        round_id = address.rpartition("/")[2]
        await expire_untouched(site.store, site.clock() + WEEK, round_id)
        assert "Nothing happened for a week." in text(await adas.get(address))

    async def test_leads_to_no_new_one_while_another_is_open(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        await adas.send(f"{address}/abandon")
        await site.draft(ada)
        assert "/movie-night/rounds/new" not in (await adas.get(address)).text


class TestSecrecy:
    async def test_is_promised_and_kept_until_the_pick(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[0]
        await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        shown = text(await adas.get(address))
        assert "Your votes are secret until a film is picked." in shown
        assert "For:" not in shown
        await adas.send(f"{address}/pick", tmdb_movie_id=film, even_if_votes_are_missing="true")
        assert "For: Ben." in text(await adas.get(address))

    async def test_is_the_households_choice_from_the_next_round_on(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        settings = "/movie-night/household/settings"
        await adas.send(settings, name="Home", votes_are_open="true")
        assert (
            "checked" in (await adas.get(settings)).text.partition('name="votes_are_open"')[2][:80]
        )
        assert "Your votes are secret" in text(await adas.get(address)), "as it was begun"
        await adas.send(f"{address}/abandon")
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[0]
        await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="down")
        shown = text(await adas.get(address))
        assert "Everyone sees who votes for what." in shown
        assert "Against: Ben." in shown
        assert "Everyone sees who votes for what." in text(await bens.get(f"{address}/pass"))


@pytest.mark.parametrize("state", ["draft", "voting", "selected", "watched"])
async def test_it_takes_four_requests_in_every_state(
    site: Site, adas: Browser, ada: User, zoe: User, state: str
) -> None:
    address = await getattr(site, state)(ada)
    # The household with the round, its films, its votes, and everybody with the pick.
    assert await requests_for(adas, address) == 4


async def test_a_page_that_was_refused_can_be_loaded_anew(
    site: Site, adas: Browser, ada: User
) -> None:
    address = await site.voting(ada)
    for step in ("shuffle", "start", "abandon", "vote", "withdraw", "pick", "reopen", "rate"):
        assert (await adas.get(f"{address}/{step}")).headers["location"] == address


async def test_whatever_stands_in_an_address_stays_there(site: Site, adas: Browser) -> None:
    for odd in ("a%0D%0Ab", "%E2%82%AC", "a%3Fb%23c"):
        answer = await adas.get(f"/movie-night/rounds/{odd}/vote")
        assert answer.headers["location"] == f"/movie-night/rounds/{odd}"
        assert (await adas.get(f"/movie-night/rounds/{odd}")).status_code == 404


async def test_whoever_deleted_their_account_is_a_deleted_member(
    site: Site, adas: Browser, ada: User, ben: User
) -> None:
    address = await site.watched(ada)
    assert "Not rated yet: Ada and Ben." in text(await adas.get(address))
    await site.store.write(delete(await now_of(site.store, ben)))
    shown = text(await adas.get(address))
    assert "Not rated yet: Ada." in shown, "nobody waits for them"
    assert "Deleted member not rated yet" in shown
