"""Adding a title that nobody knows here, for everybody with an account."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.http.request import Request
from commonroom.titles.missing_titles import MissingTitle
from commonroom.titles.request import titles_of
from commonroom.titles.search import search_titles
from commonroom.titles.stored_titles import Stored, store_title

NEW_TITLES = Limit("new-title", 40, 3600)
"""Of one person: an evening's worth of what no source knows."""
MAX_COMPARED = 10


async def add_missing_title(request: Request, ctx: Context, wanted: MissingTitle) -> Stored:
    """Returns the title as it is stored from now on; one that is known already is that one.

    Nobody is told to whom it occurred; sources and administrators may know it better later.
    """
    link = wanted.known_by
    await count_try(ctx.store, ctx.now, NEW_TITLES, ctx.person.user_id)
    sought = wanted.title if link is None else link.alias
    found = await search_titles(request, sought, limit=MAX_COMPARED)
    same = [one for one in found if link is not None or wanted.is_same(one)]
    if same:
        return await titles_of(request).ensure_stored(ctx.store, same[0].id, ctx.now)
    return await store_title(ctx.store, wanted.facts(), ctx.now)
