"""What people in and around a household may do in the same moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.households import create_household, delete_household
from commonroom.movienight.service.invites import NewInvite, create_invite, join, revoke_invite
from commonroom.movienight.service.members import add_managed, bring_along, leave, remove_member
from commonroom.movienight.service.preferences import set_preferences
from commonroom.store import Store
from tests.accounts.people import Watch
from tests.movienight.evenings import COMEDY, DRAMA, context_of, home_of, likes, now_of, somebody
from tests.support.context import at

Doings: TypeAlias = Callable[[Store], list[Awaitable[Any]]]
"""What is done at once, in a store. Whoever does it has taken their seat before."""

Scene: TypeAlias = Callable[[Store, Watch], Awaitable[Doings]]


class Cast:
    """Ada's household, with Ben where he is wanted, a link into it, and Eve outside."""

    ada: User
    ben: User
    eve: User
    link: NewInvite

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    async def enter(self, *, with_ben: bool = True) -> None:
        """Lets them come."""
        self.ada, self.ben, self.eve = [
            await somebody(self.store, self.clock, name) for name in ("Ada", "Ben", "Eve")
        ]
        others = [self.ben] if with_ben else []
        await home_of(self.store, self.clock, self.ada, *others)
        self.link = await create_invite(at(self.store, self.clock(), await self.ctx(self.ada)))
        self.clock.forward(1)

    async def ctx(self, person: User, acting_as: User | None = None) -> HouseholdContext:
        """Somebody's seat as it is now."""
        return await context_of(self.store, person, acting_as)

    async def child(self, parent: User) -> User:
        """A child of somebody's in the household, which has said what it likes."""
        made = await add_managed(
            at(self.store, self.clock(), await self.ctx(parent)), display_name="Child"
        )
        await likes(self.store, self.clock, parent, made)
        return made

    def joins(self, store: Store, person: User) -> Awaitable[Any]:
        """Somebody uses the link."""
        return join(Context(store, person, self.clock()), self.link.token)


async def entered(store: Store, clock: Watch, *, with_ben: bool = True) -> Cast:
    """The cast on stage."""
    cast = Cast(store, clock)
    await cast.enter(with_ben=with_ben)
    return cast


async def two_creates(store: Store, clock: Watch) -> Doings:
    """Somebody makes two households."""
    eve = await somebody(store, clock, "Eve")
    return lambda on: [
        create_household(Context(on, eve, clock()), name=name) for name in ("One", "Two")
    ]


async def create_and_join(store: Store, clock: Watch) -> Doings:
    """Somebody makes a household and joins another."""
    cast = await entered(store, clock)
    return lambda on: [
        create_household(Context(on, cast.eve, clock()), name="Another"),
        cast.joins(on, cast.eve),
    ]


async def two_joins_of_one_person(store: Store, clock: Watch) -> Doings:
    """Somebody presses the button twice."""
    cast = await entered(store, clock)
    return lambda on: [cast.joins(on, cast.eve), cast.joins(on, cast.eve)]


async def two_joins_of_the_eighth_seat(store: Store, clock: Watch) -> Doings:
    """Two people take the last seat."""
    cast = await entered(store, clock, with_ben=False)
    for _ in range(MAX_MEMBERS - 2):
        await cast.child(cast.ada)
    return lambda on: [cast.joins(on, cast.ben), cast.joins(on, cast.eve)]


async def a_join_and_a_child_for_the_eighth_seat(store: Store, clock: Watch) -> Doings:
    """Somebody joins while a child is added, with one seat left."""
    cast = await entered(store, clock, with_ben=False)
    for _ in range(MAX_MEMBERS - 2):
        await cast.child(cast.ada)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [
        cast.joins(on, cast.eve),
        add_managed(at(on, clock(), ctx), display_name="Child"),
    ]


async def join_and_leave(store: Store, clock: Watch) -> Doings:
    """Somebody comes while the creator goes."""
    cast = await entered(store, clock)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [cast.joins(on, cast.eve), leave(at(on, clock(), ctx))]


async def join_and_the_last_one_leaves(store: Store, clock: Watch) -> Doings:
    """Somebody comes while the only member goes."""
    cast = await entered(store, clock, with_ben=False)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [cast.joins(on, cast.eve), leave(at(on, clock(), ctx))]


async def the_last_two_leave(store: Store, clock: Watch) -> Doings:
    """Both members go, each with a child."""
    cast = await entered(store, clock)
    await cast.child(cast.ada)
    await cast.child(cast.ben)
    seats = [await cast.ctx(one) for one in (cast.ada, cast.ben)]
    return lambda on: [leave(at(on, clock(), ctx)) for ctx in seats]


async def the_creator_and_the_successor_leave(store: Store, clock: Watch) -> Doings:
    """The creator goes, and so does whoever would take over; a third one stays."""
    cast = await entered(store, clock)
    await cast.joins(store, cast.eve)
    seats = [await cast.ctx(one) for one in (cast.ada, cast.ben)]
    return lambda on: [leave(at(on, clock(), ctx)) for ctx in seats]


async def one_leaves_twice(store: Store, clock: Watch) -> Doings:
    """Somebody presses the button twice."""
    cast = await entered(store, clock)
    ctx = await cast.ctx(cast.ben)
    return lambda on: [leave(at(on, clock(), ctx)), leave(at(on, clock(), ctx))]


