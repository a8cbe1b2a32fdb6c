"""Profiles: made when first needed, with a name that is nobody else's."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound, PreconditionFailed
from commonroom.store import Store, counting, create, delete
from commonroom.watchlists.service.profiles import (
    change_profile,
    ensure_profile,
    find_profile,
    my_profile,
    public_profile,
)
from commonroom.watchlists.tables import EmailClaim, Profile, UsernameClaim
from tests.accounts.people import Watch, at_once
from tests.watchlists.examples import asks, everything_of, list_of, looks, now_of, somebody, tidied


async def test_a_profile_is_made_when_first_needed_with_claims_to_name_and_address(
    store: Store, clock: Watch, ben: User
) -> None:
    assert await my_profile(asks(store, clock, ben)) is None
    made = await ensure_profile(asks(store, clock, ben))
    assert (made.username, made.email) == ("ben", "ben@example.org")
    assert await ensure_profile(asks(store, clock, ben)) == made
    assert await store.get(EmailClaim.at(address="BEN@example.org")) is not None
    assert await store.get(UsernameClaim.at(username="BEN")) is not None


async def test_people_of_one_name_get_usernames_that_differ(store: Store, clock: Watch) -> None:
    people = [await somebody(store, clock, f"Ana{' ' * number}") for number in range(3)]
    made = [await ensure_profile(asks(store, clock, one)) for one in people]
    assert [one.username for one in made] == ["ana", "ana-2", "ana-3"]


async def test_one_profile_is_made_of_many_who_need_it_at_once(
    store: Store, clock: Watch, ben: User
) -> None:
    made, refused = await at_once(*(ensure_profile(asks(store, clock, ben)) for _ in range(5)))
    assert not refused
    assert len({one.username for one in made}) == 1
    assert len(await everything_of(store.engine, Profile)) == 1


async def test_whoever_has_left_gets_no_profile(store: Store, clock: Watch, ben: User) -> None:
    await store.write(delete(ben))
    with pytest.raises(NotFound):
        await ensure_profile(asks(store, clock, ben))
    assert await everything_of(store.engine, Profile, UsernameClaim, EmailClaim) == []


async def test_an_address_that_somebody_elses_profile_still_claims_comes_later(
    store: Store, clock: Watch, ben: User
) -> None:
    await store.write(create(EmailClaim(address="Ben@Example.org", user_id="former")))
    assert (await ensure_profile(asks(store, clock, ben))).email is None


class TestChanging:
    async def test_a_username_is_unique_whatever_its_case_and_the_old_one_is_free(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await ensure_profile(asks(store, clock, ben))
        with pytest.raises(Conflict):
            await change_profile(asks(store, clock, eve), username="BEN")
        await change_profile(asks(store, clock, ben), username="Benedikt")
        assert (await change_profile(asks(store, clock, eve), username="BEN")).username == "BEN"
        assert (await find_profile(store, "benediKT")).user_id == ben.user_id

    async def test_the_case_of_ones_own_username_can_change(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await ensure_profile(asks(store, clock, ben))
        changed = await change_profile(asks(store, clock, ben), username="BeN")
        assert changed == await now_of(store, changed)
        claim = await store.get(UsernameClaim.at(username="ben"))
        assert claim is not None
        assert claim.username == "BeN"

    async def test_of_two_who_want_one_name_at_once_one_gets_it(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        made, refused = await at_once(
            *(change_profile(asks(store, clock, one), username="Star") for one in (ben, eve))
        )
        assert (len(made), [type(one) for one in refused]) == (1, [Conflict])
        claims = await everything_of(store.engine, UsernameClaim)
        assert sorted(one.username for one in claims if one.username == "Star") == ["Star"]

    async def test_what_is_left_out_stays(self, store: Store, clock: Watch, ben: User) -> None:
        await change_profile(asks(store, clock, ben), bio="Films.", avatar_key="fox")
        changed = await change_profile(asks(store, clock, ben), username="Benedikt")
        assert (changed.bio, changed.avatar_key) == ("Films.", "fox")
        assert (await change_profile(asks(store, clock, ben), bio=None)).bio is None

    async def test_what_does_not_fit_is_refused(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for given in ({"username": "a b"}, {"bio": "x" * 501}, {"avatar_key": "dragon"}):
            with pytest.raises(InvalidField):
                await change_profile(asks(store, clock, ben), **given)  # type: ignore[arg-type]
        with pytest.raises(PreconditionFailed):
            await change_profile(asks(store, clock, ben), bio="x", version=7)


class TestAPublicPage:
    async def test_is_there_for_curators_and_whoever_publishes(
        self, store: Store, clock: Watch, ada: User, ben: User, root: User
    ) -> None:
        await ensure_profile(asks(store, clock, ben))
        with counting() as count:
            assert (await public_profile(looks(store, clock), "ADA")).user_id == ada.user_id
        assert count.requests == 2
        with pytest.raises(NotFound):
            await public_profile(looks(store, clock), "ben")
        for one in (ben, root):
            seen = await public_profile(looks(store, clock, one), "ben")
            assert seen.user_id == ben.user_id

    @pytest.mark.parametrize("name", ["nobody", "a#b", "", "x" * 100, "é"])
    async def test_is_not_there_for_others(self, store: Store, clock: Watch, name: str) -> None:
        with pytest.raises(NotFound):
            await public_profile(looks(store, clock), name)


async def test_lists_show_the_name_that_their_curator_had_when_they_were_made(
    store: Store, clock: Watch, ada: User
) -> None:
    made = await list_of(store, clock, ada)
    assert (made.curator_name, made.curator_status) == ("ada", "approved")


async def test_a_picture_of_ones_own_is_an_https_address_and_reaches_the_lists(
    store: Store, clock: Watch, ada: User
) -> None:
    picture = "https://pictures.example/ada.jpg"
    before = await list_of(store, clock, ada, title="Before")
    ctx = asks(store, clock, ada)
    with pytest.raises(InvalidField):
        await change_profile(ctx, avatar_url="http://pictures.example/ada.jpg")
    assert (await change_profile(ctx, avatar_url=picture)).avatar_url == picture
    after = await list_of(store, clock, ada, title="After")
    await tidied(store, clock)
    for one in (before, after):
        assert (await now_of(store, one)).curator_avatar_url == picture
    await change_profile(ctx, avatar_url="")
    await tidied(store, clock)
    assert (await now_of(store, before)).curator_avatar_url is None
