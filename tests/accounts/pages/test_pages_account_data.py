"""Taking one's data along, and leaving."""

from __future__ import annotations

import json

from commonroom.accounts.tables import claim_on_address
from tests.support.pages import ADA, BEN, Browser, House, said, text, value, wrong

HERE = "/me/data"


class TestDownload:
    async def test_it_is_a_file_with_everything_and_no_secret(self, ben: Browser) -> None:
        made = await ben.send("/me/tokens", name="script", read="true", days="0")
        answer = await ben.get(f"{HERE}/download")
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["content-disposition"].startswith("attachment;")
        assert answer.headers["cache-control"] == "no-store"
        everything = json.loads(answer.content)
        assert everything["account"]["email"] == BEN["email"]
        assert [one["name"] for one in everything["api_tokens"]] == ["script"]
        assert value(made, "secret") not in answer.text
        assert ben.client.cookies["session"] not in answer.text


class TestDeleting:
    async def test_it_needs_the_words_to_be_typed(self, house: House, ben: Browser) -> None:
        answer = await ben.send(f"{HERE}/delete", typed="yes please")
        assert answer.status_code == 422
        assert wrong(answer, "typed") == "Type “delete my account” to confirm."
        assert value(answer, "typed") == "yes please"
        assert (await house.person(BEN["email"])).display_name == "Ben"

    async def test_the_account_is_gone_and_the_browser_signed_out(
        self, house: House, ben: Browser
    ) -> None:
        answer = await ben.send(f"{HERE}/delete", typed="Delete my account")
        assert "session" not in ben.client.cookies
        assert "deleted" in said(await ben.follow(answer))
        assert await house.store.get(claim_on_address(address=BEN["email"])) is None

    async def test_the_only_administrator_is_told_what_to_do_first(
        self, house: House, ada: Browser
    ) -> None:
        answer = await ada.send(f"{HERE}/delete", typed="delete my account")
        assert answer.status_code == 403
        assert "Make someone else an administrator first" in text(answer)
        assert (await house.person(ADA["email"])).is_admin
