"""Changing how one is shown, and the members one manages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, Literal, TypeAlias
from uuid import uuid4

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import AccountDeleted
from commonroom.accounts.service.stored_accounts import read_again
from commonroom.accounts.tables import Ceiling, NotificationPrefs, User, user_by_id
from commonroom.errors import Forbidden, NotFound, Refusal
from commonroom.moments import iso
from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    Write,
    absent,
    insert,
    remove,
    update,
)

Clearable: TypeAlias = Literal["language", "time_zone"]
"""What a person need not say."""
RULES: Mapping[str, Callable[[str], str]] = {
    "display_name": rules.display_name,
    "avatar_key": rules.avatar,
    "language": rules.language,
    "time_zone": rules.time_zone,
}


async def note_time_zone(ctx: Context, name: str) -> None:
    """Takes the time zone of the device that a person is at, if they have none yet."""
    zone = rules.time_zone_of_device(name)
    if zone is None or ctx.person.time_zone is not None:
        return
    with suppress(ConditionFailed):  # chosen in this moment, or the account is gone
        await ctx.store.write(update(ctx.person.ref, time_zone=zone, if_=absent("time_zone")))


async def change_profile(
    ctx: Context,
    *,
    display_name: str | None = None,
    avatar_key: str | None = None,
    language: str | None = None,
    time_zone: str | None = None,
    notification_prefs: NotificationPrefs | None = None,
    clear: Collection[Clearable] = (),
    if_: Condition | None = None,
) -> User:
    """Changes what is given and leaves the rest; nothing where `if_` does not hold."""
    changes = _checked(
        ctx.now,
        display_name=display_name,
        avatar_key=avatar_key,
        language=language,
        time_zone=time_zone,
        notification_prefs=notification_prefs,
    )
    changes |= dict.fromkeys(clear)
    return await _changed(ctx.store, ctx.person, if_, **changes)


async def add_managed(
    ctx: Context,
    *,
    display_name: str,
    avatar_key: str | None = None,
    ceiling: Ceiling = "PG",
) -> User:
    """Returns a member without a login, who belongs to an account."""
    member, writes = managed_writes(
        ctx.now, ctx.person, display_name=display_name, avatar_key=avatar_key, ceiling=ceiling
    )
    try:
        await ctx.store.write(*writes)
    except ConditionFailed as failed:
        raise not_managed(failed) from None
    return member


def managed_writes(
    now: float,
    parent: User,
    *,
    display_name: str,
    avatar_key: str | None = None,
    ceiling: Ceiling = "PG",
    household_id: str | None = None,
) -> tuple[User, list[Write]]:
    """Returns a managed member and the writes that make it; a room may add its own to them."""
    if parent.is_managed:
        raise Forbidden("A managed member cannot manage others.")
    member = User(
        user_id=f"managed_{uuid4()}",
        display_name=rules.display_name(display_name),
        avatar_key=rules.avatar(avatar_key) if avatar_key else rules.AVATARS[0],
        is_managed=True,
        parent_user_id=parent.user_id,
        content_rating_ceiling=ceiling,
        created_at=iso(now),
        household_id=household_id,
    )
    return member, insert(member)


def not_managed(failed: ConditionFailed) -> Refusal:
    """Why those writes did not make a managed member."""
    if failed.item is None:
        return AccountDeleted()
    return Forbidden(f"You can manage up to {rules.MAX_MANAGED} members.")


async def managed_by(store: Store, user: User, member_id: str) -> User:
    """Returns one of a person's managed members, as stored now."""
    is_id = rules.is_user_id(member_id)
    member = await store.get(user_by_id(user_id=member_id)) if is_id else None
    if member is None or member.parent_user_id != user.user_id or not member.is_managed:
        raise NotFound("This member does not exist.")
    return member


async def change_managed(
    ctx: Context,
    member_id: str,
    *,
    display_name: str | None = None,
    avatar_key: str | None = None,
    ceiling: Ceiling | None = None,
    if_: Condition | None = None,
) -> User:
    """Changes one of a person's managed members; nothing where `if_` does not hold."""
    member = await managed_by(ctx.store, ctx.person, member_id)
    changes = managed_changes(ctx.now, display_name, avatar_key, ceiling)
    return await _changed(ctx.store, member, if_, **changes)


def managed_changes(
    now: float, display_name: str | None, avatar_key: str | None, ceiling: Ceiling | None
) -> dict[str, Any]:
    """Returns what changes of a managed member; what is not given stays."""
    return _checked(
        now, display_name=display_name, avatar_key=avatar_key, content_rating_ceiling=ceiling
    )


def _checked(now: float, **given: Any) -> dict[str, Any]:
    """Returns what changes, each as the rules take it; what is not given stays."""
    kept = {name: value for name, value in given.items() if value is not None}
    checked = {name: RULES[name](value) for name, value in kept.items() if name in RULES}
    return {**kept, **checked, "updated_at": iso(now)}


async def remove_managed(store: Store, user: User, member_id: str) -> None:
    """Removes one of a person's managed members; rooms clear up what belonged to it."""
    member = await managed_by(store, user, member_id)
    try:
        await store.write(*remove(member))
    except ConditionFailed:
        raise NotFound("This member does not exist.") from None


async def _changed(store: Store, user: User, if_: Condition | None, **changes: Any) -> User:
    try:
        await store.write(update(user, if_=if_, **changes))
    except ConditionFailed as failed:
        if failed.item is not None:
            raise  # the caller's own condition, which the caller can put into words
        raise AccountDeleted from None
    return await read_again(store, user)
