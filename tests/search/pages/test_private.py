"""What is not for everybody: found by those who may see it at this moment, and by nobody else."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from httpx import AsyncClient

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.service.members import leave_group, remove_member
from commonroom.hangouts.tables import HangoutPerson
from commonroom.search.checking import check_index
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.queries import SearchQuery
from commonroom.shareables.tables import Checklist
from commonroom.store import counting, delete, put, update
from tests.accounts.people import Watch
from tests.hangouts.friends import crowd_of, group_of, hangout_of, somebody
from tests.house.whole import Whole, whole
from tests.library.bookcase import book_of, library_of
from tests.search.pages.private_things import (
    API,
    SEARCH,
    Home,
    browser_of,
    found_by,
    furnished,
    indexed,
    pages_of,
    program_of,
)
from tests.search.pages.test_pages import addresses, groups
from tests.search.things import follow, indexer_of
from tests.support.checking import Patience

MINE = [
    ("group", "Quuxby friends"),
    ("hangout", "Quuxby birthday in the Alps"),
    ("hangout", "Quuxby secret"),
    ("person", "Bea Quuxby"),
    ("person", "Lea Quuxby"),
    ("person", "Max Quuxby"),
    ("person", "Tom Quuxby"),
    ("shareable", "Quuxby event"),
    ("shareable", "Quuxby poll"),
    ("shareable", "Quuxby shopping"),
]

RESULTS = re.compile(r'<div class="found" id="found">.*</search-keys>', re.DOTALL)


@pytest.fixture
async def home(house: Whole, tmp_path: Path) -> Home:
    made = await furnished(house.store, house.ada, "Quuxby")
    await indexed(house, tmp_path)
    return made


@pytest.fixture
async def ada(house: Whole) -> AsyncClient:
    return await browser_of(house, house.ada, accept="application/json")


async def test_one_finds_all_that_is_ones_own_by_one_word(ada: AsyncClient, home: Home) -> None:
    assert sorted(await found_by(ada, "quuxby")) == MINE
    assert await found_by(ada, "quuxby alps") == [("hangout", "Quuxby birthday in the Alps")]
    assert await found_by(ada, "surprise") == [("hangout", "Quuxby secret")], "by its description"
    assert ("hangout", "Quuxby birthday in the Alps") in await found_by(ada, "birtday alps")


async def test_each_kind_is_found_by_itself(ada: AsyncClient, home: Home) -> None:
    for kind in ("group", "hangout", "person", "shareable"):
        found = await found_by(ada, "quuxby", kind=kind)
        assert sorted(found) == [one for one in MINE if one[0] == kind]


async def test_strangers_and_guests_find_nothing_of_it(house: Whole, home: Home) -> None:
    eve = await somebody(house.store, Watch(), "Eve")
    stranger = await browser_of(house, eve, accept="application/json")
    guest = await house.guest(accept="application/json")
    for client in (stranger, guest):
        for text in ("quuxby", "quuxby birthday in the alps", "qxuuby birthday", "surprise", "tom"):
            assert all("uux" not in title for _, title in await found_by(client, text)), text
    refused = await guest.get(API, params={"q": "quuxby", "kind": "hangout"})
    assert refused.status_code == 422, "as for a kind that there is none of"


async def test_others_find_what_they_share_and_no_more(house: Whole, home: Home) -> None:
    friend = await browser_of(house, home.friend, accept="application/json")
    assert sorted(await found_by(friend, "quuxby")) == [
        ("group", "Quuxby friends"),
        ("hangout", "Quuxby birthday in the Alps"),
        ("person", "Max Quuxby"),
    ]
    assert await found_by(friend, "ada", kind="person") == [("person", "Ada")]
    partner = await browser_of(house, home.partner, accept="application/json")
    assert await found_by(partner, "quuxby") == [], "a child that is not in the household"
    assert await found_by(partner, "ada", kind="person") == [("person", "Ada")]


async def test_whoever_has_left_a_group_finds_nothing_of_it_at_once(
    house: Whole, ada: AsyncClient, home: Home
) -> None:
    await leave_group(Context(house.store, house.ada, time.time()), home.group.group_id)
    found = [title for _, title in await found_by(ada, "quuxby")]
    gone = {"Quuxby friends", "Quuxby birthday in the Alps", "Tom Quuxby", "Max Quuxby"}
    assert not gone & set(found)
    assert "Lea Quuxby" in found
    friend = await browser_of(house, home.friend, accept="application/json")
    assert await found_by(friend, "ada", kind="person") == [], "nor do the others find them"


async def test_whoever_was_removed_finds_nothing_of_it_at_once(house: Whole, home: Home) -> None:
    ctx = Context(house.store, home.host, time.time())
    await remove_member(ctx, home.group.group_id, home.friend.user_id)
    friend = await browser_of(house, home.friend, accept="application/json")
    assert await found_by(friend, "quuxby") == []


async def test_who_is_no_longer_in_the_household_is_not_found(
    house: Whole, ada: AsyncClient, home: Home
) -> None:
    await house.store.write(update(User.at(user_id=home.partner.user_id), household_id=None))
    assert ("person", "Bea Quuxby") not in await found_by(ada, "quuxby")


async def test_what_is_deleted_or_given_away_is_gone_at_once(
    house: Whole, ada: AsyncClient, home: Home
) -> None:
    ctx = Context(house.store, home.host, time.time())
    await delete_hangout(ctx, home.hangout.hangout_id)
    await house.store.write(
        update(Checklist.at(short_id=home.short_ids[0]), created_by=home.friend.user_id)
    )
    found = await found_by(ada, "quuxby")
    assert ("hangout", "Quuxby birthday in the Alps") not in found
    assert ("shareable", "Quuxby shopping") not in found


async def test_what_is_renamed_is_shown_as_it_is_now(
    house: Whole, ada: AsyncClient, home: Home
) -> None:
    place = Checklist.at(short_id=home.short_ids[0])
    await house.store.write(update(place, name="Buying cake"))
    assert ("shareable", "Buying cake") in await found_by(ada, "quuxby")


async def test_the_documents_of_what_is_gone_go(house: Whole, home: Home, tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "search.db")
    indexer = indexer_of(house.store, index)
    audience = (f"user#{house.ada.user_id}", f"group#{home.group.group_id}")
    everything = SearchQuery(text="quuxby", audience=audience, limit=50)
    assert len(await index.search(everything)) == 9
    people = [home.friend, home.host, home.child]
    await house.store.write(
        delete(home.hangout.ref),
        delete(home.group.ref),
        delete(Checklist.at(short_id=home.short_ids[0])),
        *(delete(User.at(user_id=one.user_id)) for one in people),
        *(delete(HangoutPerson.at(user_id=one.user_id)) for one in (home.friend, home.host)),
    )
    await follow(indexer)
    left = {hit.document.title for hit in await index.search(everything)}
    assert left == {"Quuxby secret", "Quuxby event", "Quuxby poll"}
    await index.close()


async def test_the_check_knows_these_kinds_and_mends_them(
    house: Whole, home: Home, tmp_path: Path
) -> None:
    index = EmbeddedIndex(tmp_path / "search.db")
    indexer = indexer_of(house.store, index)
    await index.apply(await index.ticket(), {("hangout", home.hangout.hangout_id): None})
    problems: list[str] = []
    for repair in (True, False):
        summary = await check_index(
            indexer,
            repair=repair,
            report=lambda one: problems.append(one.detail),
            grace=Patience(0),
        )
    assert problems == ["It is missing in the search index."]
    assert summary.found == 0
    await index.close()


async def test_a_child_at_the_screen_finds_nothing_of_its_parents_own(
    house: Whole, home: Home
) -> None:
    browser = await browser_of(house, house.ada, accept="application/json")
    browser.headers["x-acting-as-member"] = home.child.user_id
    assert sorted(await found_by(browser, "quuxby")) == [
        ("group", "Quuxby friends"),
        ("hangout", "Quuxby birthday in the Alps"),
        ("person", "Max Quuxby"),
        ("person", "Tom Quuxby"),
    ]


async def test_a_program_finds_it_with_a_token_that_may_read(house: Whole, home: Home) -> None:
    reading = await program_of(house, house.ada, "read")
    assert sorted(await found_by(reading, "quuxby")) == MINE
    writing = await program_of(house, house.ada, "write")
    assert await found_by(writing, "quuxby") == []


async def test_the_page_shows_it_by_kind_and_where_it_is(house: Whole, home: Home) -> None:
    browser = await browser_of(house, house.ada)
    answer = await browser.get(SEARCH, params={"q": "quuxby"})
    assert groups(answer) == ["Shareables", "Hangouts", "Groups", "People"]
    found = addresses(answer)
    assert f"/hangouts/{home.hangout.hangout_id}" in found
    assert f"/groups/{home.group.group_id}" in found
    for one in (home.partner, home.friend, home.host, home.child):
        assert f"/people/{one.user_id}" in found
    assert len(found) == len(MINE)
    alone = await browser.get(SEARCH, params={"q": "quuxby", "kind": "person"})
    assert groups(alone) == ["People"]


async def test_every_address_that_is_found_can_be_opened(house: Whole, home: Home) -> None:
    browser = await browser_of(house, house.ada)
    answer = await browser.get(SEARCH, params={"q": "quuxby"})
    rooms = [one for one in addresses(answer) if not one.startswith("/s/")]  # these need secrets
    assert len(rooms) == 7  # two hangouts, a group, four people
    for address in rooms:
        assert (await browser.get(address)).status_code == 200, address


async def test_of_rooms_that_are_switched_off_nothing_is_found(tmp_path: Path) -> None:
    async with whole(tmp_path, rooms="library,watchlists") as house:
        home = await furnished(house.store, house.ada, "Quuxby")
        await indexed(house, tmp_path)
        ada = await browser_of(house, house.ada, accept="application/json")
        assert await found_by(ada, "quuxby") == [("person", home.child.display_name)]
        assert (await ada.get(API, params={"q": "x", "kind": "hangout"})).status_code == 422


async def test_what_others_have_shows_in_nothing(house: Whole, home: Home, tmp_path: Path) -> None:
    """The same page, the same counts and the same requests, whatever others have."""
    browser = await browser_of(house, house.ada)
    program = await browser_of(house, house.ada, accept="application/json")
    guest = await house.guest()
    texts = [
        "quuxby",
        "quuxby birthday",
        "qxuuby birtday",
        "birthday",
        "q",
        "friends",
        "matrix",
        "lea",
    ]

    async def seen() -> list[object]:
        found: list[object] = []
        for client in (browser, guest):
            for text in texts:
                await client.get(SEARCH, params={"q": text})
                with counting() as count:
                    answer = await client.get(SEARCH, params={"q": text})
                found += [RESULTS.findall(answer.text), count.reads, count.writes]
        for text in texts:
            found.append((await program.get(API, params={"q": text})).json())
        return found

    before = await seen()
    clock = Watch()
    for code, name in zip("BCDE", ("Quuxby too", "Quuxbys", "Birthday", "Lea Matrix"), strict=True):
        other = await somebody(house.store, clock, f"Other {name}")
        await furnished(house.store, other, name, code * 3)
    await indexed(house, tmp_path)
    assert await seen() == before


@pytest.mark.parametrize("number", [1, 10])
async def test_it_takes_few_requests_however_much_there_is(
    house: Whole, home: Home, tmp_path: Path, number: int
) -> None:
    clock = Watch()
    for count in range(number):
        group = await group_of(house.store, clock, house.ada, name=f"Quuxby group {count}")
        await crowd_of(house.store, clock, group, 5 * number)
        for one in range(number):
            await hangout_of(house.store, clock, house.ada, group, title=f"Quuxby walk {one}")
    for count in range(number):
        for at, page in enumerate(pages_of(house.ada, "Quuxby")):
            await house.store.write(put(page(f"BBB-BBB-{count:03}{at:02}")))
    shelf = await library_of(house.store, clock, house.ada)
    for count in range(number):
        await book_of(house.store, clock, house.ada, shelf, f"Quuxby and the {count} books")
    await indexed(house, tmp_path)
    warm = await browser_of(house, house.ada)
    await warm.get(SEARCH, params={"q": "quuxby"})  # titles of libraries are remembered
    ada = await browser_of(house, house.ada)
    for text in ("quuxby", "q", "qxuuby wlak", "the"):
        for asked in ({}, {"kind": "hangout"}, {"kind": "person"}, {"kind": "shareable"}):
            with counting() as requests:
                await ada.get(SEARCH, params={"q": text, **asked})
            assert requests.requests <= 8, (text, asked)
            assert requests.writes == 0
