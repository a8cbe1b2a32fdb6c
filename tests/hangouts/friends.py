"""People, groups and hangouts for the tests of the room, and what must always be true of them."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any, TypeVar
from uuid import uuid4

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as accounts
from commonroom.hangouts.notifications import ANSWERED
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.rules.rsvps import party_of, signals_of
from commonroom.hangouts.rules.times import entered_moment
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.groups import create_group
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.tables import (
    EnteredTime,
    FriendGroup,
    GroupMembership,
    GuestRsvp,
    Hangout,
    HangoutPerson,
    HangoutPointer,
    InvitationPointer,
    InviteCode,
    Rsvp,
    SeriesPointer,
    Venue,
    inviter,
)
from commonroom.hangouts.tables import tables as room
from commonroom.moments import iso
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.notifications.tables import tables as notify
from commonroom.store import Entity, Store, add, copied_fields, update
from commonroom.store.engine import Engine
from commonroom.store.streams import Worker, copy_consumers
from commonroom.store.streams.tables import tables as streams
from commonroom.store.values import Item
from commonroom.timers import Scheduler
from commonroom.timers.tables import tables as timers
from tests.accounts.people import Watch
from tests.support import people

E = TypeVar("E", bound=Entity)

TABLES = [*room, *accounts, *notify, *streams, *timers]
COPIES = [copy for table in TABLES for copy in table.copies if copy.on[0].schema.table is inviter]
HOUR, DAY = 3600, 24 * 3600
PUB = Venue(name="The pub", address="1 High Street")


somebody = partial(people.somebody, time_zone="Europe/Berlin")


async def child_of(store: Store, clock: Watch, parent: User, name: str) -> User:
    """A managed member of somebody's."""
    return await add_managed(Context(store, parent, clock()), display_name=name)


async def group_of(
    store: Store, clock: Watch, *people: User, name: str = "Friends", is_public: bool = False
) -> FriendGroup:
    """A group that the first of them made and the others joined."""
    first, *others = people
    group = await create_group(Context(store, first, clock()), name=name, is_public=is_public)
    code = await create_code(Context(store, first, clock()), group.group_id)
    for one in others:
        group = await join(Context(store, one, clock()), code.code)
    return group


async def hangout_of(
    store: Store, clock: Watch, maker: User, *groups: FriendGroup, **given: Any
) -> Hangout:
    """A hangout of somebody's: an idea, unless more is given."""
    fields = {"title": "Karaoke?", "group_ids": [one.group_id for one in groups], **given}
    known = given.get("invited_user_ids", ())
    return await create_hangout(
        Context(store, maker, clock()), HangoutDraft(**fields), acquainted=known
    )


def starts_in(clock: Watch, seconds: float, *, lasts: float | None = None) -> EnteredTime:
    """An exact time so many seconds from now."""
    start = int(clock() + seconds)
    return EnteredTime(
        start_time=entered_moment(start, "Europe/Berlin"),
        end_time=None if lasts is None else entered_moment(int(start + lasts), "Europe/Berlin"),
        time_zone="Europe/Berlin",
    )


async def tidied(store: Store, clock: Watch) -> None:
    """Lets everybody who follows changes do so, and what is due be done."""
    worker = Worker(store, [*copy_consumers(COPIES), *HANGOUTS.data.consumers], clock=clock)
    scheduler = Scheduler(store, HANGOUTS.data.timer_handlers, clock=clock)
    while await worker.drain() + await scheduler.once():
        pass


async def told(store: Store, person: User) -> list[str]:
    """The kinds of what somebody was told, besides answers to what they made."""
    kept = [one async for one in store.all(kept_for_person(user_id=person.user_id))]
    kinds = sorted(one.kind for one in kept if isinstance(one, Notification))
    return [one for one in kinds if one != ANSWERED.name]


