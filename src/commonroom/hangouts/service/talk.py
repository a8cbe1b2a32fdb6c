"""Talk: messages on a hangout, the newest first, deleted by their author or who manages it."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden
from commonroom.hangouts.rules import talk as rules
from commonroom.hangouts.service.access import HangoutAccess, open_hangout, open_thing, retry
from commonroom.hangouts.service.participation import take_part
from commonroom.hangouts.tables import TalkMessage, messages
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Page,
    Ref,
    Store,
    insert,
    remove,
    update,
)

BY_PERSON = Limit("hangout-talk", 30, 10 * 60)
"""Thirty at once, then one every twenty seconds."""
PAGE = 20


async def say(ctx: Context, member: User, hangout_id: str, text: str) -> TalkMessage:
    """Says something on a hangout, also on one that is over; nobody says too much at once."""
    clean, message_id = rules.message_text(text), rules.newest_first_id(ctx.now)
    is_counted = False

    @retry
    async def attempt() -> TalkMessage:
        nonlocal is_counted
        part = (await take_part(ctx, member, hangout_id)).adding()
        if part.hangout.message_count >= rules.MAX_MESSAGES:
            raise Conflict("There are too many messages here.")
        if not is_counted:
            await count_try(ctx.store, ctx.now, BY_PERSON, ctx.person.user_id)
            is_counted = True
        message = TalkMessage(
            **part.signature, message_id=message_id, text=clean, sent_at=iso(ctx.now)
        )
        talked = update(part.hangout, talked_at=iso(ctx.now), if_=part.unchanged)
        await ctx.store.write(*insert(message, on=[part.hangout]), talked, *part.held)
        return message

    return await attempt()


async def read_talk(
    ctx: Context, hangout_id: str, *, limit: int = PAGE, cursor: str | None = None
) -> tuple[HangoutAccess, Page[TalkMessage]]:
    """Returns a page of messages, the newest first: three requests.

    What those say whom the reader has blocked is left out.
    """
    access = await open_hangout(ctx, hangout_id)
    pattern = messages(hangout_id=hangout_id)
    page = await ctx.store.page(pattern, limit=limit, cursor=cursor)
    shown = [one for one in page.items if one.user_id not in ctx.person.blocked]
    return access, Page(shown, page.seal)


async def delete_message(ctx: Context, member: User, ref: Ref[TalkMessage]) -> None:
    """Deletes a message: its author and managers of the hangout may."""
    access, message = await open_thing(ctx, ref)
    if message.user_id != member.user_id:
        if member.is_managed:  # only their parent may manage anything
            raise Forbidden("You can only delete your own messages.")
        access.manageable()
    await remove_message(ctx.store, message)


async def remove_message(store: Store, message: TalkMessage) -> None:
    """Deletes a message with its count, once however often this is called."""
    try:
        await store.write(*remove(message))
    except ConditionFailed:
        # Another person deleted it; or the hangout is gone, and takes its messages along.
        return
