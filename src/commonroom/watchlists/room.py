"""Watchlists as the house knows them: still being built, so far only what is stored."""

from __future__ import annotations

from commonroom.watchlists import checks
from commonroom.watchlists.consumers import opinions
from commonroom.watchlists.service.opinions_export import export_opinions
from commonroom.watchlists.service.seen import follow_evenings, missing_marks
from commonroom.watchlists.tables import tables
from commonroom.web.rooms import Room
from commonroom.web.watched_titles import WatchedFollower
from commonroom.web.words import later

WATCHLISTS = Room(
    key="watchlists",
    name=later("Watchlists"),
    sentence=later("Curated lists of films and shows: discover, follow, rate, discuss."),
    tables=tables,
    consumers=[opinions.ACCOUNTS, opinions.TITLES],
    checks=checks.checks,
    data_export={"opinions": export_opinions},
    watched_follower=WatchedFollower(follow=follow_evenings, missing=missing_marks),
)
