"""What people leave on a page: found by its code, and changed together with the page's counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.rate_limits import network_of
from commonroom.shareables.errors import AlreadyAnswered, TooManyFromNetwork, TryAgain, WrongCode
from commonroom.shareables.rules.access import Receipt, new_code, read_code
from commonroom.shareables.rules.limits import answer_bytes
from commonroom.shareables.service.gate import PageAccess, as_admin, carry_out
from commonroom.shareables.service.guest_storage import count_change
from commonroom.shareables.service.passcodes import CODES, Tried, group_of, guessing
from commonroom.shareables.tables import (
    AnswerNetwork,
    AnswerPointer,
    Event,
    EventRsvp,
    Poll,
    PollVote,
)
from commonroom.store import (
    Condition,
    ConditionFailed,
    Write,
    add,
    at_least,
    below,
    create,
    delete,
    equal,
    put,
    update,
)

A = TypeVar("A", bound=EventRsvp | PollVote)
Q = TypeVar("Q", bound=Event | Poll)
"""A page that takes answers."""
T = TypeVar("T")
"""What is typed for one."""

Code: TypeAlias = str | Receipt
"""How a visitor proves which answer is theirs: the code as they type it, or a receipt."""

SAME_MOMENT = 5
"""How often an answer is taken anew that its giver changes elsewhere in the same moment."""
MAX_FROM_NETWORK = 5
"""Answers of guests to a page: a family's, and not those of one who wants to outvote the others."""
ANSWERS_FROM_ADDRESS = Limit("shareable-answer-address", 300, 3600)
"""To one page: a school behind one address can answer, and nobody alone fills a page up."""


def account_receipt(gate: PageAccess[Any]) -> Receipt | None:
    """Returns what stands for the answer of the account that asks; None for a guest."""
    code = gate.caller.account_code
    return None if code is None else Receipt(gate.page.short_id, code)


def author_fields(gate: PageAccess[Any]) -> dict[str, Any]:
    """Returns who gave an answer: an account, or a guest from some network."""
    caller = gate.caller
    if caller.account_code is not None:
        return {"account_id": caller.account_id, "network": None}
    return {"account_id": None, "network": caller.network}


