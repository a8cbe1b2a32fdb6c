"""Evenings in a person's calendar: the open one, the picked one, and those of the last weeks."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.http.calendars import CalendarEntry
from commonroom.movienight.joins.calendar import BACK_SECONDS, calendar_entries
from commonroom.movienight.service.rounds.picks import pick
from commonroom.store import counting
from tests.movienight.evenings import now_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def entries_of(evening: Evening, person: User) -> list[CalendarEntry]:
    current = await now_of(evening.store, person)
    return await calendar_entries(evening.store, current, evening.clock())


async def test_an_open_vote_is_there_until_its_film_takes_its_place(
    evening: Evening, ada: User
) -> None:
    voting = await evening.voting(ada)
    [before] = await entries_of(evening, ada)
    assert (before.title, before.status) == ("Movie night", "TENTATIVE")
    assert before.path == f"/movie-night/rounds/{voting.round_id}"
    film = (await evening.suggestions(voting))[0]
    ctx = await evening.ctx(ada)
    await pick(at(evening.store, evening.now(), ctx), voting.round_id, film.tmdb_movie_id)
    [after] = await entries_of(evening, ada)
    assert (after.title, after.status) == (f"Movie night: {film.title}", "CONFIRMED")
    assert after.uid == before.uid
    assert after.version > before.version
    assert after.whole_days
    assert not after.takes_time


async def test_those_of_thirty_days_are_there_for_who_took_part(
    evening: Evening, ada: User, ben: User
) -> None:
    await evening.rated(ada)
    assert len(await entries_of(evening, ada)) == 1
    assert await entries_of(evening, ben) == []
    evening.clock.forward(BACK_SECONDS)
    assert await entries_of(evening, ada) == []


async def test_what_came_to_nothing_is_not_there(evening: Evening, ada: User) -> None:
    await evening.expired(ada)
    assert await entries_of(evening, ada) == []


async def test_nothing_is_there_for_who_is_in_no_household(
    evening: Evening, ada: User, eve: User
) -> None:
    await evening.voting(ada)
    assert await entries_of(evening, eve) == []


async def test_it_takes_three_requests_however_many_there_were(evening: Evening, ada: User) -> None:
    for _ in range(2):
        await evening.rated(ada)
        current = await now_of(evening.store, ada)
        with counting() as tally:
            await calendar_entries(evening.store, current, evening.clock())
        assert tally.requests == 3
