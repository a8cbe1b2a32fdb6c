"""Watchlists as the house knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonroom.watchlists import notifications, search_documents
from commonroom.watchlists.consumers import accounts, announcements, lists, people, titles, trending
from commonroom.watchlists.tables import tables
from commonroom.web.rooms import Room, joined
from commonroom.web.words import later

if TYPE_CHECKING:
    from litestar import Router


def _routers() -> list[Router]:
    # Only a server needs them: commands start faster without.
    from commonroom.watchlists.api import watchlists_api

    return [watchlists_api()]


WATCHLISTS = Room(
    key="watchlists",
    name=later("Watchlists"),
    sentence=later("Curated lists of films and shows: discover, follow, rate, discuss."),
    routers=_routers,
    tables=tables,
    consumers=[
        lists.DESCRIBED,
        lists.DELETED,
        lists.COLLABORATORS,
        announcements.ANNOUNCEMENTS,
        trending.SAVED,
        people.STEPS,
        people.COMMENTS,
        titles.TITLES,
        accounts.ACCOUNTS,
    ],
    timer_handlers=joined("timer", [lists.HANDLERS, announcements.HANDLERS, trending.HANDLERS]),
    notification_kinds=notifications.KINDS,
    search_documents=[search_documents.LISTS, search_documents.CURATORS],
)
