"""Acquaintances of watchlists: those who look after the same list."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.rules.lists import may_edit
from commonroom.watchlists.service.access import load_lists
from commonroom.watchlists.tables import collaborations

MAX_LISTS = 100


async def acquaintances(store: Store, person: User, others: Sequence[User]) -> set[str]:
    """Returns those with whom a person has a list: two requests, and one for each of the others.

    The person who shares a list collaborates on it, or the other does: no index need be asked.
    """
    everybody = [person, *others]
    pages = await store.gather_all(
        store.page(collaborations(user_id=one.user_id), limit=MAX_LISTS) for one in everybody
    )
    ids = dict.fromkeys(one.watchlist_id for page in pages for one in page.items)
    found = await load_lists(store, list(ids)[:MAX_LISTS])
    mine = [one for one in found if may_edit(one, person.user_id)]
    return {one.user_id for one in others if any(may_edit(it, one.user_id) for it in mine)}
