"""Where administrators merge duplicates: two titles are chosen, then it says what merging does."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.titles.request import KINDS, MAX_ID
from commonroom.titles.search import search_titles
from commonroom.titles.service import MAX_TEXT, Titles
from commonroom.titles.stored_titles import facts_of
from commonroom.titles.titles import FOLDERS, TitleId
from commonroom.titles.views import TitleCard
from commonroom.watchlists.pages.page import Sought, render_page
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.service.title_merging import (
    MAX_COUNTED,
    MergePreview,
    merge_titles,
    preview_merge,
)

DUPLICATES = "/admin/duplicates"
MAX_FOUND = 20

Chosen = Annotated[str, Meta(max_length=200)]


pages = Pages()


class MergeForm(Form):
    """Which title goes, and which one stays: `films/603`."""

    goes: Line
    stays: Line


class FoundRow(Struct, frozen=True):
    """A title that can be chosen, and where choosing it leads."""

    card: TitleCard
    ids: str
    goes: str | None
    """None where it cannot go, because a source knows it."""
    stays: str


@pages.page(DUPLICATES, Need.ADMINISTRATOR)
async def show_duplicates(
    request: Request,
    ctx: Ctx,
    titles: Catalogue,
    *,
    q: Sought = "",
    goes: Chosen = "",
    stays: Chosen = "",
    form: FormState = EMPTY,
) -> Response[Any]:
    """Two titles that may be one, and what merging them does."""
    goes, stays = form.value("goes") or goes, form.value("stays") or stays
    chosen = {"goes": goes, "stays": stays}
    found = await search_titles(request, q, limit=MAX_FOUND) if q.strip() else []
    preview, refusal = await _preview(ctx, titles, goes, stays)
    return render_page(
        request,
        "watchlists/duplicates.html",
        q=q,
        form=form,
        chosen=chosen,
        gone=await _card(ctx, titles, goes),
        kept=await _card(ctx, titles, stays),
        rows=[_row(TitleCard(one), chosen | {"q": q}) for one in found],
        preview=preview,
        refusal=refusal,
        most_counted=MAX_COUNTED,
        longest_text=MAX_TEXT,
    )


@pages.form(DUPLICATES, Need.ADMINISTRATOR, on=show_duplicates, flash="titles-merged")
async def merge(ctx: Ctx, titles: Catalogue, data: MergeForm) -> str:
    """Merges them, and leads to the title that stays."""
    source, target = _title(data.goes), _title(data.stays)
    if source is None or target is None:
        raise NotFound("This title does not exist.")
    kept = await merge_titles(ctx, titles, source, target)
    return facts_of(kept).id.address


def _title(named: str) -> TitleId | None:
    folder, _, content_id = named.strip("/").partition("/")
    if folder not in KINDS or not 1 <= len(content_id) <= MAX_ID:
        return None
    return TitleId(KINDS[folder], content_id)


async def _card(ctx: Context, titles: Titles, named: str) -> TitleCard | None:
    title = _title(named)
    found = None if title is None else await titles.find_here(ctx.store, title)
    return None if found is None else TitleCard(found.facts)


async def _preview(
    ctx: Context, titles: Titles, goes: str, stays: str
) -> tuple[MergePreview | None, str | None]:
    source, target = _title(goes), _title(stays)
    if source is None or target is None:
        return None, None
    try:
        return await preview_merge(ctx, titles, source, target), None
    except (Conflict, NotFound) as refused:
        return None, refused.detail


def _row(card: TitleCard, chosen: dict[str, str]) -> FoundRow:
    facts = card.facts
    named = f"{FOLDERS[facts.content_type]}/{facts.content_id}"
    tmdb = None if facts.tmdb_id is None else f"TMDB {facts.tmdb_id}"
    return FoundRow(
        card=card,
        ids=" · ".join(one for one in (facts.imdb_id, tmdb) if one),
        goes=None if facts.id.tmdb_id is not None else _address(chosen | {"goes": named}),
        stays=_address(chosen | {"stays": named}),
    )


def _address(chosen: dict[str, str]) -> str:
    return f"{DUPLICATES}?{urlencode({name: value for name, value in chosen.items() if value})}"
