"""How a page of the library answers: every template of the room knows its addresses as `at`."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import CommonroomError
from commonroom.library.pages import addresses
from commonroom.web.people import showing
from commonroom.web.people.asking import AnyRequest
from commonroom.web.rendering import page as rendered


def page(request: AnyRequest, template: str, **context: Any) -> Response[Any]:
    """A page of the room."""
    return rendered(request, template, at=addresses, **context)


def again(
    request: AnyRequest, template: str, error: CommonroomError, **context: Any
) -> Response[Any]:
    """The same page with a form that was refused."""
    return showing.again(request, template, error, at=addresses, **context)
