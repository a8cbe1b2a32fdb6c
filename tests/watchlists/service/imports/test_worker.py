"""Rows become lists, ratings and marks, each once; what has no title is put aside."""

from __future__ import annotations

import msgspec
import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden
from commonroom.store import Store, delete
from commonroom.titles.search_documents import stored_document
from commonroom.titles.stored_titles import id_of
from commonroom.titles.tables import Movie
from commonroom.titles.titles import TitleId
from commonroom.watchlists.data_export import export_opinions
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.rules.lists import MAX_ITEMS
from commonroom.watchlists.service import curators, lists
from commonroom.watchlists.service.exports import export_everything
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.ratings import load_opinion, rate
from commonroom.watchlists.service.reviews import see_reviews
from commonroom.watchlists.service.seen import mark_seen, unmark_seen
from commonroom.watchlists.tables import MadeTitle, OwnTitle, Watchlist, WatchlistImportRows
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    TITLES,
    asks,
    everything_of,
    list_of,
    tidied,
)
from tests.watchlists.import_files import (
    LETTERBOXD,
    NOW,
    check_watchlists,
    finished,
    imported,
    lists_now,
    own_list,
    prepared,
    ratings_now,
    seen_now,
    undone,
)
from tests.watchlists.rules.formats import exports
from tests.watchlists.rules.formats.exports import zipped

store = either


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """When the files were exported."""
    clock.now = NOW


