"""Places of groups and persons: kept, offered for hangouts, archived once one was used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, Unauthorized
from commonroom.hangouts.rules.fields import cleaned
from commonroom.hangouts.rules.ids import new_id
from commonroom.hangouts.rules.places import (
    CLEANERS,
    MAX_PLACES,
    sees_notes,
    with_unseen_notes,
)
from commonroom.hangouts.service.access import (
    GroupAccess,
    HangoutAccess,
    no_such,
    open_group,
    open_in_group,
    ref_of,
    retry,
)
from commonroom.hangouts.tables import (
    GroupMembership,
    GroupPlace,
    Hangout,
    HangoutPerson,
    PersonPlace,
    Rsvp,
    Venue,
    places_of_group,
    places_of_user,
)
from commonroom.ids import is_id
from commonroom.moments import iso
from commonroom.store import (
    Ref,
    Write,
    absent,
    as_read,
    check,
    create,
    equal,
    insert,
    remove,
    stored,
    update,
)

P = TypeVar("P", GroupPlace, PersonPlace)


class OwnPlaces(Struct, frozen=True):
    """A person's places by name, home first, archived ones last."""

    places: list[PersonPlace]
    home_place_id: str | None


class OwnPlace(Struct, frozen=True):
    """One of a person's places, and which one is home."""

    place: PersonPlace
    home_place_id: str | None


async def see_group_places(ctx: Context, group_id: str) -> tuple[GroupAccess, list[GroupPlace]]:
    """Returns a group with its places by name, archived ones last: two requests."""
    access = await open_group(ctx, group_id)
    page = await ctx.store.page(places_of_group(group_id=group_id), limit=MAX_PLACES)
    return access, _in_order(page.items)


async def see_own_places(ctx: Context) -> OwnPlaces:
    """Returns a person's own places: two requests."""
    person = await ctx.store.get(HangoutPerson.at(user_id=ctx.person.user_id))
    if person is None:
        return OwnPlaces([], None)
    page = await ctx.store.page(places_of_user(user_id=ctx.person.user_id), limit=MAX_PLACES)
    return OwnPlaces(_in_order(page.items, person.home_place_id), person.home_place_id)


async def offered_places(ctx: Context, group_ids: Sequence[str]) -> list[PersonPlace | GroupPlace]:
    """Returns what is offered for a hangout: one's own places, home first, and those of groups.

    One request for memberships, and one for the places of each.
    """
    me = ctx.person.user_id
    refs: list[Ref[Any]] = [HangoutPerson.at(user_id=me)]
    refs += [GroupMembership.at(group_id=one, user_id=me) for one in group_ids if is_id(one)]
    person, *memberships = await ctx.store.batch_get(refs)
    asked: list[Any] = [] if person is None else [places_of_user(user_id=me)]
    asked += [places_of_group(group_id=one.group_id) for one in memberships if one is not None]
    pages = await ctx.store.gather_all(ctx.store.page(one, limit=MAX_PLACES) for one in asked)
    home = None if person is None else person.home_place_id
    found = [place for page in pages for place in _in_order(page.items, home)]
    return [one for one in found if one.archived_at is None]


def _in_order(places: Sequence[P], home: str | None = None) -> list[P]:
    def place(one: P) -> tuple[bool, bool, str, str]:
        is_archived, is_home = one.archived_at is not None, one.place_id == home
        return is_archived, not is_home, one.name.casefold(), one.place_id

    return sorted(places, key=place)


@retry
async def add_group_place(ctx: Context, group_id: str, given: Mapping[str, Any]) -> GroupPlace:
    """Keeps a place for a group: one read and one write."""
    place = GroupPlace(group_id=group_id, **_new_fields(ctx, given))

    access = await open_group(ctx, group_id)
    await ctx.store.write(*insert(place, on=[access.group]), access.still_member)
    return place


@retry
async def add_own_place(
    ctx: Context, given: Mapping[str, Any], *, is_home: bool = False
) -> PersonPlace:
    """Keeps a place of one's own: one read and one write."""
    me = ctx.person.user_id
    place = PersonPlace(user_id=me, **_new_fields(ctx, given))

    refs: list[Ref[Any]] = [User.at(user_id=me), HangoutPerson.at(user_id=me)]
    user, person = await ctx.store.batch_get(refs)
    if user is None:
        raise Unauthorized("Please sign in, or send an API token.")
    home: dict[str, Any] = {"home_place_id": place.place_id} if is_home else {}
    writes = insert(place, on=[] if person is None else [person])
    if person is None:
        writes.append(create(HangoutPerson(user_id=me, user_name=user.display_name, **home)))
    elif is_home:
        writes.append(update(person.ref, **home))
    # The name is copied, so it is held.
    same_name = check(user, if_=equal(display_name=user.display_name))
    await ctx.store.write(*writes, same_name)
    return place


@retry
async def change_group_place(
    ctx: Context, group_id: str, place_id: str, given: Mapping[str, Any]
) -> GroupPlace:
    """Changes what is given of a group's place; `is_archived` puts it away or back."""
    access, place = await _open_place(ctx, group_id, place_id)
    changed = update(place, **_changes(ctx.now, place, given))
    await ctx.store.write(changed, access.still_member)
    return (await _open_place(ctx, group_id, place_id))[1]


