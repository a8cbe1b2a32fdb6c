"""Access patterns of InviterTable, and which of its fields are copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, Unpack

from commonroom.accounts.tables import User
from commonroom.hangouts.tables.agenda import AgendaEntry
from commonroom.hangouts.tables.attachments import Attachment, AttachmentPointer
from commonroom.hangouts.tables.bring_list import BringClaim, BringItem
from commonroom.hangouts.tables.carpool import Car, Ride
from commonroom.hangouts.tables.groups import (
    FriendGroup,
    GroupMembership,
    HangoutPerson,
    InviteCode,
)
from commonroom.hangouts.tables.hangouts import (
    Hangout,
    HangoutPointer,
    HangoutSummary,
    InvitationPointer,
    Pointer,
    SeriesPointer,
)
from commonroom.hangouts.tables.ideas import Idea, IdeaList
from commonroom.hangouts.tables.inviter import inviter
from commonroom.hangouts.tables.offers import Offer, Spot
from commonroom.hangouts.tables.places import GroupPlace, PersonPlace
from commonroom.hangouts.tables.polls import Ballot, HangoutPoll
from commonroom.hangouts.tables.rsvps import GuestRsvp, Rsvp
from commonroom.hangouts.tables.series import Series
from commonroom.hangouts.tables.talk import TalkMessage
from commonroom.hangouts.tables.tickets import Ticket
from commonroom.store import (
    Entity,
    Pattern,
    Ref,
    begins_with,
    between,
    copies,
    greater_than,
    less_than,
    many,
    one,
)
from commonroom.store.declare.patterns import QueryOptions

_E = TypeVar("_E", bound=Entity)

PLANS_OF_A_PERSON = (Rsvp, Ballot, BringClaim, Car, Ride, Ticket, Offer, Spot, Attachment)
OF_A_PERSON = (*PLANS_OF_A_PERSON, TalkMessage)
"""What a person has on hangouts; each carries their name."""


def _of_both(
    of_person: str, of_group: str, **options: Unpack[QueryOptions]
) -> tuple[Pattern[InvitationPointer], Pattern[HangoutPointer]]:
    """Declares what is asked alike of a person's own list and of a group's feed."""
    return (
        many(inviter, of_person, gives=InvitationPointer, **options),
        many(inviter, of_group, gives=HangoutPointer, **options),
    )


def _all(name: str, prefix: str, gives: type[_E]) -> Pattern[_E]:
    """Declares what of a partition has sort keys with a prefix."""
    return many(inviter, name, sort=begins_with(prefix), gives=gives)


# The data model's patterns.
feed = many(
    inviter,
    "Fetching a Group's Feed",
    sort=begins_with("HANGOUT#"),
    newest_first=True,
    gives=HangoutPointer,
)
invitations_after, hangouts_after = _of_both(
    "Fetching a User's Complete Hangout List",
    "Fetching a User's Complete Hangout List (each of the groups)",
    index="EntityTimeIndex",
    sort=greater_than("{after}"),
)
hangout = one(inviter, "Fetching Full Details for ONE Hangout", gives=Hangout)
groups_of_user = many(
    inviter,
    "find all groups a user belongs to",
    index="UserGroupIndex",
    sort=begins_with("GROUP#"),
    gives=GroupMembership,
)

# Beyond the data model: lists of hangouts, each of a person's own and of a group's feed.
invitations_before, hangouts_before = _of_both(
    "Get a user's past invitations, latest first",
    "Get a group's past hangouts, latest first",
    index="EntityTimeIndex",
    sort=less_than("{before}"),
    newest_first=True,
)
invitations_between, hangouts_between = _of_both(
    "Get a user's invitations of a month, latest first",
    "Get a group's hangouts of a month, latest first",
    index="EntityTimeIndex",
    sort=between("{earliest}", "{latest}"),
    newest_first=True,
)
long_invitations, long_hangouts = _of_both(
    "Get a user's invitations of more than a day that end after a moment",
    "Get a group's hangouts of more than a day that end after a moment",
    index="UserGroupIndex",
    sort=greater_than("UNTIL#{after:012}"),
)
# No key of theirs sorts before FLOATING, so that lists of several partitions can be merged.
floating_invitations, floating_hangouts = _of_both(
    "Get a user's floating invitations, newest first",
    "Get a group's floating hangouts, newest first",
    index="UserGroupIndex",
    sort=less_than("FLOATING#{before}"),
    newest_first=True,
)
invitations = many(
    inviter,
    "Get all invitations of a user",
    sort=begins_with("HANGOUT#"),
    newest_first=True,
    gives=InvitationPointer,
)

# Beyond the data model: a person's agenda.
agenda = _all("Get all of a user's agenda", "AGENDA#", AgendaEntry)
agenda_from = many(
    inviter,
    "Get a user's agenda, from one hangout on",
    sort=between("AGENDA#{hangout_id}", "AGENDA$"),  # which comes behind all of them
    gives=AgendaEntry,
)
agenda_between = many(
    inviter,
    "Get a user's agenda of some days",
    index="EntityTimeIndex",
    sort=between("{earliest}", "{latest}"),
    gives=AgendaEntry,
)
agenda_needs = many(
    inviter,
    "Get what of a user's agenda waits for them and starts after a moment",
    index="UserGroupIndex",
    sort=greater_than("NEEDS#{after:012}"),
    gives=AgendaEntry,
)

# Beyond the data model: one hangout.
PLANS_ON_A_HANGOUT = (
    Hangout,
    GuestRsvp,
    HangoutPoll,
    BringItem,
    AttachmentPointer,
    *PLANS_OF_A_PERSON,
)
detail = many(inviter, "Get everything of a hangout", gives=(*PLANS_ON_A_HANGOUT, TalkMessage))
things_of_hangout = many(
    inviter,
    "Get everything of a hangout but its messages",
    sort=less_than("TALK#"),
    gives=PLANS_ON_A_HANGOUT,
)
rsvp = one(inviter, "Get one RSVP", gives=Rsvp)
rides = _all("Get how everybody gets to a hangout", "RIDE#", Ride)
spots = _all("Get the spots of an offer", "OFFER#{offer_id}#SPOT#", Spot)
ballots = _all("Get the ballots of a poll", "POLL#{poll_id}#BALLOT#", Ballot)
bring_claims = _all("Get who brings something", "BRING#{bring_item_id}#CLAIM#", BringClaim)
answers_from = many(
    inviter,
    "Get the answers on a hangout, from one on",
    sort=between("RSVP#{user_id}", "RSVP$"),  # which comes behind all of them
    gives=(Rsvp, GuestRsvp),
)
attachments = _all("Get what is attached to a hangout", "ATTACHMENT#", Attachment)
attachments_of_thing = many(
    inviter,
    "Get where a thing is attached",
    index="UserGroupIndex",
    sort=begins_with("ATTACHED#"),
    gives=AttachmentPointer,
)
messages = _all("Get the messages of a hangout, newest first", "TALK#", TalkMessage)
things_of_user = many(
    inviter,
    "Get everything that a user has on hangouts",
    index="UserGroupIndex",
    sort=begins_with("ON#"),
    gives=OF_A_PERSON,
)

# Beyond the data model: groups and persons.
group = one(inviter, "Get one group", gives=FriendGroup)
membership = one(inviter, "Get one membership", gives=GroupMembership)
members = _all("Get all members of a group", "USER#", GroupMembership)
members_from = many(
    inviter,
    "Get the members of a group, from one on",
    sort=between("USER#{user_id}", "USER$"),
    gives=GroupMembership,
)
everything_of_group = many(
    inviter,
    "Get everything of a group",
    gives=(FriendGroup, GroupMembership, HangoutPointer, IdeaList, Idea, GroupPlace),
)
person = one(inviter, "Get what the room knows of a user", gives=HangoutPerson)
persons = _all(
    "Find what the room knows of a user, to carry a name to it", "METADATA", HangoutPerson
)
invite_code = one(inviter, "Get invite by code", gives=InviteCode)
invite_codes = many(
    inviter,
    "Get all invite codes of a group",
    index="UserGroupIndex",
    sort=begins_with("INVITE#"),
    gives=InviteCode,
)
places_of_group = _all("Get all places of a group", "PLACE#", GroupPlace)
places_of_user = _all("Get all places of a user", "PLACE#", PersonPlace)
ideas = many(
    inviter,
    "Get all idea lists of a group with their ideas",
    sort=begins_with("IDEALIST#"),
    gives=(IdeaList, Idea),
)
ideas_of_list = _all("Get all ideas of a list", "IDEALIST#{list_id}#IDEA#", Idea)
idea = one(inviter, "Get one idea", gives=Idea)
series_by_id = one(inviter, "Get one series", gives=Series)
hangouts_of_series = _all("Get all hangouts of a series", "HANGOUT#", SeriesPointer)
dates_of_series = many(
    inviter,
    "Get the hangouts of a series after a moment, earliest first",
    index="EntityTimeIndex",
    sort=greater_than("{after}"),
    gives=SeriesPointer,
)


def group_pointers(of: Hangout) -> Iterator[Ref[HangoutPointer]]:
    """Yields where a hangout stands in its groups' feeds."""
    return (HangoutPointer.at(group_id=it, hangout_id=of.hangout_id) for it in of.group_ids)


