"""Serves the OpenAPI document, and a page of our own to read it: operations by their part."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from commonroom.http.access import Need
from commonroom.http.assets import Asset, asset_response, packed
from commonroom.http.openapi.document import document
from commonroom.http.openapi.operations import REF
from commonroom.http.render import KEPT_FOR, reader_of, render_for_everybody, theme_of
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.http.words import language_of
from commonroom.joins.rooms import open_rooms


class MadeOnce:
    """Documents, each made when it is first asked for: most starts are for something else."""

    def __init__(self) -> None:
        self.assets: dict[tuple[str, bool], Asset] = {}
        self._turn = asyncio.Lock()

    async def get(self, key: tuple[str, bool], make: Callable[[], Asset]) -> Asset:
        """Returns a document; made beside the event loop, and once for all who wait for it."""
        if key not in self.assets:
            async with self._turn:
                if key not in self.assets:
                    self.assets[key] = await asyncio.to_thread(make)
        return self.assets[key]


@get("/openapi.json", Need.ANYONE)
async def openapi_document(request: Request) -> Response[bytes]:
    """The OpenAPI document."""

    def make() -> Asset:
        return packed(msgspec.json.encode(_document(request)), "application/json")

    return asset_response(request, await _made_once(request, "json", make))


@get("/docs", Need.ANYONE)
async def api_page(request: Request) -> Response[bytes]:
    """The API's documentation for people who read, the same for everybody."""
    language, theme = language_of(request.scope), theme_of(request.scope)

    def make() -> Asset:
        made = _document(request)
        text = render_for_everybody(
            open_rooms(request),
            "api.html",
            path=request.scope["path"],
            language=language,
            theme=theme,
            about=paragraphs(made["info"]["description"]),
            parts=parts(made),
            schemas=schemas(made),
        )
        return packed(text.encode(), "text/html")

    return asset_response(
        request,
        await _made_once(request, f"page {language} {theme}", make),
        "private, no-cache",
        vary="Accept-Encoding, Cookie, Accept-Language",
        **{"Content-Language": language, KEPT_FOR: reader_of(request)},
    )


def _document(request: Request) -> dict[str, Any]:
    return document(request.app, secure=request.scope["scheme"] == "https")


async def _made_once(request: Request, name: str, make: Callable[[], Asset]) -> Asset:
    made: MadeOnce = request.app.state.setdefault("openapi", MadeOnce())
    return await made.get((name, request.scope["scheme"] == "https"), make)


class Field(Struct, frozen=True):
    """A field, a parameter or a header."""

    name: str
    kind: str
    required: bool
    description: str
    schema: str | None = None
    """The schema that it is described by, where it is one of ours."""


class ResponseView(Struct, frozen=True):
    """One kind of answer."""

    status: str
    description: str
    schema: str | None


class OperationView(Struct, frozen=True):
    """An operation."""

    name: str
    method: str
    path: str
    summary: str
    description: list[str]
    parameters: list[tuple[str, Field]]
    """Each with its place: path, query or header."""
    body: str | None
    answers: list[ResponseView]


class TagSection(Struct, frozen=True):
    """Operations that belong together."""

    name: str
    operations: list[OperationView]


def parts(document: dict[str, Any]) -> list[TagSection]:
    """Returns every operation, part by part."""
    found: dict[str, list[OperationView]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found[operation["tags"][0]].append(_operation(method, path, operation))
    return [TagSection(name, some) for name, some in found.items()]


def schemas(document: dict[str, Any]) -> list[tuple[str, str, list[Field]]]:
    """Returns every schema with its name, what it is, and its fields."""
    return [
        (name, schema.get("description", ""), _fields(schema))
        for name, schema in sorted(document["components"]["schemas"].items())
    ]


def paragraphs(text: str) -> list[str]:
    """Returns a text's paragraphs, without the marks of Markdown."""
    return [one.replace("**", "").replace("`", "") for one in text.split("\n\n")]


def _operation(method: str, path: str, operation: dict[str, Any]) -> OperationView:
    body = operation.get("requestBody")
    return OperationView(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=paragraphs(operation["description"]),
        parameters=[(one["in"], _parameter(one)) for one in operation["parameters"]],
        body=_named(next(iter(body["content"].values()))["schema"]) if body else None,
        answers=[_response(status, one) for status, one in operation["responses"].items()],
    )


def _parameter(one: dict[str, Any]) -> Field:
    return Field(one["name"], in_words(one["schema"]), one["required"], one.get("description", ""))


def _response(status: str, answer: dict[str, Any]) -> ResponseView:
    content = next(iter(answer.get("content", {}).values()), None)
    schema = None if content is None else _named(content["schema"])
    return ResponseView(status, answer["description"], schema)


def _fields(schema: dict[str, Any]) -> list[Field]:
    required = schema.get("required", [])
    return [
        Field(
            name,
            in_words(one),
            name in required,
            _without_marks(one.get("description", "")),
            _named(one) or _named(one.get("items", {})),
        )
        for name, one in schema["properties"].items()
    ]


def in_words(schema: dict[str, Any]) -> str:
    """Returns what may stand there, such as “text, at most 200 characters”."""
    if "$ref" in schema:
        return str(_named(schema))
    if "anyOf" in schema:
        return " or ".join(in_words(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"“{one}”" for one in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {in_words(schema.get('items', {}))}"
    limits = [
        f"{words} {schema[key]}"
        for key, words in (
            ("minLength", "length from"),
            ("maxLength", "length to"),
            ("minimum", "from"),
            ("maximum", "to"),
        )
        if key in schema
    ]
    return ", ".join([{"string": "text", "integer": "whole number"}.get(kind, kind), *limits])


def _named(schema: dict[str, Any]) -> str | None:
    """Returns the name of our own schema that this one is, if it is."""
    choices = schema.get("anyOf", [schema])
    refs = [one["$ref"].removeprefix(REF) for one in choices if "$ref" in one]
    return refs[0] if refs else None


def _without_marks(text: str) -> str:
    return text.replace("`", "")
