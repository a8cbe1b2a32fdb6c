"""Things of other rooms that a hangout carries."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.attachment_views import AttachedThing, attached_things
from commonroom.hangouts.service import attachments
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.joins.attachments import MAX_ID, kinds_of

ALL = f"{addresses.HANGOUT}/attachments"

Kind = Annotated[
    str, Meta(max_length=40, description="Such as `shareable`, `round` or `watchlist`.")
]


api = Operations("Hangouts: attachments", errors=(404, 409, 429))


class NewAttachment(Body):
    """Something of the caller’s to attach."""

    kind: Kind
    thing_id: Annotated[
        str,
        Meta(
            max_length=MAX_ID,
            description="The short id of a page, or the id of a round or list.",
        ),
    ]


class AttachmentView(Struct, frozen=True, kw_only=True):
    """A thing of another room, as far as the caller may see it."""

    kind: Kind
    thing_id: str
    title: str
    state: Annotated[str, Meta(description="How it stands, in a line.")]
    address: Annotated[str | None, Meta(description="Its page; null where there is none now.")]
    attached_by: str
    attached_at: Moment


class AttachmentList(Struct, frozen=True):
    """What a hangout carries."""

    items: list[AttachmentView]


thing_view = projection(
    AttachedThing,
    AttachmentView,
    kind="kind.key",
    thing_id="attachment.thing_id",
    title="view.title",
    state="view.state",
    attached_by="attachment.user_id",
    attached_at="attachment.attached_at",
)


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_attachments(request: Request, hangout_id: str) -> AttachmentList:
    """List what a hangout carries of other rooms.

    Nothing is listed that the caller may not see, and nothing for those who pass by a public
    hangout.
    """
    return await _listed(request, hangout_id)


@api.post(ALL, Need.NOT_ACTING)
async def attach_to_hangout(
    request: Request, ctx: Ctx, hangout_id: str, new: NewAttachment
) -> AttachmentList:
    """Attach something of one’s own; members of the hangout’s groups and who is invited may.

    The people of the hangout need no passcode for a page that its creator attaches.
    """
    kind = kinds_of(request).get(new.kind)
    if kind is None:
        raise InvalidField("kind", "There is nothing of this kind to attach.")
    claim = partial(kind.claim, request, new.thing_id)
    await attachments.attach(ctx, hangout_id, kind.key, claim)
    return await _listed(request, hangout_id)


@api.delete(f"{ALL}/{{kind:str}}/{{thing_id:str}}", Need.NOT_ACTING)
async def detach_from_hangout(ctx: Ctx, hangout_id: str, kind: str, thing_id: str) -> None:
    """Take something off; members of its groups and the person who attached it may."""
    await attachments.detach(ctx, hangout_id, kind, thing_id)


async def _listed(request: Request, hangout_id: str) -> AttachmentList:
    access, there = await attachments.attachments_on(request.context, hangout_id)
    return AttachmentList(
        [thing_view(one) for one in await attached_things(request, access, there)]
    )
