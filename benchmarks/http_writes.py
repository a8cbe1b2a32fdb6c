"""Writes over HTTP with all that follows, against the same stored by hand in one commit."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import apsw
import msgspec
from msgspec import Struct

from benchmarks import serving
from benchmarks.bare_writes import ItemChange, Plan
from benchmarks.households import (
    V1,
    Household,
    answered,
    book,
    browser,
    make_template,
    opened_house,
)
from benchmarks.measuring import in_turns, undisturbed
from benchmarks.month import CHECKLIST, in_a_week
from benchmarks.report import Comparison, cost
from benchmarks.serving import Serving
from benchmarks.writing import Wanted, Writer
from commonroom.model import MODEL
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store.embedded.schema import TableSql
from commonroom.store.values import Item, Key

ROUNDS, WARM_UP, CALLS = 8, 1, 24
AT_MOST = 5.0
"""The aim is three. What is in the way: the framework and rights before the write, a lease's and a
checkpoint's part of each consumer, and that consumers write one after the other."""
BY_HAND = "the same by hand"
QUIETLY = {"COMMONROOM_BOOK_LOOK_UPS": "false", "COMMONROOM_COVERS": "false"}
"""Nobody outside is asked for anything."""

Contents = dict[tuple[str, Key], Item]
"""All that a file holds, by table and key."""


class Act(Struct, frozen=True):
    """Something that people do; every other time, they take it back."""

    key: str
    name: str
    sentence: str
    wanted: Callable[[int], Wanted]
    """What is asked for, the first time, the second, and so on."""


class House(Struct, frozen=True):
    """Where the things are that people act on."""

    home: Household
    hangout_id: str
    short_id: str
    ticked_id: str


async def compare(folder: Path, *, rounds: int = ROUNDS, calls: int = CALLS) -> list[Comparison]:
    """Every act, by the processor time that the server works for it until nothing more follows."""
    data = folder / "ours"
    data.mkdir()
    house = await _furnished(data)
    acts = _acts(house)
    cookie = f"session={house.home.ann}"
    settings = Settings(data=data)
    with serving.ours(data, **QUIETLY) as ours:
        await ours.first_answer("/health/live")
        await ours.idle()
        plans = {act.key: await _plan(ours, act, settings, cookie) for act in acts}
    (folder / "plans.json").write_bytes(msgspec.json.encode(plans))
    by_hand = folder / "by-hand.db"
    _copy(settings.data_file, by_hand)
    with (
        serving.ours(data, **QUIETLY) as ours,
        serving.bare_writes(by_hand, folder / "plans.json") as bare,
    ):
        await ours.first_answer("/health/live")
        await bare.first_answer("/none/")
        await ours.idle()
        compared = partial(_compared, ours=ours, bare=bare, cookie=cookie)
        return [await compared(act, rounds=rounds, calls=calls) for act in acts]


async def _compared(
    act: Act, *, ours: Serving, bare: Serving, cookie: str, rounds: int, calls: int
) -> Comparison:
    # What is made is new each time; the first numbers were used to learn what follows.
    sides = [
        Writer(ours, _numbered(act, 1000), cookie),
        Writer(bare, _numbered(act, 1000), cookie, f"/{act.key}"),
    ]
    for side in sides:
        await side.open()
    try:
        taken = await in_turns(
            *(partial(side.ask, calls) for side in sides),
            calls=calls,
            rounds=rounds,
            warm_up=WARM_UP,
            clock=[ours.cpu_seconds, bare.cpu_seconds],
        )
    finally:
        for side in sides:
            side.close()
    mine, theirs = map(undisturbed, taken)
    return cost(
        act.name,
        mine,
        theirs,
        rounds,
        against=BY_HAND,
        sentence=act.sentence,
        at_most=AT_MOST,
    )


def _numbered(act: Act, first: int) -> Iterator[Wanted]:
    number = first
    while True:
        yield act.wanted(number)
        number += 1


