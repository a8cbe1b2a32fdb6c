"""Every record of the data models, once adopted, is read and changed through the HTTP API."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.adoption.adopting import adopt, begin
from commonroom.adoption.set_aside import CountedAside
from commonroom.http.authentication import COOKIE
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.declare.table import Table
from commonroom.store.transfer import find_tables
from commonroom.store.values import Item, same_value
from tests.accounts.people import Watch
from tests.adoption.test_records import TABLES, key_of
from tests.support.application import whole_application
from tests.support.document_records import ADA, AT, BOB, LATER, LIST, RECORDS, Record
from tests.support.foreign_tables import write_aws_export
from tests.support.transfers import ignore

NOTE = {"kept": [1, "two"]}
"""What another application keeps beside the attributes of the data model."""

HOST = "commonroom.test"
V1 = f"http://{HOST}/api/v1"
HOME, ROUND = "/households/group-1", "/households/group-1/rounds/round-1"
SHELF, BOOK = "/libraries/lib-1", "/libraries/lib-1/items/book-1"
CHECKLIST, EVENT, POLL = (f"/shareables/{it}-12345" for it in ("abc-def", "bcd-efg", "cde-fgh"))
OWN_LIST, FILM = f"/watchlists/{LIST}", "/titles/films/tt1234567"
HANGOUT, GROUP = "/hangouts/hang-1", "/groups/group-1"


class Shown(NamedTuple):
    """Where somebody is shown a record, and what of it."""

    path: str
    inside: tuple[str | int, ...]
    facts: Mapping[str, Any]
    by: str = ADA


class Change(NamedTuple):
    """What somebody does, and the attributes of records that it sets, by their numbers."""

    method: str
    path: str
    body: Any
    sets: Mapping[int, Mapping[str, Any]]
    by: str = ADA
    replaces: int | None = None
    """Which record is put whole, as the model has it: what nobody declares goes."""


FIRST = ("items", 0)

SHOWN: Mapping[str, Sequence[Shown | None]] = {
    "movie night": [
        Shown("/me", (), {"email": "ada@example.com", "avatar_key": "fox", "created_at": AT}),
        Shown("/me/members", FIRST, {"user_id": "managed_1", "display_name": "Kim"}),
        Shown(HOME, (), {"name": "Home", "streaming_services": ["netflix", "disney_plus"]}),
        Shown(f"{HOME}/members", FIRST, {"user_id": ADA, "role": "creator", "joined_at": AT}),
        Shown(f"{HOME}/preferences", FIRST, {"genre_likes": ["35"], "genre_dislikes": ["27"]}),
        Shown(f"{HOME}/invites", FIRST, {"invite_id": "invite-1", "status": "pending"}),
        Shown(ROUND, (), {"status": "selected", "selected_at": LATER, "started_by": ADA}),
        Shown(ROUND, ("films", 0), {"tmdb_movie_id": 603, "title": "The Matrix", "position": 1}),
        Shown(ROUND, ("films", 0, "votes"), {ADA: "up"}),
        Shown(ROUND, ("pick",), {"tmdb_movie_id": 603, "picked_by": ADA, "picked_at": AT}),
        Shown(ROUND, ("ratings",), {ADA: "loved"}),
        None,  # answers of TMDB are kept for the application alone
    ],
    "library": [
        Shown(SHELF, (), {"library_name": "Home", "description": "d", "shared_with": 1}),
        Shown(f"{SHELF}/collections/col-1", (), {"name": "Cycle", "item_count": 1}),
        Shown(BOOK, (), {"title": "Émile", "isbn": "9782080711175", "order": 1}),
        Shown(f"{SHELF}/items/video-1", (), {"release_year": 1999, "tmdb_id": 603}),
        Shown(f"{BOOK}/history", FIRST, {"borrower": "Bo", "lent_at": AT, "returned_at": None}),
        Shown("/shared-libraries", FIRST, {"library_id": "lib-1", "shared_from_name": "Ada"}, BOB),
    ],
    "shareables": [
        None,  # ids that are left in the pool are nobody's yet
        Shown(CHECKLIST, ("items", 0), {"name": "Item 1", "note": "example"}),
        Shown(EVENT, (), {"type": "Virtual", "location": "Here", "rsvp_visibility": "everyone"}),
        Shown(f"{EVENT}/rsvps", FIRST, {"name": "Zoë", "response": "maybe", "guest_count": 2}),
        Shown(POLL, ("questions", 0), {"title": "Which?", "is_multiple": True}),
        Shown(f"{POLL}/results", (), {"vote_count": 1}),
    ],
    "watchlists": [
        Shown("/watchlists/profile", (), {"username": "johndoe", "curator_status": "approved"}),
        Shown(OWN_LIST, ("watchlist",), {"title": "Best Sci-Fi Movies of 2025", "item_count": 1}),
        Shown(OWN_LIST, FIRST, {"content_id": "tt1234567", "curator_note": "A masterpiece"}),
        Shown(FILM, (), {"title": "Inception", "year": 2010, "imdb_id": "tt1375666"}),
        Shown("/titles/shows/s-1", (), {"title": "Dark", "end_year": 2020, "seasons": 3}),
        Shown("/watchlists/saved", FIRST, {"watchlist_id": LIST, "saved_at": AT}, BOB),
        Shown("/watchlists/ratings", FIRST, {"rating": 8, "review": "Good."}, BOB),
        Shown(f"{OWN_LIST}/comments", FIRST, {"text": "Yes.", "created_at": AT}),
    ],
    "hangouts": [
        Shown(HANGOUT, (), {"start_timestamp": 1_900_000_000, "end_timestamp": 1_900_007_200}),
        Shown(f"{GROUP}/feed", ("upcoming", 0), {"hangout_id": "hang-1", "title": "Picnic"}),
        Shown(GROUP, (), {"group_id": "group-1", "member_count": 1}),
        Shown(f"{GROUP}/members", FIRST, {"user_id": ADA, "user_name": "Ada"}),
    ],
}
"""How each record is shown, in the order of the records; None where nobody is shown it."""

CHANGES: Mapping[str, Sequence[Change]] = {
    "movie night": [
        Change("PATCH", "/me", {"display_name": "Ada L."}, {0: {"display_name": "Ada L."}}),
        Change("PATCH", HOME, {"name": "House"}, {2: {"name": "House"}}),
        Change(
            "PUT", f"{ROUND}/rating", {"rating": "liked"},
            {6: {"status": "selected"}, 10: {"rating": "liked"}}, replaces=10,
        ),
    ],
    "library": [
        Change("PATCH", BOOK, {"summary": "s2"}, {2: {"Summary": "s2"}}),
        Change("POST", f"{BOOK}/return", {}, {2: {"LentTo": None}}),
    ],
    "shareables": [
        Change("POST", f"{EVENT}/rsvps", {"name": "Bo", "response": "going"}, {}),
    ],
    "watchlists": [
        Change("PATCH", OWN_LIST, {"title": "Best"}, {1: {"title": "Best"}}),
        Change("PUT", f"{FILM}/rating", {"rating": 9}, {6: {"rating": 9}}, BOB, replaces=6),
    ],
    "hangouts": [
        Change(
            "PATCH", HANGOUT, {"version": 1, "title": "Walk"},
            {0: {"title": "Walk"}, 1: {"title": "Walk"}},
        ),
    ],
}  # fmt: skip


@pytest.fixture
def clock() -> Watch:
    """The machine's own time, by which the application goes."""
    watch = Watch()
    watch.now = time.time()
    return watch


