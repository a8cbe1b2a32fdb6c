"""How a page answers: with a form, with the same form again, with something shown once."""

from __future__ import annotations

from typing import Any

from litestar import Response

from commonroom.errors import CommonroomError
from commonroom.web.people.asking import AnyRequest
from commonroom.web.rendering import page


def again(
    request: AnyRequest, template: str, error: CommonroomError, **context: Any
) -> Response[Any]:
    """The same page with a form that was refused, and the status that says so."""
    answer = page(request, template, **context)
    answer.status_code = error.status
    if error.retry_after is not None:
        answer.headers["Retry-After"] = str(error.retry_after)
    return answer


def shown_once(request: AnyRequest, template: str, **context: Any) -> Response[Any]:
    """A page with a secret: nothing on the way and no browser may keep it."""
    answer = page(request, template, **context)
    answer.headers["Cache-Control"] = "no-store"
    return answer
