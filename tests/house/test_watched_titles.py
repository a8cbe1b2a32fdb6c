"""What a household watches together counts as seen for those who were there, by the house alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.house.consumers import consumers
from commonroom.house.rooms import ROOMS
from commonroom.house.watched_titles import WatchedCheck, joins, watched_consumers
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.watched import mark_watched, undo_round_watched, undo_watched
from commonroom.movienight.tables import (
    Household,
    Round,
    WatchedFilm,
    watched_films,
    watched_films_of_group,
)
from commonroom.outgoing.fetcher import Fetcher
from commonroom.settings import Settings
from commonroom.store import Store, put
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.streams import Worker
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.ratings import load_opinion
from commonroom.watchlists.service.seen import mark_seen, unmark_seen
from tests.accounts.people import DAY, Watch
from tests.movienight.evenings import context_of, home_of, somebody
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at
from tests.support.fixtures import either

store = either

TITLES = Titles(Catalogue())
TOTORO = TitleId("MOVIE", "8392")


class Together:
    """Ada's and Ben's household, and what they have seen."""

    def __init__(self, store: Store, clock: Watch, ada: User, ben: User, home: Household) -> None:
        self.store, self.clock, self.ada, self.ben, self.home = store, clock, ada, ben, home
        self.shelf = Shelf([film(int(TOTORO.content_id)), *map(film, range(1, 12))])
        self.evening = Evening(store, clock, self.shelf)

    async def watch(self, person: User) -> None:
        """Somebody marks Totoro as watched."""
        self.clock.forward(60)
        seat = at(self.store, self.clock(), await context_of(self.store, person))
        await mark_watched(seat, self.shelf, int(TOTORO.content_id))

    async def undo(self, person: User) -> None:
        """Somebody takes that back."""
        seat = at(self.store, self.clock(), await context_of(self.store, person))
        await undo_watched(seat, int(TOTORO.content_id))

    async def films(self) -> list[WatchedFilm]:
        """What the household has watched."""
        asked = watched_films_of_group(group_id=self.home.group_id)
        return [one async for one in self.store.all(asked)]

    async def carry(self) -> None:
        """Lets the house carry what happened."""
        worker = Worker(self.store, watched_consumers(ROOMS), clock=self.clock)
        while await worker.drain():
            pass

    async def have_seen(self, title: TitleId = TOTORO) -> list[str]:
        """Who has seen it, by name."""
        people = (self.ada, self.ben)
        opinions = [await load_opinion(self.store, one.user_id, title) for one in people]
        return [
            one.display_name
            for one, opinion in zip(people, opinions, strict=True)
            if opinion.has_seen
        ]


@pytest.fixture
async def together(store: Store, clock: Watch) -> Together:
    """A household of two."""
    ada, ben = await somebody(store, clock, "Ada"), await somebody(store, clock, "Ben")
    return Together(store, clock, ada, ben, await home_of(store, clock, ada, ben))


async def test_everybody_in_the_household_has_seen_what_it_marked(together: Together) -> None:
    await together.watch(together.ada)
    await together.carry()
    await together.carry()

    assert await together.have_seen() == ["Ada", "Ben"]


async def test_of_a_round_those_who_attended_have(together: Together) -> None:
    for one in (together.ada, together.ben):
        await together.evening.likes(one)
    round_: Round = await together.evening.watched(together.ben, attendees=[together.ben.user_id])
    await together.carry()
    (watched,) = await together.films()

    title = TitleId("MOVIE", str(watched.tmdb_movie_id))
    assert watched.attendees == [together.ben.user_id]
    assert await together.have_seen(title) == ["Ben"]
    seat = await context_of(together.store, together.ben)
    await undo_round_watched(at(together.store, together.clock(), seat), round_.round_id)
    await together.carry()
    assert await together.have_seen(title) == []


async def test_an_undo_takes_it_back_but_for_whoever_says_so_themself(together: Together) -> None:
    await together.watch(together.ada)
    await together.carry()
    ctx = Context(together.store, together.ben, together.clock())
    await mark_seen(ctx, TITLES, TOTORO)
    await together.undo(together.ada)
    await together.carry()

    assert await together.have_seen() == ["Ben"]


async def test_whoever_was_not_there_after_all_is_not_marked_again(together: Together) -> None:
    await together.watch(together.ada)
    await together.carry()
    await unmark_seen(Context(together.store, together.ben, together.clock()), TITLES, TOTORO)
    (watched,) = await together.films()
    await together.store.write(put(replace(watched, poster_path="/anotherposter.jpg")))
    await together.carry()

    assert await together.have_seen() == ["Ada"]


async def test_a_household_that_is_deleted_leaves_what_people_have_seen(
    together: Together,
) -> None:
    await together.watch(together.ada)
    await together.carry()
    seat = at(
        together.store, together.clock() + 2 * DAY, await context_of(together.store, together.ada)
    )
    await delete_household(seat, "Home")
    everyone = [*watched_consumers(ROOMS), *ROOMS[0].data.consumers]
    worker = Worker(together.store, everyone, clock=together.clock)
    while await worker.drain():
        pass

    assert await together.films() == []
    assert await together.have_seen() == ["Ada", "Ben"]


async def test_of_a_film_of_an_earlier_version_nobody_knows_who_was_there(
    together: Together,
) -> None:
    await together.watch(together.ada)
    (watched,) = await together.films()
    await together.store.write(put(replace(watched, attendees=None)))
    await together.carry()

    assert await together.have_seen() == []


async def test_what_nobody_carried_is_found_and_mended(together: Together) -> None:
    await together.watch(together.ada)
    found: list[ReportedProblem] = []
    for repair in (True, False):
        await check_store(
            together.store,
            [watched_films],
            [WatchedCheck(ROOMS)],
            repair=repair,
            report=found.append,
            progress=lambda *_: None,
        )

    assert [(one.check, one.repaired) for one in found] == [("watched", True)]
    assert await together.have_seen() == ["Ada", "Ben"]


@pytest.mark.parametrize("closed", ["movienight", "watchlists"])
async def test_a_room_that_is_switched_off_takes_the_join_away(closed: str, tmp_path: Path) -> None:
    opened = ",".join(room.key for room in ROOMS if room.key != closed)
    fetcher = Fetcher()
    names = {one.name for one in consumers(Settings(data=tmp_path, rooms=opened), fetcher)}
    everything = {one.name for one in consumers(Settings(data=tmp_path), fetcher)}
    await fetcher.close()

    assert everything - names == {join.name for join in joins(ROOMS)} != set()
