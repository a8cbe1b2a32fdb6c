"""What is measured of hangouts: a group's feed, a person's own list, and one with its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any
from uuid import UUID

from msgspec import Struct

from benchmarks.rooms.declare import SMALL, Address, BareFile, Handler, House, RoomViews, View
from commonroom.accounts.tables import User, users
from commonroom.hangouts.api import lists, rsvps
from commonroom.hangouts.api.hangouts import WholeHangout
from commonroom.hangouts.api.time_and_place import Time as TimeView
from commonroom.hangouts.api.time_and_place import VenueView as PlaceView
from commonroom.hangouts.rules.times import MAX_DURATION, entered_moment
from commonroom.hangouts.service.pointers import new_pointers
from commonroom.hangouts.tables import (
    LAST_DAY,
    WITHOUT_DAY,
    EnteredTime,
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutPerson,
    Momentum,
    Rsvp,
    RsvpStatus,
    Venue,
    Visibility,
    inviter,
)
from commonroom.moments import iso
from commonroom.store import Entity, create

FEED, GROUPS, OWN, ANSWERS = 50, 10, 50, 40
DAY = 24 * 3600
AT = "2026-05-31T18:00:00.000Z"
BUSY, MAKER, *OTHERS = (
    User(
        user_id=str(UUID(int=7000 + number)),
        display_name=f"Kim {number}",
        email=f"kim.{number}@example.org",
        created_at=AT,
        time_zone="Europe/Paris",
    )
    for number in range(ANSWERS + 1)
)
READER = OTHERS[0]
"""Whose group it is that has the feed; the busy one is in ten others."""


def group_id(number: int) -> str:
    """A group's id; number 0 has the feed."""
    return str(UUID(int=8000 + number))


