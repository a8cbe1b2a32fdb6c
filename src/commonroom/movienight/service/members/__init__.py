"""The members of a household: who they are, and how they come, change and go."""

from commonroom.movienight.rules.households import Member
from commonroom.movienight.service.members.arriving import add_managed, bring_along
from commonroom.movienight.service.members.changing import change_managed
from commonroom.movienight.service.members.departing import forget, leave, remove_member
from commonroom.movienight.service.members.listing import members_of

__all__ = [
    "Member",
    "add_managed",
    "bring_along",
    "change_managed",
    "forget",
    "leave",
    "members_of",
    "remove_member",
]
