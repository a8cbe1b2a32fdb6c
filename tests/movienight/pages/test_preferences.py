"""What members like and may see, and who says so."""

from __future__ import annotations

import re

import httpx
import pytest

from commonroom.accounts.tables import User
from commonroom.movienight.service.members import change_managed
from commonroom.movienight.tables import Preferences
from commonroom.titles.genres import GENRES
from tests.movienight.evenings import COMEDY, DRAMA, HORROR, now_of
from tests.movienight.pages.site import Site
from tests.support.context import at
from tests.support.pages import Browser, said, tag, text

HERE = "/movie-night/preferences"
TWO = {f"genre_{COMEDY}": "like", f"genre_{DRAMA}": "like", "ceiling": "PG"}


async def kept(site: Site, member: User) -> Preferences | None:
    group_id = (await now_of(site.store, member)).household_id
    assert group_id is not None
    return await site.store.get(Preferences.at(group_id=group_id, user_id=member.user_id))


def feelings(answer: httpx.Response) -> dict[str, str]:
    """How each genre stands on a page."""
    found = re.findall(r'name="genre_(\d+)" value="(\w+)" checked', answer.text)
    return dict(found)


def ceilings(answer: httpx.Response) -> dict[str, str]:
    """Each ceiling, and whether it is chosen or shut."""
    found = re.findall(r'name="ceiling" value="([^"]+)"([^>]*)>', answer.text)
    return {
        value: "chosen" if "checked" in more else "shut" if "disabled" in more else "open"
        for value, more in found
    }


class TestTheForm:
    async def test_shows_every_genre_as_it_stands(self, adas: Browser) -> None:
        stand = feelings(await adas.get(HERE))
        assert stand.keys() == GENRES.keys()
        assert {genre for genre, feeling in stand.items() if feeling == "like"} == {COMEDY, DRAMA}
        assert stand[HORROR] == "dislike"
        assert list(stand.values()).count("neutral") == len(GENRES) - 3

    async def test_every_feeling_can_be_chosen_without_scripts(self, adas: Browser) -> None:
        page = (await adas.get(HERE)).text
        for genre in GENRES:
            for feeling in ("like", "neutral", "dislike"):
                assert f'type="radio" name="genre_{genre}" value="{feeling}"' in page

    async def test_who_never_chose_begins_with_everything_open(
        self, site: Site, eves: Browser, adas: Browser
    ) -> None:
        await eves.send("/movie-night/household", name="Attic")
        page = await eves.get(HERE)
        assert set(feelings(page).values()) == {"neutral"}
        assert ceilings(page) == {"G": "open", "PG": "open", "PG-13": "open", "R": "chosen"}

    async def test_leads_to_everybody_one_may_speak_for(
        self, adas: Browser, bens: Browser, ada: User, ben: User, zoe: User
    ) -> None:
        for browser, name in ((adas, "Ada"), (bens, "Ben")):
            page = await browser.get(HERE)
            whose = re.findall(r'<nav class="people".*?</nav>', page.text, re.DOTALL)[0]
            assert set(re.findall(r'href="([^"]*)"', whose)) == {HERE, f"{HERE}/{zoe.user_id}"}
            assert name in whose
        assert "not set" in text(await adas.get(HERE))

    async def test_a_guest_signs_in_and_a_stranger_finds_nothing(
        self, guest: Browser, eves: Browser
    ) -> None:
        assert (await guest.get(HERE)).headers["location"].startswith("/sign-in")
        assert (await eves.get(HERE)).headers["location"] == "/movie-night"


