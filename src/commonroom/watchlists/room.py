"""Watchlists as the house knows them."""

from __future__ import annotations

from commonroom.watchlists import notifications, search_documents
from commonroom.watchlists.consumers import accounts, announcements, lists, people, titles, trending
from commonroom.watchlists.tables import tables
from commonroom.web.rooms import Room, joined
from commonroom.web.words import later

WATCHLISTS = Room(
    key="watchlists",
    name=later("Watchlists"),
    sentence=later("Curated lists of films and shows: discover, follow, rate, discuss."),
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
