"""The data model's summary of critical gotchas, each held by a test of its name."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.edits import change_hangout, invite
from commonroom.hangouts.service.hangouts import bring_back, cancel, confirm, unconfirm
from commonroom.hangouts.service.listing import own_scope
from commonroom.hangouts.service.lists import group_feed, upcoming
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.tables import (
    FriendGroup,
    HangoutPointer,
    InvitationPointer,
    RsvpStatus,
    inviter,
)
from commonroom.store import Store
from commonroom.store.engine import Query
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    check_hangouts,
    everything_of,
    hangout_of,
    somebody,
    starts_in,
)


class Watching(Store):
    """A store that notes which keys are read and which queries are made."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.engine)
        self.keys: list[tuple[Any, ...]] = []
        self.queries: list[Query] = []
        self.batches = 0
        engine, noted = store.engine, self

        class Noting:
            """The engine, with all that is read noted."""

            def __getattr__(self, name: str) -> Any:
                return getattr(engine, name)

            async def get(self, table: Any, key: Any, decoder: Any) -> Any:
                noted.keys.append(key)
                return await engine.get(table, key, decoder)

            async def batch_get_decoded(self, wanted: Any) -> Any:
                noted.keys += [key for _, key, _ in wanted]
                noted.batches += 1
                return await engine.batch_get_decoded(wanted)

            async def query(self, query: Query, decoder: Any) -> Any:
                noted.queries.append(query)
                return await engine.query(query, decoder)

        self.engine = Noting()


async def test_never_call_a_get_detail_service_method_inside_a_loop(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    ideas = [await hangout_of(store, clock, ada, friends) for _ in range(3)]
    for _ in range(2):
        await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
    watching = Watching(store)
    ctx = Context(watching, ada, clock())
    await group_feed(ctx, ada, friends.group_id)
    await upcoming(ctx, ada, await own_scope(ctx))
    originals = [key for key in watching.keys if key[-1] == "METADATA" and key[0][:6] == "EVENT#"]
    # What has no day is on her agenda, which says where to look: all of it is one request.
    assert sorted(originals) == sorted(one.ref.key for one in ideas)
    assert watching.batches == 3, "the group with its feed's answers, and all of the list's"
    assert not [one for one in watching.queries if str(one.partition).startswith("EVENT#")]


async def test_always_update_all_pointer_records_after_a_canonical_record_is_changed(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    await somebody(store, clock, "Eve")
    made = await hangout_of(store, clock, ada, friends, invited_user_ids=[ben.user_id])
    ctx, theirs, which = Context(store, ada, clock()), Context(store, ben, clock()), made.hangout_id
    version = 1
    changes: list[dict[str, Any]] = [
        {"title": "Opera?"},
        {"time": starts_in(clock, DAY)},
        {"place": PUB, "place_limit": 5},
        {"time": None, "visibility": "PUBLIC"},
        {"picture": "karaoke", "description": "Sing!", "link": "https://example.org/"},
        {"group_ids": []},
    ]
    for change in changes:
        version = (await change_hangout(ctx, which, change, version=version)).version
        await check_hangouts(store.engine)
    for deed in (cancel, bring_back, confirm, unconfirm):
        await deed(ctx, which)
        await check_hangouts(store.engine)
    await invite(ctx, which, "eve@example.org")
    await check_hangouts(store.engine)
    statuses: list[RsvpStatus] = ["GOING", "INTERESTED", "NOT_GOING"]
    for status in statuses:
        await answer(theirs, ben, which, TypedRsvp(status=status, plus_guests=1))
        await check_hangouts(store.engine)
    await withdraw(theirs, ben, which)
    await check_hangouts(store.engine)


async def test_verify_gsi_keys_are_populated_on_all_hangout_pointer_writes(
    store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
) -> None:
    made = await hangout_of(
        store, clock, ada, friends, invited_user_ids=[ben.user_id], time=starts_in(clock, DAY)
    )
    moved = starts_in(clock, 2 * DAY)
    await change_hangout(Context(store, ada, clock()), made.hangout_id, {"time": moved}, version=1)
    pointers = [
        *await everything_of(store.engine, HangoutPointer),
        *await everything_of(store.engine, InvitationPointer),
    ]
    assert len(pointers) == 3
    for item in (await store.engine.scan(inviter, limit=1000)).items:
        if item["itemType"].endswith("_POINTER"):
            assert item["gsi1pk"] == item["PK"]
            assert item["startTimestamp"] == int(clock() + 2 * DAY)


async def test_use_the_entity_time_index_for_user_centric_time_sorted_hangout_lists(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
    watching = Watching(store)
    ctx = Context(watching, ada, clock())
    await upcoming(ctx, ada, await own_scope(ctx))
    by_time = [
        str(one.partition)
        for one in watching.queries
        if one.index is not None and one.index.name == "EntityTimeIndex"
    ]
    agenda = [f"AGENDA#{ada.user_id}"] * 2
    mine = [f"GROUP#{friends.group_id}", f"USER#{ada.user_id}"]
    assert sorted(by_time) == sorted([*agenda, *mine])


async def test_use_the_main_table_begins_with_query_for_displaying_the_feed_of_a_single_group(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    await hangout_of(store, clock, ada, friends, time=starts_in(clock, DAY))
    watching = Watching(store)
    await group_feed(Context(watching, ada, clock()), ada, friends.group_id)
    (query,) = watching.queries
    assert query.index is None
    assert query.partition == f"GROUP#{friends.group_id}"
    assert query.sort is not None
    assert (query.sort.sign, query.sort.low) == ("begins_with", "HANGOUT#")
