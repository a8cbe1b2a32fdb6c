"""What nobody wrote down is null in the API and nowhere on a page."""

from __future__ import annotations

from pathlib import Path

from commonroom.accounts.tables import User
from commonroom.model import MODEL
from commonroom.store import put
from commonroom.store.transfer import storable
from tests.house.whole import Whole, whole
from tests.support.document_records import ADA, RECORDS

TABLES = {table.name: table for table in MODEL.tables}


async def with_records(house: Whole, document: str) -> User:
    """Ada of the data models, in whose house the records of one of them are."""
    ada = User(user_id=ADA, display_name="Ada", created_at="2026-01-01T00:00:00.000Z")
    await house.store.write(put(ada))
    for name, record in RECORDS[document]:
        await house.store.engine.load(TABLES[name], [storable(TABLES[name], record)])
    return ada


async def test_groups_and_hangouts(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        browser = await house.browser_of(await with_records(house, "hangouts"))
        (group,) = (await browser.get("/api/v1/groups")).json()["items"]
        assert (group["group_name"], group["joined_at"]) == ("–", None)
        one = (await browser.get("/api/v1/groups/group-1")).json()
        assert one["created_at"] is None
        page = await browser.get("/groups/group-1")
        assert page.status_code == 200
        assert "1970" not in page.text


async def test_pages_of_shareables(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        record = {
            **{"pk": "shareable#abcdef12345", "sk": "01#", "entity": "checklist"},
            **{"shortId": "abc-def-12345", "name": "My shopping list", "expiresAfter": 7},
        }
        table = TABLES["Shareables"]
        await house.store.engine.load(table, [storable(table, record)])
        guest = await house.guest()
        one = (await guest.get("/api/v1/shareables/abc-def-12345")).json()
        assert (one["name"], one["is_expired"]) == ("My shopping list", False)
        assert [one[it] for it in ("created_at", "updated_at", "expires_at")] == [None] * 3
        page = await guest.get("/s/abc-def-12345", follow_redirects=True)
        assert page.status_code == 200
        assert not {"1970", "2999"} & set(page.text.replace("-", " ").split())


async def test_libraries(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        browser = await house.browser_of(await with_records(house, "library"))
        (one,) = (await browser.get("/api/v1/libraries")).json()["items"]
        assert one["library_name"] == "Home"
        page = await browser.get("/library")
        assert page.status_code == 200


async def test_lists(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        browser = await house.browser_of(await with_records(house, "watchlists"))
        path = RECORDS["watchlists"][1][1]["watchlistId"]
        answer = await browser.get(f"/api/v1/watchlists/{path}")
        one = answer.json()
        assert answer.status_code == 200, one
        assert one["watchlist"]["title"] == "Best Sci-Fi Movies of 2025"
        assert [it["content_id"] for it in one["items"]] == ["tt1234567"]
