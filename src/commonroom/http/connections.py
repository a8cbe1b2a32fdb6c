"""Connections: how many a process holds; the system allows so many open files, and no more."""

from __future__ import annotations

import logging
import resource
from contextlib import suppress

from commonroom.settings import Settings

logger = logging.getLogger(__name__)

CONNECTIONS = 10_000
"""How many connections are held at a time: far more than ever do something, so that silent ones
keep nobody out until they are timed out."""
OTHER_FILES = 256
"""What else a process opens: the data file, pictures, connections to other servers."""


def wanted_connections(settings: Settings) -> int:
    """Returns how many connections a process wants to hold at a time."""
    return max(CONNECTIONS, 2 * (settings.most_live_pages + settings.most_requests))


def connections_within(files: int, wanted: int) -> int:
    """Returns how many connections fit into so many open files."""
    return max(1, min(wanted, files - OTHER_FILES))


def raise_file_limit(wanted: int) -> int:
    """Raises this process's own limit as far as it needs and may; returns the limit that holds."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = _number(soft), _number(hard)
    if soft < wanted:
        # macOS refuses more than it has, whatever it says of the hard limit.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    return _number(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def make_room_for_connections(settings: Settings) -> int:
    """Returns how many connections this process can hold; a warning where that is too few."""
    wanted = wanted_connections(settings)
    files = raise_file_limit(wanted + OTHER_FILES)
    held = connections_within(files, wanted)
    if held < settings.most_live_pages + settings.most_requests:
        logger.warning(
            "The system lets this process open %d files, so it holds %d connections at a time; "
            "raise the limit of open files (ulimit -n, LimitNOFILE=) to %d.",
            files,
            held,
            wanted + OTHER_FILES,
        )
    else:
        logger.debug("Up to %d connections at a time.", held)
    return held


def _number(limit: int) -> int:
    """Returns a limit as a number: none at all is more than anybody needs."""
    return 2**31 - 1 if limit == resource.RLIM_INFINITY else limit
