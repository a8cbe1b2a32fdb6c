"""After an account was deleted, or a managed member removed: nothing of theirs stays."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.service.account_cleanup import clear_account
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_account(store: Store, change: Change) -> None:
    """Clears up after whoever is gone."""
    if change.kind == "remove" and await store.get(change.old.ref) is None:
        await clear_account(store, change.at, change.old)


ACCOUNTS = Consumer(name="hangouts-accounts", wants=(User,), handle=follow_account)
