"""Sensitive acts: never by a token, only a short while after the password, and told to people."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from commonroom.accounts.secrets import digest
from commonroom.accounts.sensitive_acts import forget_names
from commonroom.accounts.service import account_data, administration
from commonroom.accounts.service.account_data import CONFIRMATION
from commonroom.accounts.service.sessions import CONFIRMED_SECONDS
from commonroom.accounts.service.throttle import PASSWORD_AGAIN
from commonroom.accounts.tables import Session, User
from commonroom.house.consumers import notification_kinds
from commonroom.http.access import AFTER_PASSWORD, Need
from commonroom.http.application import App
from commonroom.moments import iso
from commonroom.notifications.kinds import Words
from commonroom.notifications.tables import newest_notifications
from commonroom.settings import Settings
from commonroom.store import Store, update
from commonroom.store.streams import Change
from tests.accounts.api.calling import (
    ANOTHER,
    PASSWORD,
    V1,
    Calling,
    Client,
    first,
    given,
    problem,
    someone,
)
from tests.support.application import application
from tests.support.fixtures import store_of_now

store = store_of_now

SENSITIVE = """
POST    /admin/people/{user_id:str}/administrator           administrator
POST    /admin/people/{user_id:str}/disable                 administrator
POST    /admin/people/{user_id:str}/enable                  administrator
POST    /admin/people/{user_id:str}/ordinary                administrator
POST    /admin/people/{user_id:str}/reset-link              administrator
POST    /admin/webhooks                                     administrator
DELETE  /api/v1/me                                          person
POST    /api/v1/me/tokens                                   person
POST    /api/v1/me/webhooks                                 person
DELETE  /api/v1/people/{user_id:str}/administrator          administrator
PUT     /api/v1/people/{user_id:str}/administrator          administrator
DELETE  /api/v1/people/{user_id:str}/disabled               administrator
PUT     /api/v1/people/{user_id:str}/disabled               administrator
POST    /api/v1/people/{user_id:str}/reset-link             administrator
POST    /api/v1/webhooks                                    administrator
POST    /me/data/delete                                     person
POST    /me/tokens                                          person
POST    /me/webhooks                                        person
"""
"""What needs that the password was given lately."""
WITH_PASSWORD = """
PUT     /api/v1/me/address
PUT     /api/v1/me/password
POST    /me/security/address
POST    /me/security/password
"""
"""What takes the password itself along."""
NEEDS = {"administrator": Need.ADMINISTRATOR_RECENT_AUTH, "person": Need.RECENT_AUTH}

CHANGE = {"old_password": PASSWORD, "password": ANOTHER}
MOVE = {"email": "elsewhere@example.org", "password": PASSWORD}


class OwnAct(Struct, frozen=True):
    """What Ben does with his account, and what is told of it to him and to others."""

    method: str
    path: str
    body: dict[str, Any]
    own: str
    others: str


OWN_ACTS = [
    OwnAct(
        "POST",
        "/me/tokens",
        {"name": "backup", "scopes": ["read"]},
        "An API token was created for your account",
        "Ben created an API token",
    ),
    OwnAct("PUT", "/me/password", CHANGE, "Your password was changed", "Ben has a new password"),
    OwnAct(
        "PUT",
        "/me/address",
        MOVE,
        "Your e-mail address was changed",
        "Ben has a new e-mail address",
    ),
]


@pytest.fixture
async def calling(store: Store, tmp_path: Path) -> AsyncIterator[Calling]:
    """Everybody who calls the whole house."""
    app = application(store, Settings(data=tmp_path))
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)
        await app.state.mailer.close()


@pytest.fixture
async def ada(store: Store) -> User:
    """The first administrator."""
    return await first(store, "Ada")


@pytest.fixture
async def ben(store: Store, ada: User) -> User:
    """Somebody with an ordinary account."""
    return await someone(store, "Ben")


@pytest.fixture
async def cleo(store: Store, ada: User) -> User:
    """Another administrator."""
    cleo = await someone(store, "Cleo")
    await administration.make_administrator(store, cleo)
    return cleo


def needs(app: App) -> dict[tuple[str, str], Need]:
    """What every route needs, by method and path."""
    return {(one.method, one.path): one.need for one in app.routes}


def table(text: str) -> list[list[str]]:
    """The lines of a table."""
    return [line.split() for line in text.strip().splitlines()]


async def age(client: Client, store: Store, seconds: float | None) -> None:
    """Lets it be so long since the password was given in a browser; None for ever."""
    confirmed_at = None if seconds is None else iso(time.time() - seconds)
    session = Session.at(digest=digest(client.cookies["session"]))
    await store.write(update(session, confirmed_at=confirmed_at))


async def told(store: Store, person: User) -> list[Words]:
    """What somebody was told, the newest first."""
    found = await store.page(newest_notifications(user_id=person.user_id))
    return [notification_kinds()[one.kind].words(one.facts) for one in found.items]


async def titles(store: Store, person: User) -> list[str]:
    """The same, its titles."""
    return [words.title for words in await told(store, person)]


def _removed(person: User) -> Change:
    """What a consumer sees of somebody who has gone."""
    key = person.ref.key
    return Change(User, "remove", key, person, None, at=time.time(), by_ttl=False)


class TestEveryRoute:
    def test_carries_the_need_that_the_table_says_and_no_other_does(self, calling: Calling) -> None:
        listed = {(method, path): NEEDS[who] for method, path, who in table(SENSITIVE)}
        found = needs(calling.app)
        assert {key: need for key, need in found.items() if need in AFTER_PASSWORD} == listed
        for method, path in table(WITH_PASSWORD):
            assert found[method, path] is Need.BROWSER

    async def test_is_refused_to_a_token_that_may_everything(
        self, calling: Calling, ada: User, cleo: User
    ) -> None:
        program = await calling.program(ada, "read", "write", "admin")
        for method, path, *_ in table(SENSITIVE) + table(WITH_PASSWORD):
            asked = path.replace("{user_id:str}", cleo.user_id)
            answer = await program.request(method, asked, json={})
            assert answer.status_code == 403, (method, path)

    async def test_is_refused_to_a_browser_whose_password_was_given_long_ago(
        self, calling: Calling, ada: User, cleo: User
    ) -> None:
        browser = await calling.browser(ada)
        for seconds in (None, CONFIRMED_SECONDS + 1):
            await age(browser, calling.store, seconds)
            for method, path, *_ in table(SENSITIVE):
                asked = path.replace("{user_id:str}", cleo.user_id)
                answer = await browser.request(method, asked, json={})
                assert answer.status_code == 403, (method, path)
                confirm = answer.json()["confirm_password_at"]
                assert confirm == f"{V1}/me/password-confirmation"

    @pytest.mark.parametrize("path, body", [("password", CHANGE), ("address", MOVE)])
    async def test_that_takes_the_password_along_needs_the_right_one(
        self, calling: Calling, ada: User, path: str, body: dict[str, str]
    ) -> None:
        browser = await calling.browser(ada)
        await age(browser, calling.store, None)
        wrong = {name: "a guess" if body[name] == PASSWORD else body[name] for name in body}
        problem(await browser.put(f"{V1}/me/{path}", json=wrong), 422)
        given(await browser.put(f"{V1}/me/{path}", json=body))


class TestConfirming:
    async def test_lets_the_same_browser_go_on_for_a_while(
        self, calling: Calling, ada: User
    ) -> None:
        browser, other = await calling.browser(ada), await calling.browser(ada)
        for one in (browser, other):
            await age(one, calling.store, CONFIRMED_SECONDS + 1)
        new = {"name": "backup", "scopes": ["read"]}
        problem(await browser.post(f"{V1}/me/tokens", json=new), 403)
        body = {"password": PASSWORD}
        given(await browser.put(f"{V1}/me/password-confirmation", json=body), 204)
        given(await browser.post(f"{V1}/me/tokens", json=new), 201)
        problem(await other.post(f"{V1}/me/tokens", json=new), 403)

    async def test_takes_no_wrong_password_and_no_token_and_is_not_guessed_for_long(
        self, calling: Calling, ada: User
    ) -> None:
        browser = await calling.browser(ada)
        await age(browser, calling.store, None)
        wrong = {"password": "a guess"}
        for _ in range(PASSWORD_AGAIN.tries):
            refused = problem(await browser.put(f"{V1}/me/password-confirmation", json=wrong), 422)
            assert refused["field"] == "password"
        problem(
            await browser.put(f"{V1}/me/password-confirmation", json={"password": PASSWORD}), 429
        )
        problem(await browser.post(f"{V1}/me/tokens", json={"name": "b", "scopes": ["read"]}), 403)
        program = await calling.program(ada, "read", "write", "admin")
        body = {"password": PASSWORD}
        problem(await program.put(f"{V1}/me/password-confirmation", json=body), 403)

    async def test_is_not_done_by_signing_out_everywhere_else(
        self, calling: Calling, ada: User
    ) -> None:
        browser = await calling.browser(ada)
        await age(browser, calling.store, CONFIRMED_SECONDS + 1)
        given(await browser.delete(f"{V1}/me/sessions"), 204)
        problem(await browser.post(f"{V1}/me/tokens", json={"name": "b", "scopes": ["read"]}), 403)


class TestTelling:
    async def test_a_reset_link_is_told_to_its_person_and_the_other_administrators(
        self, calling: Calling, store: Store, ada: User, ben: User, cleo: User
    ) -> None:
        browser = await calling.browser(ada)
        given(await browser.post(f"{V1}/people/{ben.user_id}/reset-link"), 201)
        (words,) = await told(store, ben)
        assert words.title == "A reset link for your password was created"
        assert words.text.startswith("Ada created a reset link for you")
        (words,) = await told(store, cleo)
        assert words.title == "A reset link was created for Ben"
        assert words.text == "Done by Ada. Take a look if you did not expect this."
        assert await told(store, ada) == [], "nobody is told what they did to others"

    async def test_what_becomes_of_an_administrator_is_told(
        self, calling: Calling, store: Store, ada: User, ben: User, cleo: User
    ) -> None:
        browser = await calling.browser(ada)
        at = f"{V1}/people/{ben.user_id}"
        for method, path in (
            ("PUT", "administrator"),
            ("DELETE", "administrator"),
            ("PUT", "disabled"),
            ("DELETE", "disabled"),
        ):
            given(await browser.request(method, f"{at}/{path}"))
        assert set(await titles(store, cleo)) == {
            "Ben is now an administrator",
            "Ben is no longer an administrator",
            "Ben can no longer sign in",
            "Ben can sign in again",
        }
        assert set(await titles(store, ben)) == {
            "You are now an administrator",
            "You are no longer an administrator",
            "Your account was disabled",
            "You can sign in again",
        }

    @pytest.mark.parametrize("act", OWN_ACTS, ids=lambda act: act.path)
    async def test_what_becomes_of_ones_own_account_is_told_to_oneself_too(
        self, calling: Calling, store: Store, ada: User, ben: User, act: OwnAct
    ) -> None:
        browser = await calling.browser(ben)
        assert (await browser.request(act.method, f"{V1}{act.path}", json=act.body)).is_success
        assert await titles(store, ben) == [act.own]
        assert await titles(store, ada) == [act.others]

    async def test_a_password_chosen_with_a_link_is_told(
        self, calling: Calling, store: Store, ada: User, ben: User, cleo: User
    ) -> None:
        browser = await calling.browser(ada)
        made = given(await browser.post(f"{V1}/people/{ben.user_id}/reset-link"), 201)
        guest = await calling.guest()
        given(await guest.post(f"{V1}/resets/{made['secret']}", json={"password": ANOTHER}), 204)
        assert "Your password was changed" in await titles(store, ben)
        assert "Ben has a new password" in await titles(store, ada), "it was not she who chose it"

    async def test_an_account_that_is_deleted_is_told_without_a_name(
        self, calling: Calling, store: Store, ada: User, ben: User, cleo: User
    ) -> None:
        browser = await calling.browser(ben)
        given(await browser.delete(f"{V1}/me", headers={"Confirm": CONFIRMATION}), 204)
        for administrator in (ada, cleo):
            (words,) = await told(store, administrator)
            assert words.title == "An account was deleted"
            assert "Ben" not in str(words)

    async def test_a_name_is_forgotten_with_its_person(
        self, calling: Calling, store: Store, ada: User, ben: User, cleo: User
    ) -> None:
        cleos = await calling.browser(cleo)
        given(await cleos.post(f"{V1}/people/{ben.user_id}/reset-link"), 201)
        for person in (ben, cleo):
            stored = await store.get(person.ref)
            assert stored is not None
            await account_data.delete_account(store, stored, typed=CONFIRMATION)
            await forget_names(store, _removed(stored))
        (words,) = await told(store, ada)
        assert words.title == "A reset link was created for Someone"
        assert words.text.startswith("Done by Someone.")

    async def test_all_administrators_are_found_however_many_people_there_are(
        self, store: Store, ada: User
    ) -> None:
        for number in range(60):
            await someone(store, f"Guest{number}")
        last = await someone(store, "Zoe")
        await administration.make_administrator(store, last)
        found = await administration.administrators(store)
        assert {one.user_id for one in found} == {ada.user_id, last.user_id}
