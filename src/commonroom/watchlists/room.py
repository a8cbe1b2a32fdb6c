"""Watchlists as the house knows them: still being built, so far only what is stored."""

from __future__ import annotations

from commonroom.watchlists import search_documents
from commonroom.watchlists.tables import tables
from commonroom.web.rooms import Room
from commonroom.web.words import later

WATCHLISTS = Room(
    key="watchlists",
    name=later("Watchlists"),
    sentence=later("Curated lists of films and shows: discover, follow, rate, discuss."),
    tables=tables,
    search_documents=[search_documents.LISTS, search_documents.CURATORS],
)
