"""Data export and account deletion: what is stored of a person, to take along or to delete."""

from __future__ import annotations

from typing import Annotated

from commonroom.accounts.service import account_data
from commonroom.errors import InvalidField
from commonroom.web.access import Need
from commonroom.web.arguments import Header
from commonroom.web.operations import delete, get, tag
from commonroom.web.people import sensitive_acts
from commonroom.web.people.api import views
from commonroom.web.people.cookies import forget_session
from commonroom.web.request import Request
from commonroom.web.responses import JsonResponse
from commonroom.web.rooms import export_parts

Confirm = Annotated[
    str | None,
    Header("Confirm", f"“{account_data.CONFIRMATION}”, so that it does not happen by accident."),
]


@get("/me/export", Need.NOT_ACTING)
async def export_me(request: Request) -> JsonResponse[views.Export]:
    """Get all that is stored of oneself.

    Without secrets and their digests.
    """
    everything = await account_data.everything_about(request.store, request.person)
    elsewhere = await export_parts(request, request.person)
    file = {"Content-Disposition": 'attachment; filename="commonroom-account.json"'}
    return JsonResponse(views.Export(**everything, kept_elsewhere=elsewhere), headers=file)


@delete("/me", Need.RECENT_AUTH, errors=(InvalidField,), cookie=True)
async def delete_me(request: Request, confirm: Confirm) -> JsonResponse[None]:
    """Delete one's account.

    At once and for good, with the members one manages.
    """
    try:
        await sensitive_acts.delete_account(request, typed=confirm or "")
    except InvalidField as error:
        raise InvalidField("Confirm", error.detail) from None
    response = JsonResponse(None)
    forget_session(request, response)
    return response


OPERATIONS = tag("My account", export_me, delete_me)