class Answers(Struct, Generic[Q, A, T], frozen=True):
    """Answers to pages of one kind: what they say, when they are taken, and what they count for."""

    entity: type[A]
    fields: Callable[[Q, T], dict[str, Any]]
    """What an answer says, as it is stored; what does not suit the page is refused."""
    check_open: Callable[[float, Q, int | None], None]
    """Refuses where a page takes no answers, or no more than so many."""
    counted: Callable[..., Write]
    """Counts an answer on its page that takes another's place, and so many networks more."""
    as_read: Callable[[A], Condition]
    """The condition that an answer still says what was read."""
    shown: Callable[[Q, A], A] = lambda _page, answer: answer
    """An answer as its giver sees it."""

    async def create(self, gate: PageAccess[Q], typed: T) -> A:
        """Answers a page; a guest is shown the answer's code, once."""
        most, account_code = gate.caller.limits.answers, gate.caller.account_code
        await _count_try(gate, account_code or gate.caller.address)
        counter: AnswerNetwork | None = None
        for _ in range(SAME_MOMENT):
            code = account_code or new_code()

            async def attempt(
                gate: PageAccess[Q], code: str = code, counter: AnswerNetwork | None = counter
            ) -> Sequence[Write]:
                new = self._made(gate, code, typed)
                change = arrival(gate.page, new, counter)
                self.check_open(gate.now, gate.page, most)
                counted = self.counted(gate.page, None, new, change.networks, most)
                also = [*change.writes, *_pointer(new), *_room(gate, None, new)]
                return [counted, create(new), *also]

            try:
                return self._made(await carry_out(gate, attempt), code, typed)
            except ConditionFailed as failed:
                if failed.operation.entity_type is AnswerNetwork:
                    counter = failed.entity
                elif account_code is not None:
                    raise AlreadyAnswered from None
                # Otherwise the code is taken already.
        raise TryAgain

    async def find(self, gate: PageAccess[Q], code: Code) -> A:
        """Returns the answer that belongs to a code, as its giver sees it."""
        return self.shown(gate.page, await self._stored(gate, code))

    async def change(
        self,
        gate: PageAccess[Q],
        code: Code,
        typed: T,
        *,
        check_seen: Callable[[A], None] = lambda _: None,
    ) -> A:
        """Changes an answer while they are taken; `check_seen` refuses what was seen otherwise."""
        before = after = await self._stored(gate, code)
        for _ in range(SAME_MOMENT):

            async def attempt(gate: PageAccess[Q], before: A = before) -> Sequence[Write]:
                nonlocal after
                page = gate.page
                self.check_open(gate.now, page, None)
                check_seen(self.shown(page, before))
                fields = self.fields(page, typed)
                after = replace(before, updated_at=iso(gate.now), ttl=page.ttl, **fields)
                written = put(after, if_=self.as_read(before))
                return [self.counted(page, before, after), written, *_room(gate, before, after)]

            try:
                await carry_out(gate, attempt)
            except ConditionFailed as failed:
                before = _as_it_is(failed)
            else:
                return after
        raise TryAgain

    async def withdraw(self, gate: PageAccess[Q], code: Code) -> None:
        """Takes an answer back, while they are taken."""
        await self._delete(gate, await self._stored(gate, code), only_open=True)

    async def remove(self, gate: PageAccess[Q], answer_id: str) -> None:
        """Removes the answer that an admin means by its id, also when none are taken any more."""
        as_admin(gate)
        code = gate.passes.answer_keys.code_of(gate.page.short_id, answer_id)
        try:
            await self._delete(gate, await self._at(gate, code), only_open=False)
        except WrongCode:
            raise NotFound("This answer no longer exists.") from None

    def deletion(self, page: Q, before: A, networks: int) -> list[Write]:
        """Returns what takes an answer away, with what it counted for."""
        return [
            self.counted(page, before, None, networks),
            delete(before, if_=self.as_read(before)),
        ]

    def _made(self, gate: PageAccess[Q], code: str, typed: T) -> A:
        return self.entity(
            short_id=gate.page.short_id,
            code=code,
            created_at=iso(gate.now),
            updated_at=iso(gate.now),
            ttl=gate.page.ttl,
            **author_fields(gate),
            **self.fields(gate.page, typed),
        )

    async def _delete(self, gate: PageAccess[Q], before: A, *, only_open: bool) -> None:
        """Deletes an answer as it was read, which its network then has no more."""
        counter = at_least_of(before)
        for _ in range(SAME_MOMENT):

            async def attempt(
                gate: PageAccess[Q], before: A = before, counter: AnswerNetwork | None = counter
            ) -> Sequence[Write]:
                if only_open:
                    self.check_open(gate.now, gate.page, None)
                change = departure(counter)
                gone = self.deletion(gate.page, before, change.networks)
                return [*gone, *change.writes, *_room(gate, before, None)]

            try:
                await carry_out(gate, attempt)
            except ConditionFailed as failed:
                if failed.operation.entity_type is AnswerNetwork:
                    counter = failed.entity
                else:
                    before = _as_it_is(failed)
            else:
                return
        raise TryAgain

    async def _stored(self, gate: PageAccess[Q], shown: Code) -> A:
        """The answer with this code; a wrong one counts against the page and the address."""
        short_id, caller = gate.page.short_id, gate.caller
        if isinstance(shown, Receipt):
            # Nobody can make one up, so nothing is guessed and nothing need be counted.
            return await self._at(gate, shown.code if shown.short_id == short_id else None)
        had_pass = any(one.short_id == short_id for one in caller.passes)
        group = group_of(caller.account_id, had_pass=had_pass)
        tried = Tried(short_id, group)
        async with guessing(gate.store, gate.now, CODES, tried, address=caller.address):
            return await self._at(gate, read_code(shown))

    async def _at(self, gate: PageAccess[Q], code: str | None) -> A:
        if code is None:
            raise WrongCode
        found = await gate.store.get(self.entity.at(short_id=gate.page.short_id, code=code))
        if found is None:
            raise WrongCode
        return cast("A", found)


