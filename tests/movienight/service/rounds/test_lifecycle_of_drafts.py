"""What becomes of a draft: another shortlist, and then the vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.lifecycle import create_round, shuffle, start_voting
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.tables import HouseholdMembership, Round
from commonroom.store import Store, update
from commonroom.titles.builtin import Catalogue
from commonroom.titles.films import FilmFilter
from tests.accounts.people import Meanwhile
from tests.movienight.evenings import COMEDY, DRAMA, context_of, home_of
from tests.movienight.rounds_support import Evening, film
from tests.support.context import at

NOT_A_DRAFT = ["voting", "selected", "watched", "rated", "expired"]
WRONG = ["", "nothing", "x" * 3000, "\ud800", "a\nb"]


async def whole(films: Catalogue, wanted: FilmFilter) -> set[int]:
    """All films of a source that fit."""
    found: set[int] = set()
    while more := await films.discover(wanted, found):
        found |= {one.tmdb_movie_id for one in more}
    return found


class TestShuffle:
    async def shuffled(self, evening: Evening, person: User, round_id: str) -> None:
        ctx = await evening.ctx(person)
        await shuffle(at(evening.store, evening.now(), ctx), evening.films, round_id)

    async def test_gives_a_batch_with_none_of_the_last(self, evening: Evening, ada: User) -> None:
        made = await evening.draft(ada)

        await self.shuffled(evening, ada, made.round_id)

        assert await evening.numbers(made) == list(range(9, 17))

    async def test_shows_everything_that_fits_before_anything_comes_back(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.draft(ada)
        batches = [await evening.numbers(made)]
        for _ in range(3):
            await self.shuffled(evening, ada, made.round_id)
            batches.append(await evening.numbers(made))

        assert [len(one) for one in batches] == [8, 8, 8, 6]
        assert sorted(film for batch in batches for film in batch) == list(range(1, 31))
        await self.shuffled(evening, ada, made.round_id)
        assert await evening.numbers(made) == list(range(1, 9)), "only now they come back"

    async def test_fills_the_last_batch_up_with_what_comes_back(
        self, evening: Evening, ada: User
    ) -> None:
        for number in range(19, 31):
            del evening.films.films[number]
        made = await evening.draft(ada)
        for _ in range(2):
            await self.shuffled(evening, ada, made.round_id)

        assert await evening.numbers(made) == [17, 18, 1, 2, 3]
        assert (await evening.again(made)).shown == [17, 18, 1, 2, 3]

    async def test_of_a_draft_of_an_earlier_version_leaves_out_the_last_batch(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.draft(ada)
        await evening.store.write(update(made.ref, shown=[]))

        await self.shuffled(evening, ada, made.round_id)

        assert await evening.numbers(made) == list(range(9, 17))

    async def test_goes_through_the_whole_catalogue(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        catalogue, ctx = Catalogue(), await evening.ctx(ada)
        fitting = await whole(catalogue, FilmFilter(genres=frozenset({COMEDY, DRAMA})))
        made = await create_round(at(store, evening.now(), ctx), catalogue)
        seen = set(await evening.numbers(made))
        while not seen >= fitting:
            await shuffle(at(store, evening.now(), ctx), catalogue, made.round_id)
            batch = set(await evening.numbers(made))
            assert seen.isdisjoint(batch), "nothing comes back before everything was there"
            seen |= batch

        assert len(fitting) > 200, "more than the source tells at once"

    async def test_touches_the_round(self, evening: Evening, ada: User) -> None:
        made = await evening.draft(ada)

        await self.shuffled(evening, ada, made.round_id)

        now = await evening.again(made)
        assert (now.version, now.updated_at) == (made.version + 1, iso(evening.clock()))
        assert now.status == "draft"

    async def test_says_anew_what_was_relaxed(self, evening: Evening, ada: User) -> None:
        for number in range(9, 31):
            evening.films.films[number] = film(number, year=1970)
        made = await evening.draft(ada)

        await self.shuffled(evening, ada, made.round_id)

        assert made.relaxed_constraints == []
        assert (await evening.again(made)).relaxed_constraints == ["genres", "votes", "year"]

    async def test_keeps_the_wishes_of_a_round_with_wishes(
        self, evening: Evening, ada: User
    ) -> None:
        await evening.wish(ada, 30)
        made = await evening.draft(ada, wishes=True)

        await self.shuffled(evening, ada, made.round_id)

        assert await evening.numbers(made) == [*range(9, 17), 30]

    async def test_is_for_the_starter_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.draft(ben)
        for person in (ben, ada):
            await self.shuffled(evening, person, made.round_id)
        ctx = await evening.ctx(ben, acting_as=zoe)

        with pytest.raises(Forbidden):
            await shuffle(at(evening.store, evening.now(), ctx), evening.films, made.round_id)

    @pytest.mark.parametrize("status", NOT_A_DRAFT)
    async def test_is_only_for_drafts(self, evening: Evening, ada: User, status: str) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict):
            await self.shuffled(evening, ada, made.round_id)
        assert await evening.snapshot() == before

    async def test_changes_nothing_where_there_are_no_other_films(
        self, evening: Evening, ada: User
    ) -> None:
        for number in range(9, 31):
            del evening.films.films[number]
        made = await evening.draft(ada)

        with pytest.raises(Conflict, match="no other films"):
            await self.shuffled(evening, ada, made.round_id)
        assert len(await evening.numbers(made)) == 8

    async def test_changes_nothing_where_somebody_was_quicker(
        self, store: Store, evening: Evening, ada: User
    ) -> None:
        made = await evening.draft(ada)

        async def quicker() -> None:
            await self.shuffled(evening, ada, made.round_id)

        racing, ctx = Meanwhile(store, quicker, before_writing=Round), await evening.ctx(ada)
        with pytest.raises(Conflict, match="quicker"):
            await shuffle(at(racing, evening.now(), ctx), evening.films, made.round_id)
        assert await evening.numbers(made) == list(range(9, 17))

    async def test_goes_by_those_who_are_still_there(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        alone = await evening.draft(ada, attendees=[ben.user_id])
        await leave(at(store, evening.now(), await evening.ctx(ben)))

        with pytest.raises(Conflict, match="any more"):
            await self.shuffled(evening, ada, alone.round_id)

    async def test_under_a_ceiling_that_was_lowered_meanwhile_keeps_to_the_new_one(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        for number in range(9, 20):
            evening.films.films[number] = film(number, certification="PG-13")
        made = await evening.draft(ada)
        await evening.likes(ben, ceiling="PG")

        await self.shuffled(evening, ada, made.round_id)

        assert await evening.numbers(made) == list(range(20, 28))


class TestStartVoting:
    async def test_lets_everybody_vote_from_then_on(self, evening: Evening, ben: User) -> None:
        made = await evening.draft(ben)

        await start_voting(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id)

        now = await evening.again(made)
        assert (now.status, now.voting_started_at) == ("voting", iso(evening.clock()))
        assert (now.updated_at, now.version) == (now.voting_started_at, made.version + 1)

    async def test_is_for_the_starter_and_the_creator(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.draft(ben)
        childs = await evening.ctx(ben, acting_as=zoe)
        with pytest.raises(Forbidden):
            await start_voting(at(evening.store, evening.now(), childs), made.round_id)

        await start_voting(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id)

        assert (await evening.again(made)).status == "voting"

    @pytest.mark.parametrize("status", NOT_A_DRAFT)
    async def test_is_only_for_drafts(self, evening: Evening, ada: User, status: str) -> None:
        made = await evening.in_state(status, ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict) as caught:
            await start_voting(
                at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id
            )
        assert caught.value.extensions == {"round_status": status}
        assert await evening.snapshot() == before

    async def test_is_no_longer_for_a_creator_who_just_handed_over(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.draft(ben)
        early = await evening.ctx(ada)
        await leave(at(store, evening.now(), early))

        with pytest.raises(NotFound):
            await start_voting(at(store, evening.now(), early), made.round_id)
        assert (await evening.again(made)).status == "draft"


class TestARoundOfOthers:
    STEPS: Sequence[Any] = (shuffle, start_voting, pick)

    async def refused(
        self, step: Any, evening: Evening, ctx: HouseholdContext, round_id: str
    ) -> None:
        films = [evening.films] if step is shuffle else []
        more = [1] if step is pick else []
        with pytest.raises(NotFound):
            await step(at(evening.store, evening.now(), ctx), *films, round_id, *more)

    @pytest.mark.parametrize("step", STEPS)
    async def test_is_not_there(
        self, store: Store, evening: Evening, ada: User, eve: User, step: Any
    ) -> None:
        made = await evening.draft(ada)
        await home_of(store, evening.clock, eve)

        await self.refused(step, evening, await context_of(store, eve), made.round_id)

    @pytest.mark.parametrize("round_id", WRONG)
    @pytest.mark.parametrize("step", STEPS)
    async def test_is_as_little_there_as_what_cannot_be_an_id(
        self, evening: Evening, ada: User, step: Any, round_id: str
    ) -> None:
        await self.refused(step, evening, await evening.ctx(ada), round_id)

    async def test_cannot_be_moved_on_by_a_creator_who_no_longer_is_one(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        made, early = await evening.draft(ben), await evening.ctx(ada)
        role = HouseholdMembership.at(group_id=made.group_id, user_id=ada.user_id)
        await store.write(update(role, role="member"))

        with pytest.raises(Forbidden):
            await start_voting(at(store, evening.now(), early), made.round_id)
