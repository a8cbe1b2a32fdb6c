"""What watchlists tell people: of curators, of new lists, and of what others do on lists."""

from __future__ import annotations

from commonroom.http.words import _, join_names, lazy, ngettext, pluralize
from commonroom.notifications.notifications import Facts, Kind
from commonroom.notifications.preferences import Preference


def _fill_in(text: str, facts: Facts) -> str:
    return text % {**facts, "who": facts.get("who") or _("Someone")}


def _applied_title(facts: Facts) -> str:
    return _fill_in(_("%(who)s wants to publish lists"), facts)


def _applied_text(_facts: Facts) -> str:
    return _("Read the application and decide.")


def _approved_title(_facts: Facts) -> str:
    return _("You are a curator now")


def _approved_text(_facts: Facts) -> str:
    return _("Your new lists are public unless you make them private.")


def _declined_title(_facts: Facts) -> str:
    return _("Your application was declined")


def _declined_text(facts: Facts) -> str:
    return _("%(reason)s You can apply again.") % facts


def _suspended_title(_facts: Facts) -> str:
    return _("You can no longer publish lists")


def _suspended_text(facts: Facts) -> str:
    return _("Others do not come across your lists for now. Reason: %(reason)s") % facts


def _reinstated_title(_facts: Facts) -> str:
    return _("You can publish lists again")


def _reinstated_text(_facts: Facts) -> str:
    return _("Your public lists can be discovered again.")


def _new_list_title(facts: Facts) -> str:
    return _fill_in(_("New list by %(who)s"), facts)


def _new_list_text(facts: Facts) -> str:
    return facts["list"]


def _comment_title(facts: Facts) -> str:
    return _("New comment on %(list)s") % facts


def _comment_text(facts: Facts) -> str:
    return _fill_in(_("%(who)s wrote: %(text)s"), facts)


def _joined_title(facts: Facts) -> str:
    return _fill_in(_("%(who)s joined %(list)s"), facts)


def _joined_text(_facts: Facts) -> str:
    return _("They can add titles, write notes and change the order.")


def _several_applied(_facts: Facts, number: int) -> str:
    return pluralize(
        "%(n)d person wants to publish lists", "%(n)d people want to publish lists", number
    )


def _several_lists(facts: Facts, number: int) -> str:
    text = ngettext("%(n)s new list by %(who)s", "%(n)s new lists by %(who)s", number)
    return _fill_in(text, {**facts, "n": str(number)})


def _several_comments(facts: Facts, number: int) -> str:
    text = ngettext("%(n)d new comment on %(list)s", "%(n)d new comments on %(list)s", number)
    return text % {**facts, "n": number}


def _several_joined(facts: Facts, number: int) -> str:
    text = ngettext("%(n)d person joined %(list)s", "%(n)d people joined %(list)s", number)
    return text % {**facts, "n": number}


def _updated_title(facts: Facts) -> str:
    number = int(facts["n"])
    text = ngettext("%(n)d new title on “%(list)s”", "%(n)d new titles on “%(list)s”", number)
    return text % {**facts, "n": number}


def _updated_text(facts: Facts) -> str:
    names = facts["titles"].split("\n")
    more = int(facts["n"]) - len(names)
    return join_names([*names, _("%(n)d more") % {"n": more}] if more > 0 else names)


def _several_updates(facts: Facts, _number: int) -> str:
    # The newest tells of all that is new since the last visit.
    return _updated_title(facts)


def _curator(facts: Facts) -> str:
    return f"lists by {facts['who']}"


APPLIED = Kind("watchlist_application", _applied_title, _applied_text, several=_several_applied)
APPROVED = Kind("watchlist_approved", _approved_title, _approved_text)
DECLINED = Kind("watchlist_declined", _declined_title, _declined_text)
SUSPENDED = Kind("watchlist_suspended", _suspended_title, _suspended_text)
REINSTATED = Kind("watchlist_reinstated", _reinstated_title, _reinstated_text)
NEW_LIST = Kind(
    "watchlist_new_list",
    _new_list_title,
    _new_list_text,
    Preference(
        "watchlist_new_list",
        lazy("New list"),
        lazy("A curator you follow has published a list."),
    ),
    several=_several_lists,
    thing=_curator,
)
COMMENTED = Kind(
    "watchlist_comment",
    _comment_title,
    _comment_text,
    Preference(
        "watchlist_comment",
        lazy("Comment on your list"),
        lazy("Someone has commented on one of your lists."),
    ),
    several=_several_comments,
)
JOINED = Kind(
    "watchlist_joined",
    _joined_title,
    _joined_text,
    Preference(
        "watchlist_joined",
        lazy("New collaborator"),
        lazy("Someone has joined one of your lists."),
    ),
    several=_several_joined,
)
UPDATED = Kind(
    "watchlist_update",
    _updated_title,
    _updated_text,
    Preference(
        "watchlist_update",
        lazy("New titles"),
        lazy("Titles were added to a list you follow; once a day at most for each list."),
        channels=frozenset({"list", "push"}),
    ),
    several=_several_updates,
)

KINDS = (
    *(APPLIED, APPROVED, DECLINED, SUSPENDED, REINSTATED),
    *(NEW_LIST, UPDATED, COMMENTED, JOINED),
)
