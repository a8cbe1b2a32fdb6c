"""Clearing up after accounts, managed members and households that were deleted."""

from __future__ import annotations

from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.profiles import remove_managed
from commonroom.accounts.tables import User
from commonroom.movienight.consumers import HANDLERS, SWEEP_SECONDS, clear_household
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.invites import create_invite
from commonroom.movienight.service.members import leave, list_members
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.tables import (
    Household,
    HouseholdMembership,
    Invite,
    PendingPick,
    Pick,
    Preferences,
    Round,
    RoundRating,
    Suggestion,
    Vote,
    WatchedFilm,
    Wish,
)
from commonroom.store import Entity, Store, Write, create, put, update
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Change
from commonroom.timers import Scheduler
from tests.accounts.people import Watch
from tests.movienight.evenings import (
    check_households,
    context_of,
    everything_of,
    home_of,
    likes,
    now_of,
    tidied,
)
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at

MOMENT = "2026-05-31T18:00:00.000Z"
BELOW: list[type[Entity]] = [
    Round,
    Suggestion,
    Vote,
    RoundRating,
    Pick,
    PendingPick,
    Wish,
    WatchedFilm,
    Invite,
]


def round_of(group_id: str, round_id: str) -> list[Entity]:
    """A round with all that there can be below it."""
    pick_id = f"pick of {round_id}"
    films = range(1, 13)
    return [
        Round(
            round_id=round_id,
            group_id=group_id,
            started_by="ada",
            created_at=MOMENT,
            status="rated",
            pick_id=pick_id,
        ),
        Pick(
            pick_id=pick_id,
            round_id=round_id,
            group_id=group_id,
            tmdb_movie_id=1,
            title="A film",
            picked_by="ada",
            picked_at=MOMENT,
        ),
        *(
            Suggestion(round_id=round_id, tmdb_movie_id=film, position=film, title="A film")
            for film in films
        ),
        *(
            Vote(
                round_id=round_id,
                tmdb_movie_id=film,
                member_id=f"member {n}",
                vote="up",
                voted_at=MOMENT,
            )
            for film in films
            for n in range(8)
        ),
        *(
            RoundRating(round_id=round_id, member_id=f"member {n}", rating="liked", rated_at=MOMENT)
            for n in range(8)
        ),
    ]


def films_of(group_id: str, number: int) -> list[Entity]:
    """So many wishes, films that were watched, and films that were picked."""
    wishes = [
        Wish(group_id=group_id, tmdb_movie_id=n, title="A film", added_by="ada", added_at=MOMENT)
        for n in range(number)
    ]
    watched = [
        WatchedFilm(
            group_id=group_id,
            tmdb_movie_id=n,
            title="A film",
            watched_at=MOMENT,
            marked_by="ada",
            marked_at=MOMENT,
        )
        for n in range(number)
    ]
    pending = [
        PendingPick(group_id=group_id, tmdb_movie_id=n, round_id="a round") for n in range(number)
    ]
    return [*wishes, *watched, *pending]


async def stored_all(store: Store, things: list[Entity]) -> None:
    for thing in things:
        await store.write(put(thing))


async def left(store: Store, kinds: list[type[Entity]]) -> dict[str, int]:
    """How many things of each kind there are, where there are any."""
    found = {kind.__name__: len(await everything_of(store.engine, kind)) for kind in kinds}
    return {name: number for name, number in found.items() if number}


