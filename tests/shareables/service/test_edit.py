"""Saving a page: nobody's work is lost, and whoever comes too late learns what changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.shareables.errors import DropsAnswers, EditConflict, PageClosed
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.checklists import tick, ticks_of
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import delete_page, extend, save
from commonroom.shareables.tables import (
    Checklist,
    Event,
    EventRsvp,
    Poll,
    PollVote,
    ShareableBookmark,
    shareables,
)
from commonroom.store import Store, create, delete
from commonroom.store.errors import Unavailable
from commonroom.store.streams import Worker, copy_consumers
from tests.accounts.people import DAY, Meanwhile, Watch, again
from tests.shareables.furniture import (
    BIRTHDAY,
    SHOPPING,
    SUMMER,
    everything_of,
    let_in,
    let_in_to,
    made,
)
from tests.shareables.voting import ballot, check_count, typed_again
from tests.support.context import at


def as_typed(page: Checklist) -> TypedChecklist:
    """A checklist as its editor shows it."""
    return TypedChecklist(
        name=page.name,
        note=page.note,
        items=[
            TypedChecklistItem(
                checklist_item_id=one.checklist_item_id, name=one.name, note=one.note
            )
            for one in page.items
        ],
        ticks_shared=page.ticks_shared,
    )


@pytest.fixture
async def shopping(store: Store, clock: Watch) -> Created:
    """A checklist."""
    return await made(store, clock)


@pytest.fixture
async def summer(store: Store, clock: Watch) -> Created:
    """A poll."""
    return await made(store, clock, SUMMER)


class TestSavingAChecklist:
    async def test_keeps_ids_when_items_are_renamed_and_reordered(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        milk, bread = as_typed(gate.page).items
        items = [bread, TypedChecklistItem(name="Eggs"), replace(milk, name="Oat milk")]
        version = await save(at(store, clock(), gate), 1, replace(as_typed(gate.page), items=items))

        page = await again(store, gate.page)
        assert page.version == version == 2
        assert [one.name for one in page.items] == ["Bread", "Eggs", "Oat milk"]
        ids = [one.checklist_item_id for one in page.items]
        assert (ids[0], ids[2]) == (bread.checklist_item_id, milk.checklist_item_id)
        assert len(set(ids)) == 3

    async def test_takes_the_ticks_of_removed_items_along(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        bread = as_typed(gate.page).items[1]
        for one in gate.page.items:
            await tick(at(store, clock(), gate), one.checklist_item_id)
        await save(at(store, clock(), gate), 1, replace(as_typed(gate.page), items=[bread]))
        assert list(await ticks_of(store, await again(store, gate.page))) == [
            bread.checklist_item_id
        ]

    async def test_without_a_change_changes_nothing(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        clock.forward(1)
        assert await save(at(store, clock(), gate), 1, as_typed(gate.page)) == 1
        assert await again(store, gate.page) == gate.page

    async def test_of_an_item_that_is_gone_is_refused(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        items = [TypedChecklistItem(checklist_item_id="somebody else's", name="Milk")]
        with pytest.raises(InvalidField):
            await save(at(store, clock(), gate), 1, replace(as_typed(gate.page), items=items))

    async def test_is_for_those_who_administer_it_and_for_its_kind(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        seen = await let_in_to(Checklist, store, clock, shopping)
        with pytest.raises(Forbidden):
            await save(at(store, clock(), seen), 1, SHOPPING)
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        with pytest.raises(NotFound):
            await save(at(store, clock(), gate), 1, BIRTHDAY)


class TestAStaleEdit:
    async def test_is_refused_and_says_what_changed(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        typed = as_typed(gate.page)
        await save(at(store, clock(), gate), 1, replace(typed, name="Groceries"))
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        await save(at(store, clock(), gate), 2, replace(as_typed(gate.page), note="For Sunday"))

        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        for seen, changed in ((1, ["name", "note"]), (2, ["note"])):
            with pytest.raises(EditConflict) as refused:
                await save(at(store, clock(), gate), seen, replace(typed, name="Mine"))
            assert refused.value.changed == changed
            assert refused.value.extensions == {"changed": changed, "version": 3}
        assert (await again(store, gate.page)).name == "Groceries", "nothing is lost"

    async def test_that_becomes_so_while_it_is_saved_is_refused_too(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        typed = as_typed(gate.page)

        async def somebody_saves() -> None:
            await save(at(store, clock(), gate), 1, replace(typed, note="For Sunday"))

        slow = Meanwhile(store, somebody_saves, before_writing=Checklist)
        with pytest.raises(EditConflict) as refused:
            await save(at(slow, clock(), gate), 1, replace(typed, name="Mine"))
        assert refused.value.changed == ["note"]

    async def test_does_not_come_of_ticks(
        self, store: Store, clock: Watch, shopping: Created
    ) -> None:
        gate = await let_in_to(Checklist, store, clock, shopping, want="admin")
        await tick(at(store, clock(), gate), gate.page.items[0].checklist_item_id)
        await save(at(store, clock(), gate), 1, replace(as_typed(gate.page), name="Groceries"))
        page = await again(store, gate.page)
        assert (page.name, len(await ticks_of(store, page))) == ("Groceries", 1)


class TestSavingAPoll:
    async def test_keeps_ids_and_votes_when_words_change(
        self, store: Store, clock: Watch, summer: Created
    ) -> None:
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 2))
        typed = typed_again(gate.page)
        questions = [replace(one, title=f"{one.title}!") for one in typed.questions]
        await save(at(store, clock(), gate), 1, replace(typed, questions=questions))
        poll = await check_count(store, gate.page.short_id)
        assert [one.title for one in poll.questions] == ["Where to?!", "When?!"]
        assert sum(poll.tally.values()) == 2

    async def test_needs_confirmation_to_remove_what_somebody_chose(
        self, store: Store, clock: Watch, summer: Created
    ) -> None:
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 2))
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        where, when = typed_again(gate.page).questions
        fewer = replace(when, options=when.options[:2])
        for questions in ([where, fewer], [where]):
            typed = replace(typed_again(gate.page), questions=questions)
            with pytest.raises(DropsAnswers):
                await save(at(store, clock(), gate), 1, typed)
        await save(at(store, clock(), gate), 1, typed, confirm=True)
        poll = await check_count(store, gate.page.short_id)
        assert (len(poll.questions), poll.vote_count, sum(poll.tally.values())) == (1, 1, 1)

    async def test_needs_none_to_remove_what_nobody_chose(
        self, store: Store, clock: Watch, summer: Created
    ) -> None:
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        typed = replace(typed_again(gate.page), questions=typed_again(gate.page).questions[:1])
        await save(at(store, clock(), gate), 1, typed)
        await check_count(store, gate.page.short_id)

    async def test_needs_it_where_somebody_chooses_in_the_same_moment(
        self, store: Store, clock: Watch, summer: Created
    ) -> None:
        gate = await let_in_to(Poll, store, clock, summer, want="admin")

        async def somebody_votes() -> None:
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 2))

        slow = Meanwhile(store, somebody_votes, before_writing=Poll)
        typed = replace(typed_again(gate.page), questions=typed_again(gate.page).questions[:1])
        with pytest.raises(DropsAnswers):
            await save(at(slow, clock(), gate), 1, typed)
        await check_count(store, gate.page.short_id)

    async def test_lets_no_question_with_votes_become_single_choice(
        self, store: Store, clock: Watch, summer: Created
    ) -> None:
        gate = await let_in_to(Poll, store, clock, summer, want="admin")
        where, when = typed_again(gate.page).questions
        typed = replace(typed_again(gate.page), questions=[where, replace(when, is_multiple=False)])

        async def somebody_votes() -> None:
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0, 2))

        slow = Meanwhile(store, somebody_votes, before_writing=Poll)
        with pytest.raises(InvalidField, match="single choice"):
            await save(at(slow, clock(), gate), 1, typed, confirm=True)


BO = TypedEventRsvp(name="Bo", response="going")


async def cleared(store: Store, clock: Watch) -> None:
    """Lets the consumers do what is theirs."""
    copied = copy_consumers(shareables.copies)
    await Worker(store, [*SHAREABLES.data.consumers, *copied], clock=clock).drain()


class TestExtending:
    async def test_lets_a_page_live_longer_and_its_answers_with_it(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, BIRTHDAY, expires_after=1)
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, new)), BO)
        clock.forward(3600)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        closes = await extend(at(store, clock(), gate), 30)
        await cleared(store, clock)

        assert closes == iso(clock() + 30 * DAY)
        page = await again(store, new.page)
        assert page.expires_at == closes
        assert page.ttl == int(clock()) + 395 * DAY
        assert [one.ttl for one in await everything_of(store.engine, EventRsvp)] == [page.ttl]

    async def test_never_makes_it_shorter(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, expires_after=30)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        assert await extend(at(store, clock(), gate), 1) == new.page.expires_at
        assert await again(store, new.page) == new.page

    async def test_comes_too_late_for_a_page_that_is_closed(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock)
        clock.forward(7 * DAY)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        with pytest.raises(PageClosed):
            await extend(at(store, clock(), gate), 30)
        with pytest.raises(PageClosed):
            await save(at(store, clock(), gate), gate.page.version, SHOPPING)

    async def test_is_for_those_who_administer_it(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        with pytest.raises(Forbidden):
            await extend(at(store, clock(), await let_in(store, clock, new.page)), 30)


class TestDeleting:
    async def test_is_immediate_and_takes_everything_along(
        self, store: Store, clock: Watch
    ) -> None:
        party, poll = await made(store, clock, BIRTHDAY), await made(store, clock, SUMMER)
        kept = await made(store, clock, SUMMER)
        for new in (poll, kept):
            gate = await let_in_to(Poll, store, clock, new)
            await polls.vote(at(store, clock(), gate), ballot(gate.page, 0))
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, party)), BO)

        for new in (party, poll):
            gate_ = await let_in(store, clock, new.page, new.token, want="admin")
            await delete_page(at(store, clock(), gate_))
            with pytest.raises(NotFound):
                await let_in(store, clock, new.page, new.token)
        await cleared(store, clock)

        assert not await everything_of(store.engine, EventRsvp)
        left = await everything_of(store.engine, PollVote)
        assert [one.short_id for one in left] == [kept.page.short_id]

    async def test_of_a_closed_page_is_possible(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        clock.forward(8 * DAY)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        await delete_page(at(store, clock(), gate))
        assert await store.get(new.page.ref) is None

    async def test_that_is_interrupted_goes_on_where_it_was(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, SUMMER)
        gate = await let_in_to(Poll, store, clock, new)
        for number in range(120):
            await polls.vote(at(store, clock(), gate), ballot(gate.page, number))
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        await delete_page(at(store, clock(), gate))

        async def fail() -> None:
            raise Unavailable("The light went out.")

        interrupted = Meanwhile(store, fail, after_writing=PollVote)
        await Worker(interrupted, SHAREABLES.data.consumers, clock=clock).drain()
        assert 0 < len(await everything_of(store.engine, PollVote)) < 120
        clock.forward(DAY / 2)
        await cleared(store, clock)
        assert not await everything_of(store.engine, PollVote)

    async def test_leaves_no_vote_of_the_same_moment_behind(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, SUMMER)
        seen = await let_in_to(Poll, store, clock, new)
        gate = await let_in_to(Poll, store, clock, new, want="admin")
        await delete_page(at(store, clock(), gate))
        with pytest.raises(NotFound):
            await polls.vote(at(store, clock(), seen), ballot(seen.page, 0))
        assert not await everything_of(store.engine, PollVote)


class TestAnAccountThatLeaves:
    async def test_leaves_its_pages_to_their_links_and_its_list_to_nobody(
        self, store: Store, clock: Watch
    ) -> None:
        ada = User(user_id="ada", display_name="Ada", created_at=iso(clock()))
        await store.write(create(ada))
        new = await made(store, clock, account_id="ada")
        await store.write(delete(ada))
        await cleared(store, clock)

        page = await again(store, new.page)
        assert page.created_by is None
        assert not await everything_of(store.engine, ShareableBookmark)
        assert (await let_in(store, clock, page, new.token, want="admin")).is_admin
