"""Setting, changing and removing the passcodes of a page."""

from __future__ import annotations

import time
from typing import Any, get_args

from litestar import Response, post
from litestar.params import FromPath

from commonroom.errors import InvalidField, NotFound
from commonroom.shareables.entering import passes_of
from commonroom.shareables.pages.administration import (
    ADMIN,
    TEMPLATE,
    as_admin,
    done,
    settings_context,
)
from commonroom.shareables.pages.cookies import keep_pass
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service.gate import Opened, Page
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent
from commonroom.web.render import render_refused
from commonroom.web.request import Request

PASSCODE = f"{ADMIN}/passcodes/{{role:str}}"


class NewPasscodeForm(Form):
    """A passcode to be."""

    passcode: Line


@post(PASSCODE, opt=needs(Need.ANYONE), status_code=200)
async def set_passcode(
    request: Request, short_id: FromPath[str], role: FromPath[str], data: Sent[NewPasscodeForm]
) -> Response[Any]:
    """Sets or changes a passcode."""
    gate = await as_admin(request, short_id)
    try:
        return await _changed(request, gate, _role(role), data.passcode)
    except InvalidField as error:
        form = Filled({"passcode": data.passcode}, {f"{role}-passcode": error.detail})
        context = await settings_context(request, gate, form=form)
        return render_refused(request, TEMPLATE, error, **context)


@post(f"{PASSCODE}/remove", opt=needs(Need.ANYONE), status_code=200)
async def remove_passcode(
    request: Request, short_id: FromPath[str], role: FromPath[str]
) -> Response[Any]:
    """Removes a passcode."""
    return await _changed(request, await as_admin(request, short_id), _role(role), None)


async def _changed(
    request: Request, gate: Opened[Page], role: Role, typed: str | None
) -> Response[Any]:
    passes, short_id = passes_of(request), gate.page.short_id
    token = await change_passcode(request.store, passes, time.time(), gate, role, typed=typed)
    what = "removed" if typed is None else "set"
    answer = done(short_id, f"shareable-passcode-{what}")
    keep_pass(request, answer, token)
    return answer


def _role(named: str) -> Role:
    roles: tuple[Role, ...] = get_args(Role)
    for role in roles:
        if role == named:
            return role
    raise NotFound("A page has a passcode to view and one to edit.")


HANDLERS = [set_passcode, remove_passcode]
