"""What the doctor says of guests' pages."""

from __future__ import annotations

from commonroom.joins.findings import Finding, ok, warning
from commonroom.settings import Settings
from commonroom.shareables.rules.limits import MEGABYTE
from commonroom.shareables.service.guest_storage import usage
from commonroom.store import Store

NEARLY_FULL = 0.8


async def examine_guests(store: Store, settings: Settings) -> Finding:
    """Says how much of what is allowed for they take: one request."""
    used = await usage(store)
    most = settings.guest_storage_mb * MEGABYTE
    shown = (
        f"{used.pages} pages without an account take {used.bytes / MEGABYTE:,.1f} of "
        f"{settings.guest_storage_mb:,} MB; allowed for {settings.page_makers}"
    )
    if used.bytes < NEARLY_FULL * most:
        return ok("guests", shown)
    repair = "Allow more with COMMONROOM_GUEST_STORAGE_MB, or let only accounts create pages."
    return warning("guests", shown, repair)
