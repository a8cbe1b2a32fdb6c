"""What can drift in shareables: pages count their answers, and accounts find theirs.

Answers are the truth. A page's counts hold its limits and are its results; how many answers came
from a network is a limit for guests; and an account that leaves takes along what its pointers name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from commonroom.shareables.rules import events, polls
from commonroom.shareables.service.answers import pointer_of
from commonroom.shareables.service.guest_storage import GuestStorageCheck
from commonroom.shareables.tables import (
    AnswerNetwork,
    AnswerPointer,
    Event,
    EventRsvp,
    Poll,
    PollVote,
    networks_of_answers,
    poll_votes,
    rsvps,
)
from commonroom.store import (
    Entity,
    Ref,
    Store,
    as_read,
    check,
    create,
    delete,
    new,
    put,
    update,
)
from commonroom.store.checking import Check, Problem
from commonroom.store.checking.related import RelatedCheck, RelatedItems, RelatedProblem, Rule
from commonroom.store.checking.snapshots import SnapshotCheck

Answer: TypeAlias = EventRsvp | PollVote
EVENT_COUNTS = ("rsvp_count", "going_count", "maybe_count", "not_going_count", "guest_count")


class PageSnapshot(Struct, frozen=True):
    """What is stored of a page's answers."""

    counts: dict[str, Any]
    """What the page should say."""
    networks: dict[str, int]
    """How many answers of guests came from each."""
    counters: Sequence[AnswerNetwork]


async def _take_snapshot(store: Store, page: Event | Poll) -> PageSnapshot:
    key = {"short_id": page.short_id}
    if isinstance(page, Event):
        given = [one async for one in store.all(rsvps(**key))]
        counted = events.counted(*given)
        counts: dict[str, Any] = {name: counted[name] for name in EVENT_COUNTS}
        networks = Counter(one.network for one in given if one.network is not None)
    else:
        votes = [one async for one in store.all(poll_votes(**key))]
        tally = polls.counted(page, *(one.answers for one in votes))
        counts = {"vote_count": len(votes), "tally": dict(tally)}
        networks = Counter(one.network for one in votes if one.network is not None)
    return PageSnapshot(
        counts | {"network_count": len(networks)},
        dict(networks),
        [one async for one in store.all(networks_of_answers(**key))],
    )


def _find_problems(page: Event | Poll, snapshot: PageSnapshot) -> Iterator[Problem]:
    wrong = {name: it for name, it in snapshot.counts.items() if _value_of(page, name) != it}
    held = as_read(page, *snapshot.counts)
    if wrong:
        told = ", ".join(
            f"{name} is {_value_of(page, name)}, not {it}" for name, it in wrong.items()
        )
        yield Problem.of("counts", page, f"Its {told}.", update(page.ref, **wrong, if_=held))
        return  # what is held of it changes
    same = check(page, if_=held)
    for one in snapshot.counters:
        number = snapshot.networks.get(one.network, 0)
        if one.answer_count != number:
            there = as_read(one, "answer_count")
            repair = (
                update(one, answer_count=number, if_=there) if number else delete(one, if_=there)
            )
            detail = f"It counts {one.answer_count} answers from a network, not {number}."
            yield Problem.of("networks", one, detail, same, repair)
    for network in snapshot.networks.keys() - {one.network for one in snapshot.counters}:
        number = snapshot.networks[network]
        counter = AnswerNetwork(
            short_id=page.short_id, network=network, answer_count=number, ttl=page.ttl
        )
        detail = f"{number} answers came from a network, and are not counted."
        yield Problem.of("networks", counter, detail, same, create(counter))


def _value_of(page: Event | Poll, name: str) -> Any:
    said = getattr(page, name)
    return {id_: it for id_, it in said.items() if it} if isinstance(said, dict) else said


async def _check_answer(one: Answer, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    pointer = pointer_of(one)
    if pointer is not None and await found.at(pointer.ref) != pointer:
        same = check(one, if_=as_read(one, "account_id"))
        yield RelatedProblem(
            "pointers", "The account that gave it does not know.", [same, put(pointer)]
        )


async def _check_pointer(one: AnswerPointer, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    answer = await found.at(_answer(one))
    gone = delete(one, if_=as_read(one, "page_kind", "code"))
    if answer is None:
        repair = [check(_answer(one), if_=new), gone]
        yield RelatedProblem("pointers", "It leads to an answer that was withdrawn.", repair)
    elif isinstance(answer, EventRsvp | PollVote) and answer.account_id != one.account_id:
        repair = [check(answer, if_=as_read(answer, "account_id")), gone]
        yield RelatedProblem("pointers", "It leads to an answer of somebody else.", repair)


def _answer(one: AnswerPointer) -> Ref[Any]:
    kind = EventRsvp if one.page_kind == "event" else PollVote
    return kind.at(short_id=one.short_id, code=one.code)


RULES: dict[type[Entity], Rule] = {
    EventRsvp: _check_answer,
    PollVote: _check_answer,
    AnswerPointer: _check_pointer,
}


def checks() -> list[Check]:
    """Everything that is looked at in this room besides keys and copies."""
    answers = SnapshotCheck((Event, Poll), _take_snapshot, _find_problems)
    return [answers, RelatedCheck(RULES), GuestStorageCheck()]
