"""The room's front: doors to make a page, a page by its id, and somebody's list."""

from __future__ import annotations

import time

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.shareables.rules.short_ids import format_short_id
from commonroom.shareables.service import listing
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.gate import ShareableVisitor, open_page
from tests.shareables.furniture import NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW
from tests.shareables.pages.site import DAY, Site, at, requests_for
from tests.support.pages import Browser, addresses, said, text, value, wrong

FRONT = "/s"


async def joined(site: Site, made: Created, user_id: str) -> None:
    """Puts a page into somebody's list."""
    gate = await open_page(
        ShareableVisitor(site.store, site.passes, time.time(), tokens=(made.token,)),
        made.page.short_id,
        want="view",
    )
    await listing.join(gate, user_id)


async def test_has_a_door_for_each_kind_and_says_what_happens_without_an_account(
    guest: Browser,
) -> None:
    answer = await guest.get(FRONT)
    for kind in ("checklist", "event", "poll"):
        assert f'href="/s/new/{kind}"' in answer.text
    assert "You don’t need an account" in text(answer)
    assert "Your pages" not in text(answer)


@pytest.mark.parametrize(
    "typed", ["ABC-DEF-12345", "abcdef12345", " abc def 12345 ", "Abc–Def–l2345", "ABCDEFI2345"]
)
async def test_opens_a_page_by_its_id_however_it_is_typed(guest: Browser, typed: str) -> None:
    answer = await guest.get(FRONT, params={"id": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, "/s/ABC-DEF-12345")


@pytest.mark.parametrize("typed", ["ABC", "ABC-DEF-1234", "ABC-DEF-123456", "//evil.example", "é"])
async def test_says_beside_the_field_what_an_id_looks_like(guest: Browser, typed: str) -> None:
    answer = await guest.get(FRONT, params={"id": typed})
    assert answer.status_code == 422
    assert wrong(answer, "id").startswith("Enter the code: six letters and five numbers")
    assert value(answer, "id") == typed


async def test_tells_somebody_without_pages_what_to_do(site: Site) -> None:
    answer = await (await site.browser(await site.somebody())).get(FRONT)
    assert "No pages yet" in text(answer)
    assert "You don’t need an account" not in text(answer)


async def test_lists_what_somebody_made_and_kept(site: Site) -> None:
    kim = await site.somebody()
    mine = await site.made(SHOPPING, account_id=kim.user_id)
    theirs, shut = await site.made(SUMMER), await site.made(NEXT_BIRTHDAY, protected=True)
    await joined(site, theirs, kim.user_id)
    await joined(site, shut, kim.user_id)
    read = text(await (await site.browser(kim)).get(FRONT))
    assert f"Shopping {format_short_id(mine.page.short_id)} · yours" in read
    assert f"Summer {format_short_id(theirs.page.short_id)} · saved" in read
    assert f"Page with a passcode {format_short_id(shut.page.short_id)} · saved" in read
    assert "Birthday" not in read


async def test_leads_from_a_page_whose_time_is_over_to_where_it_is_made_anew(
    site: Site,
) -> None:
    kim = await site.somebody()
    old = await site.made(ago=8 * DAY, account_id=kim.user_id)
    answer = await (await site.browser(kim)).get(FRONT)
    assert f'href="{at(old)}/admin"' in answer.text
    assert "closed" in text(answer)


async def test_only_what_was_kept_can_be_dropped(site: Site) -> None:
    kim = await site.somebody()
    await site.made(account_id=kim.user_id)
    theirs = await site.made(SUMMER)
    await joined(site, theirs, kim.user_id)
    browser = await site.browser(kim)
    answer = await browser.get(FRONT)
    drops = [one for one in addresses(answer, "/s/") if one.endswith("/drop")]
    assert drops == [at(theirs, "/drop")]
    after = await browser.follow(await browser.send(drops[0]))
    assert said(after)
    assert "Summer" not in text(after)
    assert "Shopping" in text(after)


async def test_goes_on_where_the_list_is_longer_than_a_page(site: Site) -> None:
    kim = await site.somebody()
    for number in range(listing.LISTED + 2):
        await site.made(account_id=kim.user_id, ago=number)
    browser = await site.browser(kim)
    first = await browser.get(FRONT)
    cursor = first.text.partition("?cursor=")[2].partition('"')[0]
    rest = await browser.get(f"{FRONT}?cursor={cursor}")
    assert first.text.count('class="row page-row"') == listing.LISTED
    assert rest.text.count('class="row page-row"') == 2
    assert "?cursor=" not in rest.text


async def test_whoever_acts_for_a_child_has_no_list(site: Site) -> None:
    kim = await site.somebody()
    child = await add_managed(Context(site.store, kim, time.time()), display_name="Mia")
    await site.made(account_id=kim.user_id)
    read = text(await (await site.browser(kim, child)).get(FRONT))
    assert "Your pages" not in read
    assert "not added to anyone’s list" in read


async def test_a_list_takes_two_requests_and_the_doors_none(site: Site, guest: Browser) -> None:
    kim = await site.somebody()
    await site.made(account_id=kim.user_id)
    assert await requests_for(await site.browser(kim), FRONT) == 2
    assert await requests_for(guest, FRONT) == 0


async def test_a_page_behind_a_passcode_is_named_to_whoever_made_it(site: Site) -> None:
    kim = await site.somebody()
    await site.made(NEXT_BIRTHDAY, account_id=kim.user_id, protected=True)
    read = text(await (await site.browser(kim)).get(FRONT))
    assert "Birthday" in read
    assert VIEW not in read