@retry
async def change_own_place(
    ctx: Context, place_id: str, given: Mapping[str, Any], *, is_home: bool | None = None
) -> OwnPlace:
    """Changes one's own place; `is_home` makes it home instead of any other."""
    person, place = await _own_place(ctx, place_id)
    changes = _changes(ctx.now, place, given)
    writes: list[Write] = [update(place, **changes)]
    was_home = person.home_place_id == place_id
    archives = changes.get("archived_at", place.archived_at) is not None
    if is_home and not archives and not was_home:
        writes.append(update(person.ref, home_place_id=place_id))
    elif was_home and (is_home is False or archives):
        writes.append(update(person.ref, home_place_id=None))
    await ctx.store.write(*writes)
    person, place = await _own_place(ctx, place_id)
    return OwnPlace(place, person.home_place_id)


@retry
async def remove_group_place(ctx: Context, group_id: str, place_id: str) -> None:
    """Deletes a group's place; one that a hangout has taken is archived."""
    access, place = await _open_place(ctx, group_id, place_id)
    await ctx.store.write(*_removal(ctx.now, place), access.still_member)


@retry
async def remove_own_place(ctx: Context, place_id: str) -> None:
    """Deletes one's own place; afterwards it is not home either."""
    person, place = await _own_place(ctx, place_id)
    # It may become home in this moment: then this is tried again, and home is none.
    same = stored & equal(home_place_id=person.home_place_id)
    is_home = person.home_place_id == place_id
    held = update(person.ref, home_place_id=None, if_=same) if is_home else check(person, if_=same)
    await ctx.store.write(*_removal(ctx.now, place), held)


async def take_place(
    ctx: Context, place: Venue | None, group_ids: Sequence[str], before: Hangout | None = None
) -> tuple[Venue | None, list[Write]]:
    """Returns the place that a hangout is to have, in the words of the kept one where it is one.

    And what marks that one as used. One request where it is kept, or else none.
    """
    if place is None or place.place_id is None:
        return place, []
    now = None if before is None else before.place
    if now is not None and now.place_id == place.place_id:
        return now, []
    refs: list[Ref[Any]] = []
    if is_id(place.place_id):
        known = [one for one in group_ids if is_id(one)]
        refs = [GroupPlace.at(group_id=one, place_id=place.place_id) for one in known]
        refs.insert(0, PersonPlace.at(user_id=ctx.person.user_id, place_id=place.place_id))
    read = await ctx.store.batch_get(refs)
    found = next((one for one in read if one is not None and one.archived_at is None), None)
    if found is None:
        raise InvalidField("place.place_id", "Choose one of the places.")
    words = {name: getattr(found, name) for name in ("name", "address", "url", "notes")}
    used = update(found.ref, used_at=iso(ctx.now), if_=absent("archived_at"))
    return Venue(**words, place_id=place.place_id), [used]


async def keep_place(
    ctx: Context, fields: Mapping[str, Any], access: HangoutAccess
) -> tuple[dict[str, Any], list[Write]]:
    """Returns the fields of an edit with the words of a kept place, and what marks that as used.

    Notes that the editor does not see stay with their place: one request to find out.
    """
    if "place" not in fields:
        return dict(fields), []
    own_groups, before = [one.group_id for one in access.memberships], access.hangout
    place, used = await take_place(ctx, fields["place"], own_groups, before)
    if place != before.place and not await _sees_notes(ctx, before):
        place = with_unseen_notes(place, before.place)
    return {**fields, "place": place}, used


async def _sees_notes(ctx: Context, hangout: Hangout) -> bool:
    me = ctx.person.user_id
    if hangout.place is None or hangout.place.notes is None or me == hangout.created_by:
        return True
    rsvp = await ctx.store.get(Rsvp.at(hangout_id=hangout.hangout_id, user_id=me))
    return sees_notes(hangout, me, rsvp)


def _new_fields(ctx: Context, given: Mapping[str, Any]) -> dict[str, Any]:
    made = {"created_at": iso(ctx.now), "updated_at": iso(ctx.now)}
    owner = {"place_id": new_id(), "created_by": ctx.person.user_id}
    return {**cleaned(CLEANERS, given), **made, **owner}


def _changes(now: float, place: P, given: Mapping[str, Any]) -> dict[str, Any]:
    words = {name: value for name, value in given.items() if name != "is_archived"}
    changes = {**cleaned(CLEANERS, words), "updated_at": iso(now)}
    if "is_archived" in given:
        since = place.archived_at or iso(now)
        changes["archived_at"] = since if given["is_archived"] else None
    return changes


def _removal(now: float, place: GroupPlace | PersonPlace) -> list[Write]:
    if place.used_at is not None:
        return [update(place, archived_at=place.archived_at or iso(now))]
    # Its version, too: it may just have become home.
    return remove(place, if_=as_read(place, "version") & absent("used_at"))


async def _open_place(ctx: Context, group_id: str, place_id: str) -> tuple[GroupAccess, GroupPlace]:
    return await open_in_group(ctx, ref_of(GroupPlace, group_id=group_id, place_id=place_id))


async def _own_place(ctx: Context, place_id: str) -> tuple[HangoutPerson, PersonPlace]:
    me = ctx.person.user_id
    own = ref_of(PersonPlace, user_id=me, place_id=place_id)
    refs: list[Ref[Any]] = [HangoutPerson.at(user_id=me), own]
    person, place = await ctx.store.batch_get(refs)
    if person is None or place is None:
        raise no_such(PersonPlace)
    return person, place
