"""Findings: what the doctor says, also of rooms that have something to be examined."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct, field

from commonroom.settings import Settings
from commonroom.store import Store


class Finding(Struct, frozen=True):
    """One thing that was looked at: how it is, and how to repair it."""

    level: Literal["ok", "warning", "problem"]
    about: str
    detail: str
    repair: str = field(default="", name="mend")
    """What to do about it; `mend` in the JSON of the command."""


def ok(about: str, detail: str) -> Finding:
    """Returns the finding that all is well."""
    return Finding("ok", about, detail)


def warning(about: str, detail: str, repair: str) -> Finding:
    """Returns the finding that something works, and may soon not work."""
    return Finding("warning", about, detail, repair)


def problem(about: str, detail: str, repair: str) -> Finding:
    """Returns the finding that something does not work."""
    return Finding("problem", about, detail, repair)


class SettingsExamination(Struct, frozen=True):
    """What can be said of an open room by the settings alone."""

    examine: Callable[[Settings], Finding]


class StoreExamination(Struct, frozen=True):
    """What can be said of a room by what is stored, whether it is open or not."""

    examine: Callable[[Store, Settings], Awaitable[Finding]]
