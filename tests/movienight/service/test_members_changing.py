"""Changing the managed members of a household."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import remove_managed
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import (
    add_managed,
    change_managed,
    leave,
    remove_member,
)
from commonroom.movienight.tables import Household
from commonroom.store import ConditionFailed, Store, equal
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import context_of, now_of, somebody
from tests.support.context import at


class TestChangeManaged:
    async def test_changes_what_is_given_and_leaves_the_rest(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        clock.forward(1)
        ctx = await context_of(store, ben)

        await change_managed(at(store, clock(), ctx), zoe.user_id, display_name="Zoé")
        changed = await change_managed(at(store, clock(), ctx), zoe.user_id, avatar_key="bee")

        assert changed == await now_of(store, zoe)
        assert changed == replace(
            zoe, display_name="Zoé", avatar_key="bee", updated_at=iso(clock())
        )

    async def test_tells_open_pages_of_the_household(
        self, store: Store, clock: Watch, home: Household, ben: User, zoe: User
    ) -> None:
        before = await now_of(store, home)

        await change_managed(
            at(store, clock(), await context_of(store, ben)), zoe.user_id, display_name="Zoé"
        )

        assert (await now_of(store, home)).version > before.version

    async def test_is_for_the_parent_and_for_the_creator(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        for person, name in ((ada, "Of Ada"), (ben, "Of Ben")):
            ctx = await context_of(store, person)
            changed = await change_managed(at(store, clock(), ctx), zoe.user_id, display_name=name)
            assert changed.display_name == name

    async def test_only_the_parent_or_the_creator_raises_a_ceiling(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        eve = await somebody_else(store, clock, ada)

        for person, acting_as in ((eve, None), (ben, zoe)):
            ctx = await context_of(store, person, acting_as)
            with pytest.raises(Forbidden) as caught:
                await change_managed(at(store, clock(), ctx), zoe.user_id, ceiling="R")
            assert caught.value.status == 403
        assert await now_of(store, zoe) == zoe

        for person in (ada, ben):
            ctx = await context_of(store, person)
            for ceiling in ("R", "G"):
                changed = await change_managed(
                    at(store, clock(), ctx), zoe.user_id, ceiling=ceiling
                )
                assert changed.content_rating_ceiling == ceiling

    async def test_is_nothing_for_a_creator_who_acts_for_a_child(
        self, store: Store, clock: Watch, ada: User, zoe: User
    ) -> None:
        yann = await add_managed(
            at(store, clock(), await context_of(store, ada)), display_name="Yann"
        )

        with pytest.raises(Forbidden):
            await change_managed(
                at(store, clock(), await context_of(store, ada, yann)), zoe.user_id, ceiling="R"
            )

    async def test_changes_no_accounts(
        self, store: Store, clock: Watch, home: Household, ada: User, ben: User
    ) -> None:
        before = await now_of(store, ben)

        for person in (ada, ben):
            with pytest.raises(Forbidden):
                await change_managed(
                    at(store, clock(), await context_of(store, person)),
                    ben.user_id,
                    display_name="Mine",
                )
        assert await now_of(store, ben) == before

    async def test_changes_nobody_who_is_not_in_the_household(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        await remove_member(at(store, clock(), await context_of(store, ben)), zoe.user_id)

        for person in (ada, ben):
            with pytest.raises(NotFound):
                await change_managed(
                    at(store, clock(), await context_of(store, person)), zoe.user_id, ceiling="R"
                )

    @pytest.mark.parametrize(
        "given", [{"display_name": " "}, {"display_name": "x" * 31}, {"avatar_key": "dragon"}]
    )
    async def test_changes_nothing_where_a_field_does_not_fit(
        self, store: Store, clock: Watch, ben: User, zoe: User, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await change_managed(
                at(store, clock(), await context_of(store, ben)), zoe.user_id, **given
            )
        assert await now_of(store, zoe) == zoe

    async def test_changes_nothing_where_the_callers_condition_does_not_hold(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        with pytest.raises(ConditionFailed):
            await change_managed(
                at(store, clock(), await context_of(store, ben)),
                zoe.user_id,
                display_name="Zoé",
                if_=equal(display_name="Yann"),
            )
        assert await now_of(store, zoe) == zoe

    async def test_is_nothing_for_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, ada: User, zoe: User
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=User)

        with pytest.raises(Forbidden):
            await change_managed(at(slow, clock(), ctx), zoe.user_id, ceiling="R")
        assert await now_of(store, zoe) == zoe

    async def test_is_nothing_for_a_creator_where_the_child_leaves_meanwhile(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        leaving = await context_of(store, ben)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), leaving)), before_writing=User)

        with pytest.raises(NotFound):
            await change_managed(
                at(slow, clock(), await context_of(store, ada)), zoe.user_id, ceiling="R"
            )
        assert (await now_of(store, zoe)).content_rating_ceiling == "PG"

    async def test_does_not_bring_back_a_member_that_is_deleted_meanwhile(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        slow = Meanwhile(
            store, lambda: remove_managed(store, ben, zoe.user_id), before_writing=User
        )

        with pytest.raises(NotFound):
            await change_managed(
                at(slow, clock(), await context_of(store, ben)), zoe.user_id, display_name="Zoé"
            )
        assert await store.get(zoe.ref) is None


async def somebody_else(store: Store, clock: Watch, creator: User) -> User:
    """Somebody in the household who is neither creator nor parent."""
    eve = await somebody(store, clock, "Eve")
    link = await create_invite(at(store, clock(), await context_of(store, creator)))
    await join(Context(store, eve, clock()), link.token)
    return eve
