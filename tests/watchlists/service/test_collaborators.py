"""Collaborators, who come by a link that can be revoked."""

from __future__ import annotations

import pytest
from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.store import Store, counting, delete, update
from commonroom.watchlists.service import collaborators
from commonroom.watchlists.service.collaborators import join
from commonroom.watchlists.service.items import change_note, remove_item
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list, shared_lists
from commonroom.watchlists.service.moves import Target, move_item
from commonroom.watchlists.tables import Collaboration, Watchlist, WatchlistItem
from tests.accounts.people import Meanwhile, Watch, at_once
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    add_item,
    asks,
    everything_of,
    list_of,
    now_of,
    somebody,
)


class Shared(Struct, frozen=True):
    """A private list, and what opens it to collaborators."""

    watchlist: Watchlist
    key: str

    @property
    def invitation(self) -> tuple[str, str]:
        """What `join` takes."""
        return self.watchlist.watchlist_id, self.key


@pytest.fixture
async def shared(store: Store, clock: Watch, ada: User) -> Shared:
    """Ada's."""
    made = await list_of(store, clock, ada, MATRIX, is_public=False)
    ctx = asks(store, clock, ada)
    return Shared(made, await collaborators.create_link(ctx, made.watchlist_id, "join"))


async def test_whoever_has_the_link_may_add_note_order_and_remove(
    store: Store, clock: Watch, ben: User, shared: Shared
) -> None:
    ctx = asks(store, clock, ben)
    assert (
        await collaborators.see_invitation(ctx.store, *shared.invitation)
    ).title == shared.watchlist.title
    assert (await join(ctx, *shared.invitation)).collaborator_ids == [ben.user_id]
    added = await add_item(ctx, shared.watchlist.watchlist_id, "MOVIE", ALIEN.content_id)
    assert added.added_by == ben.user_id
    await change_note(ctx, shared.watchlist.watchlist_id, ALIEN, "In space.")
    await move_item(ctx, shared.watchlist.watchlist_id, ALIEN, Target(place=1))
    await remove_item(ctx, shared.watchlist.watchlist_id, MATRIX)
    with counting() as count:
        page = await shared_lists(ctx)
    assert [one.watchlist_id for one in page.items] == [shared.watchlist.watchlist_id]
    assert count.requests == 2


async def test_the_rest_is_the_owners(
    store: Store, clock: Watch, ben: User, shared: Shared
) -> None:
    ctx = asks(store, clock, ben)
    await join(ctx, *shared.invitation)
    for doing in (
        change_list(ctx, shared.watchlist.watchlist_id, ListChange(title="Mine")),
        delete_list(ctx, shared.watchlist.watchlist_id),
        collaborators.create_link(ctx, shared.watchlist.watchlist_id, "join"),
        collaborators.remove_collaborator(ctx, shared.watchlist.watchlist_id, ben.user_id),
    ):
        with pytest.raises(Forbidden):
            await doing


async def test_joining_twice_or_ones_own_list_changes_nothing(
    store: Store, clock: Watch, ada: User, ben: User, shared: Shared
) -> None:
    for person in (ben, ben, ada):
        await join(asks(store, clock, person), *shared.invitation)
    assert (await now_of(store, shared.watchlist)).collaborator_ids == [ben.user_id]
    assert len(await everything_of(store.engine, Collaboration)) == 1


async def test_a_link_that_was_replaced_or_revoked_has_ended(
    store: Store, clock: Watch, ada: User, ben: User, shared: Shared
) -> None:
    other = await collaborators.create_link(
        asks(store, clock, ada), shared.watchlist.watchlist_id, "join"
    )
    for old in (shared.key, "", "x", "y" * 1000):
        with pytest.raises(NotFound):
            await join(asks(store, clock, ben), shared.watchlist.watchlist_id, old)
    await collaborators.revoke_link(asks(store, clock, ada), shared.watchlist.watchlist_id, "join")
    with pytest.raises(NotFound):
        await join(asks(store, clock, ben), shared.watchlist.watchlist_id, other)


async def test_a_list_has_up_to_20(store: Store, clock: Watch, ben: User, shared: Shared) -> None:
    await store.write(
        update(shared.watchlist.ref, collaborator_ids=[f"c{number}" for number in range(19)])
    )
    others = [await somebody(store, clock, f"Guest {number}") for number in range(3)]
    done, refused = await at_once(
        *(join(asks(store, clock, one), *shared.invitation) for one in (ben, *others))
    )
    assert (len(done), {type(one) for one in refused}) == (1, {Conflict})
    assert len((await now_of(store, shared.watchlist)).collaborator_ids) == 20


