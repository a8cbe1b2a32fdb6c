from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.mailer import AccountMailer
from commonroom.accounts.service import email_addresses
from commonroom.accounts.service.throttle import ADDRESS_TAKEN, FORGOTTEN_OF_ACCOUNT
from commonroom.accounts.tables import User
from commonroom.store import Store
from tests.accounts.api.calling import (
    ANOTHER,
    PASSWORD,
    V1,
    Calling,
    Client,
    api,
    given,
    problem,
)
from tests.support.first_account import CODE
from tests.support.mail import Mailbox, mailbox

ME = f"{V1}/me"
CHANGE = {"email": "b@example.org", "password": PASSWORD}
MAIL = {"mail_from": "commonroom@home.example", "public_address": "https://home.example"}


@pytest.fixture
async def box(calling: Calling, store: Store) -> AsyncIterator[Mailbox]:
    """The letters, of an installation that sends some; ask for it before anybody who calls."""
    async with mailbox() as made:
        calling.app = api(store, mail_server=made.address, **MAIL)
        yield made


async def secret(calling: Calling, box: Mailbox, email: str | None) -> str:
    """The secret of the link in the newest letter to somebody."""
    post: AccountMailer = calling.app.state.mailer
    await post.close()
    found = re.search(r"/(?:confirm|reset)/(\S+)", box.to(str(email))[-1].get_content())
    assert found
    return found[1]


class TestChangeAddress:
    async def test_nobody_and_no_program_does(self, guest: Client, program: Client) -> None:
        problem(await guest.put(f"{ME}/address", json=CHANGE), 401)
        problem(await program.put(f"{ME}/address", json=CHANGE), 403)

    async def test_a_browser_does_at_once_where_no_mail_is_sent(
        self, browser: Client, guest: Client
    ) -> None:
        changed = given(await browser.put(f"{ME}/address", json=CHANGE))
        assert (changed["email"], changed["new_email"]) == ("b@example.org", None)
        assert changed["email_confirmed_at"] is None
        given(await guest.post(f"{V1}/session", json=CHANGE), 201)

    async def test_an_address_of_somebody_else_is_refused(self, browser: Client) -> None:
        taken = CHANGE | {"email": "ada@example.org"}
        problem(await browser.put(f"{ME}/address", json=taken), 409)
        nonsense = CHANGE | {"email": "nonsense"}
        assert problem(await browser.put(f"{ME}/address", json=nonsense), 422)["field"] == "email"

    async def test_who_has_an_address_is_found_out_only_a_few_times(self, browser: Client) -> None:
        taken = CHANGE | {"email": "ada@example.org"}
        for _ in range(ADDRESS_TAKEN.tries):
            problem(await browser.put(f"{ME}/address", json=taken), 409)
        problem(await browser.put(f"{ME}/address", json=taken), 429)

    async def test_the_password_must_be_known_and_not_guessed_for_long(
        self, browser: Client
    ) -> None:
        wrong = CHANGE | {"password": "a guess"}
        for _ in range(10):
            refused = problem(await browser.put(f"{ME}/address", json=wrong), 422)
            assert refused["field"] == "password"
        problem(await browser.put(f"{ME}/address", json=wrong), 429)
        without = {"email": "b@example.org"}
        assert problem(await browser.put(f"{ME}/address", json=without), 400)["field"] == "password"

    async def test_with_mail_it_waits_for_the_answer_to_a_letter(
        self, box: Mailbox, calling: Calling, browser: Client, ben: User
    ) -> None:
        changed = given(await browser.put(f"{ME}/address", json=CHANGE))
        assert (changed["email"], changed["new_email"]) == (ben.email, "b@example.org")

        link = f"{V1}/confirmations/{await secret(calling, box, 'b@example.org')}"
        changed = given(await browser.post(link))
        assert (changed["email"], changed["new_email"]) == ("b@example.org", None)
        assert changed["email_confirmed_at"]
        problem(await browser.post(link), 410)

    async def test_one_that_waits_can_be_given_up(
        self, box: Mailbox, calling: Calling, browser: Client
    ) -> None:
        given(await browser.put(f"{ME}/address", json=CHANGE))
        given(await browser.delete(f"{ME}/new-address"), 204)
        assert given(await browser.get(ME))["new_email"] is None
        gone = await secret(calling, box, "b@example.org")
        problem(await browser.post(f"{V1}/confirmations/{gone}"), 410)

    async def test_a_letter_that_is_not_taken_is_told(self, box: Mailbox, browser: Client) -> None:
        box.refusals["RCPT"] = "451 later"
        refused = await browser.put(f"{ME}/address", json=CHANGE)
        assert "127.0.0.1" not in problem(refused, 503)["detail"]
        assert int(refused.headers["retry-after"]) > 0
        assert given(await browser.get(ME))["new_email"] == "b@example.org"

    async def test_it_changes_what_others_must_have_seen(self, browser: Client) -> None:
        tag = (await browser.get(ME)).headers["etag"]
        given(await browser.put(f"{ME}/address", json=CHANGE))
        late = {"If-Match": tag}
        problem(await browser.patch(ME, json={"display_name": "B"}, headers=late), 412)


