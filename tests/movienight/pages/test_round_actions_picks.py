"""The film of the evening: picked, watched, rated."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import leave
from tests.movienight.pages.site import Site, films_on, has, pressed, refusal
from tests.support.context import at
from tests.support.pages import Browser, said, text


class TestPicking:
    async def test_is_for_whoever_began_the_round_and_the_creator(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[1]
        assert has(await adas.get(address), f"pick-{film}")
        answer = await bens.get(address)
        assert not has(answer, f"pick-{film}")
        assert "Ada picks the film." in text(answer)
        assert (await bens.send(f"{address}/pick", tmdb_movie_id=film)).status_code == 403

    async def test_names_both_to_others_while_both_are_there(
        self, site: Site, ada: User, ben: User, eve: User, eves: Browser
    ) -> None:
        link = await create_invite(at(site.store, site.now(), await site.ctx(ada)))
        await join(Context(site.store, eve, site.now()), link.token)
        address = await site.voting(ben)
        assert "Ben or Ada picks the film." in text(await eves.get(address))
        await leave(at(site.store, site.now(), await site.ctx(ben)))
        assert "Ada picks the film." in text(await eves.get(address))

    async def test_shows_the_film_large_to_everybody(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[1]
        answer = await adas.send(f"{address}/pick", tmdb_movie_id=film)
        assert answer.status_code == 409
        assert refusal(answer).startswith("Not everyone has voted yet.")
        assert "Not everyone has voted yet: Ada and Ben." in text(answer), "the page asks"
        answer = await adas.follow(
            await adas.send(f"{address}/pick", tmdb_movie_id=film, even_if_votes_are_missing="true")
        )
        assert said(answer) == "The film is picked. Enjoy!"
        title = (await site.see(ada, address)).films[1].film.title
        for browser in (adas, bens):
            shown = await browser.get(address)
            assert f'<a href="/films/{film}">' in shown.text
            assert f"Tonight’s film {title}" in text(shown)
            assert "Picked by Ada just now." in text(shown)

    async def test_asks_nothing_once_everybody_has_voted(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[1]
        for browser in (adas, bens):
            await browser.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert "even_if_votes_are_missing" not in (await adas.get(address)).text
        answer = await adas.follow(await adas.send(f"{address}/pick", tmdb_movie_id=film))
        assert said(answer) == "The film is picked. Enjoy!"

    async def test_has_its_button_on_top_once_everybody_has_voted(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        film = films_on(await adas.get(address))[1]
        await adas.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        assert not has(await adas.get(address), "votes-in")
        await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        shown = await adas.get(address)
        assert shown.text.index('id="votes-in"') < shown.text.index('id="films"')
        assert has(shown, "pick-first")
        others = await bens.get(address)
        assert has(others, "votes-in")
        assert not has(others, "pick-first")

    async def test_of_a_tie_is_a_run_off_or_a_draw(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        one, other, *_ = films_on(await adas.get(address))
        for browser, film in ((adas, one), (bens, other)):
            await browser.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        shown = await adas.get(address)
        assert has(shown, "run-off")
        assert has(shown, "draw")
        assert (await bens.send(f"{address}/draw")).status_code == 403
        again = await adas.follow(await adas.send(f"{address}/run-off"))
        assert films_on(again) == [one, other]
        assert "No votes yet." in text(again)
        for browser, film in ((adas, one), (bens, other)):
            await browser.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
        drawn = await adas.follow(await adas.send(f"{address}/draw"))
        assert said(drawn) == "The draw has decided. Enjoy!"

    async def test_of_a_film_that_is_not_there_is_refused(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        answer = await adas.send(f"{address}/pick", tmdb_movie_id=1)
        assert answer.status_code == 400
        assert refusal(answer) == "This film is not in the vote."

    async def test_a_second_time_says_that_there_is_one(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        film = (await site.see(ada, address)).films[1].film.tmdb_movie_id
        answer = await adas.send(f"{address}/pick", tmdb_movie_id=film)
        assert answer.status_code == 409
        assert refusal(answer) == "A film has already been picked."


class TestOpeningTheVoteAgain:
    async def test_takes_the_pick_back(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        assert not has(await bens.get(address), "reopen")
        assert (await bens.send(f"{address}/reopen")).status_code == 403
        answer = await adas.follow(await adas.send(f"{address}/reopen"))
        assert said(answer) == "Voting is open again."
        assert has(answer, "films")

    async def test_leads_to_the_round_that_is_in_the_way(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        other = await site.draft(ada)
        answer = await adas.send(f"{address}/reopen")
        assert answer.status_code == 409
        assert refusal(answer) == "Another movie night is open. Finish that one first."
        assert f'<a href="{other}">' in answer.text


class TestHavingWatchedIt:
    async def test_is_said_by_anybody_and_asks_how_it_was(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        answer = await bens.follow(await bens.send(f"{address}/watched"))
        assert said(answer) == "Marked as watched. How did you like it?"
        assert "Watched just now" in text(answer)
        assert "How was it?" in text(answer)

    async def test_is_asked_about_and_undone_by_whoever_said_so(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        assert "Yes, we watched it" in text(await adas.get(address))
        await adas.send(f"{address}/watched")
        assert not has(await bens.get(address), "unwatched")
        assert (await bens.send(f"{address}/unwatched")).status_code == 403
        assert has(await adas.get(address), "unwatched")
        answer = await adas.follow(await adas.send(f"{address}/unwatched"))
        assert said(answer) == "No longer marked as watched."
        assert has(answer, "watched")

    async def test_is_said_on_the_films_own_page_as_well(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.selected(ada)
        film = (await site.see(ada, address)).pick
        assert film is not None
        own = f"/films/{film.tmdb_movie_id}"
        shown = await bens.get(own)
        assert "Picked, not watched yet: that movie night" in text(shown)
        sent = await bens.send(f"{own}/watched")
        assert sent.headers["location"] == address
        assert "How was it?" in text(await bens.follow(sent))
        assert (await site.see(ada, address)).round.status == "watched"

    async def test_is_said_once(self, site: Site, bens: Browser, ada: User) -> None:
        address = await site.watched(ada)
        answer = await bens.send(f"{address}/watched")
        assert answer.status_code == 409
        assert refusal(answer) == "This film has already been watched."


class TestRating:
    async def test_is_possible_as_soon_as_there_is_a_pick(
        self, site: Site, bens: Browser, ada: User, ben: User
    ) -> None:
        address = await site.selected(ada)
        answer = await bens.follow(await bens.send(f"{address}/rate", rating="loved"))
        assert pressed(answer, f"loved-{ben.user_id}")
        assert not has(answer, f"loved-{ada.user_id}"), "others say it themselves"

    async def test_can_be_said_anew(self, site: Site, bens: Browser, ada: User, ben: User) -> None:
        address = await site.watched(ada)
        for rating in ("loved", "did_not_like"):
            answer = await bens.follow(await bens.send(f"{address}/rate", rating=rating))
        assert pressed(answer, f"did_not_like-{ben.user_id}")
        assert not pressed(answer, f"loved-{ben.user_id}")
        assert "Ben did not like it. Not rated yet: Ada." in text(answer)

    async def test_is_said_for_ones_children_too(
        self, site: Site, adas: Browser, bens: Browser, ada: User, zoe: User
    ) -> None:
        address = await site.watched(ada)
        sent = await bens.send(f"{address}/rate", rating="liked", member_id=zoe.user_id)
        assert pressed(await bens.follow(sent), f"liked-{zoe.user_id}")
        answer = await adas.get(address)
        assert "Zoe Liked it" in text(answer)
        assert not has(answer, f"liked-{zoe.user_id}"), "she is not Ada’s child"

    async def test_is_not_said_for_others(
        self, site: Site, adas: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        address = await site.watched(ada)
        for member in (ben, zoe):
            sent = await adas.send(f"{address}/rate", rating="loved", member_id=member.user_id)
            assert sent.status_code == 403
        zoes = await site.browser(ben, acting_as=zoe)
        sent = await zoes.send(f"{address}/rate", rating="loved", member_id=ben.user_id)
        assert sent.status_code == 403
        assert (await site.see(ada, address)).ratings == {}

    async def test_by_everybody_completes_the_evening(
        self, site: Site, adas: Browser, bens: Browser, ada: User
    ) -> None:
        address = await site.watched(ada)
        await adas.send(f"{address}/rate", rating="loved")
        await bens.send(f"{address}/rate", rating="liked")
        answer = await adas.get(address)
        assert (await site.see(ada, address)).round.status == "rated"
        assert "Ada loved it. Ben liked it." in text(answer)

    async def test_is_not_for_whoever_was_not_there(
        self, site: Site, bens: Browser, ada: User
    ) -> None:
        address = await site.watched(ada, ada)
        assert 'name="rating"' not in (await bens.get(address)).text
        assert (await bens.send(f"{address}/rate", rating="loved")).status_code == 403

    async def test_comes_too_early_while_there_is_no_pick(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        address = await site.voting(ada)
        answer = await adas.send(f"{address}/rate", rating="loved")
        assert answer.status_code == 409
        assert refusal(answer) == "Voting is still open."

    async def test_knows_three_answers(self, site: Site, adas: Browser, ada: User) -> None:
        address = await site.watched(ada)
        assert (await adas.send(f"{address}/rate", rating="meh")).status_code == 400