class AdoptedHouse:
    """The application over the adopted records of a data model."""

    def __init__(self, store: Store, folder: Path, document: str) -> None:
        self.store, self.document = store, document
        self.records = [_open(one) for one in RECORDS[document]]
        self._folder = folder
        self._app = whole_application(store, Settings(data=folder, hosts=HOST))

    async def move_in(self) -> None:
        """Adopts the records, exported by AWS, and whoever they name."""
        rows: dict[str, list[Item]] = defaultdict(list)
        for table, record in [*self.records, *_people(self.records)]:
            rows[table].append({**record, "legacyNote": NOTE})
        for table, several in rows.items():
            write_aws_export(self._folder / "exports" / table, table, several)
        sources = find_tables(self._folder / "exports", {}, MODEL.tables)
        aside = CountedAside()
        state = await begin(self.store, sources)
        done = await adopt(self.store, state, sources, aside, loading=ignore, checking=ignore)
        assert (done.left, dict(aside.reasons)) == (0, {})

    async def ask(self, method: str, path: str, by: str, body: Any = None) -> Any:
        """Returns what somebody is answered."""
        person = await self.store.get(User.at(user_id=by))
        assert person is not None
        cookie = {COOKIE: await sessions.open_session(self.store, time.time(), person)}
        transport = ASGITransport(self._app)
        async with AsyncClient(transport=transport, cookies=cookie) as client:
            answer = await client.request(method, f"{V1}{path}", json=body)
        assert answer.is_success, (path, answer.text)
        return answer.json() if answer.content else None

    async def stored(self) -> list[Item]:
        """Returns the records as they are now."""
        places = [(TABLES[name], key_of(TABLES[name], one)) for name, one in self.records]
        items = await self.store.engine.batch_get(places)
        return [one for one in items if one is not None]


