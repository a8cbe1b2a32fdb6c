"""Agendas."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.tables import (
    AgendaEntry,
)
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import fault, read


@fault("agendas", "It is not what its hangout")
async def an_agenda_with_another_day(house: House) -> None:
    ref = AgendaEntry.at(user_id=house.ben.user_id, hangout_id=house.pub.hangout_id)
    await house.load(replace(await read(house, ref), start_timestamp=5))


@fault("agendas", "It is not what its hangout")
async def an_agenda_that_knows_of_no_answer_and_of_no_vote(house: House) -> None:
    ref = AgendaEntry.at(user_id=house.ben.user_id, hangout_id=house.pub.hangout_id)
    asked = replace(await read(house, ref), is_unanswered=True, poll_ids=["gone"])
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
