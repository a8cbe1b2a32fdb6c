"""Importing what a person has elsewhere: looked up, previewed, worked through, and undone."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, RateLimited, Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.form_data import FormFile
from commonroom.http.forms import EMPTY, FormState, Line, Pages, as_list, show_refused
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import post
from commonroom.http.words import _
from commonroom.imports.files import UnreadableFile
from commonroom.imports.pages import (
    BUSY,
    MAX_UPLOAD,
    STEP,
    StartImportForm,
    WhichImportForm,
    cancel_import,
    progress_context,
    refused_file,
)
from commonroom.store import Page
from commonroom.titles.adding import add_missing_title
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.titles.missing_titles import MissingTitle
from commonroom.titles.search import search_titles
from commonroom.titles.service import MAX_TEXT
from commonroom.titles.stored_titles import id_of
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists import words
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import TitleHitCard
from commonroom.watchlists.pages.page import Sought, publishes_here, render_page
from commonroom.watchlists.request import Catalogue, MyImports, imports_of
from commonroom.watchlists.rules.imports import (
    MAX_LEFT_OUT,
    Rated,
    SameLists,
    Unknown,
    WatchlistImportChoices,
)
from commonroom.watchlists.service.imports import WatchlistImportStatus, unmatched
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.imports.unmatched import OpenRow
from commonroom.watchlists.service.profiles import my_profile

HERE = addresses.IMPORT
OPEN_ROWS = 20
MAX_FOUND = 8

LeftOut: TypeAlias = Annotated[list[Line], Meta(max_length=MAX_LEFT_OUT)] | Line
"""What is not imported: a list, but the value itself where a single box is ticked."""


pages = Pages()


class WatchlistUpload(Struct):
    """Files as a browser sends them."""

    file: list[FormFile]


class StartWatchlistImportForm(StartImportForm):
    """What an import does with what is there already, and with what nobody knows."""

    same_lists: SameLists = "extend"
    rated: Rated = "keep"
    unknown: Unknown = "make"
    publishes: bool = False
    without: LeftOut = ""

    @property
    def choices(self) -> WatchlistImportChoices:
        """Returns the choices as the service takes them."""
        return WatchlistImportChoices.of(self, as_list(self.without))


class SettleForm(WhichImportForm):
    """The title that a row means, and what was looked for."""

    content_type: ContentType
    content_id: Line
    q: Line = ""


def facts_line(row: OpenRow) -> str:
    """Returns where a row stands, and what becomes of it once its title is known, in a line."""
    parts = [_("Row %(number)s") % {"number": row.number}, row.file]
    parts += [row.list_title and _("for “%(list)s”") % {"list": row.list_title}]
    opinion = _("seen") if row.is_seen else None
    parts += [opinion if row.rating is None else words.star_words(row.rating)]
    return " · ".join(part for part in parts if part)


@pages.page(HERE, Need.NOT_ACTING)
async def import_page(
    request: Request,
    imports: MyImports,
    *,
    cursor: Cursor = None,
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """What files would bring, how far that is, or what came of it: at most four requests."""
    context = await _context(request, imports, cursor=cursor)
    if error is not None:
        form = refused_file(context["seen"], error, (*BUSY, "arriving"))
    return render_page(request, "watchlists/import.html", **context, form=form)


@post(HERE, Need.NOT_ACTING, max_body=MAX_UPLOAD)
async def bring(request: Request, data: WatchlistUpload) -> Response[Any]:
    """Keeps files, whose titles are then looked up."""
    files = [(one.filename, one.content) for one in data.file]
    try:
        await imports_of(request).prepare(files)
    except (UnreadableFile, Conflict, RateLimited) as error:
        return await show_refused(request, import_page, error, {})
    return redirect(HERE)


@pages.form(f"{HERE}/look-up", Need.NOT_ACTING, on=import_page, flash="import-looks-up")
async def look_up(imports: MyImports, data: WhichImportForm) -> None:
    """Looks titles up again for which the film source did not answer."""
    await imports.look_up_again(data.import_id)


@pages.form(f"{HERE}/outcome", Need.NOT_ACTING, on=import_page)
async def preview_outcome(
    request: Request, imports: MyImports, data: StartWatchlistImportForm
) -> Response[Any]:
    """What an import would do with other choices than those that the page began with."""
    outcome = await imports.preview_outcome(data.import_id, data.choices)
    context = await _context(request, imports) | {"outcome": outcome, "choices": data.choices}
    return render_page(request, "watchlists/import.html", **context, form=EMPTY)


@pages.form(f"{HERE}/start", Need.NOT_ACTING, on=import_page)
async def begin(imports: MyImports, data: StartWatchlistImportForm) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    await imports.start(data.import_id, data.choices)
    return redirect(HERE, data.flash)


@pages.form(f"{HERE}/undo", Need.NOT_ACTING, on=import_page, flash="import-undoing")
async def undo(imports: MyImports, data: WhichImportForm) -> None:
    """Takes back what an import did, but for what was changed since."""
    await imports.undo(data.import_id)


@pages.form(f"{HERE}/cancel", Need.NOT_ACTING, on=import_page)
async def cancel(imports: MyImports) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    return redirect(HERE, await cancel_import(imports))


@pages.page(addresses.IMPORTED_ROW, Need.NOT_ACTING)
async def open_row(
    request: Request,
    imports: MyImports,
    row_id: str,
    *,
    q: Sought = "",
    form: FormState = EMPTY,
) -> Response[Any]:
    """Where the title of a row is looked for: three requests, and the catalogue's."""
    kept = await imports.current()
    row = await unmatched.open_row(imports.ctx, kept.import_id, row_id)
    sought = str(form.value("q") or q or row.title)
    found = await search_titles(request, sought, limit=MAX_FOUND)
    return render_page(
        request,
        "watchlists/import_row.html",
        row=row,
        facts=facts_line(row),
        import_id=kept.import_id,
        left=kept.unmatched - kept.settled,
        q=sought,
        found=[TitleHitCard(one, pictures_in(request)) for one in found],
        form=form,
        longest_text=MAX_TEXT,
    )


