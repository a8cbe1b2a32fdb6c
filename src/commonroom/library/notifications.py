"""What the library tells people: what was lent to them or shared, and what should be back."""

from __future__ import annotations

from commonroom.http.times import calendar_day
from commonroom.http.words import _, lazy, pluralize
from commonroom.notifications.notifications import Facts, Kind
from commonroom.notifications.preferences import Preference


def _overdue_title(facts: Facts) -> str:
    return _("%(title)s is overdue") % facts


def _overdue_text(facts: Facts) -> str:
    return _("Lent to %(borrower)s. It was due on %(due)s.") % _with_day(facts)


def _due_back_title(facts: Facts) -> str:
    return _("Please return %(title)s") % facts


def _due_back_text(facts: Facts) -> str:
    owner = facts["owner"] or _("Someone")
    return _("You borrowed it from %(owner)s. It was due on %(due)s.") % {
        **_with_day(facts),
        "owner": owner,
    }


def _with_day(facts: Facts) -> dict[str, str]:
    return {**facts, "due": calendar_day(facts["due"])}


def _by_owner(text: str, facts: Facts) -> str:
    return text % {**facts, "owner": facts["owner"] or _("Someone")}


def _lent_title(facts: Facts) -> str:
    return _by_owner(_("%(owner)s lent you %(title)s"), facts)


def _lent_text(_facts: Facts) -> str:
    return _("It’s among the things you’ve borrowed.")


def _shared_title(facts: Facts) -> str:
    return _by_owner(_("%(owner)s shares “%(library)s” with you"), facts)


def _shared_text(_facts: Facts) -> str:
    return _("Look around, and ask for what you’d like to borrow.")


def _several_lent(_facts: Facts, number: int) -> str:
    return pluralize("%(n)d thing was lent to you", "%(n)d things were lent to you", number)


def _several_overdue(_facts: Facts, number: int) -> str:
    return pluralize("%(n)d thing you lent is overdue", "%(n)d things you lent are overdue", number)


def _several_due_back(_facts: Facts, number: int) -> str:
    return pluralize("Please return %(n)d thing", "Please return %(n)d things", number)


OVERDUE = Kind(
    "library_overdue",
    _overdue_title,
    _overdue_text,
    Preference(
        "library_overdue",
        lazy("Lent and overdue"),
        lazy("Something you lent should be back by now."),
    ),
    several=_several_overdue,
)
DUE_BACK = Kind(
    "library_due_back",
    _due_back_title,
    _due_back_text,
    Preference(
        "library_due_back",
        lazy("Borrowed and overdue"),
        lazy("Something you borrowed should be back by now."),
    ),
    several=_several_due_back,
)

LENT = Kind(
    "library_lent",
    _lent_title,
    _lent_text,
    Preference(
        "library_lent",
        lazy("Lent to you"),
        lazy("Someone has lent you something."),
    ),
    several=_several_lent,
)
SHARED = Kind(
    "library_shared",
    _shared_title,
    _shared_text,
    Preference(
        "library_shared",
        lazy("Shared library"),
        lazy("Someone shares a library with you."),
    ),
)

KINDS = (OVERDUE, DUE_BACK, LENT, SHARED)