async def test_they_leave_or_are_removed_and_what_they_added_stays(
    store: Store, clock: Watch, ada: User, ben: User, shared: Shared
) -> None:
    ctx = asks(store, clock, ben)
    watchlist_id = shared.watchlist.watchlist_id

    async def left() -> None:
        await collaborators.leave(ctx, watchlist_id)

    async def removed() -> None:
        owner = asks(store, clock, ada)
        await collaborators.remove_collaborator(owner, watchlist_id, ben.user_id)

    for end in (left, removed):
        await join(ctx, *shared.invitation)
        await end()
        assert (await now_of(store, shared.watchlist)).collaborator_ids == []
        assert await everything_of(store.engine, Collaboration) == []
        with pytest.raises(NotFound):
            await add_item(ctx, watchlist_id, "MOVIE", ALIEN.content_id)
        with pytest.raises(NotFound):
            await end()


async def test_somebody_removed_in_the_moment_of_adding_adds_nothing(
    store: Store, clock: Watch, ada: User, ben: User, shared: Shared
) -> None:
    await join(asks(store, clock, ben), *shared.invitation)
    watchlist_id = shared.watchlist.watchlist_id
    owner = asks(store, clock, ada)
    meanwhile = Meanwhile(
        store,
        lambda: collaborators.remove_collaborator(owner, watchlist_id, ben.user_id),
        before_writing=WatchlistItem,
    )
    with pytest.raises(NotFound):
        await add_item(asks(meanwhile, clock, ben), watchlist_id, "MOVIE", ALIEN.content_id)


async def test_whoever_has_left_cannot_join(
    store: Store, clock: Watch, ben: User, shared: Shared
) -> None:
    await store.write(delete(ben))
    with pytest.raises(NotFound):
        await join(asks(store, clock, ben), *shared.invitation)


class TestRemoval:
    async def test_ends_the_link_that_they_came_in_by_in_the_same_write(
        self, store: Store, clock: Watch, ada: User, ben: User, shared: Shared
    ) -> None:
        watchlist_id = shared.watchlist.watchlist_id
        eve = await somebody(store, clock, "Eve")
        for one in (ben, eve):
            await join(asks(store, clock, one), *shared.invitation)
        with counting() as tally:
            ended = await collaborators.remove_collaborator(
                asks(store, clock, ada), watchlist_id, ben.user_id
            )
        assert (ended, tally.writes) == (True, 1)
        with pytest.raises(NotFound):
            await join(asks(store, clock, ben), *shared.invitation)
        now = await now_of(store, shared.watchlist)
        assert (now.collaborator_ids, now.join_key_digest) == ([eve.user_id], None)
        assert not await collaborators.remove_collaborator(
            asks(store, clock, ada), watchlist_id, eve.user_id
        )

    async def test_in_the_moment_of_coming_back_leaves_them_out(
        self, store: Store, clock: Watch, ada: User, ben: User, shared: Shared
    ) -> None:
        watchlist_id = shared.watchlist.watchlist_id
        await join(asks(store, clock, ben), *shared.invitation)
        await collaborators.leave(asks(store, clock, ben), watchlist_id)

        async def come_and_be_removed() -> None:
            await join(asks(store, clock, ben), *shared.invitation)
            owner = asks(store, clock, ada)
            await collaborators.remove_collaborator(owner, watchlist_id, ben.user_id)

        meanwhile = Meanwhile(store, come_and_be_removed, before_writing=Collaboration)
        with pytest.raises(NotFound):
            await join(asks(meanwhile, clock, ben), *shared.invitation)
        assert (await now_of(store, shared.watchlist)).collaborator_ids == []

    async def test_leaving_by_oneself_leaves_the_link_alone(
        self, store: Store, clock: Watch, ben: User, shared: Shared
    ) -> None:
        for _time in range(2):
            await join(asks(store, clock, ben), *shared.invitation)
            await collaborators.leave(asks(store, clock, ben), shared.watchlist.watchlist_id)


async def test_a_wrong_key_says_the_same_of_a_list_that_is_there_and_of_none(
    store: Store, clock: Watch, ben: User, shared: Shared
) -> None:
    said = set()
    for watchlist_id in (shared.watchlist.watchlist_id, "nowhere", "#"):
        with pytest.raises(NotFound) as refused:
            await collaborators.see_invitation(store, watchlist_id, "wrong")
        said.add(refused.value.detail)
    assert len(said) == 1
