"""What the library tells people: that something they lent or borrowed should be back."""

from __future__ import annotations

from commonroom.notify.notifications import Facts, Kind
from commonroom.notify.preferences import Preference
from commonroom.web.times import calendar_day
from commonroom.web.words import _, counted, later


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


def _several_overdue(_facts: Facts, number: int) -> str:
    return counted("%(n)d thing you lent is overdue", "%(n)d things you lent are overdue", number)


def _several_due_back(_facts: Facts, number: int) -> str:
    return counted("Please return %(n)d thing", "Please return %(n)d things", number)


OVERDUE = Kind(
    "library_overdue",
    _overdue_title,
    _overdue_text,
    Preference(
        "library_overdue",
        later("Lent and overdue"),
        later("Something you lent should be back by now."),
    ),
    several=_several_overdue,
)
DUE_BACK = Kind(
    "library_due_back",
    _due_back_title,
    _due_back_text,
    Preference(
        "library_due_back",
        later("Borrowed and overdue"),
        later("Something you borrowed should be back by now."),
    ),
    several=_several_due_back,
)

KINDS = (OVERDUE, DUE_BACK)
