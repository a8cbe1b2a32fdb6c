"""A list in a browser: for a stranger, a follower, its curator, and whoever discovers it."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.service.collaborators import create_link
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.pages import Browser, requests_for, said, text, value, wrong
from tests.watchlists.examples import (
    ALIEN,
    HEAT,
    MATRIX,
    TITLES,
    add_item,
    asks,
    list_of,
    tidied,
)
from tests.watchlists.pages.site import Site, page_of


class TestAStranger:
    async def test_sees_a_public_list_with_everything_on_it(
        self, guest: Browser, public: Watchlist
    ) -> None:
        shown = text(await guest.get(page_of(public)))
        assert "Space and time" in shown
        assert "3 titles" in shown
        assert "The Matrix" in shown
        assert "Dark" in shown
        assert "seen" not in shown, "a stranger has no marks"

    async def test_is_told_of_no_private_list(self, guest: Browser, private: Watchlist) -> None:
        answer = await guest.get(page_of(private))
        assert answer.status_code == 404
        assert "Not yet" not in answer.text

    async def test_opens_a_private_list_with_its_link(
        self, guest: Browser, store: Store, clock: Watch, ada: User, private: Watchlist
    ) -> None:
        key = await create_link(asks(store, clock, ada), private.watchlist_id, "view")
        answer = await guest.get(page_of(private, f"?key={key}"))
        assert "The Matrix" in text(answer)
        assert 'name="robots" content="noindex"' in answer.text
        assert (await guest.get(page_of(private, f"?key={key}x"))).status_code == 404

    async def test_link_previews_are_there_for_public_lists_alone(
        self, adas: Browser, public: Watchlist, private: Watchlist
    ) -> None:
        assert (
            'property="og:title" content="Space and time"' in (await adas.get(page_of(public))).text
        )
        assert "og:title" not in (await adas.get(page_of(private))).text

    async def test_costs_one_request_whatever_the_list_holds(
        self, guest: Browser, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        few = await requests_for(guest, page_of(public))
        await add_item(asks(store, clock, ada), public.watchlist_id, "MOVIE", HEAT.content_id)
        assert await requests_for(guest, page_of(public)) == few == 1


class TestAFollower:
    async def test_follows_and_lets_go(self, bens: Browser, public: Watchlist) -> None:
        answer = await bens.follow(await bens.send(page_of(public, "/save")))
        assert said(answer).startswith("You follow this list.")
        assert "1 follower" in text(answer)
        answer = await bens.follow(await bens.send(page_of(public, "/unsave")))
        assert "1 follower" not in text(answer)

    async def test_sees_what_is_new_once(
        self, bens: Browser, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        await bens.send(page_of(public, "/save"))
        clock.now += 7200
        await add_item(asks(store, clock, ada), public.watchlist_id, "MOVIE", HEAT.content_id)
        assert "1 new title" in text(await bens.get("/watchlists/following"))
        assert "new" in text(await bens.get(page_of(public))).split()
        assert "1 new title" not in text(await bens.get("/watchlists/following"))

    async def test_sees_how_much_they_have_seen_and_can_hide_it(
        self, bens: Browser, store: Store, clock: Watch, ben: User, public: Watchlist
    ) -> None:
        await mark_seen(asks(store, clock, ben), TITLES, MATRIX)
        assert "1 of 3 seen" in text(await bens.get(page_of(public)))
        hidden = await bens.get(page_of(public, "?seen=hide"))
        assert 'id="movie-603"' not in hidden.text
        assert 'id="movie-348"' in hidden.text

    async def test_marks_titles_as_seen_on_the_list_and_takes_it_back(
        self, bens: Browser, public: Watchlist
    ) -> None:
        sent = await bens.send(page_of(public, "/marks"), seen="MOVIE#603", look="notes")
        assert sent.headers["location"] == page_of(public, "?look=notes#movie-603")
        assert "1 of 3 seen" in text(await bens.get(page_of(public)))
        await bens.send(page_of(public, "/marks"), unseen="MOVIE#603")
        assert "0 of 3 seen" in text(await bens.get(page_of(public)))

    async def test_is_told_why_what_they_rated_stays_seen(
        self, bens: Browser, store: Store, clock: Watch, ben: User, public: Watchlist
    ) -> None:
        await rate(asks(store, clock, ben), TITLES, MATRIX, rating=7)
        answer = await bens.send(page_of(public, "/marks"), unseen="MOVIE#603")
        assert answer.status_code == 409
        assert "You have rated this. Remove your rating first." in text(answer)

    async def test_keeps_a_list_that_is_gone_until_it_is_dismissed(
        self, adas: Browser, bens: Browser, public: Watchlist
    ) -> None:
        await bens.send(page_of(public, "/save"))
        await adas.send(page_of(public, "/delete"))
        assert "Space and time No longer available" in text(await bens.get("/watchlists/following"))
        answer = await bens.follow(await bens.send(page_of(public, "/dismiss")))
        assert "You follow no list yet" in text(answer)

    async def test_copies_a_list_into_a_private_one(
        self, bens: Browser, guest: Browser, public: Watchlist
    ) -> None:
        answer = await bens.send(page_of(public, "/copy"))
        copied = await bens.follow(answer)
        assert "private" in text(copied)
        assert "The Matrix" in text(copied)
        assert (await guest.get(answer.headers["location"])).status_code == 404


class TestACurator:
    async def test_makes_a_list_and_adds_titles_in_a_row(self, adas: Browser) -> None:
        answer = await adas.send(
            "/watchlists/new", title="Heists", tags="heist, twists", visibility="public"
        )
        arranging = answer.headers["location"]
        page = await adas.follow(answer)
        assert said(page) == "Your list is ready. Add the first titles."
        assert "Type a few letters." in text(page)
        found = await adas.get(f"{arranging}?q=matr")
        assert "The Matrix" in text(found)
        here = arranging.removesuffix("/arrange")
        for one in (MATRIX, ALIEN):
            answer = await adas.send(
                f"{here}/items/add", content_type="MOVIE", content_id=one.content_id, q="matr"
            )
            assert answer.headers["location"] == f"{arranging}?q=matr", "what was found stays"
        page = await adas.follow(answer)
        assert "on the list" in text(page)
        assert text(page).index("1 The Matrix") < text(page).index("2 Alien")

    async def test_is_told_beside_the_list_that_a_title_is_on_it(
        self, adas: Browser, public: Watchlist
    ) -> None:
        answer = await adas.send(
            page_of(public, "/items/add"), content_type="MOVIE", content_id="603"
        )
        assert answer.status_code == 409
        assert "“The Matrix” is already on this list." in text(answer)

    async def test_moves_without_scripts_by_steps_and_places(
        self, adas: Browser, public: Watchlist
    ) -> None:
        alien = {"content_type": "MOVIE", "content_id": "348"}
        page = await adas.follow(
            await adas.send(page_of(public, "/items/move"), **alien, number=2, step="up")
        )
        assert text(page).index("1 Alien") < text(page).index("2 The Matrix")
        page = await adas.follow(await adas.send(page_of(public, "/items/move"), **alien, place=3))
        assert text(page).index("2 Dark") < text(page).index("3 Alien")

    async def test_says_why_a_title_is_there_and_takes_one_off(
        self, adas: Browser, guest: Browser, public: Watchlist
    ) -> None:
        await adas.send(
            page_of(public, "/items/note"), content_type="MOVIE", content_id="603", note="Whoa."
        )
        assert "Whoa." in text(await guest.get(page_of(public)))
        await adas.send(page_of(public, "/items/remove"), content_type="MOVIE", content_id="348")
        assert "Alien" not in text(await guest.get(page_of(public)))

    async def test_changes_what_a_list_is_called_and_who_sees_it(
        self, adas: Browser, guest: Browser, public: Watchlist
    ) -> None:
        fields = {"title": "Time alone", "visibility": "private", "cover": "MOVIE#348"}
        page = await adas.follow(await adas.send(page_of(public, "/edit"), **fields))
        assert "Time alone" in text(page)
        assert (await guest.get(page_of(public))).status_code == 404

    async def test_is_told_beside_the_field_what_is_wrong(
        self, adas: Browser, public: Watchlist
    ) -> None:
        answer = await adas.send(page_of(public, "/edit"), title="", visibility="public", tags="a")
        assert answer.status_code == 422
        assert wrong(answer, "title") == "Give it a title."
        assert value(answer, "tags") == "a"

    async def test_makes_a_link_that_is_shown_once_and_revokes_it(
        self, adas: Browser, guest: Browser, private: Watchlist
    ) -> None:
        made = await adas.send(page_of(private, "/links"), link="view")
        assert made.headers["cache-control"] == "no-store"
        link = value(made, "share").removeprefix("http://house.example")
        assert (await guest.get(link)).status_code == 200
        await adas.send(page_of(private, "/links/revoke"), link="view")
        assert (await guest.get(link)).status_code == 404

    async def test_lets_somebody_help(
        self, adas: Browser, bens: Browser, private: Watchlist
    ) -> None:
        made = await adas.send(page_of(private, "/links"), link="join")
        link = value(made, "share").removeprefix("http://house.example")
        assert "Help with “Not yet”?" in text(await bens.get(link))
        page = await bens.follow(await bens.send(link))
        assert "Add and arrange" in text(page)
        await bens.send(page_of(private, "/items/add"), content_type="MOVIE", content_id="348")
        assert "Alien" in text(await adas.get(page_of(private)))
        assert (await bens.get(page_of(private, "/edit"))).status_code == 403
        await bens.send(page_of(private, "/leave"))
        assert (await bens.get(page_of(private))).status_code == 404

    async def test_hears_that_removing_somebody_turned_the_link_off(
        self, adas: Browser, bens: Browser, ben: User, private: Watchlist
    ) -> None:
        made = await adas.send(page_of(private, "/links"), link="join")
        link = value(made, "share").removeprefix("http://house.example")
        await bens.send(link)
        assert "The invitation link is turned off, too." in text(
            await adas.get(page_of(private, "/edit"))
        )
        removal = await adas.send(page_of(private, "/collaborators/remove"), user_id=ben.user_id)
        assert "the invitation link is turned off" in said(await adas.follow(removal))
        assert (await bens.get(link)).status_code == (await bens.send(link)).status_code == 404

    async def test_cannot_publish_before_being_approved(self, bens: Browser) -> None:
        assert "become a curator first" in text(await bens.get("/watchlists/new"))
        answer = await bens.send("/watchlists/new", title="Mine", visibility="public")
        assert answer.status_code == 403

    @pytest.mark.parametrize("path", ["/arrange", "/edit"])
    async def test_alone_changes_a_list(self, bens: Browser, public: Watchlist, path: str) -> None:
        assert (await bens.get(page_of(public, path))).status_code == 403


class TestSomebodyActingForAChild:
    async def test_looks_and_changes_nothing(
        self, room: Site, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        child = await add_managed(
            Context(store, ada, clock()), display_name="Mia", avatar_key="owl", ceiling="PG"
        )
        acting = await room.browser(ada, acting_as=child)
        page = await acting.get(page_of(public))
        assert "Add titles" not in text(page)
        assert (await acting.send(page_of(public, "/delete"))).status_code == 403


class TestComments:
    async def test_are_written_and_taken_back(
        self, adas: Browser, bens: Browser, public: Watchlist
    ) -> None:
        page = await bens.follow(await bens.send(page_of(public, "/comments"), text="Lovely <b>"))
        assert said(page) == "Comment added."
        assert "Lovely &lt;b&gt;" in page.text
        comment_id = page.text.partition('name="comment_id" value="')[2].partition('"')[0]
        page = await adas.follow(
            await adas.send(page_of(public, "/comments/delete"), comment_id=comment_id)
        )
        assert "No comments yet." in text(page)

    async def test_that_say_nothing_are_refused_where_they_are_written(
        self, bens: Browser, public: Watchlist
    ) -> None:
        answer = await bens.send(page_of(public, "/comments"), text=" ")
        assert answer.status_code == 422
        assert wrong(answer, "text") == "Write something first."


class TestDiscovery:
    async def test_shows_public_lists_to_everybody(
        self, guest: Browser, public: Watchlist, private: Watchlist
    ) -> None:
        shown = text(await guest.get("/watchlists"))
        assert "Space and time" in shown
        assert "Not yet" not in shown

    @pytest.mark.parametrize("query", ["genre=science+fiction", "decade=1990", "tag=NOIR"])
    async def test_finds_them_by_what_is_in_them(
        self, guest: Browser, store: Store, clock: Watch, ada: User, query: str
    ) -> None:
        await list_of(store, clock, ada, MATRIX, ALIEN, title="Found", tags=["noir"])
        await tidied(store, clock)
        assert "Found" in text(await guest.get(f"/watchlists?{query}"))
        assert "No public list fits." in text(await guest.get("/watchlists?genre=western"))

    async def test_says_what_to_do_where_there_is_nothing(self, guest: Browser, ada: User) -> None:
        assert "No public lists yet" in text(await guest.get("/watchlists"))
        trending = text(await guest.get("/watchlists?sort=trending"))
        assert "No list was followed in the last seven days." in trending

    async def test_costs_the_same_however_many_lists_there_are(
        self, guest: Browser, store: Store, clock: Watch, ada: User, public: Watchlist
    ) -> None:
        one = await requests_for(guest, "/watchlists")
        for number in range(5):
            await list_of(store, clock, ada, MATRIX, title=f"List {number}")
        assert await requests_for(guest, "/watchlists") == one == 1