def _acts(house: House) -> list[Act]:
    home = house.home
    here = f"{V1}/households/{home.group_id}"

    def add_book(number: int) -> Wanted:
        return Wanted("POST", f"{V1}/libraries/{home.library_id}/items", book(number))

    def answer(number: int) -> Wanted:
        status = ("GOING", "INTERESTED")[number % 2]
        return Wanted("PUT", f"{V1}/hangouts/{house.hangout_id}/rsvp", {"status": status})

    def vote(number: int) -> Wanted:
        path = f"{here}/rounds/{home.round_id}/votes/{home.films[0]}"
        return Wanted("PUT", path, {"vote": ("up", "down")[number % 2]})

    def tick(number: int) -> Wanted:
        path = f"{V1}/shareables/{house.short_id}/ticks/{house.ticked_id}"
        return Wanted("DELETE", path) if number % 2 else Wanted("PUT", path, {})

    follows = "and all that follows is done"
    return [
        Act("book", "a book over HTTP", f"Somebody adds a book to a library, {follows}.", add_book),
        Act("rsvp", "an RSVP over HTTP", f"A member answers a hangout, {follows}.", answer),
        Act("vote", "a vote over HTTP", f"A member votes for a film, {follows}.", vote),
        Act("tick", "a tick over HTTP", f"Somebody ticks an item of a list, {follows}.", tick),
    ]


async def _furnished(data: Path) -> House:
    """A household amid an evening, with a hangout of friends and a list to tick off."""
    home = (await make_template(data)).household
    settings = Settings(data=data)
    shutil.move(data / "template.db", settings.data_file)
    async with (
        open_store(settings) as store,
        opened_house(store, data) as app,
        browser(app, home.ann) as hers,
        browser(app, home.ben) as his,
    ):
        friends = answered(await hers.post(f"{V1}/groups", json={"group_name": "Friends"}))
        plan = {"title": "Picnic", "group_ids": [friends["group_id"]], "time": in_a_week()}
        made = answered(await hers.post(f"{V1}/hangouts", json=plan))
        ticked = CHECKLIST | {"name": "For the picnic"}
        page = answered(await his.post(f"{V1}/shareables/checklists", json=ticked))["page"]
    item = page["items"][0]["checklist_item_id"]
    return House(home, made["hangout_id"], page["short_id"], item)


async def _plan(ours: Serving, act: Act, settings: Settings, cookie: str) -> Plan:
    """What an act changes, once it has been done, taken back and done again."""
    writer = Writer(ours, _numbered(act, 0), cookie)
    await writer.open()
    await writer.ask(2)
    before, documents = _contents(settings), _documents(settings)
    answer = await writer.ask(1)
    after = _contents(settings)
    writer.close()
    return Plan(
        _changes(before, after), msgspec.Raw(answer or b"null"), _documents(settings) - documents
    )


def _changes(before: Contents, after: Contents) -> list[ItemChange]:
    return [
        ItemChange(*place, before.get(place), after.get(place))
        for place in before | after
        if before.get(place) != after.get(place)
    ]


def _contents(settings: Settings) -> Contents:
    """What the file holds of all rooms, and not of how far anybody has followed it."""
    connection = apsw.Connection(str(settings.data_file), flags=apsw.SQLITE_OPEN_READONLY)
    found: Contents = {}
    for table in MODEL.tables:
        if table.room == "store":
            continue
        sql = TableSql(table)
        for row in connection.execute(f"SELECT {sql.all_columns} FROM {sql.name}"):
            found[table.name, sql.key_in(row)] = sql.item(row)
    connection.close()
    return found


def _documents(settings: Settings) -> int:
    connection = apsw.Connection(str(settings.search_file), flags=apsw.SQLITE_OPEN_READONLY)
    count: int = connection.execute("SELECT count(*) FROM documents").get
    connection.close()
    return count


def _copy(source: Path, target: Path) -> None:
    connection = apsw.Connection(str(source))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    shutil.copy(source, target)
