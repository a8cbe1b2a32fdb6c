"""Each thing that can drift in movie night, broken by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from uuid import uuid4

from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.movienight.tables import (
    HouseholdMembership,
    PendingPick,
    Preferences,
    WatchedFilm,
    Wish,
)
from commonroom.store import create, delete
from tests.movienight.checks.example import House

Break: TypeAlias = Callable[[House], Awaitable[Any]]
BREAKS: dict[Break, tuple[str, str]] = {}


def fault(check: str, sentence: str) -> Callable[[Break], Break]:
    """Says by which check a fault is found, and what is said of it."""

    def declare(breaks: Break) -> Break:
        BREAKS[breaks] = (check, sentence)
        return breaks

    return declare


@fault("households", "The account of a member does not name it.")
async def a_member_whose_account_names_no_household(house: House) -> None:
    await house.load(house.ben, household_id=None)


@fault("households", "The account of a member does not name it.")
async def a_household_of_which_no_account_knows(house: House) -> None:
    for person in (house.ada, house.ben, house.zoe):
        await house.load(person, household_id=None)


@fault("households", "It names a household that does not have it.")
async def an_account_that_names_a_household_which_is_gone(house: House) -> None:
    await house.load(house.ben, household_id=str(uuid4()))


@fault("households", "It names a household that does not have it.")
async def an_account_that_names_a_household_of_others(house: House) -> None:
    await house.load(house.ben, household_id=house.hers.group_id)


@fault("households", "is a member of another household, which their account names")
async def a_membership_in_a_second_household(house: House) -> None:
    second = HouseholdMembership(
        group_id=house.hers.group_id, user_id=house.ben.user_id, joined_at=iso(house.clock())
    )
    await house.store.write(create(second))
    count, ids = 2, [house.eve.user_id, house.ben.user_id]
    await house.load(house.hers, member_count=count, member_ids=ids)


@fault("members", "A member has no account any more.")
async def a_membership_of_a_deleted_account(house: House) -> None:
    nobody = HouseholdMembership(
        group_id=house.home.group_id, user_id=str(uuid4()), joined_at=iso(house.clock())
    )
    await house.store.write(create(nobody))
    ids = [*(await house.now(house.home)).member_ids, nobody.user_id]
    await house.load(house.home, member_count=len(ids), member_ids=ids)


@fault("members", "Whoever it is of is managed.")
async def a_child_that_counts_as_an_adult(house: House) -> None:
    await house.load(await house.ctx(house.zoe), member_type="independent")


@fault("orphans", "Its household was deleted.")
async def a_membership_without_a_household(house: House) -> None:
    lost = HouseholdMembership(
        group_id="gone", user_id=house.ben.user_id, joined_at=iso(house.clock())
    )
    await house.store.write(create(lost))


@fault("orphans", "They are of somebody who is not in it.")
async def preferences_of_somebody_who_left(house: House) -> None:
    left = Preferences(
        group_id=house.home.group_id,
        user_id=house.eve.user_id,
        max_content_rating="R",
        updated_at=iso(house.clock()),
    )
    await house.store.write(create(left))


@fault("members", "It counts 5 members and names 3, but it has 3")
async def a_wrong_number_of_members(house: House) -> None:
    await house.load(house.home, member_count=5)


@fault("members", "It counts 3 members and names 3, but it has 3, or others.")
async def names_of_others(house: House) -> None:
    ids = [house.ada.user_id, house.zoe.user_id, house.eve.user_id]
    await house.load(house.home, member_ids=ids)


@fault("creators", "Its creator is not in it, or has no login.")
async def a_creator_who_is_not_in_it(house: House) -> None:
    await house.load(house.home, created_by=house.eve.user_id)


@fault("creators", "Its creator is not in it, or has no login.")
async def a_child_as_creator(house: House) -> None:
    await house.load(house.home, created_by=house.zoe.user_id)


@fault("creators", "Its members have other roles than it says.")
async def two_with_the_role_of_the_creator(house: House) -> None:
    await house.load(await house.ctx(house.ben), role="creator")


@fault("wishes", "Its wish_count is 50, not 1.")
async def a_wrong_number_of_wishes(house: House) -> None:
    await house.load(house.home, wish_count=50)


@fault("wishes", "was watched, and is still wished for")
async def a_wish_for_what_was_watched(house: House) -> None:
    pick = await house.pick(house.watched)
    wish = Wish(
        group_id=house.home.group_id,
        tmdb_movie_id=pick.tmdb_movie_id,
        title=pick.title,
        added_by=house.ben.user_id,
        added_at=iso(house.clock()),
    )
    await house.store.write(create(wish))
    await house.load(house.home, wish_count=2)


@fault("open rounds", "Its household does not name it.")
async def an_open_round_that_nobody_names(house: House) -> None:
    await house.load(house.home, open_round_id=None)


@fault("open rounds", "The round that it names is not open.")
async def a_round_that_is_over_and_named(house: House) -> None:
    await house.load(house.home, open_round_id=house.watched.round_id)


@fault("open rounds", "The round that it names is not open.")
async def a_round_that_is_named_and_gone(house: House) -> None:
    await house.load(house.home, open_round_id=str(uuid4()))


@fault("shortlists", "or others")
async def films_that_a_round_does_not_have(house: House) -> None:
    films = [*(await house.now(house.voting)).films[1:], 999]
    await house.load(house.voting, films=films)


@fault("shortlists", "or others")
async def proposals_that_nobody_made(house: House) -> None:
    await house.load(house.voting, proposals={house.ben.user_id: 2})


@fault("shortlists", "or others")
async def proposals_that_are_not_counted(house: House) -> None:
    await house.load(house.voting, proposals=None)


@fault("ratings", "It names 0 ratings; they are 1")
async def a_rating_that_the_round_does_not_know(house: House) -> None:
    await house.load(house.watched, rated={})


@fault("picks", "It names another pick than its own.")
async def a_pick_that_the_round_does_not_name(house: House) -> None:
    await house.load(house.selected, pick_id=str(uuid4()))


@fault("picks", "Its round has not picked")
async def a_pick_that_its_round_does_not_have(house: House) -> None:
    second = replace(await house.pick(house.selected), pick_id=str(uuid4()))
    await house.store.write(create(second))


@fault("picks", "waits to be watched")
async def a_picked_film_that_does_not_wait(house: House) -> None:
    pick = await house.pick(house.selected)
    key = {"group_id": pick.group_id, "tmdb_movie_id": pick.tmdb_movie_id}
    await house.store.write(delete(PendingPick.at(**key)))


@fault("picks", "No round waits for this film to be watched.")
async def a_film_that_waits_for_a_round_that_is_over(house: House) -> None:
    pick = await house.pick(house.watched)
    waits = PendingPick(
        group_id=pick.group_id, tmdb_movie_id=pick.tmdb_movie_id, round_id=pick.round_id
    )
    await house.store.write(create(waits))


@fault("watched", "was watched, and is not kept as watched")
async def a_watched_film_that_is_suggested_again(house: House) -> None:
    pick = await house.pick(house.watched)
    key = {"group_id": pick.group_id, "tmdb_movie_id": pick.tmdb_movie_id}
    await house.store.write(delete(WatchedFilm.at(**key)))
