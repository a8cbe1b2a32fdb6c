"""Addresses and counts of people that drifted are named in a sentence, and mended."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from msgspec.structs import replace

from commonroom.accounts.checks import checks
from commonroom.accounts.context import Context
from commonroom.accounts.errors import EmailTaken
from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.blocks import block, list_blocked
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.service.signup import set_up, sign_up
from commonroom.accounts.tables import AddressClaim, Block, Installation, User, tables
from commonroom.errors import Forbidden
from commonroom.store import Entity, Store, delete, put
from commonroom.store.checking import ReportedProblem, check_store
from tests.accounts.people import Watch, newcomer
from tests.support.fixtures import either

store = either


@pytest.fixture
async def ada(store: Store, clock: Watch) -> User:
    """The administrator."""
    return await set_up(store, clock(), newcomer("Ada"))


@pytest.fixture
async def ben(store: Store, clock: Watch, ada: User) -> User:
    """Somebody else, with a child."""
    ben = await sign_up(store, clock(), "open", newcomer("Ben"))
    await add_managed(Context(store, ben, clock()), display_name="Zoe")
    kept: User = await now(store, ben)
    return kept


async def now(store: Store, thing: Any) -> Any:
    """A thing as it is stored."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


async def load(store: Store, thing: Entity, **attributes: Any) -> None:
    """Puts something there as if it had always been so; None takes an attribute out."""
    item = (await now(store, thing)).to_item() | attributes
    left = {name: value for name, value in item.items() if value is not None}
    await store.engine.load(thing.schema.table, [left])


async def drift(store: Store, *, repair: bool = False) -> list[ReportedProblem]:
    """What is found wrong, and mended where it may be."""
    reported: list[ReportedProblem] = []
    await check_store(
        store, tables, checks(), repair=repair, report=reported.append, progress=lambda *_: None
    )
    return reported


async def mended(store: Store, check: str, sentence: str) -> None:
    """Holds that something is named, mended, and then right."""
    assert (check, True) in [(one.check, sentence in one.detail) for one in await drift(store)]
    assert all(one.repaired for one in await drift(store, repair=True))
    assert await drift(store) == []


async def test_where_nothing_is_broken_nothing_is_found(store: Store, ben: User) -> None:
    assert await drift(store) == []


class TestAnAddress:
    async def test_that_is_not_reserved_is_again_one_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await store.write(delete(AddressClaim.at(address=ben.email)))

        await mended(store, "addresses", "not reserved for it")

        with pytest.raises(EmailTaken):
            await sign_up(store, clock(), "open", newcomer("Ben"))

    async def test_that_is_reserved_for_somebody_who_does_not_have_it_goes_to_who_has(
        self, store: Store, ada: User, ben: User
    ) -> None:
        claim = await now(store, AddressClaim(address=ben.email or "", user_id="", made_at=""))
        for other in (ada.user_id, str(uuid4())):
            await store.write(put(replace(claim, user_id=other)))
            await mended(store, "addresses", "a person who does not have it")
            assert await now(store, claim) == replace(claim, made_at=ben.created_at)

    async def test_that_nobody_has_is_reserved_for_nobody(
        self, store: Store, ada: User, ben: User
    ) -> None:
        for owner, sentence in ((ada.user_id, "does not have it"), (str(uuid4()), "for nobody")):
            stray = AddressClaim(address="x@example.org", user_id=owner, made_at=ada.created_at)
            await store.write(put(stray))
            await mended(store, "addresses", sentence)
            assert await store.get(stray.ref) is None

    async def test_of_two_accounts_is_left_to_people(
        self, store: Store, ada: User, ben: User
    ) -> None:
        await store.write(delete(AddressClaim.at(address=ben.email)))
        await load(store, ben, email=ada.email)

        found = await drift(store, repair=True)

        assert [(one.repaired, "Another account" in one.detail) for one in found] == [(False, True)]
        assert (await now(store, ben)).email == ada.email


class TestTheNumberOfManagedMembers:
    @pytest.mark.parametrize("number", [None, MAX_MANAGED])
    async def test_is_counted_again(
        self, store: Store, clock: Watch, ben: User, number: int | None
    ) -> None:
        await load(store, ben, managed_count=number)

        await mended(store, "counts", f"managed_count is {number or 0}, not 1")

        await add_managed(Context(store, await now(store, ben), clock()), display_name="Kim")
        await delete_account(store, await now(store, ben), typed=CONFIRMATION)

    async def test_that_is_wrong_would_keep_an_account_from_leaving(
        self, store: Store, ben: User
    ) -> None:
        await load(store, ben, managed_count=None)
        with pytest.raises(Forbidden):
            await delete_account(store, await now(store, ben), typed=CONFIRMATION)

    async def test_of_a_child_whose_parent_is_gone_is_left_to_people(
        self, store: Store, ada: User, ben: User
    ) -> None:
        await store.write(delete(ben), delete(AddressClaim.at(address=ben.email)))
        found = await drift(store, repair=True)
        assert [(one.check, one.repaired) for one in found] == [("orphans", False)]


class TestABlock:
    @pytest.fixture
    async def listed(self, store: Store, clock: Watch, ada: User, ben: User) -> Block:
        """Ada has blocked Ben."""
        await block(Context(store, ada, clock()), ben.user_id, "Ben")
        (listed,) = await list_blocked(store, await now(store, ada))
        return listed

    async def test_that_is_not_listed_can_be_taken_back(
        self, store: Store, ada: User, listed: Block
    ) -> None:
        await store.write(delete(listed))

        await mended(store, "blocks", "a person whom it does not list")

        assert await list_blocked(store, await now(store, ada)) == [listed]

    async def test_of_somebody_who_left_is_gone(
        self, store: Store, ada: User, ben: User, listed: Block
    ) -> None:
        await load(store, ada, blocked={str(uuid4()): listed.made_at, ben.user_id: listed.made_at})

        await mended(store, "blocks", "a person who has no account any more")

        assert (await now(store, ada)).blocked == {ben.user_id: listed.made_at}

    async def test_that_is_only_listed_is_none(self, store: Store, ada: User, ben: User) -> None:
        for owner, sentence in (
            (ada.user_id, "not blocked"),
            (str(uuid4()), "The person who blocked"),
        ):
            stray = Block(blocked_id=ben.user_id, user_id=owner, name="", made_at=ada.created_at)
            await store.write(put(stray))
            await mended(store, "blocks", sentence)
            assert await store.get(stray.ref) is None


@pytest.mark.parametrize("number", [0, 7])
async def test_administrators_are_counted_again(
    store: Store, ada: User, ben: User, number: int
) -> None:
    first = await now(store, Installation(user_id=ada.user_id, set_up_at=""))
    await load(store, first, administrators=number)
    await mended(store, "counts", f"administrators is {number}, not 1")
