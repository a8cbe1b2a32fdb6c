"""A street of people who live together in changing households, for random days."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from uuid import uuid4

from hypothesis import strategies as st
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.tables import User
from commonroom.errors import Refusal
from commonroom.movienight.service import members
from commonroom.movienight.service.household_context import HouseholdContext, find_household_context
from commonroom.movienight.service.households import (
    change_household,
    create_household,
    delete_household,
)
from commonroom.movienight.service.invites import create_invite, join, list_invites, revoke_invite
from commonroom.movienight.service.preferences import set_preferences
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from tests.accounts.people import Watch
from tests.movienight.evenings import COMEDY, DRAMA, somebody
from tests.support.context import at

REFUSALS = (Refusal, Refusal, Unavailable)
NAMES = ("Ada", "Ben", "Eve", "Fay", "Gus")


class Act(Struct, frozen=True):
    """Something that somebody does, to somebody else or with their link."""

    what: str
    who: int
    whom: int


class Moment(Struct, frozen=True):
    """What happens at the same time, and whether it is cleared up after it before the next."""

    acts: list[Act]
    tidy: bool


class Neighbourhood:
    """People, their children, and the links that lie about."""

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock
        self.people: list[User] = []
        self.children: list[User] = []
        self.tokens: list[str] = []

    async def settle(self) -> None:
        """Lets people move in, who have other addresses than those of the day before."""
        day = uuid4().hex
        names = [f"{name} {day}" for name in NAMES]
        self.people = [await somebody(self.store, self.clock, name) for name in names]

    async def pass_(self, moment: Moment) -> None:
        """Lets everything happen that happens in a moment; some of it is refused."""
        self.clock.forward(1)
        came = await asyncio.gather(*map(self._do, moment.acts), return_exceptions=True)
        for one in came:
            # Whatever else is raised is nothing that people should ever see.
            if one is not None and not isinstance(one, REFUSALS):
                raise one

    async def _do(self, act: Act) -> None:
        person = await self.store.get(self.people[act.who].ref)
        if person is None:
            return
        if act.what in WITHOUT_SEAT:
            await WITHOUT_SEAT[act.what](self, person, act)
            return
        ctx = await find_household_context(Context(self.store, person), person)
        if ctx is not None:
            await WITH_SEAT[act.what](self, ctx, act)

    def child(self, act: Act) -> str:
        """Some child: mostly one's own, now and then any of the street's."""
        parent_id = self.people[act.who].user_id
        own = [one for one in self.children if one.parent_user_id == parent_id]
        some = own if own and act.whom else self.children
        return some[act.whom % len(some)].user_id if some else "nobody"

    # Without a household

    async def create(self, person: User, act: Act) -> None:
        await create_household(Context(self.store, person, self.clock()), name=f"House {act.whom}")

    async def join(self, person: User, act: Act) -> None:
        if self.tokens:
            token = self.tokens[act.whom % len(self.tokens)]
            await join(Context(self.store, person, self.clock()), token)

    async def delete_account(self, person: User, _: Act) -> None:
        await delete_account(self.store, person, typed=CONFIRMATION)

    async def delete_child(self, person: User, act: Act) -> None:
        await profiles.remove_managed(self.store, person, self.child(act))

    # In a household

    async def invite(self, ctx: HouseholdContext, _: Act) -> None:
        self.tokens.append((await create_invite(at(self.store, self.clock(), ctx))).token)

    async def revoke(self, ctx: HouseholdContext, _: Act) -> None:
        for one in (await list_invites(at(self.store, self.clock(), ctx)))[:1]:
            await revoke_invite(at(self.store, self.clock(), ctx), one.invite_id)

    async def add_child(self, ctx: HouseholdContext, _: Act) -> None:
        made = await members.add_managed(at(self.store, self.clock(), ctx), display_name="Child")
        self.children.append(made)

    async def bring_child(self, ctx: HouseholdContext, act: Act) -> None:
        await members.bring_along(at(self.store, self.clock(), ctx), self.child(act))

    async def rename_child(self, ctx: HouseholdContext, act: Act) -> None:
        await members.change_managed(
            at(self.store, self.clock(), ctx), self.child(act), display_name="Another", ceiling="G"
        )

    async def remove_child(self, ctx: HouseholdContext, act: Act) -> None:
        await members.remove_member(at(self.store, self.clock(), ctx), self.child(act))

    async def remove(self, ctx: HouseholdContext, act: Act) -> None:
        whom = self.people[act.whom].user_id
        await members.remove_member(at(self.store, self.clock(), ctx), whom)

    async def leave(self, ctx: HouseholdContext, _: Act) -> None:
        await members.leave(at(self.store, self.clock(), ctx))

    async def choose(self, ctx: HouseholdContext, act: Act) -> None:
        whom = self.child(act) if act.whom else ctx.member_id
        await set_preferences(
            at(self.store, self.clock(), ctx),
            whom,
            likes=[COMEDY, DRAMA],
            dislikes=[],
            ceiling="G",
        )

    async def rename(self, ctx: HouseholdContext, act: Act) -> None:
        await change_household(at(self.store, self.clock(), ctx), name=f"House {act.whom}")

    async def delete(self, ctx: HouseholdContext, _: Act) -> None:
        await delete_household(at(self.store, self.clock(), ctx), ctx.group.name)


Doing: TypeAlias = Callable[[Neighbourhood, Any, Act], Awaitable[None]]

WITHOUT_SEAT: dict[str, Doing] = {
    "create": Neighbourhood.create,
    "join": Neighbourhood.join,
    "delete account": Neighbourhood.delete_account,
    "delete child": Neighbourhood.delete_child,
}
WITH_SEAT: dict[str, Doing] = {
    "invite": Neighbourhood.invite,
    "revoke": Neighbourhood.revoke,
    "add child": Neighbourhood.add_child,
    "bring child": Neighbourhood.bring_child,
    "rename child": Neighbourhood.rename_child,
    "remove child": Neighbourhood.remove_child,
    "remove": Neighbourhood.remove,
    "leave": Neighbourhood.leave,
    "choose": Neighbourhood.choose,
    "rename": Neighbourhood.rename,
    "delete": Neighbourhood.delete,
}

# What brings people together is likelier than what parts them, or nobody would ever be together.
_together = ["create", "join", "join", "join", "invite", "add child", "add child", "bring child"]
_whats = [*WITHOUT_SEAT, *WITH_SEAT, *_together]
_acts = st.builds(
    Act,
    st.sampled_from(_whats),
    st.integers(0, len(NAMES) - 1),
    st.integers(0, len(NAMES) - 1),
)
moments = st.builds(Moment, st.lists(_acts, min_size=1, max_size=4), st.booleans())


def first_home(number: int) -> list[Moment]:
    """How somebody makes a household and some others come, so that there is something to part."""
    begin = [Act("create", 0, 0), Act("invite", 0, 0)]
    joins = [Act("join", n, 0) for n in range(1, number)]
    children = [Act("add child", n, 0) for n in range(2)]
    return [Moment(acts, tidy=False) for acts in ([begin[0]], [begin[1]], joins, children)]


days = st.builds(
    list.__add__,
    st.integers(2, len(NAMES)).map(first_home),
    st.lists(moments, min_size=3, max_size=20),
)
"""Moments one after the other."""
