"""What watchlists offer movie night: films on lists, whose list it is, and to make one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from commonroom.accounts.context import Context
from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.film_sources import FilmSourceListDraft, FilmSuggestions, ListMaker
from commonroom.titles.films import NamedFilm
from commonroom.titles.request import titles_of
from commonroom.titles.titles import TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.rules.lists import is_discoverable, may_edit, may_read
from commonroom.watchlists.service.access import load_lists
from commonroom.watchlists.service.list_making import make_filled_list
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


async def reasons(request: Request, watchlist_ids: Sequence[str]) -> Mapping[str, str]:
    """Returns whose each of these lists is, where the caller may read it: one request."""
    me = request.person.user_id
    return {
        one.watchlist_id: _("From a list of yours")
        if one.curator_id == me
        else _("From %(name)s’s list") % {"name": one.curator_name or _("someone")}
        for one in await load_lists(request.store, watchlist_ids)
        if may_read(one, me)
    }


async def make_list(request: Request, new: FilmSourceListDraft) -> str:
    """Makes a private list, and gives its address."""
    list_id = await make_filled_list(
        request.context,
        titles_of(request),
        form_id=new.form_id,
        title=new.title,
        wanted=new.titles,
    )
    return addresses.watchlist(list_id)


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
    return [
        one
        for one in await load_lists(store, in_turn)
        if one.item_count and (may_edit(one, me) or is_discoverable(one))
    ][:MAX_LISTS]


def _film(item: WatchlistItem) -> NamedFilm | None:
    """Returns a film that has a number; movie night knows no others."""
    number = TitleId.of(item).tmdb_id
    if item.content_type != "MOVIE" or number is None:
        return None
    return NamedFilm(item.title, item.year, number, item.watchlist_id)


LIST_MAKER = ListMaker(make=make_list)
FILM_SUGGESTIONS = FilmSuggestions(
    films=lambda request, people: listed_films(request.context, people), reasons=reasons
)
