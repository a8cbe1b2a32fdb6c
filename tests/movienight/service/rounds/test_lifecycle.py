"""Beginning a round: who watches, which films there are, another shortlist, and the vote."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.preferences import TastesMissing
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.members import leave
from commonroom.movienight.service.rounds.lifecycle import create_round
from commonroom.movienight.tables import Household, Round
from commonroom.store import Store, delete
from tests.accounts.people import Meanwhile, Watch
from tests.movienight.evenings import home_of
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at

NOT_A_DRAFT = ["voting", "selected", "watched", "rated", "expired"]
WRONG = ["", "nothing", "x" * 3000, "\ud800", "a\nb"]


class TestCreateRound:
    async def test_makes_a_draft_for_everybody_with_eight_films(
        self, evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        made = await evening.draft(ben)

        assert await evening.again(made) == made
        assert made == Round(
            round_id=made.round_id,
            group_id=home.group_id,
            started_by=ben.user_id,
            attendees=[ada.user_id, ben.user_id],
            created_at=iso(evening.clock()),
            updated_at=iso(evening.clock()),
            moved_by=ben.user_id,
            shown=[1, 2, 3, 4, 5, 6, 7, 8],
            films=[1, 2, 3, 4, 5, 6, 7, 8],
        )
        assert await evening.numbers(made) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert await evening.open_round_id(home) == made.round_id

    async def test_keeps_what_is_shown_of_each_film(self, evening: Evening, ada: User) -> None:
        evening.films.films[1] = film(1, poster_path="/1.jpg", vote_average=8.1)

        first, *_ = await evening.suggestions(await evening.draft(ada))

        assert (first.title, first.poster_path, first.year) == ("Film 1", "/1.jpg", 2000)
        assert (first.genres, first.content_rating) == (["Comedy"], "G")
        assert (first.popularity, first.vote_average, first.runtime) == (999, 8.1, 100)
        assert first.reasons == ["everyone_likes#35", "highly_rated"]
        assert first.overview == "Something happens."
        assert (first.position, first.proposed_by, first.from_wish_list) == (1, None, False)

    async def test_lets_a_managed_member_begin_one(
        self, evening: Evening, ben: User, zoe: User
    ) -> None:
        made = await evening.draft(ben, acting_as=zoe)

        assert made.started_by == zoe.user_id

    async def test_is_for_those_who_are_named_each_once(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        made = await evening.draft(ada, attendees=[ben.user_id, ben.user_id])

        assert made.attendees == [ben.user_id]

    async def test_needs_members_of_the_household(
        self, evening: Evening, ada: User, eve: User
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await evening.draft(ada, attendees=[ada.user_id, eve.user_id])

        assert caught.value.field == "attendees"

    @pytest.mark.parametrize("who", ["nobody", "children"])
    async def test_needs_somebody_with_an_account(
        self, evening: Evening, ada: User, zoe: User, who: str
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await evening.draft(ada, attendees=[] if who == "nobody" else [zoe.user_id])

        assert caught.value.field == "attendees"

    async def test_says_whose_tastes_are_missing(
        self, early_evening: Evening, home: Household, ada: User, ben: User
    ) -> None:
        await early_evening.likes(ada)

        with pytest.raises(TastesMissing, match="Ben") as caught:
            await early_evening.draft(ada)

        assert caught.value.extensions == {"missing": [ben.user_id]}
        assert await early_evening.open_round_id(home) is None

    async def test_needs_one_taste_where_somebody_watches_alone(
        self, store: Store, clock: Watch, films: Shelf, eve: User
    ) -> None:
        await home_of(store, clock, eve)
        evening = Evening(store, clock, films)
        with pytest.raises(TastesMissing):
            await evening.draft(eve)
        await evening.likes(eve)

        assert (await evening.draft(eve)).attendees == [eve.user_id]

    async def test_is_refused_with_its_id_while_another_round_is_open(
        self, evening: Evening, ada: User, ben: User
    ) -> None:
        first = await evening.draft(ada)
        before = await evening.snapshot()

        with pytest.raises(Conflict) as caught:
            await evening.draft(ben)

        assert caught.value.extensions == {"active_round_id": first.round_id}
        assert await evening.snapshot() == before

    async def test_checks_the_one_open_round_when_it_is_written_and_not_through_an_index(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        early = await evening.ctx(ada)
        first = await evening.draft(ben)

        with pytest.raises(Conflict) as caught:
            await create_round(at(store, evening.now(), early), evening.films)

        assert caught.value.extensions == {"active_round_id": first.round_id}
        assert len([one for one in await evening.snapshot() if "started_by" in one]) == 1

    async def test_can_be_done_again_when_a_film_is_picked(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        await evening.selected(ada)

        second = await evening.draft(ada)

        assert await evening.open_round_id(home) == second.round_id

    async def test_writes_nothing_where_somebody_leaves_meanwhile(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        bens = await evening.ctx(ben)

        async def gone() -> None:
            await leave(at(store, evening.now(), bens))

        racing = Meanwhile(store, gone, before_writing=Round)
        with pytest.raises(Conflict, match="just left"):
            await create_round(at(racing, evening.now(), await evening.ctx(ada)), evening.films)
        assert not [one for one in await evening.snapshot() if "round_id" in one]

    async def test_is_nothing_for_whoever_just_left(
        self, store: Store, evening: Evening, ben: User
    ) -> None:
        ctx = await evening.ctx(ben)

        async def gone() -> None:
            await leave(at(store, evening.now(), ctx))

        racing = Meanwhile(store, gone, before_writing=Round)
        with pytest.raises(NotFound):
            await create_round(at(racing, evening.now(), ctx), evening.films)

    async def test_is_nothing_for_a_household_that_is_deleted_meanwhile(
        self, store: Store, evening: Evening, home: Household, ada: User
    ) -> None:
        ctx = await evening.ctx(ada)

        async def gone() -> None:
            await delete_household(at(store, evening.now(), ctx), home.name)

        racing = Meanwhile(store, gone, before_writing=Round)
        with pytest.raises(NotFound, match="deleted"):
            await create_round(at(racing, evening.now(), ctx), evening.films)
        assert await evening.snapshot() == []

    async def test_leaves_deleted_accounts_out(
        self, store: Store, evening: Evening, ada: User, ben: User
    ) -> None:
        await store.write(delete(ben))

        assert (await evening.draft(ada)).attendees == [ada.user_id]

    async def test_says_so_where_no_film_suits(
        self, evening: Evening, home: Household, ada: User
    ) -> None:
        evening.films.films.clear()

        with pytest.raises(Conflict, match="no other films"):
            await evening.draft(ada)
        assert await evening.open_round_id(home) is None

    async def test_says_what_was_relaxed(self, evening: Evening, ada: User) -> None:
        for number in range(5, 31):
            evening.films.films[number] = film(number, year=1970)

        assert (await evening.draft(ada)).relaxed_constraints == ["genres", "votes", "year"]


class TestWishes:
    async def test_bring_in_the_four_newest_after_the_suggestions(
        self, evening: Evening, ada: User
    ) -> None:
        await evening.wish(ada, 1, 2, 20, 21, 22)

        found = await evening.suggestions(await evening.draft(ada, wishes=True))

        assert [one.tmdb_movie_id for one in found] == [1, 3, 4, 5, 6, 7, 8, 9, 22, 21, 20, 2]
        assert [one.position for one in found] == list(range(1, 13))
        assert [one.from_wish_list for one in found] == [False] * 8 + [True] * 4
        assert found[-1].reasons == ["wished"]

    async def test_stay_out_unless_wanted(self, evening: Evening, ada: User) -> None:
        await evening.wish(ada, 20)

        assert 20 not in await evening.numbers(await evening.draft(ada))

    async def test_do_not_count_where_somebody_may_not_see_them(
        self, evening: Evening, ada: User, zoe: User
    ) -> None:
        evening.films.films |= {
            50: film(50, certification="PG-13"),
            51: film(51, certification=None),
            52: film(52, certification="PG"),
        }
        await evening.wish(ada, 52, 21, 22, 23, 50, 51)

        found = await evening.suggestions(await evening.draft(ada, wishes=True))

        wished = [one.tmdb_movie_id for one in found if one.from_wish_list]
        assert wished == [23, 22, 21, 52]

    async def test_go_by_what_is_known_of_them_now_as_well(
        self, evening: Evening, ada: User, zoe: User
    ) -> None:
        await evening.wish(ada, 20, 21)
        evening.films.films[20] = film(20, certification="R")
        del evening.films.films[21]

        found = await evening.suggestions(await evening.draft(ada, wishes=True))

        assert [(one.tmdb_movie_id, one.title) for one in found if one.from_wish_list] == [
            (21, "Film 21")
        ]
