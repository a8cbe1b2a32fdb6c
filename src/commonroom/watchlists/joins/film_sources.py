"""What watchlists offer movie night: films on lists, whose list it is, and to make one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.film_sources import FilmSourceListDraft, FilmSuggestions, ListMaker
from commonroom.titles.films import NamedFilm
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.request import titles_of
from commonroom.watchlists.rules.lists import is_id
from commonroom.watchlists.service.film_suggestions import listed_films, readable_lists
from commonroom.watchlists.service.list_making import make_filled_list


async def list_films(request: Request, people: Sequence[str]) -> Sequence[NamedFilm]:
    """Films from lists of these people that the caller may read."""
    return await listed_films(request.context, people)


async def reasons(request: Request, watchlist_ids: Sequence[str]) -> Mapping[str, str]:
    """Returns whose each of these lists is, where the caller may read it: one request."""
    known = [one for one in watchlist_ids if is_id(one)]
    me = request.person.user_id
    return {
        one.watchlist_id: _("From a list of yours")
        if one.curator_id == me
        else _("From %(name)s’s list") % {"name": one.curator_name or _("someone")}
        for one in await readable_lists(request.context, known)
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


LIST_MAKER = ListMaker(make=make_list)
FILM_SUGGESTIONS = FilmSuggestions(films=list_films, reasons=reasons)
