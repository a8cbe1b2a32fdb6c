"""The pictures that links to public lists and to curators show elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from litestar import Response, get
from litestar.params import FromPath

from commonroom.http.access import Need, needs
from commonroom.http.forms import Pages
from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.titles.posters import drawing_of
from commonroom.titles.preview_pictures.rows_of_posters import MAX_POSTERS, PosterRow
from commonroom.titles.preview_pictures.serving import HOUR, picture_response
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.service import discovery, profiles
from commonroom.watchlists.service.access import ListVisitor, readable_list
from commonroom.watchlists.tables import Poster

pages = Pages()


@get(f"{addresses.LIST}/preview.png", opt=needs(Need.ANYONE))
async def list_preview(request: Request, watchlist_id: FromPath[str]) -> Response[bytes | None]:
    """A public list: what it is called, whose it is, and its first titles. One request."""
    found = await readable_list(ListVisitor(request.store, request.now), watchlist_id)
    by = [] if not found.curator_name else [_("by %(name)s") % {"name": found.curator_name}]
    facts = [*by, pluralize("%(n)d title", "%(n)d titles", found.item_count)]
    picture = _picture(found.title, facts, found.posters)
    return await picture_response(request, picture, kept_seconds=HOUR)


@get(f"{addresses.CURATOR}/preview.png", opt=needs(Need.ANYONE))
async def curator_preview(request: Request, username: FromPath[str]) -> Response[bytes | None]:
    """A curator: their name, and the first titles of their newest lists. Four requests."""
    profile = await profiles.public_profile(ListVisitor(request.store, request.now), username)
    found = await discovery.browse(request.store, "curator", profile.user_id, limit=MAX_POSTERS)
    posters = [one.posters[0] for one in found.items if one.posters]
    facts = [pluralize("%(n)d list", "%(n)d lists", profile.public_list_count)]
    picture = _picture(profile.username, facts, posters)
    return await picture_response(request, picture, kept_seconds=HOUR)


def _picture(title: str, facts: list[str], posters: Iterable[Poster]) -> PosterRow:
    drawings = [drawing_of(one.title, one.content_type) for one in posters]
    return PosterRow(title, " · ".join(facts), tuple(dict.fromkeys(drawings)))


pages.include(list_preview, curator_preview)
