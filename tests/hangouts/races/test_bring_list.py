"""The last of a thing, with fifty people who want to bring it."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.bring_list import TooMany
from commonroom.hangouts.service.bring_list import (
    TypedBringItem,
    add_item,
    change_item,
    claim,
    remove_claim,
    remove_item,
    unclaim,
)
from commonroom.hangouts.tables import BringClaim, BringItem
from commonroom.store import Ref, Store
from tests.accounts.people import Meanwhile, Watch, at_once
from tests.hangouts.friends import (
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)
from tests.hangouts.plan_checks import check_bring_lists

PEOPLE = 50


class Table:
    """A thing to bring, and many who would."""

    def __init__(self, store: Store, clock: Watch, item: BringItem, people: list[User]) -> None:
        self.store, self.clock, self.item, self.people = store, clock, item, people

    @property
    def ref(self) -> Ref[BringItem]:
        return self.item.ref

    def ctx(self, who: User) -> Context:
        return Context(self.store, who, self.clock())

    async def claim(self, who: User, number: int = 1) -> BringItem:
        return await claim(self.ctx(who), who, self.ref, number)

    async def unclaim(self, who: User) -> BringItem:
        return await unclaim(self.ctx(who), who, self.ref)

    async def claimed(self) -> int:
        await check_bring_lists(self.store.engine)
        return (await now_of(self.store, self.item)).claimed


async def laid(store: Store, clock: Watch, needed: int) -> Table:
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    people = [ada, *await crowd_of(store, clock, group, PEOPLE)]
    made = await hangout_of(store, clock, ada, group)
    typed = TypedBringItem(name="Bread", needed=needed)
    item = await add_item(Context(store, ada, clock()), made.hangout_id, typed)
    return Table(store, clock, item, people)


async def test_of_fifty_who_claim_at_once_as_many_as_are_needed_do(
    store: Store, clock: Watch
) -> None:
    table = await laid(store, clock, 7)
    done, refused = await at_once(*map(table.claim, table.people[1:]))
    assert (len(done), len(refused)) == (7, PEOPLE - 7)
    assert all(isinstance(one, TooMany) for one in refused)
    assert await table.claimed() == 7


async def test_the_last_one_goes_to_one_of_fifty(store: Store, clock: Watch) -> None:
    table = await laid(store, clock, 3)
    await table.claim(table.people[0], 2)
    done, _ = await at_once(*map(table.claim, table.people[1:]))
    assert len(done) == 1
    assert await table.claimed() == 3


async def test_claims_in_parts_while_others_give_back_and_need_changes(
    store: Store, clock: Watch
) -> None:
    table = await laid(store, clock, 20)
    early, late = table.people[:10], table.people[10:30]
    await at_once(*(table.claim(who, 2) for who in early))
    ada = table.people[0]
    less = change_item(table.ctx(ada), table.ref, {"needed": 15})
    await at_once(
        *map(table.unclaim, early[:5]),
        *(table.claim(who, 3) for who in late),
        less,
        *(table.claim(who, 1) for who in early[5:]),
    )
    now = await now_of(store, table.item)
    assert await table.claimed() <= now.needed


async def test_the_same_person_on_two_devices_claims_once(store: Store, clock: Watch) -> None:
    table = await laid(store, clock, 9)
    ada = table.people[0]
    await at_once(*(table.claim(ada, number) for number in (1, 2, 3, 4, 3, 2)))
    (own,) = await everything_of(store.engine, BringClaim)
    assert await table.claimed() == own.number


async def test_nothing_is_claimed_of_what_is_taken_off_in_that_moment(
    embedded: Store, clock: Watch
) -> None:
    table = await laid(embedded, clock, 9)
    ada, ben = table.people[:2]
    await table.claim(ada)

    async def remove() -> None:
        await remove_item(Context(embedded, ada, clock()), table.ref)
        await tidied(embedded, clock)

    table.store = Meanwhile(embedded, remove, before_writing=BringClaim)
    _, refused = await at_once(table.claim(ben))
    assert len(refused) == 1
    assert await everything_of(embedded.engine, BringClaim) == []


async def test_whoever_leaves_while_claiming_leaves_the_list_right(
    store: Store, clock: Watch
) -> None:
    table = await laid(store, clock, 40)
    people = table.people[:20]
    await at_once(*(table.claim(who, 2) for who in people))
    claims = await everything_of(store.engine, BringClaim)
    await at_once(
        *(remove_claim(store, one) for one in claims[:10]),
        *(table.claim(who, 1) for who in people),
    )
    await table.claimed()
