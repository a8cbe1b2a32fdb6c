"""Counts and pointers of a hangout, what it carries, and what is left where it is gone."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.service.attachments import pointer_of
from commonroom.hangouts.tables import (
    Attachment,
    AttachmentPointer,
    HangoutPointer,
    InvitationPointer,
    Waiting,
)
from commonroom.store import copied_fields, update
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import LONG_AGO, fault, lose, on, read


@fault("counts", "going_count is 7, not 3")
async def people_who_go(house: House) -> None:
    await house.load(house.pub, goingCount=7)


@fault("counts", "going_count is 8, not 3")
async def people_who_go_on_all_pointers(house: House) -> None:
    group = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(house.pub, goingCount=8)
    await house.load(await read(house, group), goingCount=8)


@fault("counts", "interested_count is 0, not 1, not_going_count is 5, not 1")
async def people_who_might_come(house: House) -> None:
    await house.load(house.pub, interestedCount=0, notGoingCount=5)


@fault("counts", "waiting_count is 9, not 2")
async def people_who_wait(house: House) -> None:
    await house.load(house.pub, waitingCount=9)


@fault("times", "It has a start, and no time that says so")
async def the_time_behind_a_start(house: House) -> None:
    await house.load(replace(house.pub, time=None, end_timestamp=None))


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


@fault("copies", "title is 'The club' and Hangout says 'The pub'")
async def a_pointer_with_another_title(house: House) -> None:
    ref = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(await read(house, ref), title="The club")


@fault("copies", "start_timestamp is 5")
async def an_invitation_at_another_time(house: House) -> None:
    ref = InvitationPointer.at(user_id=house.eve.user_id, hangout_id=house.pub.hangout_id)
    await house.load(replace(await read(house, ref), start_timestamp=5))


@fault("keys", "gsi1pk should be")
async def a_pointer_that_no_index_knows(house: House) -> None:
    ref = HangoutPointer.at(group_id=house.group.group_id, hangout_id=house.pub.hangout_id)
    await house.load(await read(house, ref), gsi1pk=None)


@fault("pointers", "It is missing from 1 of 3 lists")
async def a_hangout_that_is_not_in_the_feed(house: House) -> None:
    at = {"hangout_id": house.pub.hangout_id}
    await lose(house, HangoutPointer.at(group_id=house.group.group_id, **at))


@fault("pointers", "It is missing from 2 of 3 lists")
async def a_hangout_that_is_on_nobodys_list(house: House) -> None:
    for who in (house.ada, house.eve):
        at = {"hangout_id": house.pub.hangout_id, "user_id": who.user_id}
        await lose(house, InvitationPointer.at(**at))


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


@fault("counts", "attachment_count is 3, not 1")
async def things_that_it_carries(house: House) -> None:
    await house.load(house.pub, attachmentCount=3)


@fault("pointers", "What is attached does not know where")
async def a_thing_that_does_not_know_where_it_is_attached(house: House) -> None:
    await lose(house, pointer_of(house.attachment))


@fault("orphans", "It is not attached any more")
async def a_thing_that_is_not_attached(house: House) -> None:
    at = house.pub.hangout_id
    await house.load(AttachmentPointer(hangout_id=at, kind="film", thing_id="gone"))


@fault("access", "It belongs to somebody who may no longer have this hangout")
async def a_thing_of_a_stranger(house: House) -> None:
    one = Attachment(**on(house, house.zoe), kind="film", thing_id="11", attached_at=LONG_AGO)
    await house.load(one)
    await house.load(pointer_of(one))
    await house.load(house.pub, attachmentCount=2)


@fault("orphans", "The hangout that it was on was deleted")
async def a_thing_on_no_hangout(house: House) -> None:
    await house.load(AttachmentPointer(hangout_id="gone", kind="film", thing_id="11"))


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
