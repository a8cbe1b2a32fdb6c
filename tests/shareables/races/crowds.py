"""Crowds on one page: what many people may do with a poll or an event, in any order and at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar

from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Refusal
from commonroom.moments import iso
from commonroom.shareables.rules.events import Response, TypedEventRsvp
from commonroom.shareables.rules.polls import (
    TypedPollPage,
    TypedPollPageOption,
    TypedQuestion,
    TypedVote,
)
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.edit import Typed, save
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.tables import Event, EventRsvp, Poll, PollVote
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from tests.accounts.people import DAY, Watch
from tests.shareables.furniture import BIRTHDAY, SUMMER, everything_of, let_in_to, made
from tests.shareables.voting import check_count, typed_again
from tests.support.context import at

PEOPLE = 4
GIVE, CHANGE, WITHDRAW = "give", "change", "withdraw"
RESPONSES: tuple[Response, ...] = ("going", "maybe", "notGoing")


class Act(Struct, frozen=True):
    """Something that somebody does, one way or another."""

    what: str
    who: int
    how: int


def moments(*others: str) -> st.SearchStrategy[list[list[Act]]]:
    """What happens, moment by moment; in one moment, everybody does one thing."""
    what = st.sampled_from([GIVE, GIVE, CHANGE, WITHDRAW])
    answers = st.builds(Act, what, st.integers(0, PEOPLE - 1), st.integers(0, 63))
    steering = st.builds(Act, st.sampled_from(others), st.integers(9, 9), st.integers(0, 63))
    moment = st.lists(answers | steering, min_size=1, max_size=5, unique_by=lambda act: act.who)
    return st.lists(moment, min_size=1, max_size=10)


class Crowd:
    """A page, the people on it, and what was acknowledged to them."""

    typed: ClassVar[Typed]

    def __init__(self, calm: Store, clock: Watch) -> None:
        self.calm, self.clock = calm, clock
        self.store = calm
        """Where things are done; it may be hostile, while we look at what is really stored."""
        self.happened: Counter[str] = Counter()
        self.codes: dict[int, str] = {}
        self.doubtful: set[int] = set()
        """Whose answer nobody knows: the answer to what they did got lost."""

    async def begin(self) -> None:
        """A page of its kind."""
        self.made = await made(self.calm, self.clock, self.typed, expires_after=30)

    async def pass_(self, moment: list[Act]) -> None:
        """Lets everything happen that happens in a moment, and counts from scratch."""
        self.clock.forward(1)
        await asyncio.gather(*map(self._do, moment))
        await self.check()

    async def check(self) -> None:
        """Whether counts and answers go together, and nothing acknowledged is lost."""
        raise NotImplementedError

    async def act(self, act: Act) -> None:
        """Does it."""
        raise NotImplementedError

    async def _do(self, act: Act) -> None:
        try:
            await self.act(act)
        except Refusal:
            self.happened[f"{act.what} refused"] += 1
        except Unavailable:
            self.doubtful.add(act.who)
            self.happened[f"{act.what} unknown"] += 1
        else:
            self.happened[act.what] += 1

    def check_codes(self, stored: set[str]) -> None:
        """That whoever was given a code has an answer, unless they are in doubt."""
        lost = {self.codes[who] for who in self.codes.keys() - self.doubtful} - stored
        assert not lost, "what was acknowledged is there"


class Voters(Crowd):
    """A crowd that votes while its poll is edited, closed and re-opened."""

    typed = SUMMER
    steering = ("edit", "edit", "close", "reopen")

    async def check(self) -> None:
        short_id = self.made.page.short_id
        await check_count(self.calm, short_id)
        self.check_codes({one.code for one in await everything_of(self.calm.engine, PollVote)})

    async def act(self, act: Act) -> None:
        address = f"{act.who} {self.clock()}"
        want: Any = "view" if act.who < PEOPLE else "admin"
        gate = await let_in_to(Poll, self.store, self.clock, self.made, want=want, address=address)
        code = self.codes.get(act.who, "aaaaaaaa")
        store, now = self.store, self.clock()
        match act.what:
            case "give":
                if act.who not in self.codes:
                    given = await polls.vote(at(store, now, gate), _vote(gate.page, act.how))
                    self.codes[act.who] = given.code
            case "change":
                await polls.change_vote(at(store, now, gate), code, _vote(gate.page, act.how))
            case "withdraw":
                await polls.withdraw_vote(at(store, now, gate), code)
                self.codes.pop(act.who, None)
            case "close":
                await polls.close_poll(at(store, now, gate))
            case "reopen":
                await polls.reopen_poll(at(store, now, gate))
            case "edit":
                typed = _edited(typed_again(gate.page), act.how)
                confirm = act.how % 3 > 0
                await save(at(store, now, gate), gate.page.version, typed, confirm=confirm)


def _vote(poll: Poll, how: int) -> TypedVote:
    """A vote, perhaps for several options and perhaps not for all questions."""
    answers = {}
    for number, question in enumerate(poll.questions):
        ids = [one.poll_question_option_id for one in question.options]
        some = ids[(how + number) % len(ids) :][: 1 + how % 2 if question.is_multiple else 1]
        if question.is_required or (how >> number) % 2:
            answers[question.poll_question_id] = some
    return TypedVote(answers=answers)


def _edited(typed: TypedPollPage, how: int) -> TypedPollPage:
    """A poll after somebody has edited it: more, fewer or other questions and options."""
    first, *rest = typed.questions
    more = [*first.options, TypedPollPageOption(label=f"Option {how}")]
    another = TypedQuestion(
        title=f"Question {how}",
        is_multiple=how % 2 == 0,
        options=[TypedPollPageOption(label="Yes"), TypedPollPageOption(label="No")],
    )
    questions: Mapping[int, list[TypedQuestion]] = {
        0: [replace(first, title=f"Title {how}"), *rest],
        1: [replace(first, options=more[:20]), *rest],
        2: [replace(first, options=first.options[1:]), *rest],
        3: [*rest, another],
        4: [first, *rest, another][:20],
        5: [replace(first, is_multiple=not first.is_multiple), *rest],
    }
    return replace(typed, questions=questions[how % 6])


class Guests(Crowd):
    """A crowd that answers an event while answering is switched off and on."""

    typed = BIRTHDAY
    steering = ("edit",)

    async def check(self) -> None:
        (event,) = await everything_of(self.calm.engine, Event)
        rsvps = await everything_of(self.calm.engine, EventRsvp)
        going = [one for one in rsvps if one.response == "going"]
        assert event.rsvp_count == len(rsvps)
        assert event.going_count == len(going)
        assert event.maybe_count == sum(one.response == "maybe" for one in rsvps)
        assert event.not_going_count == sum(one.response == "notGoing" for one in rsvps)
        assert event.guest_count == sum(one.guest_count for one in going)
        self.check_codes({one.code for one in rsvps})

    async def act(self, act: Act) -> None:
        address = f"{act.who} {self.clock()}"
        want: Any = "view" if act.who < PEOPLE else "admin"
        gate = await let_in_to(Event, self.store, self.clock, self.made, want=want, address=address)
        await DOINGS[act.what](self, gate, act)

    async def give(self, gate: PageAccess[Event], act: Act) -> None:
        """Answers, once."""
        if act.who not in self.codes:
            given = await events.answer(at(self.store, self.clock(), gate), _rsvp(act.how))
            self.codes[act.who] = given.code

    async def change(self, gate: PageAccess[Event], act: Act) -> None:
        """Answers otherwise."""
        code = self.codes.get(act.who, "aaaaaaaa")
        await events.change_answer(at(self.store, self.clock(), gate), code, _rsvp(act.how))

    async def withdraw(self, gate: PageAccess[Event], act: Act) -> None:
        """Takes the answer back."""
        code = self.codes.get(act.who, "aaaaaaaa")
        await events.withdraw_answer(at(self.store, self.clock(), gate), code)
        self.codes.pop(act.who, None)

    async def edit(self, gate: PageAccess[Event], act: Act) -> None:
        """Switches answers off or on, or sets a deadline."""
        deadline = iso(self.clock() + (DAY if act.how % 4 else -DAY))
        typed = replace(BIRTHDAY, is_rsvp_required=act.how % 3 > 0, rsvp_deadline=deadline)
        version = gate.page.version
        await save(at(self.store, self.clock(), gate), version, typed, confirm_past=True)


DOINGS: dict[str, Callable[[Guests, PageAccess[Event], Act], Awaitable[None]]] = {
    GIVE: Guests.give,
    CHANGE: Guests.change,
    WITHDRAW: Guests.withdraw,
    "edit": Guests.edit,
}


def _rsvp(how: int) -> TypedEventRsvp:
    response = RESPONSES[how % 3]
    return TypedEventRsvp(name="Bo", response=response, guest_count=how % 5 if how % 3 < 2 else 0)
