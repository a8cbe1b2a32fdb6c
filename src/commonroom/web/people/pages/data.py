"""What is kept of a person: to take along, or to delete."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post

from commonroom.accounts.service import account_data
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.data_export import export_parts
from commonroom.web.forms import EMPTY, Sent, refused
from commonroom.web.people import sensitive_acts
from commonroom.web.people.cookies import forget_session
from commonroom.web.people.forms import DeleteForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused
from commonroom.web.request import Request

HERE = "/me/data"
TEMPLATE = "people/data.html"
FILE = "commonroom-my-data.json"


@get(HERE, opt=needs(Need.BROWSER), sync_to_thread=False)
def my_data(request: Request) -> Response[Any]:
    """What can be done with it."""
    return render(request, TEMPLATE, form=EMPTY, confirmation=account_data.CONFIRMATION)


@get(f"{HERE}/download", opt=needs(Need.BROWSER))
async def download(request: Request) -> Response[bytes]:
    """Everything, as a file that programs and people can read."""
    person = request.person
    everything = await account_data.everything_about(request.store, person)
    everything["kept_elsewhere"] = await export_parts(request, person)
    headers = {
        "Cache-Control": "no-store",
        "Content-Disposition": f'attachment; filename="{FILE}"',
    }
    text = msgspec.json.format(msgspec.json.encode(everything), indent=2)
    return Response(text, headers=headers, media_type="application/json")


@get(f"{HERE}/delete", opt=needs(Need.BROWSER), sync_to_thread=False)
def back_to_my_data() -> Response[Any]:
    """For whoever opens the address of a form that was refused."""
    return redirect(HERE)


@post(f"{HERE}/delete", opt=needs(Need.RECENT_AUTH), status_code=200)
async def delete_account(request: Request, data: Sent[DeleteForm]) -> Response[Any]:
    """Deletes the account of whoever typed that they want it."""
    try:
        await sensitive_acts.delete_account(request, typed=data.typed)
    except Refusal as error:
        form = refused(data, error)
        return render_refused(
            request, TEMPLATE, error, form=form, confirmation=account_data.CONFIRMATION
        )
    answer = redirect("/", "account-deleted")
    forget_session(request, answer)
    return answer
