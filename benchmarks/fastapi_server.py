"""The same answers as most would write them today: FastAPI, pydantic and SQLAlchemy.

Handlers are `async` and read inline, as ours do: in threads (plain `def`) one thing took 1.7 times
the processor time, and a page of 50 the same.

python -m benchmarks.fastapi_server FILE PORT
"""

from __future__ import annotations

import asyncio
import sys
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import Cookie, Depends, FastAPI, HTTPException, Query
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, sessionmaker

from benchmarks import fastapi_models as models


class Member(BaseModel):
    """Somebody whom one manages."""

    user_id: str
    display_name: str
    avatar_key: str | None
    content_rating_ceiling: str | None
    created_at: str
    updated_at: str | None


class Loan(BaseModel):
    """Who has a book."""

    lent_to: str
    lent_at: str | None
    due_date: str | None
    has_account: bool


class Book(BaseModel):
    """A book; what has a default is left out where it is that."""

    kind: Literal["book"]
    item_id: str
    library_id: str
    library_name: str | None
    owner_name: str | None
    title: str
    summary: str | None
    picture_url: str | None
    collection_id: str | None
    collection_name: str | None
    order: float | None
    loan: Loan | None
    created_at: str | None
    updated_at: str | None
    version: int
    contributors: list[str] = []
    publisher: str | None = None
    language: str | None = None
    format: str | None = None
    tags: list[str] = []
    location: str | None = None
    copies: int = 1
    rating: float | None = None
    review: str | None = None
    started_on: str | None = None
    finished_on: str | None = None
    authors: list[str]
    isbn: str | None
    year: int | None = None
    pages: int | None = None
    status: str | None = None


class Collection(BaseModel):
    """A named group of books."""

    collection_id: str
    library_id: str
    name: str
    description: str | None
    item_count: int
    created_at: str | None
    updated_at: str | None
    version: int


class ShelfGroup(BaseModel):
    """What stands together."""

    collection_id: str | None
    name: str | None
    collection: Collection | None
    items: list[Book]
    continued: bool
    continues: bool


class Shelf(BaseModel):
    """A page of a shelf."""

    items: list[ShelfGroup]
    next_cursor: str | None


app = FastAPI(openapi_url=None)
sessions = sessionmaker()


async def database() -> AsyncIterator[Session]:
    """A session for the length of a request."""
    with sessions() as session:
        yield session


Database = Annotated[Session, Depends(database)]


async def caller(database: Database, session: Annotated[str, Cookie()] = "") -> models.User:
    """Who asks, by the cookie of their browser."""
    asked = (
        select(models.User)
        .join(models.UserSession)
        .where(
            models.UserSession.digest == models.digest(session),
            models.UserSession.expires_at > time.time(),
        )
    )
    found = database.scalar(asked)
    if found is None:
        raise HTTPException(401)
    return found


Caller = Annotated[models.User, Depends(caller)]


@app.get("/api/v1/me/members/{member_id}", response_model=Member)
async def get_member(database: Database, me: Caller, member_id: str) -> models.User:
    """One of those whom the caller manages."""
    found = database.get(models.User, member_id)
    if found is None or found.parent_id != me.user_id:
        raise HTTPException(404)
    return found


@app.get(
    "/api/v1/libraries/{library_id}/items",
    response_model=Shelf,
    response_model_exclude_defaults=True,
)
async def list_items(
    database: Database,
    me: Caller,
    library_id: str,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    cursor: str | None = None,
) -> dict[str, Any]:
    """A page of a library's shelf."""
    library = database.get(models.Library, library_id)
    if library is None or not _may_read(database, library, me):
        raise HTTPException(404)
    asked = (
        select(models.Book)
        .where(models.Book.library_id == library_id)
        .order_by(models.Book.place)
        .limit(limit + 1)
        .options(joinedload(models.Book.collection), joinedload(models.Book.library))
    )
    if cursor is not None:
        asked = asked.where(models.Book.place > urlsafe_b64decode(cursor).decode())
    books = list(database.scalars(asked))
    page = _fitting(books, limit)
    following = books[len(page)].collection_id if len(page) < len(books) else None
    together = groupby(page, lambda book: book.collection_id or book.item_id)
    groups = [_group(list(members), following) for _, members in together]
    last = urlsafe_b64encode(page[-1].place.encode()).decode()
    return {"items": groups, "next_cursor": last if len(page) < len(books) else None}


def _may_read(database: Session, library: models.Library, me: models.User) -> bool:
    if library.owner_id == me.user_id:
        return True
    return database.get(models.Share, (library.library_id, me.user_id)) is not None


def _fitting(books: Sequence[models.Book], limit: int) -> Sequence[models.Book]:
    """As many as fit on a page, where a collection counts as one more than its books."""
    collections: set[str] = set()
    for number, book in enumerate(books):
        if book.collection_id is not None:
            collections.add(book.collection_id)
        if number + 1 + len(collections) > limit:
            return books[:number]
    return books


def _group(books: list[models.Book], following: str | None) -> dict[str, Any]:
    first = books[0]
    starts = first.collection is not None and first.order == 1
    return {
        "collection_id": first.collection_id,
        "name": first.collection_name,
        "collection": first.collection if starts else None,
        "items": books,
        "continued": first.collection is not None and not starts,
        "continues": first.collection_id is not None and first.collection_id == following,
    }


def main() -> None:
    """Serves until it is killed."""
    path, port = sys.argv[1:]
    sessions.configure(bind=models.connect(Path(path)))
    server = Server(
        app,
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
