"""The life of a page: extending it, and deleting it with everything on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from commonroom.shareables.rules.lifecycle import Days, lifetime
from commonroom.shareables.service.edit import edit
from commonroom.shareables.service.gate import Opened, P, Page, as_admin, carry_out
from commonroom.shareables.service.guest_storage import stop_counting
from commonroom.shareables.service.listing import creator_entries
from commonroom.store import Write, check, delete, equal, put


async def extend(gate: Opened[P], days: Days) -> str:
    """Lets a page live so many days from now, if that is longer; gives when it closes.

    What people left on it goes along: a consumer carries its new end to them.
    """
    as_admin(gate)

    async def step(gate: Opened[P]) -> Sequence[Write]:
        later = _later(gate.now, gate.page, days)
        if gate.page.expires_at >= later["expires_at"]:
            return [check(gate.page, if_=equal(version=gate.page.version))]
        return [
            edit(gate.now, gate.page, **later),
            *map(put, creator_entries(replace(gate.page, **later))),
        ]

    page = (await carry_out(gate, step)).page
    closes: str = max(page.expires_at, _later(gate.now, page, days)["expires_at"])
    return closes


def _later(now: float, page: Page, days: Days) -> dict[str, Any]:
    return lifetime(now, days, asdict(page))


async def delete_page(
    gate: Opened[P],
    *,
    check_seen: Callable[[Page], None] = lambda _: None,
) -> None:
    """Deletes a page at once; nothing on it can be reached from then on, and it is cleared up.

    `check_seen` refuses where it was seen otherwise.
    """
    as_admin(gate)

    async def step(gate: Opened[P]) -> Sequence[Write]:
        check_seen(gate.page)
        mine = [delete(one) for one in creator_entries(gate.page)]
        counted = await stop_counting(gate.store, gate.page.short_id)
        return [delete(gate.page, if_=equal(version=gate.page.version)), *mine, *counted]

    await carry_out(gate, step, also_closed=True)
