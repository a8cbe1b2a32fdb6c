"""Suggesting films: what suits a company, without what the household has had."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.movienight.rules.preferences import Attendee, TastesMissing
from commonroom.movienight.service.rounds.attendance import find_attendees
from commonroom.movienight.service.rounds.picks import pick
from commonroom.movienight.service.rounds.votes import vote
from commonroom.movienight.service.suggestions import Suggested, suggest
from commonroom.movienight.service.watched import mark_watched
from commonroom.movienight.tables import Household, Preferences, Round, WatchedFilm, watched_films
from commonroom.store import counting, put
from commonroom.titles.films import Film
from tests.movienight.evenings import COMEDY, DRAMA, HORROR
from tests.movienight.rounds_support import ROMANCE, Evening, Shelf, film, shelf_of_all_kinds
from tests.support.context import at


async def suggested(
    evening: Evening, person: User, *, without: Sequence[int] = (), films: Shelf | None = None
) -> Suggested:
    """What is suggested to everybody."""
    ctx = await evening.ctx(person)
    here = await find_attendees(ctx)
    source = films or evening.films
    return await suggest(ctx, source, here, without=without)


def numbers(found: Suggested) -> list[int]:
    return [one.tmdb_movie_id for one in found.films]


class TestCandidates:
    async def test_are_of_any_liked_genre_and_of_none_that_everybody_dislikes(
        self, early_evening: Evening, ada: User, ben: User
    ) -> None:
        await early_evening.likes(ada, likes=[COMEDY, DRAMA], dislikes=[HORROR, ROMANCE])
        await early_evening.likes(ben, likes=[COMEDY, ROMANCE], dislikes=[HORROR])
        kinds = [(COMEDY,), (DRAMA,), (ROMANCE,), (COMEDY, HORROR), ("37",)]
        shelf = Shelf([film(n, genres=kinds[n % 5]) for n in range(1, 31)])

        found = await suggested(early_evening, ada, films=shelf)

        assert {one.genres for one in found.films} == {(COMEDY,), (DRAMA,), (ROMANCE,)}
        assert found.relaxed == []

    async def test_are_at_or_under_the_strictest_ceiling(
        self, evening: Evening, ada: User, zoe: User
    ) -> None:
        found = await suggested(evening, ada, films=Shelf(shelf_of_all_kinds()))

        assert {one.certification for one in found.films} <= {"G", "PG"}
        assert found.taste.ceiling == "PG"

    async def test_are_checked_again_whatever_the_source_says(
        self, evening: Evening, ada: User, zoe: User
    ) -> None:
        careless = Shelf(shelf_of_all_kinds(), careless=True)

        found = await suggested(evening, ada, films=careless, without=[6, 7])

        assert {one.certification for one in found.films} <= {"G", "PG"}
        assert not {6, 7} & set(numbers(found))
        assert len(found.films) == 8

    async def test_of_unknown_certification_pass_only_where_everybody_may_see_r(
        self, early_evening: Evening, ada: User, ben: User
    ) -> None:
        shelf = Shelf([film(n, certification=None) for n in range(1, 9)])
        await early_evening.likes(ada)
        await early_evening.likes(ben)
        assert len(numbers(await suggested(early_evening, ada, films=shelf))) == 8

        await early_evening.likes(ben, ceiling="PG-13")

        assert numbers(await suggested(early_evening, ada, films=shelf)) == []


class TestRelaxing:
    async def test_gives_up_as_little_as_needed_and_in_order(
        self, evening: Evening, ada: User
    ) -> None:
        liked = [film(n) for n in range(1, 5)]
        others = film(10, genres=("37",))
        unknown = film(11, genres=("37",), vote_count=20)
        old = film(12, genres=("37",), vote_count=20, year=1970)

        cases: list[tuple[list[Film], list[str]]] = [
            ([*liked, film(5)], []),
            ([*liked, others], ["genres"]),
            ([*liked, unknown], ["genres", "votes"]),
            ([*liked, old], ["genres", "votes", "year"]),
            (liked, ["genres", "votes", "year"]),
        ]
        for shelf, relaxed in cases:
            assert (await suggested(evening, ada, films=Shelf(shelf))).relaxed == relaxed

    async def test_never_gives_up_the_ceiling(self, evening: Evening, ada: User, zoe: User) -> None:
        shelf = Shelf([film(1), *(film(n, certification="PG-13") for n in range(2, 30))])

        found = await suggested(evening, ada, films=shelf)

        assert numbers(found) == [1]
        assert {one.ceiling for one in shelf.asked} == {"PG"}

    async def test_is_asked_for_no_further_than_needed(self, evening: Evening, ada: User) -> None:
        await suggested(evening, ada)

        assert len(evening.films.asked) == 1


class TestLeftOut:
    async def test_are_films_that_the_household_has_watched(
        self, evening: Evening, ada: User
    ) -> None:
        for number in (1, 3):
            ctx = await evening.ctx(ada)
            await mark_watched(at(evening.store, evening.now(), ctx), evening.films, number)

        assert numbers(await suggested(evening, ada)) == [2, 4, 5, 6, 7, 8, 9, 10]

    async def test_are_films_that_the_caller_excludes(self, evening: Evening, ada: User) -> None:
        assert numbers(await suggested(evening, ada, without=[2, 4]))[:3] == [1, 3, 5]

    async def down(self, evening: Evening, person: User, number: int) -> Round:
        """A round in which a film was voted down and another one picked."""
        made, ctx = await evening.voting(person), await evening.ctx(person)
        here = {one.tmdb_movie_id for one in await evening.suggestions(made)}
        if number in here:
            await vote(at(evening.store, evening.now(), ctx), made.round_id, number, "down")
        other = max(here)
        await pick(at(evening.store, evening.now(), ctx), made.round_id, other)
        return made

    async def test_are_films_that_ended_net_negative_in_the_last_three_rounds(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await self.down(evening, ada, 1)
        assert 1 not in numbers(await suggested(evening, ada))
        for _ in range(2):
            await self.down(evening, ada, 2)
        assert 1 not in numbers(await suggested(evening, ada))

        await self.down(evening, ada, 3)

        assert numbers(await suggested(evening, ada))[:2] == [1, 4]

    async def test_are_not_films_with_as_many_for_as_against(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.voting(ada)
        for person, thumb in ((ada, "down"), (ben, "up")):
            ctx = await evening.ctx(person)
            await vote(at(evening.store, evening.now(), ctx), made.round_id, 1, thumb)  # type: ignore[arg-type]
        await pick(at(evening.store, evening.now(), await evening.ctx(ada)), made.round_id, 2)

        assert 1 in numbers(await suggested(evening, ada))

    async def seen_up_to(self, evening: Evening, home: Household, last: int) -> Shelf:
        """A large shelf, of which the household has watched the most popular films."""
        watched = [
            WatchedFilm(
                group_id=home.group_id,
                tmdb_movie_id=number,
                title=f"Film {number}",
                watched_at="2026-05-31T18:00:00.000Z",
                marked_by="somebody",
                marked_at="2026-05-31T18:00:00.000Z",
            )
            for number in range(1, last + 1)
        ]
        await evening.store.engine.load(watched_films, [one.to_item() for one in watched])
        return Shelf([film(number) for number in range(1, 900)])

    async def test_are_found_beyond_also_where_a_household_has_seen_much(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        shelf = await self.seen_up_to(evening, home, 250)

        found = await suggested(evening, ada, films=shelf)

        assert numbers(found) == list(range(251, 259))
        assert found.relaxed == []

    async def test_are_not_looked_for_without_end(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        shelf = await self.seen_up_to(evening, home, 899)

        assert (await suggested(evening, ada, films=shelf)).films == []
        assert len(shelf.asked) <= 3 * 4


class TestOrder:
    async def test_puts_films_on_the_households_services_first_by_slug(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.store.write(put(replace(home, streaming_services=["netflix"])))
        shelf = Shelf(
            [
                film(1, popularity=10, services=("Netflix",)),
                film(2, popularity=10, services=("netflix",)),
                film(3, popularity=10, services=("mubi",)),
            ]
        )

        assert numbers(await suggested(evening, ada, films=shelf)) == [2, 1, 3]

    async def test_is_the_same_for_the_same_input(self, evening: Evening, ada: User) -> None:
        shelf = shelf_of_all_kinds()
        first = await suggested(evening, ada, films=Shelf(shelf))

        assert await suggested(evening, ada, films=Shelf(shelf[::-1])) == first

    async def test_holds_eight_at_most(self, evening: Evening, ada: User) -> None:
        assert len((await suggested(evening, ada)).films) == 8


class TestTastes:
    async def test_of_two_are_needed(self, early_evening: Evening, ada: User, ben: User) -> None:
        await early_evening.likes(ada)

        with pytest.raises(TastesMissing, match="Ben"):
            await suggested(early_evening, ada)
        assert early_evening.films.asked == []

    async def test_are_those_of_the_attendees_alone(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        await evening.likes(ben, likes=[ROMANCE, DRAMA])
        ctx = await evening.ctx(ada)
        alone = await find_attendees(ctx, [ada.user_id])

        found = await suggest(ctx, evening.films, alone)

        assert [one.member.user_id for one in alone] == [ada.user_id]
        assert found.taste.likes == {COMEDY, DRAMA}
        assert isinstance(alone[0], Attendee)
        assert isinstance(alone[0].preferences, Preferences)


class TestRequests:
    async def test_are_four_for_past_rounds_and_one_for_each_hundred_films(
        self, evening: Evening, ada: User
    ) -> None:
        for _ in range(5):
            await evening.selected(ada)
        shelf = Shelf([film(number) for number in range(1, 201)])
        ctx = await evening.ctx(ada)
        here = await find_attendees(ctx)

        with counting() as tally:
            await suggest(ctx, shelf, here)

        assert tally.requests == 4 + 2
