"""How a page of the room answers, and for whom."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.request import who_publishes
from commonroom.watchlists.rules.curators import may_publish, publishes_by_default
from commonroom.watchlists.rules.lists import MAX_KEY
from commonroom.watchlists.tables import CuratorStatus, Profile

Key = Annotated[str, Meta(max_length=MAX_KEY)]
"""Of the link that opens a private list."""
Sought = Annotated[str, Meta(max_length=1000)]
"""What is searched for: a title, or part of one."""


def render_page(request: Request, template: str, **context: Any) -> Response[Any]:
    """A page of the room, whose templates know its addresses as `at`."""
    return render(request, template, at=addresses, **context)


def acts_alone(request: Request) -> bool:
    """Returns whether actions are offered: to people with an account who do not act for another."""
    return request.caller.account is not None and request.caller.acting_as is None


def publishes_here(request: Request, profile: Profile | None) -> bool:
    """Returns whether a person may make lists public."""
    return may_publish(_status(profile), who_publishes(request))


def publishes_first(request: Request, profile: Profile | None) -> bool:
    """Returns whether a new list is public unless its maker chooses otherwise."""
    return publishes_by_default(_status(profile), who_publishes(request))


def _status(profile: Profile | None) -> CuratorStatus | None:
    return None if profile is None else profile.curator_status