async def furnish(house: House) -> Mapping[str, Address]:
    """A group with a busy year, and somebody with ten groups."""
    await house.store.write(*map(create, [BUSY, MAKER, *OTHERS]))
    of_group = hangouts(house.now, group_id(0), FEED)
    own = [
        one
        for number in range(GROUPS)
        for one in hangouts(house.now, group_id(1 + number), OWN // GROUPS, 100 * (1 + number))
    ]
    things: list[Entity] = [
        *groups(GROUPS + 1),
        *(membership(0, one) for one in (MAKER, *OTHERS)),
        *(membership(1 + number, BUSY) for number in range(GROUPS)),
        HangoutPerson(
            user_id=BUSY.user_id, groups={group_id(1 + number): AT for number in range(GROUPS)}
        ),
        *(one for hangout in [*of_group, *own] for one in (hangout, *new_pointers(hangout))),
        *(rsvp(one, READER) for one in of_group[1:]),
        *(rsvp(one, BUSY) for one in own),
        *(rsvp(of_group[0], one) for one in (MAKER, *OTHERS)),
    ]
    await house.store.engine.load(inviter, [one.to_item() for one in things])
    reader, busy = await house.cookie(READER), await house.cookie(BUSY)
    return {
        "group-feed": Address(f"/api/v1/groups/{group_id(0)}/feed", reader),
        "own-hangouts": Address("/api/v1/hangouts/upcoming", busy),
        "hangout": Address(f"/api/v1/hangouts/{of_group[0].hangout_id}", reader),
    }


def groups(number: int) -> Iterator[FriendGroup]:
    """So many groups."""
    for one in range(number):
        yield FriendGroup(
            group_id=group_id(one),
            group_name=f"Group {one}",
            created_by=MAKER.user_id,
            created_at=AT,
            updated_at=AT,
            member_count=ANSWERS,
        )


def membership(number: int, person: User) -> GroupMembership:
    """Somebody in a group."""
    return GroupMembership(
        group_id=group_id(number),
        user_id=person.user_id,
        group_name=f"Group {number}",
        user_name=person.display_name,
        joined_at=AT,
    )


def hangouts(now: float, of: str, number: int, first: int = 0) -> list[Hangout]:
    """So many hangouts of a group in the weeks to come, which are on."""
    return [_hangout(now, of, first + one, first + one) for one in range(number)]


def _hangout(now: float, of: str, number: int, days: int) -> Hangout:
    start = int(now) + (1 + days % 300) * DAY
    return Hangout(
        hangout_id=str(UUID(int=9_000_000 + number)),
        title=f"What we do on day {number}",
        description="Bring a **friend**, and something to sit on.",
        time=EnteredTime(
            start_time=entered_moment(start, "Europe/Paris"), time_zone="Europe/Paris"
        ),
        start_timestamp=start,
        end_timestamp=start + 7200,
        place=Venue(name="The old mill", address="12 River Lane"),
        picture="picnic",
        group_ids=[of],
        invited_user_ids=[MAKER.user_id],
        created_by=MAKER.user_id,
        created_at=iso(now),
        updated_at=iso(now),
        going_count=ANSWERS,
        momentum="CONFIRMED",
        audience=ANSWERS,
    )


def rsvp(of: Hangout, person: User) -> Rsvp:
    """Somebody's answer."""
    return Rsvp(
        hangout_id=of.hangout_id,
        user_id=person.user_id,
        user_name=person.display_name,
        status="GOING",
        note="I bring a cake." if person is MAKER else None,
        created_at=AT,
        updated_at=AT,
    )


class StoredTime(Struct, rename="camel"):
    """A time as it is stored."""

    start_time: str | None = None
    end_time: str | None = None
    period: Any = None
    period_start: str | None = None
    time_zone: str | None = None


class StoredPlace(Struct, rename="camel"):
    """A place as it is stored."""

    name: str
    address: str | None = None
    url: str | None = None
    notes: str | None = None
    place_id: str | None = None


class StoredSummary(Struct, rename="camel", kw_only=True):
    """What is stored of a hangout in lists."""

    hangout_id: str
    title: str
    created_by: str
    created_at: str
    time: StoredTime | None = None
    start_timestamp: int | None = None
    end_timestamp: int | None = None
    place: StoredPlace | None = None
    picture: str | None = None
    visibility: Visibility = "INVITE_ONLY"
    group_ids: list[str] = []
    series_id: str | None = None
    cancelled_at: str | None = None
    momentum: Momentum = "BUILDING"
    going_count: int = 0
    interested_count: int = 0
    not_going_count: int = 0
    waiting_count: int = 0
    place_limit: int | None = None


class StoredPointer(StoredSummary, kw_only=True):
    """A pointer as it is stored."""

    hangout_version: int = 1


class StoredHangout(StoredSummary, tag_field="itemType", tag="HANGOUT", kw_only=True):
    """A hangout as it is stored."""

    description: str | None = None
    link: str | None = None
    occurrence: str | None = None
    version: int = 1


class StoredAnswer(Struct, rename="camel", tag_field="itemType", tag="RSVP", kw_only=True):
    """An answer as it is stored."""

    user_id: str
    status: RsvpStatus
    created_at: str
    updated_at: str
    user_name: str | None = None
    note: str | None = None
    plus_guests: int = 0
    companion_ids: list[str] = []
    with_user_id: str | None = None


class StoredName(Struct):
    """Somebody's name."""

    user_id: str
    display_name: str


class StoredMembership(Struct, rename="camel"):
    """Which group somebody is in."""

    group_id: str


IN_FEED = """
SELECT _item FROM "InviterTable" WHERE "PK" = ? AND "SK" >= 'HANGOUT#' AND "SK" < 'HANGOUT$'
ORDER BY "SK" DESC LIMIT 101
"""
ON_HANGOUT = 'SELECT _item FROM "InviterTable" WHERE "PK" = ? ORDER BY "SK" LIMIT 251'
MINE = """
SELECT _item FROM "InviterTable" WHERE "gsi1pk" = ? AND "gsi1sk" >= 'GROUP#' AND "gsi1sk" < 'GROUP$'
ORDER BY "gsi1sk", "PK", "SK" LIMIT 51
"""
AFTER = """
SELECT _item FROM "InviterTable" WHERE "gsi1pk" = ? AND "startTimestamp" > ?
ORDER BY "startTimestamp", "PK", "SK" LIMIT 53
"""
AGENDA = """
SELECT _item FROM "InviterTable" WHERE "gsi1pk" = ? AND "startTimestamp" BETWEEN ? AND ?
ORDER BY "startTimestamp", "PK", "SK" LIMIT ?
"""


def bare_feed(file: BareFile) -> Handler:
    """A group's feed."""
    has, pointers = file.has(inviter), file.query(IN_FEED, StoredPointer)
    listed = _listing(file, READER.user_id)

    def handler(path: str) -> object:
        of = f"GROUP#{path.split('/')[-2]}"
        assert has(of, "METADATA")
        assert has(of, f"USER#{READER.user_id}")
        return _feed(listed(pointers(of)), has_earlier=False)

    return handler


def bare_own(file: BareFile) -> Handler:
    """What comes up for somebody with ten groups."""
    mine, has = file.query(MINE, StoredMembership), file.has(inviter)
    after, agenda = file.query(AFTER, StoredPointer), file.query(AGENDA, StoredPointer)
    listed = _listing(file, BUSY.user_id)

    def handler(_: str) -> object:
        found = mine(f"USER#{BUSY.user_id}")
        partitions = [*(f"GROUP#{one.group_id}" for one in found), f"USER#{BUSY.user_id}"]
        since = 1_000_000_000
        rows = {row.hangout_id: row for of in partitions for row in after(of, since)}
        assert not agenda(f"AGENDA#{BUSY.user_id}", since - MAX_DURATION, since, 9)
        assert not agenda(f"AGENDA#{BUSY.user_id}", LAST_DAY, WITHOUT_DAY, 28)
        assert has(f"USER#{BUSY.user_id}", "METADATA")
        return _feed(listed(list(rows.values())), has_earlier=True)

    return handler


def bare_hangout(file: BareFile) -> Handler:
    """A hangout with its answers."""
    things = file.query(ON_HANGOUT, StoredHangout | StoredAnswer)
    has, name = file.has(inviter), file.get(users, StoredName)

    def handler(path: str) -> object:
        hangout, *answers = things(f"EVENT#{path.rpartition('/')[2]}")
        for of in hangout.group_ids:
            assert has(f"GROUP#{of}", f"USER#{READER.user_id}")
            assert has(f"GROUP#{of}", "METADATA")
        maker = name(hangout.created_by)
        answers.sort(key=attrgetter("created_at"))
        mine = next(one for one in answers if one.user_id == READER.user_id)
        return WholeHangout(
            **_summary(hangout),
            made_by=maker.display_name,
            my_status=mine.status,
            is_waiting=False,
            version=hangout.version,
            description=hangout.description,
            link=hangout.link,
            occurrence=hangout.occurrence,
            repetition=None,
            part=None,
            parts=[],
            waiting=[],
            answers=[_answer(one) for one in answers],
            polls=[],
            bring_list=[],
            invited=[],
            cars=[],
            needed_rides=[],
            ticket_link=None,
            ticket_price=None,
            tickets=[],
            offers=[],
            messages=[],
            message_count=0,
            may_edit=True,
            may_manage=False,
            guest_link=None,
        )

    return handler


def _listing(
    file: BareFile, me: str
) -> Callable[[Sequence[StoredPointer]], list[lists.HangoutView]]:
    """Rows in the order of time, with somebody's answers and the makers' names."""
    answer, name = file.get(inviter, StoredAnswer), file.get(users, StoredName)

    def listed(rows: Iterable[StoredPointer]) -> list[lists.HangoutView]:
        rows = sorted(rows, key=attrgetter("start_timestamp", "hangout_id"))
        answers = [answer(f"EVENT#{one.hangout_id}", f"RSVP#{me}") for one in rows]
        names = {one: name(one).display_name for one in {row.created_by for row in rows}}
        return [
            lists.HangoutView(
                **_summary(row),
                made_by=names[row.created_by],
                my_status=mine.status,
                is_waiting=False,
                version=row.hangout_version,
            )
            for row, mine in zip(rows, answers, strict=True)
        ]

    return listed


def _feed(upcoming: list[lists.HangoutView], *, has_earlier: bool) -> lists.HangoutFeedView:
    return lists.HangoutFeedView([], upcoming, [], has_earlier, None, None)


def _summary(row: StoredSummary) -> dict[str, Any]:
    return {
        "hangout_id": row.hangout_id,
        "title": row.title,
        "time": row.time and _time(row.time),
        "start_timestamp": row.start_timestamp,
        "end_timestamp": row.end_timestamp,
        "place": row.place and _place(row.place),
        "picture": row.picture,
        "visibility": row.visibility,
        "group_ids": row.group_ids,
        "series_id": row.series_id,
        "created_by": row.created_by,
        "created_at": row.created_at,
        "cancelled_at": row.cancelled_at,
        "momentum": row.momentum,
        "is_quiet": False,
        "going_count": row.going_count,
        "interested_count": row.interested_count,
        "not_going_count": row.not_going_count,
        "waiting_count": row.waiting_count,
        "place_limit": row.place_limit,
    }


def _time(one: StoredTime) -> TimeView:
    return TimeView(one.start_time, one.end_time, one.period, one.period_start, one.time_zone)


def _place(one: StoredPlace) -> PlaceView:
    return PlaceView(one.name, one.address, one.url, one.notes, one.place_id)


def _answer(one: StoredAnswer) -> rsvps.RsvpView:
    return rsvps.RsvpView(
        answer_id=one.user_id,
        name=one.user_name,
        is_guest=False,
        status=one.status,
        is_waiting=False,
        note=one.note,
        plus_guests=one.plus_guests,
        companion_ids=one.companion_ids,
        comes_with=one.with_user_id,
        updated_at=one.updated_at,
    )


HANGOUTS = RoomViews(
    room="hangouts",
    furnish=furnish,
    views=(
        View(
            key="group-feed",
            name=f"a group’s feed of {FEED} hangouts",
            sentence=(
                "A member reads what comes up in a group, with their own answers: a query, "
                f"and {FEED} answers, the maker, the group and the membership by key."
            ),
            bare=bare_feed,
        ),
        View(
            key="own-hangouts",
            name=f"{OWN} upcoming hangouts of {GROUPS} groups",
            sentence=(
                f"Somebody in {GROUPS} groups reads all that comes up for them: "
                f"{3 + GROUPS + 1} queries, and {OWN + 2} things by key."
            ),
            bare=bare_own,
        ),
        View(
            key="hangout",
            busy_at_least=SMALL,
            name=f"a hangout with {ANSWERS} answers",
            sentence=(
                "A member reads a hangout with everything on it: a query, and its group, "
                "their membership and its maker by key."
            ),
            bare=bare_hangout,
        ),
    ),
)
