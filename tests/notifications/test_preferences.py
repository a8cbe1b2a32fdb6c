"""By which channels people hear of what."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.notifications import tell
from commonroom.notifications.preferences import (
    CHANNELS,
    ChannelName,
    NotificationSettings,
    QuietHours,
    chosen_channels,
    save_settings,
    wants_digest,
)
from commonroom.notifications.reading import look_at_unread
from commonroom.store import Store, delete
from tests.accounts.people import Watch
from tests.notifications.people import FACTS, LINK, NEWS, ROUND, person, told

USUAL = {"list", "push", "mail"}


async def choose(
    store: Store, clock: Watch, user: User, *channels: ChannelName, quiet: QuietHours | None = None
) -> User:
    chosen = NotificationSettings({"new_round": frozenset(channels)}, quiet)
    await save_settings(Context(store, user, clock()), chosen)
    found = await store.get(user.ref)
    assert found is not None
    return found


async def test_who_has_chosen_nothing_has_all_but_the_digest(store: Store) -> None:
    ada = await person(store, "Ada", notification_prefs=None)
    assert chosen_channels(ada, ROUND.preference) == USUAL
    assert chosen_channels(ada, None) == USUAL, "what nothing turns off"


async def test_what_movie_nights_model_stores_turns_everything_off(store: Store) -> None:
    ada = await person(
        store,
        "Ada",
        notification_prefs={"new_round": False},
        notification_channels={"new_round": {"digest": True}},
    )
    assert chosen_channels(ada, ROUND.preference) == set()
    assert not wants_digest(ada)


async def test_what_was_chosen_is_stored_beside_it(either: Store, clock: Watch) -> None:
    ada = await choose(either, clock, await person(either, "Ada"), "list", "digest")
    assert ada.notification_prefs == {"new_round": True}
    assert chosen_channels(ada, ROUND.preference) == {"list", "digest"}
    assert wants_digest(ada)
    off = await choose(either, clock, ada)
    assert off.notification_prefs == {"new_round": False}
    assert chosen_channels(off, ROUND.preference) == set()


async def test_what_is_turned_off_everywhere_comes_back_as_it_usually_is(
    store: Store, ada: User, clock: Watch
) -> None:
    off = await choose(store, clock, await choose(store, clock, ada, "digest"))
    on = await person(store, "Ben", notification_channels=off.notification_channels)
    assert chosen_channels(on, ROUND.preference) == USUAL


async def test_other_choices_stay(store: Store, clock: Watch) -> None:
    ada = await person(
        store,
        "Ada",
        notification_prefs={"other": False},
        notification_channels={"another": {"push": False}},
    )
    saved = await choose(store, clock, ada, "list")
    assert saved.notification_prefs == {"other": False, "new_round": True}
    assert saved.notification_channels is not None
    assert saved.notification_channels["another"] == {"push": False}


async def test_who_wants_nothing_is_told_nothing(store: Store, ada: User, clock: Watch) -> None:
    off = await choose(store, clock, ada)
    assert await tell(store, clock(), [off], ROUND, facts=FACTS, link=LINK, id="1", by=None) == 0
    assert await tell(store, clock(), [off], NEWS, facts={}, link="/", id="1", by=None) == 1


@pytest.mark.parametrize("channel", [one for one in CHANNELS if one != "list"])
async def test_what_is_not_for_the_list_is_told_beside_it(
    either: Store, clock: Watch, channel: ChannelName
) -> None:
    ada = await choose(either, clock, await person(either, "Ada"), channel)
    assert await tell(either, clock(), [ada], ROUND, facts=FACTS, link=LINK, id="1", by=None) == 1
    [one] = await told(either, ada)
    assert not one.listed
    assert (await look_at_unread(either, ada)).badge == "0"


@pytest.mark.parametrize(
    "quiet, field",
    [
        (QuietHours("25:00", "07:00"), "quiet_from"),
        (QuietHours("22:00", "7"), "quiet_until"),
        (QuietHours("07:00", "07:00"), "quiet_until"),
    ],
)
async def test_quiet_hours_are_times(
    store: Store, ada: User, clock: Watch, quiet: QuietHours, field: str
) -> None:
    with pytest.raises(InvalidField) as refused:
        await choose(store, clock, ada, quiet=quiet)
    assert refused.value.extensions["field"] == field


async def test_who_is_gone_meanwhile_stores_nothing(store: Store, ada: User, clock: Watch) -> None:
    await store.write(delete(ada))
    with pytest.raises(NotFound):
        await choose(store, clock, ada, "list")


async def test_two_choices_at_once_leave_one_of_them(either: Store, clock: Watch) -> None:
    ada = await person(either, "Ada")
    await asyncio.gather(choose(either, clock, ada, "list"), choose(either, clock, ada, "push"))
    found = await either.get(ada.ref)
    assert found is not None
    assert chosen_channels(found, ROUND.preference) in ({"list"}, {"push"})
