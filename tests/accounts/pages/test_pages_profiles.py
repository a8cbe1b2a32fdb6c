"""How one is shown, and what one wants to hear of."""

from __future__ import annotations

import pytest

from commonroom.accounts.rules import MAX_MANAGED
from commonroom.accounts.tables import User, managed_members
from tests.support.pages import ADA, BEN, Browser, House, addresses, said, tag, text, value, wrong


class TestProfile:
    async def test_what_is_typed_is_kept(self, house: House, ada: Browser) -> None:
        answer = await ada.send(
            "/me",
            display_name="  Ada   Lovelace ",
            avatar_key="owl",
            language="en",
            time_zone="Europe/London",
        )
        page = await ada.follow(answer)
        assert said(page) == "Profile saved."
        assert value(page, "display_name") == "Ada Lovelace"
        assert '<option value="Europe/London" selected>' in page.text
        assert 'value="owl" checked' in page.text
        kept = await house.person(ADA["email"])
        assert (kept.avatar_key, kept.language, kept.time_zone) == ("owl", "en", "Europe/London")

    async def test_the_zone_of_the_device_is_taken_once_where_none_was_chosen(
        self, house: House, ada: Browser
    ) -> None:
        assert "<time-zone-note>" in (await ada.get("/")).text
        for zone in ("Middle/Earth", "Europe/Berlin", "Asia/Tokyo"):
            assert (await ada.send("/me/time-zone", time_zone=zone)).status_code == 204
        assert (await house.person(ADA["email"])).time_zone == "Europe/Berlin"
        assert "<time-zone-note>" not in (await ada.get("/")).text

    @pytest.mark.parametrize("zone", ["UTC", "US/Pacific", "Asia/Calcutta"])
    async def test_a_zone_that_only_devices_name_stays_chosen(
        self, ada: Browser, zone: str
    ) -> None:
        await ada.send("/me/time-zone", time_zone=zone)
        assert f'<option value="{zone}" selected>' in (await ada.get("/me")).text

    async def test_what_was_said_is_said_once(self, ada: Browser) -> None:
        await ada.follow(await ada.send("/me", display_name="Ada"))
        assert said(await ada.get("/me")) == ""

    async def test_what_is_left_out_stays(self, house: House, ada: Browser) -> None:
        before = (await house.person(ADA["email"])).avatar_key
        await ada.send("/me", display_name="Ada", avatar_key="", language="", time_zone="")
        kept = await house.person(ADA["email"])
        assert (kept.avatar_key, kept.language, kept.time_zone) == (before, None, None)

    @pytest.mark.parametrize(
        "name, why",
        [
            ("", "Enter a name."),
            ("   ", "Enter a name."),
            ("x" * 31, "Use at most 30 characters."),
            ("\u202e\u200b", "Enter a name."),
        ],
    )
    async def test_a_name_that_does_not_fit_is_shown_again(
        self, ada: Browser, name: str, why: str
    ) -> None:
        answer = await ada.send("/me", display_name=name, time_zone="Asia/Tokyo")
        assert answer.status_code == 422
        assert wrong(answer, "display_name") == why
        assert value(answer, "display_name") == name
        assert '<option value="Asia/Tokyo" selected>' in answer.text
        assert "Error:" in answer.text.partition("</title>")[0]

    @pytest.mark.parametrize("field", ["language", "time_zone"])
    async def test_what_nobody_offers_is_said_beside_its_field(
        self, ada: Browser, field: str
    ) -> None:
        answer = await ada.send("/me", display_name="Ada", **{field: "Middle/Earth"})
        assert answer.status_code == 422
        assert wrong(answer, field)

    async def test_a_picture_that_nobody_drew_is_said_beside_the_others(self, ada: Browser) -> None:
        answer = await ada.send("/me", display_name="Ada", avatar_key="dragon")
        assert answer.status_code == 422
        assert tag(answer, "avatar_key-wrong")

    @pytest.mark.parametrize(
        "fields",
        [{}, {"display_name": "x" * 1001}, {"display_name": "Ada", "is_admin": "true"}],
        ids=["nothing", "too much", "something else"],
    )
    async def test_what_no_form_sends_is_not_understood(
        self, ada: Browser, fields: dict[str, str]
    ) -> None:
        answer = await ada.send("/me", **fields)
        assert answer.status_code == 400
        assert "Nothing was saved or changed." in answer.text

    async def test_a_form_has_a_largest_size(self, ada: Browser) -> None:
        assert (await ada.send("/me", display_name="x" * 70_000)).status_code == 413


HERE = "/me/members"
MIA = {"display_name": "Mia", "avatar_key": "cat", "ceiling": "G"}


