"""Counts and pointers of answers that drifted are named in a sentence, and mended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias
from uuid import uuid4

import pytest
from msgspec.structs import replace

from commonroom.shareables.checks import checks
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.tables import (
    AnswerNetwork,
    AnswerPointer,
    Event,
    EventRsvp,
    Poll,
    PollVote,
    shareables,
)
from commonroom.store import Entity, Store, create, delete
from commonroom.store.checking import ReportedProblem, check_store
from tests.accounts.people import Watch
from tests.shareables.furniture import BIRTHDAY, SUMMER, everything_of, let_in_to, made
from tests.shareables.voting import ballot
from tests.support.context import at

ADA = str(uuid4())


class House:
    """An event and a poll: each was answered by two guests of one network and by an account."""

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    @classmethod
    async def furnished(cls, store: Store, clock: Watch) -> House:
        """All of it."""
        house = cls(store, clock)
        party = await made(store, clock, BIRTHDAY)
        summer = await made(store, clock, SUMMER)
        for name, account in (("Bo", None), ("Cy", None), ("Ada", ADA)):
            shown: dict[str, Any] = {"address": "203.0.113.7", "account_id": account}
            coming = await let_in_to(Event, store, clock, party, **shown)
            said = TypedEventRsvp(
                name=name, response="going" if account else "maybe", guest_count=1
            )
            await events.answer(at(store, clock(), coming), said)
            voting = await let_in_to(Poll, store, clock, summer, **shown)
            await polls.vote(at(store, clock(), voting), ballot(voting.page, 0, 1))
        return house

    async def only(self, kind: type[Any]) -> Any:
        """The first thing of a kind."""
        return (await everything_of(self.store.engine, kind))[0]

    async def load(self, thing: Entity, **attributes: Any) -> None:
        """Puts something there as if it had always been so; None takes an attribute out."""
        item = thing.to_item() | attributes
        left = {name: value for name, value in item.items() if value is not None}
        await self.store.engine.load(thing.schema.table, [left])

    async def everything(self) -> list[dict[str, Any]]:
        """All that is stored of the room."""
        items = (await self.store.engine.scan(shareables, limit=1000)).items
        return sorted(({**one} for one in items), key=lambda one: (one["pk"], one["sk"]))

    async def drift(self, *, repair: bool = False) -> list[ReportedProblem]:
        """What `commonroom check` finds wrong, and what it mends where it may."""
        told: list[ReportedProblem] = []
        await check_store(
            self.store,
            [shareables],
            checks(),
            repair=repair,
            report=told.append,
            progress=lambda *_: None,
        )
        return told


Break: TypeAlias = Callable[[House], Awaitable[None]]
BREAKS: dict[Break, tuple[str, str]] = {}


def fault(check: str, sentence: str) -> Callable[[Break], Break]:
    """Says by which check a fault is found, and what is said of it."""

    def declare(breaks: Break) -> Break:
        BREAKS[breaks] = (check, sentence)
        return breaks

    return declare


@fault("counts", "rsvp_count is 0, not 3, going_count is 0, not 1")
async def an_event_that_counts_nothing(house: House) -> None:
    counts = ("rsvpCount", "goingCount", "maybeCount", "guestCount", "networkCount")
    await house.load(await house.only(Event), **dict.fromkeys(counts))


@fault("counts", "guest_count is 9, not 1")
async def guests_who_do_not_come(house: House) -> None:
    await house.load(await house.only(Event), guestCount=9)


@fault("counts", "vote_count is 0, not 3")
async def a_poll_that_counts_nothing(house: House) -> None:
    await house.load(await house.only(Poll), voteCount=None, tally=None, networkCount=None)


@fault("counts", "tally is")
async def votes_that_nobody_gave(house: House) -> None:
    poll = await house.only(Poll)
    await house.load(poll, tally={name: number + 1 for name, number in poll.tally.items()})


@fault("networks", "It counts 5 answers from a network, not 2.")
async def a_network_that_may_answer_no_more(house: House) -> None:
    await house.load(await house.only(AnswerNetwork), answerCount=5)


@fault("networks", "2 answers came from a network, and are not counted.")
async def a_network_that_is_not_counted(house: House) -> None:
    await house.store.write(delete(await house.only(AnswerNetwork)))


@fault("networks", "It counts 2 answers from a network, not 0.")
async def a_network_that_nobody_answered_from(house: House) -> None:
    await house.store.write(create(replace(await house.only(AnswerNetwork), network="x")))


@fault("pointers", "The account that gave it does not know.")
async def an_answer_that_its_account_does_not_know(house: House) -> None:
    await house.store.write(delete(await house.only(AnswerPointer)))


@fault("pointers", "It leads to an answer that was withdrawn.")
async def a_pointer_to_nothing(house: House) -> None:
    pointer = replace(await house.only(AnswerPointer), short_id="abc-def-00001")
    await house.store.write(create(pointer))


@fault("pointers", "It leads to an answer of somebody else.")
async def a_pointer_of_somebody_else(house: House) -> None:
    pointer = replace(await house.only(AnswerPointer), account_id=str(uuid4()))
    await house.store.write(create(pointer))


async def break_and_mend(house: House, breaks: Break) -> None:
    """Holds that what is broken is named and mended, and that nothing else is touched."""
    check, sentence = BREAKS[breaks]
    before = await house.everything()
    await breaks(house)

    found = await house.drift()
    assert (check, True) in [(one.check, sentence in one.detail) for one in found], found

    assert all(one.repaired for one in await house.drift(repair=True))
    assert await house.drift() == []
    assert await house.everything() == before


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """Pages on which everything is as it should be."""
    return await House.furnished(store, clock)


async def test_where_nothing_is_broken_nothing_is_found(house: House) -> None:
    assert await house.drift() == []
    for kind, number in ((EventRsvp, 3), (PollVote, 3), (AnswerNetwork, 2), (AnswerPointer, 2)):
        assert len(await everything_of(house.store.engine, kind)) == number


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
async def test_what_is_broken_is_named_and_mended(house: House, breaks: Break) -> None:
    await break_and_mend(house, breaks)


async def test_one_after_the_other_is_named_and_mended_on_dynamodb(
    dynamodb: Store, clock: Watch
) -> None:
    house = await House.furnished(dynamodb, clock)
    for breaks in BREAKS:
        await break_and_mend(house, breaks)
