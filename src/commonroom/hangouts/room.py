"""Hangouts as the house knows them."""

from __future__ import annotations

from commonroom.hangouts import checks, data_export, notifications
from commonroom.hangouts.consumers import (
    accounts,
    agenda,
    announcements,
    answer_news,
    carpool,
    children,
    ended_links,
    groups,
    hangouts,
    members,
    momentum,
    offers,
    poll_news,
    polls,
    resolved,
    rsvps,
    series,
)
from commonroom.hangouts.joins import OFFERS
from commonroom.hangouts.tables import GroupMembership, HangoutPerson, tables
from commonroom.http.words import lazy
from commonroom.joins.rooms import Room, RoomData, RoomUse, joined
from commonroom.store import Store


async def _is_used_by(store: Store, user_id: str) -> bool:
    person = await store.get(HangoutPerson.at(user_id=user_id))
    return person is not None and person.group_count > 0


HANGOUTS = Room(
    key="hangouts",
    name=lazy("Hangouts"),
    sentence=lazy("Groups of friends turn an idea into a plan."),
    addresses=["/hangouts", "/groups"],
    package="commonroom.hangouts",
    data=RoomData(
        tables=tables,
        consumers=[
            children.CHILDREN,
            hangouts.HANGOUTS,
            groups.GROUPS,
            members.MEMBERS,
            accounts.ACCOUNTS,
            announcements.ANNOUNCEMENTS,
            agenda.AGENDA,
            rsvps.ANSWERS,
            momentum.MOMENTUM,
            carpool.CARPOOL,
            offers.OFFERS,
            polls.POLLS,
            poll_news.POLL_NEWS,
            series.SERIES,
            resolved.RESOLVED,
            answer_news.ANSWER_NEWS,
        ],
        timer_handlers=joined(
            "timer",
            [
                accounts.HANDLERS,
                agenda.HANDLERS,
                ended_links.HANDLERS,
                announcements.HANDLERS,
                polls.HANDLERS,
                poll_news.HANDLERS,
                series.HANDLERS,
                resolved.HANDLERS,
            ],
        ),
        notification_kinds=notifications.KINDS,
        exports={"hangouts": data_export.export_person},
        checks=checks.checks,
        checked_orphans=checks.ORPHANS,
        use=RoomUse(
            owners={GroupMembership: lambda one: one.user_id},
            is_used_by=_is_used_by,
        ),
    ),
    offers=OFFERS,
    server="commonroom.hangouts.server",
    demo="commonroom.hangouts.demo",
)
