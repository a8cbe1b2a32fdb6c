"""What watchlists tell people: of curators, of new lists, and of what others do on lists."""

from __future__ import annotations

from commonroom.http.words import _, join_names, lazy
from commonroom.notifications.kinds import Facts, Kind, Plural
from commonroom.notifications.preferences import Preference

NEW_TITLES = Plural("%(n)d new title on “%(list)s”", "%(n)d new titles on “%(list)s”", "n")


def _updated_text(facts: Facts) -> str:
    names = facts["titles"].split("\n")
    more = int(facts["n"]) - len(names)
    return join_names([*names, _("%(n)d more") % {"n": more}] if more > 0 else names)


APPLIED = Kind(
    "watchlist_application",
    lazy("%(who)s wants to publish lists"),
    lazy("Read the application and decide."),
    several=Plural("%(n)d person wants to publish lists", "%(n)d people want to publish lists"),
)
APPROVED = Kind(
    "watchlist_approved",
    lazy("You are a curator now"),
    lazy("Your new lists are public unless you make them private."),
)
DECLINED = Kind(
    "watchlist_declined",
    lazy("Your application was declined"),
    lazy("%(reason)s You can apply again."),
)
SUSPENDED = Kind(
    "watchlist_suspended",
    lazy("You can no longer publish lists"),
    lazy("Others do not come across your lists for now. Reason: %(reason)s"),
)
REINSTATED = Kind(
    "watchlist_reinstated",
    lazy("You can publish lists again"),
    lazy("Your public lists can be discovered again."),
)
NEW_LIST = Kind(
    "watchlist_new_list",
    lazy("New list by %(who)s"),
    "%(list)s",
    Preference(
        "watchlist_new_list",
        lazy("New list"),
        lazy("A curator you follow has published a list."),
    ),
    several=Plural("%(n)s new list by %(who)s", "%(n)s new lists by %(who)s"),
    thing="lists by %(who)s",
)
COMMENTED = Kind(
    "watchlist_comment",
    lazy("New comment on %(list)s"),
    lazy("%(who)s wrote: %(text)s"),
    Preference(
        "watchlist_comment",
        lazy("Comment on your list"),
        lazy("Someone has commented on one of your lists."),
    ),
    several=Plural("%(n)d new comment on %(list)s", "%(n)d new comments on %(list)s"),
)
JOINED = Kind(
    "watchlist_joined",
    lazy("%(who)s joined %(list)s"),
    lazy("They can add titles, write notes and change the order."),
    Preference(
        "watchlist_joined",
        lazy("New collaborator"),
        lazy("Someone has joined one of your lists."),
    ),
    several=Plural("%(n)d person joined %(list)s", "%(n)d people joined %(list)s"),
)
UPDATED = Kind(
    "watchlist_update",
    NEW_TITLES,
    _updated_text,
    Preference(
        "watchlist_update",
        lazy("New titles"),
        lazy("Titles were added to a list you follow; once a day at most for each list."),
        channels=frozenset({"list", "push"}),
    ),
    # The newest tells of all that is new since the last visit.
    several=NEW_TITLES,
)

KINDS = (
    *(APPLIED, APPROVED, DECLINED, SUSPENDED, REINSTATED),
    *(NEW_LIST, UPDATED, COMMENTED, JOINED),
)
