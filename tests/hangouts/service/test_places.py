"""Places are kept by groups and persons, taken by hangouts, and archived once they were."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.hangouts.rules.places import MAX_PLACES
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.places import (
    add_group_place,
    add_own_place,
    change_group_place,
    change_own_place,
    offered_places,
    remove_group_place,
    remove_own_place,
    see_group_places,
    see_own_places,
)
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.series import change_following
from commonroom.hangouts.tables import FriendGroup, GroupPlace, HangoutPerson, Repetition, Venue
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, check_hangouts, group_of, hangout_of, now_of, starts_in

PUB = {"name": " The pub ", "address": "1 High Street", "notes": "Ring twice"}


def taken(place_id: str) -> Venue:
    """A place as a form sends it: by its id alone."""
    return Venue(name=place_id, place_id=place_id)


class TestAGroupsPlaces:
    async def test_are_kept_and_changed_by_any_member(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        kept = await add_group_place(adas, friends.group_id, PUB)
        changed = await change_group_place(
            bens, friends.group_id, kept.place_id, {"notes": None, "name": "Pub"}
        )
        assert (changed.name, changed.address, changed.notes) == ("Pub", "1 High Street", None)
        with counting() as tally:
            _, found = await see_group_places(bens, friends.group_id)
        assert tally.requests == 2
        assert [one.name for one in found] == ["Pub"]

    @pytest.mark.parametrize(
        "given", [{"name": ""}, {"name": "x" * 101}, {"name": "A", "url": "javascript:alert()"}]
    )
    async def test_have_words_that_fit(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, given: dict[str, str]
    ) -> None:
        with pytest.raises(InvalidField):
            await add_group_place(Context(store, ada, clock()), friends.group_id, given)

    async def test_are_not_for_strangers(
        self, store: Store, clock: Watch, ada: User, eve: User, friends: FriendGroup
    ) -> None:
        kept = await add_group_place(Context(store, ada, clock()), friends.group_id, PUB)
        ctx = Context(store, eve, clock())
        for place_id in (kept.place_id, "none", "a#b"):
            with pytest.raises(NotFound):
                await remove_group_place(ctx, friends.group_id, place_id)
        with pytest.raises(NotFound):
            await see_group_places(ctx, friends.group_id)

    async def test_are_only_so_many(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        ctx = Context(store, ada, clock())
        await store.write(update(friends.ref, place_count=MAX_PLACES))
        with pytest.raises(Conflict):
            await add_group_place(ctx, friends.group_id, PUB)

    async def test_go_when_no_hangout_took_them_and_are_archived_otherwise(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        ctx = Context(store, ada, clock())
        unused = await add_group_place(ctx, friends.group_id, PUB)
        used = await add_group_place(ctx, friends.group_id, PUB)
        made = await hangout_of(store, clock, ada, friends, place=taken(used.place_id))
        assert made.place == Venue(
            name="The pub", address="1 High Street", notes="Ring twice", place_id=used.place_id
        )
        for one in (unused, used):
            await remove_group_place(ctx, friends.group_id, one.place_id)
        assert await store.get(unused.ref) is None
        assert (await now_of(store, used)).archived_at is not None
        assert (await now_of(store, friends)).place_count == 1
        assert (await now_of(store, made)).place == made.place
        assert await offered_places(ctx, [friends.group_id]) == []
        again = await change_group_place(
            ctx, friends.group_id, used.place_id, {"is_archived": False}
        )
        assert again.archived_at is None
        await check_hangouts(store.engine)


class TestOnesOwnPlaces:
    async def test_have_one_home_at_most(self, store: Store, clock: Watch, ada: User) -> None:
        ctx = Context(store, ada, clock())
        first = await add_own_place(ctx, {"name": "Zoo"}, is_home=True)
        second = await add_own_place(ctx, {"name": "Allotment"})
        assert (await see_own_places(ctx)).home_place_id == first.place_id
        await change_own_place(ctx, second.place_id, {}, is_home=True)
        found = await see_own_places(ctx)
        assert found.home_place_id == second.place_id
        assert [one.name for one in found.places] == ["Allotment", "Zoo"]
        await remove_own_place(ctx, second.place_id)
        found = await see_own_places(ctx)
        assert (found.home_place_id, len(found.places)) == (None, 1)

    async def test_that_are_archived_are_no_home(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        ctx = Context(store, ada, clock())
        home = await add_own_place(ctx, {"name": "Home"}, is_home=True)
        changed = await change_own_place(ctx, home.place_id, {"is_archived": True})
        assert changed.home_place_id is None
        changed = await change_own_place(ctx, home.place_id, {}, is_home=True)
        assert changed.home_place_id is None

    async def test_are_nobody_elses(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        home = await add_own_place(Context(store, ada, clock()), {"name": "Home"})
        bens = Context(store, ben, clock())
        with pytest.raises(NotFound):
            await change_own_place(bens, home.place_id, {"name": "Mine"})
        with pytest.raises(InvalidField):
            await hangout_of(store, clock, ben, friends, place=taken(home.place_id))

    async def test_are_counted(self, store: Store, clock: Watch, ada: User) -> None:
        ctx = Context(store, ada, clock())
        kept = await add_own_place(ctx, {"name": "Home"})
        await store.write(update(HangoutPerson.at(user_id=ada.user_id), place_count=MAX_PLACES))
        with pytest.raises(Conflict):
            await add_own_place(ctx, {"name": "Other"})
        await remove_own_place(ctx, kept.place_id)
        await add_own_place(ctx, {"name": "Other"})


class TestWhatIsOffered:
    async def test_is_home_then_ones_own_then_the_groups(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        ctx = Context(store, ada, clock())
        mine, others = await group_of(store, clock, ada), await group_of(store, clock, eve)
        await add_group_place(ctx, mine.group_id, {"name": "Pub"})
        await add_group_place(Context(store, eve, clock()), others.group_id, {"name": "Secret"})
        await add_own_place(ctx, {"name": "Allotment"})
        await add_own_place(ctx, {"name": "Home"}, is_home=True)
        with counting() as tally:
            found = await offered_places(ctx, [mine.group_id, others.group_id, "a#b"])
        assert tally.requests == 3
        assert [one.name for one in found] == ["Home", "Allotment", "Pub"]


class TestAHangoutsPlace:
    async def test_that_is_kept_stays_when_somebody_else_edits_the_hangout(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        home = await add_own_place(Context(store, ada, clock()), {"name": "Ada’s"})
        made = await hangout_of(store, clock, ada, friends, place=taken(home.place_id))
        ctx = Context(store, ben, clock())
        given = {"title": "Games", "place": taken(home.place_id)}
        changed = await change_hangout(ctx, made.hangout_id, given, version=made.version)
        assert changed.place == made.place

    async def test_becomes_another_kept_one_which_is_used_then(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        bens = Context(store, ben, clock())
        pub = await add_group_place(bens, friends.group_id, PUB)
        given = {"place": taken(pub.place_id)}
        changed = await change_hangout(bens, made.hangout_id, given, version=made.version)
        assert changed.place is not None
        assert changed.place.name == "The pub"
        assert (await now_of(store, pub)).used_at is not None

    @pytest.mark.parametrize("place_id", ["none", "a#b"])
    async def test_is_one_of_those_that_are_kept(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, place_id: str
    ) -> None:
        with pytest.raises(InvalidField):
            await hangout_of(store, clock, ada, friends, place=taken(place_id))

    async def test_is_not_archived(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        ctx = Context(store, ada, clock())
        pub = await add_group_place(ctx, friends.group_id, PUB)
        await change_group_place(ctx, friends.group_id, pub.place_id, {"is_archived": True})
        with pytest.raises(InvalidField):
            await hangout_of(store, clock, ada, friends, place=taken(pub.place_id))
        assert await store.get(GroupPlace.at(group_id=friends.group_id, place_id=pub.place_id))


class TestNotesThatAnEditorDoesNotSee:
    HOME = Venue(name="Ada's", address="1 High Street", notes="Gate code 4711")

    async def test_stay_with_a_place_that_is_saved_as_it_was_shown(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, place=self.HOME)
        bens = Context(store, ben, clock())
        shown = Venue(name="Ada's", address="1 High Street", url="https://example.org/map")
        saved = await change_hangout(bens, made.hangout_id, {"place": shown}, version=made.version)
        assert saved.place == replace(shown, notes="Gate code 4711")

    async def test_stay_in_all_that_follow(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        weekly, start = Repetition(frequency="WEEKLY", times=3), starts_in(clock, DAY)
        made = await hangout_of(
            store, clock, ada, friends, place=self.HOME, time=start, repetition=weekly
        )
        given = {"title": "Cake", "place": replace(self.HOME, notes=None)}
        saved = await change_following(
            Context(store, ben, clock()), made.hangout_id, given, version=made.version
        )
        assert (saved.title, saved.place) == ("Cake", self.HOME)

    @pytest.mark.parametrize("place", [Venue(name="The pub"), None])
    async def test_go_with_another_place(
        self,
        store: Store,
        clock: Watch,
        *,
        ada: User,
        ben: User,
        friends: FriendGroup,
        place: Venue | None,
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, place=self.HOME)
        bens = Context(store, ben, clock())
        saved = await change_hangout(bens, made.hangout_id, {"place": place}, version=made.version)
        assert saved.place == place

    async def test_are_cleared_by_whoever_sees_them(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        cleared = replace(self.HOME, notes=None)
        made = await hangout_of(store, clock, ada, friends, place=self.HOME)
        bens = Context(store, ben, clock())
        await answer(bens, ben, made.hangout_id, TypedRsvp(status="GOING"))
        now = await now_of(store, made)
        saved = await change_hangout(bens, made.hangout_id, {"place": cleared}, version=now.version)
        assert saved.place == cleared
