"""Finding somebody by their e-mail address."""

from __future__ import annotations

from commonroom.accounts.errors import Unfit
from commonroom.accounts.rules import address
from commonroom.accounts.tables import AddressClaim, User
from commonroom.store import Store


async def registered(store: Store, email: str) -> User:
    """The person with an address, however it is typed: two requests."""
    claim = await store.get(AddressClaim.at(address=address(email)))
    person = None if claim is None else await store.get(User.at(user_id=claim.user_id))
    if person is None or person.disabled_at is not None:
        raise Unfit("email", "Nobody with this address has an account here.")
    return person
