"""What the library tells people: what was lent to them or shared, and what should be back."""

from __future__ import annotations

from commonroom.http.times import calendar_day
from commonroom.http.words import lazy
from commonroom.notifications.kinds import Facts, Kind, Plural, say
from commonroom.notifications.preferences import Preference


def _overdue_text(facts: Facts) -> str:
    text = lazy("Lent to %(borrower)s. It was due on %(due)s.")
    return say(text, {**facts, "due": calendar_day(facts["due"])})


def _due_back_text(facts: Facts) -> str:
    text = lazy("You borrowed it from %(owner)s. It was due on %(due)s.")
    return say(text, {**facts, "due": calendar_day(facts["due"])})


OVERDUE = Kind(
    "library_overdue",
    lazy("%(title)s is overdue"),
    _overdue_text,
    Preference(
        "library_overdue",
        lazy("Lent and overdue"),
        lazy("Something you lent should be back by now."),
    ),
    several=Plural("%(n)d thing you lent is overdue", "%(n)d things you lent are overdue"),
)
DUE_BACK = Kind(
    "library_due_back",
    lazy("Please return %(title)s"),
    _due_back_text,
    Preference(
        "library_due_back",
        lazy("Borrowed and overdue"),
        lazy("Something you borrowed should be back by now."),
    ),
    several=Plural("Please return %(n)d thing", "Please return %(n)d things"),
)

LENT = Kind(
    "library_lent",
    lazy("%(owner)s lent you %(title)s"),
    lazy("It’s among the things you’ve borrowed."),
    Preference(
        "library_lent",
        lazy("Lent to you"),
        lazy("Someone has lent you something."),
    ),
    several=Plural("%(n)d thing was lent to you", "%(n)d things were lent to you"),
)
SHARED = Kind(
    "library_shared",
    lazy("%(owner)s shares “%(library)s” with you"),
    lazy("Look around, and ask for what you’d like to borrow."),
    Preference(
        "library_shared",
        lazy("Shared library"),
        lazy("Someone shares a library with you."),
    ),
)

KINDS = (OVERDUE, DUE_BACK, LENT, SHARED)
