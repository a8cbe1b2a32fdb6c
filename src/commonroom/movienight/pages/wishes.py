"""The wish list of a household."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound, Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.joins.film_sources import FilmSourceListDraft, ListMaker
from commonroom.joins.rooms import first_offer
from commonroom.movienight.pages.film_cards import FilmCard, of_wish
from commonroom.movienight.pages.films import Title, find_cards, search_form
from commonroom.movienight.request import FilmForm, Films, FoundFilmForm, OwnContext
from commonroom.movienight.service import wishes
from commonroom.movienight.tables import Wish
from commonroom.titles.titles import TitleId

HERE = "/movie-night/wishes"


pages = Pages()


class SaveForm(Form):
    """That the list is kept; pressed twice, it is one list."""

    form_id: Line = ""


class WishCard(Struct, frozen=True):
    """A film that a member wants to see."""

    wish: Wish
    card: FilmCard
    by: User | None
    """None where the account was deleted."""
    may_remove: bool


@pages.page(HERE, Need.SIGNED_IN)
async def wish_list(
    request: Request,
    ctx: OwnContext,
    *,
    title: Title = "",
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """What the household wishes for, and films that resemble what was typed."""
    wished = await wishes.list_wishes(ctx)
    ids = list(dict.fromkeys(one.added_by for one in wished))
    people = dict(
        zip(ids, await ctx.store.batch_get([User.at(user_id=one) for one in ids]), strict=True)
    )
    shown = search_form(title, form, error)
    may_save = first_offer(request, ListMaker) and request.caller.acting_as is None
    return render(
        request,
        "movienight/wishes.html",
        wished=[
            WishCard(
                one,
                of_wish(one),
                people[one.added_by],
                may_remove=ctx.is_creator or one.added_by == ctx.member_id,
            )
            for one in wished
        ],
        found=await find_cards(request, shown.value("title")),
        listed={one.tmdb_movie_id for one in wished},
        form=shown,
        form_id=str(uuid4()) if may_save else None,
    )


@pages.form(HERE, Need.SIGNED_IN, on=wish_list, flash="wished")
async def add_wish(ctx: OwnContext, films: Films, data: FoundFilmForm) -> None:
    """Puts a film on the list."""
    await wishes.add_wish(ctx, films, data.tmdb_movie_id)


@pages.form(f"{HERE}/remove", Need.SIGNED_IN, leads_to=HERE, flash="unwished")
async def remove_wish(ctx: OwnContext, data: FilmForm) -> None:
    """Takes a film off the list."""
    await wishes.remove_wish(ctx, data.tmdb_movie_id)


@pages.form(f"{HERE}/save", Need.NOT_ACTING, on=wish_list)
async def save_as_list(request: Request, ctx: OwnContext, data: SaveForm) -> Response[Any]:
    """Keeps what is on it as a list of one's own."""
    maker = first_offer(request, ListMaker)
    if maker is None:
        raise NotFound("Lists are turned off here.")
    wished = await wishes.list_wishes(ctx)
    if not wished:
        raise Conflict("There is nothing on the wish list.")
    address = await maker.make(
        request,
        FilmSourceListDraft(
            data.form_id,
            _("Wish list of %(name)s") % {"name": ctx.group.name},
            [TitleId("MOVIE", str(one.tmdb_movie_id)) for one in wished],
        ),
    )
    return redirect(address, "wishes-saved")
