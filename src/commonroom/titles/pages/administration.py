"""Where administrators make and correct titles: films and shows with all their facts."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias, cast, get_args

from msgspec import Meta
from msgspec.structs import fields

from commonroom.errors import FieldErrors, InvalidField
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import (
    EMPTY,
    Form,
    FormState,
    Line,
    OneOrMany,
    Pages,
    as_list,
    page_routes,
)
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
from commonroom.http.words import _
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH
from commonroom.titles import title_fields as rules
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.titles.genres import GENRES, TITLE_GENRES, genre_names
from commonroom.titles.request import KINDS, KindInPath, TitleInPath, find_title, titles_of
from commonroom.titles.search import search_titles
from commonroom.titles.service import MAX_TEXT
from commonroom.titles.stored_titles import Stored, facts_of, id_of
from commonroom.titles.tables import titles_of_type
from commonroom.titles.title_edits import edit_stored, make_title, remove_title
from commonroom.titles.title_fields import TitleDraft
from commonroom.titles.titles import FOLDERS, Certification, ContentType, ShowStatus
from commonroom.titles.views import TitleCard
from commonroom.titles.words import genre_name

ALL = "/admin/titles"
NEW = f"{ALL}/{{kind:str}}/new"
ONE = f"{ALL}/{{kind:str}}/{{title_id:str}}"
PAGE = 50
MAX_FOUND = 20

Folder = Annotated[str, Meta(max_length=10)]
Sought = Annotated[str, Meta(max_length=1000)]
Text: TypeAlias = Annotated[str, Meta(max_length=20_000)]


pages = Pages()


class TitleFactsForm(Form):
    """A title as an administrator types it; numbers may be missing, and names stand in a row."""

    title: Line
    other_titles: Text = ""
    year: Line = ""
    end_year: Line = ""
    genres: OneOrMany = ""
    runtime: Line = ""
    seasons: Line = ""
    episodes: Line = ""
    status: Line = ""
    certification: Line = ""
    makers: Text = ""
    cast: Text = ""
    synopsis: Text = ""
    tmdb_id: Line = ""
    imdb_id: Line = ""
    poster_url: Line = ""
    version: int | None = None
    """Of what is stored, as it was when the form was loaded; nothing where nothing was."""


NUMBERS = ("year", "end_year", "runtime", "seasons", "episodes", "tmdb_id")


@pages.page(ALL, Need.ADMINISTRATOR)
async def list_titles(
    request: Request, *, kind: Folder = "films", q: Sought = "", cursor: Cursor = None
) -> Response[Any]:
    """Titles that are in use, newest first, or those that resemble a text: two requests."""
    chosen = KINDS.get(kind, "MOVIE")
    cards, after, fetched = [], None, pictures_in(request)
    if q.strip():
        cards = [
            TitleCard(one, fetched) for one in await search_titles(request, q, limit=MAX_FOUND)
        ]
    else:
        asked = titles_of_type(entity_type=chosen)
        found = await request.store.page(asked, limit=PAGE, cursor=cursor)
        stored: list[Stored | None] = await request.store.batch_get(found.items)
        there = [one for one in stored if one is not None and one.removed_at is None]
        cards, after = [TitleCard(facts_of(one), fetched) for one in there], found.cursor
    return render(
        request,
        "titles/administration.html",
        cards=cards,
        cursor=after,
        kind=FOLDERS[chosen],
        q=q,
        longest_text=MAX_TEXT,
    )


@pages.page(NEW, Need.ADMINISTRATOR)
async def new_title(request: Request, kind: KindInPath, form: FormState = EMPTY) -> Response[Any]:
    """Where a title is made that no source knows."""
    return _render_form(request, kind, form)


@pages.form(NEW, Need.ADMINISTRATOR, on=new_title, flash="title-made")
async def create(ctx: Ctx, kind: KindInPath, data: TitleFactsForm) -> str:
    """Makes it, and leads to its page."""
    return id_of(await make_title(ctx, kind, draft_of(data))).address


@pages.page(ONE, Need.ADMINISTRATOR)
async def edit_title(
    request: Request, title: TitleInPath, form: FormState = EMPTY
) -> Response[Any]:
    """A title with all that can be corrected: one request."""
    found = await find_title(request, title)
    card = TitleCard(found.facts, pictures_in(request))
    version = None if found.stored is None else found.stored.version
    shown = form if form.values else FormState(_values(card) | {"version": version})
    return _render_form(request, title.content_type, shown, card)


@pages.form(ONE, Need.ADMINISTRATOR, on=edit_title, flash="title-saved")
async def save(request: Request, ctx: Ctx, title: TitleInPath, data: TitleFactsForm) -> str:
    """Saves corrections, unless another person was quicker; no source changes the title then."""
    saved = await edit_stored(ctx, titles_of(request), title, draft_of(data), data.version)
    return id_of(saved).address


@pages.form(f"{ONE}/remove", Need.ADMINISTRATOR, on=edit_title, leads_to=ALL, flash="title-removed")
async def remove(ctx: Ctx, title: TitleInPath) -> None:
    """Removes a title that was made here."""
    await remove_title(ctx, title)


def draft_of(data: TitleFactsForm) -> TitleDraft:
    """Returns what was typed, as the rules take it."""
    errors = FieldErrors()
    numbers = {name: errors.check(_number, name, getattr(data, name)) for name in NUMBERS}
    errors.raise_if_any()
    return TitleDraft(
        title=data.title,
        other_titles=[line for line in data.other_titles.splitlines() if line.strip()],
        genres=as_list(data.genres),
        status=cast("ShowStatus", data.status) if data.status in get_args(ShowStatus) else None,
        certification=cast("Certification", data.certification)
        if data.certification in get_args(Certification)
        else None,
        makers=_names(data.makers),
        cast=_names(data.cast),
        synopsis=data.synopsis,
        imdb_id=data.imdb_id or None,
        poster_url=data.poster_url or None,
        **numbers,
    )


def _number(field: str, typed: str) -> int | None:
    plain = typed.strip()
    if not plain:
        return None
    if not (plain.isascii() and plain.isdigit() and len(plain) <= 10):
        raise InvalidField(field, "Enter a number.")
    return int(plain)


def _names(typed: str) -> list[str]:
    """Names in a row, or one below the other."""
    parts = (part.strip() for line in typed.splitlines() for part in line.split(","))
    return [part for part in parts if part]


def _render_form(
    request: Request, kind: ContentType, shown: FormState, card: TitleCard | None = None
) -> Response[Any]:
    known = GENRES if kind == "MOVIE" else TITLE_GENRES
    return render(
        request,
        "titles/edit.html",
        form=shown,
        card=card,
        is_film=kind == "MOVIE",
        kind=FOLDERS[kind],
        genres=sorted((genre_name(one), name) for one, name in known.items()),
        chosen_genres=set(as_list(shown.value("genres") or [])),
        statuses=[
            ("", _("Unknown")),
            ("ongoing", _("Still running")),
            ("ended", _("Ended")),
            ("cancelled", _("Cancelled")),
        ],
        certifications=[("", _("Unknown")), *((one, one) for one in get_args(Certification))],
        rules=rules,
        longest_address=MAX_ADDRESS_LENGTH,
    )


def _values(card: TitleCard) -> dict[str, Any]:
    """Returns a title as its form shows it."""
    facts = card.facts
    same = {one.name for one in fields(TitleFactsForm)} & {one.name for one in fields(type(facts))}
    return {name: getattr(facts, name) for name in same} | {
        "other_titles": "\n".join(facts.other_titles),
        "genres": genre_names(facts.genres),
        "makers": ", ".join(facts.makers),
        "cast": ", ".join(facts.cast),
        "synopsis": facts.overview,
    }


def titles_administration() -> Router:
    """Returns the router of the titles' administration."""
    return Router("/", page_routes(pages))
