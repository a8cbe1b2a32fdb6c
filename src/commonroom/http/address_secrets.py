"""Secrets in addresses: kept out of the log, and out of what the framework keeps of requests."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar

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


class FrameworkCaches:
    """What Litestar keeps of addresses: up to 1,024 each of paths, queries and what is in them.

    It takes addresses apart with Python's own function, which keeps them, too.
    """

    def __init__(self, app: Litestar) -> None:
        self._of_paths: Callable[[], None] = app.asgi_router.handle_routing.cache_clear
        self._others = [one.cache_clear for one in (*_caches(), urlsplit)]

    def forget_query(self) -> None:
        """Forgets all queries; a path is found as quickly as before."""
        for clear in self._others:
            clear()

    def forget_path(self) -> None:
        """Forgets all paths and queries."""
        self._of_paths()
        self.forget_query()


def _caches() -> Iterator[Any]:
    """The framework's caches, whatever it calls them: of functions, and of methods of classes."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "litestar" and isinstance(module, ModuleType):
            for value in list(vars(module).values()):
                inside = list(vars(value).values()) if isinstance(value, type) else []
                for one in (value, *(getattr(it, "__func__", it) for it in inside)):
                    if hasattr(one, "cache_clear"):
                        yield one
