"""What a page of the library needs to know of a request."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import CommonroomError
from commonroom.library.pages import addresses
from commonroom.library.service.access import LibraryAccess, Owned, own_library, readable_library
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request


async def reach_in(request: Request, library_id: str) -> LibraryAccess:
    """A library that whoever asks may look into: one request, or two."""
    return await readable_library(request.store, request.person, library_id)


async def owned_in(request: Request, library_id: str) -> Owned:
    """A library of whoever asks: one request."""
    return await own_library(request.store, request.person, library_id)


def may_change(request: Request, reach: LibraryAccess) -> bool:
    """Whether deeds are offered: to the owner, while not acting for somebody."""
    return reach.is_owner and request.caller.acting_as is None


def render_page(request: Request, template: str, **context: Any) -> Response[Any]:
    """A page of the room."""
    return render(request, template, at=addresses, **context)


def render_refused_page(
    request: Request, template: str, error: CommonroomError, **context: Any
) -> Response[Any]:
    """The same page with a form that was refused."""
    return render_refused(request, template, error, at=addresses, **context)
