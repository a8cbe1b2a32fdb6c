"""After an account was deleted, or a managed member removed: nothing of theirs stays."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.service.account_cleanup import clear_account, remove_all_things
from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

AGAIN = "hangouts.account-cleanup"
AGAIN_SECONDS = 900
"""Some things are found by an index, which may not have shown the latest: it is asked again."""


async def follow_account(store: Store, change: Change) -> None:
    """Removes what a person whose account is gone had in groups and hangouts."""
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    gone: User = change.old
    await clear_account(store, change.at, gone)
    later = change.at + AGAIN_SECONDS
    await store.write(put(timer(AGAIN, later, {"user_id": gone.user_id})))


async def look_again(store: Store, waited: Timer, now: float) -> None:
    """Removes what an index showed too late, unless the person is there again."""
    user_id = waited.about["user_id"]
    if await store.get(User.at(user_id=user_id)) is None:
        await remove_all_things(store, now, user_id)


ACCOUNTS = Consumer("hangouts-accounts", (User,), follow_account, sets=(AGAIN,))

HANDLERS: dict[str, Handler] = {AGAIN: look_again}
