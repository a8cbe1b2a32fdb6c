"""After an account has changed or is gone: its profile has its address, or all of it goes."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.store import ConditionFailed, Store, update
from commonroom.store.streams import Change, Consumer
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.leaving import clear_person
from commonroom.watchlists.service.profiles import exchange_claims
from commonroom.watchlists.tables import EmailClaim, Profile


async def follow_account(store: Store, change: Change) -> None:
    """Clears up after a deleted account, or brings a new address to a profile."""
    person: User | None = change.old
    if person is None or person.is_managed:
        return
    current = await store.get(person.ref)
    if current is None and change.kind == "remove":
        await clear_person(store, change.at, person)
    elif current is not None and current.email != person.email:
        await carry_address(store, current)


@retry
async def carry_address(store: Store, person: User) -> None:
    """Sets a profile's address to that of its account, with the claim to it."""
    profile, account = await store.get(Profile.at(user_id=person.user_id)), None
    if profile is not None:
        account = await store.get(person.ref)
    if profile is None or account is None or profile.email == account.email:
        return
    old = _claim(profile.user_id, profile.email)
    claims = exchange_claims(old, _claim(profile.user_id, account.email))
    try:
        await store.write(*claims, update(profile, email=account.email))
    except ConditionFailed as failed:
        if isinstance(failed.entity, EmailClaim) and old is not None:
            # The previous holder of the address may wait for this one: it is released first.
            await store.write(*exchange_claims(old, None), update(profile, email=None))
        raise


def _claim(user_id: str, address: str | None) -> EmailClaim | None:
    return None if address is None else EmailClaim(address=address, user_id=user_id)


ACCOUNTS = Consumer("watchlists-accounts", (User,), follow_account)
