"""Sharing: with whom, not with whom, and how it ends."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.library.rules.names import MOST_SHARES
from commonroom.library.service.access import readable_library
from commonroom.library.service.sharing import leave, share, unshare
from commonroom.library.tables import Library, SharedLibrary, owner_id_of
from commonroom.store import Store, delete, update
from tests.accounts.people import Meanwhile, Watch
from tests.library.bookcase import check_bookcases, left_of_room, now_of, somebody

BEN = "ben@example.org"


class TestSharing:
    async def test_lets_somebody_look(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "  Ben@Example.org ")

        after = await now_of(store, home)
        assert (after.shared_to, after.shared_to_ids) == ([BEN], [owner_id_of(ben.user_id)])
        assert (await readable_library(Context(store, ben), home.library_id)).library == after
        await check_bookcases(store.engine)

    @pytest.mark.parametrize("email", ["nobody@example.org", "nobody", ""])
    async def test_with_nobody_who_has_an_account_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library, email: str
    ) -> None:
        with pytest.raises(InvalidField) as refused:
            await share(Context(store, ada, clock()), home.library_id, email)
        assert refused.value.field == "email"

    async def test_with_somebody_who_is_locked_out_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await store.write(update(ben.ref, disabled_at="2026-05-31T12:00:00.000Z"))
        with pytest.raises(InvalidField):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_with_oneself_is_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        with pytest.raises(InvalidField, match="your own"):
            await share(Context(store, ada, clock()), home.library_id, "ada@example.org")

    async def test_twice_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, BEN)
        with pytest.raises(Conflict, match="already"):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_of_somebody_elses_library_is_refused(
        self, store: Store, clock: Watch, ben: User, eve: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await share(Context(store, eve, clock()), home.library_id, BEN)

    async def test_by_a_recipient_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        await share(Context(store, ada, clock()), home.library_id, BEN)
        with pytest.raises(NotFound):
            await share(Context(store, ben, clock()), home.library_id, "eve@example.org")

    async def test_has_an_end(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        many = [str(n) for n in range(MOST_SHARES)]
        await store.write(update(home, shared_to=many, shared_to_ids=many))
        with pytest.raises(Conflict, match=str(MOST_SHARES)):
            await share(Context(store, ada, clock()), home.library_id, BEN)

    async def test_with_somebody_who_is_deleted_in_that_moment_leaves_no_pointer(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        gone = Meanwhile(store, lambda: store.write(delete(ben)), before_writing=SharedLibrary)
        with pytest.raises(Conflict):
            await share(Context(gone, ada, clock()), home.library_id, BEN)
        assert await left_of_room(store.engine) == {"Library": 1}

    async def test_with_two_at_once_shares_with_both(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        both = Meanwhile(
            store,
            lambda: share(Context(store, ada, clock()), home.library_id, "eve@example.org"),
            before_writing=SharedLibrary,
        )
        await share(Context(both, ada, clock()), home.library_id, BEN)
        assert set((await now_of(store, home)).shared_to) == {BEN, "eve@example.org"}
        await check_bookcases(store.engine)


class TestEnding:
    async def test_by_the_owner_ends_all_looking(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, BEN)
        await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))

        with pytest.raises(NotFound):
            await readable_library(Context(store, ben), home.library_id)
        assert await left_of_room(store.engine) == {"Library": 1}
        assert (await now_of(store, home)).shared_to == []

    async def test_by_the_recipient_ends_it_for_them_alone(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await somebody(store, clock, "Eve")
        for email in (BEN, "eve@example.org"):
            await share(Context(store, ada, clock()), home.library_id, email)

        await leave(Context(store, ben, clock()), home.library_id)

        assert (await now_of(store, home)).shared_to == ["eve@example.org"]
        await check_bookcases(store.engine)
        with pytest.raises(NotFound):
            await leave(Context(store, ben, clock()), home.library_id)

    async def test_of_ones_own_library_is_no_leaving(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await leave(Context(store, ada, clock()), home.library_id)

    async def test_with_whom_it_is_not_shared_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        with pytest.raises(NotFound):
            await unshare(Context(store, ada, clock()), home.library_id, owner_id_of(ben.user_id))
        with pytest.raises(NotFound):
            await unshare(Context(store, ben, clock()), home.library_id, owner_id_of(ben.user_id))

    async def test_can_be_followed_by_sharing_again(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        for _ in range(2):
            await share(Context(store, ada, clock()), home.library_id, BEN)
            await leave(Context(store, ben, clock()), home.library_id)
        await check_bookcases(store.engine)
