"""What visitors and load balancers are told while the data is being upgraded."""

from __future__ import annotations

from pathlib import Path

from commonroom.library.tables import Library
from commonroom.open_store import upgrade_of
from commonroom.store import put
from tests.house.whole import whole
from tests.support.earlier_keys import forget_keys
from tests.support.sample_data import LIBRARY


async def test_what_cannot_be_shown_in_full_is_refused_and_all_else_works(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        await house.store.write(put(LIBRARY))
        await forget_keys(house.store.engine, Library, "GSI1PK", "GSI1SK")
        upgrade = upgrade_of(house.store)
        await upgrade.record_states()
        await upgrade.is_complete()
        browser = await house.browser()

        page = await browser.get("/library")
        assert page.status_code == 503
        assert page.headers["retry-after"] == "5"
        assert "The data is being upgraded" in page.text
        assert (await browser.get("/me")).status_code == 200
        ready = await browser.get("/health/ready")
        assert (ready.status_code, ready.json()["status"]) == (200, "upgrading")
        assert ready.json()["detail"].startswith("The data is being upgraded")

        await upgrade.keep_on()
        assert (await browser.get("/library")).status_code == 200
        assert (await browser.get("/health/ready")).json()["status"] == "ready"
