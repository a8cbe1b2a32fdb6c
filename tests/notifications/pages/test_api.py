"""Notifications for programs, and browsers that want to show them."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications.notifications import notification_id
from commonroom.notifications.push_subscriptions import active_subscriptions
from tests.accounts.api.calling import V1, given, problem
from tests.notifications.pages.house import House
from tests.notifications.people import ROUND, Device, count_unread

NOTIFICATIONS = f"{V1}/notifications"
SUBSCRIPTIONS = f"{V1}/push-subscriptions"
DEVICE = Device("https://push.example/ada")
GIVEN = {"endpoint": DEVICE.endpoint, **DEVICE.keys}


class TestNotifications:
    async def test_are_listed_in_words_the_newest_first(self, house: House, ada: User) -> None:
        await house.tell(ada, about="old", ago=60)
        await house.tell(ada, about="new", link="/me")
        program = await house.program(ada, "read")
        page = given(await program.get(NOTIFICATIONS, params={"limit": 1}))
        [newest] = page["items"]
        assert newest.pop("made_at").endswith("Z")
        assert newest == {
            "notification_id": notification_id(ROUND, "new"),
            "kind": "new_round",
            "title": "Ada wants to watch a film",
            "text": "Vote in The Foxes.",
            "link": "/me",
            "thing": "/me",
            "read_at": None,
        }
        rest = given(await program.get(NOTIFICATIONS, params={"cursor": page["next_cursor"]}))
        assert [one["notification_id"] for one in rest["items"]] == [notification_id(ROUND, "old")]

    async def test_are_marked_read_all_or_up_to_a_moment(self, house: House, ada: User) -> None:
        await house.tell(ada, about="old", ago=60)
        await house.tell(ada, about="new")
        program = await house.program(ada, "read", "write")
        listed = given(await program.get(NOTIFICATIONS))["items"]
        until = listed[1]["made_at"]
        given(await program.post(f"{NOTIFICATIONS}/read", json={"until": until}), 204)
        assert await count_unread(house.store, ada) == 1
        given(await program.post(f"{NOTIFICATIONS}/read", json={}), 204)
        assert await count_unread(house.store, ada) == 0

    async def test_are_not_marked_by_a_program_that_may_only_read(
        self, house: House, ada: User
    ) -> None:
        reader = await house.program(ada, "read")
        problem(await reader.post(f"{NOTIFICATIONS}/read", json={}), 403)

    async def test_are_nobody_else_s(self, house: House, ada: User, ben: User) -> None:
        await house.tell(ada)
        program = await house.program(ben, "read", "write")
        assert given(await program.get(NOTIFICATIONS))["items"] == []
        given(await program.post(f"{NOTIFICATIONS}/read", json={}), 204)
        assert await count_unread(house.store, ada) == 1


class TestBrowsersThatShowThem:
    async def test_are_given_a_key_that_stays_the_same(self, house: House, ada: User) -> None:
        browser = await house.browser(ada)
        key = given(await browser.get(f"{V1}/push-key"))["key"]
        assert len(key) == 87
        assert given(await browser.get(f"{V1}/push-key"))["key"] == key

    async def test_say_so_and_can_change_their_mind(self, house: House, ada: User) -> None:
        browser, other = await house.browser(ada), await house.browser(ada)
        made = given(await browser.post(SUBSCRIPTIONS, json=GIVEN), 201)
        assert (made["browser"], made["current"], made["failing_since"]) == ("Firefox", True, None)
        [seen] = given(await other.get(SUBSCRIPTIONS))["items"]
        assert not seen["current"]
        given(await other.delete(SUBSCRIPTIONS), 204)
        assert len(await active_subscriptions(house.store, ada)) == 1, "only its own"
        given(await browser.delete(SUBSCRIPTIONS), 204)
        assert given(await browser.get(SUBSCRIPTIONS))["items"] == []

    async def test_are_never_programs(self, house: House, ada: User) -> None:
        program = await house.program(ada, "read", "write", "admin")
        problem(await program.post(SUBSCRIPTIONS, json=GIVEN), 403)
        problem(await program.delete(SUBSCRIPTIONS), 403)

    @pytest.mark.parametrize(
        "field, value, status",
        [
            ("endpoint", "http://push.example", 422),
            ("endpoint", "https://x/" + "x" * 1000, 422),
            ("p256dh", "no key", 422),
            ("auth", "", 422),
            ("auth", 7, 400),
            ("keys", {}, 400),
        ],
    )
    async def test_that_give_what_none_gives_are_told_what(
        self, house: House, ada: User, field: str, value: object, status: int
    ) -> None:
        browser = await house.browser(ada)
        answer = await browser.post(SUBSCRIPTIONS, json=GIVEN | {field: value})
        assert problem(answer, status)["field"] == field
