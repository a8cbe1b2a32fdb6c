"""What watchlists tell movie night: films on lists, and whose list it is for whoever looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonroom.catalog.films import NamedFilm
from commonroom.watchlists.rules.lists import is_id
from commonroom.watchlists.service.film_suggestions import listed_films, readable_lists
from commonroom.web.film_sources import FilmSuggestions
from commonroom.web.request import Request
from commonroom.web.words import _


async def list_films(request: Request, people: Sequence[str]) -> Sequence[NamedFilm]:
    """Films from lists of these people that whoever asks may read."""
    return await listed_films(request.context, people)


async def reasons(request: Request, watchlist_ids: Sequence[str]) -> Mapping[str, str]:
    """Whose each of these lists is, where whoever looks may read it: one request."""
    known = [one for one in watchlist_ids if is_id(one)]
    me = request.person.user_id
    return {
        one.watchlist_id: _("From a list of yours")
        if one.curator_id == me
        else _("From %(name)s’s list") % {"name": one.curator_name or _("someone")}
        for one in await readable_lists(request.context, known)
    }


FILM_SUGGESTIONS = FilmSuggestions(films=list_films, reasons=reasons)
