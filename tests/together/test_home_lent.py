"""Home: what is lent and borrowed and due, and followed lists with something new."""

from __future__ import annotations

from pathlib import Path

from commonroom.joins.home import card_key
from tests.accounts.api.calling import someone
from tests.house.whole import whole
from tests.support.pages import text
from tests.together.plenty import follow_lists, lent_book
from tests.together.test_home import IN_PLACE, page_of


class TestWhatIsLent:
    async def test_is_shown_where_it_is_due_within_a_week_the_latest_first(
        self, tmp_path: Path
    ) -> None:
        async with whole(tmp_path) as house:
            for title, days in (("Soon", 3), ("Late", -2), ("Far", 30)):
                await lent_book(house.store, house.ada, title, days=days)
            page = await page_of(await house.browser())
        assert page.index("Late") < page.index("Soon")
        assert "Late Lent to Tom 2 days overdue" in page
        assert "Far" not in page

    async def test_is_marked_as_returned_in_place(self, tmp_path: Path) -> None:
        async with whole(tmp_path) as house:
            book = await lent_book(house.store, house.ada, "Dune", days=-1)
            ada, key = await house.browser(), card_key("lent", book.item_id)
            assert f'hx-target="#{key}"' in (await ada.get("/")).text
            action = f"/library/{book.library_id}/items/{book.item_id}/return"
            answer = await ada.post(action, data={"home": key}, headers=IN_PLACE)
            assert f'id="{key}" data-stays' in answer.text
            assert "Returned" in text(answer) or "returned" in text(answer)
            assert "Dune" not in await page_of(ada)
            again = await ada.post(action, data={"home": key})
            assert again.headers["location"] == "/"

    async def test_a_key_that_no_card_has_is_refused(self, tmp_path: Path) -> None:
        async with whole(tmp_path) as house:
            book = await lent_book(house.store, house.ada, "Dune", days=-1)
            action = f"/library/{book.library_id}/items/{book.item_id}/return"
            answer = await (await house.browser()).post(action, data={"home": '"><script>'})
            assert answer.status_code == 400


class TestWhatIsBorrowed:
    async def test_waits_for_its_borrower_a_day_before_and_is_due_before_that(
        self, tmp_path: Path
    ) -> None:
        async with whole(tmp_path) as house:
            ben = await someone(house.store, "Ben")
            for title, days in (("Now", 1), ("Later", 5), ("Far", 30)):
                await lent_book(house.store, ben, title, days=days, to=house.ada)
            page = await page_of(await house.browser())
        assert page.index("Waiting for you") < page.index("Bring back Now")
        assert page.index("Bring back Now") < page.index("Lent and borrowed")
        assert page.index("Lent and borrowed") < page.index("Bring back Later")
        assert "Borrowed from Ben" in page
        assert "Far" not in page


class TestFollowedLists:
    async def test_are_shown_with_what_is_new_and_only_then(self, tmp_path: Path) -> None:
        async with whole(tmp_path) as house:
            await follow_lists(house.store, house.ada, 1)
            page = await page_of(await house.browser())
        assert "New on lists you follow List 0 By Maya 3 new" in page

    async def test_are_not_shown_where_nothing_is_new(self, tmp_path: Path) -> None:
        async with whole(tmp_path) as house:
            await follow_lists(house.store, house.ada, 2, new=0)
            assert "New on lists" not in await page_of(await house.browser())
