"""Who is watching: added and removed while the round is open."""

from __future__ import annotations

from commonroom.accounts.tables import User
from tests.movienight.pages.site import Site, films_on, has, refusal, requests_for
from tests.support.pages import Browser, said, text


async def test_whoever_comes_late_joins_the_vote(
    site: Site, adas: Browser, bens: Browser, ada: User, ben: User
) -> None:
    address = await site.voting(ada, ada)
    assert "You are not watching, so" in text(await bens.get(address))
    shown = await bens.get(f"{address}/attendees")
    assert "Ben not watching Add Ben" in text(shown)
    assert "Ada watching Remove" not in text(shown), "only whoever steers removes others"
    sent = await bens.send(f"{address}/attendees/add", member_id=ben.user_id)
    assert said(await bens.follow(sent)) == "They are now watching."
    answer = await bens.get(address)
    assert "Thumbs up for films you would watch" in text(answer)


async def test_whoever_is_removed_takes_their_votes_along(
    site: Site, adas: Browser, bens: Browser, ada: User, ben: User
) -> None:
    address = await site.voting(ada)
    film = films_on(await bens.get(address))[0]
    await bens.send(f"{address}/vote", tmdb_movie_id=film, vote="up")
    assert "Ben watching, has voted Remove Ben" in text(await adas.get(f"{address}/attendees"))
    sent = await adas.send(f"{address}/attendees/remove", member_id=ben.user_id)
    assert said(await adas.follow(sent)) == "They are no longer watching."
    assert (await site.see(ada, address)).films[0].votes == {}
    assert "No votes yet." in text(await adas.get(address))


async def test_what_is_not_possible_is_said(
    site: Site, adas: Browser, bens: Browser, ada: User, ben: User
) -> None:
    address = await site.voting(ada, ada)
    answer = await adas.send(f"{address}/attendees/remove", member_id=ada.user_id)
    assert answer.status_code == 422
    assert refusal(answer) == "Choose at least one person with their own account."
    sent = await bens.send(f"{address}/attendees/remove", member_id=ada.user_id)
    assert sent.status_code == 403
    for step in ("add", "remove"):
        found = await adas.get(f"{address}/attendees/{step}")
        assert found.headers["location"] == f"{address}/attendees"


async def test_nobody_comes_or_goes_once_there_is_a_pick(
    site: Site, adas: Browser, ada: User, ben: User
) -> None:
    address = await site.selected(ada)
    assert (await adas.get(f"{address}/attendees")).headers["location"] == address
    sent = await adas.send(f"{address}/attendees/add", member_id=ben.user_id)
    assert sent.status_code == 409


async def test_it_takes_six_requests(site: Site, adas: Browser, ada: User) -> None:
    address = await site.voting(ada)
    # The round takes four, and everybody in the household two more.
    assert await requests_for(adas, f"{address}/attendees") == 6


async def test_films_that_are_not_for_a_child_who_comes_late_can_be_dropped(
    site: Site, adas: Browser, bens: Browser, ada: User, zoe: User
) -> None:
    await adas.send("/movie-night/preferences", ceiling="R", genre_35="like", genre_18="like")
    address = await site.voting(ada, ada)
    [inception, *_] = await site.films.search("Inception")
    await adas.send(f"{address}/propose", tmdb_movie_id=inception.tmdb_movie_id)
    high = [
        one.film
        for one in (await site.see(ada, address)).films
        if one.film.content_rating not in ("G", "PG")
    ]
    assert high, "there are films for adults among them"
    answer = await bens.send(f"{address}/attendees/add", member_id=zoe.user_id)
    assert answer.status_code == 409
    assert has(answer, "drop-films")
    assert high[0].title in refusal(answer)
    sent = await bens.send(f"{address}/attendees/add", member_id=zoe.user_id, drop_films="true")
    assert said(await bens.follow(sent)) == "They are now watching."
    left = films_on(await adas.get(address))
    assert left
    assert not {one.tmdb_movie_id for one in high} & set(left)
