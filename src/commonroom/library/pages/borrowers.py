"""Who borrows: people who had an item before, and whoever has something now."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.library.rules.lending import Loan
from commonroom.library.service.loans import Lent, lent_by_me
from commonroom.store import Store

MOST_OFFERED = 8


class Borrower(Struct, frozen=True):
    """Somebody to lend to in one tap."""

    name: str
    has_account: bool
    """Whether what they have now is lent to an account, as the next thing then is."""


async def offered(store: Store, now: float, person: User, loans: Iterable[Loan]) -> list[Borrower]:
    """Whoever had an item before, the last one first, then whoever has something: one request."""
    lent = (await lent_by_me(store, now, person)).lent
    names = [one.borrower for one in loans] + [one.item.lent_to or "" for one in lent]
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(name.casefold(), name)
    return [Borrower(one, _account_id(lent, one) is not None) for one in known.values()][
        :MOST_OFFERED
    ]


async def address_of(store: Store, now: float, person: User, name: str) -> str | None:
    """The address of the account that has something under a name; two requests.

    It is looked up and not sent with the page: a new address of theirs is not the lender's to see.
    """
    account_id = _account_id((await lent_by_me(store, now, person)).lent, name)
    if account_id is None:
        return None
    account = await store.get(User.at(user_id=account_id))
    return None if account is None or account.disabled_at is not None else account.email


def _account_id(lent: Iterable[Lent], name: str) -> str | None:
    """The one account that has something under this name; None where that is not clear."""
    same = [one.item.borrower_id for one in lent if one.item.lent_to == name]
    return same[0] if len(set(same)) == 1 else None
