"""The members of a household as pages show them, and what whoever asks can do for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from commonroom.accounts.tables import Ceiling, User
from commonroom.movienight import words
from commonroom.movienight.rules.ceilings import ceiling_of
from commonroom.movienight.rules.households import Member, looks_after, may_remove
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Preferences

PREFERENCES = "/movie-night/preferences"


class Someone(Struct, frozen=True, kw_only=True):
    """Somebody in the household."""

    user: User
    seat: Seat
    """Of whoever asks."""
    preferences: Preferences | None
    parent: User | None
    """Who manages them."""

    @property
    def is_you(self) -> bool:
        """Whether they ask themselves."""
        return self.user.user_id == self.seat.member_id

    @property
    def is_creator(self) -> bool:
        """Whether the household is theirs."""
        return self.user.user_id == self.seat.group.created_by

    @property
    def is_yours(self) -> bool:
        """Whether whoever asks looks after them."""
        return looks_after(self.seat.member_id, self.seat.group.created_by, self.user)

    @property
    def may_say(self) -> bool:
        """Whether whoever asks can say what they like."""
        return self.is_you or self.is_yours

    @property
    def may_remove(self) -> bool:
        """Whether whoever asks can take them out of the household; oneself, one leaves."""
        seat = self.seat
        allowed = may_remove(seat.member_id, seat.group.created_by, self.user)
        return allowed and not self.is_you and not seat.is_acting

    @property
    def preferences_address(self) -> str:
        """Where it is said what they like."""
        return PREFERENCES if self.is_you else f"{PREFERENCES}/{self.user.user_id}"

    @property
    def likes(self) -> list[str]:
        """The genres that they like, in words."""
        liked = () if self.preferences is None else self.preferences.genre_likes
        return [words.genre_name(genre) for genre in liked]

    @property
    def ceiling(self) -> Ceiling:
        """What they may see."""
        return ceiling_of(self.user, self.preferences)


def everybody(
    seat: Seat, members: Sequence[Member], preferences: Mapping[str, Preferences]
) -> list[Someone]:
    """All who are in the household now, the longest-standing first."""
    users = {one.user_id: one.user for one in members if one.user and not one.is_gone}
    return [
        Someone(
            user=user,
            seat=seat,
            preferences=preferences.get(user_id),
            parent=users.get(user.parent_user_id or ""),
        )
        for user_id, user in users.items()
    ]
