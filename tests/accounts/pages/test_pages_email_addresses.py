"""The front door with a mail server: confirming an address, and a forgotten password."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest

from commonroom.accounts.service.throttle import (
    CONFIRMATION_OF_ACCOUNT,
    CONFIRMATION_TO_ADDRESS,
    FORGOTTEN_FROM_ADDRESS,
    FORGOTTEN_OF_ACCOUNT,
)
from commonroom.accounts.tables import accounts
from commonroom.http.words import FLASH_TEXTS
from commonroom.store import update
from tests.support.mail import Mailbox, mailbox, words
from tests.support.pages import (
    ADA,
    BEN,
    PASSWORD,
    Browser,
    House,
    invited,
    said,
    tag,
    text,
    value,
    wrong,
)

HERE = "/me/security"
PLACE = "https://home.example"
NEW = "countess@example.org"
WANT = {"email": NEW, "password": PASSWORD}


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    """The mail server's letters."""
    async with mailbox() as made:
        yield made


@pytest.fixture
async def house(house: House, box: Mailbox) -> House:
    """An installation that sends mail."""
    house.set(mail_server=box.address, mail_from="commonroom@home.example", public_address=PLACE)
    return house


@pytest.fixture
async def ben(house: House, ada: Browser, box: Mailbox) -> Browser:
    """The browser of somebody who was invited, and has opened the link in their letter."""
    browser = await house.browser()
    await browser.send("/sign-up", **BEN, invitation=await invited(ada))
    answer = await browser.send(await link(house, box, BEN["email"]))
    assert answer.status_code == 303, text(answer)
    browser.client.cookies.delete("said")
    return browser


async def link(house: House, box: Mailbox, email: str) -> str:
    """The path of the link in the newest letter to somebody, once all letters have arrived."""
    await house.post.close()
    content = words(box.to(email)[-1])
    found = re.search(rf"^{PLACE}(/\S+)$", content, re.MULTILINE)
    assert found, content
    return found[1]


async def confirmed(house: House, box: Mailbox, browser: Browser, email: str) -> None:
    """Somebody opens the link in their letter, and says that it is theirs."""
    answer = await browser.send(await link(house, box, email))
    assert answer.headers["location"] == HERE


