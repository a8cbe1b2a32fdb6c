"""The bring list: what is needed, and who brings how much of it."""

from __future__ import annotations

from commonroom.hangouts.tables.inviter import inviter, keys_on_hangout
from commonroom.hangouts.tables.rsvps import RsvpDependent
from commonroom.store import Entity, Keys


class BringItem(Entity, table=inviter, kind="BRING_ITEM", rename="camel"):
    """Something to bring, so many of it."""

    hangout_id: str
    bring_item_id: str
    name: str
    note: str | None = None
    needed: int = 1
    claimed: int = 0
    """Held by a condition: never more than is needed."""
    created_by: str
    created_at: str

    keys = Keys(PK="EVENT#{hangout_id}", SK="BRING#{bring_item_id}")


class BringClaim(RsvpDependent, table=inviter, kind="BRING_CLAIM"):
    """A person's claim to bring some of it."""

    bring_item_id: str
    number: int = 1
    claimed_at: str

    keys = keys_on_hangout("BRING#{bring_item_id}#CLAIM#{user_id}", "BRING#{bring_item_id}")
