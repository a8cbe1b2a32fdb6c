"""How one is shown, and what one wants to hear of."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import NotificationPrefs
from tests.support.pages import ADA, Browser, House, said, tag, value, wrong


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

    async def test_what_was_said_is_said_once(self, ada: Browser) -> None:
        await ada.follow(await ada.send("/me", display_name="Ada"))
        assert said(await ada.get("/me")) == ""

    async def test_what_is_left_out_stays(self, house: House, ada: Browser) -> None:
        before = (await house.person(ADA["email"])).avatar_key
        await ada.send("/me", display_name="Ada", avatar_key="", language="", time_zone="")
        kept = await house.person(ADA["email"])
        assert (kept.avatar_key, kept.language, kept.time_zone) == (before, None, None)

    @pytest.mark.parametrize("name", ["", "   ", "x" * 31, "\u202e\u200b"])
    async def test_a_name_that_does_not_fit_is_shown_again(self, ada: Browser, name: str) -> None:
        answer = await ada.send("/me", display_name=name, time_zone="Asia/Tokyo")
        assert answer.status_code == 422
        assert wrong(answer, "display_name").startswith(("Enter a name", "Use at most 30"))
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


class TestNotifications:
    async def test_what_is_ticked_is_kept_and_the_rest_is_off(
        self, house: House, ada: Browser
    ) -> None:
        page = await ada.follow(await ada.send("/me/notifications", new_round="true"))
        assert said(page) == "Notification settings saved."
        kept = (await house.person(ADA["email"])).notification_prefs
        assert kept == NotificationPrefs(vote_nudge=False, pick_announce=False, new_round=True)
        assert page.text.count(" checked") == 1

    async def test_nothing_at_all_can_be_ticked(self, house: House, ada: Browser) -> None:
        await ada.send("/me/notifications")
        kept = (await house.person(ADA["email"])).notification_prefs
        assert kept == NotificationPrefs(vote_nudge=False, pick_announce=False, new_round=False)
