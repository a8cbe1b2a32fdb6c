"""How often a caller may search; each process counts for itself."""

from __future__ import annotations

from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.request import Request
from commonroom.rate_limits import Rate

GUEST = Rate(burst=120, per_minute=120)
"""From one address, behind which a family may sit that types with four hands."""
ACCOUNT = Rate(burst=240, per_minute=240)


def count_marks(request: Request) -> None:
    """Counts that the caller is shown more of the titles that they found."""
    count_call(request, CallLimit("search-marks", GUEST, ACCOUNT))


def count_search(request: Request) -> None:
    """Counts a search of the caller."""
    count_call(request, CallLimit("search", GUEST, ACCOUNT))
