"""Following curators."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound
from commonroom.store import Store, counting
from commonroom.watchlists.service import curators, follows
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import Follower, Following
from tests.accounts.people import Watch, at_once
from tests.watchlists.examples import asks, everything_of, somebody


async def test_following_is_idempotent_and_counted_exactly(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    for person in (ben, ben, eve):
        await follows.follow(asks(store, clock, person), ada.user_id)
    assert (await ensure_profile(asks(store, clock, ada))).follower_count == 2
    assert len(await everything_of(store.engine, Follower)) == 2
    with counting() as count:
        page = await follows.my_curators(asks(store, clock, ben))
    assert ([one.username for one in page.items], count.requests) == (["ada"], 2)
    assert await follows.is_following(asks(store, clock, ben), ada.user_id)
    for _ in range(2):
        await follows.unfollow(asks(store, clock, ben), ada.user_id)
    assert (await ensure_profile(asks(store, clock, ada))).follower_count == 1
    assert len(await everything_of(store.engine, Following)) == 1


async def test_many_at_once_are_counted_once_each(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    people = (ben, ben, eve)
    _, refused = await at_once(
        *(follows.follow(asks(store, clock, one), ada.user_id) for one in people)
    )
    assert refused == []
    assert (await ensure_profile(asks(store, clock, ada))).follower_count == 2


async def test_only_those_with_a_public_page_are_followed_and_nobody_themselves(
    store: Store, clock: Watch, ada: User, ben: User, root: User
) -> None:
    eve = await somebody(store, clock, "Eve")
    await ensure_profile(asks(store, clock, eve))
    for user_id in (eve.user_id, "nobody", "a#b"):
        with pytest.raises(NotFound):
            await follows.follow(asks(store, clock, ben), user_id)
    with pytest.raises(Conflict):
        await follows.follow(asks(store, clock, ada), ada.user_id)
    await follows.follow(asks(store, clock, ben), ada.user_id)
    clock.forward(1)
    await curators.decide(asks(store, clock, root), ada.user_id, "suspend", "Spam.")
    assert (await follows.my_curators(asks(store, clock, ben))).items == []
    await follows.unfollow(asks(store, clock, ben), "a#b")
