"""Loans in the reader's words: when something is due, and how long somebody had it."""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.web.words import _, counted, later

FLASH_TEXTS: Mapping[str, str] = {
    "lent": later("Lent. You can see everything you have lent under Loans."),
    "returned": later("Welcome back! Marked as returned."),
    "due-saved": later("Due date saved."),
    "due-removed": later("Due date removed."),
    "history-cleared": later("Loan history cleared."),
}

DAY = 86_400
WEEK, MONTH, YEAR = 7, 30.44, 365.25
"""In days."""


def due(days: int) -> str:
    """When something is due that should be back in so many days; overdue where that is below 0."""
    if days < 0:
        return counted("%(n)d day overdue", "%(n)d days overdue", -days)
    if days == 0:
        return _("due today")
    if days == 1:
        return _("due tomorrow")
    return counted("due in %(n)d day", "due in %(n)d days", days)


def lasted(seconds: float) -> str:
    """How long something was lent, as one would say it."""
    days = seconds / DAY
    if days < 1:
        return _("less than a day")
    if days < 2 * WEEK:
        return counted("%(n)d day", "%(n)d days", int(days))
    if days < 3 * MONTH:
        return counted("%(n)d week", "%(n)d weeks", int(days / WEEK))
    if days < 2 * YEAR:
        return counted("%(n)d month", "%(n)d months", int(days / MONTH))
    return counted("%(n)d year", "%(n)d years", int(days / YEAR))
