"""What pages and answers that another application wrote are read as where the model names less.

Its passcode versions are moments in milliseconds: a page was there by the earlier of them.
"""

from __future__ import annotations

from commonroom.moments import NEVER, UNKNOWN, iso, seconds
from commonroom.store import Missing

DAY = 24 * 3600
AFTER_EVENT = 7 * DAY
"""How long people find an event's page after it is over."""
KEPT_DAYS = 365
"""How long an admin can still see and clone a page that is closed."""
NEVER_REMOVED = int(seconds(NEVER))


def first_passcode(admin_passcode_version: int | None, view_passcode_version: int | None) -> str:
    """Returns when a page got its first passcode, or that nobody knows."""
    versions = [one for one in (admin_passcode_version, view_passcode_version) if one]
    return iso(min(versions) / 1000) if versions else UNKNOWN


def after_days(created_at: str, expires_after: int) -> str:
    """Returns when a page of known age closes."""
    if created_at == UNKNOWN:
        return NEVER
    return iso(seconds(created_at) + expires_after * DAY)


def after_event(created_at: str, expires_after: int, start_time: str, end_time: str | None) -> str:
    """Returns when an event's page closes: never before a week after the event."""
    over = iso(seconds(end_time or start_time) + AFTER_EVENT)
    if created_at == UNKNOWN:
        return over
    return max(after_days(created_at, expires_after), over)


def a_year_later(expires_at: str) -> int:
    """Returns when the database removes a page that closes then."""
    if expires_at == NEVER:
        return NEVER_REMOVED
    return int(seconds(expires_at)) + KEPT_DAYS * DAY


OF_PAGE = Missing(
    created_at=first_passcode, updated_at=first_passcode, expires_at=after_days, ttl=a_year_later
)
OF_EVENT = Missing(OF_PAGE, expires_at=after_event)
OF_ANSWER = Missing(created_at=UNKNOWN, updated_at=UNKNOWN, ttl=NEVER_REMOVED)
OF_VOTE = Missing(ttl=NEVER_REMOVED)
