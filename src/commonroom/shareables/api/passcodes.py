"""Passcodes: what one gives, and setting, changing and removing them."""

from __future__ import annotations

import time
from typing import get_args

from commonroom.errors import NotFound
from commonroom.shareables.api import views
from commonroom.shareables.api.asking import ONE, HeldPass, entered
from commonroom.shareables.api.bodies import PasscodeTyped
from commonroom.shareables.entering import account_of, passes_of
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.service.passcodes import change_passcode, enter, renew_creator_pass
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, part, post, put
from commonroom.web.request import Request

PASSCODE = f"{ONE}/passcodes/{{role:str}}"


@post(f"{ONE}/passes", Need.ANYONE, errors=(429,))
async def create_pass(
    request: Request, short_id: str, held: HeldPass, known: PasscodeTyped
) -> JsonResponse[views.PagePass]:
    """Get a pass for a page with one of its passcodes.

    Wrong ones are slowed down more and more. Whoever shows an account or a pass that they had for
    the page before does not wait for what strangers guess.
    """
    given = await enter(
        request.store,
        passes_of(request),
        time.time(),
        short_id,
        known.passcode,
        address=request.client_address,
        tokens=() if held is None else (held,),
        account_id=account_of(request),
    )
    return JsonResponse(views.PagePass(shown(given.short_id), given.role, given.token), status=201)


@put(PASSCODE, Need.ANYONE, errors=(410, 429))
async def set_passcode(
    request: Request, short_id: str, role: str, held: HeldPass, chosen: PasscodeTyped
) -> JsonResponse[views.PagePass]:
    """Set or change the passcode of a role, `view` or `admin`; an admin may.

    Every earlier pass of that role ends, never the creator's. Whoever changes it gets a new one.
    """
    return await _changed(request, short_id, role, held, chosen.passcode)


@delete(PASSCODE, Need.ANYONE, errors=(410, 429))
async def remove_passcode(
    request: Request, short_id: str, role: str, held: HeldPass
) -> JsonResponse[views.PagePass]:
    """Remove the passcode of a role, `view` or `admin`; an admin may, the latter the creator.

    Every earlier pass of that role ends, never the creator's. Whoever removes it gets a new one.
    """
    return await _changed(request, short_id, role, held, None)


@post(f"{ONE}/recovery", Need.ANYONE, errors=(410, 429))
async def renew_recovery(
    request: Request, short_id: str, held: HeldPass
) -> JsonResponse[views.CreatorPass]:
    """Issue the private edit link anew; the creator may. The pass and link before end."""
    gate = await entered(request, short_id, held, want="admin")
    token = await renew_creator_pass(request.store, passes_of(request), time.time(), gate)
    return JsonResponse(views.creator_pass(gate.page.short_id, token), status=201)


async def _changed(
    request: Request, short_id: str, role: str, held: str | None, typed: str | None
) -> JsonResponse[views.PagePass]:
    gate = await entered(request, short_id, held, want="admin")
    token = await change_passcode(
        request.store, passes_of(request), time.time(), gate, _role(role), typed=typed
    )
    return JsonResponse(views.PagePass(shown(gate.page.short_id), "admin", token))


def _role(named: str) -> Role:
    roles: tuple[Role, ...] = get_args(Role)
    for role in roles:
        if role == named:
            return role
    raise NotFound("A page has a passcode to view and one to edit.")


OPERATIONS = part(
    "Shareables: passcodes", create_pass, set_passcode, remove_passcode, renew_recovery
)
