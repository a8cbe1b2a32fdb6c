"""What people leave on a page: found by its code, and changed together with the page's counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from commonroom.shareables.errors import TryAgain, WrongCode
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.codes import new_code, read_code
from commonroom.shareables.rules.sizes import answer_bytes
from commonroom.shareables.service.gate import Opened, P, carry_out
from commonroom.shareables.service.guest_storage import count_change
from commonroom.shareables.service.tries import CODES, count_answer, group_of, guessing
from commonroom.shareables.tables import EventRsvp, PollVote
from commonroom.store import ConditionFailed, Ref, Store, Write

A = TypeVar("A", bound=EventRsvp | PollVote)

Code: TypeAlias = str | Receipt
"""How somebody says which answer is theirs: the code as they type it, or a receipt."""

SAME_MOMENT = 5
"""How often an answer is taken anew that its giver changes elsewhere in the same moment."""


async def answer_with(
    store: Store, now: float, gate: Opened[Any], shown: Code, at: Callable[[str], Ref[A]]
) -> A:
    """The answer with this code; a wrong one counts against the page and the address."""
    if isinstance(shown, Receipt):
        # Nobody can make one up, so nothing is guessed and nothing need be counted.
        return await _found(store, shown.code if shown.short_id == gate.page.short_id else None, at)
    short_id, caller = gate.page.short_id, gate.caller
    had_pass = any(one.short_id == short_id for one in caller.passes)
    group = group_of(caller.account_id, had_pass=had_pass)
    async with guessing(store, now, CODES, short_id, address=caller.address, group=group):
        return await _found(store, read_code(shown), at)


async def _found(store: Store, code: str | None, at: Callable[[str], Ref[A]]) -> A:
    found = None if code is None else await store.get(at(code))
    if found is None:
        raise WrongCode
    return found


async def left_anew(
    store: Store,
    now: float,
    gate: Opened[P],
    make: Callable[[Opened[P], str], A],
    step: Callable[[Opened[P], A], Sequence[Write]],
) -> A:
    """Leaves an answer on a page, with a code that no other answer there has."""
    await count_answer(store, now, gate.page.short_id, gate.caller.address)
    for _ in range(SAME_MOMENT):
        code = new_code()

        async def attempt(gate: Opened[P], code: str = code) -> Sequence[Write]:
            return _with_room(gate, None, step(gate, make(gate, code)))

        with suppress(ConditionFailed):  # the code is somebody's already
            return make(await carry_out(store, now, gate, attempt), code)
    raise TryAgain


async def replaced(
    store: Store,
    now: float,
    gate: Opened[P],
    before: A,
    step: Callable[[Opened[P], A], Sequence[Write]],
) -> tuple[Opened[P], A]:
    """Writes a step that holds an answer as it was read; gives the page and answer it was of."""
    for _ in range(SAME_MOMENT):

        async def attempt(gate: Opened[P], before: A = before) -> Sequence[Write]:
            return _with_room(gate, before, step(gate, before))

        try:
            return await carry_out(store, now, gate, attempt), before
        except ConditionFailed as failed:
            if failed.entity is None:
                raise WrongCode from None  # withdrawn meanwhile
            before = failed.entity
    raise TryAgain


def _with_room(gate: Opened[P], before: A | None, writes: Sequence[Write]) -> Sequence[Write]:
    """A step with what it adds to, or takes from, the room that its page takes up."""
    after = None
    for write in writes:
        if write.entity_type in (EventRsvp, PollVote) and write.operation.kind == "put":
            after = write.entity_type.from_item(write.operation.item)
    change = answer_bytes(after) - answer_bytes(before)
    return [*writes, *count_change(gate.page, change, gate.caller.limits)]
