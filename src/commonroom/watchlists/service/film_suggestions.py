"""Films on lists that a company may know of: to choose one of them to watch together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from commonroom.accounts.context import Context
from commonroom.titles.films import NamedFilm
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import is_discoverable, may_edit, may_read
from commonroom.watchlists.tables import (
    Watchlist,
    WatchlistItem,
    items_of_watchlist,
    saved_watchlists,
    watchlists_of_curator,
)

MAX_LISTS = 5
MAX_ITEMS = 100
"""Of each list."""
LISTS_OF_EACH = 3
"""How many of a person's lists are considered."""


async def listed_films(ctx: Context, people: Sequence[str]) -> list[NamedFilm]:
    """Films from lists that a person made or follows, and from those that others here published.

    One request for the lists of each of these people, one for those that are followed, one that
    reads them as they are now, and one for what is on each of five.
    """
    lists = await _readable_lists(ctx, [one for one in people if one != ctx.person.user_id])
    pages = await ctx.store.gather_all(
        ctx.store.page(items_of_watchlist(watchlist_id=one.watchlist_id), limit=MAX_ITEMS)
        for one in lists
    )
    return [named for page in pages for item in page.items if (named := _film(item)) is not None]


async def _readable_lists(ctx: Context, others: Sequence[str]) -> list[Watchlist]:
    """A few lists of several people, each of whom comes in turn; an index may be out of date."""
    store, me = ctx.store, ctx.person.user_id
    saved, made = await store.gather(
        store.page(saved_watchlists(user_id=me), limit=LISTS_OF_EACH),
        store.gather_all(
            store.page(watchlists_of_curator(curator_id=one), limit=LISTS_OF_EACH)
            for one in [me, *others]
        ),
    )
    of_lists = [[one.watchlist_id for one in page.items] for page in made]
    named = [[one.watchlist_id for one in saved.items], *of_lists]
    in_turn = dict.fromkeys(one for one in chain(*zip_longest(*named)) if one is not None)
    found = await store.batch_get([Watchlist.at(watchlist_id=one) for one in in_turn])
    return [
        one
        for one in found
        if one is not None and one.item_count and (may_edit(one, me) or is_discoverable(one))
    ][:MAX_LISTS]


def _film(item: WatchlistItem) -> NamedFilm | None:
    """Returns a film that has a number; movie night knows no others."""
    number = TitleId(item.content_type, item.content_id).tmdb_id
    if item.content_type != "MOVIE" or number is None:
        return None
    return NamedFilm(item.title, item.year, number, item.watchlist_id)


async def readable_lists(ctx: Context, watchlist_ids: Iterable[str]) -> list[Watchlist]:
    """Returns those of some lists that a person may read now: one request."""
    found = await ctx.store.batch_get([Watchlist.at(watchlist_id=one) for one in watchlist_ids])
    return [one for one in found if one is not None and may_read(one, ctx.person.user_id)]
