"""People, titles and lists for the tests of watchlists, and what must always be true of them."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeVar

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.accounts.tables import tables as accounts
from commonroom.notifications.tables import tables as notify
from commonroom.store import Entity, Store, put
from commonroom.store.engine import Engine
from commonroom.store.streams import Worker, copy_consumers
from commonroom.store.streams.tables import tables as streams
from commonroom.store.values import Item
from commonroom.timers import Scheduler
from commonroom.timers.tables import tables as timers
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import id_of
from commonroom.titles.tables import Movie, Show, TmdbClaim
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.consumers import imports
from commonroom.watchlists.room import WATCHLISTS
from commonroom.watchlists.service import curators
from commonroom.watchlists.service.access import ListVisitor
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListDraft, create_list
from commonroom.watchlists.service.ratings import load_opinion
from commonroom.watchlists.tables import Watchlist, WatchlistItem
from commonroom.watchlists.tables import tables as room
from tests.accounts.people import Watch
from tests.support import people

E = TypeVar("E", bound=Entity)

TABLES = [*room, *accounts, *notify, *streams, *timers]
COPIES = [copy for table in TABLES for copy in table.copies]
TITLES = Titles(Catalogue())
HANDLERS = {**WATCHLISTS.data.timer_handlers, **imports.handlers(TITLES)}
LONG_AGO = "2020-01-01T00:00:00.000Z"
MATRIX, ALIEN, HEAT = (TitleId("MOVIE", one) for one in ("603", "348", "949"))
DARK = TitleId("SHOW", "70523")


somebody = people.somebody


async def curator(store: Store, clock: Watch, name: str) -> User:
    """Somebody who may publish."""
    person = await somebody(store, clock, name)
    office = await somebody(store, clock, f"Office of {name}", is_admin=True)
    await curators.apply(Context(store, person, clock()), "I watch a lot.")
    await curators.decide(Context(store, office, clock()), person.user_id, "approve")
    return person


async def seen_among(ctx: Context, titles: list[TitleId]) -> set[TitleId]:
    """Which of these titles somebody has seen."""
    opinions = [await load_opinion(ctx.store, ctx.person.user_id, one) for one in titles]
    return {one for one, opinion in zip(titles, opinions, strict=True) if opinion.has_seen}


def movie(number: int | str, title: str = "", **fields: Any) -> Movie:
    """A film of the catalogue."""
    return Movie(
        movie_id=str(number),
        title=title or f"Film {number}",
        release_year=fields.pop("release_year", 1999),
        genres=fields.pop("genres", ["Action", "Science Fiction"]),
        runtime=fields.pop("runtime", 120),
        tmdb_id=str(number),
        created_at=LONG_AGO,
        updated_at=LONG_AGO,
        **fields,
    )


async def stock(store: Store, number: int = 0) -> None:
    """A catalogue of a few well-known titles, and so many others."""
    titles: list[Movie | Show] = [
        movie(MATRIX.content_id, "The Matrix"),
        movie(ALIEN.content_id, "Alien", release_year=1979, genres=["Horror", "Science Fiction"]),
        movie(HEAT.content_id, "Heat", release_year=1995, genres=["Crime", "Drama"]),
        Show(
            show_id=DARK.content_id,
            title="Dark",
            start_year=2017,
            genres=["Drama", "Mystery"],
            number_of_seasons=3,
            tmdb_id=DARK.content_id,
            created_at=LONG_AGO,
            updated_at=LONG_AGO,
        ),
        *(movie(10_000 + one) for one in range(number)),
    ]
    for start in range(0, len(titles), 50):
        some = titles[start : start + 50]
        await store.write(*map(put, some), *(put(_claim(one)) for one in some))


def _claim(title: Movie | Show) -> TmdbClaim:
    of = id_of(title)
    return TmdbClaim(content_type=of.content_type, tmdb_id=of.content_id, content_id=of.content_id)


def stocked(number: int) -> TitleId:
    """One of the others."""
    return TitleId("MOVIE", str(10_000 + number))


def asks(store: Store, clock: Watch, person: User) -> Context:
    """Somebody asks now."""
    return Context(store, person, clock())


def looks(store: Store, clock: Watch, person: User | None = None, key: str = "") -> ListVisitor:
    """Somebody looks now, or a guest."""
    return ListVisitor(
        store,
        clock(),
        None if person is None else person.user_id,
        is_admin=person is not None and person.is_admin,
        view_key=key,
    )


async def list_of(
    store: Store,
    clock: Watch,
    person: User,
    *titles: TitleId,
    title: str = "Mind benders",
    **given: Any,
) -> Watchlist:
    """Somebody's list with these titles on it."""
    made = await create_list(asks(store, clock, person), ListDraft(title=title, **given))
    for start in range(0, len(titles), 30):
        wanted = [
            NewWatchlistItem(one.content_type, one.content_id) for one in titles[start : start + 30]
        ]
        await add_items(asks(store, clock, person), TITLES, made.watchlist_id, wanted)
    return await now_of(store, made)


async def add_item(
    ctx: Context,
    watchlist_id: str,
    content_type: ContentType,
    content_id: str,
    note: str | None = None,
) -> WatchlistItem:
    """Somebody adds one title."""
    wanted = [NewWatchlistItem(content_type, content_id, note)]
    (made,) = await add_items(ctx, TITLES, watchlist_id, wanted)
    return made


async def now_of(store: Store, thing: E) -> E:
    """The same thing as it is stored now."""
    found = await store.get(thing.ref)
    assert found is not None
    return found


def names(items: list[WatchlistItem]) -> list[str]:
    """The titles of items, in order."""
    return [one.title for one in items]


async def tidied(store: Store, clock: Watch) -> None:
    """Lets everybody who follows changes do so, and what is due be done."""
    worker = Worker(store, [*copy_consumers(COPIES), *WATCHLISTS.data.consumers], clock=clock)
    clockwork = Scheduler(store, HANDLERS, clock=clock)
    while await worker.drain() + await clockwork.once():
        pass


async def everything_of(engine: Engine, *kinds: type[E]) -> list[E]:
    """All things of these kinds."""
    found: list[E] = []
    for table in {kind.schema.table.name: kind.schema.table for kind in kinds}.values():
        here = {kind.schema.kind: kind for kind in kinds if kind.schema.table is table}
        start: Item | None = None
        while True:
            rows = await engine.scan(table, limit=1000, start=start)
            for item in rows.items:
                kind = here.get(item.get(table.discriminator or ""))
                found += [] if kind is None else [kind.from_item(item)]
            start = rows.next
            if start is None:
                break
    return found


async def left_of_room(engine: Engine) -> dict[str, int]:
    """How many things of each kind there are in the room, besides the catalogue."""
    kinds = [one for one in room[0].entities.values() if one not in (Movie, Show, TmdbClaim)]
    return dict(Counter(type(one).__name__ for one in await everything_of(engine, *kinds)))
