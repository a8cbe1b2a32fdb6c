"""Dates and times of a draft as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from commonroom.http.typed_times import TimeQuestion, UncertainTimes, read_time
from commonroom.shareables.rules.lifecycle import ASKED


def stored_times(
    now: float, values: Mapping[str, str], names: Iterable[str], zone: str, before: Any = None
) -> dict[str, str | None]:
    """Returns what was typed for these fields, with its zone; None where nothing was.

    A time that does not exist, comes twice or is over is asked about, until a choice beside it
    names the moment that is meant.
    """
    found: dict[str, str | None] = {}
    questions: dict[str, TimeQuestion] = {}
    for name in names:
        past_until = now if name in ASKED else None
        known = getattr(before, name, None)
        read = read_time(name, values, zone, before=known, past_until=past_until)
        if isinstance(read, TimeQuestion):
            questions[name] = read
        else:
            found[name] = read
    if questions:
        raise UncertainTimes(questions)
    return found
