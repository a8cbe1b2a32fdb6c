"""Each thing that can drift: named in a sentence, mended, and then all is well."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.movienight.service.household_context import find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.store import Store, create, delete
from tests.accounts.people import Watch
from tests.movienight.checks.example import House
from tests.movienight.checks.faults import BREAKS, Break


async def break_and_mend(house: House, breaks: Break) -> None:
    """Holds that what is broken is named and mended, and that nothing else is touched."""
    kind, sentence = BREAKS[breaks]
    before = await house.everything()
    await breaks(house)

    found = await house.drift()
    assert (kind, True) in [(one.check, sentence in one.detail) for one in found], found

    # What the household names, and what its account names, is mended before what follows from it.
    for _ in range(2):
        await house.drift(repair=True)
    assert await house.drift() == []
    assert await house.everything() == before


async def test_where_nothing_is_broken_nothing_is_found(house: House) -> None:
    assert await house.drift() == []


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
async def test_what_is_broken_is_named_and_mended(house: House, breaks: Break) -> None:
    await break_and_mend(house, breaks)


async def test_one_after_the_other_is_named_and_mended_on_dynamodb(
    dynamodb: Store, clock: Watch
) -> None:
    house = await House.furnished(dynamodb, clock)
    for breaks in BREAKS:
        await break_and_mend(house, breaks)


async def test_a_household_of_an_earlier_version_is_no_problem(house: House) -> None:
    await house.load(house.home, member_ids=[])
    await house.load(house.voting, films=None)
    assert await house.drift() == []


async def test_a_member_is_kept_from_a_second_household_once_the_first_is_named_again(
    house: House,
) -> None:
    await house.load(house.ben, household_id=None)
    await house.drift(repair=True)

    ben = await house.now(house.ben)
    with pytest.raises(Conflict):
        await create_household(Context(house.store, ben, house.clock()), name="Second")
    ctx = await find_household_context(Context(house.store, ben, house.clock()), ben)
    assert ctx is not None
    assert ctx.group_id == house.home.group_id


class TestWhatOnlyAPersonKnows:
    async def test_is_which_of_two_households_has_somebody_whose_account_names_neither(
        self, house: House
    ) -> None:
        second = replace(await house.ctx(house.ben), group_id=house.hers.group_id)
        await house.store.write(create(second))
        await house.load(house.hers, member_count=2, member_ids=[])
        await house.load(house.ben, household_id=None)

        found = await house.drift(repair=True)

        assert {one.repaired for one in found if one.check == "households"} == {False}
        assert all("2 households" in one.detail for one in found if one.check == "households")
        assert (await house.now(house.ben)).household_id is None

    async def test_is_what_becomes_of_a_household_that_somebody_created_beside_their_own(
        self, house: House
    ) -> None:
        await house.store.write(
            create(replace(await house.ctx(house.ben), user_id=house.eve.user_id))
        )
        ids = [*(await house.now(house.home)).member_ids, house.eve.user_id]
        await house.load(house.home, member_count=4, member_ids=ids)
        await house.load(house.eve, household_id=house.home.group_id)

        found = await house.drift(repair=True)

        assert [(one.repaired, "created this one" in one.detail) for one in found] == [
            (False, True)
        ]

    async def test_is_which_of_two_open_rounds_goes_on(self, house: House) -> None:
        await house.load(house.selected, status="voting", created_at="2999-01-01T00:00:00.000Z")

        found = [one for one in await house.drift(repair=True) if one.check == "open rounds"]

        assert [(one.repaired, "Another movie night" in one.detail) for one in found] == [
            (False, True)
        ]
        assert (await house.now(house.home)).open_round_id == house.voting.round_id

    async def test_is_who_looks_after_children_without_an_adult(self, house: House) -> None:
        for person in (house.ada, house.ben):
            await house.store.write(delete(await house.ctx(person)))

        found = [one for one in await house.drift(repair=True) if one.check == "creators"]

        assert [(one.repaired, one.detail) for one in found] == [
            (False, "Nobody with a login is in it. Only a person can repair this.")
        ]


async def test_the_newest_of_several_open_rounds_is_the_one_that_is_named(house: House) -> None:
    await house.load(house.selected, status="voting")
    await house.load(house.home, open_round_id=None)

    await house.drift(repair=True)
    await house.drift(repair=True)

    assert (await house.now(house.home)).open_round_id == house.voting.round_id
    assert (await house.now(house.selected)).status == "expired"


async def test_a_household_that_nobody_is_in_is_deleted(house: House) -> None:
    ctx = await house.ctx(house.eve)
    await house.store.write(delete(ctx))

    await house.drift(repair=True)

    assert await house.store.get(house.hers.ref) is None
    assert await house.drift() == []
