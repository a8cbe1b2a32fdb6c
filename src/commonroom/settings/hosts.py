"""The names under which people reach an installation."""

from __future__ import annotations

import re
from functools import cache

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")


@cache
def host_names(text: str) -> frozenset[str]:
    """The names that a setting lists, in lower case; `ValueError` where one is none."""
    names = [one.strip().lower() for one in text.split(",")] if text else []
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError("no name of a host")
    return frozenset(name.rstrip(".") for name in names)
