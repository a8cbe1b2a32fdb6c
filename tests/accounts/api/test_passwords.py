from __future__ import annotations

import time

from commonroom.accounts.service import passwords
from commonroom.accounts.service.throttle import RESET_FROM_ADDRESS
from commonroom.accounts.tables import User
from commonroom.store import Store
from tests.accounts.api.calling import ANOTHER, PASSWORD, V1, Calling, Client, given, problem

ME = f"{V1}/me"
CHANGE = {"old_password": PASSWORD, "password": ANOTHER}


class TestChooseNewPassword:
    async def test_anybody_with_the_link_does_once(
        self, guest: Client, store: Store, ben: User
    ) -> None:
        secret = await passwords.make_reset_link(store, time.time(), ben)
        address = f"{V1}/resets/{secret}"
        given(await guest.post(address, json={"password": ANOTHER}), 204)
        problem(await guest.post(address, json={"password": ANOTHER}), 410)
        body = {"email": ben.email, "password": ANOTHER}
        given(await guest.post(f"{V1}/session", json=body), 201)

    async def test_a_poor_password_leaves_the_link_good(
        self, guest: Client, store: Store, ben: User
    ) -> None:
        secret = await passwords.make_reset_link(store, time.time(), ben)
        address = f"{V1}/resets/{secret}"
        assert problem(await guest.post(address, json={"password": "1234567890"}), 422)["field"]
        given(await guest.post(address, json={"password": ANOTHER}), 204)

    async def test_guessing_has_to_wait(self, guest: Client) -> None:
        for number in range(RESET_FROM_ADDRESS.tries):
            wrong = f"{V1}/resets/guess-{number}"
            problem(await guest.post(wrong, json={"password": ANOTHER}), 410)
        problem(await guest.post(f"{V1}/resets/guess", json={"password": ANOTHER}), 429)


class TestChangePassword:
    async def test_nobody_does(self, guest: Client) -> None:
        problem(await guest.put(f"{ME}/password", json=CHANGE), 401)

    async def test_a_browser_stays_signed_in_and_everything_else_does_not(
        self, browser: Client, program: Client, calling: Calling, ben: User
    ) -> None:
        other = await calling.browser(ben)
        old = browser.cookies["session"]
        given(await browser.put(f"{ME}/password", json=CHANGE))
        assert browser.cookies["session"] != old
        given(await browser.get(ME))
        problem(await other.get(ME), 401)
        problem(await program.get(ME), 401)

    async def test_a_program_cannot_even_where_it_knows_the_old_one(self, program: Client) -> None:
        problem(await program.put(f"{ME}/password", json=CHANGE), 403)
        given(await program.get(ME))

    async def test_the_old_one_must_be_known_and_not_guessed_for_long(
        self, browser: Client
    ) -> None:
        wrong = CHANGE | {"old_password": "a guess"}
        for _ in range(10):
            refused = problem(await browser.put(f"{ME}/password", json=wrong), 422)
            assert refused["field"] == "old_password"
        problem(await browser.put(f"{ME}/password", json=wrong), 429)
