"""Proposals, votes and ratings of everybody at once: none is lost, and none is left over."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.movienight.rules.rounds import MAX_PROPOSALS, FilmNotInRound
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import propose, rate, vote, withdraw_proposal
from commonroom.movienight.service.watched import mark_round_watched
from commonroom.movienight.tables import Household
from tests.accounts.people import at_once
from tests.movienight.rounds_support import Evening
from tests.movienight.service.rounds.races.stored_state import truth
from tests.support.context import at


class TestVoting:
    async def test_of_everybody_on_everything_loses_no_vote(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now = evening.now()

        _, refused = await at_once(
            *(
                vote(at(evening.store, now, ctx), made.round_id, number, "up")
                for ctx in seats
                for number in range(1, 9)
            )
        )

        assert refused == []
        stored = await truth(evening, home)
        assert len(stored.votes) == 32
        assert stored.rounds[made.round_id].version == made.version + 32, "all are seen live"

    async def test_while_the_film_is_picked_is_in_time_or_refused(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now = evening.now()

        voted, refused = await at_once(
            vote(at(evening.store, now, seats[1]), made.round_id, 1, "up"),
            pick(at(evening.store, now, seats[0]), made.round_id, 1),
            vote(at(evening.store, now, seats[2]), made.round_id, 1, "up"),
        )

        assert {type(one) for one in refused} <= {Conflict}
        assert len((await truth(evening, home)).votes) == len(voted) - 1

    async def test_on_a_film_that_is_taken_back_leaves_nothing_behind(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now = evening.now()
        await propose(at(evening.store, now, seats[1]), evening.films, made.round_id, 20)

        _, refused = await at_once(
            vote(at(evening.store, now, seats[0]), made.round_id, 20, "up"),
            withdraw_proposal(at(evening.store, now, seats[1]), made.round_id, 20),
            vote(at(evening.store, now, seats[2]), made.round_id, 20, "up"),
        )

        assert {type(one) for one in refused} <= {FilmNotInRound}
        assert (await truth(evening, home)).votes == []


class TestProposing:
    async def test_of_everybody_at_once_stays_within_the_limits(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now = evening.now()

        proposed, refused = await at_once(
            *(
                propose(at(evening.store, now, ctx), evening.films, made.round_id, 20 + 2 * n + one)
                for n, ctx in enumerate(seats)
                for one in range(2)
            )
        )

        assert len(proposed) == MAX_PROPOSALS
        assert {type(one) for one in refused} == {Conflict}
        assert (await truth(evening, home)).rounds[made.round_id].version == made.version + 4

    async def test_of_one_film_by_two_adds_it_once(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.voting(ada)
        now = evening.now()

        _, refused = await at_once(
            *(
                propose(at(evening.store, now, one), evening.films, made.round_id, 20)
                for one in seats
            )
        )

        assert [type(one) for one in refused] == [Conflict] * 3
        assert sum((await truth(evening, home)).rounds[made.round_id].proposals.values()) == 1


class TestRating:
    async def test_of_everybody_at_once_ends_the_round(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.watched(ada)
        now = evening.now()

        _, refused = await at_once(
            *(rate(at(evening.store, now, one), made.round_id, "loved") for one in seats)
        )

        assert refused == []
        assert (await truth(evening, home)).rounds[made.round_id].status == "rated"

    async def test_while_it_is_marked_watched_ends_the_round_too(
        self, evening: Evening, home: Household, ada: User, seats: list[HouseholdContext]
    ) -> None:
        made = await evening.selected(ada)
        now = evening.now()

        _, refused = await at_once(
            *(rate(at(evening.store, now, one), made.round_id, "liked") for one in seats[:2]),
            mark_round_watched(at(evening.store, now, seats[0]), made.round_id),
            *(rate(at(evening.store, now, one), made.round_id, "liked") for one in seats[2:]),
        )

        assert refused == []
        assert (await truth(evening, home)).rounds[made.round_id].status == "rated"