class TestSaving:
    async def test_keeps_what_was_chosen(self, site: Site, adas: Browser, ada: User) -> None:
        answer = await adas.send(HERE, **TWO | {f"genre_{DRAMA}": "dislike", "genre_16": "like"})
        assert said(await adas.follow(answer)) == "Tastes saved."
        chosen = await kept(site, ada)
        assert chosen is not None
        assert set(chosen.genre_likes) == {COMEDY, "16"}
        assert chosen.genre_dislikes == [DRAMA]
        assert chosen.max_content_rating == "PG"

    async def test_every_genre_can_be_liked(self, site: Site, adas: Browser, ada: User) -> None:
        await adas.send(HERE, ceiling="R", **{f"genre_{genre}": "like" for genre in GENRES})
        chosen = await kept(site, ada)
        assert chosen is not None
        assert set(chosen.genre_likes) == set(GENRES)

    async def test_too_few_are_said_beside_the_genres_and_kept_on_the_page(
        self, site: Site, adas: Browser, ada: User
    ) -> None:
        before = await kept(site, ada)
        sent = {f"genre_{COMEDY}": "like", f"genre_{HORROR}": "dislike", "ceiling": "G"}
        answer = await adas.send(HERE, **sent)
        assert answer.status_code == 422
        assert "Choose at least 2 genres you like." in text(answer)
        assert "genres-wrong" in tag(answer, "genres")
        assert answer.text.count(" autofocus") == 1, "one is led to what is wrong"
        stand = feelings(answer)
        assert (stand[COMEDY], stand[DRAMA], stand[HORROR]) == ("like", "neutral", "dislike")
        assert ceilings(answer)["G"] == "chosen"
        assert await kept(site, ada) == before

    @pytest.mark.parametrize(
        "changed",
        [{"ceiling": "NC-17"}, {"genre_35": "adore"}, {"genre_1": "like"}, {"likes": "35"}],
    )
    async def test_what_no_form_sends_is_refused(
        self, adas: Browser, changed: dict[str, str]
    ) -> None:
        assert (await adas.send(HERE, **TWO | changed)).status_code == 400


class TestForChildren:
    @pytest.mark.parametrize("is_creator", [True, False], ids=["creator", "parent"])
    async def test_parent_and_creator_say_what_they_like(
        self, site: Site, adas: Browser, bens: Browser, zoe: User, is_creator: bool
    ) -> None:
        browser = adas if is_creator else bens
        there = f"{HERE}/{zoe.user_id}"
        page = await browser.get(there)
        assert "Zoe’s tastes" in text(page)
        assert f'action="{there}"' in page.text
        assert said(await browser.follow(await browser.send(there, **TWO))) == "Tastes saved."
        chosen = await kept(site, zoe)
        assert chosen is not None
        assert set(chosen.genre_likes) == {COMEDY, DRAMA}

    async def test_nothing_above_what_is_allowed_can_be_chosen(
        self, bens: Browser, zoe: User
    ) -> None:
        page = await bens.get(f"{HERE}/{zoe.user_id}")
        assert ceilings(page) == {"G": "open", "PG": "chosen", "PG-13": "shut", "R": "shut"}
        assert "More than PG is not allowed for Zoe." in text(page)
        assert f"/movie-night/household/members/{zoe.user_id}" in page.text

    async def test_more_can_be_chosen_once_it_is_allowed(
        self, site: Site, bens: Browser, ben: User, zoe: User
    ) -> None:
        ctx = await site.ctx(ben)
        await change_managed(at(site.store, site.now(), ctx), zoe.user_id, ceiling="PG-13")
        page = await bens.get(f"{HERE}/{zoe.user_id}")
        assert ceilings(page) == {"G": "open", "PG": "open", "PG-13": "chosen", "R": "shut"}

    async def test_a_child_says_what_it_likes_and_allows_itself_nothing(
        self, site: Site, bens: Browser, ben: User, zoe: User
    ) -> None:
        browser = await site.browser(ben, zoe)
        await browser.send(HERE, **TWO | {"ceiling": "G"})
        page = await browser.get(HERE)
        assert "Your tastes" in text(page)
        assert ceilings(page) == {"G": "chosen", "PG": "shut", "PG-13": "shut", "R": "shut"}
        assert "The person who manages your profile can allow more." in text(page)
        assert (await browser.send(HERE, **TWO)).status_code == 403

    async def test_nobody_speaks_for_others_with_a_login(
        self, site: Site, adas: Browser, ben: User, zoe: User
    ) -> None:
        there, child = f"{HERE}/{ben.user_id}", await site.browser(ben, zoe)
        for browser in (adas, child):
            assert (await browser.get(there)).status_code == 403
            assert (await browser.send(there, **TWO)).status_code == 403

    async def test_nobody_is_found_who_is_not_here(
        self, adas: Browser, eves: Browser, eve: User, zoe: User
    ) -> None:
        for member_id in (eve.user_id, "nobody", "x" * 900, "%00"):
            assert (await adas.get(f"{HERE}/{member_id}")).status_code == 404
            assert (await adas.send(f"{HERE}/{member_id}", **TWO)).status_code == 404
        assert (await eves.get(f"{HERE}/{zoe.user_id}")).status_code == 404
