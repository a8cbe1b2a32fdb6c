"""What the doctor says."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Finding(Struct, frozen=True):
    """One thing that was looked at: how it is, and how to mend it where it is not well."""

    level: Literal["ok", "warning", "problem"]
    about: str
    detail: str
    mend: str = ""


def ok(about: str, detail: str) -> Finding:
    """All is well."""
    return Finding("ok", about, detail)


def warning(about: str, detail: str, mend: str) -> Finding:
    """It works, and could be better or may soon not work."""
    return Finding("warning", about, detail, mend)


def problem(about: str, detail: str, mend: str) -> Finding:
    """It does not work."""
    return Finding("problem", about, detail, mend)
