"""Pictures at addresses that people entered, as pages show them: from this machine, or drawn."""

from __future__ import annotations

from base64 import b64decode
from typing import cast

from commonroom.http.access import Need
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.outgoing.pictures import ADDRESSES, BOXES, FetchedPictures, Size
from commonroom.titles.posters import poster_address
from commonroom.titles.request import reader_of
from commonroom.titles.titles import TitleFacts

KEPT = "private, max-age=604800, immutable"
MISSING = "private, max-age=60"
"""Not asked for again with every page; perhaps it is there in a minute."""

TRANSPARENT = b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
"""A single dot that nobody sees: browsers draw a torn sheet where they get nothing."""


def pictures_in(request: Request) -> FetchedPictures:
    """Returns the pictures of this installation."""
    return cast("FetchedPictures", request.app.state.pictures)


def picture_address(
    pictures: FetchedPictures, stored: str | None, size: Size = "small"
) -> str | None:
    """Where this server has a poster of a source, or the picture at an address; None without."""
    if stored is None or not stored.startswith("https://"):
        return poster_address(stored)
    return pictures.address(stored, size)


def title_poster(pictures: FetchedPictures, facts: TitleFacts) -> str | None:
    """Returns where this server has a title's poster; None where one is drawn."""
    return poster_address(facts.poster_path) or pictures.address(facts.poster_url)


def picture_answer(found: bytes | None) -> Response[bytes]:
    """A picture, or that there is none now: nothing is seen then of what lies above a drawing."""
    if found is None:
        headers = {"Cache-Control": MISSING}
        return Response(TRANSPARENT, status_code=404, media_type="image/gif", headers=headers)
    return Response(found, media_type="image/webp", headers={"Cache-Control": KEPT})


@get(f"{ADDRESSES}/{{size:str}}/{{name:str}}", Need.ANYONE)
async def picture(request: Request, size: str, name: str) -> Response[bytes]:
    """A picture of a list, a curator or a title; pages have drawn one where there is none.

    Guests see those that are kept: for them nothing is fetched.
    """
    if size not in BOXES:
        return picture_answer(None)
    fetches = reader_of(request) is not None
    found = await pictures_in(request).open_picture(name, size, fetches=fetches)
    return picture_answer(found)