class TestMembers:
    async def test_a_list_without_anybody_says_what_to_do(self, ada: Browser) -> None:
        assert "No members yet Add a child below" in text(await ada.get(HERE))

    async def test_one_can_be_added(self, house: House, ada: Browser) -> None:
        page = await ada.follow(await ada.send(HERE, **MIA))
        assert said(page) == "Member added."
        assert "Mia Films up to G" in text(page)
        (mia,) = await _members(house)
        assert (mia.avatar_key, mia.content_rating_ceiling) == ("cat", "G")

    async def test_a_name_that_does_not_fit_is_shown_again(self, ada: Browser) -> None:
        answer = await ada.send(HERE, **MIA | {"display_name": "x" * 31})
        assert answer.status_code == 422
        assert wrong(answer, "display_name")
        assert value(answer, "display_name") == "x" * 31
        assert 'value="cat" checked' in answer.text
        assert 'value="G" checked' in answer.text

    async def test_there_is_a_limit_and_it_is_said(self, ada: Browser) -> None:
        for number in range(MAX_MANAGED):
            await ada.send(HERE, **MIA | {"display_name": f"Mia {number}"})
        assert "You can manage up to" in text(await ada.get(HERE))
        answer = await ada.send(HERE, **MIA)
        assert answer.status_code == 403
        assert "You can manage up to" in text(answer)

    async def test_one_can_be_changed(self, house: House, ada: Browser) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        form = await ada.get(f"{HERE}/{mia.user_id}")
        assert value(form, "display_name") == "Mia"
        answer = await ada.send(
            f"{HERE}/{mia.user_id}", display_name="Mia Rose", avatar_key="bee", ceiling="PG-13"
        )
        assert said(await ada.follow(answer)) == "Member saved."
        (mia,) = await _members(house)
        assert (mia.display_name, mia.avatar_key) == ("Mia Rose", "bee")
        assert mia.content_rating_ceiling == "PG-13"

    @pytest.mark.parametrize(
        "changed,field",
        [({"display_name": ""}, "display_name"), ({"avatar_key": "?"}, "avatar_key")],
    )
    async def test_a_change_that_does_not_fit_is_shown_again(
        self, house: House, ada: Browser, changed: dict[str, str], field: str
    ) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        answer = await ada.send(f"{HERE}/{mia.user_id}", **MIA | changed)
        assert answer.status_code == 422
        assert tag(answer, f"{field}-wrong")

    async def test_removing_asks_first_and_then_removes(self, house: House, ada: Browser) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        page = await ada.get(f"{HERE}/{mia.user_id}")
        assert "Remove Mia and everything that is theirs?" in text(page)
        (remove,) = addresses(page, f"{HERE}/{mia.user_id}/")
        assert said(await ada.follow(await ada.send(remove))) == "Member removed."
        assert await _members(house) == []
        assert (await ada.send(remove)).status_code == 404

    async def test_those_of_others_are_not_there(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        ada_id = (await house.person(ADA["email"])).user_id
        for member_id in (mia.user_id, ada_id, "nobody", "x" * 3000, "%00"):
            assert (await ben.get(f"{HERE}/{member_id}")).status_code == 404
            assert (await ben.send(f"{HERE}/{member_id}", **MIA)).status_code == 404
            assert (await ben.send(f"{HERE}/{member_id}/remove")).status_code == 404
        assert await _members(house) == [mia]


class TestActing:
    async def test_everybody_who_may_sit_here_can_be_chosen(self, ada: Browser) -> None:
        await ada.send(HERE, **MIA)
        page = text(await ada.get("/act-as"))
        assert "Switch profile" in page
        assert "Ada you" in page
        assert "Mia managed by you" in page

    async def test_acting_is_shown_on_every_page_and_can_be_stopped(
        self, house: House, ada: Browser
    ) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        answer = await ada.send("/act-as", member_id=mia.user_id)
        cookie = _set_cookie(answer.headers.get_list("set-cookie"), "acting_as")
        assert {"httponly", "samesite=lax", "path=/"} <= cookie
        home = await ada.follow(answer)
        assert "Using Commonroom as Mia" in text(home)
        assert "Hello, Mia" in text(home)
        assert "Administration" not in text(home)
        stopped = await ada.follow(await ada.send("/act-as"))
        assert said(stopped) == "Switched back to your own profile."
        assert "acting for" not in text(stopped)

    async def test_what_is_about_oneself_is_refused_and_says_what_to_do(
        self, house: House, ada: Browser
    ) -> None:
        await _act(house, ada)
        answer = await ada.get("/me")
        assert answer.status_code == 403
        assert "Switch back" in text(answer)
        assert (await ada.get("/admin/people")).status_code == 403

    async def test_nobody_acts_for_those_of_others(
        self, house: House, ada: Browser, ben: Browser
    ) -> None:
        await ada.send(HERE, **MIA)
        (mia,) = await _members(house)
        for member_id in (mia.user_id, (await house.person(BEN["email"])).user_id, "x" * 500):
            answer = await ben.send("/act-as", member_id=member_id)
            assert answer.status_code == 404
            assert "acting_as" not in ben.client.cookies

    async def test_whoever_signs_in_next_acts_for_nobody(self, house: House, ada: Browser) -> None:
        await _act(house, ada)
        await ada.send("/sign-in", email=ADA["email"], password=ADA["password"])
        assert "acting_as" not in ada.client.cookies
        assert (await ada.get("/me")).status_code == 200


async def _act(house: House, ada: Browser) -> None:
    await ada.send(HERE, **MIA)
    (mia,) = await _members(house)
    await ada.send("/act-as", member_id=mia.user_id)


async def _members(house: House) -> list[User]:
    ada = await house.person(ADA["email"])
    return [one async for one in house.store.all(managed_members(parent_user_id=ada.user_id))]


def _set_cookie(headers: list[str], name: str) -> set[str]:
    (cookie,) = (one for one in headers if one.startswith(f"{name}="))
    return {part.strip().lower() for part in cookie.split(";")[1:]}
