"""A tie: settled by a run-off among the films in front, or by a draw."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden
from commonroom.movienight.rules.rounds import VotesMissing
from commonroom.movienight.service.rounds import ties
from commonroom.movienight.service.rounds.queries import load_round
from commonroom.movienight.service.rounds.votes import propose, vote
from commonroom.movienight.tables import Household, Round
from tests.accounts.people import Meanwhile
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def say(evening: Evening, round_: Round, person: User, **votes: tuple[int, ...]) -> None:
    """Somebody votes on films."""
    ctx = await evening.ctx(person)
    for film in votes.get("up", ()):
        await vote(at(evening.store, evening.now(), ctx), round_.round_id, film, "up")
    for film in votes.get("down", ()):
        await vote(at(evening.store, evening.now(), ctx), round_.round_id, film, "down")


@pytest.fixture
async def tied(evening: Evening, home: Household, ada: User, ben: User) -> Round:
    """A round of Ada's and Ben's that two films lead."""
    made = await evening.voting(ada, attendees=[ada.user_id, ben.user_id])
    one, other, third, *_ = await evening.numbers(made)
    await say(evening, made, ada, up=(one, other), down=(third,))
    await say(evening, made, ben, up=(one, other))
    return await evening.again(made)


class TestDraw:
    async def test_picks_one_of_the_films_in_front(
        self, evening: Evening, tied: Round, ada: User
    ) -> None:
        one, other, *_ = await evening.numbers(tied)
        ctx = await evening.ctx(ada)
        drawn = await ties.draw(at(evening.store, evening.now(), ctx), tied.round_id)
        assert drawn.tmdb_movie_id in (one, other)
        assert await evening.pick_of(tied) == drawn
        assert (await evening.again(tied)).status == "selected"

    async def test_is_for_whoever_may_pick(self, evening: Evening, tied: Round, ben: User) -> None:
        ctx = await evening.ctx(ben)
        with pytest.raises(Forbidden):
            await ties.draw(at(evening.store, evening.now(), ctx), tied.round_id)

    async def test_needs_a_tie(self, evening: Evening, tied: Round, ada: User) -> None:
        _one, other, *_ = await evening.numbers(tied)
        await say(evening, tied, ada, down=(other,))
        ctx = await evening.ctx(ada)
        with pytest.raises(Conflict, match="one film is ahead"):
            await ties.draw(at(evening.store, evening.now(), ctx), tied.round_id)

    async def test_waits_for_everybody(self, evening: Evening, home: Household, ada: User) -> None:
        made, ctx = await evening.voting(ada), await evening.ctx(ada)
        with pytest.raises(VotesMissing):
            await ties.draw(at(evening.store, evening.now(), ctx), made.round_id)

    async def test_counts_a_vote_of_the_same_moment(
        self, evening: Evening, tied: Round, ada: User, ben: User
    ) -> None:
        _one, other, *_ = await evening.numbers(tied)
        ctx = await evening.ctx(ada)
        meanwhile = Meanwhile(
            evening.store,
            lambda: say(evening, tied, ben, down=(other,)),
            before_writing=Round,
        )
        with pytest.raises(Conflict, match="one film is ahead"):
            await ties.draw(at(meanwhile, evening.now(), ctx), tied.round_id)
        assert (await evening.again(tied)).status == "voting"


class TestRunOff:
    async def test_leaves_the_films_in_front_and_asks_everybody_again(
        self, evening: Evening, tied: Round, ada: User
    ) -> None:
        first = (await evening.numbers(tied))[:2]
        ctx = at(evening.store, evening.now(), await evening.ctx(ada))
        await ties.run_off(ctx, tied.round_id)
        now = await evening.again(tied)
        assert (now.status, now.run_offs, sorted(now.films)) == ("voting", 1, sorted(first))
        assert await evening.numbers(tied) == first
        assert await evening.votes(tied) == []
        assert len((await load_round(ctx, tied.round_id)).waiting_for) == 2

    async def test_settles_once_a_film_is_ahead(
        self, evening: Evening, tied: Round, ada: User, ben: User
    ) -> None:
        ctx = at(evening.store, evening.now(), await evening.ctx(ada))
        await ties.run_off(ctx, tied.round_id)
        one, other = await evening.numbers(tied)
        await say(evening, tied, ada, up=(one,))
        await say(evening, tied, ben, up=(one,), down=(other,))
        with pytest.raises(Conflict, match="one film is ahead"):
            await ties.run_off(at(evening.store, evening.now(), ctx), tied.round_id)

    async def test_gives_proposals_back_with_the_films_that_go(
        self, evening: Evening, tied: Round, ada: User, ben: User
    ) -> None:
        ctx = await evening.ctx(ben)
        listed = await evening.numbers(tied)
        fitting = [one for one in evening.films.films if one not in listed]
        for film in fitting:
            try:
                await propose(
                    at(evening.store, evening.now(), ctx), evening.films, tied.round_id, film
                )
            except Conflict:
                continue
            break
        assert (await evening.again(tied)).proposals == {ben.user_id: 1}
        adas = at(evening.store, evening.now(), await evening.ctx(ada))
        await ties.run_off(adas, tied.round_id)
        assert (await evening.again(tied)).proposals == {}