async def join_and_delete(store: Store, clock: Watch) -> Doings:
    """Somebody comes while the household is deleted."""
    cast = await entered(store, clock)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [cast.joins(on, cast.eve), delete_household(at(on, clock(), ctx), "Home")]


async def leave_and_delete(store: Store, clock: Watch) -> Doings:
    """Somebody goes while the household is deleted."""
    cast = await entered(store, clock)
    seats = [await cast.ctx(one) for one in (cast.ada, cast.ben)]
    return lambda on: [
        delete_household(at(on, clock(), seats[0]), "Home"),
        leave(at(on, clock(), seats[1])),
    ]


async def revoke_and_join(store: Store, clock: Watch) -> Doings:
    """Somebody comes while the link is revoked."""
    cast = await entered(store, clock)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [
        revoke_invite(at(on, clock(), ctx), cast.link.invite.invite_id),
        cast.joins(on, cast.eve),
    ]


async def revoke_and_the_last_join(store: Store, clock: Watch) -> Doings:
    """Somebody takes the last seat while the link is revoked."""
    cast = await entered(store, clock)
    for _ in range(MAX_MEMBERS - 3):
        await cast.child(cast.ada)
    ctx = await cast.ctx(cast.ada)
    return lambda on: [
        revoke_invite(at(on, clock(), ctx), cast.link.invite.invite_id),
        cast.joins(on, cast.eve),
    ]


async def leave_and_the_last_join(store: Store, clock: Watch) -> Doings:
    """Somebody takes the last seat while another one is given up."""
    cast = await entered(store, clock)
    for _ in range(MAX_MEMBERS - 3):
        await cast.child(cast.ada)
    ctx = await cast.ctx(cast.ben)
    return lambda on: [leave(at(on, clock(), ctx)), cast.joins(on, cast.eve)]


async def account_deletion_and_join(store: Store, clock: Watch) -> Doings:
    """Somebody comes while their account is deleted."""
    cast = await entered(store, clock)
    return lambda on: [
        delete_account(on, cast.eve, typed=CONFIRMATION),
        cast.joins(on, cast.eve),
    ]


async def account_deletion_of_the_heir_and_leave(store: Store, clock: Watch) -> Doings:
    """The creator goes while the account of whoever would take over is deleted."""
    cast = await entered(store, clock)
    await cast.joins(store, cast.eve)
    ctx, heir = await cast.ctx(cast.ada), await now_of(store, cast.ben)
    return lambda on: [
        delete_account(on, heir, typed=CONFIRMATION),
        leave(at(on, clock(), ctx)),
    ]


async def account_deletion_and_a_new_child(store: Store, clock: Watch) -> Doings:
    """Somebody adds a child while their account is deleted."""
    cast = await entered(store, clock)
    ctx = await cast.ctx(cast.ben)
    return lambda on: [
        add_managed(at(on, clock(), ctx), display_name="Child"),
        delete_account(on, ctx.person, typed=CONFIRMATION),
    ]


async def a_child_deleted_while_its_parent_leaves(store: Store, clock: Watch) -> Doings:
    """A profile is deleted, taken out and taken along at once."""
    cast = await entered(store, clock)
    child = await cast.child(cast.ben)
    creator, parent = await cast.ctx(cast.ada), await cast.ctx(cast.ben)
    return lambda on: [
        profiles.remove_managed(on, parent.person, child.user_id),
        remove_member(at(on, clock(), creator), child.user_id),
        leave(at(on, clock(), parent)),
    ]


async def one_child_brought_twice(store: Store, clock: Watch) -> Doings:
    """A parent brings a child along twice, and leaves."""
    cast = await entered(store, clock)
    child = await profiles.add_managed(Context(store, cast.ben, clock()), display_name="Child")
    ctx = await cast.ctx(cast.ben)
    return lambda on: [
        bring_along(at(on, clock(), ctx), child.user_id),
        bring_along(at(on, clock(), ctx), child.user_id),
        leave(at(on, clock(), ctx)),
    ]


async def preferences_of_somebody_who_leaves(store: Store, clock: Watch) -> Doings:
    """Somebody says what they like while they go; so does their parent for a child."""
    cast = await entered(store, clock)
    child = await cast.child(cast.ben)
    ctx = await cast.ctx(cast.ben)
    return lambda on: [
        _chooses(on, clock, ctx, cast.ben),
        leave(at(on, clock(), ctx)),
        _chooses(on, clock, ctx, child),
    ]


def _chooses(store: Store, clock: Watch, ctx: HouseholdContext, whose: User) -> Awaitable[Any]:
    return set_preferences(
        at(store, clock(), ctx),
        whose.user_id,
        likes=[COMEDY, DRAMA],
        dislikes=[],
        ceiling="PG",
    )


SCENES: list[Scene] = [
    two_creates,
    create_and_join,
    two_joins_of_one_person,
    two_joins_of_the_eighth_seat,
    a_join_and_a_child_for_the_eighth_seat,
    join_and_leave,
    join_and_the_last_one_leaves,
    the_last_two_leave,
    the_creator_and_the_successor_leave,
    one_leaves_twice,
    join_and_delete,
    leave_and_delete,
    revoke_and_join,
    revoke_and_the_last_join,
    leave_and_the_last_join,
    account_deletion_and_join,
    account_deletion_of_the_heir_and_leave,
    account_deletion_and_a_new_child,
    a_child_deleted_while_its_parent_leaves,
    one_child_brought_twice,
    preferences_of_somebody_who_leaves,
]
