"""What rooms know of films and shows that were found."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient

from commonroom.accounts.tables import User
from commonroom.movienight.tables import PendingPick, WatchedFilm, Wish
from commonroom.rate_limits import Rate
from commonroom.store import counting, put, update
from commonroom.watchlists.tables import Seen, WatchlistItem
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of
from tests.house.whole import Whole, whole
from tests.library.bookcase import library_of, somebody, video_of
from tests.movienight.evenings import home_of
from tests.search.pages.private_things import SEARCH, browser_of
from tests.search.things import a_list

MARKS = "/search/marks"
MATRIX, ALIEN, GODFATHER = 603, 348, 238
AT = "2026-05-31T18:00:00.000Z"


async def marks(client: AsyncClient, *titles: str) -> dict[str, list[str]]:
    """What is said of titles, by where it is shown."""
    answer = await client.get(MARKS, params={"titles": ",".join(titles)})
    assert answer.status_code == 200, answer.text
    shown = re.findall(r'id="marks-([\w-]+)" hx-swap-oob="true">(.*)</span>\n', answer.text)
    return {name: re.findall(r"</svg><span>([^<]+)</span>", inside) for name, inside in shown}


async def furnish(house: Whole, person: User) -> None:
    """All that can be known of a film."""
    store, clock = house.store, Watch()
    home = await home_of(store, clock, person)
    shelf = await library_of(store, clock, person)
    lent = await video_of(store, clock, person, shelf, "Alien", tmdb_id=ALIEN)
    await video_of(store, clock, person, shelf, "The Matrix", release_year=1999)
    await store.write(update(lent, lent_to="Tom"))
    film: Any = {"group_id": home.group_id, "title": "x"}
    await store.write(
        put(
            WatchedFilm(
                tmdb_movie_id=MATRIX, watched_at=AT, marked_by=person.user_id, marked_at=AT, **film
            )
        ),
        put(Wish(tmdb_movie_id=GODFATHER, added_by=person.user_id, added_at=AT, **film)),
        put(PendingPick(group_id=home.group_id, tmdb_movie_id=GODFATHER, round_id="r")),
    )
    mine = a_list("mine", "Rainy days", curator_id=person.user_id, is_public=False)
    on: Any = {"content_type": "MOVIE", "content_id": str(MATRIX)}
    await store.write(
        put(mine),
        put(WatchlistItem(watchlist_id="mine", position=1, added_at=AT, title="x", **on)),
        put(Seen(user_id=person.user_id, marked_at=AT, own="hand", **on)),
        put(
            Seen(
                user_id=person.user_id,
                content_type="SHOW",
                content_id="1396",
                marked_at=AT,
                own="hand",
            )
        ),
    )


async def test_a_film_says_all_that_we_know_of_it(house: Whole) -> None:
    await furnish(house, house.ada)
    ada = await house.browser()
    found = await marks(ada, f"film-{MATRIX}", f"film-{ALIEN}", f"film-{GODFATHER}", "show-1396")
    assert found == {
        f"film-{MATRIX}": ["Watched in May 2026", "On your shelf", "On Rainy days"],
        f"film-{ALIEN}": ["Lent to Tom"],
        f"film-{GODFATHER}": ["Picked for movie night", "On the wish list"],
        "show-1396": ["Seen"],
    }


async def test_others_are_told_nothing_of_it(house: Whole) -> None:
    before = await somebody(house.store, Watch(), "Eve")
    await furnish(house, house.ada)
    eve = await browser_of(house, before)
    titles = [f"film-{one}" for one in (MATRIX, ALIEN, GODFATHER)]
    assert await marks(eve, *titles) == {one: [] for one in titles}
    guest = await (await house.guest()).get(MARKS, params={"titles": ",".join(titles)})
    assert guest.status_code != 200


async def test_a_child_of_another_household_is_told_nothing_of_ours(house: Whole) -> None:
    await furnish(house, house.ada)
    child = await child_of(house.store, Watch(), house.ada, "Lea")
    ada = await house.browser()
    ada.headers["x-acting-as-member"] = child.user_id
    found = await marks(ada, f"film-{MATRIX}", f"film-{GODFATHER}")
    assert found == {f"film-{MATRIX}": ["On your shelf"], f"film-{GODFATHER}": []}


async def test_results_ask_for_it_where_somebody_is_signed_in(house: Whole) -> None:
    answer = await (await house.browser()).get(SEARCH, params={"q": "matrix"})
    assert f"{MARKS}?titles=film-{MATRIX}" in answer.text
    assert f'id="marks-film-{MATRIX}"' in answer.text
    guest = await (await house.guest()).get(SEARCH, params={"q": "matrix"})
    assert MARKS not in guest.text


@pytest.mark.parametrize(
    "titles", ["", ",,,", "book-1", "film-", "film-0,film-nothing", "x" * 1999]
)
async def test_what_makes_no_sense_is_left_out(house: Whole, titles: str) -> None:
    answer = await (await house.browser()).get(MARKS, params={"titles": titles})
    assert answer.status_code == 200
    assert "marks-" not in answer.text


@pytest.mark.parametrize("number, requests", [(1, 6), (10, 6), (30, 8)])
async def test_requests_do_not_grow_with_what_there_is(
    house: Whole, number: int, requests: int
) -> None:
    await furnish(house, house.ada)
    for one in range(20):
        made = a_list(f"l{one}", f"List {one}", curator_id=house.ada.user_id)
        await house.store.write(put(made))
    found = await (await house.browser()).get(SEARCH, params={"q": "the", "kind": "film"})
    titles = re.findall(r'id="marks-([\w-]+)"', found.text)[:number]
    assert len(titles) == number
    ada = await house.browser()
    await marks(ada, *titles)
    with counting() as count:
        await marks(ada, *titles)
    assert count.requests <= requests
    assert count.writes == 0


async def test_a_room_that_is_switched_off_says_nothing(tmp_path: Path, index_file: Path) -> None:
    shutil.copyfile(index_file, tmp_path / "search.db")
    async with whole(tmp_path, rooms="library") as house:
        await furnish(house, house.ada)
        found = await marks(await house.browser(), f"film-{MATRIX}", f"film-{GODFATHER}")
        assert found == {f"film-{MATRIX}": ["On your shelf"], f"film-{GODFATHER}": []}


async def test_whoever_asks_too_often_waits(house: Whole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonroom.search.find.ACCOUNT", Rate(burst=1, per_minute=1))
    ada = await house.browser()
    answers = [await ada.get(MARKS, params={"titles": "film-603"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 429]
