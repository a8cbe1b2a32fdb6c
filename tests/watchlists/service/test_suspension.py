"""A suspended curator changes no public list, comments on none and writes no reviews."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Forbidden
from commonroom.store import Store
from commonroom.watchlists.service import collaborators, curators
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.items import change_note, remove_item
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.moves import Target, move_item
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.tables import WatchlistItem
from tests.accounts.people import Meanwhile, Watch
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    TITLES,
    add_item,
    asks,
    curator,
    list_of,
    now_of,
)

DUNE = "438631"


@pytest.fixture
def store(either: Store) -> Store:
    """Both engines."""
    return either


async def suspend(store: Store, clock: Watch, who: User, root: User) -> None:
    """An administrator suspends somebody."""
    clock.forward(1)
    await curators.decide(asks(store, clock, root), who.user_id, "suspend", "Spam.")


async def test_their_public_lists_stay_as_they_are(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, ALIEN, is_public=True)
    before = await now_of(store, made)
    await suspend(store, clock, ada, root)
    ctx, at = asks(store, clock, ada), made.watchlist_id
    for edit in (
        add_item(ctx, at, "MOVIE", DUNE),
        change_note(ctx, at, MATRIX, "Buy my things."),
        move_item(ctx, at, ALIEN, Target(place=1)),
        remove_item(ctx, at, MATRIX),
        change_list(ctx, at, ListChange(title="Buy my things")),
    ):
        with pytest.raises(Forbidden, match="suspended"):
            await edit
    assert await now_of(store, made) == before
    private = await change_list(ctx, at, ListChange(is_public=False, title="Mine alone"))
    assert (private.is_public, private.title) == (False, "Mine alone")
    await change_note(ctx, at, MATRIX, "To be seen again.")


async def test_nor_do_they_change_those_that_others_let_them_help_with(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, is_public=True)
    key = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "join")
    cleo = await curator(store, clock, "Cleo")
    await collaborators.join(asks(store, clock, cleo), made.watchlist_id, key)
    await suspend(store, clock, cleo, root)
    with pytest.raises(Forbidden):
        await remove_item(asks(store, clock, cleo), made.watchlist_id, MATRIX)
    await remove_item(asks(store, clock, ada), made.watchlist_id, MATRIX)


async def test_they_do_not_comment_until_they_are_reinstated(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    cleo = await curator(store, clock, "Cleo")
    made = await list_of(store, clock, cleo, MATRIX, is_public=True)
    await suspend(store, clock, ada, root)
    with pytest.raises(Forbidden, match="suspended"):
        await add_comment(asks(store, clock, ada), made.watchlist_id, "Buy my things.")
    assert (await now_of(store, made)).comment_count == 0
    clock.forward(1)
    await curators.decide(asks(store, clock, root), ada.user_id, "reinstate")
    await add_comment(asks(store, clock, ada), made.watchlist_id, "Well chosen.")


async def test_a_suspension_in_the_moment_of_an_edit_comes_before_it(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, is_public=True)
    meanwhile = Meanwhile(
        store, lambda: suspend(store, clock, ada, root), before_writing=WatchlistItem
    )
    with pytest.raises(Forbidden):
        await remove_item(Context(meanwhile, ada, clock()), made.watchlist_id, MATRIX)


async def test_they_rate_titles_and_write_no_reviews_of_them(
    store: Store, clock: Watch, ada: User, root: User
) -> None:
    await rate(asks(store, clock, ada), TITLES, MATRIX, rating=8, review="Dizzying.")
    await suspend(store, clock, ada, root)
    ctx = asks(store, clock, ada)
    for title in (MATRIX, ALIEN):
        with pytest.raises(Forbidden, match="suspended"):
            await rate(ctx, TITLES, title, rating=2, review="Buy my things.")
    kept = await rate(ctx, TITLES, MATRIX, rating=10, review="Dizzying.")
    assert kept is not None
    assert (kept.rating, kept.review) == (10, "Dizzying.")
    bare = await rate(ctx, TITLES, MATRIX, review=None)
    assert bare is not None
    assert (bare.rating, bare.review) == (10, None)
