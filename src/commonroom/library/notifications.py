"""What the library tells people: that something they lent or borrowed should be back."""

from __future__ import annotations

from commonroom.notify.notifications import Facts, Kind
from commonroom.web.times import calendar_day
from commonroom.web.words import _


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


OVERDUE = Kind("library_overdue", _overdue_title, _overdue_text)
DUE_BACK = Kind("library_due_back", _due_back_title, _due_back_text)

KINDS = (OVERDUE, DUE_BACK)
