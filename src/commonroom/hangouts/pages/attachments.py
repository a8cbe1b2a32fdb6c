"""What a hangout carries of other rooms: chosen on a page of its own, opened, taken off."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct

from commonroom.errors import CommonroomError, InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.service import attachments
from commonroom.hangouts.service.access import no_such
from commonroom.hangouts.service.detail import see_hangout
from commonroom.hangouts.tables import Attachment, Rsvp
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.attachments import AttachmentCard, AttachmentKind, ThingChoice, kinds_of

ATTACH = f"{addresses.HANGOUT}/attach"
ALL = f"{addresses.HANGOUT}/attachments"
HERE = "/hangouts/{hangout_id}#along"


pages = Pages()


class ThingForm(Form):
    """Something that can be attached."""

    kind: Line = ""
    thing: Line = ""


class AttachableKind(Struct, frozen=True):
    """What a person can attach of one kind."""

    kind: AttachmentKind
    choices: list[ThingChoice]


@pages.page(ATTACH, Need.NOT_ACTING)
async def choose(
    request: Request,
    hangout_id: str,
    form: FormState = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """Everything of one's own that can be attached: four requests, and a few for each kind."""
    access, there = await attachments.attachments_on(request.context, hangout_id)
    access.extendable()
    known = {(one.kind, one.thing_id) for one in there}
    offered = [
        AttachableKind(
            kind,
            [one for one in await kind.choices(request) if (kind.key, one.thing_id) not in known],
        )
        for kind in kinds_of(request).values()
    ]
    return render_page(
        request, "attach.html", hangout=access.hangout, offered=offered, form=form, error=error
    )


@pages.form(ALL, Need.NOT_ACTING, on=choose, leads_to=HERE, flash="hangout-attached")
async def attach(request: Request, ctx: Ctx, hangout_id: str, data: ThingForm) -> None:
    """Attaches something."""
    kind = kinds_of(request).get(data.kind)
    if kind is None or not data.thing:
        raise InvalidField("thing", "Choose what to attach.")
    claim = partial(kind.claim, request, data.thing)
    await attachments.attach(ctx, hangout_id, kind.key, claim)


@pages.form(f"{ALL}/begin", Need.NOT_ACTING, on=addresses.HANGOUT)
async def begin(request: Request, ctx: Ctx, hangout_id: str, data: ThingForm) -> Response[Any]:
    """Begins a new thing for those who come, and attaches it."""
    kind = kinds_of(request).get(data.kind)
    if kind is None or kind.beginning is None:
        raise InvalidField("kind", "Choose what to attach.")
    seen = await see_hangout(ctx, ctx.person, hangout_id)
    seen.access.extendable()
    going = [one.user_id for one in seen.things.of(Rsvp) if one.status == "GOING"]
    begun = await kind.beginning.begin(request, going)
    await attachments.attach(ctx, hangout_id, kind.key, partial(kind.claim, request, begun))
    views = await kind.load(request, [AttachmentCard(begun, ctx.person.user_id)])
    address = views[begun].address if begun in views else None
    return redirect(address or addresses.hangout(hangout_id), "hangout-attached")


@pages.form(
    f"{ALL}/remove", Need.NOT_ACTING, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-detached"
)
async def detach(ctx: Ctx, hangout_id: str, data: ThingForm) -> None:
    """Takes it off."""
    await attachments.detach(ctx, hangout_id, data.kind, data.thing)


@pages.page(f"{ALL}/{{kind:str}}/{{thing_id:str}}", Need.SIGNED_IN)
async def open_thing(request: Request, hangout_id: str, kind: str, thing_id: str) -> Response[Any]:
    """Leads a participant of the hangout to the thing; its room lets them in."""
    known = kinds_of(request).get(kind)
    if known is None:
        raise no_such(Attachment)
    found = await attachments.find_attachment(request.context, hangout_id, kind, thing_id)
    thing = attachments.thing_of(found)
    if known.open is not None:
        return await known.open(request, thing)
    view = (await known.load(request, [thing])).get(thing_id)
    if view is None or view.address is None:
        raise no_such(Attachment)
    return redirect(view.address)