class TestADeletedAccount:
    async def test_leaves_the_household_with_its_managed_members(
        self, store: Store, clock: Watch, home: Household, ben: User, zoe: User
    ) -> None:
        await likes(store, clock, ben)
        await likes(store, clock, ben, zoe)
        await delete_account(store, await now_of(store, ben), typed=CONFIRMATION)
        await check_households(store.engine, tidy=False)

        await tidied(store, clock)

        assert len(await list_members(store, home.group_id)) == 1
        assert await everything_of(store.engine, Preferences) == []
        await check_households(store.engine)

    async def test_of_a_creator_hands_the_household_over(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)

        await tidied(store, clock)

        assert (await now_of(store, home)).created_by == ben.user_id
        await check_households(store.engine)

    async def test_of_the_last_one_takes_the_household_and_everything_in_it_along(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await home_of(store, clock, ada)
        await create_invite(at(store, clock(), await context_of(store, ada)))
        await stored_all(store, [*round_of(group.group_id, "one"), *films_of(group.group_id, 3)])
        await delete_account(store, await now_of(store, ada), typed=CONFIRMATION)

        await tidied(store, clock)

        assert await left(store, [Household, HouseholdMembership, User, *BELOW]) == {}

    async def test_without_a_household_changes_none(
        self, store: Store, clock: Watch, home: Household, eve: User
    ) -> None:
        await delete_account(store, eve, typed=CONFIRMATION)

        await tidied(store, clock)

        assert await now_of(store, home) == home


class TestADeletedManagedProfile:
    async def test_leaves_the_household(
        self, store: Store, clock: Watch, home: Household, ben: User, zoe: User
    ) -> None:
        await likes(store, clock, ben, zoe)
        await remove_managed(store, ben, zoe.user_id)

        await tidied(store, clock)

        assert len(await list_members(store, home.group_id)) == 2
        await check_households(store.engine)


class TestAChangedAccount:
    async def test_keeps_its_seat(
        self, store: Store, clock: Watch, home: Household, ben: User
    ) -> None:
        await store.write(update(ben.ref, display_name="Benedict"))

        await tidied(store, clock)

        assert await now_of(store, home) == home
        await check_households(store.engine)


class TestADeletedHousehold:
    async def test_takes_everything_below_along_and_nothing_of_others(
        self, store: Store, clock: Watch, home: Household, ada: User, eve: User
    ) -> None:
        other = await home_of(store, clock, eve)
        await create_invite(at(store, clock(), await context_of(store, eve)))
        for group, round_id in ((home, "one"), (home, "two"), (other, "theirs")):
            await stored_all(store, round_of(group.group_id, round_id))
        await stored_all(store, films_of(other.group_id, 3))
        theirs = await left(store, [Round, Suggestion, Vote, RoundRating, Pick])
        await stored_all(store, films_of(home.group_id, 120))

        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")
        await tidied(store, clock)

        assert theirs == {"Round": 3, "Suggestion": 36, "Vote": 288, "RoundRating": 24, "Pick": 3}
        assert await left(store, BELOW) == {
            "Round": 1,
            "Suggestion": 12,
            "Vote": 96,
            "RoundRating": 8,
            "Pick": 1,
            "PendingPick": 3,
            "Wish": 3,
            "WatchedFilm": 3,
            "Invite": 1,
        }
        await check_households(store.engine)

    async def test_takes_a_pick_along_that_an_earlier_version_wrote(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        # Its round did not say which pick it has.
        pick = Pick(
            pick_id="old",
            round_id="old",
            group_id=home.group_id,
            tmdb_movie_id=1,
            title="A film",
            picked_by="ada",
            picked_at=MOMENT,
        )
        await store.write(create(pick))

        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")
        await tidied(store, clock)

        assert await left(store, BELOW) == {}

    async def test_takes_its_open_round_along_which_an_index_may_not_show_yet(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        # Under another household's id, no index of this one will ever show it.
        await stored_all(store, round_of("hidden", "newest"))
        await store.write(update(home.ref, open_round_id="newest"))

        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")
        await tidied(store, clock)

        assert await left(store, BELOW) == {}

    async def test_is_looked_through_once_more_when_every_index_has_caught_up(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")
        await tidied(store, clock)
        # As if an index had not shown these before.
        await stored_all(store, round_of(home.group_id, "late"))
        scheduler = Scheduler(store, HANDLERS, clock=clock)
        assert await scheduler.once() == 0

        clock.forward(SWEEP_SECONDS + 1)

        assert await scheduler.once() == 1
        assert await left(store, BELOW) == {}

    async def test_is_cleared_up_whenever_that_is_interrupted(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        await stored_all(store, [*round_of(home.group_id, "one"), *films_of(home.group_id, 3)])
        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")
        change = Change(Household, "remove", (home.group_id,), home, None, clock(), by_ttl=False)

        interruptions = [await interrupted(store, change, writes) for writes in range(12)]

        assert interruptions.count(True) > 3
        assert not interruptions[-1]
        assert await left(store, BELOW) == {}

    async def test_is_left_alone_where_it_is_there_again(
        self, store: Store, clock: Watch, home: Household
    ) -> None:
        # From a backup, for instance; a record of the old time may still come.
        await stored_all(store, round_of(home.group_id, "one"))
        change = Change(Household, "remove", (home.group_id,), home, None, clock(), by_ttl=False)

        await clear_household(store, change)

        assert (await left(store, [Round])) == {"Round": 1}


async def interrupted(store: Store, change: Change, writes: int) -> bool:
    """Clears up until so much is written; says whether that was before the end."""
    try:
        await clear_household(Interrupted(store, writes), change)
    except Unavailable:
        return True
    return False


class Interrupted(Store):
    """A store that can write only so often."""

    def __init__(self, store: Store, writes: int) -> None:
        super().__init__(store.engine)
        self.writes = writes

    async def write(self, *writes: Write) -> None:
        self.writes -= 1
        if self.writes < 0:
            raise Unavailable("Interrupted.")
        await super().write(*writes)


class TestWhoeverLeft:
    async def test_is_waited_for_no_longer_however_they_left(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        evening = Evening(store, clock, Shelf([film(number) for number in range(1, 31)]))
        for person in (ada, ben):
            await evening.likes(person)
        made = await evening.voting(ada)
        await vote(at(store, clock(), await evening.ctx(ben)), made.round_id, 1, "up")
        await leave(at(store, clock(), await evening.ctx(ben)))

        await tidied(store, clock)

        assert (await evening.again(made)).attendees == [ada.user_id]
        assert await evening.votes(made) == []


class TestAHouseholdOfAnEarlierVersion:
    async def test_names_its_members_after_its_next_change(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        await store.write(update(home.ref, member_ids=[]))
        await tidied(store, clock)
        assert sorted((await now_of(store, home)).member_ids) == sorted([ada.user_id, ben.user_id])

    async def test_that_counts_wrong_is_left_to_a_check(
        self, store: Store, clock: Watch, home: Household
    ) -> None:
        await store.write(update(home.ref, member_count=5, member_ids=[]))
        await tidied(store, clock)
        left = await now_of(store, home)
        assert (left.member_count, left.member_ids) == (5, [])

    async def test_that_somebody_joined_since_names_all_of_them(
        self, store: Store, clock: Watch, home: Household, ben: User, zoe: User
    ) -> None:
        await store.write(update(home.ref, member_ids=[zoe.user_id]))
        await tidied(store, clock)
        here = [home.created_by, ben.user_id, zoe.user_id]
        assert sorted((await now_of(store, home)).member_ids) == sorted(here)
