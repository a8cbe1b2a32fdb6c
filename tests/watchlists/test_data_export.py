"""What somebody takes along of watchlists."""

from __future__ import annotations

import msgspec

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.data_export import export_person
from commonroom.watchlists.service import collaborators
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.follows import follow
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.profiles import change_profile
from commonroom.watchlists.service.saves import follow_list
from tests.accounts.people import Watch
from tests.watchlists.examples import ALIEN, MATRIX, asks, list_of


async def test_everything_of_a_person_and_nothing_that_opens_a_list(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    hers = await list_of(store, clock, ada, MATRIX, title="Hers")
    key = await collaborators.create_link(asks(store, clock, ada), hers.watchlist_id, "join")
    bens = asks(store, clock, ben)
    await collaborators.join(bens, hers.watchlist_id, key)
    await follow_list(bens, hers.watchlist_id)
    await follow(bens, ada.user_id)
    await add_comment(bens, hers.watchlist_id, "Fine.")
    his = await list_of(store, clock, ben, MATRIX, ALIEN, title="His")
    picture = "https://pictures.example/his.jpg"
    await change_list(bens, his.watchlist_id, ListChange(cover_image_url=picture))
    await change_profile(bens, avatar_url=picture)

    taken = await export_person(store, ben)
    assert taken["profile"]["username"] == "ben"
    assert taken["profile"]["avatarUrl"] == picture
    (mine,) = taken["lists"]
    assert mine["list"]["coverImageUrl"] == picture
    assert (mine["list"]["title"], [one["title"] for one in mine["items"]]) == (
        "His",
        ["The Matrix", "Alien"],
    )
    assert taken["collaborates_on"] == [{"list": "Hers", "by": "ada"}]
    assert [one["list"] for one in taken["saved_lists"]] == ["Hers"]
    assert taken["follows"] == ["ada"]
    assert [one["text"] for one in taken["comments"]] == ["Fine."]
    hers_taken = await export_person(store, ada)
    assert b"Digest" not in msgspec.json.encode(hers_taken)
    assert "ben" not in str(hers_taken["profile"])


async def test_whoever_never_came_here_takes_nothing_along(store: Store, ben: User) -> None:
    taken = await export_person(store, ben)
    assert taken["profile"] is None
    assert not any(taken[name] for name in taken if name != "profile")
