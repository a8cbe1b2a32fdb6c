"""One screen passed round."""

from __future__ import annotations

import pytest
from msgspec import structs

from commonroom.accounts.tables import User
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.tables import Household
from commonroom.store import create
from tests.movienight.evenings import home_of, likes, now_of
from tests.movienight.pages.site import Site, has
from tests.support.context import at
from tests.support.pages import Browser, text


@pytest.fixture
async def max_(site: Site, ada: User) -> User:
    """A child of Ada's."""
    ctx = await site.ctx(ada)
    made = await add_managed(at(site.store, site.now(), ctx), display_name="Max")
    return await now_of(site.store, made)


async def numbers(site: Site, person: User, address: str) -> list[int]:
    """The films of a round."""
    return [one.film.tmdb_movie_id for one in (await site.see(person, address)).films]


class TestWhoseTurnItIs:
    async def test_begins_with_whoever_holds_the_screen_and_goes_on_to_their_children(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        turn = f"{address}/pass"
        for person, words in ((ben, "Your turn, Ben"), (zoe, "Now hand it to Zoe")):
            answer = await bens.get(turn)
            assert words in text(answer)
            assert f'href="{turn}/{person.user_id}"' in answer.text
            for film in await numbers(site, ben, address):
                sent = await bens.send(
                    turn, member_id=person.user_id, tmdb_movie_id=film, vote="up"
                )
            assert sent.headers["location"] == f"{turn}?after={person.user_id}"
        answer = await bens.get(turn)
        assert "Everyone here has voted" in text(answer)
        assert "Ada can still vote on their own devices." in text(answer)
        first = (await numbers(site, ada, address))[0]
        ctx = at(site.store, site.now(), await site.ctx(ada))
        await vote(ctx, address.rpartition("/")[2], first, "up")
        assert "Everyone has voted" in text(await bens.get(turn))

    async def test_comes_round_again_to_whoever_skipped_a_film(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        turn, films = f"{address}/pass", await numbers(site, ada, address)
        assert "Now hand it to Zoe" in text(await bens.get(f"{turn}?after={ben.user_id}"))
        for film in films:
            await bens.send(turn, member_id=zoe.user_id, tmdb_movie_id=film, vote="up")
        for after in (ben.user_id, zoe.user_id, "nobody"):
            assert "Your turn, Ben" in text(await bens.get(f"{turn}?after={after}"))

    async def test_other_grown_ups_vote_on_their_own_device(
        self, site: Site, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        answer = await bens.get(f"{address}/pass")
        assert "Ada voting on their own device not yet" in text(answer)
        assert f"{address}/pass/{ada.user_id}" not in answer.text

    async def test_the_way_there_is_shown_only_where_it_leads_further(
        self, site: Site, adas: Browser, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        assert f'href="{address}/pass"' in (await bens.get(address)).text
        assert f'href="{address}/pass"' not in (await adas.get(address)).text, "she has no children"

    async def test_is_no_question_before_and_after_the_vote(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.selected(ada)
        assert (await bens.get(f"{address}/pass")).headers["location"] == address
        answer = await bens.get(f"{address}/pass/{zoe.user_id}")
        assert (await bens.follow(answer)).headers["location"] == address

    async def test_is_no_question_where_nobody_here_watches(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada, ada)
        assert (await bens.get(f"{address}/pass")).headers["location"] == address


class TestATurn:
    async def test_shows_one_film_after_the_other_and_never_a_vote(
        self, site: Site, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        films = await numbers(site, ada, address)
        at = f"{address}/pass/{zoe.user_id}"
        for place, film in enumerate(films, start=1):
            answer = await bens.get(at)
            assert f"Film {place} of {len(films)}" in text(answer)
            assert "aria-pressed" not in answer.text.partition("<main")[2].partition("</main>")[0]
            await bens.send(
                f"{address}/pass", member_id=zoe.user_id, tmdb_movie_id=film, vote="down"
            )
        assert (await bens.get(at)).headers["location"] == f"{address}/pass"

    async def test_goes_on_where_it_was_left(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        films = await numbers(site, ada, address)
        ctx, id_ = await site.ctx(ben, zoe), address.rpartition("/")[2]
        await vote(at(site.store, site.now(), ctx), id_, films[0], "up")
        assert f"{len(films) - 1} films left" in text(await bens.get(f"{address}/pass"))
        answer = await bens.get(f"{address}/pass/{zoe.user_id}")
        assert f"Film 2 of {len(films)}" in text(answer)

    async def test_can_go_back_and_skip(
        self, site: Site, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        films = await numbers(site, ada, address)
        at = f"{address}/pass/{zoe.user_id}"
        answer = await bens.get(at)
        assert "Back" not in text(answer).partition("Film 1 of")[2].partition("Skip")[0]
        assert f'href="{at}?film={films[1]}"' in answer.text, "to skip it"
        answer = await bens.get(f"{at}?film={films[1]}")
        assert f'href="{at}?film={films[0]}"' in answer.text, "to go back"
        answer = await bens.get(f"{at}?film={films[-1]}")
        assert f'href="{address}/pass?after={zoe.user_id}">Skip' in answer.text

    async def test_can_be_had_again(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        films = await numbers(site, ada, address)
        for film in films:
            await bens.send(f"{address}/pass", member_id=zoe.user_id, tmdb_movie_id=film, vote="up")
        at = f"{address}/pass/{zoe.user_id}?film={films[0]}"
        assert f'href="{at}"' in (await bens.get(f"{address}/pass")).text
        assert f"Film 1 of {len(films)}" in text(await bens.get(at))
        again = {"member_id": zoe.user_id, "tmdb_movie_id": films[0], "vote": "down"}
        assert (await bens.send(f"{address}/pass", **again)).status_code == 303
        seen = await site.see(ada, address)
        assert seen.films[0].votes == {zoe.user_id: "down"}

    async def test_with_a_film_that_is_not_there_goes_on_with_the_next(
        self, site: Site, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        answer = await bens.get(f"{address}/pass/{zoe.user_id}?film=1")
        assert "Film 1 of" in text(answer)

    async def test_of_somebody_else_leads_back(
        self, site: Site, bens: Browser, ada: User, max_: User
    ) -> None:
        address = await site.voting(ada)
        for member in (ada.user_id, max_.user_id, "nobody"):
            answer = await bens.get(f"{address}/pass/{member}")
            assert answer.headers["location"] == f"{address}/pass"

    async def test_is_had_by_people_of_any_id(
        self, empty_site: Site, ada: User, home: Household
    ) -> None:
        site, id_ = empty_site, "provider|ada 1?"
        person = structs.replace(ada, user_id=id_, email="other@example.org", household_id=None)
        await site.store.write(create(person))
        other = await home_of(site.store, site.clock, person)
        await likes(site.store, site.clock, person)
        address, browser = await site.voting(person), await site.browser(person)
        assert other.group_id != home.group_id
        at = f"{address}/pass/provider%7Cada%201%3F"
        assert f'href="{at}"' in (await browser.get(f"{address}/pass")).text
        films = await numbers(site, person, address)
        sent = await browser.send(
            f"{address}/pass", member_id=id_, tmdb_movie_id=films[0], vote="up"
        )
        assert sent.headers["location"] == f"{at}?film={films[1]}"
        assert f"Film 2 of {len(films)}" in text(await browser.follow(sent))


class TestTheVote:
    async def test_is_the_childs_and_not_the_parents(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        film = (await numbers(site, ada, address))[0]
        await bens.send(f"{address}/pass", member_id=zoe.user_id, tmdb_movie_id=film, vote="up")
        assert (await site.see(ada, address)).films[0].votes == {zoe.user_id: "up"}

    async def test_is_nobody_elses_to_give(
        self, site: Site, bens: Browser, ada: User, max_: User
    ) -> None:
        address = await site.voting(ada)
        film = (await numbers(site, ada, address))[0]
        for member, status in ((ada.user_id, 403), (max_.user_id, 403), ("nobody", 404)):
            sent = await bens.send(
                f"{address}/pass", member_id=member, tmdb_movie_id=film, vote="up"
            )
            assert sent.status_code == status, member
        assert (await site.see(ada, address)).progress.voted == 0

    async def test_is_not_for_whoever_acts_for_a_child_already(
        self, site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        film = (await numbers(site, ada, address))[0]
        zoes = await site.browser(ben, acting_as=zoe)
        assert f'href="{address}/pass"' not in (await zoes.get(address)).text
        assert (await zoes.get(f"{address}/pass")).status_code == 403
        sent = await zoes.send(
            f"{address}/pass", member_id=ben.user_id, tmdb_movie_id=film, vote="up"
        )
        assert sent.status_code == 403, "a child does not vote for its parent"

    async def test_of_a_child_that_does_not_watch_is_refused(
        self, site: Site, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada, ada, ben)
        film = (await numbers(site, ada, address))[0]
        sent = await bens.send(
            f"{address}/pass", member_id=zoe.user_id, tmdb_movie_id=film, vote="up"
        )
        assert sent.status_code == 403

    async def test_that_comes_too_late_shows_the_pick(
        self, site: Site, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.selected(ada)
        film = (await numbers(site, ada, address))[0]
        sent = await bens.send(
            f"{address}/pass", member_id=zoe.user_id, tmdb_movie_id=film, vote="up"
        )
        assert sent.status_code == 409
        assert has(sent, "chosen")
