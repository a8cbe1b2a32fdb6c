"""A page as somebody visits it: what stands around what is on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Generic

from msgspec import Struct

from commonroom.moments import iso
from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of
from commonroom.shareables.rules.live import sign_of
from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.service.gate import Opened, P
from commonroom.shareables.service.listing import KeptAs, kept_as
from commonroom.shareables.tables import Tick
from commonroom.web.request import Request
from commonroom.web.sharing import Shared, shared

LAST_DAY = 24 * 3600.0


class Visit(Struct, Generic[P], frozen=True, kw_only=True):
    """A page, opened to somebody."""

    gate: Opened[P]
    shared: Shared
    may_keep: bool
    """Whether they have a list to keep it in."""
    kept: KeptAs | None
    is_ending: bool
    """Whether it is its last day, so that the hour matters."""
    sign: str
    """Changes when what they see does."""

    @property
    def page(self) -> P:
        """The page itself."""
        return self.gate.page

    @property
    def address(self) -> str:
        """Its address."""
        return address_of(self.page.short_id)

    @property
    def short_id(self) -> str:
        """Its id, to be said and typed."""
        return shown(self.page.short_id)

    @property
    def is_protected(self) -> bool:
        """Whether one needs a passcode to see it."""
        return self.page.view_passcode is not None


async def visit_of(
    request: Request,
    gate: Opened[P],
    *,
    has_voted: bool = False,
    ticks: Mapping[str, Tick] | None = None,
) -> Visit[P]:
    """A visit: no request for a guest, and one for somebody with a list."""
    account, page, now = account_of(request), gate.page, time.time()
    kept = None if account is None else await kept_as(request.store, gate, account)
    return Visit(
        gate=gate,
        shared=shared(request, address_of(page.short_id), page.name),
        may_keep=account is not None,
        kept=kept,
        is_ending=page.expires_at <= iso(now + LAST_DAY) and not gate.is_closed,
        sign=sign_of(now, page, is_admin=gate.is_admin, has_voted=has_voted, ticks=ticks),
    )
