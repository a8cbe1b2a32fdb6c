"""Curators in a browser: their pages, one's own profile, and who decides."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.pages import Browser, said, text, wrong
from tests.watchlists.examples import tidied
from tests.watchlists.pages.site import Site, page_of


async def test_a_curator_has_a_public_page_with_their_public_lists(
    guest: Browser, store: Store, clock: Watch, public: Watchlist, private: Watchlist
) -> None:
    await tidied(store, clock)
    shown = text(await guest.get("/curators/ada"))
    assert "Space and time" in shown
    assert "Not yet" not in shown


async def test_whoever_is_no_curator_has_no_public_page(guest: Browser, bens: Browser) -> None:
    await bens.get("/watchlists/profile")
    assert (await guest.get("/curators/ben")).status_code == 404


async def test_a_curator_is_followed_and_let_go(bens: Browser, public: Watchlist) -> None:
    page = await bens.follow(await bens.send("/curators/ada/follow"))
    assert said(page) == "You will be told when they publish a list."
    assert "1 follower" in text(page)
    assert "ada" in text(await bens.get("/watchlists/following"))
    page = await bens.follow(await bens.send("/curators/ada/unfollow"))
    assert "1 follower" not in text(page)


async def test_somebody_asks_and_an_administrator_approves(
    room: Site, bens: Browser, root: User
) -> None:
    page = await bens.follow(
        await bens.send("/watchlists/profile/apply", motivation="I like westerns.")
    )
    assert "An administrator will answer soon" in text(page)
    roots = await room.browser(root)
    waiting = await roots.get("/admin/curators")
    assert "I like westerns." in text(waiting)
    user_id = waiting.text.partition('name="user_id" value="')[2].partition('"')[0]
    page = await roots.follow(await roots.send("/admin/curators", user_id=user_id, step="approve"))
    assert said(page) == "Done. They have been told."
    assert "You are a curator" in text(await bens.get("/watchlists/profile"))


async def test_an_administrator_publishes_without_applying_to_themselves(
    room: Site, guest: Browser, root: User
) -> None:
    roots = await room.browser(root)
    assert "become a curator" not in text(await roots.get("/watchlists/mine"))
    assert "Ask to become a curator" not in text(await roots.get("/watchlists/profile"))
    form = await roots.get("/watchlists/new")
    assert 'value="private" checked' in form.text  # nothing is public by accident
    made = await roots.send("/watchlists/new", title="House rules", visibility="public")
    assert made.status_code == 303
    assert (await guest.get(made.headers["location"].removesuffix("/arrange"))).status_code == 200
    kept = await roots.send("/watchlists/new", title="Later", visibility="private")
    later = kept.headers["location"].removesuffix("/arrange")
    await roots.send(f"{later}/edit", title="Later", visibility="public")
    assert (await guest.get(later)).status_code == 200


async def test_a_suspended_administrator_publishes_nothing(room: Site, root: User) -> None:
    roots = await room.browser(root)
    await roots.get("/watchlists/profile")
    suspension = {"user_id": root.user_id, "step": "suspend", "reason": "A rest."}
    await roots.send("/admin/curators", **suspension)
    made = await roots.send("/watchlists/new", title="House rules", visibility="public")
    assert made.status_code == 403


async def test_a_suspension_hides_lists_and_gives_a_reason(
    room: Site, store: Store, clock: Watch, root: User, public: Watchlist
) -> None:
    roots, guest = await room.browser(root), await room.browser()
    suspension = {"user_id": public.curator_id, "step": "suspend"}
    answer = await roots.send("/admin/curators", **suspension)
    assert answer.status_code == 422
    assert "Give a reason. The person will read it." in text(answer)
    await roots.send("/admin/curators", **suspension, reason="Spoilers in titles.")
    await tidied(store, clock)
    assert "Space and time" not in text(await guest.get("/watchlists"))
    assert "Spoilers in titles." in text(await roots.get("/admin/curators?status=suspended"))


async def test_a_username_that_is_taken_is_said_beside_the_field(bens: Browser, ada: User) -> None:
    answer = await bens.send("/watchlists/profile", username="ADA", bio="")
    assert answer.status_code in (409, 422)
    assert wrong(answer, "username") or "taken" in text(answer)


async def test_people_see_their_own_lists_and_what_they_are(
    adas: Browser, public: Watchlist, private: Watchlist
) -> None:
    shown = text(await adas.get("/watchlists/mine"))
    assert "Space and time" in shown
    assert "Not yet" in shown
    assert page_of(private) in (await adas.get("/watchlists/mine")).text
