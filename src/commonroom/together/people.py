"""A person's page: all that the reader shares with them, whichever room it is in."""

from __future__ import annotations

from itertools import chain
from typing import Any

from commonroom.accounts.errors import UnknownPerson
from commonroom.accounts.service.blocks import has_blocked, person_handle
from commonroom.accounts.tables import User, user_by_id
from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.person_parts import PersonPart, PersonSource
from commonroom.joins.rooms import open_offers

MAX_ID = 255


pages = Pages()


@pages.page("/people/{user_id:str}", Need.NOT_ACTING)
async def show_person(request: Request, user_id: str) -> Response[Any]:
    """Shows a person the reader shares something with: one request, and those of each room."""
    me = request.person
    if user_id == me.user_id:
        return redirect("/me")
    fits = len(user_id) <= MAX_ID
    person = await request.store.get(user_by_id(user_id=user_id)) if fits else None
    if person is None or person.disabled_at is not None:
        raise UnknownPerson
    parts = await _load_parts(request, person)
    is_child = person.parent_user_id == me.user_id
    if not is_child and not any(one.introduces for one in parts):
        raise UnknownPerson
    return render(
        request,
        "together/person.html",
        person=person,
        parts=parts,
        is_child=is_child,
        is_blocked=has_blocked(me, person.user_id),
        handle=person_handle(request.store, person.user_id, person.display_name),
    )


async def _load_parts(request: Request, person: User) -> list[PersonPart]:
    sources = open_offers(request, PersonSource)
    loaded = await request.store.gather_all(one.parts(request, person) for one in sources)
    return list(chain.from_iterable(loaded))
