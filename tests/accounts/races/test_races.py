"""What people do at the same moment: one of them is first, and the rest stays true."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.errors import AlreadySetUp, EmailTaken, LinkExpired
from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import (
    disable,
    invite,
    make_administrator,
    make_ordinary,
    people,
    person_with,
)
from commonroom.accounts.service.email_addresses import (
    change_address,
    confirm_address,
    want_address,
)
from commonroom.accounts.service.passwords import (
    change_password,
    choose_new_password,
    make_reset_link,
)
from commonroom.accounts.service.profiles import add_managed, remove_managed
from commonroom.accounts.service.sessions import open_session, signed_in
from commonroom.accounts.service.signup import set_up, sign_up
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import AddressClaim, Installation, User, managed_members, users
from commonroom.errors import Forbidden, NotFound, RateLimited
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.values import Item
from tests.accounts.people import ANOTHER, PASSWORD, Watch, again, at_once, newcomer


async def accounts_of(store: Store) -> list[Item]:
    return (await store.engine.scan(users, limit=1000)).items


async def administrators(store: Store) -> int:
    """How many are counted, once it is certain that as many are there."""
    installation = await store.get(Installation.at())
    assert installation is not None
    assert installation.administrators == sum(one["is_admin"] for one in await accounts_of(store))
    return installation.administrators


class TestSettingUp:
    async def test_twice_at_once_makes_one_administrator(self, store: Store, clock: Watch) -> None:
        made, refused = await at_once(
            *(set_up(store, clock(), newcomer(name)) for name in ("Ada", "Eve", "Fay"))
        )

        assert len(made) == 1
        assert [type(one) for one in refused] == [AlreadySetUp] * 2
        assert await administrators(store) == 1
        assert (await people(store)).items == made


class TestSigningUp:
    async def test_with_one_address_makes_one_account_however_it_is_typed(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        typed = ["cleo@example.org", "CLEO@example.org", " Cleo@Example.Org "]

        made, refused = await at_once(
            *(sign_up(store, clock(), "open", newcomer("Cleo", email=one)) for one in typed)
        )

        assert len(made) == 1
        assert [type(one) for one in refused] == [EmailTaken] * 2
        assert await person_with(store, "cleo@example.org") == made[0]
        assert len(await accounts_of(store)) == 2

    async def test_with_one_invitation_lets_one_person_in(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        secret = await invite(Context(store, ada, clock()))

        made, refused = await at_once(
            *(
                sign_up(store, clock(), "invite", newcomer(name), invitation=secret)
                for name in ("Cleo", "Dora", "Fay")
            )
        )

        assert len(made) == 1
        assert [type(one) for one in refused] == [LinkExpired] * 2
        assert len(await accounts_of(store)) == 2


class TestTrying:
    async def test_at_once_counts_every_try(self, store: Store, clock: Watch) -> None:
        limit = Limit("knocking", 5, 60)

        let, refused = await at_once(*(count_try(store, clock(), limit, "ben") for _ in range(12)))

        assert len(let) == 5
        assert [type(one) for one in refused] == [RateLimited] * 7

    async def test_a_thousand_at_once_lets_as_many_through_as_one_after_the_other(
        self, store: Store, clock: Watch
    ) -> None:
        limit = Limit("guessing", 5, 5 * 900, first_wait=15)

        async def crowd(size: int) -> int:
            let, refused = await at_once(
                *(count_try(store, clock(), limit, "ben") for _ in range(size))
            )
            assert {type(one) for one in refused} == {RateLimited}
            return len(let)

        # DynamoDB Local is one process, and gives up on more.
        assert await crowd(1000 if isinstance(store.engine, EmbeddedEngine) else 60) == 5
        for wait in (15, 30, 60):
            clock.forward(wait - 1)
            assert await crowd(20) == 0
            clock.forward(1)
            assert await crowd(20) == 1, "whoever comes first; all others wait for that one"


class TestAResetLink:
    async def test_used_twice_at_once_works_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        link = await make_reset_link(store, clock(), ben)

        made, refused = await at_once(
            *(choose_new_password(store, clock(), link, f"{ANOTHER} {n}") for n in range(2))
        )

        assert [one.epoch for one in made] == [ben.epoch + 1]
        assert [type(one) for one in refused] == [LinkExpired]


class TestAPassword:
    async def test_changed_twice_at_once_is_changed_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        made, refused = await at_once(
            *(
                change_password(Context(store, ben, clock()), old=PASSWORD, new=f"{ANOTHER} {n}")
                for n in range(2)
            )
        )

        assert [one.epoch for one in made] == [ben.epoch + 1]
        assert len(refused) == 1


class TestAnAddress:
    async def test_that_two_want_goes_to_one(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        made, refused = await at_once(
            change_address(Context(store, ben, clock()), "wanted@example.org", password=PASSWORD),
            change_address(Context(store, eve, clock()), "Wanted@example.org", password=PASSWORD),
        )

        assert len(made) == 1
        assert [type(one) for one in refused] == [EmailTaken]
        assert await person_with(store, "wanted@example.org") == made[0]
        assert len((await people(store)).items) == 3

    async def test_changed_twice_at_once_leaves_one_claim(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        wanted = ["one@example.org", "two@example.org"]

        made, refused = await at_once(
            *(
                change_address(Context(store, ben, clock()), one, password=PASSWORD)
                for one in wanted
            )
        )

        assert len(made) == len(refused) == 1
        found = await store.batch_get([AddressClaim.at(address=one) for one in wanted])
        assert [one.address for one in found if one is not None] == [made[0].email]

    async def test_that_two_confirm_at_once_goes_to_one(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        wanted = [
            await want_address(
                Context(store, one, clock()), "wanted@example.org", password=PASSWORD
            )
            for one in (ben, eve)
        ]

        made, refused = await at_once(
            *(confirm_address(Context(store, user, clock()), link) for user, link in wanted)
        )

        assert len(made) == 1
        assert [type(one) for one in refused] == [EmailTaken]
        assert await person_with(store, "wanted@example.org") == made[0]

    async def test_confirmed_twice_at_once_is_confirmed_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        waiting, link = await want_address(
            Context(store, ben, clock()), "wanted@example.org", password=PASSWORD
        )

        made, refused = await at_once(
            *(confirm_address(Context(store, waiting, clock()), link) for _ in range(2))
        )

        assert len(made) == len(refused) == 1
        assert made[0].address_changes == 1


class TestManagedMembers:
    async def test_added_at_once_are_at_most_eight(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        made, refused = await at_once(
            *(
                add_managed(Context(store, ben, clock()), display_name=f"Child {n}")
                for n in range(11)
            )
        )

        assert len(made) == MAX_MANAGED == (await again(store, ben)).managed_count
        assert [type(one) for one in refused] == [Forbidden] * 3

    async def test_removed_twice_at_once_are_counted_once(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        zoe, _ = [await add_managed(Context(store, ben, clock()), display_name=one) for one in "ZY"]

        _, refused = await at_once(*(remove_managed(store, ben, zoe.user_id) for _ in range(2)))

        assert [type(one) for one in refused] == [NotFound]
        assert (await again(store, ben)).managed_count == 1

    async def test_added_while_the_account_is_deleted_are_not_left_behind(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await at_once(
            add_managed(Context(store, ben, clock()), display_name="Zoe"),
            delete_account(store, ben, typed=CONFIRMATION),
            add_managed(Context(store, ben, clock()), display_name="Yann"),
        )

        left = (await store.page(managed_members(parent_user_id=ben.user_id))).items
        account = await store.get(ben.ref)
        assert len(left) == (account.managed_count if account is not None else 0)


class TestTheLastAdministrator:
    @pytest.fixture
    async def both(self, store: Store, ada: User, ben: User) -> list[User]:
        """Two administrators."""
        await make_administrator(store, ben)
        return [ada, await again(store, ben)]

    async def test_stays_when_both_leave_at_once(self, store: Store, both: list[User]) -> None:
        _, refused = await at_once(
            *(delete_account(store, one, typed=CONFIRMATION) for one in both)
        )

        assert [type(one) for one in refused] == [Forbidden]
        assert await administrators(store) == 1

    async def test_stays_when_each_makes_the_other_ordinary(
        self, store: Store, both: list[User]
    ) -> None:
        _, refused = await at_once(*(make_ordinary(store, one) for one in both))

        assert [type(one) for one in refused] == [Forbidden]
        assert await administrators(store) == 1

    async def test_stays_when_one_leaves_and_the_other_is_made_ordinary(
        self, store: Store, both: list[User]
    ) -> None:
        _, refused = await at_once(
            delete_account(store, both[0], typed=CONFIRMATION), make_ordinary(store, both[1])
        )

        assert len(refused) == 1
        assert await administrators(store) == 1

    async def test_is_counted_once_when_made_one_twice_at_once_or_disabled(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await at_once(
            make_administrator(store, ben),
            disable(store, clock(), ben),
            make_administrator(store, ben),
        )

        person = await again(store, ben)
        assert person.is_admin is (person.disabled_at is None)
        assert await administrators(store) == 1 + person.is_admin


class TestASession:
    async def test_opened_while_the_person_is_disabled_is_worth_nothing(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        secret, _, another = await asyncio.gather(
            open_session(store, clock(), ben),
            disable(store, clock(), ben),
            open_session(store, clock(), ben),
        )

        assert await signed_in(store, clock(), secret) is None
        assert await signed_in(store, clock(), another) is None
