"""Talk in a browser: the newest messages on a hangout's page, all of them on one of their own."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.pages.people import WhoForm, person_name
from commonroom.hangouts.request import Member
from commonroom.hangouts.service import talk
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import TalkMessage
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Pages
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response

TALK = f"{addresses.HANGOUT}/talk"
HERE = "/hangouts/{hangout_id}#talk"
PAGE = 50


pages = Pages()


class MessageForm(Form):
    """A message."""

    text: Annotated[str, Meta(max_length=5000)] = ""


class MessageView(Struct, frozen=True):
    """A message."""

    message: TalkMessage
    name: str
    may_delete: bool


class TalkView(Struct, frozen=True):
    """The newest messages."""

    messages: list[MessageView]
    has_earlier: bool
    number: int


def talk_of(seen: HangoutDetail, *, may_manage: bool) -> TalkView:
    """Returns the newest messages."""
    number = seen.hangout.message_count
    found = seen.things.of(TalkMessage)[: talk.PAGE]
    shown = [_message(one, seen.member.user_id, may_manage=may_manage) for one in found]
    return TalkView(shown, number > len(shown), number)


def _message(one: TalkMessage, me: str, *, may_manage: bool) -> MessageView:
    """Returns a message as its reader sees it."""
    may_delete = may_manage or one.user_id == me
    return MessageView(one, person_name(one.user_name), may_delete)


@pages.page(TALK, Need.SIGNED_IN)
async def talk_page(
    request: Request, ctx: Ctx, member: Member, hangout_id: str, cursor: Cursor = None
) -> Response[Any]:
    """Everything that was said, newest first: three requests."""
    access, found = await talk.read_talk(ctx, hangout_id, limit=PAGE, cursor=cursor)
    may_manage = access.standing.may_manage and request.caller.acting_as is None
    return render_page(
        request,
        "talk.html",
        hangout=access.hangout,
        address=addresses.hangout(hangout_id),
        messages=[_message(one, member.user_id, may_manage=may_manage) for one in found.items],
        cursor=found.cursor,
    )


@pages.form(TALK, Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE)
async def say(ctx: Ctx, member: Member, hangout_id: str, data: MessageForm) -> None:
    """Says something."""
    await talk.say(ctx, member, hangout_id, data.text)


@pages.form(
    f"{TALK}/delete", Need.SIGNED_IN, on=addresses.HANGOUT, leads_to=HERE, flash="hangout-unsaid"
)
async def delete_message(ctx: Ctx, member: Member, hangout_id: str, data: WhoForm) -> None:
    """Deletes a message."""
    message = ref_of(TalkMessage, hangout_id=hangout_id, message_id=data.who)
    await talk.delete_message(ctx, member, message)
