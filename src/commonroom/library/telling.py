"""What the library tells people: that something they lent or borrowed should be back."""

from __future__ import annotations

from commonroom.notify.kinds import Facts, Kind
from commonroom.web.words import _


def _overdue_title(facts: Facts) -> str:
    return _("%(title)s should be back") % facts


def _overdue_text(facts: Facts) -> str:
    return _("You lent it to %(borrower)s until %(due)s.") % facts


def _due_back_title(facts: Facts) -> str:
    return _("Please bring %(title)s back") % facts


def _due_back_text(facts: Facts) -> str:
    owner = facts["owner"] or _("Somebody")
    return _("%(owner)s lent it to you until %(due)s.") % {**facts, "owner": owner}


OVERDUE = Kind("library_overdue", _overdue_title, _overdue_text)
DUE_BACK = Kind("library_due_back", _due_back_title, _due_back_text)

KINDS = (OVERDUE, DUE_BACK)
