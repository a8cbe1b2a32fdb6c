"""Data export and account deletion: what is stored of a person, to take along or to delete."""

from __future__ import annotations

from typing import Annotated

from commonroom.accounts import sensitive_acts
from commonroom.accounts.api import views
from commonroom.accounts.cookies import forget_session
from commonroom.accounts.service import account_data
from commonroom.errors import InvalidField
from commonroom.http.access import Need
from commonroom.http.arguments import Header
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.joins.rooms import export_parts

Confirm = Annotated[
    str | None,
    Header("Confirm", f"“{account_data.CONFIRMATION}”, so that it does not happen by accident."),
]


api = Operations("My account")


@api.get("/me/export", Need.NOT_ACTING)
async def export_me(request: Request) -> JsonResponse[views.Export]:
    """Get all that is stored of oneself.

    Without secrets and their digests.
    """
    everything = await account_data.everything_about(request.store, request.person)
    elsewhere = await export_parts(request, request.person)
    file = {"Content-Disposition": 'attachment; filename="commonroom-account.json"'}
    return JsonResponse(views.Export(**everything, kept_elsewhere=elsewhere), headers=file)


@api.delete("/me", Need.RECENT_AUTH, errors=(InvalidField,), cookie=True)
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