@pages.form(addresses.IMPORTED_ROW, Need.NOT_ACTING, on=open_row, flash="row-settled")
async def settle_row(ctx: Ctx, titles: Catalogue, row_id: str, data: SettleForm) -> str:
    """Says which title a row means, and goes on with the next one."""
    title = TitleId.of(data)
    await unmatched.settle(ctx, titles, data.import_id, row_id, title)
    return await _next_row(ctx, data.import_id)


@pages.form(f"{addresses.IMPORTED_ROW}/add", Need.NOT_ACTING, on=open_row, flash="row-settled")
async def add_title_of_row(
    request: Request, ctx: Ctx, titles: Catalogue, row_id: str, data: WhichImportForm
) -> str:
    """Makes the title that a row names, where nobody knows it, and goes on with the next one."""
    row = await unmatched.open_row(ctx, data.import_id, row_id)
    wanted = MissingTitle(content_type=row.content_type or "MOVIE", title=row.title, year=row.year)
    made = id_of(await add_missing_title(request, ctx, wanted))
    await unmatched.settle(ctx, titles, data.import_id, row_id, made)
    return await _next_row(ctx, data.import_id)


@pages.form(
    f"{addresses.IMPORTED_ROW}/dismiss", Need.NOT_ACTING, on=open_row, flash="row-dismissed"
)
async def dismiss_row(ctx: Ctx, row_id: str, data: WhichImportForm) -> str:
    """Lets a row go, and goes on with the next one."""
    await unmatched.dismiss(ctx, data.import_id, row_id)
    return await _next_row(ctx, data.import_id)


async def _next_row(ctx: Context, import_id: str) -> str:
    left = await unmatched.open_rows(ctx, import_id, limit=1)
    return addresses.imported_row(left.items[0].row_id) if left.items else HERE


async def _context(
    request: Request, imports: WatchlistImports, *, cursor: str | None = None
) -> dict[str, Any]:
    ctx, seen = imports.ctx, await imports.see_any()
    preview = None if seen is None else seen.preview
    rows: Page[OpenRow] = Page([], None)
    if seen is not None and seen.open_rows:
        rows = await unmatched.open_rows(ctx, seen.import_id, limit=OPEN_ROWS, cursor=cursor)
    is_ready = seen is not None and seen.state == "ready"
    profile = await my_profile(ctx) if is_ready else None
    return {
        **progress_context(seen, request.now),
        **_looked_up(seen),
        "formats": words.FORMATS,
        "fields": words.IMPORT_FIELDS,
        "outcome": None if preview is None else preview.outcome,
        "choices": WatchlistImportChoices()
        if preview is None
        else WatchlistImportChoices(unknown=preview.unknown),
        "may_publish": is_ready and publishes_here(request, profile),
        "rows": [(one, facts_line(one)) for one in rows.items],
        "cursor": rows.cursor,
    }


def _looked_up(seen: WatchlistImportStatus | None) -> dict[str, int]:
    """Returns how far the looking up of titles is, while that is what happens."""
    if seen is None or seen.state != "arriving":
        return {}
    percent = 100 * seen.looked_up // max(1, seen.of)
    return {"percent": percent, "told_percent": percent // STEP * STEP}


pages.include(bring)