def _people(records: Sequence[Record]) -> list[Record]:
    """Returns the accounts of those whom no record of `Users` is of."""
    known = {one["user_id"] for table, one in records if table == "Users"}
    named = {ADA: "Ada", BOB: "Bob"}
    return [
        (
            "Users",
            {
                **{"user_id": user_id, "email": f"{name.lower()}@example.com"},
                **{"display_name": name, "created_at": AT},
            },
        )
        for user_id, name in named.items()
        if ADA not in known
    ]


def _open(record: Record) -> Record:
    """Returns a record without passcodes, which only who encrypted them can read, and of a poll
    whose results everybody sees."""
    table, item = record
    opened = {name: it for name, it in item.items() if "Passcode" not in name}
    return table, opened | ({"resultsVisibility": "always"} if "resultsVisibility" in item else {})


@pytest.fixture(params=list(RECORDS))
async def house(request: pytest.FixtureRequest, either: Store, tmp_path: Path) -> AdoptedHouse:
    """The application over the records of one data model after the other."""
    made = AdoptedHouse(either, tmp_path, request.param)
    await made.move_in()
    return made


async def test_every_record_is_shown(house: AdoptedHouse) -> None:
    for shown, _ in zip(SHOWN[house.document], RECORDS[house.document], strict=True):
        if shown is not None:
            answer = await house.ask("GET", shown.path, shown.by)
            found = reduce(lambda it, part: it[part], shown.inside, answer)
            assert {name: found[name] for name in shown.facts} == shown.facts, shown.path


async def test_what_is_changed_leaves_all_else_as_it_was(house: AdoptedHouse) -> None:
    for change in CHANGES[house.document]:
        before = await house.stored()
        await house.ask(change.method, change.path, change.by, change.body)
        after = await house.stored()
        for number, (table, record) in enumerate(house.records):
            sets = change.sets.get(number, {})
            assert {name: after[number].get(name) for name in sets} == sets, change.path
            kept = {*record, "legacyNote"} - sets.keys() - _follows(TABLES[table])
            if number == change.replaces:
                kept.discard("legacyNote")
            differing = [
                name
                for name in kept
                if not same_value(before[number].get(name), after[number].get(name))
            ]
            assert differing == [], (change.path, record)


def _follows(table: Table) -> set[str]:
    """Attributes that follow from others: keys, and when something was last changed."""
    moments = {"last_active_at", "updated_at", "UpdatedAt", "updatedAt", "rated_at", "ratedAt"}
    return {*table.key_attributes, *moments}
