"""Lists: made, changed, published, deleted."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, PreconditionFailed
from commonroom.moments import iso
from commonroom.store import Store, counting, update
from commonroom.titles.tables import Movie
from commonroom.watchlists.rules.lists import MAX_LISTS
from commonroom.watchlists.service import collaborators, curators
from commonroom.watchlists.service.items import remove_item
from commonroom.watchlists.service.lists import (
    ListChange,
    ListDraft,
    change_list,
    create_list,
    delete_list,
    my_lists,
)
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import OwnedList, Profile, Watchlist
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    HEAT,
    MATRIX,
    asks,
    everything_of,
    list_of,
    now_of,
)

PICTURE = "https://pictures.example/rain.jpg"


class TestMaking:
    async def test_a_curators_list_is_public_unless_they_say_otherwise(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await create_list(
            asks(store, clock, ada),
            ListDraft(title=" Noir ", description="Rain.", tags=["#Noir"], is_numbered=True),
        )
        assert made == await now_of(store, made)
        assert (made.title, made.tags, made.is_public) == ("Noir", ["Noir"], True)
        assert made.published_at == made.created_at == iso(clock())
        hidden = await list_of(store, clock, ada, is_public=False)
        assert (hidden.is_public, hidden.published_at) == (False, None)
        profile = await ensure_profile(asks(store, clock, ada))
        assert (profile.list_count, profile.public_list_count) == (2, 1)

    async def test_everybody_keeps_private_lists_and_only_curators_publish(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        assert not (await list_of(store, clock, ben)).is_public
        with pytest.raises(Forbidden):
            await list_of(store, clock, ben, is_public=True)

    async def test_where_everybody_publishes_all_but_the_suspended_do(
        self, store: Store, clock: Watch, ben: User, root: User
    ) -> None:
        ctx = asks(store, clock, ben)
        made = await create_list(ctx, ListDraft(title="Mine"), who_publishes="everybody")
        assert made.is_public
        await curators.decide(asks(store, clock, root), ben.user_id, "suspend", "Spam.")
        with pytest.raises(Forbidden):
            await create_list(
                ctx, ListDraft(title="More", is_public=True), who_publishes="everybody"
            )
        private = await create_list(ctx, ListDraft(title="More"), who_publishes="everybody")
        assert not private.is_public

    async def test_what_does_not_fit_is_refused(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        for draft in (
            ListDraft(title=""),
            ListDraft(title="x" * 101),
            ListDraft(title="x", description="x" * 1001),
            ListDraft(title="x", tags=[str(number) for number in range(21)]),
        ):
            with pytest.raises(InvalidField):
                await create_list(asks(store, clock, ada), draft)
        assert await everything_of(store.engine, Watchlist, OwnedList) == []

    async def test_nobody_has_more_than_so_many(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await store.write(update(Profile.at(user_id=ada.user_id), list_count=MAX_LISTS))
        with pytest.raises(Conflict):
            await list_of(store, clock, ada)


class TestChanging:
    async def test_what_is_left_out_stays(self, store: Store, clock: Watch, ada: User) -> None:
        made = await list_of(store, clock, ada, tags=["noir"], description="Rain.")
        clock.forward(5)
        changed = await change_list(
            asks(store, clock, ada), made.watchlist_id, ListChange(title="Neo-noir")
        )
        assert changed == await now_of(store, changed)
        assert (changed.title, changed.tags, changed.description) == ("Neo-noir", ["noir"], "Rain.")
        assert (changed.version, changed.updated_at) == (2, iso(clock()))
        changed = await change_list(
            asks(store, clock, ada), made.watchlist_id, ListChange(description="", tags=[])
        )
        assert (changed.description, changed.tags) == (None, [])

    async def test_what_is_published_later_is_new_then_and_keeps_that(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, is_public=False)
        begun = iso(clock())
        for is_public in (True, False, True):
            clock.forward(3600)
            ctx = asks(store, clock, ada)
            made = await change_list(ctx, made.watchlist_id, ListChange(is_public=is_public))
            assert made.is_public is is_public
            profile = await ensure_profile(ctx)
            assert profile.public_list_count == int(is_public)
        assert made.begun_at == begun
        assert made.created_at == made.published_at == iso(clock() - 7200)

    async def test_whoever_may_not_publish_cannot_by_a_change(
        self, store: Store, clock: Watch, ben: User, ada: User, root: User
    ) -> None:
        mine = await list_of(store, clock, ben)
        with pytest.raises(Forbidden):
            await change_list(
                asks(store, clock, ben), mine.watchlist_id, ListChange(is_public=True)
            )
        hers = await list_of(store, clock, ada)
        clock.forward(1)
        await curators.decide(asks(store, clock, root), ada.user_id, "suspend", "Spam.")
        ctx = asks(store, clock, ada)
        await change_list(ctx, hers.watchlist_id, ListChange(is_public=False))
        with pytest.raises(Forbidden):
            await change_list(ctx, hers.watchlist_id, ListChange(is_public=True))

    async def test_the_cover_is_a_title_of_the_list_or_drawn(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada, MATRIX, ALIEN)
        ctx = asks(store, clock, ada)
        changed = await change_list(ctx, made.watchlist_id, ListChange(cover=ALIEN))
        assert changed.cover_title == "MOVIE#348"
        with pytest.raises(InvalidField):
            await change_list(ctx, made.watchlist_id, ListChange(cover=HEAT))
        changed = await change_list(ctx, made.watchlist_id, ListChange(cover=None))
        assert changed.cover_title is None

    async def test_a_picture_of_ones_own_stands_for_the_list_whatever_is_on_it(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await store.write(update(Movie.at(movie_id=ALIEN.content_id), poster_url="/posters/a.jpg"))
        made = await list_of(store, clock, ada, MATRIX, ALIEN)
        ctx, here = asks(store, clock, ada), made.watchlist_id
        changed = await change_list(ctx, here, ListChange(cover=ALIEN))
        assert changed.cover_image_url == "/posters/a.jpg"
        changed = await change_list(ctx, here, ListChange(cover_image_url=f" {PICTURE} "))
        assert (changed.cover_title, changed.cover_image_url) == ("MOVIE#348", PICTURE)
        changed = await change_list(ctx, here, ListChange(cover=None))
        assert (changed.cover_title, changed.cover_image_url) == (None, PICTURE)
        await change_list(ctx, here, ListChange(cover=ALIEN))
        changed = await change_list(ctx, here, ListChange(cover_image_url=None))
        assert changed.cover_image_url == "/posters/a.jpg"
        await change_list(ctx, here, ListChange(cover_image_url=PICTURE))
        await remove_item(ctx, here, ALIEN)
        after = await now_of(store, made)
        assert (after.cover_title, after.cover_image_url) == (None, PICTURE)

    @pytest.mark.parametrize(
        "address",
        [
            "http://pictures.example/a.jpg",
            "javascript:alert(1)",
            "/posters/a.jpg",
            "https://",
            "https://pictures.example/a b.jpg",
            "https://pictures.example/ä.jpg",
            "https://[/a.jpg",
            f"{PICTURE}{'a' * 2000}",
        ],
    )
    async def test_the_address_of_a_picture_is_https_and_bounded(
        self, store: Store, clock: Watch, ada: User, address: str
    ) -> None:
        made = await list_of(store, clock, ada)
        ctx = asks(store, clock, ada)
        with pytest.raises(InvalidField) as refused:
            await change_list(ctx, made.watchlist_id, ListChange(cover_image_url=address))
        assert refused.value.field == "cover_image_url"

    async def test_a_collaborator_chooses_no_picture(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        made = await list_of(store, clock, ada)
        link = await collaborators.create_link(asks(store, clock, ada), made.watchlist_id, "join")
        await collaborators.join(asks(store, clock, ben), made.watchlist_id, link)
        change = ListChange(cover_image_url=PICTURE)
        with pytest.raises(Forbidden):
            await change_list(asks(store, clock, ben), made.watchlist_id, change)

    async def test_somebody_elses_public_list_is_not_theirs_and_a_private_one_is_not_there(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        shown = await list_of(store, clock, ada)
        hidden = await list_of(store, clock, ada, is_public=False)
        ctx = asks(store, clock, ben)
        with pytest.raises(Forbidden):
            await change_list(ctx, shown.watchlist_id, ListChange(title="Mine"))
        with pytest.raises(NotFound):
            await change_list(ctx, hidden.watchlist_id, ListChange(title="Mine"))
        with pytest.raises(NotFound):
            await change_list(ctx, "a#b", ListChange(title="Mine"))

    async def test_a_change_of_what_has_changed_since_is_refused(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        made = await list_of(store, clock, ada)
        with pytest.raises(PreconditionFailed):
            await change_list(
                asks(store, clock, ada), made.watchlist_id, ListChange(title="x"), version=7
            )


async def test_ones_own_lists_are_newest_first_private_ones_included(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await list_of(store, clock, ben)
    for number, is_public in enumerate((True, False, True)):
        clock.forward(1)
        await list_of(store, clock, ada, title=str(number), is_public=is_public)
    ctx = asks(store, clock, ada)
    with counting() as count:
        page = await my_lists(ctx, limit=2)
    assert ([one.title for one in page.items], count.requests) == (["2", "1"], 1)
    page = await my_lists(ctx, limit=2, cursor=page.cursor)
    assert [one.title for one in page.items] == ["0"]


async def test_a_deleted_list_is_gone_at_once(store: Store, clock: Watch, ada: User) -> None:
    made = await list_of(store, clock, ada, MATRIX)
    ctx = asks(store, clock, ada)
    await delete_list(ctx, made.watchlist_id)
    assert await store.get(made.ref) is None
    assert await everything_of(store.engine, OwnedList) == []
    profile = await ensure_profile(ctx)
    assert (profile.list_count, profile.public_list_count) == (0, 0)
    with pytest.raises(NotFound):
        await delete_list(ctx, made.watchlist_id)
