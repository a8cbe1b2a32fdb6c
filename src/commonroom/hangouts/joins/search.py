"""Hangouts, groups, and people of groups as search knows them: each for those whom it is for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from commonroom.hangouts.tables import FriendGroup, Hangout, HangoutPerson
from commonroom.http.words import _, lazy, pluralize
from commonroom.joins.search_audiences import AudienceSource, person_token
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.joins.search_places import SearchPlace
from commonroom.search.documents import MAX_POPULAR, Document, Searchable
from commonroom.search.people import (
    PERSON,
    PICTURE,
    person_address,
    person_card,
    person_document,
)

GROUP = "group#"
FIRST_DAY = 1_577_836_800
"""2020-01-01: hangouts are counted in weeks from here, so that of equals the later comes first."""
WEEK = 7 * 24 * 3600


def group_token(group_id: str) -> str:
    """Returns what the members of a group have."""
    return f"{GROUP}{group_id}"


def hangout_document(hangout: Hangout) -> Document:
    """A hangout, also one that is over: for members of its groups, and who else was invited."""
    place = () if hangout.place is None else (hangout.place.name,)
    return Document(
        kind="hangout",
        id=hangout.hangout_id,
        title=hangout.title,
        address=f"/hangouts/{hangout.hangout_id}",
        names=place,
        text=hangout.description or "",
        popularity=_week(hangout),
        audience=(
            *map(group_token, hangout.group_ids),
            *map(person_token, hangout.invited_user_ids),
        ),
    )


def _week(hangout: Hangout) -> int:
    start = hangout.start_timestamp
    if start is None:
        start = int(datetime.fromisoformat(hangout.created_at).timestamp())
    return max(0, min((start - FIRST_DAY) // WEEK, MAX_POPULAR))


def group_document(group: FriendGroup) -> Document:
    """Returns a group, for its members."""
    return Document(
        kind="group",
        id=group.group_id,
        title=group.group_name,
        address=f"/groups/{group.group_id}",
        audience=(group_token(group.group_id),),
    )


def friend_document(person: HangoutPerson) -> Document | None:
    """Returns a person who is in groups, for the others in these."""
    if person.user_name is None:
        return None
    audience = [group_token(one) for one in person.groups]
    return person_document("friend", person.user_id, person.user_name, audience)


def hangout_card(found: SearchHit) -> ResultCard:
    """Returns a hangout with its time and its place."""
    from commonroom.hangouts.pages.when import when_of  # with the first result, not with the start

    hangout = found.thing
    if not isinstance(hangout, Hangout):
        return ResultCard()
    request = found.request
    when = when_of(hangout, request.now, request.person.time_zone)
    said = [
        _("Cancelled") if hangout.cancelled_at else "",
        _("No date yet") if when is None else when.line,
        "" if hangout.place is None else hangout.place.name,
    ]
    return ResultCard(" · ".join(filter(None, said)), hangout)


def group_card(found: SearchHit) -> ResultCard:
    """Returns a group with how many are in it."""
    group = found.thing
    if not isinstance(group, FriendGroup):
        return ResultCard()
    return ResultCard(pluralize("%(n)d member", "%(n)d members", group.member_count), group)


def _tokens(person: HangoutPerson) -> Iterator[str]:
    return map(group_token, person.groups)


def _members_page(token: str) -> str | None:
    return f"/groups/{token.removeprefix(GROUP)}/members" if token.startswith(GROUP) else None


GROUPS_OF_PERSON = AudienceSource(entity=HangoutPerson, tokens=_tokens, people_page=_members_page)

_private = partial(Searchable, is_private=True)
KINDS = (
    SearchKind(
        searchable=_private(
            kind="hangout", entity=Hangout, id_field="hangout_id", document=hangout_document
        ),
        name=lazy("Hangouts"),
        picture="hangouts/parts/search_hangout.html",
        card=hangout_card,
        styles="hangouts/hangouts.css",
    ),
    SearchKind(
        searchable=_private(
            kind="group", entity=FriendGroup, id_field="group_id", document=group_document
        ),
        name=lazy("Groups"),
        picture="hangouts/parts/search_group.html",
        card=group_card,
        styles="hangouts/groups.css",
    ),
    SearchKind(
        searchable=_private(
            kind="friend", entity=HangoutPerson, id_field="user_id", document=friend_document
        ),
        name=lazy("People"),
        picture=PICTURE,
        card=person_card,
        shown_as=PERSON,
        is_person=True,
        address=person_address,
    ),
)

PLACES = (
    SearchPlace(
        name=lazy("Plan a hangout"),
        address="/hangouts/new",
        words=lazy("new event meet party plan invite friends"),
        icon="hangouts",
    ),
    SearchPlace(
        name=lazy("New group"),
        address="/groups/new",
        words=lazy("create friends group invite"),
        icon="people",
    ),
    SearchPlace(
        name=lazy("Hangouts of the month"),
        address="/hangouts/month",
        words=lazy("calendar month dates"),
        icon="clock",
    ),
    SearchPlace(
        name=lazy("Past hangouts"),
        address="/hangouts/past",
        words=lazy("history earlier over"),
        icon="clock",
    ),
    SearchPlace(
        name=lazy("Your places"),
        address="/hangouts/places",
        words=lazy("address home location where"),
        icon="home",
    ),
)
