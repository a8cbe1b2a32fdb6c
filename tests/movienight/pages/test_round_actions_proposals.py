"""Proposing a film while the vote is open."""

from __future__ import annotations

from commonroom.accounts.tables import User
from tests.movienight.pages.site import Site, films_on, has, refusal
from tests.support.pages import Browser, said, text, value, wrong


async def number_of(site: Site, title: str) -> int:
    """A film's number, by its title."""
    return (await site.films.search(title))[0].tmdb_movie_id


class TestLookingForAFilm:
    async def test_finds_it_by_its_title(self, site: Site, bens: Browser, ada: User) -> None:
        address = await site.voting(ada)
        empty = await bens.get(f"{address}/propose")
        assert "Film title" in text(empty)
        assert not has(empty, f"found-{await number_of(site, 'Paddington')}")
        answer = await bens.get(f"{address}/propose", params={"title": "padington"})
        assert value(answer, "title") == "padington"
        assert has(answer, f"found-{await number_of(site, 'Paddington')}")

    async def test_says_what_to_do_where_there_is_none(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        answer = await bens.get(f"{address}/propose", params={"title": "qqqqq"})
        assert "No match found." in text(answer)

    async def test_marks_what_is_in_the_round(self, site: Site, bens: Browser, ada: User) -> None:
        address = await site.voting(ada)
        film = (await site.see(ada, address)).films[0].film
        answer = await bens.get(f"{address}/propose", params={"title": film.title})
        row = answer.text.partition(f'id="found-{film.tmdb_movie_id}"')[2].partition("</li>")[0]
        assert "already in the vote" in row
        assert "<form" not in row

    async def test_takes_no_text_that_is_far_too_long(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        for length, status in ((1000, 200), (1001, 400)):
            answer = await bens.get(f"{address}/propose", params={"title": "x" * length})
            assert answer.status_code == status

    async def test_leads_to_the_round_where_nothing_can_be_proposed(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        for address in (await site.selected(ada), await site.voting(ada, ada)):
            assert (await bens.get(f"{address}/propose")).headers["location"] == address


class TestProposingOne:
    async def test_puts_it_into_the_round_with_the_name_of_whoever_did(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address, film = await site.voting(ada), await number_of(site, "Paddington")
        answer = await bens.follow(await bens.send(f"{address}/propose", tmdb_movie_id=film))
        assert said(answer) == "Film added to the vote."
        assert film in films_on(answer)
        assert "Proposed by Ben" in text(await adas.get(address))

    async def test_says_beside_the_field_why_it_cannot_be(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        shown = films_on(await bens.get(address))[0]
        answer = await bens.send(f"{address}/propose", tmdb_movie_id=shown, title="what I typed")
        assert answer.status_code == 409
        assert wrong(answer, "title") == "This film is already in the vote."
        assert value(answer, "title") == "what I typed"
        over = await number_of(site, "The Godfather")
        answer = await bens.send(f"{address}/propose", tmdb_movie_id=over)
        assert (
            wrong(answer, "title") == "This film’s rating is too high for someone who is watching."
        )

    async def test_of_no_known_film_is_not_found(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        assert (await bens.send(f"{address}/propose", tmdb_movie_id=2**53)).status_code == 404
        assert (await bens.send(f"{address}/propose", tmdb_movie_id=2**53 + 1)).status_code == 400

    async def test_has_a_limit_and_then_the_way_is_closed(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        for title in ("Paddington", "Ratatouille"):
            film = await number_of(site, title)
            assert (await bens.send(f"{address}/propose", tmdb_movie_id=film)).status_code == 303
        assert f"{address}/propose" not in (await bens.get(address)).text
        film = await number_of(site, "Moana")
        answer = await bens.send(f"{address}/propose", tmdb_movie_id=film)
        assert answer.status_code == 409
        assert "Each person can propose up to 2 films" in wrong(answer, "title")

    async def test_is_not_for_whoever_does_not_watch(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address, film = await site.voting(ada, ada), await number_of(site, "Paddington")
        answer = await bens.send(f"{address}/propose", tmdb_movie_id=film)
        assert answer.status_code == 403


class TestTakingItBack:
    async def test_is_for_its_proposer_and_the_creator(
        self, site: Site, adas: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        bens, zoes = await site.browser(ben), await site.browser(ben, acting_as=zoe)
        for browser in (bens, adas):
            film = await number_of(site, "Paddington")
            await bens.send(f"{address}/propose", tmdb_movie_id=film)
            assert has(await browser.get(address), f"withdraw-{film}")
            assert not has(await zoes.get(address), f"withdraw-{film}")
            answer = await browser.follow(
                await browser.send(f"{address}/withdraw", tmdb_movie_id=film)
            )
            assert said(answer) == "Film removed from the vote."
            assert film not in films_on(answer)

    async def test_is_not_for_others(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address, film = await site.voting(ada), await number_of(site, "Paddington")
        await adas.send(f"{address}/propose", tmdb_movie_id=film)
        assert (await bens.send(f"{address}/withdraw", tmdb_movie_id=film)).status_code == 403

    async def test_comes_too_late_after_the_pick(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        answer = await adas.send(f"{address}/withdraw", tmdb_movie_id=1)
        assert answer.status_code == 409
        assert refusal(answer) == "A film has already been picked."
