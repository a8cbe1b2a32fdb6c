"""A browser that wants to show notifications must give what one can be sent with."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import Session, User
from commonroom.errors import InvalidField, NotFound
from commonroom.notifications.push_subscriptions import active_subscriptions, subscribe, unsubscribe
from commonroom.notifications.tables import PushSubscription, notifications, push_subscriptions
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.notifications.people import Device
from tests.support.table_summaries import facts, key_attributes

DEVICE = Device("https://push.example/ada")
GIVEN = {"endpoint": DEVICE.endpoint, **DEVICE.keys}


def test_one_table_holds_what_people_are_told() -> None:
    assert facts(notifications) == {
        "key": "user_id S, place S",
        "indexes": {
            "Newest": "user_id S, made_at S; ALL",
            "Unread": "unread_of S, made_at S; ALL",
            "UnreadPage": "unread_page S, made_at S; ALL",
        },
        "ttl": "ttl",
        "stream": True,
    }


def test_a_browser_is_in_no_list_of_notifications() -> None:
    subscription = PushSubscription(user_id="u", session="s", since="2026", **GIVEN)
    assert key_attributes(subscription) == {"user_id": "u", "place": "push#s"}


@pytest.fixture
async def session(store: Store, ada: User, clock: Watch) -> Session:
    """Ada's browser, which nobody has asked yet."""
    made = await DEVICE.signed_in(store, clock, ada)
    await unsubscribe(Context(store, ada), made)
    return made


async def test_a_session_has_one_subscription_the_latest(
    store: Store, ada: User, session: Session, clock: Watch
) -> None:
    await subscribe(Context(store, ada, clock()), session, **GIVEN)
    await subscribe(
        Context(store, ada, clock()), session, **GIVEN | {"endpoint": "https://push.example/b"}
    )
    [kept] = await active_subscriptions(store, ada)
    assert (kept.endpoint, kept.browser) == ("https://push.example/b", "Firefox")


async def test_switching_off_twice_is_harmless(
    store: Store, ada: User, session: Session, clock: Watch
) -> None:
    await subscribe(Context(store, ada, clock()), session, **GIVEN)
    await unsubscribe(Context(store, ada), session)
    await unsubscribe(Context(store, ada), session)
    assert await active_subscriptions(store, ada) == []


NEVER = [
    ("endpoint", "http://push.example/ada"),
    ("endpoint", "https://"),
    ("endpoint", "https://[push"),
    ("endpoint", "https://push.example:8443/ada"),
    ("endpoint", "https://push.example:x/ada"),
    ("endpoint", "https://name:word@push.example/ada"),
    ("endpoint", "https://push.example/\n"),
    ("endpoint", "https://push.example/" + "x" * 1000),
    ("endpoint", "javascript:alert(1)"),
    ("p256dh", ""),
    ("p256dh", "never a key"),
    ("p256dh", DEVICE.keys["auth"]),
    ("p256dh", "BA" + "A" * 85),
    ("p256dh", "ключ"),
    ("auth", ""),
    ("auth", DEVICE.keys["p256dh"]),
    ("auth", "x" * 500),
]


@pytest.mark.parametrize("never", NEVER)
async def test_what_no_browser_gives_is_refused_by_name(
    store: Store, ada: User, session: Session, clock: Watch, never: tuple[str, str]
) -> None:
    field, value = never
    with pytest.raises(InvalidField) as refused:
        await subscribe(Context(store, ada, clock()), session, **GIVEN | {field: value})
    assert refused.value.field == field
    assert (await store.page(push_subscriptions(user_id=ada.user_id))).items == []


async def test_who_was_deleted_meanwhile_leaves_no_browser_behind(
    store: Store, ada: User, session: Session, clock: Watch
) -> None:
    await store.write(delete(ada))
    with pytest.raises(NotFound):
        await subscribe(Context(store, ada, clock()), session, **GIVEN)
    assert (await store.page(push_subscriptions(user_id=ada.user_id))).items == []
