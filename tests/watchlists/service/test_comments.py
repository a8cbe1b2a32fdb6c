"""Comments on lists."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, RateLimited
from commonroom.store import Store, counting
from commonroom.watchlists.service.comments import add_comment, delete_comment, see_comments
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.tables import Comment, UserComment, Watchlist
from tests.accounts.people import Watch, at_once
from tests.watchlists.examples import MATRIX, asks, everything_of, list_of, looks, now_of, somebody


@pytest.fixture
async def made(store: Store, clock: Watch, ada: User) -> Watchlist:
    """A public list."""
    return await list_of(store, clock, ada, MATRIX)


async def test_comments_are_newest_first_with_their_authors(
    store: Store, clock: Watch, made: Watchlist, ben: User, eve: User
) -> None:
    for number, person in enumerate((ben, eve, ben)):
        clock.forward(1)
        await add_comment(asks(store, clock, person), made.watchlist_id, f"Number {number}")
    with counting() as count:
        page = await see_comments(looks(store, clock), made.watchlist_id, limit=2)
    assert count.requests == 3
    assert [
        (one.comment.comment_text, one.author and one.author.username) for one in page.items
    ] == [("Number 2", "ben"), ("Number 1", "eve")]
    page = await see_comments(looks(store, clock), made.watchlist_id, cursor=page.cursor)
    assert [one.comment.comment_text for one in page.items] == ["Number 0"]
    assert (await now_of(store, made)).comment_count == 3


async def test_comments_of_one_moment_take_the_next_millisecond(
    store: Store, clock: Watch, made: Watchlist, ben: User, eve: User
) -> None:
    said, refused = await at_once(
        *(
            add_comment(asks(store, clock, one), made.watchlist_id, "At once.")
            for one in (ben, ben, ben, eve)
        )
    )
    assert refused == []
    by_ben = [one.comment for one in said if one.comment.user_id == ben.user_id]
    mine = sorted(one.created_at[-5:] for one in by_ben)
    assert mine == [".000Z", ".001Z", ".002Z"]
    assert (await now_of(store, made)).comment_count == 4


async def test_only_public_lists_are_commented_on(
    store: Store, clock: Watch, ada: User, made: Watchlist, ben: User
) -> None:
    await add_comment(asks(store, clock, ben), made.watchlist_id, "Fine.")
    await change_list(asks(store, clock, ada), made.watchlist_id, ListChange(is_public=False))
    with pytest.raises(Conflict):
        await add_comment(asks(store, clock, ada), made.watchlist_id, "Mine.")
    for doing in (
        add_comment(asks(store, clock, ben), made.watchlist_id, "Fine."),
        see_comments(looks(store, clock, ben), made.watchlist_id),
        add_comment(asks(store, clock, ben), "a#b", "Fine."),
    ):
        with pytest.raises(NotFound):
            await doing
    assert len((await see_comments(looks(store, clock, ada), made.watchlist_id)).items) == 1


async def test_they_have_1_to_2000_characters_and_come_at_a_bearable_pace(
    store: Store, clock: Watch, made: Watchlist, ben: User
) -> None:
    ctx = asks(store, clock, ben)
    for text in ("", " ", "x" * 2001):
        with pytest.raises(InvalidField):
            await add_comment(ctx, made.watchlist_id, text)
    for number in range(10):
        await add_comment(ctx, made.watchlist_id, str(number))
    with pytest.raises(RateLimited):
        await add_comment(ctx, made.watchlist_id, "And more.")
    clock.forward(60)
    await add_comment(asks(store, clock, ben), made.watchlist_id, "And more.")


async def test_author_owner_and_administrators_delete(
    store: Store, clock: Watch, ada: User, made: Watchlist
) -> None:
    ben, eve = [await somebody(store, clock, name) for name in ("Ben", "Eve")]
    root = await somebody(store, clock, "Root", is_admin=True)
    said = [
        (await add_comment(asks(store, clock, ben), made.watchlist_id, str(number))).id
        for number in range(3)
    ]
    with pytest.raises(Forbidden):
        await delete_comment(looks(store, clock, eve), made.watchlist_id, said[0])
    page = await see_comments(looks(store, clock, eve), made.watchlist_id)
    assert not any(one.may_delete for one in page.items)
    for person, one in zip((ben, ada, root), said, strict=True):
        page = await see_comments(looks(store, clock, person), made.watchlist_id)
        assert all(one.may_delete for one in page.items)
        await delete_comment(looks(store, clock, person), made.watchlist_id, one)
    assert await everything_of(store.engine, Comment, UserComment) == []
    assert (await now_of(store, made)).comment_count == 0
    for one in (said[0], "x", "", f"{said[0]}#", f"2026-05-31T18:00:00.999Z_{ben.user_id}"):
        with pytest.raises(NotFound):
            await delete_comment(looks(store, clock, ben), made.watchlist_id, one)
