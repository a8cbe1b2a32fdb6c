"""What watchlists offer to others: here what any process may ask for, in `server.py` the rest."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.acquaintances import AcquaintanceSource
from commonroom.joins.menus import AdminPage, FirstStep, NewThing
from commonroom.joins.signup_invites import SignupInvites
from commonroom.joins.watched_titles import WatchedFollower
from commonroom.watchlists.joins.acquaintances import acquaintances
from commonroom.watchlists.joins.attachable_data import ATTACHABLE
from commonroom.watchlists.joins.search import CURATORS, LISTS, PLACES
from commonroom.watchlists.service.collaborators import signup_checks
from commonroom.watchlists.service.seen import follow_evenings, missing_marks

OFFERS = (
    AdminPage("/admin/curators", lazy("Curators"), "watchlists"),
    AdminPage("/admin/duplicates", lazy("Duplicates"), "watchlists"),
    FirstStep(
        "list",
        "/watchlists/new",
        "watchlists",
        lazy("Start a list"),
        lazy("Films and shows worth watching."),
    ),
    NewThing(
        name=lazy("List"),
        line=lazy("Films and shows worth watching."),
        icon="watchlists/list",
        address="/watchlists/new",
    ),
    LISTS,
    CURATORS,
    *PLACES,
    SignupInvites(signup_checks),
    AcquaintanceSource(acquaintances),
    ATTACHABLE,
    WatchedFollower(follow=follow_evenings, missing=missing_marks),
)
