"""Whatever a crowd does at once, on a hostile engine: counts, places and pointers are right."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from contextlib import suppress
from copy import copy
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Refusal
from commonroom.hangouts.service.edits import change_hangout, invite, uninvite
from commonroom.hangouts.service.guests import (
    GuestLinks,
    GuestLinkVisitor,
    TypedGuestRsvp,
    answer_as_guest,
    change_as_guest,
    set_guest_link,
)
from commonroom.hangouts.service.hangouts import bring_back, cancel, confirm, unconfirm
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, remove_rsvp, withdraw
from commonroom.hangouts.tables import FriendGroup, Hangout, RsvpStatus
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from tests.accounts.people import Meanwhile, Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    check_hangouts,
    child_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
)
from tests.hangouts.races.living import live_through
from tests.support.budget import examples

PEOPLE = 5
STATUSES: tuple[RsvpStatus, ...] = ("GOING", "GOING", "INTERESTED", "NOT_GOING")


class Act(Struct, frozen=True):
    """Something that somebody does, one way or another."""

    what: str
    who: int
    how: int


ANSWERS = st.sampled_from(["answer", "answer", "family", "child", "withdraw", "leave", "guest"])
STEERING = st.sampled_from(
    ["limit", "edit", "time", "regroup", "invite", "cancel", "bring back", "confirm", "unconfirm"]
)
ACTS = st.builds(Act, ANSWERS | STEERING, st.integers(0, PEOPLE - 1), st.integers(0, 63))
MOMENTS = st.lists(st.lists(ACTS, min_size=1, max_size=6), min_size=1, max_size=8)


class Crowd:
    """A hangout and the people who do things with it, all at once."""

    def __init__(self, calm: Store, clock: Watch) -> None:
        self.calm, self.store, self.clock = calm, calm, clock
        self.links = GuestLinks(os.urandom(32))
        self.codes: list[str]

    async def begin(self) -> None:
        """People with a child each, two groups, and a hangout of theirs."""
        names = [f"P{number}" for number in range(PEOPLE)]
        self.people: list[User] = [await somebody(self.calm, self.clock, one) for one in names]
        self.children = [await child_of(self.calm, self.clock, one, "Child") for one in self.people]
        await somebody(self.calm, self.clock, "Eve")
        self.groups: list[FriendGroup] = [
            await group_of(self.calm, self.clock, *self.people, name=name) for name in ("A", "B")
        ]
        await self.plan()

    async def plan(self, *, is_on: bool = False, places: int = 6) -> None:
        """Another hangout of the same people."""
        given = {"is_on": is_on, "place": PUB, "place_limit": places}
        made = await hangout_of(self.calm, self.clock, self.people[0], self.groups[0], **given)
        self.codes = []
        ctx = Context(self.calm, self.people[0], self.clock())
        self.made: Hangout = await set_guest_link(ctx, made.hangout_id, is_open=True)

    async def live(self, moment: list[Act]) -> None:
        """Lets everything happen that happens in a moment, and looks at what is stored."""
        self.clock.forward(1)
        await asyncio.gather(*map(self.do, moment))
        await check_hangouts(self.calm.engine)

    async def do(self, act: Act) -> None:
        """Does it, if it can be done."""
        # Refused, or nobody knows: what is stored is right either way.
        with suppress(Refusal, Unavailable):
            await self._deed(act)

    def _deed(self, act: Act) -> Awaitable[object]:
        deeds = {
            "guest": self._guest,
            "edit": self._edit,
            "limit": self._edit,
            "time": self._edit,
            "regroup": self._edit,
        }
        return deeds.get(act.what, self._simple)(act)

    async def _simple(self, act: Act) -> None:
        who, child = self.people[act.who], self.children[act.who]
        ctx, made = Context(self.store, who, self.clock()), self.made.hangout_id
        eve = "eve@example.org"
        typed = TypedRsvp(status=STATUSES[act.how % 4], plus_guests=act.how // 4 % 3)
        match act.what:
            case "answer":
                await answer(ctx, who, made, typed)
            case "family":
                family = TypedRsvp(status=typed.status, companion_ids=[child.user_id])
                await answer(ctx, who, made, family)
            case "child":
                await answer(ctx, child, made, typed)
            case "withdraw":
                await withdraw(ctx, who if act.how % 2 else child, made)
            case "leave":
                await remove_rsvp(self.store, self.clock(), made, who.user_id)
            case "invite" if act.how % 2:
                await invite(ctx, made, eve)
            case "invite":
                invited = (await now_of(self.calm, self.made)).invited_user_ids
                await uninvite(ctx, made, invited[-1])
            case "cancel":
                await cancel(ctx, made)
            case "bring back":
                await bring_back(ctx, made)
            case "confirm":
                await confirm(ctx, made)
            case "unconfirm":
                await unconfirm(ctx, made)

    async def _edit(self, act: Act) -> None:
        now = await now_of(self.calm, self.made)
        time = starts_in(self.clock, DAY + act.how) if act.how % 3 else None
        groups = [one.group_id for one in self.groups[: act.how % 3]]
        changes: dict[str, dict[str, Any]] = {
            "limit": {"place_limit": act.how % 9 or None},
            "time": {"time": time},
            "regroup": {"group_ids": groups},
            "edit": {"title": f"Title {act.how}"},
        }
        ctx = Context(self.store, self.people[0], self.clock())
        await change_hangout(ctx, now.hangout_id, changes[act.what], version=now.version)

    async def _guest(self, act: Act) -> None:
        token = self.links.token(self.made) or ""
        visitor = GuestLinkVisitor(self.store, self.links, self.clock(), token, "203.0.113.5")
        given = TypedGuestRsvp(name="Jo", status=STATUSES[act.how % 4], plus_guests=act.how % 3)
        if self.codes and act.how % 2:
            code = self.codes[act.how % len(self.codes)]
            await change_as_guest(visitor, code, given if act.how % 3 else None)
            return
        answered = await answer_as_guest(visitor, given)
        self.codes.append(answered.change_code or "")


@settings(max_examples=examples(40), deadline=None)
@given(MOMENTS, st.integers(0, 2**32))
def test_what_is_stored_is_always_right(moments: list[list[Act]], seed: int) -> None:
    live_through(moments, seed, Crowd)


async def test_a_crowd_on_either_engine(store: Store, clock: Watch) -> None:
    crowd = Crowd(store, clock)
    await crowd.begin()
    whats = ["answer", "family", "guest", "limit", "child", "leave", "regroup", "time", "withdraw"]
    for number in range(4):
        acts = [
            Act(what, (place + number) % PEOPLE, 7 * place + number)
            for place, what in enumerate(whats)
        ]
        await crowd.live(acts)


SETTING = [
    Act("answer", 1, 0),
    Act("family", 2, 0),
    Act("guest", 0, 4),
    Act("answer", 3, 8),
    Act("child", 4, 0),
    Act("invite", 0, 1),
]
"""Ten people want a place: of six, some wait for one; of eleven, one is left."""
DEEDS = [
    Act("answer", 1, 4),
    Act("answer", 1, 3),
    Act("family", 4, 0),
    Act("family", 2, 3),
    Act("child", 2, 0),
    Act("child", 4, 3),
    Act("withdraw", 2, 1),
    Act("withdraw", 2, 0),
    Act("leave", 3, 0),
    Act("guest", 0, 8),
    Act("guest", 0, 7),
    Act("guest", 0, 9),
    Act("limit", 0, 7),
    Act("time", 0, 1),
    Act("regroup", 0, 2),
    Act("regroup", 0, 3),
    Act("invite", 0, 0),
    Act("edit", 0, 1),
    Act("cancel", 0, 0),
    Act("confirm", 0, 0),
]


@pytest.mark.parametrize("meanwhile", DEEDS, ids=lambda act: f"{act.what}-{act.who}-{act.how}")
async def test_whatever_happens_between_reading_and_writing_nothing_gets_wrong(
    embedded: Store, clock: Watch, meanwhile: Act
) -> None:
    crowd = Crowd(embedded, clock)
    await crowd.begin()
    plans = product(DEEDS, [(False, 6), (True, 6), (True, 11)])
    for deed, (is_on, places) in plans:
        crowd.store = embedded
        await crowd.plan(is_on=is_on, places=places)
        for act in SETTING:
            await crowd.do(act)
        happens = partial(copy(crowd).do, meanwhile)
        crowd.store = Meanwhile(embedded, happens, before_writing=Hangout)
        await crowd.do(deed)
        if "limit" not in (deed.what, meanwhile.what):
            assert (await now_of(embedded, crowd.made)).going_count <= places
    await check_hangouts(embedded.engine)
