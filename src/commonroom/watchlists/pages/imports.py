"""Importing what a person has elsewhere: looked up, previewed, worked through, and undone."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from litestar import Response, post
from litestar.datastructures import UploadFile
from litestar.params import MultipartBody, QueryParameter
from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound, RateLimited, Refusal
from commonroom.http.access import Need, needs
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages, as_list, show_refused
from commonroom.http.redirects import redirect
from commonroom.http.request import Cursor, Request
from commonroom.http.words import _
from commonroom.imports.files import UnreadableFile
from commonroom.imports.pages import (
    BUSY,
    MAX_UPLOAD,
    STEP,
    cancelled_flash,
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
from commonroom.watchlists.pages.page import publishes_here, render_page
from commonroom.watchlists.request import Catalogue, Publishers
from commonroom.watchlists.rules.imports import Rated, SameLists, Unknown, WatchlistImportChoices
from commonroom.watchlists.service.imports import WatchlistImportStatus, lifecycle, unmatched
from commonroom.watchlists.service.imports.lifecycle import MAX_LEFT_OUT
from commonroom.watchlists.service.imports.unmatched import OpenRow
from commonroom.watchlists.service.profiles import my_profile

HERE = addresses.IMPORT
OPEN_ROWS = 20
MAX_FOUND = 8

LeftOut: TypeAlias = Annotated[list[Line], Meta(max_length=MAX_LEFT_OUT)] | Line
"""What is not imported: a list, but the value itself where a single box is ticked."""
Sought = Annotated[str, QueryParameter(max_length=1000)]


pages = Pages()


class WatchlistUpload(Struct):
    """Files as a browser sends them."""

    file: list[UploadFile]


class WhichForm(Form):
    """Which import is meant."""

    import_id: Line


class StartWatchlistImportForm(WhichForm):
    """What an import does with what is there already, and with what nobody knows."""

    same_lists: SameLists = "extend"
    rated: Rated = "keep"
    unknown: Unknown = "make"
    publishes: bool = False
    without: LeftOut = ""
    goes_on: bool = False
    """Whether it began before, and stands still."""

    @property
    def choices(self) -> WatchlistImportChoices:
        """Returns the choices as the service takes them."""
        return WatchlistImportChoices(
            same_lists=self.same_lists,
            rated=self.rated,
            unknown=self.unknown,
            publishes=self.publishes,
            without=frozenset(as_list(self.without)),
        )


class SettleForm(WhichForm):
    """The title that a row means, and what was looked for."""

    content_type: ContentType
    content_id: Line
    q: Line = ""


class RowCard(Struct, frozen=True):
    """A row whose title nobody knew."""

    row: OpenRow

    @property
    def facts(self) -> str:
        """Where it stands, and what becomes of it once its title is known, in a line."""
        row = self.row
        parts = [_("Row %(number)s") % {"number": row.number}, row.file]
        parts += [row.list_title and _("for “%(list)s”") % {"list": row.list_title}]
        opinion = _("seen") if row.is_seen else None
        parts += [opinion if row.rating is None else words.star_words(row.rating)]
        return " · ".join(part for part in parts if part)


@pages.page(HERE, Need.NOT_ACTING)
async def import_page(
    request: Request,
    ctx: Ctx,
    *,
    cursor: Cursor = None,
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """What files would bring, how far that is, or what came of it: at most four requests."""
    context = await _context(request, ctx, cursor=cursor)
    if error is not None:
        form = refused_file(context["seen"], error, (*BUSY, "arriving"))
    return render_page(request, "watchlists/import.html", **context, form=form)


@post(HERE, opt=needs(Need.NOT_ACTING), status_code=200, request_max_body_size=MAX_UPLOAD)
async def bring(request: Request, data: MultipartBody[WatchlistUpload]) -> Response[Any]:
    """Keeps files, whose titles are then looked up."""
    files = [(one.filename, await one.read()) for one in data.file]
    try:
        await lifecycle.prepare(request.context, files)
    except (UnreadableFile, Conflict, RateLimited) as error:
        return await show_refused(request, import_page, error, {})
    return redirect(HERE)


@pages.form(f"{HERE}/look-up", Need.NOT_ACTING, on=import_page, flash="import-looks-up")
async def look_up(ctx: Ctx, data: WhichForm) -> None:
    """Looks titles up again for which the film source did not answer."""
    await lifecycle.look_up_again(ctx, data.import_id)


@pages.form(f"{HERE}/outcome", Need.NOT_ACTING, on=import_page)
async def preview_outcome(
    request: Request, ctx: Ctx, data: StartWatchlistImportForm
) -> Response[Any]:
    """What an import would do with other choices than those that the page began with."""
    outcome = await lifecycle.preview_outcome(ctx, data.import_id, data.choices)
    context = await _context(request, ctx) | {"outcome": outcome, "choices": data.choices}
    return render_page(request, "watchlists/import.html", **context, form=EMPTY)


@pages.form(f"{HERE}/start", Need.NOT_ACTING, on=import_page)
async def begin(ctx: Ctx, publishers: Publishers, data: StartWatchlistImportForm) -> Response[Any]:
    """Begins; what was looked at before is what is brought in, or nothing is."""
    await lifecycle.start(ctx, data.import_id, data.choices, who_publishes=publishers)
    return redirect(HERE, "import-goes-on" if data.goes_on else "import-started")


@pages.form(f"{HERE}/undo", Need.NOT_ACTING, on=import_page, flash="import-undoing")
async def undo(ctx: Ctx, data: WhichForm) -> None:
    """Takes back what an import did, but for what was changed since."""
    await lifecycle.undo(ctx, data.import_id)


@pages.form(f"{HERE}/cancel", Need.NOT_ACTING, on=import_page)
async def cancel(ctx: Ctx) -> Response[Any]:
    """Stops what runs, forgets what waits, closes a report."""
    before = await _find_import(ctx)
    if before is None:
        return redirect(HERE)
    await lifecycle.cancel(ctx)
    return redirect(HERE, cancelled_flash(before.state))


@pages.page(addresses.IMPORTED_ROW, Need.NOT_ACTING)
async def open_row(
    request: Request,
    ctx: Ctx,
    row_id: str,
    *,
    q: Sought = "",
    form: FormState = EMPTY,
) -> Response[Any]:
    """Where the title of a row is looked for: three requests, and the catalogue's."""
    kept = await lifecycle.get_import(ctx)
    row = await unmatched.open_row(ctx, kept.import_id, row_id)
    sought = str(form.value("q") or q or row.title)
    found = await search_titles(request, sought, limit=MAX_FOUND)
    return render_page(
        request,
        "watchlists/import_row.html",
        row=row,
        facts=RowCard(row).facts,
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
    title = TitleId(data.content_type, data.content_id)
    await unmatched.settle(ctx, titles, data.import_id, row_id, title)
    return await _next_row(ctx, data.import_id)


@pages.form(f"{addresses.IMPORTED_ROW}/add", Need.NOT_ACTING, on=open_row, flash="row-settled")
async def add_title_of_row(
    request: Request, ctx: Ctx, titles: Catalogue, row_id: str, data: WhichForm
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
async def dismiss_row(ctx: Ctx, row_id: str, data: WhichForm) -> str:
    """Lets a row go, and goes on with the next one."""
    await unmatched.dismiss(ctx, data.import_id, row_id)
    return await _next_row(ctx, data.import_id)


async def _next_row(ctx: Context, import_id: str) -> str:
    left = await unmatched.open_rows(ctx, import_id, limit=1)
    return addresses.imported_row(left.items[0].row_id) if left.items else HERE


async def _context(request: Request, ctx: Context, *, cursor: str | None = None) -> dict[str, Any]:
    seen = await _find_import(ctx)
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
        "rows": [RowCard(one) for one in rows.items],
        "cursor": rows.cursor,
    }


def _looked_up(seen: WatchlistImportStatus | None) -> dict[str, int]:
    """Returns how far the looking up of titles is, while that is what happens."""
    if seen is None or seen.state != "arriving":
        return {}
    percent = 100 * seen.looked_up // max(1, seen.of)
    return {"percent": percent, "told_percent": percent // STEP * STEP}


async def _find_import(ctx: Context) -> WatchlistImportStatus | None:
    try:
        return await lifecycle.see_import(ctx)
    except NotFound:
        return None


pages.include(bring)
