"""What an account's changes mean for its profile, and what is left of whoever leaves."""

from __future__ import annotations

from commonroom.accounts.tables import AddressClaim, User
from commonroom.notifications.tables import Notification
from commonroom.store import Store, create, delete, update
from commonroom.watchlists.consumers.announcements import ANNOUNCE_AFTER
from commonroom.watchlists.service import collaborators, curators
from commonroom.watchlists.service.comments import add_comment, see_comments
from commonroom.watchlists.service.follows import follow
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.service.saves import follow_list
from commonroom.watchlists.tables import EmailClaim, Profile
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    add_item,
    asks,
    everything_of,
    left_of_room,
    list_of,
    looks,
    now_of,
    tidied,
)


async def test_a_new_address_reaches_the_profile_with_its_claim(
    store: Store, clock: Watch, ben: User
) -> None:
    profile = await ensure_profile(asks(store, clock, ben))
    await store.write(update(ben, email="Benedikt@example.org"))
    await tidied(store, clock)
    assert (await now_of(store, profile)).email == "Benedikt@example.org"
    (claim,) = await everything_of(store.engine, EmailClaim)
    assert claim.address == "Benedikt@example.org"


async def test_an_address_that_went_from_one_to_another_reaches_both(
    store: Store, clock: Watch, ben: User, eve: User
) -> None:
    for person in (ben, eve):
        await ensure_profile(asks(store, clock, person))
    await store.write(
        update(ben, email="eve@example.org"),
        update(eve, email="ben@example.org"),
    )
    for _ in range(5):
        await tidied(store, clock)
        clock.forward(400)
    emails = {one.user_id: one.email for one in await everything_of(store.engine, Profile)}
    assert emails == {ben.user_id: "eve@example.org", eve.user_id: "ben@example.org"}
    claims = {one.user_id: one.address for one in await everything_of(store.engine, EmailClaim)}
    assert claims == emails


async def test_nothing_is_left_of_whoever_leaves_and_what_others_see_is_right(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    bens = asks(store, clock, ben)
    await ensure_profile(asks(store, clock, ada))
    hers = await list_of(store, clock, ada, MATRIX)
    await tidied(store, clock)
    before = await left_of_room(store.engine)

    await list_of(store, clock, ben, ALIEN)
    key = await collaborators.create_link(asks(store, clock, ada), hers.watchlist_id, "join")
    await collaborators.join(bens, hers.watchlist_id, key)
    added = await add_item(bens, hers.watchlist_id, "MOVIE", ALIEN.content_id)
    await follow_list(bens, hers.watchlist_id)
    await follow(bens, ada.user_id)
    await add_comment(bens, hers.watchlist_id, "Fine.")
    await curators.apply(bens, "I know films.")
    await tidied(store, clock)

    await store.write(delete(ben), delete(AddressClaim.at(address="ben@example.org")))
    await tidied(store, clock)
    left = await left_of_room(store.engine)
    left["WatchlistItem"] -= 1  # what was added to somebody else's list stays
    left["TitleOnList"] -= 1
    left["BrowseEntry"] = before["BrowseEntry"]
    assert {kind: number for kind, number in left.items() if kind != "DaySaves"} == before
    found = await now_of(store, hers)
    assert (found.save_count, found.comment_count, found.collaborator_ids) == (0, 0, [])
    assert (await ensure_profile(asks(store, clock, ada))).follower_count == 0
    assert (await see_comments(looks(store, clock), hers.watchlist_id)).items == []
    assert (await now_of(store, added)).added_by is None
    told = await everything_of(store.engine, Notification)
    assert "ben" not in [value for one in told for value in one.facts.values()]


async def test_followers_of_a_curator_who_leaves_follow_nobody(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await follow(asks(store, clock, ben), ada.user_id)
    made = await list_of(store, clock, ada, MATRIX, title="Space")
    await follow_list(asks(store, clock, ben), made.watchlist_id)
    await tidied(store, clock)
    clock.forward(ANNOUNCE_AFTER + 1)
    await tidied(store, clock)
    await store.write(delete(ada))
    await tidied(store, clock)
    left = await left_of_room(store.engine)
    assert left == {"SavedWatchlist": 1, "DaySaves": 1, "Trending": 1}
    (notice,) = [
        one
        for one in await everything_of(store.engine, Notification)
        if one.kind == "watchlist_new_list"
    ]
    assert notice.facts["who"] == ""


async def test_somebody_who_came_back_under_the_same_id_keeps_what_they_have(
    store: Store, clock: Watch, ben: User
) -> None:
    await list_of(store, clock, ben)
    await store.write(delete(ben))
    await store.write(create(ben))
    await tidied(store, clock)
    assert len(await everything_of(store.engine, Profile)) == 1
