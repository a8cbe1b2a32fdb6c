"""After another person ended a link: its maker is told, while it still concerns them."""

from __future__ import annotations

from typing import Any, TypeAlias

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.service.ended_links import LINK_ENDED
from commonroom.hangouts.tables import FriendGroup, GroupMembership, Hangout
from commonroom.notifications.kinds import Facts, Kind
from commonroom.notifications.notifications import tell
from commonroom.store import Ref, Store
from commonroom.timers import ActTimer, Handler, Timer

Notice: TypeAlias = tuple[Kind, Facts, str]
"""What is told, and the page that it leads to."""


async def tell_maker(store: Store, waited: Timer, now: float) -> None:
    """Tells the maker of a link that it no longer works: two requests, and one to tell."""
    about = waited.about
    maker = await store.get(User.at(user_id=about["user_id"]))
    if maker is None:
        return
    notice = (
        await _of_group(store, about["group_id"], maker.user_id)
        if "group_id" in about
        else await _of_hangout(store, about["hangout_id"])
    )
    if notice is not None:
        kind, facts, link = notice
        id_ = f"{link} {waited.due_at}"
        await tell(store, now, [maker], kind, facts=facts, link=link, id=id_, by=None)


async def _of_group(store: Store, group_id: str, user_id: str) -> Notice | None:
    refs: list[Ref[Any]] = [
        FriendGroup.at(group_id=group_id),
        GroupMembership.at(group_id=group_id, user_id=user_id),
    ]
    group, membership = await store.batch_get(refs)
    if group is None or membership is None:
        return None  # the person who was removed made it themselves, or left since
    facts = {"title": group.group_name}
    return notifications.GROUP_LINK_ENDED, facts, f"/groups/{group_id}/invite"


async def _of_hangout(store: Store, hangout_id: str) -> Notice | None:
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    if hangout is None or (hangout.guest_link is not None and hangout.guest_link.is_open):
        return None  # there is another by now
    facts = notifications.hangout_facts(hangout)
    return notifications.GUEST_LINK_ENDED, facts, notifications.page_of(hangout_id)


HANDLERS: dict[str, Handler] = {
    LINK_ENDED: ActTimer(
        tell_maker,
        (FriendGroup, Hangout),
        tells=(notifications.GROUP_LINK_ENDED, notifications.GUEST_LINK_ENDED),
    )
}
