"""How something repeats: read from a form, and in words."""

from __future__ import annotations

from typing import Any

from commonroom.errors import InvalidField
from commonroom.hangouts import words
from commonroom.hangouts.tables import Hangout, Repetition, Series
from commonroom.http.times import calendar_day
from commonroom.http.words import _, pluralize

ERROR_FIELDS = {
    "repetition.frequency": "repeats",
    "repetition.times": "repeats",
    "repetition.until": "repeats_until",
}
"""Where forms show what is wrong with how something repeats."""


def read_repetition(repeats: str, until: str) -> Repetition | None:
    """Returns what a form says; None where it does not repeat."""
    if not repeats:
        return None
    if repeats not in words.FREQUENCIES:
        raise InvalidField("repeats", "Choose how often.")
    frequency: Any = repeats
    return Repetition(frequency=frequency, until=until.strip() or None)


def repeats_in_words(series: Series | None) -> str:
    """Returns how a hangout repeats; empty where it does not, or no longer."""
    if series is None:
        return ""
    how = series.repetition
    said = _(words.FREQUENCIES[how.frequency])
    if how.until is not None:
        return _("%(how)s, until %(day)s") % {"how": said, "day": calendar_day(how.until)}
    if how.times is not None:
        return f"{said}, {pluralize('%(n)d time', '%(n)d times', how.times)}"
    return said


def party_in_words(hangout: Hangout, series: Series | None) -> str:
    """Returns which title of a watch party a hangout is for; empty where it is no such party."""
    if series is None or not series.parts or hangout.part is None:
        return ""
    numbers = {"n": hangout.part + 1, "all": len(series.parts)}
    return _("Watch party, %(n)d of %(all)d") % numbers
