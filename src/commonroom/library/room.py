"""The library as the house knows it."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.rooms import Room, RoomData, RoomUse, joined
from commonroom.library import checks, data_export, notifications
from commonroom.library.consumers import imports, libraries, loans, news
from commonroom.library.joins import OFFERS
from commonroom.library.tables import Library, owner_id_of, tables
from commonroom.library.tables import libraries as libraries_of
from commonroom.store import Store


async def _is_used_by(store: Store, user_id: str) -> bool:
    return await store.first(libraries_of(owner_id=owner_id_of(user_id))) is not None


LIBRARY = Room(
    key="library",
    name=lazy("Library"),
    sentence=lazy("The books and films on our shelves: in collections, lent, returned, shared."),
    addresses=["/library"],
    package="commonroom.library",
    data=RoomData(
        tables=tables,
        consumers=[
            libraries.COLLECTIONS,
            libraries.LIBRARIES,
            libraries.ACCOUNTS,
            imports.IMPORTS,
            loans.LOANS,
            news.LENT,
            news.SHARED,
        ],
        timer_handlers=joined("timer", [loans.HANDLERS, imports.HANDLERS]),
        notification_kinds=notifications.KINDS,
        exports={"library": data_export.export_person},
        checks=checks.checks,
        checked_orphans=checks.ORPHANS,
        use=RoomUse(owners={Library: lambda one: one.account_id}, is_used_by=_is_used_by),
    ),
    offers=OFFERS,
    server="commonroom.library.server",
    demo="commonroom.library.demo",
)
