"""Watchlists as the house knows them."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.rooms import Room, RoomData, RoomUse, joined
from commonroom.store import Store
from commonroom.watchlists import checks, data_export, notifications
from commonroom.watchlists.consumers import (
    accounts,
    announcements,
    imports,
    list_updates,
    lists,
    opinions,
    people,
    titles,
    trending,
)
from commonroom.watchlists.joins import OFFERS
from commonroom.watchlists.tables import (
    Collaboration,
    OwnedList,
    SavedWatchlist,
    collaborations,
    owned_lists,
    saved_watchlists,
    tables,
)


async def _is_used_by(store: Store, user_id: str) -> bool:
    for of_user in (owned_lists, collaborations, saved_watchlists):
        if await store.first(of_user(user_id=user_id)) is not None:
            return True
    return False


WATCHLISTS = Room(
    key="watchlists",
    name=lazy("Watchlists"),
    sentence=lazy("Curated lists of films and shows: discover, follow, rate, discuss."),
    addresses=["/watchlists", "/lists", "/curators"],
    for_guests=True,
    package="commonroom.watchlists",
    data=RoomData(
        tables=tables,
        consumers=[
            lists.DESCRIBED,
            lists.DELETED,
            lists.COLLABORATORS,
            announcements.ANNOUNCEMENTS,
            list_updates.UPDATES,
            trending.SAVED,
            people.CURATOR_NEWS,
            people.COMMENTS,
            titles.TITLES,
            accounts.ACCOUNTS,
            opinions.ACCOUNTS,
            opinions.TITLES,
            imports.IMPORTS,
        ],
        timer_handlers=joined(
            "timer",
            [
                lists.HANDLERS,
                announcements.HANDLERS,
                list_updates.HANDLERS,
                trending.HANDLERS,
                titles.HANDLERS,
            ],
        ),
        title_timer_handlers=imports.handlers,
        notification_kinds=notifications.KINDS,
        exports={
            "watchlists": data_export.export_person,
            "opinions": data_export.export_opinions,
            "watchlists_import": data_export.export_import,
        },
        checks=checks.checks,
        use=RoomUse(
            owners={
                OwnedList: lambda one: one.user_id,
                Collaboration: lambda one: one.user_id,
                SavedWatchlist: lambda one: one.user_id,
            },
            is_used_by=_is_used_by,
        ),
    ),
    offers=OFFERS,
    server="commonroom.watchlists.server",
    demo="commonroom.watchlists.demo",
)
