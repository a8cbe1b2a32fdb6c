"""What a handler takes, read off its signature."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from httpx import ASGITransport, AsyncClient, Response
from msgspec import Struct

from commonroom.errors import Forbidden, NotFound
from commonroom.http.access import Need
from commonroom.http.application import App
from commonroom.http.arguments import File, From, Header, arguments_of, ref_in_path
from commonroom.http.operations import OperationRoute, Operations
from commonroom.http.request import Request
from commonroom.store import Entity, Keys, Ref, Table

api = Operations("Things")


class Note(Struct, forbid_unknown_fields=True):
    """A body."""

    text: str


class Filter(Struct, forbid_unknown_fields=True):
    """A query."""

    word: str = "any"


class Echo(Struct):
    """What a handler was given."""

    given: list[str]


def shelf_of(request: Request) -> str:
    """A value that is worked out at once."""
    return f"shelf {request.path_params['shelf_id']}"


async def owner_of(request: Request) -> str:
    """A value that has to be looked up; there is none for one shelf."""
    if request.path_params["shelf_id"] == "lost":
        raise NotFound("This shelf does not exist.")
    return "Ada"


table = Table("Shelves", room="shelves", partition="PK", sort="SK", discriminator="Kind")


class Book(Entity, table=table, kind="BOOK"):
    """Something on a shelf."""

    owner: str
    shelf_id: str
    book_id: str
    keys = Keys(PK="{owner}#{shelf_id}", SK="{book_id}")


def no_such_book() -> NotFound:
    """What is said where there is no such book."""
    return NotFound("This book does not exist.")


BookRef = Annotated[Ref[Book], ref_in_path(Book, no_such_book, owner=lambda _: "Ada")]
Shelf = Annotated[str, From(shelf_of)]
Owner = Annotated[str, From(owner_of)]
Trace = Annotated[str | None, Header("X-Trace")]


@api.get("/shelves/{shelf_id:str}", Need.ANYONE)
async def show_shelf(shelf_id: str, shelf: Shelf, owner: Owner, trace: Trace) -> Echo:
    """Show what was given."""
    return Echo([shelf_id, shelf, owner, str(trace)])


@api.get("/shelves/{shelf_id:str}/books/{book_id:str}", Need.ANYONE)
async def find_book(book: BookRef) -> Echo:
    """Say where a book is."""
    return Echo([book.entity.__name__, *map(str, book.fields.values())])


@api.get("/notes", Need.ANYONE)
async def find_notes(request: Request, wanted: Filter) -> Echo:
    """Find notes."""
    return Echo([request.path, wanted.word])


@api.put("/shelves/{shelf_id:str}/note", Need.ANYONE)
async def write_note(owner: Owner, note: Note) -> Echo:
    """Write a note."""
    return Echo([owner, note.text])


@api.post("/notes", Need.ANYONE, errors=(Forbidden,))
async def allow_empty(note: Note | None = None) -> None:
    """Write a note, or none."""
    if note is not None:
        raise Forbidden("Not here.")


async def answer(operation: OperationRoute, method: str, path: str, **sent: Any) -> Response:
    """What an operation answers."""
    transport = ASGITransport(App([operation]))
    async with AsyncClient(transport=transport, base_url="http://commonroom.test") as client:
        return await client.request(method, path, **sent)


class TestInjectedValues:
    async def test_are_worked_out_from_the_request_beside_path_and_headers(self) -> None:
        given = await answer(show_shelf, "GET", "/shelves/a", headers={"X-Trace": "t"})
        assert given.json() == {"given": ["a", "shelf a", "Ada", "t"]}

    async def test_may_refuse(self) -> None:
        refused = await answer(show_shelf, "GET", "/shelves/lost")
        assert refused.status_code == 404
        assert refused.json()["detail"] == "This shelf does not exist."

    async def test_are_looked_up_only_after_the_body_was_read(self) -> None:
        refused = await answer(write_note, "PUT", "/shelves/lost/note", json={"txt": "x"})
        assert refused.status_code == 400
        assert refused.json()["field"] == "txt"

    async def test_stand_beside_a_body(self) -> None:
        given = await answer(write_note, "PUT", "/shelves/a/note", json={"text": "x"})
        assert given.json() == {"given": ["Ada", "x"]}


class TestARefInAPath:
    async def test_is_made_of_what_the_path_names_and_what_is_given(self) -> None:
        given = await answer(find_book, "GET", "/shelves/a/books/b")
        assert given.json() == {"given": ["Book", "a", "b", "Ada"]}

    @pytest.mark.parametrize("path", ["/shelves/a%23b/books/c", "/shelves/a/books/" + "x" * 101])
    async def test_is_not_found_where_it_cannot_be_one(self, path: str) -> None:
        refused = await answer(find_book, "GET", path)
        assert refused.status_code == 404
        assert refused.json()["detail"] == "This book does not exist."

    def test_is_refused_for_a_path_that_does_not_name_it(self) -> None:
        async def find(book: BookRef) -> None: ...

        find.__annotations__ = {"book": BookRef}
        with pytest.raises(TypeError, match=r"find takes book, but .* names no book_id"):
            arguments_of(find, "GET", "/shelves/{shelf_id:str}")


class TestQueryAndBody:
    async def test_a_struct_is_the_query_where_there_is_no_body(self) -> None:
        given = await answer(find_notes, "GET", "/notes?word=lamp")
        assert given.json() == {"given": ["/notes", "lamp"]}

    async def test_a_parameter_that_comes_twice_is_refused(self) -> None:
        assert (await answer(find_notes, "GET", "/notes?word=a&word=b")).status_code == 400

    async def test_a_body_with_a_default_may_be_left_out(self) -> None:
        assert (await answer(allow_empty, "POST", "/notes")).status_code == 204
        assert (await answer(allow_empty, "POST", "/notes", json={"text": "x"})).status_code == 403

    async def test_nothing_comes_back_where_an_operation_gives_nothing(self) -> None:
        assert (await answer(allow_empty, "POST", "/notes")).content == b""

    def test_there_is_at_most_one_body(self) -> None:
        async def two(first: Note, second: Note) -> None: ...

        async def body_and_file(note: Note, file: Annotated[bytes, File(9, ("a/b",))]) -> None: ...

        for function in (two, body_and_file):
            with pytest.raises(TypeError, match="more than one body"):
                arguments_of(function, "POST", "/")
