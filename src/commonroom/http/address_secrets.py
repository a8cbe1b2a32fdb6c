"""Secrets in addresses: kept out of the log."""

from __future__ import annotations

import re
from collections.abc import Iterable

SECRET_PARAMETERS = frozenset({"change_code", "code", "file", "key", "secret", "token"})
"""What routes call the part of a path that opens something by itself."""
_PARAMETER = re.compile(r"\{(\w+)[^}]*\}")
_LONG = re.compile(r"[A-Za-z0-9_-]{32,}")
"""What looks like a link's secret, wherever it stands."""


class SecretPaths:
    """The paths of an application that hold secrets."""

    def __init__(self, templates: Iterable[str]) -> None:
        beginnings = sorted(set(filter(None, map(_beginning, templates))))
        self._before_secret = re.compile(
            f"(?:{'|'.join(beginnings)})(?=[^/])" if beginnings else "(?!)"
        )

    def hide(self, path: str) -> str:
        """Returns a path up to its secret, or as it is where it has none."""
        found = self._before_secret.match(path)
        if found is not None:
            path = f"{path[: found.end()]}…"
        return _LONG.sub("…", path)


def _beginning(template: str) -> str | None:
    """Returns what matches a path up to its first secret; None where it has none."""
    made, end = "", 0
    for parameter in _PARAMETER.finditer(template):
        made += re.escape(template[end : parameter.start()])
        if parameter[1] in SECRET_PARAMETERS:
            return made
        made, end = f"{made}[^/]+", parameter.end()
    return None
