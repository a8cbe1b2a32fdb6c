"""How much room the pages of guests take up, of what is allowed."""

from __future__ import annotations

from commonroom.doctor.findings import Finding, ok, warning
from commonroom.settings import Settings
from commonroom.shareables.rules.limits import MEGABYTE
from commonroom.shareables.service.guest_storage import usage
from commonroom.store import Store

NEARLY = 0.8


async def examine_guests(store: Store, settings: Settings) -> Finding:
    """One request."""
    used = await usage(store)
    most = settings.guest_storage_mb * MEGABYTE
    said = (
        f"{used.pages} pages without an account take {used.bytes / MEGABYTE:,.1f} of "
        f"{settings.guest_storage_mb:,} MB; allowed for {settings.page_makers}"
    )
    if used.bytes < NEARLY * most:
        return ok("guests", said)
    mend = "Allow more with COMMONROOM_GUEST_STORAGE_MB, or let only accounts create pages."
    return warning("guests", said, mend)
