"""The page of a film or show, open to guests; its poster and the picture of its link preview."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, cast

from commonroom.errors import NotFound
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, FormState, PageRoute, Pages, page_routes
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router, get
from commonroom.http.sharing import shared
from commonroom.joins.rooms import open_offers
from commonroom.joins.title_sections import KeptTitleSource, TitleSection
from commonroom.outgoing.caches import picture_type
from commonroom.titles.fetched_pictures import picture_answer, pictures_in
from commonroom.titles.pages.previews import title_picture
from commonroom.titles.posters import Posters
from commonroom.titles.preview_pictures.serving import DAY, picture_response
from commonroom.titles.request import find_title, reader_of, title_in_path
from commonroom.titles.service import FoundTitle
from commonroom.titles.titles import FOLDERS, ContentType, TitleId
from commonroom.titles.views import TitleCard

POSTER_CACHING = "private, max-age=604800, immutable"
"""A title that gets another poster gets another name for it, too."""


pages = Pages()


async def show_title(request: Request, title: TitleId, form: FormState) -> Response[Any]:
    """Shows a title: two requests for all that is read by key, and the queries of each section."""
    store, sections = request.store, open_offers(request, TitleSection)
    reads: list[Coroutine[Any, Any, Any]] = [_find(request, title)]
    reads += [one.prepare(request, title) for one in sections]
    found, *prepared = await store.gather_batched(reads)
    if found.facts.id != title:
        return redirect(found.facts.id.address)
    loaded = await store.gather_batched(
        [one.load(request, found, it) for one, it in zip(sections, prepared, strict=True)]
    )
    shown = [pair for pair in zip(sections, loaded, strict=True) if pair[1] is not None]
    card = TitleCard(found.facts, pictures_in(request))
    return render(
        request,
        "titles/title.html",
        card=card,
        facts=found.facts,
        beside=[pair for pair in shown if pair[0].place == "beside"],
        below=[pair for pair in shown if pair[0].place == "below"],
        styles=dict.fromkeys(one.style for one, _ in shown if one.style),
        shared=shared(request, card.address, card.title),
        preview=shared(request, f"{card.address}/preview.png", card.title).address,
        form=form,
    )


async def _find(request: Request, title: TitleId) -> FoundTitle:
    """Returns a title, or as much of it as a room has kept for the caller."""
    try:
        return await find_title(request, title)
    except NotFound:
        for source in open_offers(request, KeptTitleSource):
            kept = await source.find(request, title)
            if kept is not None:
                return FoundTitle(kept)
        raise


def _page_of(content_type: ContentType) -> PageRoute:
    @pages.page(f"/{FOLDERS[content_type]}/{{title_id:str}}", Need.ANYONE)
    async def title_page(request: Request, form: FormState = EMPTY) -> Response[Any]:
        """A film or show, with what rooms add to it."""
        return await show_title(request, title_in_path(request), form)

    return title_page


PAGES = {content_type: _page_of(content_type) for content_type in FOLDERS}
"""By what is shown; a room's forms name the page that they are on."""


@get(
    [f"/{folder}/{{title_id:str}}/preview.png" for folder in FOLDERS.values()],
    Need.ANYONE,
)
async def preview(request: Request) -> Response[bytes | None]:
    """The picture that a link to a title shows elsewhere: drawn, the same for everybody."""
    found = await find_title(request, title_in_path(request))
    picture = title_picture(TitleCard(found.facts))
    return await picture_response(request, picture, kept_seconds=DAY)


@get("/posters/{name:str}", Need.ANYONE)
async def poster(request: Request, name: str) -> Response[bytes]:
    """A poster from this machine; pages have drawn one already where there is none.

    Guests see those that are kept: for them nothing is fetched.
    """
    posters = cast("Posters", request.app.state.posters)
    look = posters.kept if reader_of(request) is None else posters.poster
    found = await look(f"/{name}")
    if found is None:
        return picture_answer(None)
    headers = {"Cache-Control": POSTER_CACHING}
    return Response(found, media_type=picture_type(found) or "image/jpeg", headers=headers)


pages.include(preview, poster)


def title_pages() -> Router:
    """Returns the router of a title's pages."""
    return Router("/", page_routes(pages))
