"""A list as guests, followers, collaborators and its owner see it."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import Store, counting
from commonroom.watchlists.service import collaborators, follows, saves
from commonroom.watchlists.service.list_views import see_list
from commonroom.watchlists.service.seen import mark_seen
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    HEAT,
    MATRIX,
    TITLES,
    add_item,
    asks,
    list_of,
    looks,
    names,
    now_of,
    stock,
    stocked,
)

store = either


async def test_a_guest_sees_a_public_list_in_one_request_however_long_it_is(
    store: Store, clock: Watch, ada: User
) -> None:
    await stock(store, 120)
    made = await list_of(store, clock, ada, *(stocked(number) for number in range(120)))
    with counting() as count:
        view = await see_list(looks(store, clock), made.watchlist_id)
    assert count.requests == 1
    assert names(view.items) == [f"Film {10_000 + number}" for number in range(120)]
    assert (view.is_owner, view.may_edit, view.saved, view.new_count) == (False, False, None, 0)


async def test_a_follower_sees_what_is_new_in_two_requests(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    await saves.follow_list(asks(store, clock, ben), made.watchlist_id)
    await follows.follow(asks(store, clock, ben), ada.user_id)
    clock.forward(60)
    await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", ALIEN.content_id)
    with counting() as count:
        view = await see_list(looks(store, clock, ben), made.watchlist_id)
    assert count.requests == 2
    assert [view.is_new(one) for one in view.items] == [False, True]
    assert (view.new_count, view.follows_curator) == (1, True)
    assert view.saved is not None
    clock.forward(1)
    await saves.visit(asks(store, clock, ben), view.saved, view.watchlist)
    again = await see_list(looks(store, clock, ben), made.watchlist_id)
    assert (again.new_count, [again.is_new(one) for one in again.items]) == (0, [False, False])


async def test_what_somebody_has_seen_is_marked_with_a_request_for_every_hundred_titles(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await stock(store, 120)
    made = await list_of(store, clock, ada, *(stocked(number) for number in range(120)))
    for number in (3, 110):
        await mark_seen(asks(store, clock, ben), TITLES, stocked(number))
    with counting() as count:
        view = await see_list(looks(store, clock, ben), made.watchlist_id)
    assert count.requests == 3
    assert view.seen == {stocked(3), stocked(110)}


async def test_a_private_list_is_there_for_owner_collaborators_and_whoever_has_the_link(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    made = await list_of(store, clock, ada, HEAT, is_public=False)
    ctx = asks(store, clock, ada)
    join_key = await collaborators.create_link(ctx, made.watchlist_id, "join")
    view_key = await collaborators.create_link(ctx, made.watchlist_id, "view")
    await collaborators.join(asks(store, clock, ben), made.watchlist_id, join_key)

    for person in (ada, ben):
        view = await see_list(looks(store, clock, person), made.watchlist_id)
        assert view.may_edit
        assert [one.username for one in view.collaborators] == ["ben"]
    view = await see_list(looks(store, clock, None, view_key), made.watchlist_id)
    assert (view.may_edit, view.collaborators) == (False, [])
    strangers: list[tuple[User | None, str]] = [
        (None, ""),
        (None, "x" * 500),
        (eve, ""),
        (eve, join_key),
    ]
    for stranger, key in strangers:
        with pytest.raises(NotFound):
            await see_list(looks(store, clock, stranger, key), made.watchlist_id)
    await collaborators.revoke_link(ctx, made.watchlist_id, "view")
    with pytest.raises(NotFound):
        await see_list(looks(store, clock, None, view_key), made.watchlist_id)
    assert (await now_of(store, made)).view_key_digest is None


async def test_what_is_no_id_is_no_list(store: Store, clock: Watch) -> None:
    for text in ("", "a#b", "x" * 200, "\x00"):
        with pytest.raises(NotFound):
            await see_list(looks(store, clock), text)
