"""What a handler takes, read off its signature: path, headers, query, body, or injected."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CoroutineType
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.http.bodies import query, read, read_file
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.ids import is_id
from commonroom.store import Entity, Ref

M = TypeVar("M")

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


class From(Struct, frozen=True):
    """Marks an argument worked out from the request: `Annotated[Caller, From(caller_of)]`."""

    resolve: Callable[[Request], Any]
    """Returns the value, or a coroutine that does; refuses where there is none."""
    headers: tuple[Header, ...] = ()
    """Those that it reads, for the documentation."""
    path: tuple[str, ...] = ()
    """The parts of the path that it reads."""


Ctx: TypeAlias = Annotated[Context, From(lambda request: request.context)]
"""The context that services take."""


def ref_in_path(
    entity: type[Entity], refusal: Callable[[], NotFound], **given: Callable[[Request], str]
) -> From:
    """Marks an argument that is where a thing is stored, of which the path names the ids.

    `CarRef: TypeAlias = Annotated[Ref[Car], ref_in_path(Car, no_such_car)]`. The parts of the path
    have the names of the key's fields; fields that are not in the path are `given`. What cannot be
    an id is refused here, what is not there by the service that takes the ref and reads it.
    """
    names = tuple(name for name in entity.schema.primary_fields if name not in given)

    def resolve(request: Request) -> Ref[Any]:
        fields: dict[str, str] = {name: request.path_params[name] for name in names}
        if not all(map(is_id, fields.values())):
            raise refusal()
        return entity.at(**fields, **{name: value(request) for name, value in given.items()})

    return From(resolve, path=names)


class Arguments(Struct, frozen=True):
    """An operation's arguments by name."""

    request: str | None = None
    """The argument that is the request itself."""
    path: tuple[str, ...] = ()
    """What the path names, whether the function asks for it or not."""
    from_path: tuple[str, ...] = ()
    headers: dict[str, Header] = {}
    query: tuple[str, Any] | None = None
    body: tuple[str, msgspec.json.Decoder[Any]] | None = None
    is_body_optional: bool = False
    """Whether the function has a default for it."""
    file: tuple[str, File] | None = None
    injected: dict[str, From] = {}

    @property
    def documented_headers(self) -> list[Header]:
        """All headers that are read, by the function or for what is injected."""
        read = [header for one in self.injected.values() for header in one.headers]
        return [*read, *self.headers.values()]

    async def of(self, request: Request) -> dict[str, Any]:
        """The arguments that a request gives; its body is read before anything is looked up."""
        arguments: dict[str, Any] = {name: request.path_params[name] for name in self.from_path}
        if self.request is not None:
            arguments[self.request] = request
        for name, header in self.headers.items():
            arguments[name] = header_in(request.scope, header.name.lower())
        if self.query is not None:
            arguments[self.query[0]] = query(request, self.query[1])
        if self.body is not None and not (self.is_body_optional and not await request.body()):
            arguments[self.body[0]] = await read(request, self.body[1])
        if self.file is not None:
            arguments[self.file[0]] = await read_file(request, self.file[1].types)
        if self.injected:
            arguments |= await resolve(self.injected, request)
        return arguments


async def resolve(injected: Mapping[str, From], request: Request) -> dict[str, Any]:
    """Returns the values of arguments that are worked out from a request."""
    arguments = {}
    for name, one in injected.items():
        value = one.resolve(request)
        arguments[name] = await value if isinstance(value, CoroutineType) else value
    return arguments


@lru_cache(maxsize=16)
def hints_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The types in a function's signature; several look at them while it is being declared."""
    return get_type_hints(function, include_extras=True)


def mark_of(hint: Any, kind: type[M]) -> M | None:
    """Returns what an argument is marked with, where its type is annotated."""
    return next((one for one in get_args(hint) if isinstance(one, kind)), None)


def check_path(function: Callable[..., Any], injected: Mapping[str, From], path: str) -> None:
    """Refuses a function that takes what its path does not name."""
    for name, source in injected.items():
        for part in source.path:
            if f"{{{part}:" not in path:
                raise TypeError(f"{function.__name__} takes {name}, but {path} names no {part}.")


def arguments_of(function: Callable[..., Any], method: str, path: str) -> Arguments:
    """What a function asks for. A struct is the body, or the query where there is no body."""
    hints = hints_of(function)
    parameters = inspect.signature(function).parameters
    structs: list[tuple[str, Any]] = []
    found: dict[str, Any] = {"path": tuple(re.findall(r"\{(\w+):", path))}
    headers: dict[str, Header] = {}
    injected: dict[str, From] = {}
    for name in parameters:
        hint = hints[name]
        if hint is Request:
            found["request"] = name
        elif name in found["path"]:
            found["from_path"] = (*found.get("from_path", ()), name)
        elif (header := mark_of(hint, Header)) is not None:
            headers[name] = header
        elif (source := mark_of(hint, From)) is not None:
            injected[name] = source
        elif (file := mark_of(hint, File)) is not None:
            found["file"] = (name, file)
        else:
            structs.append((name, hint))
    if len(structs) + ("file" in found) > 1:
        raise TypeError(f"{function.__name__} takes more than one body.")
    for name, hint in structs:
        if method in WITH_BODY:
            found["body"] = (name, msgspec.json.Decoder(hint))
            found["is_body_optional"] = parameters[name].default is not inspect.Parameter.empty
        else:
            found["query"] = (name, hint)
    check_path(function, injected, path)
    return Arguments(headers=headers, injected=injected, **found)
