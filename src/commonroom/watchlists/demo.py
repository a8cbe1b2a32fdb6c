"""Watchlists for the demonstration: a dozen lists, their followers, ratings and comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

import msgspec
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.builtin import Catalogue, known_films, known_shows
from commonroom.titles.service import Titles
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service import comments, curators, follows, saves
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListDraft, create_list
from commonroom.watchlists.service.profiles import change_profile
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import Watchlist

DAY = 24 * 3600.0
BIOS: Mapping[str, str] = {
    "Maya": "Two children, one sofa, forty minutes before somebody falls asleep.",
    "Jonas": "I read the subtitles aloud if asked nicely.",
    "Inès": "Plans that go wrong, people who go on.",
    "Tom": "Somebody has to watch the documentaries.",
}
COMMENTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "Rain on the windows": [
        ("Tom", "Paddington 2 made me cry on a train. In public. In uniform."),
        ("Inès", "Add The Straight Story? Slowest chase ever filmed."),
    ],
    "Heists that hold up": [("Jonas", "The Sting at number two? We need to talk.")],
    "First scares": [("Inès", "Finn slept with the light on after the buttons. Worth it.")],
    "Space, mostly empty": [("Maya", "We saw 2001 with the projector in the garden. Magic.")],
}
RATINGS: Mapping[str, Sequence[tuple[str, int, int, str]]] = {
    "Maya": [
        ("Paddington 2", 2017, 10, "If you do not smile at the prison kitchen, check your pulse."),
        ("Coraline", 2009, 8, ""),
        ("Interstellar", 2014, 7, ""),
        ("Chernobyl", 2019, 9, ""),
    ],
    "Jonas": [
        ("Parasite", 2019, 10, "Every stair means something."),
        ("Paddington 2", 2017, 9, ""),
        ("Groundhog Day", 1993, 9, ""),
        ("Inception", 2010, 8, ""),
    ],
    "Inès": [
        ("Paddington 2", 2017, 8, ""),
        ("The Sting", 1973, 9, "The plan is the pleasure."),
        ("Chernobyl", 2019, 10, "I did not sleep, and I recommended it to everyone."),
        ("Inception", 2010, 6, "Clever. A little proud of it."),
    ],
    "Tom": [
        ("2001: A Space Odyssey", 1968, 10, ""),
        ("Interstellar", 2014, 9, "The docking scene. Loud."),
        ("Free Solo", 2018, 9, ""),
        ("Paddington 2", 2017, 10, ""),
    ],
}


class DemoList(Struct, forbid_unknown_fields=True):
    """A list as it is written down: titles with their year, a note, and whether it is a show."""

    by: str
    title: str
    description: str
    tags: list[str]
    titles: list[list[str | int]]
    numbered: bool = False
    private: bool = False


def written_lists() -> list[DemoList]:
    """Returns all of them, the oldest first."""
    text = (files("commonroom.watchlists") / "demo_lists.json").read_bytes()
    return msgspec.json.decode(text, type=list[DemoList])


async def seed_demo(store: Store, now: float, people: DemoPeople) -> None:
    """Makes curators of everybody, lets them publish, follow, rate and talk."""
    titles = Titles(Catalogue())
    everybody = dict(zip(BIOS, (people.maya, people.jonas, *people.friends), strict=True))
    await _make_curators(store, now - 60 * DAY, people.maya, everybody)
    made: dict[str, Watchlist] = {}
    written = written_lists()
    for number, one in enumerate(written):
        at = now - (len(written) - number) * 4 * DAY
        ctx = Context(store, everybody[one.by], at)
        made[one.title] = await _make_list(ctx, titles, one)
    await _follow(store, now, everybody, made)
    for title, said in COMMENTS.items():
        for number, (name, text) in enumerate(said):
            ctx = Context(store, everybody[name], now - (len(said) - number) * DAY)
            await comments.add_comment(ctx, made[title].watchlist_id, text)
    await _rate(store, now, titles, everybody)


async def _make_curators(store: Store, at: float, admin: User, people: Mapping[str, User]) -> None:
    for name, person in people.items():
        ctx = Context(store, person, at)
        await change_profile(ctx, bio=BIOS[name])
        profile = await curators.apply(ctx, BIOS[name])
        await curators.decide(Context(store, admin, at), profile.user_id, "approve")


async def _make_list(ctx: Context, titles: Titles, one: DemoList) -> Watchlist:
    draft = ListDraft(
        title=one.title,
        description=one.description,
        tags=one.tags,
        is_public=not one.private,
        is_numbered=one.numbered,
    )
    made = await create_list(ctx, draft)
    items = [
        NewWatchlistItem(id_.content_type, id_.content_id, note or None)
        for id_, note in _listed(one.titles)
    ]
    await add_items(ctx, titles, made.watchlist_id, items)
    return made


def _listed(titles: Sequence[Sequence[str | int]]) -> Iterator[tuple[TitleId, str]]:
    for title, year, note, *kind in titles:
        yield find(str(title), int(year), is_show=bool(kind)), str(note)


def find(title: str, year: int, *, is_show: bool = False) -> TitleId:
    """Returns a built-in title by what it is called."""
    known = known_shows() if is_show else known_films()
    return next(one.id for one in known if (one.title, one.year) == (title, year))


async def _follow(
    store: Store, now: float, people: Mapping[str, User], made: Mapping[str, Watchlist]
) -> None:
    """Everybody follows what others publish; the older a list, the more of them."""
    public = [one for one in made.values() if one.is_public]
    for rank, one in enumerate(public):
        others = [person for person in people.values() if person.user_id != one.curator_id]
        for number, person in enumerate(others[: 1 + (rank * 7 + 2) % 3]):
            ctx = Context(store, person, now - (1 + rank % 6) * DAY + number * 60)
            await saves.follow_list(ctx, one.watchlist_id)
    for name, curator in (("Maya", "Inès"), ("Jonas", "Tom"), ("Tom", "Maya"), ("Inès", "Maya")):
        await follows.follow(Context(store, people[name], now - DAY), people[curator].user_id)


async def _rate(store: Store, now: float, titles: Titles, people: Mapping[str, User]) -> None:
    for name, given in RATINGS.items():
        for number, (title, year, rating, review) in enumerate(given):
            ctx = Context(store, people[name], now - (number + 2) * DAY)
            shown = title in {one.title for one in known_shows()}
            await rate(
                ctx, titles, find(title, year, is_show=shown), rating=rating, review=review or None
            )
    for title, year in (("Ratatouille", 2007), ("My Neighbor Totoro", 1988), ("Amélie", 2001)):
        await mark_seen(Context(store, people["Maya"], now), titles, find(title, year))
