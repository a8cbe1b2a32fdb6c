"""Passcodes: what a right one gives, what a change ends, and how often one may guess."""

from __future__ import annotations

import pytest

from commonroom.accounts.secrets import hash_password
from commonroom.errors import Forbidden, InvalidField, NotFound, RateLimited
from commonroom.shareables.errors import NeedsPasscode, WrongPasscode
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service.create import Created, Passcodes
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passcodes import (
    PASSCODES,
    change_passcode,
    enter,
    renew_creator_pass,
)
from commonroom.store import Store, update
from tests.accounts.people import Watch, again, at_once
from tests.shareables.furniture import ADMIN, PASSES, VIEW, let_in, made, protected
from tests.support.context import at


@pytest.fixture
async def page(store: Store, clock: Watch) -> Created:
    """A page with both passcodes."""
    return await protected(store, clock)


async def token_by(store: Store, clock: Watch, page: Created, typed: str) -> str:
    """The pass that a passcode gives."""
    entered = await enter(
        ShareableVisitor(store, PASSES, clock(), address="a quiet place"), page.page.short_id, typed
    )
    return entered.token


async def change(
    store: Store, clock: Watch, page: Created, token: str, role: Role, *, to: str | None
) -> str:
    """Changes a passcode with a pass, and gives the new one."""
    gate = await let_in(store, clock, page.page, token, want="admin")
    clock.forward(1)
    return await change_passcode(at(store, clock(), gate), role, typed=to)


