"""How a page of the library answers: every template of the room knows its addresses as `at`."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import CommonroomError
from commonroom.library.pages import addresses
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request


def page(request: Request, template: str, **context: Any) -> Response[Any]:
    """A page of the room."""
    return render(request, template, at=addresses, **context)


def again(request: Request, template: str, error: CommonroomError, **context: Any) -> Response[Any]:
    """The same page with a form that was refused."""
    return render_refused(request, template, error, at=addresses, **context)
