"""Answers, polls and ballots."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.hangouts.tables import (
    Ballot,
    Rsvp,
    Vote,
)
from commonroom.store import update
from tests.hangouts.checks.example import House
from tests.hangouts.checks.faults.declared import LONG_AGO, fault, lose, on


@fault("companions", "It is in a party that does not count it")
async def an_answer_in_nobodys_party(house: House) -> None:
    kim = await house.answer_of(house.kim)
    await house.load(replace(kim, user_id=house.zoe.user_id, user_name="Zoe"))


@fault("companions", "Somebody comes along, and has no answer that says so")
async def a_child_without_an_answer(house: House) -> None:
    await lose(house, await house.answer_of(house.kim))


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
    zoe = on(house, house.zoe)
    await house.load(Rsvp(**zoe, status="INTERESTED", created_at=LONG_AGO, updated_at=LONG_AGO))


@fault("access", "who may no longer have this hangout")
async def an_answer_of_somebody_without_an_account(house: House) -> None:
    nobody = on(house, house.zoe) | {"user_id": "gone"}
    await house.load(Rsvp(**nobody, status="GOING", created_at=LONG_AGO, updated_at=LONG_AGO))
    await house.store.write(update(house.pub.ref, going_count=4))


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
        **on(house, house.zoe), poll_id=house.games.poll_id, votes=votes, voted_at=LONG_AGO
    )
    await house.load(ballot)
    tallies = house.games.tallies | {f"{house.games.options[0].option_id}.YES": 2}
    await house.store.write(update(house.games.ref, tallies=tallies, ballot_count=2))


@fault("orphans", "Its poll was deleted")
async def votes_in_no_poll(house: House) -> None:
    await house.load(Ballot(**on(house, house.ben), poll_id="gone", votes={}, voted_at=LONG_AGO))
