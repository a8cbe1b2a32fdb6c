"""From the page of a film to a shelf: adds it to a library of one's own."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.request import Request
from commonroom.library.rules.names import is_id, new_id
from commonroom.library.service.access import own_library
from commonroom.library.service.items import add_item_once
from commonroom.library.service.lookup import video_offer
from commonroom.library.tables import Video
from commonroom.titles.pages.title import PAGES
from commonroom.titles.request import find_title, title_in_path
from commonroom.titles.titles import TitleFacts

pages = Pages()


class ShelfForm(Form):
    """To which library a film is added."""

    library_id: Line
    form_id: Line = ""


@pages.form("/films/{title_id:str}/shelf", Need.NOT_ACTING, on=PAGES["MOVIE"], flash="item-added")
async def add_to_shelf(request: Request, ctx: Ctx, data: ShelfForm) -> None:
    """Adds it to a library of one's own, with what is known of it."""
    found = await find_title(request, title_in_path(request))
    library = (await own_library(ctx, data.library_id)).library
    item_id = data.form_id if is_id(data.form_id) else new_id()
    await add_item_once(ctx, library, item_id, kind=Video, given=_fields(found.facts))


def _fields(facts: TitleFacts) -> dict[str, Any]:
    """Returns what is known of a film, as an item has it; a title is never empty."""
    offer = video_offer(facts, "catalogue")
    known = {"title": facts.title[:100]} if offer is None else asdict(offer)
    return {name: value for name, value in known.items() if value and name != "source"}
