"""The room's front: pages to make, a page to open, and the list of a person with an account."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.errors import InvalidField
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, FormState, Pages
from commonroom.http.page_arguments import QueryName
from commonroom.http.redirects import redirect
from commonroom.http.render import refuse, render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.shareables.pages.view import view
from commonroom.shareables.request import ONE, PageGate, account_of, limits_of
from commonroom.shareables.rules.short_ids import address_of, format_short_id, read_short_id
from commonroom.shareables.service import listing

HERE = "/s"

Typed = Annotated[str, QueryName("id"), Meta(max_length=1000)]


pages = Pages()


@pages.page(HERE, Need.ANYONE)
async def home(request: Request, typed: Typed = "", cursor: Cursor = None) -> Response[Any]:
    """The doors and the list; where an id was typed, on to its page."""
    if not typed:
        return await _render_home(request, EMPTY, cursor)
    short_id = read_short_id(typed)
    if short_id is not None:
        return redirect(address_of(short_id))
    error = InvalidField(
        "id", "Enter the code: six letters and five numbers, for example ABC-DEF-12345."
    )
    form = FormState({"id": typed}, {"id": error.detail})
    return refuse(await _render_home(request, form, cursor), error)


@pages.form(f"{ONE}/keep", Need.NOT_ACTING, on=view, flash="shareable-kept")
async def keep_page(request: Request, gate: PageGate) -> None:
    """Puts a page into the caller's list."""
    await listing.join(gate, request.person.user_id)


@pages.form(f"{ONE}/drop", Need.NOT_ACTING, on=view, leads_to=HERE, flash="shareable-dropped")
async def drop_page(request: Request, short_id: str) -> None:
    """Takes a page out of the caller's list, who need not be let in for that."""
    await listing.drop(request.store, short_id, request.person.user_id)


async def _render_home(request: Request, form: FormState, cursor: str | None) -> Response[Any]:
    account, pages = account_of(request), None
    if account is not None:
        pages = await listing.pages_of(request.store, request.now, account, cursor=cursor)
    return render(
        request,
        "shareables/home.html",
        form=form,
        listing=pages,
        address_of=address_of,
        format_short_id=format_short_id,
        limits=limits_of(request),
    )
