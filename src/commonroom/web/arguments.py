"""What an operation takes, read off its signature: path, headers, query, and one body."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import msgspec
from litestar import Request
from msgspec import Struct

from commonroom.web.bodies import query, read, read_file
from commonroom.web.headers import header_in

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class Header(Struct, frozen=True):
    """Marks an argument that comes in a header: `Annotated[str | None, Header("If-Match")]`."""

    name: str
    description: str = ""
    longest: int = 2000


class File(Struct, frozen=True):
    """Marks an argument that is the body as it is: `Annotated[bytes, File(largest, types)]`."""

    largest: int
    types: tuple[str, ...]
    """What it may be said to be."""


class Arguments(Struct, frozen=True):
    """An operation's arguments by name; the request itself is none of them."""

    path: tuple[str, ...] = ()
    headers: dict[str, Header] = {}
    query: tuple[str, Any] | None = None
    body: tuple[str, msgspec.json.Decoder[Any]] | None = None
    is_body_optional: bool = False
    """Whether the function has a default for it."""
    file: tuple[str, File] | None = None

    async def of(self, request: Request[Any, Any, Any]) -> dict[str, Any]:
        """The arguments that a request gives; the body is read last."""
        given = {name: request.path_params[name] for name in self.path}
        for name, header in self.headers.items():
            given[name] = header_in(request.scope, header.name.lower())
        if self.query is not None:
            given[self.query[0]] = query(request, self.query[1])
        if self.body is not None and not (self.is_body_optional and not await request.body()):
            given[self.body[0]] = await read(request, self.body[1])
        if self.file is not None:
            given[self.file[0]] = await read_file(request, self.file[1].types)
        return given


def arguments_of(function: Callable[..., Any], method: str, path: str) -> Arguments:
    """What a function asks for. A struct is the body, or the query where there is no body."""
    in_path: list[str] = []
    headers: dict[str, Header] = {}
    structs: list[tuple[str, Any]] = []
    file: tuple[str, File] | None = None
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    for name in list(parameters)[1:]:
        mark = next((one for one in get_args(hints[name]) if isinstance(one, Header | File)), None)
        if f"{{{name}:" in path:
            in_path.append(name)
        elif isinstance(mark, Header):
            headers[name] = mark
        elif isinstance(mark, File):
            file = (name, mark)
        else:
            structs.append((name, hints[name]))
    if len(structs) + (file is not None) > 1:
        raise TypeError(f"{function.__name__} takes more than one body.")
    if method in WITH_BODY:
        body = [(name, msgspec.json.Decoder(kind)) for name, kind in structs]
        return Arguments(
            tuple(in_path),
            headers,
            body=body[0] if body else None,
            is_body_optional=any(
                parameters[name].default is not inspect.Parameter.empty for name, _ in structs
            ),
            file=file,
        )
    return Arguments(tuple(in_path), headers, query=structs[0] if structs else None)
