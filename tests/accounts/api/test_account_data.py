from __future__ import annotations

import time

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles
from commonroom.accounts.tables import User, user_by_id
from commonroom.store import Store
from tests.accounts.api.calling import V1, Client, given, problem

ME = f"{V1}/me"
CONFIRM = {"Confirm": "Delete my account"}


class TestExport:
    async def test_nobody_gets_nothing(self, guest: Client) -> None:
        problem(await guest.get(f"{ME}/export"), 401)

    async def test_a_person_gets_everything_but_secrets(
        self, program: Client, store: Store, ben: User
    ) -> None:
        kim = await profiles.add_managed(Context(store, ben, time.time()), display_name="Kim")
        answer = await program.get(f"{ME}/export")
        exported = given(answer)
        assert answer.headers["content-disposition"].startswith("attachment")
        assert exported["account"]["user_id"] == ben.user_id
        assert [one["user_id"] for one in exported["managed_members"]] == [kim.user_id]
        assert [one["name"] for one in exported["api_tokens"]] == ["a program"]
        assert "digest" not in answer.text
        assert "$argon2" not in answer.text

    async def test_not_while_acting_for_somebody(
        self, browser: Client, store: Store, ben: User
    ) -> None:
        kim = await profiles.add_managed(Context(store, ben, time.time()), display_name="Kim")
        acting = {"X-Acting-As-Member": kim.user_id}
        problem(await browser.get(f"{ME}/export", headers=acting), 403)


class TestDeleteMe:
    async def test_nobody_and_no_program_does(self, guest: Client, program: Client) -> None:
        problem(await guest.delete(ME, headers=CONFIRM), 401)
        problem(await program.delete(ME, headers=CONFIRM), 403)

    async def test_it_has_to_be_meant(self, browser: Client) -> None:
        assert problem(await browser.delete(ME), 422)["field"] == "Confirm"
        problem(await browser.delete(ME, headers={"Confirm": "yes"}), 422)
        given(await browser.get(ME))

    async def test_then_everything_is_gone(
        self, browser: Client, program: Client, store: Store, ben: User
    ) -> None:
        given(await browser.delete(ME, headers=CONFIRM), 204)
        assert "session" not in browser.cookies
        assert await store.get(user_by_id(user_id=ben.user_id)) is None
        problem(await program.get(ME), 401)

    async def test_the_only_administrator_cannot_leave(self, admin: Client) -> None:
        problem(await admin.delete(ME, headers=CONFIRM), 403)
