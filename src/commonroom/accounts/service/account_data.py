"""Leaving: deleting an account, and taking along what is stored of a person."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import (
    AddressClaim,
    CalendarFeed,
    Installation,
    Password,
    User,
    managed_members,
    sessions_of,
    tokens_of,
)
from commonroom.errors import Forbidden, InvalidField
from commonroom.store import ConditionFailed, Store, above, add, delete, equal, update
from commonroom.store.limits import REQUEST_OPERATIONS

CONFIRMATION = "delete my account"


async def delete_account(store: Store, user: User, *, typed: str) -> None:
    """Deletes a person, their managed members and what they sign in with, at once.

    Sessions and tokens stand for nobody from that moment, and are deleted after it. What rooms keep
    is cleared up by their consumers, which see the person go.
    """
    if user.is_managed:
        raise Forbidden("A managed member can only be removed by the person who manages them.")
    if " ".join(typed.casefold().split()) != CONFIRMATION:
        raise InvalidField("typed", f"Type “{CONFIRMATION}” to confirm.")
    managed = [one async for one in store.all(managed_members(parent_user_id=user.user_id))]
    writes = [
        # A member added in this moment would be left behind, so the count is held; and the address,
        # because one that was given up meanwhile may be another person's now.
        delete(
            user,
            if_=equal(managed_count=len(managed), is_admin=user.is_admin, email=user.email),
        ),
        delete(Password.at(user_id=user.user_id)),
        delete(CalendarFeed.at(user_id=user.user_id)),
        *(delete(member) for member in managed),
    ]
    if user.email is not None:
        writes.append(delete(AddressClaim.at(address=user.email)))
    if user.is_admin:
        writes.append(
            update(Installation.at(), administrators=add(-1), if_=above(administrators=1))
        )
    try:
        await store.write(*writes)
    except ConditionFailed as failed:
        if failed.index == 0:
            raise Forbidden("Something changed in the meantime. Please try again.") from None
        raise Forbidden(
            "You are the only administrator. Make someone else an administrator first."
        ) from None
    await _clear_up(store, user)


async def _clear_up(store: Store, user: User) -> None:
    left = [delete(one) async for one in store.all(sessions_of(user_id=user.user_id))]
    left += [delete(one) async for one in store.all(tokens_of(user_id=user.user_id))]
    for start in range(0, len(left), REQUEST_OPERATIONS):
        await store.write(*left[start : start + REQUEST_OPERATIONS])


async def everything_about(store: Store, user: User) -> dict[str, Any]:
    """Returns all that is stored of a person as such, without secrets and their digests."""
    managed = [one async for one in store.all(managed_members(parent_user_id=user.user_id))]
    sessions = [one async for one in store.all(sessions_of(user_id=user.user_id))]
    tokens = [one async for one in store.all(tokens_of(user_id=user.user_id))]
    feed = await store.get(CalendarFeed.at(user_id=user.user_id))
    return {
        "account": user.to_item(),
        "managed_members": [one.to_item() for one in managed],
        "sessions": [
            {
                "made_at": one.made_at,
                "seen_at": one.seen_at,
                "browser": one.browser,
                "address": one.address,
            }
            for one in sessions
        ],
        "api_tokens": [
            {"name": one.name, "scopes": one.scopes, "made_at": one.made_at, "used_at": one.used_at}
            for one in tokens
        ],
        "calendar_feed": None if feed is None else {"made_at": feed.made_at},
    }
