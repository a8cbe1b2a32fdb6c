"""Each thing that can drift, broken by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.hangouts.service.attachments import pointer_of
from commonroom.hangouts.tables import (
    AgendaEntry,
    Attachment,
    AttachmentPointer,
    Ballot,
    BringClaim,
    GroupPlace,
    HangoutPointer,
    IdeaList,
    InvitationPointer,
    InviteCode,
    Membership,
    Person,
    PersonPlace,
    Ride,
    Rsvp,
    Series,
    SeriesPointer,
    Spot,
    Ticket,
    Vote,
    Waiting,
)
from commonroom.store import Entity, Ref, copied_fields, delete, update
from tests.hangouts.checks.example import House

Break: TypeAlias = Callable[[House], Awaitable[Any]]
BREAKS: dict[Break, tuple[str, str]] = {}

LONG_AGO = "2020-01-01T00:00:00Z"


def fault(check: str, sentence: str) -> Callable[[Break], Break]:
    """Says by which check a fault is found, and what is said of it."""

    def declare(breaks: Break) -> Break:
        BREAKS[breaks] = (check, sentence)
        return breaks

    return declare


def _on(house: House, who: User) -> dict[str, Any]:
    return {
        "hangout_id": house.pub.hangout_id,
        "user_id": who.user_id,
        "user_name": who.display_name,
    }


async def _read(house: House, ref: Ref[Any]) -> Any:
    found = await house.store.get(ref)
    assert found is not None
    return found


async def _lose(house: House, thing: Entity | Ref[Any]) -> None:
    await house.store.write(delete(thing))


# Counts of a hangout, which its pointers copy.


@fault("counts", "going_count is 7, not 3")
async def people_who_go(house: House) -> None:
    await house.load(house.pub, goingCount=7)


@fault("counts", "going_count is 8, not 3")
async def people_who_go_on_all_pointers(house: House) -> None:
    group = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(house.pub, goingCount=8)
    await house.load(await _read(house, group), goingCount=8)


@fault("counts", "interested_count is 0, not 1, not_going_count is 5, not 1")
async def people_who_might_come(house: House) -> None:
    await house.load(house.pub, interestedCount=0, notGoingCount=5)


@fault("counts", "waiting_count is 9, not 2")
async def people_who_wait(house: House) -> None:
    await house.load(house.pub, waitingCount=9)


@fault("counts", "guest_count is 0, not 1")
async def answers_without_an_account(house: House) -> None:
    await house.load(house.pub, guestCount=0)


@fault("counts", "message_count is 50, not 1")
async def messages(house: House) -> None:
    await house.load(house.pub, messageCount=50)


@fault("counts", "poll_count is 1, not 2, bring_count is 4, not 1")
async def polls_and_things_to_bring(house: House) -> None:
    await house.load(house.pub, pollCount=1, bringCount=4)


@fault("counts", "offer_ids has 2 entries, not these 1")
async def an_offer_that_is_not_there(house: House) -> None:
    await house.load(house.pub, offerIds=["gone", house.offer.offer_id])


@fault("counts", "offer_ids has 0 entries, not these 1")
async def an_offer_that_is_not_listed(house: House) -> None:
    await house.load(house.pub, offerIds=[])


@fault("counts", "waiting has 2 entries, not these 1")
async def somebody_waits_without_an_answer(house: House) -> None:
    line = [Waiting(answer_id="nobody", people=3), *house.pub.waiting]
    await house.load(replace(house.pub, waiting=line, waiting_count=5))


@fault("counts", "waiting has 2 entries, not these 1")
async def somebody_waits_who_is_only_interested(house: House) -> None:
    line = [*house.pub.waiting, Waiting(answer_id=house.cleo.user_id, people=1)]
    await house.load(replace(house.pub, waiting=line, waiting_count=3))


@fault("counts", "waiting has 1 entries, not these 1")
async def somebody_waits_with_too_many_people(house: House) -> None:
    line = [replace(house.pub.waiting[0], people=4)]
    await house.load(replace(house.pub, waiting=line, waiting_count=4))


@fault("momentum", "Tickets are bought for it, and it is not confirmed")
async def a_ticket_that_did_not_confirm_it(house: House) -> None:
    await house.load(house.pub, momentum="BUILDING")


# Pointers.


@fault("copies", "title is 'The club' and Hangout says 'The pub'")
async def a_pointer_with_another_title(house: House) -> None:
    place = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(await _read(house, place), title="The club")


@fault("copies", "start_timestamp is 5")
async def an_invitation_at_another_time(house: House) -> None:
    place = InvitationPointer.at(user_id=house.eve.user_id, hangout_id=house.pub.hangout_id)
    await house.load(replace(await _read(house, place), start_timestamp=5))


@fault("keys", "gsi1pk should be")
async def a_pointer_that_no_index_knows(house: House) -> None:
    place = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(await _read(house, place), gsi1pk=None)


@fault("pointers", "It is missing from 1 of 3 lists")
async def a_hangout_that_is_not_in_the_feed(house: House) -> None:
    at = {"hangout_id": house.pub.hangout_id}
    await _lose(house, HangoutPointer.at(group_id=house.group.group_id, **at))


@fault("pointers", "It is missing from 2 of 3 lists")
async def a_hangout_that_is_on_nobodys_list(house: House) -> None:
    for who in (house.ada, house.eve):
        at = {"hangout_id": house.pub.hangout_id, "user_id": who.user_id}
        await _lose(house, InvitationPointer.at(**at))


@fault("pointers", "It leads to a hangout that was deleted")
async def a_pointer_to_no_hangout(house: House) -> None:
    fields = copied_fields(house.pub, HangoutPointer) | {"hangout_id": "gone"}
    await house.load(HangoutPointer(group_id=house.group.group_id, **fields))


@fault("pointers", "that is not for whoever has it")
async def an_invitation_that_was_taken_back(house: House) -> None:
    fields = copied_fields(house.pub, InvitationPointer)
    await house.load(InvitationPointer(user_id=house.zoe.user_id, **fields))


@fault("groups", "1 of the groups and people that have it are gone")
async def a_group_that_is_gone(house: House) -> None:
    groups = [*house.pub.group_ids, "gone"]
    changed = replace(house.pub, group_ids=groups)
    await house.load(changed)
    await house.load(
        HangoutPointer(group_id="gone", **copied_fields(changed, HangoutPointer)),
    )


@fault("invitations", "1 of the groups and people that have it are gone")
async def somebody_invited_who_is_gone(house: House) -> None:
    await house.load(replace(house.pub, invited_user_ids=[*house.pub.invited_user_ids, "gone"]))


# Series.


@fault("pointers", "It is missing from 1 of 3 lists")
async def a_hangout_that_its_series_does_not_have(house: House) -> None:
    at = {"series_id": house.games_night.series_id, "hangout_id": house.games_night.hangout_id}
    await _lose(house, SeriesPointer.at(**at))


@fault("copies", "title is 'Chess' and Hangout says 'Games'")
async def a_hangout_with_another_title_in_its_series(house: House) -> None:
    at = {"series_id": house.games_night.series_id, "hangout_id": house.games_night.hangout_id}
    await house.load(await _read(house, SeriesPointer.at(**at)), title="Chess")


@fault("pointers", "that is not for whoever has it")
async def a_hangout_of_no_series_in_one(house: House) -> None:
    fields = copied_fields(house.pub, SeriesPointer)
    await house.load(SeriesPointer(**fields, series_id=house.games_night.series_id))


@fault("series", "The series that it is in was deleted")
async def a_hangout_in_no_series(house: House) -> None:
    lost = replace(house.pub, series_id="gone", occurrence="2020-01-01", series_version=1)
    await house.load(lost)
    await house.load(SeriesPointer(**copied_fields(lost, SeriesPointer), series_id="gone"))


@fault("series", "None of its hangouts is left")
async def a_series_without_hangouts(house: House) -> None:
    series = await _read(house, Series.at(series_id=house.games_night.series_id))
    await house.load(replace(series, series_id="empty"))


# Answers.


@fault("companions", "It is in a party that does not count it")
async def an_answer_in_nobodys_party(house: House) -> None:
    kim = await house.answer_of(house.kim)
    await house.load(replace(kim, user_id=house.zoe.user_id, user_name="Zoe"))


@fault("companions", "Somebody comes along, and has no answer that says so")
async def a_child_without_an_answer(house: House) -> None:
    await _lose(house, await house.answer_of(house.kim))


@fault("companions", "Somebody comes along who is not in this party")
async def a_companion_who_is_not_ones_child(house: House) -> None:
    ada = await house.answer_of(house.ada)
    await house.load(replace(ada, companion_ids=[*ada.companion_ids, house.cleo.user_id]))


@fault("companions", "It differs from its party’s answer")
async def a_child_that_answers_otherwise(house: House) -> None:
    await house.load(replace(await house.answer_of(house.kim), status="INTERESTED"))


@fault("copies", "user_name is 'Benny' and User says 'Ben'")
async def an_answer_by_another_name(house: House) -> None:
    await house.load(replace(await house.answer_of(house.ben), user_name="Benny"))


@fault("access", "who may no longer have this hangout")
async def an_answer_of_a_stranger(house: House) -> None:
    zoe = _on(house, house.zoe)
    await house.load(Rsvp(**zoe, status="INTERESTED", created_at=LONG_AGO, updated_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def an_answer_of_somebody_without_an_account(house: House) -> None:
    nobody = _on(house, house.zoe) | {"user_id": "gone"}
    await house.load(Rsvp(**nobody, status="GOING", created_at=LONG_AGO, updated_at=LONG_AGO))
    await house.store.write(update(house.pub.ref, going_count=4))


# Polls.


@fault("tallies", "It counts 9 ballots; they are 2")
async def ballots_of_a_poll(house: House) -> None:
    await house.load(house.days, ballotCount=9)


@fault("tallies", "or say otherwise")
async def tallies_of_a_poll(house: House) -> None:
    await house.load(house.days, tallies={"elsewhere.YES": 3})


@fault("polls", "Its time_poll_id is not")
async def an_open_poll_that_nobody_knows(house: House) -> None:
    await house.load(house.pub, timePollId=None)


@fault("polls", "Its place_poll_id is no open poll of it")
async def a_poll_that_is_not_there(house: House) -> None:
    await house.load(house.pub, placePollId="gone")


@fault("access", "who may no longer have this hangout")
async def votes_of_a_stranger(house: House) -> None:
    votes: dict[str, Vote] = {house.games.options[0].option_id: "YES"}
    ballot = Ballot(
        **_on(house, house.zoe), poll_id=house.games.poll_id, votes=votes, voted_at=LONG_AGO
    )
    await house.load(ballot)
    tallies = house.games.tallies | {f"{house.games.options[0].option_id}.YES": 2}
    await house.store.write(update(house.games.ref, tallies=tallies, ballot_count=2))


@fault("orphans", "Its poll was deleted")
async def votes_in_no_poll(house: House) -> None:
    await house.load(Ballot(**_on(house, house.ben), poll_id="gone", votes={}, voted_at=LONG_AGO))


# Things to bring.


@fault("counts", "Its claimed is 1, not 2")
async def claims_of_a_thing(house: House) -> None:
    await house.load(house.bread, claimed=1)


@fault("orphans", "What they bring was taken off the list")
async def a_claim_of_nothing(house: House) -> None:
    await house.load(
        BringClaim(**_on(house, house.ben), bring_item_id="gone", number=2, claimed_at=LONG_AGO)
    )


@fault("access", "who may no longer have this hangout")
async def a_claim_of_a_stranger(house: House) -> None:
    bread = house.bread.bring_item_id
    await house.load(BringClaim(**_on(house, house.zoe), bring_item_id=bread, claimed_at=LONG_AGO))
    await house.store.write(update(house.bread.ref, claimed=3))


@fault("declined", "somebody who cannot come")
async def a_claim_of_somebody_who_cannot_come(house: House) -> None:
    bread = house.bread.bring_item_id
    await house.load(BringClaim(**_on(house, house.eve), bring_item_id=bread, claimed_at=LONG_AGO))
    await house.store.write(update(house.bread.ref, claimed=3))


# Cars.


@fault("counts", "It counts 1 seats for 1 riders; 3 are taken, by 1")
async def seats_of_a_car(house: House) -> None:
    await house.load(house.car, seatsTaken=1)


@fault("counts", "It counts 3 seats for 2 riders; 3 are taken, by 1")
async def riders_of_a_car(house: House) -> None:
    await house.load(replace(house.car, rider_ids=[house.cleo.user_id, "gone"]))


@fault("orphans", "Its car was taken away")
async def a_seat_in_no_car(house: House) -> None:
    ride = await _read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ada.user_id))
    await house.load(replace(ride, car_id="gone", driver_id=house.ben.user_id))


@fault("rides", "Somebody else drives")
async def a_ride_with_another_driver(house: House) -> None:
    ride = await _read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.cleo.user_id))
    await house.load(replace(ride, driver_id=house.ada.user_id))


@fault("rides", "Whoever drives it has no seat in it")
async def a_car_without_its_driver(house: House) -> None:
    await _lose(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ben.user_id))


@fault("declined", "somebody who cannot come")
async def a_seat_of_somebody_who_cannot_come(house: House) -> None:
    at: dict[str, Any] = {
        "car_id": house.car.car_id,
        "driver_id": house.ben.user_id,
        "asked_at": LONG_AGO,
    }
    await house.load(Ride(**_on(house, house.eve), **at))
    await house.load(
        replace(house.car, rider_ids=[house.cleo.user_id, house.eve.user_id], seats_taken=4)
    )


@fault("access", "who may no longer have this hangout")
async def a_stranger_who_needs_a_ride(house: House) -> None:
    await house.load(Ride(**_on(house, house.zoe), asked_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def a_stranger_who_drives(house: House) -> None:
    car = replace(
        house.car, car_id="zoes", user_id=house.zoe.user_id, user_name="Zoe", rider_ids=[]
    )
    await house.load(replace(car, seats_taken=2))
    at: dict[str, Any] = {"car_id": "zoes", "driver_id": house.zoe.user_id, "asked_at": LONG_AGO}
    await house.load(Ride(**_on(house, house.zoe), **at))
    needs = await _read(house, Ride.at(hangout_id=house.pub.hangout_id, user_id=house.ada.user_id))
    await house.load(replace(needs, car_id="zoes", driver_id=house.zoe.user_id))
    await house.load(replace(car, seats_taken=2, rider_ids=[house.ada.user_id]))


# Tickets and offers.


@fault("counts", "Its spots_taken is 4, not 2")
async def spots_of_an_offer(house: House) -> None:
    await house.load(house.offer, spotsTaken=4)


@fault("orphans", "Its offer was taken back")
async def a_spot_of_no_offer(house: House) -> None:
    await house.load(Spot(**_on(house, house.ben), offer_id="gone", claimed_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def a_spot_of_a_stranger(house: House) -> None:
    at = house.offer.offer_id
    await house.load(Spot(**_on(house, house.zoe), offer_id=at, claimed_at=LONG_AGO))
    await house.store.write(update(house.offer.ref, spots_taken=3))


@fault("declined", "somebody who cannot come")
async def a_spot_of_somebody_who_cannot_come(house: House) -> None:
    at = house.offer.offer_id
    await house.load(Spot(**_on(house, house.eve), offer_id=at, claimed_at=LONG_AGO))
    await house.store.write(update(house.offer.ref, spots_taken=3))


@fault("access", "who may no longer have this hangout")
async def an_offer_of_a_stranger(house: House) -> None:
    who = {"user_id": house.zoe.user_id, "user_name": "Zoe"}
    await house.load(replace(house.offer, offer_id="zoes", spots_taken=0, **who))


@fault("tickets", "It has 2 tickets, and 5 to give away")
async def tickets_that_nobody_has(house: House) -> None:
    place = Ticket.at(hangout_id=house.pub.hangout_id, user_id=house.ben.user_id)
    await house.load(await _read(house, place), spare=5)


@fault("declined", "somebody who cannot come")
async def a_ticket_for_somebody_who_cannot_come(house: House) -> None:
    await house.load(Ticket(**_on(house, house.eve), status="NEEDS", updated_at=LONG_AGO))


# What stands on a hangout that is gone.


@fault("orphans", "The hangout that it was on was deleted")
async def things_on_no_hangout(house: House) -> None:
    answer = await house.answer_of(house.ben)
    for one in (answer, house.guest, house.days, house.bread, house.car, house.offer):
        await house.load(replace(one, hangout_id="gone"))
    await house.load(replace(house.message, hangout_id="gone"))


@fault("orphans", "Whoever said it has no account any more")
async def a_message_by_nobody(house: House) -> None:
    said = replace(house.message, user_id="gone", message_id=house.message.message_id[:-1] + "x")
    await house.load(said)
    await house.store.write(update(house.pub.ref, message_count=2))


# Groups.


@fault("counts", "member_count is 9, not 3")
async def members_of_a_group(house: House) -> None:
    await house.load(house.group, memberCount=9)


@fault("counts", "admin_count is 3, not 1")
async def admins_of_a_group(house: House) -> None:
    await house.load(house.group, adminCount=3)


@fault("groups", "It has no admin")
async def a_group_without_an_admin(house: House) -> None:
    place = Membership.at(group_id=house.group.group_id, user_id=house.ada.user_id)
    await house.load(await _read(house, place), role="MEMBER")


@fault("groups", "Nobody is in it")
async def a_group_without_members(house: House) -> None:
    await house.load(replace(house.group, group_id="empty", invite_codes=[]))


@fault("memberships", "The group “Friends” was deleted")
async def a_membership_in_no_group(house: House) -> None:
    person = await _read(house, Person.at(user_id=house.ben.user_id))
    place = Membership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(replace(await _read(house, place), group_id="gone"))
    groups = person.groups | {"gone": LONG_AGO}
    await house.load(replace(person, groups=groups, group_count=2))


@fault("memberships", "A member has no account any more")
async def a_membership_of_nobody(house: House) -> None:
    place = Membership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(replace(await _read(house, place), user_id="gone"))
    await house.store.write(update(house.group.ref, member_count=4))


@fault("memberships", "It does not count for its person")
async def a_membership_that_does_not_count(house: House) -> None:
    cleo = house.cleo
    await house.load(Person(user_id=cleo.user_id, user_name=cleo.display_name))


@fault("memberships", "It does not count for its person")
async def a_member_whom_the_room_does_not_know(house: House) -> None:
    await _lose(house, Person.at(user_id=house.cleo.user_id))


@fault("counts", "Its group_count is 2; 1 groups have them")
async def a_group_that_does_not_have_them(house: House) -> None:
    person = await _read(house, Person.at(user_id=house.ben.user_id))
    groups = person.groups | {"gone": LONG_AGO}
    await house.load(replace(person, groups=groups, group_count=2))


@fault("counts", "Its group_count is 7; 1 groups have them")
async def groups_of_a_person(house: House) -> None:
    await house.load(await _read(house, Person.at(user_id=house.ben.user_id)), groupCount=7)


@fault("orphans", "Its person has no account any more")
async def what_is_known_of_nobody(house: House) -> None:
    await house.load(Person(user_id="gone"))


@fault("copies", "group_name is 'Foes' and Group says 'Friends'")
async def a_membership_with_another_name(house: House) -> None:
    place = Membership.at(group_id=house.group.group_id, user_id=house.ben.user_id)
    await house.load(await _read(house, place), groupName="Foes")


@fault("codes", "Its group does not know of it")
async def a_code_that_nobody_can_turn_off(house: House) -> None:
    at: dict[str, Any] = {"group_id": house.group.group_id, "created_by": house.ben.user_id}
    await house.load(InviteCode(code="abcdefgh", created_at=LONG_AGO, **at))


@fault("codes", "1 of its invite codes let nobody in")
async def a_code_that_is_not_there(house: House) -> None:
    await house.load(replace(house.group, invite_codes=[*house.group.invite_codes, "abcdefgh"]))


@fault("orphans", "Its group was deleted")
async def a_code_of_no_group(house: House) -> None:
    at: dict[str, Any] = {"group_id": "gone", "created_by": house.ben.user_id}
    await house.load(InviteCode(code="abcdefgh", created_at=LONG_AGO, **at))


def _place(house: House) -> dict[str, Any]:
    made: dict[str, Any] = {
        "created_by": house.ben.user_id,
        "created_at": LONG_AGO,
        "updated_at": LONG_AGO,
    }
    return {"place_id": "home", "name": "Home", **made}


@fault("orphans", "Its group was deleted")
async def a_place_of_no_group(house: House) -> None:
    await house.load(GroupPlace(group_id="gone", **_place(house)))


@fault("counts", "place_count is 4, not 1, idea_list_count is 2, not 1, idea_count is 0, not 1")
async def places_and_ideas_of_a_group(house: House) -> None:
    await house.load(house.group, placeCount=4, ideaListCount=2, ideaCount=0)


@fault("counts", "place_count is 9, not 1")
async def places_of_a_person(house: House) -> None:
    await house.load(await _read(house, Person.at(user_id=house.ben.user_id)), placeCount=9)


@fault("orphans", "Its person has no account any more")
async def a_place_of_nobody(house: House) -> None:
    await house.load(PersonPlace(user_id="gone", **_place(house)))


@fault("places", "The place that is their home was deleted")
async def a_home_that_is_not_there(house: House) -> None:
    await house.load(await _read(house, Person.at(user_id=house.cleo.user_id)), homePlaceId="gone")


@fault("orphans", "The list that it was on was deleted")
async def an_idea_on_no_list(house: House) -> None:
    await house.load(replace(house.skating, list_id="gone"))


@fault("counts", "Its idea_count is 5, not 1")
async def ideas_on_a_list(house: House) -> None:
    at = {"group_id": house.group.group_id, "list_id": house.skating.list_id}
    await house.load(await _read(house, IdeaList.at(**at)), ideaCount=5)


@fault("ideas", "Somebody is interested who is not in the group")
async def a_stranger_who_is_interested(house: House) -> None:
    interested = house.skating.interested | {house.zoe.user_id: LONG_AGO}
    await house.load(replace(house.skating, interested=interested))


@fault("ideas", "The hangout that it became was deleted")
async def an_idea_that_became_nothing(house: House) -> None:
    await house.load(replace(house.skating, hangout_id="gone"))


@fault("orphans", "Its group was deleted")
async def a_list_of_no_group(house: House) -> None:
    made: dict[str, Any] = {"created_by": house.ben.user_id, "created_at": LONG_AGO}
    await house.load(IdeaList(group_id="gone", list_id="one", name="Winter", **made))


# Agendas.


@fault("agendas", "It is not what its hangout")
async def an_agenda_with_another_day(house: House) -> None:
    place = AgendaEntry.at(user_id=house.ben.user_id, hangout_id=house.pub.hangout_id)
    await house.load(replace(await _read(house, place), start_timestamp=5))


@fault("agendas", "It is not what its hangout")
async def an_agenda_that_knows_of_no_answer_and_of_no_vote(house: House) -> None:
    place = AgendaEntry.at(user_id=house.ben.user_id, hangout_id=house.pub.hangout_id)
    asked = replace(await _read(house, place), is_unanswered=True, poll_ids=["gone"])
    await house.load(asked)


@fault("agendas", "It is not what its hangout")
async def an_agenda_of_somebody_who_is_not_invited(house: House) -> None:
    zoe, pub = house.zoe.user_id, house.pub
    start = pub.start_timestamp or 0
    await house.load(AgendaEntry(user_id=zoe, hangout_id=pub.hangout_id, start_timestamp=start))


@fault("agendas", "It is not what its hangout")
async def an_agenda_with_a_deleted_hangout(house: House) -> None:
    ben = house.ben.user_id
    await house.load(AgendaEntry(user_id=ben, hangout_id="gone", start_timestamp=5))


@fault("polls", "Its open_polls are 1, not these 2")
async def an_open_poll_that_its_hangout_does_not_know(house: House) -> None:
    await house.load(house.pub, openPolls={house.days.poll_id: "TIME"})


# What a hangout carries.


@fault("counts", "attachment_count is 3, not 1")
async def things_that_it_carries(house: House) -> None:
    await house.load(house.pub, attachmentCount=3)


@fault("pointers", "What is attached does not know where")
async def a_thing_that_does_not_know_where_it_is_attached(house: House) -> None:
    await _lose(house, pointer_of(house.attachment))


@fault("orphans", "It is not attached any more")
async def a_thing_that_is_not_attached(house: House) -> None:
    at = house.pub.hangout_id
    await house.load(AttachmentPointer(hangout_id=at, kind="film", thing_id="gone"))


@fault("access", "It belongs to somebody who may no longer have this hangout")
async def a_thing_of_a_stranger(house: House) -> None:
    one = Attachment(**_on(house, house.zoe), kind="film", thing_id="11", attached_at=LONG_AGO)
    await house.load(one)
    await house.load(pointer_of(one))
    await house.load(house.pub, attachmentCount=2)


@fault("orphans", "The hangout that it was on was deleted")
async def a_thing_on_no_hangout(house: House) -> None:
    await house.load(AttachmentPointer(hangout_id="gone", kind="film", thing_id="11"))
