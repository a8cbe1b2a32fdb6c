"""The life of a page: extending it, and deleting it with everything on it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from commonroom.shareables.service.editing import edit
from commonroom.shareables.service.gate import Opened, P, as_admin, carry_out
from commonroom.shareables.service.guest_storage import count_no_more
from commonroom.shareables.service.listing import kept_by_creator
from commonroom.shareables.service.making import Days, ends
from commonroom.store import Store, Write, check, delete, equal, put


async def extend(store: Store, now: float, gate: Opened[P], days: Days) -> str:
    """Lets a page live so many days from now, if that is longer; gives when it closes.

    What people left on it goes along: a consumer carries its new end to them.
    """
    as_admin(gate)
    later = ends(now, days)
    closes: str = later["expires_at"]

    async def step(gate: Opened[P]) -> Sequence[Write]:
        if gate.page.expires_at >= closes:
            return [check(gate.page, if_=equal(version=gate.page.version))]
        return [
            edit(now, gate.page, **later),
            *map(put, kept_by_creator(replace(gate.page, **later))),
        ]

    gate = await carry_out(store, now, gate, step)
    return max(gate.page.expires_at, closes)


async def delete_page(store: Store, now: float, gate: Opened[P]) -> None:
    """Deletes a page at once; nothing on it can be reached from then on, and it is cleared up."""
    as_admin(gate)

    async def step(gate: Opened[P]) -> Sequence[Write]:
        mine = [delete(one) for one in kept_by_creator(gate.page)]
        counted = await count_no_more(store, gate.page.short_id)
        return [delete(gate.page, if_=equal(version=gate.page.version)), *mine, *counted]

    await carry_out(store, now, gate, step, also_closed=True)
