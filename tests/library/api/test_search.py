from __future__ import annotations

from typing import Any

import pytest

from commonroom.store import counting
from tests.accounts.api.calling import V1, Client, given, problem
from tests.library.api.shelving import Shelving

SEARCH = f"{V1}/library/search"


class TestSearchLibrary:
    async def test_nobody_finds_anything(self, guest: Client) -> None:
        problem(await guest.get(SEARCH, params={"q": "angelo"}), 401)

    async def test_finds_what_one_owns_or_is_shared_and_nothing_else(self, here: Shelving) -> None:
        added = await here.add("Angelo", authors=["Otto Ångström"])
        for client, mine in ((here.ann, True), (here.ben, False)):
            (found,) = given(await client.get(SEARCH, params={"q": "angstrom angelp"}))["items"]
            assert (found["is_mine"], found["library_name"]) == (mine, "Home")
            assert found["item"]["item_id"] == added["item_id"]
        assert given(await here.eve.get(SEARCH, params={"q": "angelo"})) == {
            "items": [],
            "next_cursor": None,
        }

    async def test_shows_an_item_as_it_is_shown_elsewhere(self, here: Shelving) -> None:
        book = await here.lent("Angelo", due_date="2033-05-31")
        for client in (here.ann, here.ben):
            (found,) = given(await client.get(SEARCH, params={"q": "angelo"}))["items"]
            assert found["item"] == given(await client.get(book))

    async def test_gives_pages(self, here: Shelving) -> None:
        titles = [f"Winter {number}" for number in range(7)]
        for title in reversed(titles):
            await here.add(title)
        seen: list[str] = []
        asked: dict[str, Any] = {"q": "winter", "limit": 3}
        for number in (3, 3, 1):
            page = given(await here.ann.get(SEARCH, params=asked))
            assert len(page["items"]) == number
            seen += [one["item"]["title"] for one in page["items"]]
            asked["cursor"] = page["next_cursor"]
        assert asked["cursor"] is None
        assert seen == titles

    @pytest.mark.parametrize(
        "asked, status",
        [
            ({}, 400),
            ({"q": ""}, 400),
            ({"q": "x" * 201}, 400),
            ({"q": "winter", "limit": "51"}, 400),
            ({"q": "winter", "cursor": "nonsense"}, 400),
            ({"q": " ".join("abcdefghijklm")}, 422),
        ],
    )
    async def test_refuses_what_it_cannot_search_for(
        self, here: Shelving, asked: dict[str, str], status: int
    ) -> None:
        problem(await here.ann.get(SEARCH, params=asked), status)

    async def test_remembers_titles_from_one_request_to_the_next(self, here: Shelving) -> None:
        await here.add("Angelo")
        given(await here.ann.get(here.home))  # who asks is known now
        costs = []
        for _ in range(2):
            with counting() as tally:
                given(await here.ann.get(SEARCH, params={"q": "angelo"}))
            costs.append(tally.requests)
        assert costs[0] - costs[1] == 2, "the titles and the collections"
