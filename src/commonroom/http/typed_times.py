"""Dates and times as people type them where they live: what they may mean, and what to ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import ClassVar
from zoneinfo import ZoneInfo

from msgspec import Struct

from commonroom.accounts.rules import time_zone
from commonroom.errors import InvalidField, Refusal
from commonroom.http.words import _

UTC_NAME = "UTC"
MEANS = "_means"
"""What the field is called, after a time's own name, in which a question about it is answered."""


def zone_chosen(typed: str) -> str:
    """The zone that times are typed in; refused where none was chosen, rather than guessed."""
    if not typed:
        raise InvalidField("time_zone", "Choose a time zone for these times.")
    return time_zone(typed)


def known_zone(name: str | None) -> str:
    """Returns a zone, unless it was chosen where others were known; nothing where there is none."""
    try:
        return time_zone(name or "")
    except InvalidField:
        return ""


def local(moment: str | None, zone: str) -> str:
    """Returns a stored moment as a field for date and time takes it."""
    if moment is None:
        return ""
    there = datetime.fromisoformat(moment)
    with suppress(OverflowError):  # in the first or the last hours that a calendar has
        there = there.astimezone(ZoneInfo(zone))
    return there.replace(tzinfo=None).isoformat(timespec="minutes")


class TimeQuestion(Struct, frozen=True):
    """What is asked about a time that was typed; each choice is a moment and its words."""

    text: str
    choices: list[tuple[str, str]]


class UncertainTimes(Refusal):
    """Times of which only the person who typed them can say what they mean, by field."""

    status: ClassVar[int] = 422
    title = "Please check the dates"

    def __init__(self, questions: dict[str, TimeQuestion]) -> None:
        super().__init__("Please check the dates. Nothing is saved yet.")
        self.questions = questions


def read_time(
    field: str,
    values: Mapping[str, str],
    zone: str,
    *,
    before: str | None = None,
    past_until: float | None = None,
) -> str | TimeQuestion | None:
    """What was typed into a field, with its zone; None where nothing was, or what to ask about it.

    A time that does not exist or comes twice is asked about, and one before `past_until`, until a
    choice beside it names the moment that is meant.
    """
    typed = values.get(field, "")
    if not typed.strip():
        return None
    if before is not None and typed == local(before, zone):
        # To the second, also in the hour that a clock shows twice.
        return before
    there, moments = _moments(field, typed, zone)
    meant = values.get(f"{field}{MEANS}", "")
    if meant in [one.isoformat() for one in moments]:
        return meant
    is_past = past_until is not None and moments[0].timestamp() <= past_until
    question = _question(there, moments, ZoneInfo(zone), is_past=is_past)
    return question or moments[0].isoformat()


def _moments(field: str, typed: str, zone: str) -> tuple[datetime, list[datetime]]:
    """What was typed, and the moments that it may mean: two around a change of the clocks."""
    try:
        read = datetime.fromisoformat(typed.strip())
        meant = [read.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1)]
        moments = sorted({one.astimezone(UTC) for one in meant})
    except (ValueError, OverflowError):
        raise InvalidField(field, "Enter a valid date and time.") from None
    if read.tzinfo is not None:
        raise InvalidField(field, "Enter the time zone in its own field.")
    return read, moments


def _question(
    typed: datetime, moments: list[datetime], zone: ZoneInfo, *, is_past: bool
) -> TimeQuestion | None:
    clocks = [f"{one.astimezone(zone):%H:%M}" for one in moments]
    placeholders = {"time": f"{typed:%H:%M}"}
    values = [one.isoformat() for one in moments]
    if len(moments) == 1:
        if not is_past:
            return None
        choices = [_("Yes, save with this date")]
        return TimeQuestion(_("This is in the past. Is that right?"), _pairs(values, choices))
    if clocks[0] == clocks[1]:
        text = (
            _(
                "%(time)s happens twice that night, because the clocks go back. Which one do you "
                "mean?"
            )
            % placeholders
        )
        choices = [
            _("The first, before the clocks go back"),
            _("The second, after the clocks go back"),
        ]
    else:
        text = (
            _(
                "There is no %(time)s that night, because the clocks go forward. Which time do "
                "you mean?"
            )
            % placeholders
        )
        choices = clocks
    if is_past:
        text = f"{text} {_('It is in the past.')}"
    return TimeQuestion(text, _pairs(values, choices))


def _pairs(values: Iterable[str], words: Iterable[str]) -> list[tuple[str, str]]:
    return list(zip(values, words, strict=True))
