"""What administrators do with accounts."""

from __future__ import annotations

import time

from commonroom.accounts.service import administration, passwords
from commonroom.accounts.service.profiles import LONGEST_ID
from commonroom.accounts.tables import User, user_by_id
from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.store import Store
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post, put
from commonroom.web.paging import Listed, Paging
from commonroom.web.people import sensitive_acts
from commonroom.web.people.api import views
from commonroom.web.request import Request

ONE = "/people/{user_id:str}"


@get("/people", Need.ADMINISTRATOR)
async def list_people(request: Request, paging: Paging) -> JsonResponse[Listed[views.Person]]:
    """List everybody with an account."""
    found = await administration.people(request.store, limit=paging.limit, cursor=paging.cursor)
    return JsonResponse(Listed([views.person(user) for user in found.items], found.cursor))


@post(f"{ONE}/reset-link", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_reset_link(request: Request, user_id: str) -> JsonResponse[views.ResetLink]:
    """Make a link with which a person chooses a new password."""
    now = time.time()
    person = await _person(request.store, user_id)
    secret = await sensitive_acts.make_reset_link(request, person)
    return JsonResponse(
        views.ResetLink(secret, f"/reset/{secret}", iso(int(now) + passwords.RESET_SECONDS))
    )


@put(f"{ONE}/administrator", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_administrator(request: Request, user_id: str) -> JsonResponse[views.Person]:
    """Let a person run the installation."""
    user = await _person(request.store, user_id)
    if not user.is_admin:
        await sensitive_acts.make_administrator(request, user)
    return await _shown(request, user_id)


@delete(f"{ONE}/administrator", Need.ADMINISTRATOR_RECENT_AUTH)
async def make_ordinary(request: Request, user_id: str) -> JsonResponse[views.Person]:
    """Take that away again.

    Ends the person's sessions and tokens. Somebody must be left who is an administrator.
    """
    user = await _person(request.store, user_id)
    if user.is_admin:
        await sensitive_acts.make_ordinary(request, user)
    return await _shown(request, user_id)


@put(f"{ONE}/disabled", Need.ADMINISTRATOR_RECENT_AUTH)
async def disable_person(request: Request, user_id: str) -> JsonResponse[views.Person]:
    """Keep a person out, at once and everywhere.

    Nothing is deleted. An administrator has to be made an ordinary person first.
    """
    user = await _person(request.store, user_id)
    if user.disabled_at is None:
        await sensitive_acts.disable(request, user)
    return await _shown(request, user_id)


@delete(f"{ONE}/disabled", Need.ADMINISTRATOR_RECENT_AUTH)
async def enable_person(request: Request, user_id: str) -> JsonResponse[views.Person]:
    """Let a disabled person in again."""
    await sensitive_acts.enable(request, await _person(request.store, user_id))
    return await _shown(request, user_id)


async def _shown(request: Request, user_id: str) -> JsonResponse[views.Person]:
    return JsonResponse(views.person(await _person(request.store, user_id)))


async def _person(store: Store, user_id: str) -> User:
    # It comes from an address, and a key takes only so much.
    fits = 0 < len(user_id) <= LONGEST_ID and user_id.isprintable()
    user = await store.get(user_by_id(user_id=user_id)) if fits else None
    if user is None:
        raise NotFound("This person does not exist.")
    return user


OPERATIONS = part(
    "Administrators",
    list_people,
    make_reset_link,
    make_administrator,
    make_ordinary,
    disable_person,
    enable_person,
)
