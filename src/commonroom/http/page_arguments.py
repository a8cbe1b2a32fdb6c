"""What a page or a form takes, read off its signature: of path, query, form, or injected."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from commonroom.errors import BadRequest, CommonroomError
from commonroom.http.arguments import From, check_path, hints_of, mark_of, resolve
from commonroom.http.form_data import FormFile, read_fields, read_parts
from commonroom.http.form_state import FormState
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.words import _

FORM = "data"
"""The argument that takes what a form sends."""
_WHERE = re.compile(r"`\$\.(.+)`$")


class QueryName(Struct, frozen=True):
    """Marks an argument that has another name in the query: `Annotated[str, QueryName("id")]`."""

    name: str


class QueryArgument(Struct, frozen=True):
    """An argument that stands in the query; left out, it has its default."""

    argument: str
    name: str
    kind: Any
    is_required: bool


class FormArgument(Struct, frozen=True):
    """What a form sends."""

    kind: Any
    has_files: bool = False
    lists: Sequence[str] = ()
    """Which fields of a form with files are lists, also where there is one of a name."""

    async def read(self, request: Request) -> dict[str, Any]:
        """Returns its fields by name, as they were sent."""
        body = await request.body()
        if not self.has_files:
            return read_fields(body)
        fields = read_parts(body, header_in(request.scope, "content-type") or "")
        alone = [name for name in self.lists if not isinstance(fields.get(name, []), list)]
        return fields | {name: [fields[name]] for name in alone}


class PageArguments(Struct, frozen=True):
    """The arguments of a page or a form."""

    request: str | None
    """The argument that is the request itself."""
    path: dict[str, Any]
    """The types of the parts of a path, by name."""
    query: tuple[QueryArgument, ...]
    form: FormArgument | None
    injected: dict[str, From]

    async def of(self, request: Request) -> dict[str, Any]:
        """What a request gives; what it sends is read before anything is looked up."""
        reader = ArgumentReader()
        parts = request.path_params
        for name, kind in self.path.items():
            if name in parts:
                reader.read(name, name, parts[name], kind)
        if self.query:
            self._read_query(request, reader)
        if self.form is not None:
            reader.read(FORM, FORM, await self.form.read(request), self.form.kind)
        reader.raise_if_any()
        values = reader.values
        if self.request is not None:
            values[self.request] = request
        if self.injected:
            values |= await resolve(self.injected, request)
        return values

    def _read_query(self, request: Request, reader: ArgumentReader) -> None:
        raw: bytes = request.scope["query_string"]
        # The last of several counts, as in links that others have added something to.
        sent = dict(parse_qsl(raw.decode("latin-1"), keep_blank_values=True)) if raw else {}
        for one in self.query:
            if one.name in sent:
                reader.read(one.argument, one.name, sent[one.name], one.kind)
            elif one.is_required:
                reader.errors.append({"field": one.name, "message": "Expected a value"})


class ArgumentReader:
    """Reads arguments one by one, so that all that is wrong is said at once."""

    __slots__ = ("errors", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.errors: list[dict[str, str]] = []

    def read(self, argument: str, name: str, sent: Any, kind: Any) -> None:
        """Keeps an argument as its type says; what was sent is text, or fields of a form."""
        if kind is str:
            self.values[argument] = sent
            return
        try:
            self.values[argument] = msgspec.convert(
                sent, kind, strict=False, str_keys=True, dec_hook=_as_it_is
            )
        except msgspec.ValidationError as error:
            text = str(error)
            where = _WHERE.search(text)
            field = name
            if where is not None:
                field = where[1] if argument == FORM else f"{name}.{where[1]}"
            self.errors.append({"field": field, "message": text.split(" - ", maxsplit=1)[0]})

    def raise_if_any(self) -> None:
        """Refuses where anything could not be read."""
        if not self.errors:
            return
        what = "; ".join(f"{one['field']}: {one['message']}" for one in self.errors)
        detail = _("This could not be read: %(what)s.") % {"what": what}
        raise BadRequest(detail, field=self.errors[0]["field"], errors=self.errors)


def _as_it_is(kind: type[Any], sent: Any) -> Any:
    """Returns a file that was sent; nothing else is of a type that has to be made."""
    if not isinstance(sent, kind):
        raise TypeError("Expected a file")
    return sent


def page_arguments(function: Callable[..., Any], paths: Sequence[str]) -> PageArguments:
    """Returns what a page or a form takes; what is for refusals it is given only then."""
    hints = hints_of(function)
    injected = injected_into(function)
    for path in paths:
        check_path(function, injected, path)
    request, form = None, None
    in_path: dict[str, Any] = {}
    query = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints[name]
        if hint is Request:
            request = name
        elif name in injected or _is_for_refusals(hint):
            continue
        elif any(f"{{{name}:" in path for path in paths):
            in_path[name] = hint
        elif name == FORM:
            form = _form(hint)
        else:
            named = mark_of(hint, QueryName)
            is_required = parameter.default is inspect.Parameter.empty
            query.append(QueryArgument(name, named.name if named else name, hint, is_required))
    return PageArguments(request, in_path, tuple(query), form, injected)


def injected_into(function: Callable[..., Any]) -> dict[str, From]:
    """Returns the arguments of a function that are worked out from the request."""
    marks = {name: mark_of(hint, From) for name, hint in hints_of(function).items()}
    return {name: source for name, source in marks.items() if source is not None}


def _form(kind: Any) -> FormArgument:
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return FormArgument(kind)
    hints = get_type_hints(kind)
    has_files = any(FormFile in (hint, *get_args(hint)) for hint in hints.values())
    lists = [name for name, hint in hints.items() if get_origin(hint) is list]
    return FormArgument(kind, has_files, lists if has_files else ())


def _is_for_refusals(hint: Any) -> bool:
    """Whether an argument of a page is given only when a form on it was refused."""
    kinds = [one for one in (hint, *get_args(hint)) if isinstance(one, type)]
    return any(issubclass(one, FormState | CommonroomError) for one in kinds)