class TestConfirming:
    async def test_nobody_and_no_program_does(self, guest: Client, program: Client) -> None:
        problem(await guest.post(f"{V1}/confirmations/guess"), 401)
        problem(await program.post(f"{V1}/confirmations/guess"), 403)
        problem(await guest.post(f"{ME}/confirmation"), 401)
        problem(await program.post(f"{ME}/confirmation"), 403)
        problem(await guest.delete(f"{ME}/new-address"), 401)

    async def test_a_letter_can_be_asked_for_until_the_address_is_confirmed(
        self, box: Mailbox, calling: Calling, browser: Client, ben: User
    ) -> None:
        given(await browser.post(f"{ME}/confirmation"), 204)
        given(await browser.post(f"{V1}/confirmations/{await secret(calling, box, ben.email)}"))
        problem(await browser.post(f"{ME}/confirmation"), 409)

    async def test_only_its_person_uses_a_link(
        self, box: Mailbox, calling: Calling, browser: Client, admin: Client, ben: User
    ) -> None:
        given(await browser.post(f"{ME}/confirmation"), 204)
        link = f"{V1}/confirmations/{await secret(calling, box, ben.email)}"
        problem(await admin.post(link), 403)
        given(await browser.post(link))

    async def test_whoever_signs_up_gets_one(
        self, box: Mailbox, calling: Calling, guest: Client
    ) -> None:
        new = {"email": "ada@example.org", "display_name": "Ada", "password": PASSWORD}
        given(await guest.post(f"{V1}/setup", json=new | {"code": CODE}), 201)
        link = f"{V1}/confirmations/{await secret(calling, box, 'ada@example.org')}"
        assert given(await guest.post(link))["email_confirmed_at"]

    async def test_signing_up_is_answered_alike_whoever_has_the_address(
        self, box: Mailbox, calling: Calling, store: Store, ada: User
    ) -> None:
        calling.app.state.settings = replace(calling.app.state.settings, sign_up="open")
        answers = []
        for email in ("Ada@example.org", "dora@example.org"):
            guest = await calling.guest()
            new = {"email": email, "display_name": "Dora", "password": PASSWORD}
            answers.append(await guest.post(f"{V1}/accounts", json=new))
        for answer in answers:
            assert (answer.status_code, answer.content) == (202, b"")
            assert "set-cookie" not in answer.headers
        post: AccountMailer = calling.app.state.mailer
        await post.close()
        assert "/sign-up/finish/" not in box.to("Ada@example.org")[0].get_content()

        found = re.search(r"/finish/(\S+)", box.to("dora@example.org")[0].get_content())
        assert found
        guest = await calling.guest()
        made = given(await guest.post(f"{V1}/sign-ups/{found[1]}"), 201)
        assert made["email_confirmed_at"]
        assert given(await guest.get(ME))["email"] == "dora@example.org"
        problem(await guest.post(f"{V1}/sign-ups/{found[1]}"), 410)

    async def test_administrators_see_who_has(
        self, admin: Client, store: Store, ada: User, ben: User
    ) -> None:
        _, link = await email_addresses.make_confirmation_link(Context(store, ben, time.time()))
        await email_addresses.confirm_address(Context(store, ben, time.time()), link)
        people = given(await admin.get(f"{V1}/people"))["items"]
        assert [bool(one["email_confirmed_at"]) for one in people] == [False, True]

    async def test_where_no_mail_is_sent_there_is_none(self, browser: Client) -> None:
        assert "administrator" in problem(await browser.post(f"{ME}/confirmation"), 422)["detail"]


class TestForgotten:
    async def test_a_letter_brings_a_link(
        self, box: Mailbox, calling: Calling, guest: Client, store: Store, ben: User
    ) -> None:
        _, link = await email_addresses.make_confirmation_link(Context(store, ben, time.time()))
        await email_addresses.confirm_address(Context(store, ben, time.time()), link)
        given(await guest.post(f"{V1}/resets", json={"email": ben.email}), 204)
        reset = f"{V1}/resets/{await secret(calling, box, ben.email)}"
        given(await guest.post(reset, json={"password": ANOTHER}), 204)
        body = {"email": ben.email, "password": ANOTHER}
        given(await guest.post(f"{V1}/session", json=body), 201)

    @pytest.mark.parametrize("email", ["ben@example.org", "nobody@example.org", "nonsense"])
    async def test_the_answer_is_the_same_and_too_often_is_too_often(
        self, box: Mailbox, guest: Client, ben: User, email: str
    ) -> None:
        for _ in range(FORGOTTEN_OF_ACCOUNT.tries):
            given(await guest.post(f"{V1}/resets", json={"email": email}), 204)
        problem(await guest.post(f"{V1}/resets", json={"email": email}), 429)

    async def test_where_no_mail_is_sent_an_administrator_helps(self, guest: Client) -> None:
        refused = problem(await guest.post(f"{V1}/resets", json={"email": "a@example.org"}), 422)
        assert "administrator" in refused["detail"]
