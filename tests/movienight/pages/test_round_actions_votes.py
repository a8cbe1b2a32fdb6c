"""Voting on the page of a round."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.rounds.picks import pick
from tests.movienight.pages.site import Site, films_on, has, pressed, refusal
from tests.support.context import at
from tests.support.pages import Browser, text


class TestAVote:
    async def test_shows_as_a_button_that_is_pressed(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[0]
        assert not pressed(await adas.get(address), f"up-{film}")
        answer = await adas.follow(
            await adas.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        )
        assert (pressed(answer, f"up-{film}"), pressed(answer, f"down-{film}")) == (True, False)
        assert not pressed(await bens.get(address), f"up-{film}"), "of others only the sum is shown"

    async def test_can_be_changed_and_taken_back(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[0]
        for vote, up, down in (("up", True, False), ("down", False, True), ("none", False, False)):
            sent = await adas.send(f"{address}/vote", tmdb_movie_id=film, vote=vote)
            answer = await adas.follow(sent)
            assert pressed(answer, f"up-{film}") is up
            assert pressed(answer, f"down-{film}") is down

    async def test_counts_for_the_child_that_one_acts_for(
        self, site: Site, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.voting(ada)
        zoes, bens = await site.browser(ben, acting_as=zoe), await site.browser(ben)
        film = films_on(await zoes.get(address))[0]
        await zoes.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert pressed(await zoes.get(address), f"up-{film}")
        assert not pressed(await bens.get(address), f"up-{film}")

    @pytest.mark.parametrize(
        "fields",
        [{}, {"vote": "up"}, {"vote": "sideways", "tmdb_movie_id": 1}, {"tmdb_movie_id": "x"}],
    )
    async def test_that_cannot_be_read_changes_nothing(
        self, site: Site, adas: Browser, ada: User, fields: dict[str, object]
    ) -> None:
        address = await site.voting(ada)
        assert (await adas.send(f"{address}/vote", **fields)).status_code == 400
        assert (await site.see(ada, address)).progress.voted == 0

    async def test_on_a_film_of_no_round_is_refused(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        answer = await adas.send(f"{address}/vote", tmdb_movie_id=1, vote="up")
        assert answer.status_code == 400
        assert refusal(answer) == "This film is not in the vote."

    async def test_after_the_pick_shows_the_pick(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await bens.get(address))[0]
        id_ = address.rpartition("/")[2]
        await pick(at(site.store, site.now(), await site.ctx(ada)), id_, film)
        answer = await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert answer.status_code == 409
        assert refusal(answer) == "A film has already been picked."
        assert "Tonight’s film" in text(answer)


class TestWhoeverDoesNotWatch:
    async def test_sees_the_vote_and_has_none(self, site: Site, bens: Browser, ada: User) -> None:
        address = await site.voting(ada, ada)
        answer = await bens.get(address)
        film = films_on(answer)[0]
        assert "You are not watching, so the others vote." in text(answer)
        assert not has(answer, f"up-{film}")
        assert not has(answer, "pass")
        sent = await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert sent.status_code == 403


class TestProgressAndResults:
    async def test_say_who_has_voted(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        answer = await adas.get(address)
        assert "No votes yet." in text(answer)
        film = films_on(answer)[0]
        await adas.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        answer = await bens.get(address)
        assert "1 of 2 have voted." in text(answer)
        assert "Ada has voted" in text(answer)
        assert "Ben has not voted yet" in text(answer)
        await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="down")
        assert "Everyone has voted." in text(await adas.get(address))

    async def test_say_which_film_is_ahead_and_which_are_level(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        seen = await site.see(ada, address)
        first, second = seen.films[0].film, seen.films[1].film
        await adas.send(f"{address}/vote", tmdb_movie_id=second.tmdb_movie_id, vote="up")
        answer = await adas.get(address)
        assert f"{second.title} is ahead." in text(answer)
        assert f"Rank 1 {second.title} Pick Cancel {second.title}" in text(answer)
        assert "1 vote for 0 votes against" in text(answer)
        assert "Rank 2 = , tied" in text(answer)
        await bens.send(f"{address}/vote", tmdb_movie_id=first.tmdb_movie_id, vote="up")
        said = text(await adas.get(address))
        assert any(
            f"It’s a tie: {one.title} and {other.title}." in said
            for one, other in ((first, second), (second, first))
        )

    async def test_unfold_for_whoever_has_voted_on_everything(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        films = films_on(await adas.get(address))
        for left, film in enumerate(reversed(films), start=1):
            answer = await adas.get(address)
            assert 'id="results-fold">' in answer.text
            assert f"{len(films) - left + 1} film" in text(answer)
            await adas.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert "You have voted on every film." in text(await adas.get(address))
        assert 'id="results-fold" open>' in (await adas.get(address)).text
        assert 'id="results-fold">' in (await bens.get(address)).text

    async def test_are_drawn_with_a_place_for_everybody(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[0]
        await adas.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="down")
        row = (
            (await adas.get(address)).text.partition(f'id="stand-{film}"')[2].partition("</li>")[0]
        )
        assert '<i class="vote-up"></i><i class="vote-down"></i>' in row
        other = films_on(await adas.get(address))[1]
        row = (
            (await adas.get(address)).text.partition(f'id="stand-{other}"')[2].partition("</li>")[0]
        )
        assert "<i></i><i></i>" in row