def invitation_pointers(of: Hangout) -> Iterator[Ref[InvitationPointer]]:
    """Yields where a hangout stands in the lists of its maker and of those who were invited."""
    people = of.invited_user_ids
    return (InvitationPointer.at(user_id=it, hangout_id=of.hangout_id) for it in people)


def series_pointers(of: Hangout) -> Iterator[Ref[SeriesPointer]]:
    """Yields where a hangout stands in its series, if it has one."""
    known = [] if of.series_id is None else [of.series_id]
    return (SeriesPointer.at(series_id=it, hangout_id=of.hangout_id) for it in known)


IN_LISTS = {
    **{name: name for name in HangoutSummary.__struct_fields__ if name != "hangout_id"},
    "version": "hangout_version",
}


def _listed_on(pointer: type[Pointer], known: Callable[[Hangout], Iterator[Ref[Any]]]) -> None:
    """Declares that a pointer carries what lists show; what says where it is, is no copy."""
    own = pointer.schema.primary_fields
    copies(
        Hangout,
        on=pointer,
        fields={name: field for name, field in IN_LISTS.items() if field not in own},
        refers={"hangout_id": "hangout_id"},
        known=known,
    )


_listed_on(HangoutPointer, group_pointers)
_listed_on(InvitationPointer, invitation_pointers)
_listed_on(SeriesPointer, series_pointers)
copies(
    FriendGroup,
    on=GroupMembership,
    fields={"group_name": "group_name"},
    refers={"group_id": "group_id"},
    found=lambda it: members(group_id=it.group_id),
)


def _name_on(*carriers: type[Entity], found: Pattern[Any]) -> None:
    """Declares that things carry the name of an account; a pattern finds those of a user."""
    copies(
        User,
        on=carriers,
        fields={"display_name": "user_name"},
        refers={"user_id": "user_id"},
        found=lambda user: found(user_id=user.user_id),
    )


_name_on(GroupMembership, found=groups_of_user)
_name_on(HangoutPerson, found=persons)
_name_on(*OF_A_PERSON, found=things_of_user)