async def now_of(store: Store, thing: E) -> E:
    """The same thing as it is stored now."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


async def everything_of(engine: Engine, *kinds: type[E]) -> list[E]:
    """All things of these kinds."""
    found: list[E] = []
    here = {kind.schema.kind: kind for kind in kinds}
    start: Item | None = None
    while True:
        rows = await engine.scan(inviter, limit=1000, start=start)
        for item in rows.items:
            kind = here.get(item["itemType"])
            found += [] if kind is None else [kind.from_item(item)]
        start = rows.next
        if start is None:
            return found


async def check_hangouts(engine: Engine) -> None:
    """Counts are exact, no place is given twice, nobody is counted twice, no pointer is stale."""
    answers: dict[str, list[Rsvp | GuestRsvp]] = defaultdict(list)
    for rsvp in await everything_of(engine, Rsvp):
        answers[rsvp.hangout_id].append(rsvp)
    for guest in await everything_of(engine, GuestRsvp):
        answers[guest.hangout_id].append(guest)
    hangouts = {one.hangout_id: one for one in await everything_of(engine, Hangout)}
    for hangout in hangouts.values():
        _check_counts(hangout, answers[hangout.hangout_id])
    await _check_pointers(engine, hangouts)


def _check_counts(hangout: Hangout, answers: list[Rsvp | GuestRsvp]) -> None:
    waiting = {one.answer_id: one.people for one in hangout.waiting}
    people = {"GOING": 0, "INTERESTED": 0, "NOT_GOING": 0}
    ids = set()
    for one in answers:
        answer_id = one.guest_id if isinstance(one, GuestRsvp) else one.user_id
        ids.add(answer_id)
        party = party_of(one)
        if party is None:
            continue
        if answer_id in waiting:
            assert (party.status, party.people) == ("GOING", waiting[answer_id])
        else:
            people[party.status] += party.people
    assert waiting.keys() <= ids, "nobody waits who has not answered"
    assert len(waiting) == len(hangout.waiting), "nobody waits twice"
    assert hangout.waiting_count == sum(waiting.values())
    counted = (hangout.going_count, hangout.interested_count, hangout.not_going_count)
    assert counted == tuple(people.values()), "counts are people"
    signals = [signals_of(one, hangout.created_by) for one in answers]
    assert hangout.going_rsvps == sum(one.going_rsvps for one in signals), "of who goes themselves"
    assert hangout.other_rsvps == sum(one.other_rsvps for one in signals), "of who did not make it"
    _check_companions(answers)
    limit = hangout.place_limit
    if limit is None:
        assert not waiting, "without a limit nobody waits"
    else:
        first = next((one for one in hangout.waiting if one.people <= limit), None)
        free = limit - hangout.going_count
        assert first is None or first.people > free, "no place is empty that somebody waits for"


def _check_companions(answers: list[Rsvp | GuestRsvp]) -> None:
    own = {one.user_id: one for one in answers if isinstance(one, Rsvp)}
    listed = {(child, one.user_id) for one in own.values() for child in one.companion_ids}
    along = {(one.user_id, one.with_user_id) for one in own.values() if one.with_user_id}
    assert listed == along, "whoever comes along is in that party, and in no other"


async def _check_pointers(engine: Engine, hangouts: dict[str, Hangout]) -> None:
    kinds = (HangoutPointer, InvitationPointer, SeriesPointer)
    found: list[Any] = [one for kind in kinds for one in await everything_of(engine, kind)]
    places = {one.ref.key for one in found}
    known = {
        ref.key
        for hangout in hangouts.values()
        for copy in inviter.copies
        if copy.of is Hangout and copy.known is not None
        for ref in copy.known(hangout)
    }
    assert places == known, "every pointer is known to its hangout, and there"
    for pointer in found:
        fields = copied_fields(hangouts[pointer.hangout_id], type(pointer))
        differing = {
            name: (getattr(pointer, name), value)
            for name, value in fields.items()
            if getattr(pointer, name) != value
        }
        assert not differing, "no pointer is stale"


async def check_groups(engine: Engine) -> None:
    """Numbers of members and admins are exact, every group has an admin, nobody is in none."""
    groups = {one.group_id: one for one in await everything_of(engine, FriendGroup)}
    memberships = await everything_of(engine, GroupMembership)
    inside: dict[str, list[GroupMembership]] = defaultdict(list)
    theirs: dict[str, set[str]] = defaultdict(set)
    for one in memberships:
        inside[one.group_id].append(one)
        theirs[one.user_id].add(one.group_id)
    assert inside.keys() == groups.keys(), "every group has members, and they have no others"
    for group_id, group in groups.items():
        admins = [one for one in inside[group_id] if one.role == "ADMIN"]
        assert (group.member_count, group.admin_count) == (len(inside[group_id]), len(admins))
        assert admins, "somebody is admin"
        assert {one.group_name for one in inside[group_id]} == {group.group_name}
    people = {one.user_id: one for one in await everything_of(engine, HangoutPerson)}
    known = {user_id: set(one.groups) for user_id, one in people.items() if one.groups}
    assert known == dict(theirs), "everybody knows their groups"
    assert all(one.group_count == len(one.groups) for one in people.values())
    codes = {one.code: one.group_id for one in await everything_of(engine, InviteCode)}
    listed = {code: one.group_id for one in groups.values() for code in one.invite_codes}
    assert codes == listed, "every code is known to its group"


async def crowd_of(store: Store, clock: Watch, group: FriendGroup, number: int) -> list[User]:
    """So many more members of a group, who were not made one by one."""
    people = [
        User(user_id=str(uuid4()), display_name=f"P{one}", created_at=iso(clock()))
        for one in range(number)
    ]
    memberships = [
        GroupMembership(
            group_id=group.group_id,
            user_id=one.user_id,
            group_name=group.group_name,
            user_name=one.display_name,
            joined_at=iso(clock()),
        )
        for one in people
    ]
    await store.engine.load(User.schema.table, [one.to_item() for one in people])
    theirs = {group.group_id: iso(clock())}
    known = [
        HangoutPerson(user_id=one.user_id, user_name=one.display_name, group_count=1, groups=theirs)
        for one in people
    ]
    await store.engine.load(inviter, [one.to_item() for one in [*memberships, *known]])
    await store.write(update(group.ref, member_count=add(number)))
    return people
