"""What the household did before, page by page."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.rules.rounds import RatingSummary
from commonroom.movienight.service.rounds import history
from commonroom.movienight.service.rounds.rating import rate
from commonroom.movienight.tables import Group, Pick, Round
from commonroom.store import Store, counting, put
from commonroom.store.errors import BadCursor
from tests.movienight.evenings import home_of, seat_of
from tests.movienight.rounds_support import Evening


async def many_rounds(store: Store, home: Group, count: int, ada: User) -> list[str]:
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
            seat = await evening.seat(person)
            await rate(evening.store, evening.now(), seat, first.round_id, "loved")
        second = await evening.expired(ada)
        third = await evening.draft(ada)

        found = await history.rounds(evening.store, await evening.seat(ben))

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
        self, store: Store, home: Group, ada: User
    ) -> None:
        expected = await many_rounds(store, home, 60, ada)
        seat = await seat_of(store, ada)

        first = await history.rounds(store, seat)
        second = await history.rounds(store, seat, limit=1000, cursor=first.cursor)

        assert [one.round.round_id for one in first.items] == expected[:20]
        assert [one.round.round_id for one in second.items] == expected[20:]
        assert len((await history.rounds(store, seat, limit=1000)).items) == 50

    async def test_are_those_of_ones_own_household(
        self, store: Store, evening: Evening, ada: User, eve: User
    ) -> None:
        await evening.draft(ada)
        await home_of(store, evening.clock, eve)

        assert (await history.rounds(store, await seat_of(store, eve))).items == []

    async def test_refuse_a_cursor_of_another_list(
        self, store: Store, home: Group, ada: User, eve: User
    ) -> None:
        await many_rounds(store, home, 3, ada)
        page = await history.rounds(store, await seat_of(store, ada), limit=1)

        with pytest.raises(BadCursor):
            await history.picks(store, await seat_of(store, ada), cursor=page.cursor)

    @pytest.mark.parametrize("count", [1, 60])
    async def test_take_two_requests(
        self, store: Store, home: Group, ada: User, count: int
    ) -> None:
        await many_rounds(store, home, count, ada)
        seat = await seat_of(store, ada)

        with counting() as tally:
            await history.rounds(store, seat, limit=50)

        assert tally.requests == 2


class TestPicks:
    async def test_are_those_that_were_watched_newest_first_with_their_summary(
        self, evening: Evening, ada: User
    ) -> None:
        first = await evening.rated(ada)
        second = await evening.watched(ada)
        await evening.selected(ada)

        found = await history.picks(evening.store, await evening.seat(ada))

        assert [one.pick for one in found.items] == [
            await evening.pick_of(second),
            await evening.pick_of(first),
        ]
        assert [one.ratings for one in found.items] == [RatingSummary(), RatingSummary(loved=1)]

    @pytest.mark.parametrize("count", [1, 60])
    async def test_take_two_requests(
        self, store: Store, home: Group, ada: User, count: int
    ) -> None:
        await many_rounds(store, home, count, ada)
        seat = await seat_of(store, ada)

        with counting() as tally:
            found = await history.picks(store, seat)

        assert tally.requests == 2
        assert len(found.items) == min(count, 20)
        assert (found.cursor is None) is (count == 1)
