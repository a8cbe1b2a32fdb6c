from __future__ import annotations

import time

from commonroom.accounts.context import Context
from commonroom.accounts.service import administration
from commonroom.accounts.service.throttle import SIGN_UP_FROM_ADDRESS
from commonroom.accounts.tables import User
from commonroom.store import Store
from tests.accounts.api.calling import PASSWORD, V1, Client, api, given, problem
from tests.accounts.api.calling import Calling as Callers
from tests.support.first_account import CODE

SETUP = f"{V1}/setup"
SET_UP = {
    "email": "ada@example.org",
    "display_name": "Ada",
    "password": PASSWORD,
    "code": CODE,
}
NEW = {"email": "eve@example.org", "display_name": "Eve", "password": PASSWORD}


class TestSetUp:
    async def test_anybody_becomes_the_first_administrator_and_is_signed_in(
        self, guest: Client
    ) -> None:
        made = given(await guest.post(SETUP, json=SET_UP), 201)
        assert made["is_admin"] is True
        assert given(await guest.get(f"{V1}/me"))["user_id"] == made["user_id"]

    async def test_there_is_only_one_first(self, guest: Client, ada: User) -> None:
        problem(await guest.post(SETUP, json=SET_UP), 409)

    async def test_a_field_that_cannot_be_taken_is_named(self, guest: Client) -> None:
        short = SET_UP | {"password": "short"}
        refused = problem(await guest.post(SETUP, json=short), 422)
        assert refused["field"] == "password"
        nowhere = SET_UP | {"email": "no"}
        refused = problem(await guest.post(SETUP, json=nowhere), 422)
        assert refused["field"] == "email"


class TestSignUp:
    async def test_anybody_with_an_invitation_gets_an_account_and_is_signed_in(
        self, guest: Client, store: Store, ada: User
    ) -> None:
        secret = await administration.invite(Context(store, ada, time.time()))
        made = given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 201)
        assert made["is_admin"] is False
        assert given(await guest.get(f"{V1}/me"))["user_id"] == made["user_id"]

    async def test_without_an_invitation_nobody_does(self, guest: Client, ada: User) -> None:
        problem(await guest.post(f"{V1}/accounts", json=NEW), 403)

    async def test_an_invitation_is_used_up(self, guest: Client, store: Store, ada: User) -> None:
        secret = await administration.invite(Context(store, ada, time.time()))
        given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 201)
        again = NEW | {"invitation": secret, "email": "other@example.org"}
        problem(await guest.post(f"{V1}/accounts", json=again), 410)

    async def test_where_everybody_may_no_invitation_is_needed(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="open")
        guest = await calling.guest()
        given(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": None}), 201)

    async def test_an_address_has_one_account(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="open")
        taken = NEW | {"email": "ADA@example.org"}
        problem(await (await calling.guest()).post(f"{V1}/accounts", json=taken), 409)

    async def test_where_nobody_may_nobody_does(
        self, calling: Callers, store: Store, ada: User
    ) -> None:
        calling.app = api(store, sign_up="closed")
        secret = await administration.invite(Context(store, ada, time.time()))
        guest = await calling.guest()
        problem(await guest.post(f"{V1}/accounts", json=NEW | {"invitation": secret}), 403)

    async def test_too_many_tries_have_to_wait(self, guest: Client, ada: User) -> None:
        for _ in range(SIGN_UP_FROM_ADDRESS.tries):
            problem(await guest.post(f"{V1}/accounts", json=NEW), 403)
        refused = await guest.post(f"{V1}/accounts", json=NEW)
        problem(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
