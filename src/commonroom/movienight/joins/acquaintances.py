"""Acquaintances of movie night: those who live in the same household."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.store import Store


async def acquaintances(_store: Store, person: User, others: Sequence[User]) -> set[str]:
    """Returns those of a person's own household: no request."""
    home = person.household_id
    return {one.user_id for one in others if home is not None and one.household_id == home}
