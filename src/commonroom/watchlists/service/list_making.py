"""Lists that another room fills: made once, and given what they lack."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.titles.service import Titles
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.service.access import checked_editable, get_contents
from commonroom.watchlists.service.items import (
    MAX_AT_ONCE,
    AlreadyListed,
    NewWatchlistItem,
    add_items,
)
from commonroom.watchlists.service.lists import ListDraft, create_list


async def make_filled_list(
    ctx: Context, titles: Titles, *, form_id: str, title: str, wanted: Sequence[TitleId]
) -> str:
    """Creates a private list of these titles; asked for twice in one form, it is one list.

    What the catalogue does not know any longer is left out.
    """
    list_id = _list_id(ctx, form_id)
    try:
        contents = await get_contents(ctx.store, list_id)
        checked_editable(contents.watchlist, ctx.person.user_id)
        there = {TitleId.of(one) for one in contents.items}
    except NotFound:
        draft = ListDraft(title=title, is_public=False)
        await create_list(ctx, draft, watchlist_id=list_id)
        there = set()
    missing = [one for one in wanted if one not in there][: rules.MAX_ITEMS]
    for start in range(0, len(missing), MAX_AT_ONCE):
        await _add(ctx, titles, list_id, missing[start : start + MAX_AT_ONCE])
    return list_id


async def _add(ctx: Context, titles: Titles, list_id: str, some: Sequence[TitleId]) -> None:
    """Adds all of them at once; where one is refused, each that is not."""
    try:
        await add_items(ctx, titles, list_id, [NewWatchlistItem(**one.key) for one in some])
    except (NotFound, AlreadyListed):
        if len(some) == 1:
            return
        for one in some:
            await _add(ctx, titles, list_id, [one])


def _list_id(ctx: Context, form_id: str) -> str:
    """Returns an id that a form of one person always makes; nobody else's list can have it."""
    named = f"{ctx.person.user_id}#{form_id}".encode(errors="surrogatepass")
    return blake2b(named, digest_size=16).hexdigest() if form_id else rules.new_id()