class TestLetterboxd:
    async def test_an_archive_comes_in(self, store: Store, clock: Watch, ben: User) -> None:
        seen = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        assert (seen.state, seen.failed, seen.unmatched) == ("done", 0, 0)
        assert await lists_now(store) == {
            "Letterboxd watchlist": [("Alien", None), ("Crouching Tiger, Hidden Dragon", None)],
            "Letterboxd likes": [("Heat", None)],
            "Autumn evenings": [("Heat", None), ("Alien", "Still holds up")],
        }
        assert await ratings_now(store) == {
            "The Matrix": (9, "Still good,\n& green."),
            "Heat": (1, None),
        }
        assert await seen_now(store) == {"The Matrix": "2023-05-05", "Heat": None, "Alien": None}
        assert (seen.added, seen.done, seen.of) == (8, 8, 8)
        assert await everything_of(store.engine, WatchlistImportRows) == []
        await check_watchlists(store)

    async def test_lists_are_private_and_keep_what_is_said_of_them(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        found = {one.title: one for one in await everything_of(store.engine, Watchlist)}
        autumn = found["Autumn evenings"]
        assert not any(one.is_public for one in found.values())
        assert (autumn.description, autumn.tags) == ("Two lines,\nwith tea.", ["rain", "tea"])

    async def test_the_same_file_again_brings_nothing_new(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        before = await lists_now(store), await ratings_now(store), await seen_now(store)
        again = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        assert again.preview is not None
        assert (again.preview.outcome.already, again.preview.outcome.extended_lists) == (8, 3)
        assert (again.added, again.skipped) == (0, 8)
        assert (await lists_now(store), await ratings_now(store), await seen_now(store)) == before


class TestTrakt:
    async def test_shows_that_were_begun_count_as_seen_or_do_not(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        file = zipped(exports.TRAKT)
        await imported(store, clock, ben, file, "trakt.zip")
        assert await seen_now(store, ben) == {
            "The Matrix": "2024-04-01",
            "Breaking Bad": "2024-03-02",
        }
        await imported(store, clock, eve, file, "trakt.zip", without=frozenset({"begun"}))
        assert await seen_now(store, eve) == {"The Matrix": "2024-04-01"}

    async def test_numbers_notes_and_reviews_are_kept(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, zipped(exports.TRAKT), "trakt.zip")
        (numbered,) = [
            one for one in await everything_of(store.engine, Watchlist) if one.is_numbered
        ]
        assert (numbered.title, numbered.description) == ("Mind benders", "Red pills.")
        assert (await ratings_now(store))["The Matrix"] == (9, "Follow the rabbit.")


class TestWhatIsThereAlready:
    async def test_a_list_of_the_same_name_is_extended(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        mine = await list_of(store, clock, ada, ALIEN, title="autumn EVENINGS")
        await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip")
        found = await lists_now(store)
        assert "Autumn evenings" not in found
        assert found["autumn EVENINGS"] == [("Alien", None), ("Heat", None)]
        assert mine.is_public

    async def test_or_a_new_one_is_made(self, store: Store, clock: Watch, ada: User) -> None:
        await list_of(store, clock, ada, ALIEN, title="autumn EVENINGS")
        seen = await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip", same_lists="new")
        found = await lists_now(store)
        assert found["autumn EVENINGS"] == [("Alien", None)]
        assert found["Autumn evenings"] == [("Heat", None), ("Alien", "Still holds up")]
        assert seen.added == 8

    async def test_a_rating_of_ones_own_stays(self, store: Store, clock: Watch, ada: User) -> None:
        await rate(asks(store, clock, ada), TITLES, MATRIX, rating=2, review="Hm.")
        seen = await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip")
        assert (await ratings_now(store))["The Matrix"] == (2, "Hm.")
        assert seen.preview is not None
        assert (seen.preview.already_rated, seen.preview.outcome.rated) == (1, 1)
        assert (seen.added, seen.skipped) == (8, 0), "its mark gets the days of the diary"

    async def test_or_is_replaced(self, store: Store, clock: Watch, ada: User) -> None:
        await rate(asks(store, clock, ada), TITLES, MATRIX, rating=2, review="Hm.")
        await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip", rated="replace")
        assert (await ratings_now(store))["The Matrix"] == (9, "Still good,\n& green.")
        await check_watchlists(store)

    async def test_a_day_that_one_remembers_stays(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await mark_seen(asks(store, clock, ada), TITLES, MATRIX, "2020-01-01")
        await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip")
        assert (await seen_now(store))["The Matrix"] == "2020-01-01"

    async def test_two_rows_of_one_title_are_one_opinion(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        rows = "tt0133093,9,2020-01-02,The Matrix,u,movie,8.7,136,1999,,1,,\n"
        text = exports.IMDB_RATINGS + rows.replace("tt0133093", "").replace(",9,", ",3,")
        seen = await imported(store, clock, ben, text.encode(), "ratings.csv")
        assert await ratings_now(store) == {"The Matrix": (9, None)}
        assert seen.preview is not None
        assert (seen.preview.outcome.rated, seen.preview.outcome.already) == (1, 1)
        assert (seen.added, seen.skipped) == (1, 1)


class TestTitlesThatTheCatalogueLacks:
    async def test_are_made_with_what_the_file_says(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        file = exports.IMDB_RATINGS.replace("tt0133093", "tt9999991").replace("The Matrix", "Zork")
        seen = await imported(store, clock, ben, file.encode(), "ratings.csv")
        assert seen.preview is not None
        assert (seen.preview.outcome.made, seen.preview.unmatched) == (1, 1)
        (made,) = await everything_of(store.engine, Movie)
        assert (made.title, made.release_year, made.runtime) == ("Zork", 1999, 136)
        assert (made.imdb_id, made.tmdb_id) == ("tt9999991", None)
        assert made.genres == ["Action", "Science Fiction"]
        assert (made.rating_count, made.rating_sum) == (1, 9)

    async def test_are_the_same_for_whoever_imports_them_however(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        imdb = exports.IMDB_RATINGS.replace("tt0133093", "tt9999991").replace("The Matrix", "Zork")
        await imported(store, clock, ben, imdb.encode(), "ratings.csv")
        head = "Date,Name,Year,Letterboxd URI,Rating\n"
        again = await imported(
            store, clock, eve, (head + "2020-01-01,ZORK!,2000,u,5\n").encode(), "ratings.csv"
        )
        assert again.unmatched == 0
        (made,) = await everything_of(store.engine, Movie)
        assert (made.rating_count, made.rating_sum) == (2, 19)
        found = await everything_of(store.engine, MadeTitle)
        assert len({one.content_id for one in found}) == 1, "by its name, and by its id"

    async def test_that_are_in_a_file_alone_are_their_importers_own(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        file = own_list("Ours", "film,Mia turns seven,2024,,,,,,,,")
        for person in (ben, eve, ben):
            await imported(store, clock, person, file, "list.csv")
        made = await everything_of(store.engine, Movie)
        assert [(one.title, one.is_unlisted) for one in made] == [("Mia turns seven", True)] * 2
        assert [stored_document(one) for one in made] == [None, None], "nobody finds them"
        assert await everything_of(store.engine, MadeTitle) == []

    async def test_that_are_in_a_file_alone_go_with_their_importer(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        rows = ("film,Mia turns seven,2024,,,,,,,,", "film,Mia turns eight,2025,,,,,,,,")
        await imported(store, clock, ben, own_list("Ours", *rows), "list.csv")
        seven, eight = sorted(
            await everything_of(store.engine, Movie), key=lambda one: one.release_year or 0
        )
        await list_of(store, clock, eve, id_of(eight), title="Hers", is_public=False)
        assert len(await everything_of(store.engine, OwnTitle)) == 2
        await store.write(delete(ben))
        for _ in range(3):
            await tidied(store, clock)
        left = await everything_of(store.engine, Movie)
        assert [one.title for one in left] == [eight.title], (seven.title, "somebody else has it")
        assert await everything_of(store.engine, OwnTitle) == []

    async def test_can_be_found_once_a_public_list_shows_them(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        file = own_list("Ours", "film,Mia turns seven,2024,,,,,,,,")
        await imported(store, clock, ada, file, "list.csv")
        (private,) = await everything_of(store.engine, Watchlist)
        change = lists.ListChange(is_public=True)
        await lists.change_list(asks(store, clock, ada), private.watchlist_id, change)
        await tidied(store, clock)
        movies = await everything_of(store.engine, Movie)
        (made,) = [one for one in movies if one.title == "Mia turns seven"]
        assert stored_document(made) is not None

    async def test_or_are_put_aside(self, store: Store, clock: Watch, ben: User) -> None:
        seen = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip", unknown="leave")
        assert (seen.unmatched, seen.added, seen.done) == (3, 5, 8)
        assert "Heat" not in await ratings_now(store)
        assert seen.open_rows == 3

    async def test_nobody_takes_the_place_of_a_title_that_is_there(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        trakt = {"title": "Buy my book", "year": 1999, "ids": {"tmdb": 603}}
        file = zipped({"ratings-movies.json": [{"rating": 9, "movie": trakt}]})
        await imported(store, clock, ben, file, "trakt.zip")
        assert await ratings_now(store) == {"The Matrix": (9, None)}


class TestWhatIsLeftOut:
    async def test_lists_by_number_ratings_and_marks(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        assert ready.preview is not None
        (likes,) = [str(one.number) for one in ready.preview.lists if "likes" in one.title]
        left = frozenset({likes, "ratings", "reviews", "seen"})
        await WatchlistImports(asks(store, clock, ben)).start(
            ready.import_id, WatchlistImportChoices(without=left)
        )
        seen = await finished(store, clock, ben)
        assert set(await lists_now(store)) == {"Letterboxd watchlist", "Autumn evenings"}
        assert (await ratings_now(store), await seen_now(store)) == ({}, {})
        assert (seen.added, seen.skipped) == (4, 4)

    async def test_reviews_without_their_ratings_going_too(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(
            store, clock, ben, LETTERBOXD, "letterboxd.zip", without=frozenset({"reviews"})
        )
        assert (await ratings_now(store))["The Matrix"] == (9, None)


class TestPublishing:
    async def test_new_lists_become_public_at_the_end(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip", publishes=True)
        found = await everything_of(store.engine, Watchlist)
        assert [one.is_public for one in found] == [True] * 3
        await check_watchlists(store)

    async def test_only_those_may_who_publish(self, store: Store, clock: Watch, ben: User) -> None:
        ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
        with pytest.raises(Forbidden):
            await WatchlistImports(asks(store, clock, ben)).start(
                ready.import_id, WatchlistImportChoices(publishes=True)
            )


class TestWhatFails:
    async def test_a_list_that_was_deleted_meanwhile_fails_by_itself(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        mine = await list_of(store, clock, ada, title="Autumn evenings")
        ready = await prepared(store, clock, ada, LETTERBOXD, "letterboxd.zip")
        await lists.delete_list(asks(store, clock, ada), mine.watchlist_id)
        await WatchlistImports(asks(store, clock, ada)).start(
            ready.import_id, WatchlistImportChoices()
        )
        seen = await finished(store, clock, ada)
        assert (seen.state, seen.failed, seen.added) == ("done", 2, 6)
        assert {one.title for one in seen.notes} == {"Heat", "Alien"}
        assert {one.file for one in seen.notes} == {"autumn-evenings.csv"}

    async def test_a_full_list_takes_no_more_where_its_second_part_is_another_list(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        rows = [f"film,T{n},1990,,,,,,,," for n in range(MAX_ITEMS)]
        await imported(store, clock, ben, own_list("Full", *rows))
        file = own_list("Full", "film,One more,1990,,,,,,,,", "list,Full (2),,,,,,,no,,")
        more = await imported(store, clock, ben, file)
        assert (more.failed, more.added) == (1, 0)
        assert "500" in more.notes[0].why


def watchlist(*names: str) -> bytes:
    """A watchlist of Letterboxd's, with made up titles."""
    rows = (f"2024-01-05,{name},1990,https://boxd.it/x" for name in names)
    return "\n".join(["Date,Name,Year,Letterboxd URI", *rows]).encode()


class TestLongLists:
    NAMES = tuple(f"T{number:03d}" for number in range(MAX_ITEMS + 40))

    async def sizes(self, store: Store) -> dict[str, int]:
        """The lists, and how many titles each has."""
        return {name: len(items) for name, items in (await lists_now(store)).items()}

    async def test_the_file_again_adds_to_the_same_lists_wherever_its_rows_stand(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, watchlist(*self.NAMES), "watchlist.csv")
        first = {"Letterboxd watchlist": MAX_ITEMS, "Letterboxd watchlist (2)": 40}
        assert await self.sizes(store) == first
        # What is new stands on top, so every row behind it moves on.
        file = watchlist("New 1", "New 2", *self.NAMES)
        again = await imported(store, clock, ben, file, "watchlist.csv")
        assert (again.added, again.failed) == (2, 0)
        assert again.preview is not None
        assert (again.preview.outcome.listed, again.preview.outcome.new_lists) == (2, 0)
        assert await self.sizes(store) == first | {"Letterboxd watchlist (2)": 42}
        await check_watchlists(store)

    async def test_lists_that_are_full_go_on_on_another_which_undoing_takes_away(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, watchlist(*self.NAMES[:490]), "watchlist.csv")
        file = watchlist(*(f"New {number}" for number in range(60)), *self.NAMES[:490])
        again = await imported(store, clock, ben, file, "watchlist.csv")
        assert again.preview is not None
        assert (again.preview.outcome.listed, again.preview.outcome.new_lists) == (60, 1)
        assert (again.added, again.failed) == (60, 0)
        names = {"Letterboxd watchlist": MAX_ITEMS, "Letterboxd watchlist (2)": 50}
        assert await self.sizes(store) == names
        await check_watchlists(store)
        assert (await undone(store, clock, ben)).removed == 60
        assert await self.sizes(store) == {"Letterboxd watchlist": 490}
        await check_watchlists(store)

    async def test_a_shorter_file_finds_what_is_on_the_second_list(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await imported(store, clock, ben, watchlist(*self.NAMES), "watchlist.csv")
        again = await imported(store, clock, ben, watchlist(*self.NAMES[-30:]), "watchlist.csv")
        assert (again.added, again.skipped, again.failed) == (0, 30, 0)


async def test_a_list_keeps_its_order_and_cover(store: Store, clock: Watch, ben: User) -> None:
    rows = [f"film,T{n:03d},1990,,,,note {n},,,{'yes' if n == 40 else ''}," for n in range(60)]
    await imported(store, clock, ben, own_list("Long", *rows))
    assert (await lists_now(store))["Long"] == [(f"T{n:03d}", f"note {n}") for n in range(60)]
    (made,) = await everything_of(store.engine, Watchlist)
    (cover,) = [one for one in await everything_of(store.engine, Movie) if one.title == "T040"]
    assert made.cover_title == f"MOVIE#{cover.movie_id}"


async def test_a_picture_that_is_no_https_address_is_skipped_and_said(
    store: Store, clock: Watch, ben: User
) -> None:
    told = {
        "format": "commonroom-watchlists",
        "version": 1,
        "lists": [
            {"title": "Safe", "cover_image_url": "https://pictures.example/a.jpg"},
            {"title": "Unsafe", "cover_image_url": "http://inside.example/a.jpg"},
        ],
    }
    seen = await imported(store, clock, ben, msgspec.json.encode(told), "lists.json")
    made = {one.title: one.cover_image_url for one in await everything_of(store.engine, Watchlist)}
    assert made == {"Safe": "https://pictures.example/a.jpg", "Unsafe": None}
    assert seen.failed == 0


REVIEWS = (
    b"Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
    b"2023-05-06,The Matrix,1999,https://boxd.it/e2,,,Words alone.,,2023-05-05\n"
    b"2023-05-07,Heat,1995,https://boxd.it/e3,4,,Words with stars.,,2023-05-06\n"
)


class TestReviewsAlone:
    async def test_they_come_along_and_are_counted_in_the_preview(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        ready = await prepared(store, clock, ada, REVIEWS, "reviews.csv")
        assert ready.preview is not None
        assert (ready.preview.reviewed, ready.preview.unrated_reviews) == (2, 1)
        assert (ready.preview.outcome.reviewed, ready.preview.outcome.rated) == (2, 1)
        await imported(store, clock, ada, REVIEWS, "reviews.csv")
        assert await ratings_now(store) == {
            "The Matrix": (None, "Words alone."),
            "Heat": (8, "Words with stars."),
        }
        assert await seen_now(store) == {"The Matrix": "2023-05-05", "Heat": "2023-05-06"}
        (shown,) = (await see_reviews(store, TitleId("MOVIE", "603"))).items
        assert shown.author is not None, "others see a name"
        await check_watchlists(store)

    async def test_none_comes_along_while_its_author_is_suspended(
        self, store: Store, clock: Watch, ada: User, root: User
    ) -> None:
        await curators.decide(asks(store, clock, root), ada.user_id, "suspend", "Spam.")
        await imported(store, clock, ada, REVIEWS, "reviews.csv")
        assert await ratings_now(store) == {"Heat": (8, None)}
        assert await seen_now(store) == {"The Matrix": "2023-05-05", "Heat": "2023-05-06"}
        assert not (await see_reviews(store, TitleId("MOVIE", "603"))).items
        await check_watchlists(store)

    async def test_one_joins_stars_that_were_there_and_undoing_leaves_them(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await rate(asks(store, clock, ada), TITLES, TitleId("MOVIE", "603"), rating=6)
        again = await imported(store, clock, ada, REVIEWS, "reviews.csv")
        assert again.added == 2
        assert (await ratings_now(store))["The Matrix"] == (6, "Words alone.")
        await undone(store, clock, ada)
        assert await ratings_now(store) == {"The Matrix": (6, None)}
        await check_watchlists(store)

    async def test_they_are_in_the_export_and_come_back(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await imported(store, clock, ada, REVIEWS, "reviews.csv")
        file = b"".join([one async for one in export_everything(asks(store, clock, ada)).pieces])
        await imported(store, clock, ben, file, "mine.json")
        opinion = await load_opinion(store, ben.user_id, TitleId("MOVIE", "603"))
        assert opinion.rating is not None
        assert (opinion.rating.rating, opinion.rating.review) == (None, "Words alone.")


DIARY = (
    b"Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
    b"2020-02-02,The Matrix,1999,https://boxd.it/e1,3,,,2020-02-01\n"
    b"2023-05-06,The Matrix,1999,https://boxd.it/e2,4,Yes,,2023-05-05\n"
    b"2021-01-02,The Matrix,1999,https://boxd.it/e3,,Yes,,2021-01-01\n"
    b"2021-01-02,Heat,1995,https://boxd.it/e4,,,,2021-01-01\n"
    b"2024-01-02,Heat,1995,https://boxd.it/e5,,Yes,,2024-01-01\n"
)


async def marked(store: Store, person: User, title: TitleId) -> tuple[str | None, list[str]]:
    """On which days somebody saw a title."""
    seen = (await load_opinion(store, person.user_id, title)).seen
    return (None, []) if seen is None else (seen.seen_on, seen.other_days)


class TestEarlierViewings:
    async def test_the_days_of_a_diary_are_kept_and_leave_with_an_export(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        await imported(store, clock, ada, DIARY, "diary.csv")
        days = ("2023-05-05", ["2021-01-01", "2020-02-01"])
        assert await marked(store, ada, MATRIX) == days
        assert (await seen_now(store))["Heat"] == "2024-01-01"
        told = await export_opinions(store, ada)
        assert ["2021-01-01"] in [one.get("otherDays") for one in told["seen"]]
        file = b"".join([one async for one in export_everything(asks(store, clock, ada)).pieces])
        await imported(store, clock, ben, file, "mine.json")
        assert await marked(store, ben, MATRIX) == days
        await check_watchlists(store)

    async def test_a_mark_that_was_there_keeps_its_day_and_gets_the_others_once(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await mark_seen(asks(store, clock, ada), TITLES, MATRIX, "2022-02-02")
        ready = await prepared(store, clock, ada, DIARY, "diary.csv")
        assert ready.preview is not None
        assert (ready.preview.outcome.dated, ready.preview.outcome.seen) == (1, 1)
        await imported(store, clock, ada, DIARY, "diary.csv")
        days = ("2022-02-02", ["2023-05-05", "2021-01-01", "2020-02-01"])
        assert await marked(store, ada, MATRIX) == days
        again = await prepared(store, clock, ada, DIARY, "diary.csv")
        assert again.preview is not None
        assert again.preview.outcome.already == 2

    @pytest.mark.parametrize("rated", [None, 3])
    async def test_undoing_gives_a_mark_its_days_back(
        self, store: Store, clock: Watch, ada: User, rated: int | None
    ) -> None:
        await mark_seen(asks(store, clock, ada), TITLES, MATRIX, "2022-02-02")
        if rated is not None:
            await rate(asks(store, clock, ada), TITLES, MATRIX, rating=rated)
        await imported(store, clock, ada, DIARY, "diary.csv", rated="replace")
        assert (await undone(store, clock, ada)).kept == 0
        assert await marked(store, ada, MATRIX) == ("2022-02-02", [])
        assert await seen_now(store) == {"The Matrix": "2022-02-02"}
        await check_watchlists(store)

    async def test_a_title_that_was_not_seen_after_all_has_no_days(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await imported(store, clock, ada, DIARY, "diary.csv", without=frozenset({"ratings"}))
        await unmark_seen(asks(store, clock, ada), TITLES, MATRIX)
        assert await marked(store, ada, MATRIX) == (None, [])


async def test_a_rating_counts_for_the_title_once(store: Store, clock: Watch, ada: User) -> None:
    await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip")
    opinion = await load_opinion(store, ada.user_id, TitleId("MOVIE", "603"))
    assert opinion.rating is not None
    assert opinion.rating.rated_at == "2022-02-01T00:00:00.000Z"
    (matrix,) = [one for one in await everything_of(store.engine, Movie) if one.movie_id == "603"]
    assert (matrix.rating_count, matrix.rating_sum) == (1, 9)
