"""What people do in a round at the same moment: one of them is first, and the rest stays true."""

from __future__ import annotations

import asyncio

from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.attendance import add_attendee, remove_attendee
from commonroom.movienight.service.rounds.lifecycle import (
    abandon,
    create_round,
    expire_untouched,
    start_voting,
)
from commonroom.movienight.service.rounds.picks import pick, reopen
from commonroom.movienight.service.rounds.votes import rate, vote
from commonroom.movienight.service.watched import mark_round_watched, mark_watched, undo_watched
from commonroom.movienight.service.wishes import MAX_WISHES, add_wish
from commonroom.movienight.tables import Household, Round
from commonroom.store import Store
from tests.accounts.people import DAY, at_once
from tests.movienight.evenings import everything_of, home_of, somebody
from tests.movienight.rounds_support import Evening, film
from tests.movienight.service.rounds.races.stored_state import truth
from tests.support.context import at


class TestCreating:
    async def test_several_rounds_at_once_makes_one(
        self, evening: Evening, home: Household, seats: list[HouseholdContext]
    ) -> None:
        made, refused = await at_once(
            *(create_round(at(evening.store, evening.clock(), one), evening.films) for one in seats)
        )

        assert [type(one) for one in refused] == [Conflict] * 3
        assert [one.extensions for one in refused] == [{"active_round_id": made[0].round_id}] * 3
        assert list((await truth(evening, home)).rounds) == [made[0].round_id]

    async def test_one_while_another_is_opened_again_leaves_one_open(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.selected(ada)
        now = evening.now()

        _, refused = await at_once(
            reopen(at(evening.store, now, seats[0]), made.round_id),
            create_round(at(evening.store, now, seats[1]), evening.films),
        )

        assert [type(one) for one in refused] == [Conflict]
        stored = await truth(evening, home)
        assert refused[0].extensions == {"active_round_id": stored.group.open_round_id}


class TestPicking:
    async def test_twice_at_once_leaves_one_pick(
        self, evening: Evening, home: Household, ben: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ben)
        now = evening.now()

        picked, refused = await at_once(
            *(
                pick(at(evening.store, now, ctx), made.round_id, number)
                for number, ctx in enumerate(seats[:2], start=1)
            )
        )

        assert [type(one) for one in refused] == [Conflict]
        assert (await truth(evening, home)).picks == picked

    async def test_while_the_round_is_abandoned_does_one_of_both(
        self, evening: Evening, home: Household, ben: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ben)
        now = evening.now()

        done, refused = await at_once(
            abandon(at(evening.store, now, seats[1]), made.round_id),
            pick(at(evening.store, now, seats[0]), made.round_id, 1),
            abandon(at(evening.store, now, seats[0]), made.round_id),
        )

        assert (len(done), [type(one) for one in refused]) == (1, [Conflict] * 2)
        stored = await truth(evening, home)
        assert stored.rounds[made.round_id].status in ("selected", "expired")
        assert stored.group.open_round_id is None

    async def test_while_the_round_expires_does_one_of_both(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        evening.clock.forward(8 * DAY)
        now = evening.clock()

        await at_once(
            pick(at(evening.store, now, seats[0]), made.round_id, 1),
            expire_untouched(evening.store, now, made.round_id),
            abandon(at(evening.store, now, seats[0]), made.round_id),
        )

        stored = await truth(evening, home)
        assert stored.rounds[made.round_id].status in ("selected", "expired")
        assert stored.group.open_round_id is None

    async def test_and_opening_again_and_watching_at_once_does_one_after_the_other(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.selected(ada)
        now = evening.now()

        await at_once(
            reopen(at(evening.store, now, seats[0]), made.round_id),
            mark_round_watched(at(evening.store, now, seats[1]), made.round_id),
            rate(at(evening.store, now, seats[1]), made.round_id, "loved"),
        )

        stored = await truth(evening, home)
        assert stored.rounds[made.round_id].status in ("voting", "watched")


class TestWhoTakesPart:
    async def test_changes_while_they_vote_and_no_vote_is_left_of_whoever_went(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now, store, films = evening.now(), evening.store, evening.films
        child = seats[3].member_id

        await at_once(
            *(vote(at(store, now, seats[3]), made.round_id, film, "up") for film in (1, 2, 3)),
            remove_attendee(at(store, now, seats[0]), films, made.round_id, child),
            *(vote(at(store, now, seats[1]), made.round_id, film, "up") for film in (1, 2, 3)),
        )

        stored = await truth(evening, home)
        assert child not in (stored.rounds[made.round_id].attendees or ())
        assert {one.member_id for one in stored.votes} == {seats[1].member_id}

    async def test_is_counted_for_everybody_who_comes_at_once(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada, attendees=[ada.user_id])
        now, store, films = evening.now(), evening.store, evening.films

        _, refused = await at_once(
            *(
                add_attendee(at(store, now, one), films, made.round_id, one.member_id)
                for one in seats[1:]
            )
        )

        assert refused == []
        stored = await truth(evening, home)
        assert set(stored.rounds[made.round_id].attendees or ()) == {one.member_id for one in seats}

    async def test_grows_with_the_last_vote_and_the_pick_waits_or_is_before_it(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada, attendees=[one.member_id for one in seats[:2]])
        now, store, films = evening.now(), evening.store, evening.films
        await vote(at(store, now, seats[0]), made.round_id, 1, "up")

        await at_once(
            vote(at(store, now, seats[1]), made.round_id, 1, "up"),
            add_attendee(at(store, now, seats[2]), films, made.round_id, seats[2].member_id),
            pick(at(store, now, seats[0]), made.round_id, 1, even_if_votes_are_missing=False),
        )

        stored = await truth(evening, home)
        round_ = stored.rounds[made.round_id]
        voted = {one.member_id for one in stored.votes}
        assert (round_.status == "voting") or set(round_.attendees or ()) <= voted


class TestUndoingWatched:
    async def test_while_they_rate_keeps_what_was_said(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.watched(ada)
        now, store = evening.now(), evening.store

        _, refused = await at_once(
            *(rate(at(store, now, one), made.round_id, "liked") for one in seats),
            undo_watched(at(store, now, seats[0]), 1),
        )

        assert refused == []
        stored = await truth(evening, home)
        assert stored.rounds[made.round_id].status == "selected"
        assert len(stored.ratings) == 4
        assert stored.watched == []

    async def test_twice_at_once_undoes_it_once(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        await evening.wish(ada, 1)
        made = await evening.watched(ada)
        now = evening.now()

        _, refused = await at_once(
            *(undo_watched(at(evening.store, now, seats[0]), 1) for _ in range(3))
        )

        assert len(refused) == 2
        stored = await truth(evening, home)
        assert stored.rounds[made.round_id].status == "selected"
        assert [one.tmdb_movie_id for one in stored.wishes] == [1]

    async def test_and_saying_so_in_both_places_at_once_is_one_deed(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.selected(ada)
        now, store = evening.now(), evening.store

        done, refused = await at_once(
            mark_round_watched(at(store, now, seats[0]), made.round_id),
            mark_watched(at(store, now, seats[1]), evening.films, 1),
        )

        assert (len(done), [type(one) for one in refused]) == (1, [Conflict])
        stored = await truth(evening, home)
        assert [one.round_id for one in stored.watched] == [made.round_id]


class TestWishes:
    async def test_for_the_last_place_on_the_list_fill_it_and_no_more(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        evening.films.films |= {number: film(number) for number in range(1, 60)}
        for number in range(1, MAX_WISHES):
            await add_wish(at(evening.store, evening.now(), seats[0]), evening.films, number)
        now = evening.now()

        added, refused = await at_once(
            *(
                add_wish(at(evening.store, now, ctx), evening.films, number)
                for number, ctx in enumerate(seats, start=MAX_WISHES)
            )
        )

        assert (len(added), len(refused)) == (1, 3)
        assert (await truth(evening, home)).group.wish_count == MAX_WISHES

    async def test_while_the_film_is_watched_in_two_ways_are_gone(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.selected(ada)
        now = evening.now()

        await at_once(
            add_wish(at(evening.store, now, seats[1]), evening.films, 1),
            mark_round_watched(at(evening.store, now, seats[0]), made.round_id),
            mark_watched(at(evening.store, now, seats[2]), evening.films, 1),
        )

        stored = await truth(evening, home)
        assert stored.wishes == []
        assert [one.round_id for one in stored.watched] == [made.round_id]


class TestTwoHouseholds:
    async def test_do_not_get_in_each_others_way(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        eve = await somebody(store, evening.clock, "Eve")
        other = await home_of(store, evening.clock, eve)
        await evening.likes(eve)
        seats = [await evening.ctx(one) for one in (ada, eve)]
        now = evening.now()

        rounds = await asyncio.gather(
            *(create_round(at(store, now, one), evening.films) for one in seats)
        )
        await asyncio.gather(
            *(
                start_voting(at(store, now, ctx), made.round_id)
                for ctx, made in zip(seats, rounds, strict=True)
            )
        )

        for household in (home, other):
            (made,) = (await truth(evening, household)).rounds.values()
            assert made.status == "voting"
        assert len(await everything_of(store.engine, Round)) == 2
