"""Acquaintances of hangouts: those who are in the same group."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import HangoutPerson
from commonroom.store import Store


async def acquaintances(store: Store, person: User, others: Sequence[User]) -> set[str]:
    """Returns those with whom a person is in a group: one request."""
    ids = [person.user_id, *(one.user_id for one in others)]
    mine, *theirs = await store.batch_get([HangoutPerson.at(user_id=one) for one in ids])
    groups = set() if mine is None else {*mine.groups}
    return {one.user_id for one in theirs if one is not None and groups & {*one.groups}}