class TestANewAccount:
    async def test_gets_a_letter_and_works_before_it_is_answered(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        assert (await ada.get("/")).status_code == 200
        assert (await link(house, box, ADA["email"])).startswith("/confirm/")
        assert len(box.to(ADA["email"])) == 1
        assert "not confirmed yet" in text(await ada.get("/me"))
        assert "It is not confirmed yet" in text(await ada.get(HERE))

    async def test_is_confirmed_by_the_link_and_a_press(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        path = await link(house, box, ADA["email"])
        for _ in range(2):
            asked = await ada.get(path)
            assert ADA["email"] in text(asked)
            assert asked.headers["cache-control"] == "no-store"
        assert (await house.person(ADA["email"])).email_confirmed_at is None, "looking is no answer"

        page = await ada.follow(await ada.send(path))
        assert said(page) == FLASH_TEXTS["address-confirmed"]
        assert "You sign in with it. confirmed" in text(page)
        assert (await house.person(ADA["email"])).email_confirmed_at
        assert "confirmed" not in text(await ada.get("/me"))
        assert (await ada.get(path)).status_code == 410
        assert (await ada.send(f"{HERE}/address/letter")).status_code == 409

    async def test_whoever_is_not_signed_in_is_asked_to_and_comes_back(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        path = await link(house, box, ADA["email"])
        form = await guest.follow(await guest.get(path))
        assert value(form, "email") == ""
        assert f'name="next" value="{path}"' in form.text
        answer = await guest.send("/sign-in", email=ADA["email"], password=PASSWORD, next=path)
        assert answer.headers["location"] == path
        assert (await guest.send(path)).headers["location"] == HERE

    async def test_a_letter_that_went_astray_helps_nobody_who_finds_it(
        self, house: House, ada: Browser, ben: Browser, box: Mailbox
    ) -> None:
        path = await link(house, box, ADA["email"])
        for answer in (await ben.get(path), await ben.send(path)):
            assert answer.status_code == 403
            assert "another account" in text(answer)
            assert ADA["email"] not in text(answer)
        assert (await house.person(ADA["email"])).email_confirmed_at is None

    async def test_is_answered_alike_although_the_mail_server_is_away(
        self,
        house: House,
        ada: Browser,
        guest: Browser,
        box: Mailbox,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        box.refusals["RCPT"] = "550 no such user"
        answer = await guest.send("/sign-up", **BEN, invitation=await invited(ada))
        assert answer.headers["location"] == "/sign-up/sent"
        await house.post.close()
        # The stand-in keeps a log of its own.
        ours = [one.getMessage() for one in caplog.records if one.name.startswith("commonroom")]
        assert any("refused the address (550)" in line for line in ours)
        assert not any(BEN["email"] in line for line in ours)

    async def test_can_have_another_letter_but_not_too_many(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        await house.post.close()
        for _ in range(CONFIRMATION_OF_ACCOUNT.tries - 1):
            page = await ada.follow(await ada.send(f"{HERE}/address/letter"))
            assert said(page) == FLASH_TEXTS["letter-sent"]
        answer = await ada.send(f"{HERE}/address/letter")
        assert answer.status_code == 429
        assert "Too many attempts" in text(answer)
        assert len(box.to(ADA["email"])) == CONFIRMATION_OF_ACCOUNT.tries
        assert (await ada.get(f"{HERE}/address/letter")).headers["location"] == HERE

    async def test_is_told_when_another_letter_could_not_be_sent(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        await house.post.close()
        box.refusals["DATA"] = "452 full"
        answer = await ada.send(f"{HERE}/address/letter")
        assert answer.status_code == 503
        assert "The e-mail could not be sent. Please try again later." in text(answer)
        assert "127.0.0.1" not in text(answer).partition("Where you are signed in")[0]

    async def test_no_link_follows_what_a_request_says_of_the_house(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        await confirmed(house, box, ada, ADA["email"])
        forged = {"host": "evil.example", "x-forwarded-host": "evil.example"}
        sent = {"email": ADA["email"]}
        await guest.client.post("/forgot", data=sent, headers=forged)
        await house.post.close()
        assert (await link(house, box, ADA["email"])).startswith("/reset/")
        assert "evil" not in box.letters[-1].as_string()


class TestSigningUp:
    """Nothing that is answered tells whether somebody has an address; the letter does."""

    async def answers(self, house: House, **given: str) -> httpx.Response:
        browser = await house.browser()
        return await browser.send("/sign-up", **BEN | given)

    async def test_with_any_address_is_answered_alike(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        house.set(**house.settings | {"sign_up": "open"})
        taken = await self.answers(house, email=ADA["email"].upper())
        free = await self.answers(house)
        for answer in (taken, free):
            assert (answer.status_code, answer.headers["location"]) == (303, "/sign-up/sent")
            assert "set-cookie" not in answer.headers
        assert taken.content == free.content
        assert "An e-mail is on its way" in text(await ada.get("/sign-up/sent"))

    async def test_with_an_address_that_is_taken_changes_nothing_and_tells_its_owner(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        house.set(**house.settings | {"sign_up": "open"})
        await self.answers(house, email=ADA["email"])
        assert await link(house, box, ADA["email"]) == "/sign-in"
        letter = box.to(ADA["email"])[-1]
        assert letter["Subject"] == "You already have an account"
        assert "Ben" not in words(letter)
        answer = await guest.send("/sign-in", email=ADA["email"], password=BEN["password"])
        assert answer.status_code == 401
        assert (await house.person(ADA["email"])).display_name == "Ada"

    async def test_makes_no_account_that_signing_in_would_tell_of(
        self, house: House, ada: Browser, guest: Browser
    ) -> None:
        house.set(**house.settings | {"sign_up": "open"})
        await self.answers(house)
        for email in (ADA["email"], BEN["email"]):
            answer = await guest.send("/sign-in", email=email, password=BEN["password"])
            assert answer.status_code == 401

    async def test_is_finished_by_the_link_and_a_press(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        await guest.send("/sign-up", **BEN, invitation=await invited(ada), next="/me/data")
        path = await link(house, box, BEN["email"])
        asked = await guest.get(path)
        assert BEN["email"] in text(asked)
        assert asked.headers["cache-control"] == "no-store"
        answer = await guest.send(path)
        assert answer.headers["location"] == "/me/data"
        assert (await guest.get("/me")).status_code == 200
        assert (await house.person(BEN["email"])).email_confirmed_at
        assert (await guest.get(path)).status_code == 410

    async def test_uses_the_invitation_when_it_is_finished(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        invitation = await invited(ada)
        cleo = BEN | {"email": "cleo@example.org", "display_name": "Cleo"}
        for given in (BEN, cleo):
            await guest.send("/sign-up", **given, invitation=invitation)
        first = await link(house, box, BEN["email"])
        second = await link(house, box, cleo["email"])
        assert (await guest.send(first)).status_code == 303
        assert (await (await house.browser()).send(second)).status_code == 410
        answer = await (await house.browser()).send("/sign-up", **cleo, invitation=invitation)
        assert answer.status_code == 410

    async def test_finished_twice_with_one_address_makes_one_account(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        paths = []
        for _ in range(2):
            await guest.send("/sign-up", **BEN, invitation=await invited(ada))
            paths.append(await link(house, box, BEN["email"]))
        assert (await guest.send(paths[0])).status_code == 303
        answer = await guest.send(paths[1])
        assert answer.status_code == 409
        assert "If you already have one, sign in instead." in text(answer)

    async def test_leaves_nothing_readable_until_it_is_finished(
        self, house: House, ada: Browser, guest: Browser
    ) -> None:
        await guest.send("/sign-up", **BEN, invitation=await invited(ada))
        kept = (await house.store.engine.scan(accounts, limit=1000)).items
        assert "sign-up#" in repr(kept)
        assert "Ben" not in repr(kept)
        assert BEN["email"] not in repr(kept)

    async def test_sends_nobody_letters_without_end(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        house.set(**house.settings | {"sign_up": "open"})
        for email in (ADA["email"], BEN["email"]):
            came = [
                (await self.answers(house, email=email)).status_code
                for _ in range(CONFIRMATION_TO_ADDRESS.tries + 2)
            ]
            # One letter to Ada was of another kind.
            assert came.count(429) in (2, 3)
            assert came.count(303) >= CONFIRMATION_TO_ADDRESS.tries - 1


class TestANewAddress:
    @pytest.fixture
    async def ada(self, house: House, ada: Browser, box: Mailbox) -> Browser:
        """The administrator's browser, her address confirmed."""
        await confirmed(house, box, ada, ADA["email"])
        return ada

    async def test_waits_for_the_answer_to_its_letter(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        page = await ada.follow(await ada.send(f"{HERE}/address", **WANT))
        assert said(page) == FLASH_TEXTS["address-waits"]
        assert f"{NEW} becomes your address once" in text(page)
        assert value(page, "email") == ADA["email"]
        assert (await house.person(ADA["email"])).new_email == NEW

        path = await link(house, box, NEW)
        assert f"instead of {ADA['email']}" in text(await ada.get(path))
        page = await ada.follow(await ada.send(path))
        assert said(page) == FLASH_TEXTS["address-confirmed"]
        assert value(page, "email") == NEW
        assert (await house.person(NEW)).email_confirmed_at

    async def test_is_told_to_the_old_one_when_it_is_taken(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        await ada.send(f"{HERE}/address", **WANT)
        assert len(box.to(ADA["email"])) == 1
        await ada.send(await link(house, box, NEW))
        await house.post.close()
        letter = box.to(ADA["email"])[-1]
        assert letter["Subject"] == "Your e-mail address was changed"
        assert NEW not in words(letter)

    async def test_is_not_told_to_an_old_one_that_was_never_confirmed(
        self, house: House, ben: Browser, box: Mailbox
    ) -> None:
        # As it is where the account is older than the mail server.
        await house.store.write(update(await house.person(BEN["email"]), email_confirmed_at=None))
        await ben.send(f"{HERE}/address", email=NEW, password=BEN["password"])
        await ben.send(await link(house, box, NEW))
        await house.post.close()
        assert len(box.to(BEN["email"])) == 1, "the one with which he signed up"
        assert (await house.person(NEW)).display_name == "Ben"

    async def test_can_be_given_up(self, house: House, ada: Browser, box: Mailbox) -> None:
        await ada.send(f"{HERE}/address", **WANT)
        path = await link(house, box, NEW)
        page = await ada.follow(await ada.send(f"{HERE}/address/keep"))
        assert said(page) == FLASH_TEXTS["address-kept"]
        assert NEW not in text(page)
        assert (await ada.get(path)).status_code == 410

    async def test_can_be_written_to_again(self, house: House, ada: Browser, box: Mailbox) -> None:
        await ada.send(f"{HERE}/address", **WANT)
        await ada.send(f"{HERE}/address/letter")
        assert len(box.to(NEW)) == 2

    async def test_of_somebody_else_looks_like_any_other(
        self, house: House, ada: Browser, ben: Browser, box: Mailbox
    ) -> None:
        await house.post.close()
        sent = WANT | {"email": BEN["email"]}
        page = await ada.follow(await ada.send(f"{HERE}/address", **sent))
        assert said(page) == FLASH_TEXTS["address-waits"]
        # Whoever has it learns of it, and is given no link that would do anything.
        assert await link(house, box, BEN["email"]) == "/sign-in"
        assert box.to(BEN["email"])[-1]["Subject"] == "You already have an account"
        assert (await ada.send(f"{HERE}/address/letter")).status_code == 303
        assert await link(house, box, BEN["email"]) == "/sign-in"

    async def test_waits_also_where_its_letter_could_not_be_sent(
        self, house: House, ada: Browser, box: Mailbox
    ) -> None:
        box.refusals["RCPT"] = "451 later"
        answer = await ada.send(f"{HERE}/address", **WANT)
        assert answer.status_code == 503
        assert "The e-mail could not be sent." in text(answer)
        assert "Send it again" in text(answer)
        del box.refusals["RCPT"]
        assert said(await ada.follow(await ada.send(f"{HERE}/address/letter")))
        assert (await ada.send(await link(house, box, NEW))).status_code == 303

    async def test_takes_the_password(self, house: House, ada: Browser, box: Mailbox) -> None:
        answer = await ada.send(f"{HERE}/address", email=NEW, password="not my password")
        assert wrong(answer, "address-password") == "Wrong password."
        assert "value=" not in tag(answer, "address-password")
        assert box.to(NEW) == []


class TestForgotten:
    async def test_a_letter_has_a_link_to_a_new_password(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        await confirmed(house, box, ada, ADA["email"])
        assert "Send e-mail" in text(await guest.get("/forgot"))
        answer = await guest.send("/forgot", email=f" {ADA['email'].upper()}")
        assert "Check your e-mail" in text(await guest.follow(answer))

        path = await link(house, box, ADA["email"])
        assert path.startswith("/reset/")
        assert (await guest.send(path, password="a brand new password")).status_code == 303
        assert (await ada.get("/me")).status_code == 303, "she was signed out everywhere"
        sent = {"email": ADA["email"], "password": "a brand new password"}
        assert (await guest.send("/sign-in", **sent)).headers["location"] == "/"

    async def test_an_address_that_was_never_confirmed_is_told_whom_to_ask(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        await house.post.close()
        await guest.send("/forgot", email=ADA["email"])
        await house.post.close()
        letter = box.to(ADA["email"])[-1]
        assert letter["Subject"] == "Reset your password"
        assert "ask an administrator" in words(letter)
        assert "/reset/" not in words(letter)

    @pytest.mark.parametrize("email", [ADA["email"], "nobody@example.org", "no address", "\ud83d"])
    async def test_the_answer_is_the_same_for_everybody(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox, email: str
    ) -> None:
        await confirmed(house, box, ada, ADA["email"])
        answers = []
        for asked in (email, "somebody@example.org"):
            body = f"email={asked}".encode("utf-8", "replace")
            form = {"content-type": "application/x-www-form-urlencoded"}
            answer = await guest.client.post("/forgot", content=body, headers=form)
            shown = await guest.follow(answer)
            answers.append((answer.status_code, dict(answer.headers), answer.text, shown.text))
        assert answers[0] == answers[1]
        await house.post.close()
        assert len(box.letters) == (2 if email == ADA["email"] else 1)

    async def test_the_answer_does_not_wait_for_the_mail_server(
        self, house: House, ada: Browser, guest: Browser, box: Mailbox
    ) -> None:
        await confirmed(house, box, ada, ADA["email"])
        before = len(box.letters)
        await guest.send("/forgot", email=ADA["email"])
        assert len(box.letters) == before, "there was no time to send it yet"
        await house.post.close()
        assert len(box.letters) == before + 1

    @pytest.mark.parametrize("email", [ADA["email"], "nobody@example.org"])
    async def test_too_often_for_one_account_has_to_wait(
        self, house: House, ada: Browser, guest: Browser, email: str
    ) -> None:
        for _ in range(FORGOTTEN_OF_ACCOUNT.tries):
            assert (await guest.send("/forgot", email=email)).status_code == 303
        answer = await guest.send("/forgot", email=email)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert value(answer, "email") == email

    async def test_too_often_from_one_place_has_to_wait(self, guest: Browser) -> None:
        for number in range(FORGOTTEN_FROM_ADDRESS.tries):
            await guest.send("/forgot", email=f"{number}@example.org")
        assert (await guest.send("/forgot", email="other@example.org")).status_code == 429

    async def test_where_no_mail_is_sent_it_cannot_be_asked_for(
        self, house: House, guest: Browser
    ) -> None:
        house.set()
        answer = await guest.send("/forgot", email=ADA["email"])
        assert answer.status_code == 422
        assert "Ask an administrator" in text(answer)
