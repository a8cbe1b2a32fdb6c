"""Adding titles to a list, saying why they are there, and putting them in order."""

from __future__ import annotations

from typing import Any, Literal
from urllib.parse import urlencode

from commonroom.errors import InvalidField
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.titles.adding import add_missing_title
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.titles.missing_titles import MissingTitle, read_missing
from commonroom.titles.search import is_called, search_titles
from commonroom.titles.service import MAX_TEXT
from commonroom.titles.stored_titles import id_of
from commonroom.titles.title_fields import MAX_TITLE
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import TitleHitCard, item_card
from commonroom.watchlists.pages.page import Sought, render_page
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.rules.lists import MAX_ITEMS, MAX_NOTE
from commonroom.watchlists.service import items, moves
from commonroom.watchlists.service.access import checked_editable, editable_list, get_contents
from commonroom.watchlists.tables import WatchlistItem

MAX_FOUND = 8
MAX_DIGITS = 4
HERE = addresses.ARRANGE.replace(":str", "")


pages = Pages()


class ListTitleForm(Form):
    """One title, and what was looked for meanwhile, which stays."""

    content_type: ContentType
    content_id: Line
    q: Line = ""

    @property
    def id(self) -> TitleId:
        """Which title it is."""
        return TitleId.of(self)


class MissingForm(Form):
    """A title that was not found."""

    content_type: ContentType = "MOVIE"
    title: Line = ""
    year: Line = ""
    link: Line = ""
    q: Line = ""

    @property
    def wanted(self) -> MissingTitle:
        """What is to be added."""
        year = self.year.strip()
        if year and not (year.isascii() and year.isdigit() and len(year) <= MAX_DIGITS):
            raise InvalidField("year", "Enter a year such as 1995.")
        return MissingTitle(
            content_type=self.content_type,
            title=self.title,
            year=int(year) if year else None,
            link=self.link,
        )


class NoteForm(ListTitleForm):
    """Why it is on the list."""

    note: str = ""


class MoveTitleForm(ListTitleForm):
    """Where it goes: a place counted from 1, or one further up or down."""

    place: int | None = None
    step: Literal["up", "down"] | None = None
    number: int = 1
    """Where it stands now."""

    @property
    def target(self) -> int:
        """Where it is to stand."""
        if self.place is not None:
            return max(1, self.place)
        return max(1, self.number + (-1 if self.step == "up" else 1))


@pages.page(addresses.ARRANGE, Need.NOT_ACTING)
async def arrange(
    request: Request,
    ctx: Ctx,
    watchlist_id: str,
    *,
    q: Sought = "",
    form: FormState = EMPTY,
) -> Response[Any]:
    """Where titles are added and put in order: one request, and the catalogue's."""
    found = await get_contents(ctx.store, watchlist_id)
    checked_editable(found.watchlist, ctx.person.user_id)
    sought, fetched = str(form.value("q") or q), pictures_in(request)
    return render_page(
        request,
        "watchlists/arrange.html",
        list=found.watchlist,
        items=[item_card(one, number, fetched) for number, one in enumerate(found.items, 1)],
        q=sought,
        found=await _search(request, sought, found.items),
        missing=_missing(sought, form),
        form=form,
        longest_note=MAX_NOTE,
        longest_text=MAX_TEXT,
        longest_title=MAX_TITLE,
        most=MAX_ITEMS,
    )


def _missing(sought: str, form: FormState) -> FormState:
    """Returns what was looked for, as the form of a new title shows it."""
    if form.value("link") is not None:
        return form
    one = read_missing(sought)
    return FormState({"title": one.title, "year": one.year or "", "link": one.link})


async def _search(
    request: Request, text: str, listed: list[WatchlistItem]
) -> list[TitleHitCard] | None:
    if not text.strip():
        return None
    there = {TitleId.of(one) for one in listed}
    found, fetched = await search_titles(request, text, limit=MAX_FOUND), pictures_in(request)
    return [TitleHitCard(one, fetched, one.id in there, is_called(one, text)) for one in found]


@pages.form(f"{addresses.ITEMS}/add", Need.NOT_ACTING, on=arrange, flash="title-listed")
async def add_item(ctx: Ctx, titles: Catalogue, watchlist_id: str, data: ListTitleForm) -> str:
    """Puts a title at the end; what was found stays on the page, for the next one."""
    await items.add_items(
        ctx, titles, watchlist_id, [items.NewWatchlistItem(data.content_type, data.content_id)]
    )
    return _back(watchlist_id, data.q)


@pages.form(f"{addresses.ITEMS}/add-missing", Need.NOT_ACTING, on=arrange, flash="title-listed")
async def add_missing(
    request: Request, ctx: Ctx, titles: Catalogue, watchlist_id: str, data: MissingForm
) -> str:
    """Makes a title that nobody knows here, and puts it at the end."""
    await editable_list(ctx, watchlist_id)
    made = id_of(await add_missing_title(request, ctx, data.wanted))
    new = items.NewWatchlistItem(made.content_type, made.content_id)
    await items.add_items(ctx, titles, watchlist_id, [new])
    return _back(watchlist_id, data.q)


@pages.form(
    f"{addresses.ITEMS}/note", Need.NOT_ACTING, on=arrange, leads_to=HERE, flash="note-saved"
)
async def save_note(ctx: Ctx, watchlist_id: str, data: NoteForm) -> str:
    """Says why a title is on the list."""
    await items.change_note(ctx, watchlist_id, data.id, data.note)
    return _back(watchlist_id, data.q)


@pages.form(f"{addresses.ITEMS}/move", Need.NOT_ACTING, on=arrange)
async def move_item(ctx: Ctx, watchlist_id: str, data: MoveTitleForm) -> str:
    """Moves a title."""
    await moves.move_item(ctx, watchlist_id, data.id, moves.Target(place=data.target))
    return _back(watchlist_id, data.q)


@pages.form(f"{addresses.ITEMS}/remove", Need.NOT_ACTING, on=arrange, flash="title-unlisted")
async def remove_item(ctx: Ctx, watchlist_id: str, data: ListTitleForm) -> str:
    """Takes a title off the list."""
    await items.remove_item(ctx, watchlist_id, data.id)
    return _back(watchlist_id, data.q)


def _back(watchlist_id: str, sought: str) -> str:
    query = f"?{urlencode({'q': sought})}" if sought else ""
    return f"{addresses.arrange(watchlist_id)}{query}"
