"""Who comes to a hangout, as pages show it: parties with their guests and children."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.hangouts import words
from commonroom.hangouts.tables import GuestRsvp, Hangout, Rsvp, RsvpStatus
from commonroom.http.forms import Form, Line
from commonroom.http.words import _, join_names, pluralize


class WhoForm(Form):
    """Whom a button is about, or what."""

    who: Line = ""


class PartyView(Struct, frozen=True, kw_only=True):
    """A person's RSVP, with whom they bring."""

    answer_id: str
    name: str
    status: RsvpStatus
    note: str | None
    company: str
    """Whom they bring, in words; empty where nobody."""
    turn: int
    """Their place on the waiting list; 0 where they do not wait."""
    is_guest: bool
    came_by_link: bool
    """Whether they answered by the guest link, rather than a member for them."""

    @property
    def initial(self) -> str:
        """What stands in the circle before the name."""
        return self.name[:1].upper()


class Attendees(Struct, frozen=True):
    """All parties by what they answered."""

    going: list[PartyView]
    waiting: list[PartyView]
    interested: list[PartyView]
    not_going: list[PartyView]


def attendees_of(hangout: Hangout, answers: Sequence[Rsvp | GuestRsvp]) -> Attendees:
    """Returns the parties of a hangout; those who wait in the order in which they move up."""
    names = {one.user_id: one.user_name or "" for one in answers if isinstance(one, Rsvp)}
    turns = {one.answer_id: turn for turn, one in enumerate(hangout.waiting, 1)}
    own = (one for one in answers if isinstance(one, GuestRsvp) or one.with_user_id is None)
    parties = [_party(one, names, turns) for one in own]
    waiting = sorted((one for one in parties if one.turn), key=lambda one: one.turn)
    settled = [one for one in parties if not one.turn]
    return Attendees(
        [one for one in settled if one.status == "GOING"],
        waiting,
        [one for one in settled if one.status == "INTERESTED"],
        [one for one in settled if one.status == "NOT_GOING"],
    )


def read_status(text: str) -> RsvpStatus:
    """Returns what one answers; refused where it is none of the answers."""
    if text not in words.ANSWERS:
        raise InvalidField("status", "Choose an answer.")
    return cast("RsvpStatus", text)


def person_name(known: str | None) -> str:
    """Returns the name of a person, who may have left."""
    return known or _("Former member")


def _party(one: Rsvp | GuestRsvp, names: dict[str, str], turns: dict[str, int]) -> PartyView:
    is_guest = isinstance(one, GuestRsvp)
    answer_id = one.guest_id if isinstance(one, GuestRsvp) else one.user_id
    name = one.name if isinstance(one, GuestRsvp) else one.user_name
    children = [] if isinstance(one, GuestRsvp) else one.companion_ids
    brought = [names[child] for child in children if names.get(child)]
    if one.plus_guests:
        brought.append(pluralize("%(n)d guest", "%(n)d guests", one.plus_guests))
    return PartyView(
        answer_id=answer_id,
        name=person_name(name),
        status=one.status,
        note=one.note,
        company=_("with %(names)s") % {"names": join_names(brought)} if brought else "",
        turn=turns.get(answer_id, 0),
        is_guest=is_guest,
        came_by_link=isinstance(one, GuestRsvp) and one.entered_by is None,
    )