class TestPasscodes:
    async def test_are_stored_only_as_argon2id(self, store: Store, page: Created) -> None:
        stored = (await again(store, page.page)).to_item()
        assert stored["viewPasscode"].startswith("$argon2id$")
        assert stored["adminPasscode"].startswith("$argon2id$")
        assert VIEW not in str(stored)

    async def test_that_are_wrong_give_nothing(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for typed in ("wrong", "", "x" * 10_000, VIEW.upper()):
            with pytest.raises(WrongPasscode):
                await token_by(store, clock, page, typed)

    async def test_of_a_page_without_any_are_wrong(self, store: Store, clock: Watch) -> None:
        with pytest.raises(WrongPasscode):
            await token_by(store, clock, await made(store, clock), "1234")

    async def test_of_no_page_are_not_looked_at(self, store: Store, clock: Watch) -> None:
        with pytest.raises(NotFound):
            await enter(
                ShareableVisitor(store, PASSES, clock(), address="here"), "zzz-zzz-99999", VIEW
            )

    async def test_of_one_page_must_differ(self, store: Store, clock: Watch, page: Created) -> None:
        with pytest.raises(InvalidField, match="differ"):
            await made(store, clock, passcodes=Passcodes("fig tree", "fig tree"))
        with pytest.raises(InvalidField, match="differ"):
            await change(store, clock, page, page.token, "view", to=ADMIN)
        with pytest.raises(InvalidField, match="differ"):
            await change(store, clock, page, page.token, "admin", to=VIEW)

    async def test_are_changed_only_by_who_administers_the_page(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        seen = await let_in(store, clock, page.page, page.token)
        with pytest.raises(Forbidden):
            await change_passcode(at(store, clock(), seen), "view", typed="another")


class TestAChangedPasscode:
    @pytest.mark.parametrize("to", ["a new passcode", None], ids=["changed", "removed"])
    async def test_of_viewers_ends_their_passes_and_no_admins(
        self, store: Store, clock: Watch, page: Created, to: str | None
    ) -> None:
        viewer = await token_by(store, clock, page, VIEW)
        admin = await token_by(store, clock, page, ADMIN)
        await change(store, clock, page, page.token, "view", to=to)
        await change(store, clock, page, page.token, "view", to="and once more")

        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, page.page, viewer)
        for token in (admin, page.token):
            assert (await let_in(store, clock, page.page, token, want="admin")).is_admin
        with pytest.raises(WrongPasscode):
            await token_by(store, clock, page, VIEW)
        assert await token_by(store, clock, page, "and once more")

    @pytest.mark.parametrize("to", ["a new passcode", None], ids=["changed", "removed"])
    async def test_of_admins_ends_their_passes_and_no_viewers_and_never_the_creators(
        self, store: Store, clock: Watch, page: Created, to: str | None
    ) -> None:
        viewer = await token_by(store, clock, page, VIEW)
        admin = await token_by(store, clock, page, ADMIN)
        fresh = await change(store, clock, page, page.token, "admin", to=to)

        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, page.page, admin)
        assert (await let_in(store, clock, page.page, viewer)).standing == "view"
        for token in (page.token, fresh):
            gate = await let_in(store, clock, page.page, token, want="admin")
            assert gate.standing == "creator"

    async def test_gives_an_admin_by_passcode_no_more_than_they_had(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        admin = await token_by(store, clock, page, ADMIN)
        fresh = await change(store, clock, page, admin, "admin", to="a new passcode")
        assert (await let_in(store, clock, page.page, fresh)).standing == "admin"

    async def test_of_admins_is_removed_by_the_creator_alone(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        admin = await token_by(store, clock, page, ADMIN)
        with pytest.raises(Forbidden):
            await change(store, clock, page, admin, "admin", to=None)
        assert (await let_in(store, clock, page.page, admin, want="admin")).is_admin

    async def test_in_the_same_millisecond_ends_the_passes_too(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        viewer = await token_by(store, clock, page, VIEW)
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        await change_passcode(at(store, clock(), gate), "view", typed="another")
        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, page.page, viewer)

    async def test_by_two_admins_at_once_leaves_one_of_them_out(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        token = await token_by(store, clock, page, ADMIN)
        gate = await let_in(store, clock, page.page, token, want="admin")
        fresh, refusals = await at_once(
            *(
                change_passcode(at(store, clock(), gate), "admin", typed=f"passcode {n}")
                for n in range(3)
            )
        )
        assert len(fresh) == 1, "the first change ends the pass that the others came with"
        assert all(isinstance(one, NeedsPasscode) for one in refusals)
        assert (await let_in(store, clock, page.page, *fresh, want="admin")).is_admin


class TestTheCreatorsPass:
    async def test_is_issued_anew_by_the_creator_alone_and_ends_the_one_before(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        admin = await token_by(store, clock, page, ADMIN)
        gate = await let_in(store, clock, page.page, admin, want="admin")
        with pytest.raises(Forbidden):
            await renew_creator_pass(at(store, clock(), gate))
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        fresh = await renew_creator_pass(at(store, clock(), gate))
        with pytest.raises(NeedsPasscode):
            await let_in(store, clock, page.page, page.token, want="admin")
        assert (await let_in(store, clock, page.page, fresh, want="admin")).standing == "creator"
        assert (await let_in(store, clock, page.page, admin, want="admin")).is_admin

    async def test_by_two_at_once_is_issued_once(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        fresh, refusals = await at_once(
            *(renew_creator_pass(at(store, clock(), gate)) for _ in range(3))
        )
        assert (len(fresh), len(refusals)) == (1, 2), "the others came with a pass that ended"
        assert (await let_in(store, clock, page.page, *fresh, want="admin")).standing == "creator"

    async def test_of_an_account_cannot_be_ended(self, store: Store, clock: Watch) -> None:
        mine = await protected(store, clock, account_id="ada")
        gate = await let_in(store, clock, mine.page, mine.token, want="admin")
        await renew_creator_pass(at(store, clock(), gate))
        gate = await let_in(store, clock, mine.page, want="admin", account_id="ada")
        assert gate.standing == "creator"


class TestGuessing:
    async def test_is_throttled_from_one_address(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for _ in range(PASSCODES.from_network.tries):
            with pytest.raises(WrongPasscode):
                await token_by(store, clock, page, "a guess")
        with pytest.raises(RateLimited) as refused:
            await token_by(store, clock, page, VIEW)
        assert refused.value.retry_after == PASSCODES.from_network.first_wait
        clock.forward(PASSCODES.from_network.first_wait)
        assert await token_by(store, clock, page, VIEW)

    async def test_is_not_helped_by_knowing_the_other_passcode(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for _ in range(PASSCODES.from_network.tries):
            assert await token_by(store, clock, page, VIEW)
            with pytest.raises(WrongPasscode):
                await token_by(store, clock, page, "a guess")
        with pytest.raises(RateLimited):
            await token_by(store, clock, page, "a guess")

    async def test_right_passcodes_do_not_count(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for _ in range(PASSCODES.from_network.tries + 1):
            assert await token_by(store, clock, page, VIEW)

    async def test_a_shorter_passcode_of_before_still_opens_its_page(
        self, store: Store, clock: Watch
    ) -> None:
        page = (await made(store, clock)).page
        await store.write(update(page, view_passcode=await hash_password("1234")))
        entered = await enter(
            ShareableVisitor(store, PASSES, clock(), address="here"), page.short_id, "1234"
        )
        assert entered.role == "view"
