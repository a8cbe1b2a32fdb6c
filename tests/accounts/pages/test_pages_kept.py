"""For whom browsers keep pages."""

from __future__ import annotations

from tests.support.pages import Browser


class TestForWhom:
    """A page says for whom it is, so that a browser can forget what it keeps for another."""

    async def test_it_differs_from_person_to_person(
        self, ada: Browser, ben: Browser, guest: Browser
    ) -> None:
        readers = [(await one.get("/")).headers["kept-for"] for one in (ada, ben, guest)]
        assert len(set(readers)) == 3
        assert readers == [(await one.get("/")).headers["kept-for"] for one in (ada, ben, guest)]

    async def test_whoever_acts_for_a_member_is_somebody_else(self, ada: Browser) -> None:
        before = (await ada.get("/")).headers["kept-for"]
        await ada.send("/me/members", display_name="Mia")
        page = await ada.get("/me/members")
        member_id = page.text.partition('name="member_id" value="')[2].partition('"')[0]
        await ada.send("/act-as", member_id=member_id)
        assert (await ada.get("/")).headers["kept-for"] != before

    async def test_a_refusal_says_so_too(self, ada: Browser, guest: Browser) -> None:
        seen = (await guest.get("/")).headers["kept-for"]
        assert (await guest.get("/nowhere")).headers["kept-for"] == seen
