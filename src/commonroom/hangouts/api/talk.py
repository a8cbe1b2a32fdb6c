"""Talk: what people say on a hangout."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from commonroom.hangouts.api import plan_views
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import Member, MessageRef
from commonroom.hangouts.rules.talk import MAX_MESSAGE
from commonroom.hangouts.service import talk
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging

ALL = f"{ONE}/messages"


api = Operations("Hangouts: talk", errors=(404, 409, 429))


class NewMessage(Body):
    """Something to say."""

    text: Annotated[str, Meta(max_length=5000, description=f"1 to {MAX_MESSAGE} characters.")]


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_messages(
    ctx: Ctx, hangout_id: str, paging: Paging
) -> PagedList[plan_views.TalkMessageView]:
    """List what is said on a hangout, newest first."""
    _, page = await talk.read_talk(ctx, hangout_id, limit=paging.limit, cursor=paging.cursor)
    return PagedList([plan_views.message(one) for one in page.items], page.cursor)


@api.post(ALL, Need.SIGNED_IN)
async def say(
    ctx: Ctx, member: Member, hangout_id: str, new: NewMessage
) -> plan_views.TalkMessageView:
    """Say something on a hangout, also on one that is over."""
    return plan_views.message(await talk.say(ctx, member, hangout_id, new.text))


@api.delete(f"{ALL}/{{message_id:str}}", Need.SIGNED_IN)
async def delete_message(ctx: Ctx, member: Member, message: MessageRef) -> None:
    """Delete a message: its author and managers of the hangout may."""
    await talk.delete_message(ctx, member, message)
