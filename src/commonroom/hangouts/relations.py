"""What counts what on hangouts and in groups, what goes with what, and what is written in pairs.

What is odd stays by hand: attendance with its waiting list and guests (`service/attendance.py`),
tallies of polls, seats and riders of cars, the offers that a hangout lists, the groups that a
person lists, a group's ideas, which go with their list at once, and clearing up spots, whose
people are told.
"""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.rules.attachments import MAX_ATTACHMENTS
from commonroom.hangouts.rules.bring_list import MAX_ITEMS
from commonroom.hangouts.rules.groups import MAX_MEMBERS
from commonroom.hangouts.rules.ideas import MAX_LISTS
from commonroom.hangouts.rules.places import MAX_PLACES
from commonroom.hangouts.rules.polls import MAX_BALLOTS, MAX_POLLS
from commonroom.hangouts.rules.talk import MAX_MESSAGES
from commonroom.hangouts.tables import (
    OF_A_PERSON,
    Attachment,
    AttachmentPointer,
    Ballot,
    BringClaim,
    BringItem,
    FriendGroup,
    GroupMembership,
    GroupPlace,
    GuestRsvp,
    Hangout,
    HangoutPerson,
    HangoutPointer,
    HangoutPoll,
    Idea,
    IdeaList,
    InvitationPointer,
    InviteCode,
    Offer,
    PersonPlace,
    SeriesPointer,
    Spot,
    TalkMessage,
    ballots,
    bring_claims,
    detail,
    ideas,
    ideas_of_list,
    places_of_group,
    places_of_user,
)
from commonroom.store import children, counts, mirror

TOO_MANY_PLACES = f"You can keep at most {MAX_PLACES} places."


def attachment_pointer(attachment: Attachment) -> AttachmentPointer:
    """Returns where the attached thing finds it."""
    return AttachmentPointer(
        hangout_id=attachment.hangout_id, kind=attachment.kind, thing_id=attachment.thing_id
    )


ON_A_HANGOUT = (
    counts(
        TalkMessage,
        on=Hangout,
        field="message_count",
        at_most=MAX_MESSAGES,
        refuse="There are too many messages here.",
    ),
    counts(
        HangoutPoll,
        on=Hangout,
        field="poll_count",
        at_most=MAX_POLLS,
        refuse=f"A hangout has at most {MAX_POLLS} polls.",
    ),
    counts(
        BringItem,
        on=Hangout,
        field="bring_count",
        at_most=MAX_ITEMS,
        refuse=f"At most {MAX_ITEMS} things fit on the list.",
    ),
    counts(
        Attachment,
        on=Hangout,
        field="attachment_count",
        at_most=MAX_ATTACHMENTS,
        refuse=f"A hangout carries at most {MAX_ATTACHMENTS} things.",
    ),
    counts(
        BringClaim,
        on=BringItem,
        field="claimed",
        total_of="number",
        at_most="needed",
        overbooked="People bring {number} of it; {limit} are needed.",
    ),
    counts(
        Spot,
        on=Offer,
        field="spots_taken",
        total_of="number",
        at_most="capacity",
        overbooked="{number} spots are taken of {limit}.",
    ),
    counts(
        Ballot,
        on=HangoutPoll,
        field="ballot_count",
        at_most=MAX_BALLOTS,
        refuse="This poll has reached its limit of votes.",
    ),
    mirror(
        Attachment,
        AttachmentPointer,
        made=attachment_pointer,
        missing="What is attached does not know where.",
        stray="It is not attached any more.",
        stray_check="orphans",
    ),
    children(
        (*OF_A_PERSON, GuestRsvp, HangoutPoll, BringItem, AttachmentPointer),
        on=Hangout,
        lost="The hangout that it was on was deleted.",
        found=lambda it: detail(hangout_id=it.hangout_id),
    ),
    children(
        (HangoutPointer, InvitationPointer, SeriesPointer),
        on=Hangout,
        lost="It leads to a hangout that was deleted.",
        check="pointers",
    ),
    children(
        BringClaim,
        on=BringItem,
        lost="What they bring was taken off the list.",
        found=lambda it: bring_claims(hangout_id=it.hangout_id, bring_item_id=it.bring_item_id),
    ),
    children(Spot, on=Offer, lost="Its offer was taken back."),
    children(
        Ballot,
        on=HangoutPoll,
        lost="Its poll was deleted.",
        found=lambda it: ballots(hangout_id=it.hangout_id, poll_id=it.poll_id),
    ),
    children(TalkMessage, on=User, lost="Whoever said it has no account any more."),
)

IN_A_GROUP = (
    counts(
        GroupMembership,
        on=FriendGroup,
        field="member_count",
        at_most=MAX_MEMBERS,
        refuse=f"A group has at most {MAX_MEMBERS} members.",
    ),
    counts(
        GroupMembership,
        on=FriendGroup,
        field="admin_count",
        where=lambda it: it.role == "ADMIN",
        depends_on=("role",),
    ),
    counts(
        GroupPlace,
        on=FriendGroup,
        field="place_count",
        at_most=MAX_PLACES,
        refuse=TOO_MANY_PLACES,
    ),
    counts(
        IdeaList,
        on=FriendGroup,
        field="idea_list_count",
        at_most=MAX_LISTS,
        refuse=f"A group has at most {MAX_LISTS} lists of ideas.",
    ),
    counts(
        Idea,
        on=IdeaList,
        field="idea_count",
        found=lambda it: ideas_of_list(group_id=it.group_id, list_id=it.list_id),
    ),
    counts(
        PersonPlace,
        on=HangoutPerson,
        field="place_count",
        at_most=MAX_PLACES,
        refuse=TOO_MANY_PLACES,
        found=lambda it: places_of_user(user_id=it.user_id),
    ),
    children(
        (IdeaList, Idea),
        on=FriendGroup,
        lost="Its group was deleted.",
        found=lambda it: ideas(group_id=it.group_id),
    ),
    children(
        GroupPlace,
        on=FriendGroup,
        lost="Its group was deleted.",
        found=lambda it: places_of_group(group_id=it.group_id),
    ),
    # Nobody of the group could see such a code or turn it off, so it lets nobody in.
    children(
        InviteCode,
        on=FriendGroup,
        lost="Its group was deleted.",
        known=lambda it, group: it.code in group.invite_codes,
        known_by=("invite_codes",),
        unknown="Its group does not know of it.",
        unknown_check="codes",
    ),
    children(
        Idea,
        on=IdeaList,
        lost="The list that it was on was deleted.",
        found=lambda it: ideas_of_list(group_id=it.group_id, list_id=it.list_id),
    ),
    children(
        PersonPlace,
        on=User,
        lost="Its person has no account any more.",
        found=lambda it: places_of_user(user_id=it.user_id),
    ),
)

RELATIONS = (*ON_A_HANGOUT, *IN_A_GROUP)