async def _count_try(gate: PageAccess[Any], by: str) -> None:
    counted = f"{gate.page.short_id} {network_of(by)}"
    await count_try(gate.store, gate.now, ANSWERS_FROM_ADDRESS, counted)


def _as_it_is(failed: ConditionFailed) -> Any:
    if failed.entity is None:
        raise WrongCode from None  # withdrawn meanwhile
    return failed.entity


def _room(gate: PageAccess[Q], before: A | None, after: A | None) -> list[Write]:
    """What a change of an answer adds to, or takes from, the room that its page takes up."""
    change = answer_bytes(after) - answer_bytes(before)
    return count_change(gate.page, change, gate.caller.limits)


def pointer_of(answer: EventRsvp | PollVote) -> AnswerPointer | None:
    """Returns what leads an account to its answer; None for a guest's."""
    if answer.account_id is None:
        return None
    return AnswerPointer(
        account_id=answer.account_id,
        short_id=answer.short_id,
        page_kind="event" if isinstance(answer, EventRsvp) else "poll",
        code=answer.code,
    )


def _pointer(answer: EventRsvp | PollVote) -> list[Write]:
    pointer = pointer_of(answer)
    return [] if pointer is None else [put(pointer)]


class NetworkChange(Struct, frozen=True):
    """What to write of a network, and how many more networks the page is answered from."""

    writes: tuple[Write, ...] = ()
    networks: int = 0


def arrival(
    page: Event | Poll, new: EventRsvp | PollVote, counter: AnswerNetwork | None
) -> NetworkChange:
    """One answer more; `counter` is what stood there, None where nothing did."""
    if new.network is None:
        return NetworkChange()
    if counter is None:
        first = AnswerNetwork(short_id=new.short_id, network=new.network, ttl=new.ttl)
        return NetworkChange((create(first),), 1)
    there = at_least(answer_count=1)
    if not page.shared_network:
        if counter.answer_count >= MAX_FROM_NETWORK:
            raise TooManyFromNetwork(MAX_FROM_NETWORK)
        there &= below(answer_count=MAX_FROM_NETWORK)
    return NetworkChange((update(counter, answer_count=add(1), if_=there),))


def at_least_of(answer: EventRsvp | PollVote) -> AnswerNetwork | None:
    """What must stand there while an answer does: nothing is read, and a condition says if more."""
    if answer.network is None:
        return None
    return AnswerNetwork(short_id=answer.short_id, network=answer.network, ttl=answer.ttl)


def departure(counter: AnswerNetwork | None) -> NetworkChange:
    """One answer less."""
    if counter is None:
        return NetworkChange()
    if counter.answer_count > 1:
        more = update(counter, answer_count=add(-1), if_=at_least(answer_count=2))
        return NetworkChange((more,))
    return NetworkChange((delete(counter, if_=equal(answer_count=1)),), -1)


class AnswerOrigin(Struct, frozen=True):
    """Where an answer came from, as an admin is told; no address is kept."""

    answer_id: Annotated[str, Meta(description="The id by which an admin can remove it.")]
    has_account: bool
    network: Annotated[
        str | None,
        Meta(description="The same for answers from one network, on this page alone."),
    ]
    from_network: Annotated[int, Meta(description="How many answers came from there.")]


OriginSeen: TypeAlias = Annotated[AnswerOrigin | None, Meta(description="Null to viewers.")]


async def origins_of(
    gate: PageAccess[Event] | PageAccess[Poll], answers: Sequence[EventRsvp | PollVote]
) -> Sequence[AnswerOrigin | None]:
    """Returns the origins of some answers, for admins of their page: one request."""
    if not gate.is_admin:
        return [None] * len(answers)
    short_id, keys = gate.page.short_id, gate.passes.answer_keys
    named = sorted({one.network for one in answers if one.network is not None})
    counters = await gate.store.batch_get(
        [AnswerNetwork.at(short_id=short_id, network=network) for network in named]
    )
    counts = {one.network: one.answer_count for one in counters if one is not None}
    return [
        AnswerOrigin(
            answer_id=keys.answer_id(short_id, one.code),
            has_account=one.account_id is not None,
            network=one.network,
            from_network=0 if one.network is None else counts.get(one.network, 1),
        )
        for one in answers
    ]
