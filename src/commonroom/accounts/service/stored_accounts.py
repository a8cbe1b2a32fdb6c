"""Accounts as they are stored: found by address, read again, and what is kept under a digest."""

from __future__ import annotations

from commonroom.accounts.errors import AccountDeleted
from commonroom.accounts.secrets import is_digest
from commonroom.accounts.tables import (
    ApiToken,
    Invitation,
    Session,
    User,
    claim_on_address,
    user_by_id,
)
from commonroom.errors import NotFound
from commonroom.store import Condition, ConditionFailed, Store, delete


async def account_with(store: Store, address: str) -> User | None:
    """Returns whose an e-mail address is, however it is typed."""
    claim = await store.get(claim_on_address(address=address))
    return None if claim is None else await store.get(user_by_id(user_id=claim.user_id))


async def read_again(store: Store, user: User) -> User:
    """Returns an account as it is now."""
    found = await store.get(user.ref)
    if found is None:
        raise AccountDeleted
    return found


async def holder_of(store: Store, held: Session | ApiToken) -> User | None:
    """Returns whom a session or token stands for; None where it is good for nothing any more."""
    user = await store.get(user_by_id(user_id=held.user_id))
    if user is None or user.epoch != held.epoch or user.disabled_at is not None:
        return None
    return user


async def end_by_digest(
    store: Store,
    kind: type[Session | ApiToken | Invitation],
    digest: str,
    if_: Condition,
    gone: str,
) -> None:
    """Ends what a person holds a secret of, named by its digest; says `gone` where it is not."""
    try:
        if not is_digest(digest):
            raise NotFound(gone)
        await store.write(delete(kind.at(digest=digest), if_=if_))
    except ConditionFailed:
        raise NotFound(gone) from None
