"""How a page of the room answers, and for whom."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter

from commonroom.catalog.service import Titles
from commonroom.errors import CommonroomError
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.rules.lists import LONGEST_KEY
from commonroom.watchlists.service.access import Visitor
from commonroom.web.arguments import From
from commonroom.web.render import refuse, render
from commonroom.web.request import Request

Key = Annotated[str, QueryParameter(max_length=LONGEST_KEY)]
"""Of the link that opens a private list."""
Catalogue = Annotated[Titles, From(lambda request: request.app.state.titles)]


def render_page(
    request: Request, template: str, *, error: CommonroomError | None = None, **context: Any
) -> Response[Any]:
    """A page of the room, whose templates know its addresses as `at`."""
    shown = render(request, template, at=addresses, **context)
    return shown if error is None else refuse(shown, error)


def visitor_of(request: Request, key: str = "") -> Visitor:
    """Whoever looks: somebody with an account, or a guest."""
    person = request.caller.account
    return Visitor(
        request.store,
        request.now,
        None if person is None else person.user_id,
        request.caller.is_admin,
        key,
    )


def acts_alone(request: Request) -> bool:
    """Whether deeds are offered: to people with an account, while not acting for somebody."""
    return request.caller.account is not None and request.caller.acting_as is None
