"""Talk: what people say on a hangout."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.request import Member, MessageRef
from commonroom.hangouts.rules.fields import characters
from commonroom.hangouts.rules.talk import MAX_MESSAGE
from commonroom.hangouts.service import talk
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection

ALL = f"{addresses.HANGOUT}/messages"


api = Operations("Hangouts: talk", errors=(404, 409, 429))


class NewMessage(Body):
    """Something to say."""

    text: Annotated[str, characters(MAX_MESSAGE, least=1, most=5000)]


class TalkMessageView(Struct, frozen=True):
    """Something that was said."""

    message_id: str
    user_id: str
    user_name: Annotated[str | None, Meta(description="Null where they have left.")]
    text: str
    sent_at: Moment


message_view = projection(tables.TalkMessage, TalkMessageView)


def newest_messages(things: HangoutThings) -> list[TalkMessageView]:
    """Returns the newest messages; there may be earlier ones."""
    return [message_view(one) for one in things.of(tables.TalkMessage)[: talk.PAGE]]


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_messages(ctx: Ctx, hangout_id: str, paging: Paging) -> PagedList[TalkMessageView]:
    """List what is said on a hangout, newest first."""
    _, page = await talk.read_talk(ctx, hangout_id, limit=paging.limit, cursor=paging.cursor)
    return PagedList([message_view(one) for one in page.items], page.cursor)


@api.post(ALL, Need.SIGNED_IN)
async def say(ctx: Ctx, member: Member, hangout_id: str, new: NewMessage) -> TalkMessageView:
    """Say something on a hangout, also on one that is over."""
    return message_view(await talk.say(ctx, member, hangout_id, new.text))


@api.delete(f"{ALL}/{{message_id:str}}", Need.SIGNED_IN)
async def delete_message(ctx: Ctx, member: Member, message: MessageRef) -> None:
    """Delete a message: its author and managers of the hangout may."""
    await talk.delete_message(ctx, member, message)
