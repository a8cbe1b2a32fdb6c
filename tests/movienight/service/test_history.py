"""What the household did before, page by page."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.rules.rounds import RatingSummary
from commonroom.movienight.service import history
from commonroom.movienight.service.rounds.votes import rate
from commonroom.movienight.service.watched import mark_watched, undo_watched
from commonroom.movienight.tables import Household, Pick, Round, WatchedFilm, watched_history
from commonroom.store import Entity, Store, Table, counting, put
from commonroom.store import number as numbered
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import BadCursor
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, context_of, home_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def many_rounds(store: Store, home: Household, count: int, ada: User) -> list[str]:
    """Rounds of long ago, each with a watched pick and a rating; the newest comes first."""
    for number in range(count):
        at = f"2020-01-01T00:{number:02}:00.000Z"
        await store.write(
            put(
                Round(
                    round_id=f"round-{number}",
                    group_id=home.group_id,
                    started_by=ada.user_id,
                    status="rated",
                    attendees=[ada.user_id],
                    created_at=at,
                    pick_id=f"pick-{number}",
                    rated={ada.user_id: "liked"},
                    version=5,
                )
            ),
            put(
                WatchedFilm(
                    group_id=home.group_id,
                    tmdb_movie_id=number,
                    title=f"Film {number}",
                    watched_at=at,
                    marked_by=ada.user_id,
                    marked_at=at,
                    round_id=f"round-{number}",
                )
            ),
            put(
                Pick(
                    pick_id=f"pick-{number}",
                    round_id=f"round-{number}",
                    group_id=home.group_id,
                    tmdb_movie_id=number,
                    title=f"Film {number}",
                    picked_by=ada.user_id,
                    picked_at=at,
                    watched=True,
                    watched_at=at,
                )
            ),
        )
    return [f"round-{number}" for number in reversed(range(count))]


class TestRounds:
    async def test_come_newest_first_with_pick_and_summary(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        first = await evening.watched(ada)
        for person in (ada, ben):
            ctx = await evening.ctx(person)
            await rate(at(evening.store, evening.now(), ctx), first.round_id, "loved")
        second = await evening.expired(ada)
        third = await evening.draft(ada)

        ctx = await evening.ctx(ben)
        found = await history.list_rounds(ctx.store, ctx.group_id)

        assert [one.round.round_id for one in found.items] == [
            third.round_id,
            second.round_id,
            first.round_id,
        ]
        assert [one.pick for one in found.items] == [None, None, await evening.pick_of(first)]
        assert [one.ratings for one in found.items] == [
            RatingSummary(),
            RatingSummary(),
            RatingSummary(loved=2),
        ]
        assert [one.round.status for one in found.items] == ["draft", "expired", "rated"]
        assert found.cursor is None

    async def test_come_in_pages_of_twenty_and_at_most_fifty(
        self, store: Store, home: Household, ada: User
    ) -> None:
        expected = await many_rounds(store, home, 60, ada)
        ctx = await context_of(store, ada)

        first = await history.list_rounds(ctx.store, ctx.group_id)
        second = await history.list_rounds(ctx.store, ctx.group_id, limit=1000, cursor=first.cursor)

        assert [one.round.round_id for one in first.items] == expected[:20]
        assert [one.round.round_id for one in second.items] == expected[20:]
        assert len((await history.list_rounds(ctx.store, ctx.group_id, limit=1000)).items) == 50

    async def test_are_those_of_ones_own_household(
        self, store: Store, evening: Evening, ada: User, eve: User
    ) -> None:
        await evening.draft(ada)
        elsewhere = await home_of(store, evening.clock, eve)

        assert (await history.list_rounds(store, elsewhere.group_id)).items == []

    async def test_refuse_a_cursor_of_another_list(
        self, store: Store, home: Household, ada: User, eve: User
    ) -> None:
        await many_rounds(store, home, 3, ada)
        page = await history.list_rounds(store, home.group_id, limit=1)

        with pytest.raises(BadCursor):
            await history.list_watched_films(store, home.group_id, cursor=page.cursor)

    @pytest.mark.parametrize("count", [1, 60])
    async def test_take_two_requests(
        self, store: Store, home: Household, ada: User, count: int
    ) -> None:
        await many_rounds(store, home, count, ada)
        ctx = await context_of(store, ada)

        with counting() as tally:
            await history.list_rounds(ctx.store, ctx.group_id, limit=50)

        assert tally.requests == 2


class TestFilms:
    async def test_are_all_that_were_watched_however_that_was_said_the_last_first(
        self, evening: Evening, ada: User
    ) -> None:
        first = await evening.rated(ada)
        ctx = await evening.ctx(ada)
        await mark_watched(at(evening.store, evening.now(), ctx), evening.films, 20)
        second = await evening.watched(ada)
        await evening.selected(ada)

        found = await history.list_watched_films(ctx.store, ctx.group_id)

        assert [(one.watched.tmdb_movie_id, one.watched.round_id) for one in found.items] == [
            (2, second.round_id),
            (20, None),
            (1, first.round_id),
        ]
        assert [one.ratings for one in found.items] == [
            RatingSummary(),
            RatingSummary(),
            RatingSummary(loved=1),
        ]

    async def test_that_are_no_longer_watched_are_gone_from_it(
        self, evening: Evening, ada: User
    ) -> None:
        ctx = await evening.ctx(ada)
        await mark_watched(at(evening.store, evening.now(), ctx), evening.films, 20)
        await undo_watched(at(evening.store, evening.now(), ctx), 20)

        assert (await history.list_watched_films(ctx.store, ctx.group_id)).items == []

    @pytest.mark.parametrize("count", [1, 60])
    async def test_take_two_requests(
        self, store: Store, home: Household, ada: User, count: int
    ) -> None:
        await many_rounds(store, home, count, ada)
        ctx = await context_of(store, ada)

        with counting() as tally:
            found = await history.list_watched_films(ctx.store, ctx.group_id, limit=50)

        assert tally.requests == 2
        assert len(found.items) == min(count, 50)
        assert (found.cursor is None) is (count == 1)


earlier_films = Table(
    "WatchedFilms", room="movienight", partition="group_id", sort=numbered("tmdb_movie_id")
)


class EarlierFilm(Entity, table=earlier_films):
    """A watched film as it was stored when nothing sorted them by day."""

    group_id: str
    tmdb_movie_id: int
    title: str
    watched_at: str
    marked_by: str
    marked_at: str


async def test_films_of_a_file_that_did_not_sort_them_are_all_there(
    tmp_path: Path, clock: Watch
) -> None:
    file = tmp_path / "earlier.db"
    before = Store(EmbeddedEngine(file, [earlier_films], durability="OFF", clock=clock))
    for film, day in ((7, "2024-05-03T20:00:00.000Z"), (9, "2024-05-01T20:00:00.000Z")):
        watched = EarlierFilm(
            group_id="g",
            tmdb_movie_id=film,
            title="Emma",
            watched_at=day,
            marked_by="ada",
            marked_at=day,
        )
        await before.write(put(watched))
    await before.close()

    store = Store(EmbeddedEngine(file, TABLES, durability="OFF", clock=clock))
    found = (await store.page(watched_history(group_id="g"))).items
    await store.close()

    assert [one.tmdb_movie_id for one in found] == [7, 9]
