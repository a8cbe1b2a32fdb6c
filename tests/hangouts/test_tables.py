"""InviterTable is the data model's: canonical records, pointer records, and two indexes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.tables import users
from commonroom.hangouts.tables import (
    AgendaEntry,
    Attachment,
    AttachmentPointer,
    Ballot,
    BringClaim,
    BringItem,
    Car,
    EnteredTime,
    FriendGroup,
    GroupMembership,
    GroupPlace,
    GuestRsvp,
    Hangout,
    HangoutPerson,
    HangoutPointer,
    HangoutPoll,
    HangoutTemplate,
    Idea,
    IdeaList,
    InvitationPointer,
    InviteCode,
    Offer,
    PersonPlace,
    Repetition,
    Ride,
    Rsvp,
    Series,
    SeriesPointer,
    Spot,
    TalkMessage,
    Ticket,
    detail,
    feed,
    floating_hangouts,
    floating_invitations,
    groups_of_user,
    hangouts_after,
    invitations_after,
    inviter,
    long_hangouts,
    long_invitations,
    things_of_user,
)
from commonroom.store import Entity, Store, add, create
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.operations import copied_fields, update_with_copies
from tests.support.table_summaries import facts, key_attributes, pattern_facts

NOW = "2026-01-15T10:30:00.000Z"
START = 1777629600
DAY = 24 * 3600
BY_ADA: dict[str, Any] = {"created_by": "ada", "created_at": NOW}
OF_EVE: dict[str, Any] = {"hangout_id": "h", "user_id": "eve"}

HANGOUT = Hangout(
    hangout_id="h",
    title="Picnic",
    time=EnteredTime(start_time="2026-05-01T12:00:00+02:00"),
    start_timestamp=START,
    group_ids=["g"],
    invited_user_ids=["ada", "eve"],
    series_id="s",
    updated_at=NOW,
    **BY_ADA,
)
POINTER = HangoutPointer(group_id="g", **copied_fields(HANGOUT, HangoutPointer))
INVITATION = InvitationPointer(user_id="eve", **copied_fields(HANGOUT, InvitationPointer))
MEMBERSHIP = GroupMembership(group_id="g", user_id="ada", group_name="Friends", joined_at=NOW)


def test_the_table_is_the_models() -> None:
    assert inviter.name == "InviterTable"
    assert facts(inviter) == {
        "key": "PK S, SK S",
        "indexes": {
            "UserGroupIndex": "gsi1pk S, gsi1sk S; ALL",
            "EntityTimeIndex": "gsi1pk S, startTimestamp N; ALL",
        },
        "ttl": None,
        "stream": True,
    }


@pytest.mark.parametrize(
    "thing, keys",
    [
        (HANGOUT, {"PK": "EVENT#h", "SK": "METADATA", "startTimestamp": START}),
        (
            POINTER,
            {
                "PK": "GROUP#g",
                "SK": "HANGOUT#h",
                "gsi1pk": "GROUP#g",
                "startTimestamp": START,
            },
        ),
        (
            INVITATION,
            {
                "PK": "USER#eve",
                "SK": "HANGOUT#h",
                "gsi1pk": "USER#eve",
                "startTimestamp": START,
            },
        ),
        (
            FriendGroup(group_id="g", group_name="Friends", updated_at=NOW, **BY_ADA),
            {"PK": "GROUP#g", "SK": "METADATA"},
        ),
        (
            MEMBERSHIP,
            {"PK": "GROUP#g", "SK": "USER#ada", "gsi1pk": "USER#ada", "gsi1sk": "GROUP#g"},
        ),
        (
            InviteCode(code="k7m4x9p2", group_id="g", **BY_ADA),
            {
                "PK": "INVITE#k7m4x9p2",
                "SK": "METADATA",
                "gsi1pk": "GROUP#g",
                "gsi1sk": "INVITE#k7m4x9p2",
            },
        ),
        (
            IdeaList(group_id="g", list_id="l", name="Food", **BY_ADA),
            {"PK": "GROUP#g", "SK": "IDEALIST#l"},
        ),
        (
            Idea(group_id="g", list_id="l", idea_id="i", name="Ramen", **BY_ADA),
            {"PK": "GROUP#g", "SK": "IDEALIST#l#IDEA#i"},
        ),
        (
            Series(
                series_id="s",
                template=HangoutTemplate(title="Games", time=EnteredTime(start_time=NOW)),
                repetition=Repetition(frequency="WEEKLY"),
                first="2026-05-01",
                made_until="2026-05-01",
                updated_at=NOW,
                **BY_ADA,
            ),
            {"PK": "SERIES#s", "SK": "METADATA"},
        ),
        (
            SeriesPointer(series_id="s", **copied_fields(HANGOUT, SeriesPointer)),
            {
                "PK": "SERIES#s",
                "SK": "HANGOUT#h",
                "gsi1pk": "SERIES#s",
                "startTimestamp": START,
            },
        ),
        (HangoutPerson(user_id="ada"), {"PK": "USER#ada", "SK": "METADATA"}),
        (
            AgendaEntry(user_id="ada", hangout_id="h", start_timestamp=START, poll_ids=["p"]),
            {
                "PK": "USER#ada",
                "SK": "AGENDA#h",
                "gsi1pk": "AGENDA#ada",
                "gsi1sk": f"NEEDS#00{START}#h",
                "startTimestamp": START,
            },
        ),
        (
            GroupPlace(group_id="g", place_id="p", name="The pub", updated_at=NOW, **BY_ADA),
            {"PK": "GROUP#g", "SK": "PLACE#p"},
        ),
        (
            PersonPlace(user_id="ada", place_id="p", name="Home", updated_at=NOW, **BY_ADA),
            {"PK": "USER#ada", "SK": "PLACE#p"},
        ),
        (
            Rsvp(status="GOING", created_at=NOW, updated_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "RSVP#eve", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#RSVP"},
        ),
        (
            GuestRsvp(
                hangout_id="h",
                guest_id="x",
                name="Uncle Jo",
                status="GOING",
                created_at=NOW,
                updated_at=NOW,
            ),
            {"PK": "EVENT#h", "SK": "RSVP#GUEST#x"},
        ),
        (
            HangoutPoll(hangout_id="h", poll_id="p", title="When?", **BY_ADA),
            {"PK": "EVENT#h", "SK": "POLL#p"},
        ),
        (
            Ballot(poll_id="p", votes={"o": "YES"}, voted_at=NOW, **OF_EVE),
            {
                "PK": "EVENT#h",
                "SK": "POLL#p#BALLOT#eve",
                "gsi1pk": "USER#eve",
                "gsi1sk": "ON#h#BALLOT#p",
            },
        ),
        (
            BringItem(hangout_id="h", bring_item_id="b", name="Salad", **BY_ADA),
            {"PK": "EVENT#h", "SK": "BRING#b"},
        ),
        (
            BringClaim(bring_item_id="b", claimed_at=NOW, **OF_EVE),
            {
                "PK": "EVENT#h",
                "SK": "BRING#b#CLAIM#eve",
                "gsi1pk": "USER#eve",
                "gsi1sk": "ON#h#BRING#b",
            },
        ),
        (
            Car(car_id="c", seats=4, created_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "CAR#c", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#CAR#c"},
        ),
        (
            Ride(asked_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "RIDE#eve", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#RIDE"},
        ),
        (
            Ticket(status="NEEDS", updated_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "BOOKING#eve", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#BOOKING"},
        ),
        (
            Offer(offer_id="o", title="A room for 8", created_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "OFFER#o", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#OFFER#o"},
        ),
        (
            Spot(offer_id="o", claimed_at=NOW, **OF_EVE),
            {
                "PK": "EVENT#h",
                "SK": "OFFER#o#SPOT#eve",
                "gsi1pk": "USER#eve",
                "gsi1sk": "ON#h#SPOT#o",
            },
        ),
        (
            Attachment(kind="film", thing_id="603", attached_at=NOW, **OF_EVE),
            {
                "PK": "EVENT#h",
                "SK": "ATTACHMENT#film#603",
                "gsi1pk": "USER#eve",
                "gsi1sk": "ON#h#ATTACHMENT#film#603",
            },
        ),
        (
            AttachmentPointer(hangout_id="h", kind="film", thing_id="603"),
            {
                "PK": "EVENT#h",
                "SK": "ATTACHED#film#603",
                "gsi1pk": "THING#film#603",
                "gsi1sk": "ATTACHED#h",
            },
        ),
        (
            TalkMessage(message_id="m", text="Hello", sent_at=NOW, **OF_EVE),
            {"PK": "EVENT#h", "SK": "TALK#m", "gsi1pk": "USER#eve", "gsi1sk": "ON#h#TALK#m"},
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Entity) else "",
)
def test_keys_are_built_as_the_model_has_them(thing: Entity, keys: dict[str, Any]) -> None:
    assert key_attributes(thing) == keys


def test_every_kind_has_an_example_here() -> None:
    assert len(inviter.entities) == 28


def test_an_entry_of_an_agenda_that_waits_for_nobody_is_found_by_its_day_alone() -> None:
    entry = AgendaEntry(user_id="ada", hangout_id="h", start_timestamp=START)
    assert "gsi1sk" not in key_attributes(entry)
    for waiting in (replace(entry, is_unanswered=True), replace(entry, moved_up=NOW)):
        assert key_attributes(waiting)["gsi1sk"] == f"NEEDS#00{START}#h"


@pytest.mark.parametrize("pointer", [POINTER, INVITATION], ids=["group", "invitation"])
def test_a_floating_hangout_has_no_start_at_all(
    pointer: HangoutPointer | InvitationPointer,
) -> None:
    keys = key_attributes(replace(pointer, start_timestamp=None, end_timestamp=None))
    assert "startTimestamp" not in keys
    assert keys["gsi1sk"] == "FLOATING#h"


@pytest.mark.parametrize("seconds, place", [(DAY, None), (DAY + 1, f"UNTIL#00{START + DAY + 1}#h")])
def test_what_takes_more_than_a_day_is_found_by_its_end_too(
    seconds: int, place: str | None
) -> None:
    keys = key_attributes(replace(POINTER, end_timestamp=START + seconds))
    assert keys.get("gsi1sk") == place


@pytest.mark.parametrize(
    "name, index",
    [
        ("Fetching a Group's Feed", None),
        ("Fetching a User's Complete Hangout List", "EntityTimeIndex"),
        ("Fetching a User's Complete Hangout List (each of the groups)", "EntityTimeIndex"),
        ("Fetching Full Details for ONE Hangout", None),
        ("find all groups a user belongs to", "UserGroupIndex"),
    ],
)
def test_every_access_pattern_of_the_model_is_declared(name: str, index: str | None) -> None:
    assert (name, index) in pattern_facts(inviter)


def test_a_hangout_knows_where_all_its_pointers_are() -> None:
    places = {ref.key for copy in inviter.copies if copy.known for ref in copy.known(HANGOUT)}
    assert places == {
        ("GROUP#g", "HANGOUT#h"),
        ("USER#ada", "HANGOUT#h"),
        ("USER#eve", "HANGOUT#h"),
        ("SERIES#s", "HANGOUT#h"),
    }


def test_a_hangout_without_a_series_has_no_pointer_in_one() -> None:
    alone = replace(HANGOUT, series_id=None, group_ids=[], invited_user_ids=[])
    assert not [ref for copy in inviter.copies if copy.known for ref in copy.known(alone)]


def test_a_pointer_has_all_that_a_list_shows() -> None:
    shown = {"title", "time", "start_timestamp", "end_timestamp", "place", "visibility"}
    shown |= {"momentum", "cancelled_at", "answered_at", "group_ids", "picture"}
    counts = {"going_count", "interested_count", "not_going_count", "waiting_count"}
    for copy in inviter.copies:
        if copy.of is Hangout:
            assert shown | counts | {"version"} <= copy.fields.keys()


def test_a_change_of_a_hangout_and_all_its_pointers_fits_one_write() -> None:
    """Ten groups, sixty invitations, the maker and a series, with what an answer needs itself."""
    wide = replace(
        HANGOUT,
        group_ids=[f"g{number}" for number in range(10)],
        invited_user_ids=[f"p{number}" for number in range(61)],
    )
    assert len(update_with_copies(wide, going_count=add(1))) == 73


def test_a_membership_carries_both_names() -> None:
    declared = {
        (copy.of.__name__, field)
        for copy in [*inviter.copies, *users.copies]
        if GroupMembership in copy.on
        for field in copy.fields.values()
    }
    assert declared == {("FriendGroup", "group_name"), ("User", "user_name")}


class TestInAStore:
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = Store(EmbeddedEngine(tmp_path / "store.db", [inviter], durability="OFF"))
        await store.write(*map(create, [HANGOUT, POINTER, INVITATION, MEMBERSHIP]))
        yield store
        await store.close()

    async def test_a_feed_has_floating_hangouts_and_a_list_by_time_has_not(
        self, store: Store
    ) -> None:
        floating = replace(POINTER, hangout_id="f", start_timestamp=None, end_timestamp=None)
        await store.write(create(floating))
        assert (await store.page(feed(group_id="g"))).items == [POINTER, floating]
        assert (await store.page(hangouts_after(group_id="g", after=0))).items == [POINTER]
        assert (await store.page(floating_hangouts(group_id="g", before="~"))).items == [floating]

    async def test_a_persons_list_merges_invitations_and_groups_in_time_order(
        self, store: Store
    ) -> None:
        earlier = replace(POINTER, hangout_id="e", start_timestamp=1777000000)
        await store.write(create(earlier))
        asked = [invitations_after(user_id="eve", after=0), hangouts_after(group_id="g", after=0)]
        page = await store.merged(asked)
        assert page.items == [earlier, INVITATION, POINTER]

    async def test_floating_and_long_ones_of_several_partitions_are_merged(
        self, store: Store
    ) -> None:
        floating = replace(INVITATION, hangout_id="f", start_timestamp=None)
        long = replace(POINTER, hangout_id="l", end_timestamp=START + 2 * DAY)
        over = replace(POINTER, hangout_id="o", end_timestamp=START + 2 * DAY - 1)
        await store.write(*map(create, [floating, long, over]))
        both = [
            floating_invitations(user_id="eve", before="~"),
            floating_hangouts(group_id="g", before="~"),
        ]
        assert (await store.merged(both)).items == [floating]
        now = START + 2 * DAY - 1
        both = [long_invitations(user_id="eve", after=now), long_hangouts(group_id="g", after=now)]
        assert (await store.merged(both)).items == [over, long]
        both = [long_hangouts(group_id="g", after=now + 1)]
        assert (await store.merged(both)).items == [long]

    async def test_what_has_begun_is_left_out(self, store: Store) -> None:
        assert not (await store.page(hangouts_after(group_id="g", after=START))).items

    async def test_a_persons_groups_are_memberships_only(self, store: Store) -> None:
        await store.write(create(InviteCode(code="k7m4x9p2", group_id="g", **BY_ADA)))
        assert (await store.page(groups_of_user(user_id="ada"))).items == [MEMBERSHIP]

    async def test_detail_is_one_query_with_the_newest_messages_at_its_end(
        self, store: Store
    ) -> None:
        things = [
            Ticket(status="NEEDS", updated_at=NOW, **OF_EVE),
            Car(car_id="c", seats=4, created_at=NOW, **OF_EVE),
            Offer(offer_id="o", title="A room for 8", created_at=NOW, **OF_EVE),
            Rsvp(status="GOING", created_at=NOW, updated_at=NOW, **OF_EVE),
            TalkMessage(message_id="1", text="Hello", sent_at=NOW, **OF_EVE),
        ]
        await store.write(*map(create, things))
        found = (await store.page(detail(hangout_id="h"))).items
        assert found == [things[0], things[1], HANGOUT, *things[2:]]

    async def test_everything_that_a_person_has_on_hangouts_is_one_query(
        self, store: Store
    ) -> None:
        car = Car(car_id="c", seats=4, created_at=NOW, **OF_EVE)
        answer = Rsvp(status="GOING", created_at=NOW, updated_at=NOW, **OF_EVE)
        await store.write(create(car), create(answer))
        assert (await store.page(things_of_user(user_id="eve"))).items == [car, answer]

    async def test_pointers_follow_an_edit_with_its_version_and_an_answer_without(
        self, store: Store
    ) -> None:
        known = replace(HANGOUT, series_id=None, invited_user_ids=["eve"])
        await store.write(*update_with_copies(known, going_count=add(1)))
        await store.write(*update_with_copies(known, title="Barbecue"))
        pointer = await store.get(POINTER.ref)
        assert pointer == replace(POINTER, title="Barbecue", going_count=1, hangout_version=2)

    async def test_a_floating_hangout_that_gets_a_time_moves_from_one_list_to_the_other(
        self, store: Store
    ) -> None:
        known = replace(HANGOUT, series_id=None, invited_user_ids=["eve"])
        await store.write(*update_with_copies(known, start_timestamp=None, end_timestamp=None))
        assert (await store.page(floating_hangouts(group_id="g", before="~"))).items
        assert not (await store.page(hangouts_after(group_id="g", after=0))).items
        again = replace(known, version=2)
        await store.write(*update_with_copies(again, start_timestamp=START, end_timestamp=START))
        assert not (await store.page(floating_hangouts(group_id="g", before="~"))).items
        assert (await store.page(hangouts_after(group_id="g", after=0))).items
