"""People and households for the tests of movie night, and what must always be true of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User, accounts
from commonroom.movienight.checks import checks
from commonroom.movienight.consumers import HOUSEHOLDS, SEATS
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import create_household
from commonroom.movienight.service.invites import create_invite, join
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.preferences import set_preferences
from commonroom.movienight.tables import Household, HouseholdMembership, Preferences
from commonroom.movienight.tables import tables as movienight
from commonroom.notifications.tables import tables as notify
from commonroom.store import Entity, Store
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.engine import Engine
from commonroom.store.streams import Worker
from commonroom.store.streams.tables import tables as streams
from commonroom.timers.tables import tables as timers
from tests.accounts.people import Watch
from tests.support import people
from tests.support.context import at

E = TypeVar("E", bound=Entity)

TABLES = [*notify, *movienight, accounts, *streams, *timers]

COMEDY, DRAMA, HORROR = "35", "18", "27"
ODD_TOKENS = ["", "nothing", "x" * 5000, "\ud800", "é"]


somebody = people.somebody


async def home_of(store: Store, clock: Watch, creator: User, *others: User) -> Household:
    """A household of somebody's, who others have joined one after the other."""
    group = await create_household(Context(store, creator, clock()), name="Home")
    if others:
        link = await create_invite(at(store, clock(), await context_of(store, creator)))
    for other in others:
        clock.forward(1)
        group = await join(Context(store, other, clock()), link.token)
    return group


async def context_of(store: Store, person: User, acting_as: User | None = None) -> HouseholdContext:
    """The seat of somebody who asks now."""
    person, member = await now_of(store, person), await now_of(store, acting_as or person)
    ctx = await find_household_context(Context(store, person), member)
    assert ctx is not None
    return ctx


async def now_of(store: Store, thing: E) -> E:
    """The same thing as it is stored now."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


async def likes(store: Store, clock: Watch, person: User, acting_as: User | None = None) -> None:
    """Somebody says what they like."""
    ctx = await context_of(store, person, acting_as)
    await set_preferences(
        at(store, clock(), ctx),
        ctx.member_id,
        likes=[COMEDY, DRAMA],
        dislikes=[HORROR],
        ceiling="PG",
    )


async def tidied(store: Store, clock: Watch) -> None:
    """Lets the consumers clear up after what was deleted."""
    await Worker(store, [SEATS, HOUSEHOLDS], clock=clock).drain()


async def everything_of(engine: Engine, kind: type[E]) -> list[E]:
    """All things of a kind."""
    rows = await engine.scan(kind.schema.table, limit=1000)
    assert rows.next is None
    return [kind.from_item(item) for item in rows.items]


async def check_households(engine: Engine, *, tidy: bool = True) -> None:
    """What must be true of all households; of seats that are not cleared yet, only unless tidy."""
    groups = {one.group_id: one for one in await everything_of(engine, Household)}
    users = {one.user_id: one for one in await everything_of(engine, User)}
    seats = await everything_of(engine, HouseholdMembership)
    if not tidy:
        seats = [one for one in seats if one.user_id in users]
    assert len({one.user_id for one in seats}) == len(seats), "nobody is in two households"
    assert {(one.user_id, one.group_id) for one in seats} == {
        (one.user_id, one.household_id) for one in users.values() if one.household_id
    }
    for group in groups.values():
        here = [one for one in seats if one.group_id == group.group_id]
        _check_household(group, here, users, tidy=tidy)
    assert {one.group_id for one in seats} <= groups.keys(), "no seat without a household"
    if tidy:
        liked = await everything_of(engine, Preferences)
        seated = {(one.group_id, one.user_id) for one in seats}
        assert {(one.group_id, one.user_id) for one in liked} <= seated, "no orphan preferences"


def _check_household(
    group: Household, seats: Sequence[HouseholdMembership], users: dict[str, User], *, tidy: bool
) -> None:
    assert group.member_count <= MAX_MEMBERS
    if tidy:
        assert group.member_count == len(seats) > 0
        assert sorted(group.member_ids) == sorted(one.user_id for one in seats)
        creators = [one for one in seats if one.role == "creator"]
        assert [one.user_id for one in creators] == [group.created_by]
    for ctx in seats:
        user = users[ctx.user_id]
        assert (ctx.role == "creator") is (ctx.user_id == group.created_by)
        assert (ctx.member_type == "managed") is user.is_managed
        assert not (user.is_managed and ctx.role == "creator"), "a child is never creator"
        if user.is_managed:
            assert user.parent_user_id in {one.user_id for one in seats}, "children are with theirs"


async def check_nothing_drifts(store: Store) -> None:
    """That `commonroom check` finds nothing wrong in this room."""
    reported: list[ReportedProblem] = []
    await check_store(
        store,
        TABLES,
        checks(),
        repair=False,
        report=reported.append,
        progress=lambda *_: None,
    )
    assert reported == []


async def fill_seats(store: Store, clock: Watch, parent: User, seats: int) -> None:
    """Takes so many seats for somebody's children."""
    for n in range(seats):
        await add_managed(
            at(store, clock(), await context_of(store, parent)), display_name=f"Child {n}"
        )
