"""What the household knows of a film."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.films import FilmStory, load_film_story
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.service.watched import mark_watched
from commonroom.movienight.service.wishes import add_wish
from commonroom.movienight.tables import Round
from commonroom.store import counting, delete
from tests.accounts.people import DAY
from tests.movienight.rounds_support import Evening
from tests.support.context import at


async def story(evening: Evening, person: User, number: int, later: float = 0) -> FilmStory:
    ctx, now = await evening.ctx(person), evening.clock() + later
    return await load_film_story(at(evening.store, now, ctx), evening.films, number)


async def voted(
    evening: Evening, round_: Round, person: User, number: int, thumb: VotedFor
) -> None:
    ctx = await evening.ctx(person)
    await vote(at(evening.store, evening.now(), ctx), round_.round_id, number, thumb)


async def picked(evening: Evening, round_: Round, person: User, number: int) -> None:
    ctx = await evening.ctx(person)
    await pick(at(evening.store, evening.now(), ctx), round_.round_id, number)


class TestFilmStory:
    async def test_of_a_film_that_nothing_happened_with_is_its_facts(
        self, evening: Evening, ada: User
    ) -> None:
        found = await story(evening, ada, 3)

        assert found.film == evening.films.films[3]
        assert (found.wish, found.watched, found.past, found.live) == (None, None, [], None)
        assert found.may == {"wish", "mark"}

    async def test_says_who_wished_for_it(self, evening: Evening, ada: User, ben: User) -> None:
        ctx = await evening.ctx(ben)
        made = await add_wish(at(evening.store, evening.now(), ctx), evening.films, 3)

        by_ben, by_ada = await story(evening, ben, 3), await story(evening, ada, 3)

        assert by_ben.wish == by_ada.wish == made
        assert made.added_by == ben.user_id
        assert by_ben.may == by_ada.may == {"unwish", "mark"}

    async def test_says_when_it_was_watched_and_for_how_long_that_can_be_undone(
        self, evening: Evening, ada: User, ben: User, zoe: User
    ) -> None:
        ctx = await evening.ctx(ben)
        made = await mark_watched(at(evening.store, evening.now(), ctx), evening.films, 3)

        found = await story(evening, ben, 3)

        assert found.watched == made
        assert found.may == {"undo"}
        assert (await story(evening, ada, 3)).may == {"undo"}
        assert (await story(evening, ben, 3, later=DAY + 1)).may == set()
        ctx = await evening.ctx(ben, acting_as=zoe)
        childs = at(evening.store, evening.clock(), ctx)
        by_zoe = await load_film_story(childs, evening.films, 3)
        assert by_zoe.may == set()

    async def test_what_a_round_watched_can_be_undone_as_well(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.watched(ada)

        assert (await story(evening, ada, 1)).may == {"undo"}
        assert (await story(evening, ben, 1)).may == set()
        assert (await story(evening, ada, 1)).pending is None
        assert made.watched_by == ada.user_id

    async def test_what_a_round_picked_waits_to_be_watched(
        self, evening: Evening, ada: User
    ) -> None:
        made = await evening.selected(ada)

        found = await story(evening, ada, 1)

        assert found.may == {"mark", "wish"}
        assert found.pending is not None
        assert found.pending.round_id == made.round_id

    async def test_tells_of_past_votes_the_newest_round_first(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        first = await evening.voting(ada)
        await voted(evening, first, ada, 3, "up")
        await voted(evening, first, ben, 3, "up")
        await picked(evening, first, ada, 1)
        without = await evening.voting(ada)
        await picked(evening, without, ada, 1)
        second = await evening.voting(ben)
        await voted(evening, second, ben, 3, "down")
        await picked(evening, second, ben, 1)

        found = await story(evening, ada, 3)

        assert [(one.round.round_id, one.votes) for one in found.past] == [
            (second.round_id, {ben.user_id: "down"}),
            (first.round_id, {ada.user_id: "up", ben.user_id: "up"}),
        ]
        assert found.live is None

    async def test_tallies_the_open_round_live(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        await voted(evening, made, ben, 3, "up")

        there, elsewhere = await story(evening, ada, 3), await story(evening, ada, 25)

        assert there.live is not None
        assert (there.live.up, there.live.down) == (1, 0)
        assert there.live.votes == {}, "how Ben voted is his own business until the pick"
        assert there.live.round.round_id == made.round_id
        assert (there.past, elsewhere.live) == ([], None)

    async def test_goes_on_with_what_was_kept_where_the_source_no_longer_knows_it(
        self, evening: Evening, ada: User
    ) -> None:
        ctx = await evening.ctx(ada)
        await add_wish(at(evening.store, evening.now(), ctx), evening.films, 3)
        await mark_watched(at(evening.store, evening.now(), ctx), evening.films, 4)
        evening.films.films.clear()

        wished, seen = await story(evening, ada, 3), await story(evening, ada, 4)

        assert (wished.film.title, wished.film.genres) == ("Film 3", ("35",))
        assert (seen.film.title, seen.film.year) == ("Film 4", 2000)
        with pytest.raises(NotFound):
            await story(evening, ada, 5)

    async def test_remembers_the_votes_of_deleted_members(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        await voted(evening, made, ben, 3, "up")
        await picked(evening, made, ada, 1)
        await evening.store.write(delete(ben))

        found = await story(evening, ada, 3)

        assert found.past[0].votes == {ben.user_id: "up"}

    @pytest.mark.parametrize("rounds", [0, 1, 12])
    async def test_takes_three_requests(self, evening: Evening, ada: User, rounds: int) -> None:
        for _ in range(rounds):
            made = await evening.voting(ada)
            await voted(evening, made, ada, 3, "up")
            await picked(evening, made, ada, 1)
        await evening.voting(ada)
        ctx = await evening.ctx(ada)

        with counting() as tally:
            found = await load_film_story(ctx, evening.films, 3)

        assert tally.requests == 3
        assert len(found.past) == min(rounds, 9)
