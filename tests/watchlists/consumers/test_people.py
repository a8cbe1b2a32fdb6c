"""Who is told of applications, decisions and comments."""

from __future__ import annotations

import pytest

from commonroom.accounts.service.signup import set_up
from commonroom.accounts.tables import User
from commonroom.notifications import tell
from commonroom.notifications.tables import Notification
from commonroom.store import Store, delete
from commonroom.watchlists import notifications
from commonroom.watchlists.rules.curators import Step
from commonroom.watchlists.service import curators, lists
from commonroom.watchlists.service.comments import add_comment, delete_comment
from tests.accounts.people import Watch, newcomer
from tests.watchlists.examples import MATRIX, asks, everything_of, list_of, looks, tidied


async def told(store: Store, person: User) -> list[str]:
    found = await everything_of(store.engine, Notification)
    mine = [one for one in found if one.user_id == person.user_id]
    return [one.kind for one in sorted(mine, key=lambda one: one.made_at)]


async def test_administrators_are_told_of_applications_and_a_person_of_every_decision(
    store: Store, clock: Watch, ben: User
) -> None:
    first = await set_up(store, clock(), newcomer("First"))

    async def decide(step: Step) -> None:
        ctx = asks(store, clock, first)
        if step == "apply":
            await curators.apply(asks(store, clock, ben), "I know films.")
        else:
            await curators.decide(ctx, ben.user_id, step, "Say more.")

    steps: list[Step] = ["apply", "decline", "apply", "approve", "suspend", "reinstate"]
    for step in steps:
        clock.forward(1)
        await decide(step)
        await tidied(store, clock)
    assert await told(store, first) == ["watchlist_application"] * 2
    assert await told(store, ben) == [
        "watchlist_declined",
        "watchlist_approved",
        "watchlist_suspended",
        "watchlist_reinstated",
    ]


async def test_the_owner_is_told_of_others_comments(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, title="Space")
    await add_comment(asks(store, clock, ada), made.watchlist_id, "My own.")
    await add_comment(asks(store, clock, ben), made.watchlist_id, "Fine.")
    await tidied(store, clock)
    (one,) = [
        it
        for it in await everything_of(store.engine, Notification)
        if it.kind == "watchlist_comment"
    ]
    assert (one.user_id, one.facts) == (
        ada.user_id,
        {"who": "ben", "list": "Space", "text": "Fine."},
    )


@pytest.mark.parametrize("how", ["author", "owner", "list", "leaving"])
async def test_what_the_owner_was_told_of_a_comment_goes_with_it(
    store: Store, clock: Watch, ada: User, ben: User, how: str
) -> None:
    made = await list_of(store, clock, ada, MATRIX, title="Space")
    said = await add_comment(asks(store, clock, ben), made.watchlist_id, "Between us: fine.")
    await tidied(store, clock)
    assert "watchlist_comment" in await told(store, ada)
    if how == "list":
        await lists.delete_list(asks(store, clock, ada), made.watchlist_id)
    elif how == "leaving":
        await store.write(delete(ben))
    else:
        visitor = looks(store, clock, ben if how == "author" else ada)
        await delete_comment(visitor, made.watchlist_id, said.id)
    await tidied(store, clock)
    assert "watchlist_comment" not in await told(store, ada)


async def unread(store: Store, clock: Watch, person: User) -> list[str]:
    """What somebody has not read, once what follows has happened."""
    await tidied(store, clock)
    found = await everything_of(store.engine, Notification)
    return [one.kind for one in found if one.user_id == person.user_id and one.read_at is None]


async def test_an_application_is_read_by_itself_by_every_administrator_once_it_is_decided(
    store: Store, clock: Watch, ben: User
) -> None:
    first = await set_up(store, clock(), newcomer("First"))
    await curators.apply(asks(store, clock, ben), "I know films.")
    assert await unread(store, clock, first) == ["watchlist_application"]
    await curators.decide(asks(store, clock, first), ben.user_id, "approve")
    assert await unread(store, clock, first) == []
    assert await unread(store, clock, ben) == ["watchlist_approved"]


async def test_an_administrator_is_not_told_of_their_own_application_nor_decision(
    store: Store, clock: Watch
) -> None:
    first = await set_up(store, clock(), newcomer("First"))
    await curators.apply(asks(store, clock, first), "I know films.")
    await curators.decide(asks(store, clock, first), first.user_id, "approve")
    assert await unread(store, clock, first) == []


async def test_a_list_that_is_deleted_is_read_by_itself(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, title="Space")
    await tell(
        store,
        clock(),
        [ben],
        notifications.NEW_LIST,
        facts={"who": "ada", "list": "Space"},
        link=f"/lists/{made.watchlist_id}",
        id=made.watchlist_id,
        by=ada.user_id,
    )
    assert await unread(store, clock, ben) == ["watchlist_new_list"]
    await lists.delete_list(asks(store, clock, ada), made.watchlist_id)
    assert await unread(store, clock, ben) == []
