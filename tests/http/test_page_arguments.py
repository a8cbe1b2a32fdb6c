"""What pages and forms are given, and what is said of what cannot be read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

import pytest
from httpx import ASGITransport, AsyncClient
from msgspec import Meta, Struct

from commonroom.http.access import Need
from commonroom.http.application import App
from commonroom.http.form_data import FormFile
from commonroom.http.forms import EMPTY, Form, FormState, Pages, page_routes
from commonroom.http.page_arguments import QueryName
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import post

Key = Annotated[str, Meta(max_length=10)]
Maybe = Annotated[str, Meta(max_length=10)] | None
Named = Annotated[str, QueryName("id"), Meta(max_length=10)]

pages = Pages()


class NameForm(Form):
    name: Key


class NumberForm(Form):
    name: int
    is_open: bool = False


class Upload(Struct):
    file: FormFile


class Uploads(Struct):
    file: list[FormFile]
    note: str = ""


def said(*words: object) -> Response[Any]:
    return Response(" ".join(map(repr, words)), media_type="text/plain")


@pages.page("/one/{key:str}", Need.ANYONE)
async def one(request: Request, key: str) -> Response[Any]:
    return said("one", key)


@pages.page("/two/{key:str}", Need.ANYONE)
async def two(key: Key, *, form: FormState = EMPTY) -> Response[Any]:
    return said("two", key, form is EMPTY)


@pages.page("/three", Need.ANYONE)
async def three(key: Key = "three", number: int = 0, maybe: Maybe = None) -> Response[Any]:
    return said(key, number, maybe)


@pages.page("/four", Need.ANYONE)
async def four(request: Request, typed: Named = "") -> Response[Any]:
    return said(typed)


@pages.page("/five", Need.ANYONE)
async def five(key: Key) -> Response[Any]:
    return said(key)


@pages.form("/named", Need.ANYONE)
async def named(request: Request, data: NameForm) -> Response[Any]:
    return said(data.name)


@pages.form("/counted/{key:str}", Need.ANYONE)
async def counted(key: Key, data: NumberForm) -> Response[Any]:
    return said(key, data.name, data.is_open)


@pages.form("/anything", Need.ANYONE)
async def anything(data: dict[str, Key]) -> Response[Any]:
    return said(data)


@post("/upload", Need.ANYONE)
async def upload(data: Upload) -> Response[Any]:
    return said(data.file.filename, data.file.content)


@post("/uploads", Need.ANYONE)
async def uploads(data: Uploads) -> Response[Any]:
    return said([one.filename for one in data.file], data.note)


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    app = App([*page_routes(pages), upload, uploads])
    async with AsyncClient(transport=ASGITransport(app), base_url="http://here") as client:
        yield client


class TestAPage:
    @pytest.mark.parametrize(
        "path, answer",
        [
            ("/one/a%20b", "'one' 'a b'"),
            ("/two/b", "'two' 'b' True"),
            ("/three", "'three' 0 None"),
            ("/three?key=c&number=7&maybe=d&other=e", "'c' 7 'd'"),
            ("/three?key=&number=-1&maybe=", "'' -1 ''"),
            ("/three?key=c&key=d", "'d' 0 None"),
            ("/three?key=%FF", "'\ufffd' 0 None"),
            ("/three?&&=&%", "'three' 0 None"),
            ("/four?id=x&typed=y", "'x'"),
            ("/five?key=a", "'a'"),
        ],
    )
    async def test_is_given_path_and_query(
        self, client: AsyncClient, path: str, answer: str
    ) -> None:
        assert (await client.get(path)).text == answer

    @pytest.mark.parametrize(
        "path, field",
        [
            ("/two/abcdefghijk", "key"),
            ("/three?key=abcdefghijk", "key"),
            ("/three?number=x", "number"),
            ("/three?number=", "number"),
            ("/three?number=1e999", "number"),
            ("/three?maybe=abcdefghijk", "maybe"),
            ("/four?id=abcdefghijk", "id"),
            ("/five", "key"),
        ],
    )
    async def test_is_not_shown_for_what_cannot_be_read(
        self, client: AsyncClient, path: str, field: str
    ) -> None:
        answer = await client.get(path)
        assert answer.status_code == 400
        assert answer.json()["field"] == field
        assert answer.json()["detail"].startswith(f"This could not be read: {field}: ")

    async def test_names_all_that_is_wrong(self, client: AsyncClient) -> None:
        answer = (await client.get("/three?key=abcdefghijk&number=x&maybe=fine")).json()
        assert [one["field"] for one in answer["errors"]] == ["key", "number"]


class TestAForm:
    async def test_is_given_what_was_sent_by_its_types(self, client: AsyncClient) -> None:
        assert (await client.post("/named", data={"name": "7"})).text == "'7'"
        sent = {"name": "7", "is_open": "true"}
        assert (await client.post("/counted/k", data=sent)).text == "'k' 7 True"
        assert (await client.post("/anything", data={"a": "b"})).text == "{'a': 'b'}"

    @pytest.mark.parametrize(
        "path, body, field",
        [
            ("/named", b"", "data"),
            ("/named", b"name=abcdefghijk", "name"),
            ("/named", b"name=a&name=b", "name"),
            ("/named", b"name=a&other=b", "data"),
            ("/named", b"\xff\xfe", "data"),
            ("/counted/k", b"name=x", "name"),
            ("/counted/k", b"name=1&is_open=perhaps", "is_open"),
            ("/anything", b"a=abcdefghijk", "data"),
        ],
    )
    async def test_is_not_done_where_it_cannot_be_read(
        self, client: AsyncClient, path: str, body: bytes, field: str
    ) -> None:
        kind = {"content-type": "application/x-www-form-urlencoded"}
        answer = await client.post(path, content=body, headers=kind)
        assert (answer.status_code, answer.json()["field"]) == (400, field)

    async def test_says_what_is_wrong_with_its_path_as_well(self, client: AsyncClient) -> None:
        answer = await client.post("/counted/abcdefghijk", data={"name": "x"})
        assert [one["field"] for one in answer.json()["errors"]] == ["key", "name"]


class TestAnUpload:
    async def test_is_given_its_files(self, client: AsyncClient) -> None:
        file = ("a.csv", b"title")
        assert (await client.post("/upload", files={"file": file})).text == "'a.csv' b'title'"
        assert (await client.post("/uploads", files={"file": file})).text == "['a.csv'] ''"
        several = [("file", file), ("file", ("b.csv", b""))]
        answer = await client.post("/uploads", files=several, data={"note": "two"})
        assert answer.text == "['a.csv', 'b.csv'] 'two'"

    async def test_without_a_file_is_refused(self, client: AsyncClient) -> None:
        for path in ("/upload", "/uploads"):
            for content in ({}, {"file": ("", b"")}, {"other": ("a.csv", b"")}):
                answer = await client.post(path, files=content or {"x": b""})
                assert answer.status_code == 400, (path, content)

    @pytest.mark.parametrize("kind", ["multipart/form-data", "application/json", "text/plain", ""])
    async def test_without_a_boundary_is_refused(self, client: AsyncClient, kind: str) -> None:
        answer = await client.post("/upload", content=b"--x", headers={"content-type": kind})
        assert answer.status_code == 400
