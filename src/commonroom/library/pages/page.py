"""How a page of the library answers: every template of the room knows its addresses as `at`."""

from __future__ import annotations

from typing import Any

from commonroom.errors import CommonroomError
from commonroom.http.render import refuse, render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.library.pages import addresses
from commonroom.library.service.access import LibraryAccess


def render_page(
    request: Request, template: str, *, error: CommonroomError | None = None, **context: Any
) -> Response[Any]:
    """A page of the room, with the status of the error that it shows, if any."""
    shown = render(request, template, at=addresses, **context)
    return shown if error is None else refuse(shown, error)


def may_change(request: Request, access: LibraryAccess) -> bool:
    """Returns whether actions are offered: to the owner, unless they act for another person."""
    return access.is_owner and request.caller.acting_as is None
