"""One's own account."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec

from commonroom.accounts.context import Context
from commonroom.accounts.service import account_data, profiles, sessions
from commonroom.accounts.service.profiles import Clearable
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.store import Condition, ConditionFailed
from commonroom.web.access import Need
from commonroom.web.arguments import Header
from commonroom.web.data_export import export_parts
from commonroom.web.etags import IfMatch, IfNoneMatch, as_read, changed, check_match, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, patch, put
from commonroom.web.people import sensitive_acts
from commonroom.web.people.api import views
from commonroom.web.people.api.arriving import signed_in
from commonroom.web.people.api.bodies import (
    PasswordChange,
    PasswordConfirmation,
    ProfileChange,
    checked_prefs,
)
from commonroom.web.people.cookies import forget_session
from commonroom.web.request import Request
from commonroom.web.rooms import preference_names

CLEARABLE: tuple[Clearable, ...] = ("language", "time_zone")

Confirm = Annotated[
    str | None,
    Header("Confirm", f"“{account_data.CONFIRMATION}”, so that it does not happen by accident."),
]


@get("/me", Need.SIGNED_IN, errors=(304,))
async def get_me(request: Request, if_none_match: IfNoneMatch) -> JsonResponse[views.Me]:
    """Get one's own account."""
    caller = request.caller
    return tagged(views.me(request, caller.person, caller.acting_as), unless=if_none_match)


@patch("/me", Need.THEMSELVES, errors=(404, 412))
async def change_me(
    request: Request, if_match: IfMatch, change: ProfileChange
) -> JsonResponse[views.Me]:
    """Change how one is shown.

    What is left out stays as it is; null clears the language or the time zone.
    """
    person = request.person
    check_match(if_match, views.me(request, person))
    given = {
        name: value
        for name, value in msgspec.structs.asdict(change).items()
        if value is not msgspec.UNSET and value is not None
    }
    if change.notification_prefs is not msgspec.UNSET:
        chosen = checked_prefs(change.notification_prefs, preference_names(request))
        given["notification_prefs"] = (person.notification_prefs or {}) | chosen
    try:
        user = await profiles.change_profile(
            Context(request.store, person, time.time()),
            **given,
            clear=[name for name in CLEARABLE if getattr(change, name) is None],
            if_=None if if_match is None else _as_read(person),
        )
    except ConditionFailed:
        raise changed() from None
    return tagged(views.me(request, user))


@put("/me/password", Need.BROWSER, errors=(410, 429), cookie=True)
async def change_password(request: Request, new: PasswordChange) -> JsonResponse[views.Me]:
    """Change one's password.

    Ends all sessions and tokens; the browser that asks gets a new session.
    """
    user = await sensitive_acts.change_password(request, old=new.old_password, new=new.password)
    return await signed_in(request, user)


@put("/me/password-confirmation", Need.BROWSER, errors=(429,))
async def confirm_password(request: Request, known: PasswordConfirmation) -> JsonResponse[None]:
    """Give one's password again.

    Some operations need that it was given within the last 15 minutes, here or by signing in.
    """
    session = request.caller.browser_session
    await sessions.confirm_password(request.context, session, known.password)
    return JsonResponse(None)


@get("/me/export", Need.THEMSELVES)
async def export_me(request: Request) -> JsonResponse[views.Export]:
    """Get all that is stored of oneself.

    Without secrets and their digests.
    """
    everything = await account_data.everything_about(request.store, request.person)
    elsewhere = await export_parts(request, request.person)
    file = {"Content-Disposition": 'attachment; filename="commonroom-account.json"'}
    return JsonResponse(views.Export(**everything, kept_elsewhere=elsewhere), headers=file)


@delete("/me", Need.RECENT_AUTH, errors=(422,), cookie=True)
async def delete_me(request: Request, confirm: Confirm) -> JsonResponse[None]:
    """Delete one's account.

    At once and for good, with the members one manages.
    """
    try:
        await sensitive_acts.delete_account(request, typed=confirm or "")
    except InvalidField as error:
        raise InvalidField("Confirm", error.detail) from None
    answer = JsonResponse(None)
    forget_session(request, answer)
    return answer


def _as_read(person: User) -> Condition:
    return as_read(
        person,
        "email",
        "email_confirmed_at",
        "new_email",
        "display_name",
        "avatar_key",
        "language",
        "time_zone",
        "notification_prefs",
        "updated_at",
    )


OPERATIONS = part(
    "My account", get_me, change_me, change_password, confirm_password, export_me, delete_me
)
