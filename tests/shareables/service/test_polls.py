"""Votes, and what is shown of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from commonroom.accounts.service.throttle import Limit
from commonroom.errors import Forbidden, InvalidField, RateLimited
from commonroom.moments import iso
from commonroom.shareables.errors import AnswersClosed, PageClosed, PageFull, WrongCode
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.rules.polls import TypedVote, option_ids
from commonroom.shareables.service import answers, polls
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.tables import Poll, PollVote
from commonroom.store import Store, counting, update
from tests.accounts.people import DAY, Meanwhile, Watch, again, at_once
from tests.shareables.furniture import SUMMER, let_in_to, made
from tests.shareables.voting import ballot, check_count, typed_again
from tests.support.context import at


@pytest.fixture
async def summer(store: Store, clock: Watch) -> Created:
    """A poll of two questions that closes in two days."""
    return await made(store, clock, replace(SUMMER, closes_at=iso(clock() + 2 * DAY)))


@pytest.fixture
async def gate(store: Store, clock: Watch, summer: Created) -> PageAccess[Poll]:
    """The poll, opened to a voter."""
    return await let_in_to(Poll, store, clock, summer)


@pytest.fixture
async def admin(store: Store, clock: Watch, summer: Created) -> PageAccess[Poll]:
    """The poll, opened to its creator."""
    return await let_in_to(Poll, store, clock, summer, want="admin")


class TestAVote:
    async def test_is_counted_changed_and_withdrawn(
        self, store: Store, clock: Watch, gate: PageAccess[Poll]
    ) -> None:
        await polls.withdraw_vote(
            at(store, clock(), gate),
            (await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))).code,
        )
        with counting() as tally:
            given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 1))
        assert tally.requests == 2, "one for the vote, and one that counts where it comes from"
        poll = await check_count(store, gate.page.short_id)
        assert (poll.vote_count, sum(poll.tally.values())) == (1, 2)
        changed = await polls.change_vote(
            at(store, clock(), gate), given.code, ballot(gate.page, 1)
        )
        assert changed == await polls.my_vote(at(store, clock(), gate), given.code)
        poll = await check_count(store, gate.page.short_id)
        assert (poll.vote_count, sum(poll.tally.values())) == (1, 1)
        await polls.withdraw_vote(at(store, clock(), gate), given.code)
        poll = await check_count(store, gate.page.short_id)
        assert (poll.vote_count, sum(poll.tally.values())) == (0, 0)
        with pytest.raises(WrongCode):
            await polls.my_vote(at(store, clock(), gate), given.code)

    async def test_is_one_of_so_many_from_an_address(
        self, store: Store, clock: Watch, summer: Created, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(answers, "ANSWERS_FROM_ADDRESS", Limit("few", 2, 3600))
        gate = await let_in_to(Poll, store, clock, summer, address="192.0.2.1")
        for _ in range(2):
            given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        with pytest.raises(RateLimited):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        await polls.change_vote(at(store, clock(), gate), given.code, ballot(gate.page, 1))
        other = await let_in_to(Poll, store, clock, summer, address="192.0.2.2")
        await polls.vote(at(store, clock(), other), ballot(gate.page, 0))
        clock.forward(3600)
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        assert (await check_count(store, gate.page.short_id)).vote_count == 4

    async def test_is_shown_to_an_admin_with_its_name_and_what_is_still_asked(
        self,
        store: Store,
        clock: Watch,
        gate: PageAccess[Poll],
        admin: PageAccess[Poll],
        summer: Created,
    ) -> None:
        for name in ("zoe", None, "Anna"):
            chosen = replace(ballot(gate.page, 0, 1), name=name)
            await polls.vote(at(store, clock(), gate), chosen)
        with pytest.raises(Forbidden):
            await polls.votes(gate)
        edited = replace(typed_again(gate.page), questions=typed_again(gate.page).questions[:1])
        await save(at(store, clock(), admin), 1, edited, confirm=True)
        admin = await let_in_to(Poll, store, clock, summer, want="admin")
        with counting() as tally:
            seen = await polls.votes(admin)
        assert tally.requests == 1
        assert [one.name for one in seen.items] == ["Anna", "zoe", None]
        where = gate.page.questions[0]
        assert [[*one.answers] for one in seen.items] == [[where.poll_question_id]] * 3

    async def test_is_held_against_the_questions_as_they_are_now(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], admin: PageAccess[Poll]
    ) -> None:
        edited = replace(typed_again(gate.page), questions=typed_again(gate.page).questions[:1])

        async def question_goes() -> None:
            await save(at(store, clock(), admin), 1, edited)

        slow = Meanwhile(store, question_goes, before_writing=Poll)
        with pytest.raises(InvalidField, match="no longer"):
            await polls.vote(at(slow, clock(), gate), ballot(gate.page, 0, 0))
        await check_count(store, gate.page.short_id)

    async def test_of_an_edited_poll_is_shown_and_changed_without_what_is_gone(
        self,
        store: Store,
        clock: Watch,
        gate: PageAccess[Poll],
        admin: PageAccess[Poll],
        summer: Created,
    ) -> None:
        given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 0))
        edited = replace(typed_again(gate.page), questions=typed_again(gate.page).questions[:1])
        await save(at(store, clock(), admin), 1, edited, confirm=True)
        gate = await let_in_to(Poll, store, clock, summer)
        assert len((await polls.my_vote(at(store, clock(), gate), given.code)).answers) == 1
        await polls.change_vote(at(store, clock(), gate), given.code, ballot(gate.page, 1))
        await check_count(store, gate.page.short_id)
        await polls.withdraw_vote(at(store, clock(), gate), given.code)
        await check_count(store, gate.page.short_id)

    async def test_is_taken_until_the_close(
        self, store: Store, clock: Watch, gate: PageAccess[Poll]
    ) -> None:
        given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        clock.forward(2 * DAY)
        for late in (
            polls.vote(at(store, clock(), gate), ballot(gate.page, 0)),
            polls.change_vote(at(store, clock(), gate), given.code, ballot(gate.page, 1)),
            polls.withdraw_vote(at(store, clock(), gate), given.code),
        ):
            with pytest.raises(AnswersClosed):
                await late
        assert (await check_count(store, gate.page.short_id)).vote_count == 1

    async def test_is_one_of_so_many(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], summer: Created
    ) -> None:
        await store.write(update(gate.page, vote_count=USUAL.answers))
        gate = await let_in_to(Poll, store, clock, summer)
        with pytest.raises(PageFull):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))

    async def test_is_one_of_so_many_also_when_several_vote_at_once(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], summer: Created
    ) -> None:
        await store.write(update(gate.page, vote_count=USUAL.answers - 2))
        gate = await let_in_to(Poll, store, clock, summer)
        given, refusals = await at_once(
            *(polls.vote(at(store, clock(), gate), ballot(gate.page, 0)) for _ in range(5))
        )
        assert (len(given), {type(one) for one in refusals}) == (2, {PageFull})

    async def test_that_its_giver_changes_elsewhere_is_counted_once(
        self, store: Store, clock: Watch, gate: PageAccess[Poll]
    ) -> None:
        given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))

        async def elsewhere() -> None:
            await polls.change_vote(at(store, clock(), gate), given.code, ballot(gate.page, 1, 2))

        slow = Meanwhile(store, elsewhere, before_writing=PollVote)
        await polls.change_vote(at(slow, clock(), gate), given.code, ballot(gate.page, 0, 1))
        await check_count(store, gate.page.short_id)

    async def test_comes_too_late_once_the_page_is_closed(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, SUMMER)
        clock.forward(8 * DAY)
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        with pytest.raises(PageClosed):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        with pytest.raises(PageClosed):
            await polls.reopen_poll(at(store, clock(), gate))


class TestClosing:
    async def test_ends_the_votes_and_reopening_takes_them_again(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], admin: PageAccess[Poll]
    ) -> None:
        await polls.close_poll(at(store, clock(), admin))
        closed = await again(store, gate.page)
        assert closed.is_closed
        await polls.close_poll(at(store, clock(), admin))
        assert await again(store, gate.page) == closed, "it is closed already"
        with pytest.raises(AnswersClosed):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        await polls.reopen_poll(at(store, clock(), admin))
        assert (await again(store, gate.page)).closes_at == gate.page.closes_at
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))

    async def test_by_the_clock_is_undone_too(
        self, store: Store, clock: Watch, admin: PageAccess[Poll], summer: Created
    ) -> None:
        clock.forward(3 * DAY)
        await polls.reopen_poll(at(store, clock(), admin))
        gate = await let_in_to(Poll, store, clock, summer)
        assert gate.page.closes_at is None
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))

    async def test_is_for_those_who_administer_the_poll(
        self, store: Store, clock: Watch, gate: PageAccess[Poll]
    ) -> None:
        for doing in (polls.close_poll, polls.reopen_poll):
            with pytest.raises(Forbidden):
                await doing(at(store, clock(), gate))


class TestResults:
    @pytest.mark.parametrize(
        "visibility, seen_by",
        [
            ("always", {"anybody", "voter", "admin", "anybody later"}),
            ("afterSubmit", {"voter", "admin"}),
            ("afterClose", {"admin", "anybody later"}),
            ("admin", {"admin"}),
        ],
    )
    async def test_are_seen_by_those_whom_the_poll_lets_see_them(
        self, store: Store, clock: Watch, visibility: Any, seen_by: set[str]
    ) -> None:
        new = await made(store, clock, replace(SUMMER, results_visibility=visibility))
        voter = await let_in_to(Poll, store, clock, new)
        given = await polls.vote(at(store, clock(), voter), ballot(voter.page, 0))
        admin = await let_in_to(Poll, store, clock, new, want="admin")
        shown = {
            "anybody": await polls.results_for(at(store, clock(), voter)),
            "voter": await polls.results_for(at(store, clock(), voter), given.code),
            "admin": await polls.results_for(at(store, clock(), admin)),
        }
        await polls.close_poll(at(store, clock(), admin))
        later = await let_in_to(Poll, store, clock, new)
        shown["anybody later"] = await polls.results_for(at(store, clock(), later))
        assert {who for who, results in shown.items() if results is not None} == seen_by

    async def test_need_a_code_of_this_poll(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, replace(SUMMER, results_visibility="afterSubmit"))
        with pytest.raises(WrongCode):
            await polls.results_for(
                at(store, clock(), await let_in_to(Poll, store, clock, new)), "aaaaaaaa"
            )

    async def test_take_one_read_and_no_write_for_whoever_has_a_receipt(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, replace(SUMMER, results_visibility="afterSubmit"))
        gate = await let_in_to(Poll, store, clock, new)
        given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        receipt = Receipt(given.short_id, given.code)
        with counting() as tally:
            assert await polls.results_for(at(store, clock(), gate), receipt) is not None
        assert (tally.reads, tally.writes) == (1, 0)
        await polls.withdraw_vote(at(store, clock(), gate), receipt)
        other = Receipt("abc-def-12345", given.code)
        for gone in (receipt, other):
            with pytest.raises(WrongCode):
                await polls.results_for(at(store, clock(), gate), gone)

    async def test_are_votes_and_shares_of_voters_and_read_no_votes(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], summer: Created
    ) -> None:
        where, when = gate.page.questions
        months = [one.poll_question_option_id for one in when.options]
        sea = where.options[0].poll_question_option_id
        for chosen in ([0, 1], [0], [], []):
            answers = {
                where.poll_question_id: [sea],
                when.poll_question_id: [months[number] for number in chosen],
            }
            await polls.vote(at(store, clock(), gate), TypedVote(answers=answers))
        gate = await let_in_to(Poll, store, clock, summer)
        with counting() as tally:
            found = await polls.results_for(at(store, clock(), gate))
        assert tally.requests == 0
        assert found is not None
        stands = [[found[one] for one in option_ids(question)] for question in (where, when)]
        assert [[(one.votes, one.share) for one in question] for question in stands] == [
            [(4, 1), (0, 0)],
            [(2, 0.5), (1, 0.25), (0, 0)],
        ]

    async def test_of_nobody_are_nothing(
        self, store: Store, clock: Watch, gate: PageAccess[Poll]
    ) -> None:
        found = await polls.results_for(at(store, clock(), gate))
        assert found is not None
        assert {(one.votes, one.share) for one in found.values()} == {(0, 0)}

    async def test_show_no_code(
        self, store: Store, clock: Watch, gate: PageAccess[Poll], admin: PageAccess[Poll]
    ) -> None:
        given = await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        told = [await polls.results_for(at(store, clock(), admin)), await again(store, admin.page)]
        assert given.code not in msgspec.json.encode(told).decode()
