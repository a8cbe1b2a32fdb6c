"""A household is told who joins it, and no longer when they leave."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.movienight.notifications import HOUSEHOLD_JOINED
from commonroom.movienight.room import MOVIENIGHT
from commonroom.movienight.service.members import add_managed, leave
from commonroom.notifications.tables import Notification
from commonroom.store import Store
from commonroom.store.streams import Worker
from tests.accounts.people import Watch
from tests.movienight.evenings import context_of, everything_of, home_of
from tests.support.context import at


async def told(store: Store, clock: Watch) -> set[tuple[str, str]]:
    """Who was told what."""
    await Worker(store, MOVIENIGHT.data.consumers, clock=clock).drain()
    found = await everything_of(store.engine, Notification)
    return {(one.user_id, HOUSEHOLD_JOINED.words(one.facts).title) for one in found}


async def test_those_who_live_there_hear_who_joins(
    store: Store, clock: Watch, ada: User, ben: User, eve: User
) -> None:
    await home_of(store, clock, ada, ben, eve)
    assert await told(store, clock) == {
        (ada.user_id, "Ben joined Home"),
        (ada.user_id, "Eve joined Home"),
        (ben.user_id, "Eve joined Home"),
    }
    await leave(at(store, clock(), await context_of(store, eve)))
    assert await told(store, clock) == {(ada.user_id, "Ben joined Home")}


async def test_a_child_joins_by_the_deed_of_who_manages_it(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await home_of(store, clock, ada, ben)
    clock.forward(1)
    ctx = at(store, clock(), await context_of(store, ben))
    await add_managed(ctx, display_name="Finn")
    assert (ada.user_id, "Finn joined Home") in await told(store, clock)
    assert {who for who, _ in await told(store, clock)} == {ada.user_id}
