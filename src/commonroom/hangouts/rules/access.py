"""Access: what a person is to a hangout, and what follows from that. Nothing else decides it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from commonroom.hangouts.tables import FriendGroup, GroupMembership, Hangout


class Standing(Struct, frozen=True):
    """What a person is to a hangout that they may see."""

    is_maker: bool = False
    """Unless they have left, with the last of its groups that they were in."""
    is_admin: bool = False
    """Of one of its groups."""
    is_member: bool = False
    """Of one of its groups."""
    is_invited: bool = False

    @property
    def may_edit(self) -> bool:
        """Whether they may change what it says, and say that it is on."""
        return self.is_member or self.is_maker

    @property
    def may_add(self) -> bool:
        """Whether they may add to it: options of polls, things to bring."""
        return self.may_edit or self.is_invited

    @property
    def may_manage(self) -> bool:
        """Whether they may cancel and delete it, open it to guests, and answer for others."""
        return self.is_maker or self.is_admin


def standing_of(
    hangout: Hangout,
    user_id: str,
    memberships: Iterable[GroupMembership],
    groups: Iterable[FriendGroup],
) -> Standing | None:
    """What a person is to a hangout, given their memberships and its groups; None for strangers."""
    theirs = [one for one in memberships if one.group_id in hangout.group_ids]
    is_invited = user_id in hangout.invited_user_ids
    standing = Standing(
        is_maker=is_invited and user_id == hangout.created_by,
        is_admin=any(one.role == "ADMIN" for one in theirs),
        is_member=bool(theirs),
        is_invited=is_invited,
    )
    if standing.may_edit or standing.is_invited:
        return standing
    is_open = hangout.visibility == "PUBLIC" and any(group.is_public for group in groups)
    return standing if is_open else None
