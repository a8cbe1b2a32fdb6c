"""Reading from DynamoDB Local: what a call costs this process, against the usual libraries."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from benchmarks.library import BOOKS_OF_AN_OWNER, PAGE, Book, books, media
from benchmarks.measuring import Round, seconds_per_call
from benchmarks.report import Comparison, cost
from benchmarks.sides import REGION, Boto, Ours, Pynamo, Side
from commonroom.store import Store
from commonroom.store.dynamodb import DynamoSettings, connect
from tests.support.dynamodb_local import fetched, running

# Nobody checks these keys, but they keep all sides from looking for the machine's own.
SURROUNDINGS = {
    "AWS_ACCESS_KEY_ID": "benchmarks",
    "AWS_SECRET_ACCESS_KEY": "benchmarks",
    "NO_PROXY": "127.0.0.1",
}
GETS, QUERIES = 40, 10
ROUNDS = 25


async def compare(folder: Path) -> list[Comparison]:
    """Gets and queries, one after the other; the server is another process."""
    jar = fetched()
    os.environ.update(SURROUNDINGS)
    some = list(books(BOOKS_OF_AN_OWNER))
    with running(jar, folder / "server.log") as endpoint:
        store = Store(await connect(DynamoSettings(REGION, endpoint=endpoint)))
        try:
            await store.engine.create_tables([media])
            await store.engine.load(media, [book.to_item() for book in some])
            sides: list[Side] = [Ours(store), Pynamo(endpoint), Boto(endpoint)]
            return [*await _gets(sides, some[0]), *await _queries(sides, some[0])]
        finally:
            await store.close()


async def _gets(sides: list[Side], book: Book) -> list[Comparison]:
    for side in sides:
        assert await side.get(book) == book.title
    rounds = [_repeated(side.get, book, GETS) for side in sides]
    return await _compared(
        "get",
        "What the client’s processor works for one book by its key, the database being elsewhere.",
        rounds,
        GETS,
    )


async def _queries(sides: list[Side], book: Book) -> list[Comparison]:
    page = await sides[0].query(book)
    assert len(page) == PAGE
    for side in sides:
        assert await side.query(book) == page
    rounds = [_repeated(side.query, book, QUERIES) for side in sides]
    return await _compared(
        f"query of {PAGE}",
        f"What the client’s processor works for {PAGE} books, the database being elsewhere.",
        rounds,
        QUERIES,
    )


def _repeated(call: Callable[[Book], Awaitable[object]], book: Book, times: int) -> Round:
    async def calls() -> None:
        for _ in range(times):
            await call(book)

    return calls


async def _compared(what: str, sentence: str, sides: list[Round], calls: int) -> list[Comparison]:
    ours, pynamo, boto = await seconds_per_call(
        *sides, calls=calls, rounds=ROUNDS, clock=time.process_time
    )
    name = f"{what} on DynamoDB Local"
    return [
        cost(name, ours, theirs, ROUNDS, against=who, sentence=sentence, at_most=0.4)
        for who, theirs in (("PynamoDB", pynamo), ("boto3 resource", boto))
    ]
