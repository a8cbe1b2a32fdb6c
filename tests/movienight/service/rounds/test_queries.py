"""Seeing a round: everything in it, in few requests."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.movienight.rules.rounds import VotingProgress
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.queries import get_round, load_round
from commonroom.movienight.service.rounds.votes import propose, rate, vote
from commonroom.movienight.tables import Round, Suggestion
from commonroom.store import Store, counting, delete
from tests.movienight.evenings import context_of, home_of
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def voted(evening: Evening, round_: Round, person: User, **thumbs: str) -> None:
    """Somebody votes, on films named f1, f2 and so on."""
    ctx = await evening.ctx(person)
    for name, thumb in thumbs.items():
        number = int(name[1:])
        await vote(at(evening.store, evening.now(), ctx), round_.round_id, number, thumb)  # type: ignore[arg-type]


class TestRoundIn:
    async def test_is_a_round_of_ones_own_household(
        self, store: Store, evening: Evening, ada: User, eve: User
    ) -> None:
        made = await evening.draft(ada)
        await home_of(store, evening.clock, eve)

        assert await get_round(await evening.ctx(ada), made.round_id) == made
        for round_id in (made.round_id, "nothing", "", "x" * 3000):
            with pytest.raises(NotFound):
                await get_round(await context_of(store, eve), round_id)


class TestSeeRound:
    async def test_shows_films_in_order_with_the_votes_on_each(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        await voted(evening, made, ada, f3="up", f1="down")
        await voted(evening, made, ben, f3="up")

        seen = await load_round(await evening.ctx(ben), made.round_id)

        assert [one.film.tmdb_movie_id for one in seen.films] == list(range(1, 9))
        assert seen.films[0].votes == {ada.user_id: "down"}
        assert seen.films[1].votes == {}
        assert seen.films[2].votes == {ada.user_id: "up", ben.user_id: "up"}
        assert seen.round == await evening.again(made)

    async def test_counts_results_with_ranks_and_ties_and_progress(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        made = await evening.voting(ada)
        await voted(evening, made, ada, f3="up", f5="up", f1="down")
        await voted(evening, made, ben, f8="up", f3="up")

        seen = await load_round(await evening.ctx(ada), made.round_id)

        ranks = [(one.tmdb_movie_id, one.net, one.rank, one.tied) for one in seen.results]
        assert ranks[:3] == [(3, 2, 1, False), (5, 1, 2, True), (8, 1, 2, True)]
        assert ranks[-1] == (1, -1, 8, False)
        assert seen.progress == VotingProgress(voted=2, attendees=3)

    async def test_leaves_votes_out_whose_film_is_taken_back_between_two_reads(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.voting(ada)
        await voted(evening, made, ada, f3="up")
        await evening.store.write(delete(Suggestion.at(round_id=made.round_id, tmdb_movie_id=3)))

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert 3 not in [one.film.tmdb_movie_id for one in seen.films]
        assert seen.progress == VotingProgress(voted=0, attendees=2)

    async def test_names_everybody_and_says_who_was_deleted(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben, attendees=[ada.user_id, ben.user_id])
        await voted(evening, made, ben, f3="up")
        await pick(at(evening.store, evening.now(), await evening.ctx(ben)), made.round_id, 3)
        await evening.store.write(delete(ben))

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert list(seen.attendees) == [ada.user_id, ben.user_id]
        assert seen.attendees[ben.user_id] is None
        assert seen.people[made.started_by] is None
        assert seen.people[ada.user_id] is not None
        assert seen.films[2].votes == {ben.user_id: "up"}

    async def test_waits_for_nobody_who_left(self, evening: Evening, ada: User, ben: User) -> None:
        made = await evening.voting(ada)
        for person in (ada, ben):
            await vote(at(evening.store, 1, await evening.ctx(person)), made.round_id, 1, "up")
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert list(seen.attendees) == [ada.user_id]
        assert (seen.progress, seen.waiting_for) == (VotingProgress(1, 1), [])
        assert seen.films[0].votes == {ada.user_id: "up"}, "their votes no longer count"

    async def test_names_those_who_left_after_the_pick(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.selected(ada)
        await leave(at(evening.store, evening.now(), await evening.ctx(ben)))

        seen = await load_round(await evening.ctx(ada), made.round_id)

        left = seen.attendees[ben.user_id]
        assert left is not None
        assert left.display_name == "Ben"

    async def test_names_the_starter_who_does_not_take_part(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.draft(ben, attendees=[ada.user_id])

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert list(seen.attendees) == [ada.user_id]
        starter = seen.people[ben.user_id]
        assert starter is not None
        assert starter.display_name == "Ben"

    async def test_names_whoever_picked_also_a_creator_of_former_days(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben, attendees=[ben.user_id])
        await pick(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, 1)
        await leave(at(evening.store, evening.now(), await evening.ctx(ada)))

        seen = await load_round(await evening.ctx(ben), made.round_id)

        picker = seen.people[ada.user_id]
        assert picker is not None
        assert picker.display_name == "Ada"

    async def test_shows_the_pick_and_who_rated_how(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.watched(ada)
        await rate(at(evening.store, 1, await evening.ctx(ben)), made.round_id, "loved")

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert seen.pick == await evening.pick_of(made)
        assert seen.ratings == {ben.user_id: "loved"}

    async def test_has_no_pick_before_there_is_one(self, evening: Evening, ada: User) -> None:
        made = await evening.voting(ada)

        seen = await load_round(await evening.ctx(ada), made.round_id)

        assert (seen.pick, seen.ratings) == (None, {})

    async def test_says_what_each_member_can_do(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ben, attendees=[ada.user_id])
        adas, bens = await evening.ctx(ada), await evening.ctx(ben)
        now = evening.clock()

        by_ada = await load_round(at(evening.store, now, adas), made.round_id)
        by_ben = await load_round(at(evening.store, now, bens), made.round_id)

        assert by_ada.may == {"vote", "propose", "pick", "abandon", "attendees"}
        assert by_ben.may == {"pick", "abandon", "attendees"}


class TestRequests:
    """The round itself, its films, its votes, and everybody in it with the pick."""

    async def test_are_four_for_two_members_and_eight_films(
        self, evening: Evening, ada: User
    ) -> None:
        made, ctx = await evening.draft(ada), await evening.ctx(ada)

        with counting() as tally:
            await load_round(ctx, made.round_id)

        assert tally.requests == 4

    async def test_are_four_for_eight_members_who_voted_on_twelve_films_and_picked(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        children = []
        for number in range(6):
            ctx = await evening.ctx(ben)
            made = await add_managed(
                at(evening.store, evening.now(), ctx), display_name=f"Child {number}"
            )
            children.append(made)
        round_ = await evening.voting(ada)
        for person, number in ((ada, 20), (ada, 21), (ben, 22), (ben, 23)):
            ctx = await evening.ctx(person)
            await propose(at(evening.store, 1, ctx), evening.films, round_.round_id, number)
        seats = [await evening.ctx(ada), await evening.ctx(ben)]
        seats += [await evening.ctx(ben, child) for child in children]
        for ctx in seats:
            for number in (*range(1, 9), 20, 21, 22, 23):
                await vote(at(evening.store, 1, ctx), round_.round_id, number, "up")

        with counting() as tally:
            seen = await load_round(seats[0], round_.round_id)

        assert tally.requests == 4
        assert seen.progress == VotingProgress(8, 8)
        assert sum(len(one.votes) for one in seen.films) == 96
