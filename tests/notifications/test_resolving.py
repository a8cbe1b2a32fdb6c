"""What no longer needs anybody is read by itself, in whatever order things come to be known."""

from __future__ import annotations

import asyncio

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.notifications import tell
from commonroom.notifications.account_cleanup import cleanup_consumer
from commonroom.notifications.notifications import KEPT_SECONDS, refresh_page, resolve, resolve_page
from commonroom.notifications.reading import read
from commonroom.notifications.tables import Resolved, kept_for_person
from commonroom.store import Store, counting, delete
from commonroom.store.streams import Worker
from tests.accounts.people import Watch
from tests.notifications.people import NEWS, ROUND, count_unread, person, told

PAGE = "/hangouts/1"


async def news(
    store: Store, clock: Watch, *people: User, about: str = "1", link: str = PAGE
) -> int:
    return await tell(store, clock(), people, NEWS, facts={}, link=link, id=about, by=None)


async def test_what_was_told_is_read_for_those_and_by_that_kind_alone(
    either: Store, clock: Watch
) -> None:
    ada, ben = await person(either, "Ada"), await person(either, "Ben")
    await news(either, clock, ada, ben)
    await tell(either, clock(), [ada], ROUND, facts={}, link=PAGE, id="1", by=None)
    await resolve(either, clock(), ["ada"], NEWS, "1")
    assert {one.kind: one.read_at is None for one in await told(either, ada)} == {
        "news": False,
        "new_round": True,
    }
    assert await count_unread(either, ben) == 1


async def test_what_is_resolved_before_it_is_told_is_never_told(
    either: Store, clock: Watch
) -> None:
    ada = await person(either, "Ada")
    await resolve(either, clock(), ["ada"], NEWS, "1")
    assert await news(either, clock, ada) == 0
    assert await told(either, ada) == []
    assert await news(either, clock, ada, about="2") == 1


async def test_of_both_at_once_nothing_stays_unread(either: Store, clock: Watch) -> None:
    people = [await person(either, f"P{number}") for number in range(12)]
    ids = [one.user_id for one in people]
    await asyncio.gather(news(either, clock, *people), resolve(either, clock(), ids, NEWS, "1"))
    assert [await count_unread(either, one) for one in people] == [0] * 12


async def test_again_costs_a_look_and_keeps_when_it_was_read(
    store: Store, ada: User, clock: Watch
) -> None:
    await news(store, clock, ada)
    await resolve(store, clock(), ["ada"], NEWS, "1")
    [first] = await told(store, ada)
    clock.forward(60)
    with counting() as tally:
        await resolve(store, clock(), ["ada"], NEWS, "1")
    assert (tally.requests, await told(store, ada)) == (1, [first])


async def test_nobody_who_is_gone_leaves_anything_behind(store: Store, clock: Watch) -> None:
    ada = await person(store, "Ada")
    await resolve(store, clock(), ["nobody", "ada"], NEWS, "1")
    assert (await store.page(kept_for_person(user_id="nobody"))).items == []
    [one] = (await store.page(kept_for_person(user_id="ada"))).items
    assert isinstance(one, Resolved)
    await store.write(delete(ada))
    await Worker(store, [cleanup_consumer], clock=clock).drain()
    assert (await store.page(kept_for_person(user_id="ada"))).items == []


async def test_what_was_resolved_ahead_is_forgotten(store: Store, ada: User, clock: Watch) -> None:
    await resolve(store, clock(), ["ada"], NEWS, "1")
    clock.forward(KEPT_SECONDS)
    assert (await store.page(kept_for_person(user_id="ada"))).items == []


class TestAPageWhereSomethingEnds:
    async def test_is_read_by_everybody_wherever_on_it(self, either: Store, clock: Watch) -> None:
        ada, ben = await person(either, "Ada"), await person(either, "Ben")
        await news(either, clock, ada, ben)
        await news(either, clock, ben, about="2", link=f"{PAGE}#cars")
        await news(either, clock, ben, about="3", link="/hangouts/12")
        await resolve_page(either, clock(), PAGE)
        assert [await count_unread(either, one) for one in (ada, ben)] == [0, 1]

    async def test_leaves_what_is_of_other_kinds(self, store: Store, clock: Watch) -> None:
        ada = await person(store, "Ada")
        await news(store, clock, ada)
        await resolve_page(store, clock(), PAGE, [ROUND])
        assert await count_unread(store, ada) == 1

    async def test_costs_what_is_unread_there(self, store: Store, clock: Watch) -> None:
        people = [await person(store, f"P{number}") for number in range(150)]
        await news(store, clock, *people)
        await resolve(store, clock(), [one.user_id for one in people[:140]], NEWS, "1")
        with counting() as tally:
            await resolve_page(store, clock(), PAGE)
        assert tally.requests == 11
        assert [one for one in people if await count_unread(store, one)] == []


async def test_what_is_settled_on_a_page_may_be_one_thing_of_several(
    either: Store, clock: Watch
) -> None:
    ada = await person(either, "Ada")
    for about in ("1", "2"):
        await news(either, clock, ada, about=about, link=f"{PAGE}#{about}")
    await resolve_page(either, clock(), PAGE, [NEWS], about="1")
    settled = {one.link: one.settled_at is not None for one in await told(either, ada)}
    assert settled == {f"{PAGE}#1": True, f"{PAGE}#2": False}


async def test_what_is_unread_says_what_is_true_now(either: Store, clock: Watch) -> None:
    ada, ben = await person(either, "Ada"), await person(either, "Ben")
    facts = {"day": "", "who": "Eve"}
    for one in (ada, ben):
        await tell(either, clock(), [one], NEWS, facts=facts, link=PAGE, id="1", by=None)
    await read(Context(either, ben, clock()), (await told(either, ben))[0].notification_id)
    await refresh_page(either, PAGE, [NEWS], {"day": "Saturday", "more": "x"})
    assert (await told(either, ada))[0].facts == {"day": "Saturday", "who": "Eve"}
    assert (await told(either, ben))[0].facts == facts, "he has read it"
