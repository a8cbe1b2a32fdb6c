"""The log of failed sign-ins: one line each, in a form that programs such as fail2ban read."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Literal, TypeAlias

from commonroom.errors import RateLimited
from commonroom.rate_limits import Rate, RateLimiter, network_of

logger = logging.getLogger("commonroom.sign_in")

Means: TypeAlias = Literal["password", "passcode", "code", "link", "token"]

UNKNOWN = "unknown"
LINES = Rate(burst=60, per_minute=30)
"""From one network, in one process: enough to be noticed, and not enough to fill a disk."""

_lines = RateLimiter(LINES)


def log_failed_sign_in(by: Means, address: str) -> None:
    """Writes down that somebody showed what is wrong, and from where.

    Nothing that they typed: people type passwords into any field. Nor whether anybody has the
    account. The address is one, or is not named: whoever chooses its text cannot write the log.
    """
    if not _lines.take(network_of(address)):
        logger.warning("sign-in failed by=%s address=%s", by, _plain(address))


@contextmanager
def failures_logged(by: Means, address: str, wrong: tuple[type[Exception], ...]) -> Iterator[None]:
    """Writes down a guess that is wrong, or is refused because so many were."""
    refused: tuple[type[Exception], ...] = (*wrong, RateLimited)
    try:
        yield
    except refused:
        log_failed_sign_in(by, address)
        raise


def _plain(address: str) -> str:
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
