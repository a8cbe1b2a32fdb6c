"""Data export and account deletion: what is stored of a person, to take along or to delete."""

from __future__ import annotations

from typing import Any

import msgspec

from commonroom.accounts import sensitive_acts
from commonroom.accounts.cookies import forget_session
from commonroom.accounts.service import account_data
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.rooms import export_parts

HERE = "/me/data"
FILE = "commonroom-my-data.json"


pages = Pages()


class DeleteAccountForm(Form):
    """That one really wants to leave."""

    typed: Line = ""


@pages.page(HERE, Need.BROWSER)
async def show_data(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """What can be done with it."""
    confirmation = account_data.CONFIRMATION
    return render(request, "people/data.html", form=form, confirmation=confirmation)


@pages.page(f"{HERE}/download", Need.BROWSER)
async def download(request: Request) -> Response[bytes]:
    """Everything, as a file that programs and people can read."""
    everything = await account_data.everything_about(request.store, request.person)
    everything["kept_elsewhere"] = await export_parts(request, request.person)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{FILE}"',
    }
    text = msgspec.json.format(msgspec.json.encode(everything), indent=2)
    return Response(text, headers=headers, media_type="application/json")


@pages.form(f"{HERE}/delete", Need.RECENT_AUTH, on=show_data, also_shows=(Refusal,))
async def delete_account(request: Request, data: DeleteAccountForm) -> Response[Any]:
    """Deletes the caller's account, once they typed that they want it."""
    await sensitive_acts.delete_account(request, typed=data.typed)
    response = redirect("/", "account-deleted")
    forget_session(request, response)
    return response
