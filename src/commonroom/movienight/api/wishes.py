"""The wish list of a household."""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.api.views import Moment
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection
from commonroom.movienight.request import ChosenFilm, ContextInPath, FilmInPath, Films
from commonroom.movienight.service import wishes
from commonroom.movienight.tables import Wish

ALL = "/households/{group_id:str}/wishes"


api = Operations("Movie night: wish list", errors=(404, 409))


class WishView(Struct, frozen=True):
    """A film that a member wants to see."""

    tmdb_movie_id: int
    title: str
    year: int | None
    poster_path: str | None
    genres: list[str]
    content_rating: str | None
    added_by: str
    added_at: Moment


wish_view = projection(Wish, WishView)


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_wishes(ctx: ContextInPath) -> PagedList[WishView]:
    """List the films on the household’s wish list, the newest wish first."""
    return PagedList([wish_view(one) for one in await wishes.list_wishes(ctx)], None)


@api.post(ALL, Need.SIGNED_IN)
async def add_wish(ctx: ContextInPath, films: Films, film: ChosenFilm) -> WishView:
    """Put a film on the wish list."""
    return wish_view(await wishes.add_wish(ctx, films, film.tmdb_movie_id))


@api.delete(f"{ALL}/{{tmdb_movie_id:str}}", Need.SIGNED_IN)
async def remove_wish(ctx: ContextInPath, film: FilmInPath) -> None:
    """Take a film off the wish list; the person who put it there and the creator may."""
    await wishes.remove_wish(ctx, film)
