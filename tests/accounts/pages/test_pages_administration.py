"""What administrators see and do."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import AddressClaim, User
from commonroom.store import put
from tests.support.pages import (
    ADA,
    BEN,
    Browser,
    House,
    addresses,
    invited,
    said,
    text,
    value,
)

PEOPLE, INVITATIONS = "/admin/people", "/admin/invitations"


class TestPeople:
    async def test_everybody_is_listed(self, ada: Browser, ben: Browser) -> None:
        page = text(await ada.get(PEOPLE))
        assert f"Ada you administrator {ADA['email']}" in page
        assert f"Ben {BEN['email']}" in page

    async def test_a_long_list_has_pages(self, house: House, ada: Browser) -> None:
        for number in range(60):
            made_at = f"2999-01-01T00:00:{number:02}.000Z"
            email = f"guest{number}@example.org"
            user = User(
                user_id=f"u-{number}",
                email=email,
                display_name=f"Guest {number}",
                created_at=made_at,
            )
            claim = AddressClaim(address=email, user_id=user.user_id, made_at=made_at)
            await house.store.write(put(user), put(claim))
        first = await ada.get(PEOPLE)
        assert "Guest 48" in text(first)
        assert "Guest 49" not in text(first)
        cursor = first.text.partition('href="?cursor=')[2].partition('"')[0]
        second = await ada.get(f"{PEOPLE}?cursor={cursor}")
        assert "Guest 59" in text(second)
        assert "Show more" not in text(second)

    async def test_a_page_link_that_was_changed_is_refused(self, ada: Browser) -> None:
        assert (await ada.get(f"{PEOPLE}?cursor=nonsense")).status_code == 400

    async def test_one_of_them_stands_beside_the_others(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        page = await ada.get(await _at(house, BEN))
        assert page.status_code == 200
        assert BEN["email"] in text(page)
        assert "Create reset link" in text(page)

    @pytest.mark.parametrize("user_id", ["nobody", "x" * 3000, "%00", "a%23b"])
    async def test_somebody_who_is_not_there_is_not_there(self, ada: Browser, user_id: str) -> None:
        assert (await ada.get(f"{PEOPLE}/{user_id}")).status_code == 404
        assert (await ada.send(f"{PEOPLE}/{user_id}/disable")).status_code == 404

    async def test_a_managed_member_is_nobody_here(self, house: House, ada: Browser) -> None:
        await ada.send("/me/members", display_name="Mia")
        page = await ada.get("/me/members")
        member_id = page.text.partition('name="member_id" value="')[2].partition('"')[0]
        assert member_id.startswith("managed_")
        assert (await ada.get(f"{PEOPLE}/{member_id}")).status_code == 404

    async def test_a_reset_link_is_shown_once(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        at = await _at(house, BEN)
        answer = await ada.send(f"{at}/reset-link")
        link = value(answer, "share")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        assert link.startswith("http://house.example/reset/")
        assert "<svg" in answer.text.partition("qr-tile")[2]
        secret = link.rpartition("/")[2]
        assert secret not in (await ada.get(at)).text
        assert (await ada.get(f"{at}/reset-link")).headers["location"] == at

    async def test_an_administrator_can_be_made_and_unmade(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        at = await _at(house, BEN)
        page = await ada.follow(await ada.send(f"{at}/administrator"))
        assert said(page) == "They are now an administrator."
        assert (await ben.get(PEOPLE)).status_code == 200
        page = await ada.follow(await ada.send(f"{at}/ordinary"))
        assert said(page).startswith("They are no longer an administrator")
        assert (await ben.get(PEOPLE)).status_code == 303, "he was signed out"

    async def test_one_can_step_down_but_not_as_the_last_one(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        me = await _at(house, ADA)
        refused = await ada.send(f"{me}/ordinary")
        assert refused.status_code == 403
        assert "There has to be at least one administrator." in text(refused)
        await ada.send(f"{await _at(house, BEN)}/administrator")
        answer = await ada.send(f"{me}/ordinary")
        assert answer.headers["location"] == "/sign-in"
        assert "no longer an administrator" in said(await ada.follow(answer))

    async def test_somebody_can_be_kept_out_and_let_in_again(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        at = await _at(house, BEN)
        page = await ada.follow(await ada.send(f"{at}/disable"))
        assert said(page).startswith("They are signed out everywhere")
        assert "Disabled on" in text(page)
        assert (await ben.get("/me")).status_code == 303
        sign_in = {"email": BEN["email"], "password": BEN["password"]}
        refused = await ben.send("/sign-in", **sign_in)
        assert refused.status_code == 403
        assert "This account is disabled." in text(refused)
        page = await ada.follow(await ada.send(f"{at}/enable"))
        assert said(page) == "They can sign in again."
        assert (await ben.send("/sign-in", **sign_in)).status_code == 303

    async def test_an_administrator_cannot_be_kept_out(self, house: House, ada: Browser) -> None:
        answer = await ada.send(f"{await _at(house, ADA)}/disable")
        assert answer.status_code == 403


class TestInvitations:
    async def test_the_link_is_shown_once_with_its_qr_code(self, ada: Browser) -> None:
        assert "No open invitations" in text(await ada.get(INVITATIONS))
        made = await ada.send(INVITATIONS, note="Grandma", uses="2")
        link = value(made, "link")
        assert made.headers["cache-control"] == "no-store"
        assert link.startswith("http://house.example/sign-up?invitation=")
        assert "It works for 2 people" in text(made)
        listed = await ada.get(INVITATIONS)
        assert "Grandma 2 people can still use it" in text(listed)
        assert link.partition("invitation=")[2] not in listed.text

    async def test_behind_a_proxy_the_link_has_the_address_that_people_use(
        self, house: House, ada: Browser
    ) -> None:
        house.set(public_address="https://home.example")
        made = await ada.send(INVITATIONS, note="", uses="1")
        assert value(made, "link").startswith("https://home.example/sign-up?invitation=")

    async def test_one_can_be_revoked(self, ada: Browser, guest: Browser) -> None:
        secret = await invited(ada)
        (revoke,) = addresses(await ada.get(INVITATIONS), f"{INVITATIONS}/")
        page = await ada.follow(await ada.send(revoke))
        assert said(page) == "Invitation revoked."
        assert (await guest.get(f"/sign-up?invitation={secret}")).status_code == 410
        assert (await ada.send(revoke)).status_code == 404

    @pytest.mark.parametrize("uses,taken", [("0", 1), ("9" * 30, 100), ("-3", 1)])
    async def test_how_many_may_come_has_limits(self, ada: Browser, uses: str, taken: int) -> None:
        made = await ada.send(INVITATIONS, note="", uses=uses)
        assert f"It works for {taken} " in text(made)

    @pytest.mark.parametrize("uses", ["", "many", "1.5"])
    async def test_what_is_no_number_is_not_understood(self, ada: Browser, uses: str) -> None:
        assert (await ada.send(INVITATIONS, note="", uses=uses)).status_code == 400


async def _at(house: House, who: dict[str, str]) -> str:
    return f"{PEOPLE}/{(await house.person(who['email'])).user_id}"
