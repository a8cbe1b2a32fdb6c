"""Shareables as the house knows them."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.rooms import Room, RoomData, RoomUse, joined
from commonroom.shareables import (
    checks,
    consumers,
    data_export,
    maker_news,
    notifications,
)
from commonroom.shareables.joins import OFFERS
from commonroom.shareables.tables import ShareableBookmark, kept_pages, tables
from commonroom.store import Store


async def _is_used_by(store: Store, user_id: str) -> bool:
    return await store.first(kept_pages(user_id=user_id)) is not None


SHAREABLES = Room(
    key="shareables",
    name=lazy("Shareables"),
    sentence=lazy("Checklists, events and polls that anyone can open, behind a short link."),
    addresses=["/s"],
    for_guests=True,
    package="commonroom.shareables",
    data=RoomData(
        tables=tables,
        consumers=[
            consumers.PAGES,
            consumers.PEOPLE,
            consumers.ANSWERS,
            maker_news.ANSWER_NEWS,
            maker_news.PAGE_NEWS,
        ],
        timer_handlers=joined("timer", [consumers.HANDLERS, maker_news.HANDLERS]),
        notification_kinds=notifications.KINDS,
        exports={"shareables": data_export.export_person},
        checks=checks.checks,
        use=RoomUse(owners={ShareableBookmark: lambda one: one.user_id}, is_used_by=_is_used_by),
    ),
    offers=OFFERS,
    server="commonroom.shareables.server",
    demo="commonroom.shareables.demo",
)
