"""Pages and forms, declared once: a form knows the page it is on, and what a refusal shows.

    pages = Pages()

    @pages.page("/me/members", Need.BROWSER)
    async def list_members(request: Request, form: FormState = EMPTY) -> Response[str]:
        return render(request, "people/members.html", form=form, members=await managed(request))

    @pages.form("/me/members", Need.BROWSER, on=list_members, flash="member-added")
    async def add_member(ctx: Ctx, data: MemberForm) -> None:
        await profiles.add_managed(ctx, display_name=data.display_name)

A handler holds the action alone. Where it is refused, the page of the form is shown again with what
was typed and what is wrong with it; otherwise the browser is sent to that page, or to `leads_to`.
A form may also name its page by its path, so that what belongs on a page need not import it.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar, get_args

import msgspec
from litestar import Litestar, Response
from litestar.enums import RequestEncodingType
from litestar.handlers import HTTPRouteHandler
from litestar.params import BodyKwarg, PathParameter, URLEncodedBody
from litestar.types import ASGIApp
from msgspec import Meta, Struct

from commonroom.errors import (
    CommonroomError,
    Forbidden,
    Gone,
    InvalidFields,
    NotFound,
    Refusal,
    Unauthorized,
)
from commonroom.http.access import Need, needs
from commonroom.http.arguments import From, check_path, hints_of, mark_of, resolve
from commonroom.http.redirects import path_part, redirect
from commonroom.http.render import refuse
from commonroom.http.request import Request
from commonroom.http.routes import FastRoute
from commonroom.http.shared_signatures import (
    SIGNATURE_KEY,
    HashableHint,
    SharedArgumentsRoute,
    SharedSignatureRoute,
)

# Far beyond what the rules take: they say in a sentence what is too long.
Line: TypeAlias = Annotated[str, Meta(max_length=1000)]
Address: TypeAlias = Annotated[str, Meta(max_length=2000)]
OneOrMany: TypeAlias = Annotated[list[Line], Meta(max_length=100)] | Line
"""What the boxes of one name send: a list, but the value itself where a single one is ticked."""

T = TypeVar("T")
Sent: TypeAlias = URLEncodedBody[T]
"""What a form sends to a handler of Litestar's own."""

Show: TypeAlias = Callable[..., Awaitable[Response[Any]]]
Action: TypeAlias = Callable[..., Awaitable[Response[Any] | str | None]]
"""What a form is for; returns an answer of its own, or where it leads, or nothing."""

KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
_NO_DEFAULT = inspect.Parameter.empty
PATH_TEXT = Annotated[str, PathParameter()]
"""A part of the path, as most are."""


class FormBody(BodyKwarg):
    """That a body is a form; Litestar's own works its hash out of all its fields, each time."""

    __hash__ = object.__hash__


FORM_BODY = FormBody(media_type=RequestEncodingType.URL_ENCODED)
ANOTHER_PAGE = (Unauthorized, Forbidden, NotFound, Gone)
"""Refusals that the page of a form cannot show: there is no such page for the caller."""


class Form(Struct, kw_only=True, forbid_unknown_fields=True):
    """The base of what a form sends."""

    error_fields: ClassVar[Mapping[str, str]] = {}
    """Where the form shows what services refuse of a field that it has under another name."""


class FormState(Struct, frozen=True):
    """A form as it is shown: what stands in its fields, and what is wrong with them."""

    values: Mapping[str, Any] = {}
    errors: Mapping[str, str] = {}
    """What is wrong with each field at fault."""
    form_error: str | None = None
    """What is wrong that is no single field's fault."""

    def value(self, name: str) -> Any:
        """Returns what stands in a field."""
        return self.values.get(name)

    def wrong(self, name: str) -> str | None:
        """Returns what is wrong with a field."""
        return self.errors.get(name)

    @property
    def field(self) -> str | None:
        """The first field at fault."""
        return next(iter(self.errors), None)

    @property
    def message(self) -> str | None:
        """What is wrong, wherever: the first of it."""
        return next(iter(self.errors.values()), self.form_error)


EMPTY = FormState()


class PageRoute(SharedArgumentsRoute, FastRoute):
    """A route that shows a page, also one with a form that was refused."""

    __slots__ = ("injected", "path_names", "show")
    show: Show
    injected: dict[str, From]
    """The arguments that are worked out from the request."""
    path_names: list[str] | None
    """The parts of the path that it takes; None where these alone do not say what to show."""

    def takes(self, scope: Any) -> bool:
        """Whether there is nothing to read but the path: what a query says, Litestar checks."""
        return self.path_names is not None and not scope["query_string"] and self.is_plain

    async def answer(self, app: Litestar, request: Request) -> ASGIApp:
        """Returns the page as it is sent."""
        path = request.path_params
        shown = await self.fn(
            request=request, **{name: path[name] for name in self.path_names or ()}
        )
        return await self.to_response(app, shown, request)


class FormRoute(SharedArgumentsRoute):
    """A route that a form is sent to."""

    __slots__ = ("page",)
    page: PageRoute | str | None
    """The page that it is on; its path until all are put together (`page_routes`)."""


class BackRedirect(SharedSignatureRoute):
    """A route at a form's own address, which leads back to its page."""

    __slots__ = ()


class Pages:
    """The pages and forms of one part of a room, collected as they are declared."""

    def __init__(self) -> None:
        self.routes: list[HTTPRouteHandler] = []

    def include(self, *routes: HTTPRouteHandler) -> None:
        """Adds routes that are neither pages nor forms, such as pictures."""
        self.routes += routes

    def page(self, path: str | list[str], need: Need) -> Callable[[Show], PageRoute]:
        """Declares a page. Its arguments of type `FormState`, and `error`, are for a refusal."""

        def declare(show: Show) -> PageRoute:
            async def answer(request: Request, values: dict[str, Any]) -> Response[Any]:
                return await show(request, **values)

            route = PageRoute(path, http_method="GET", opt=needs(need), sync_to_thread=None)
            route.show, route.injected = show, _injected(show)
            route.path_names = _path_names(show, route.paths)
            route(_handler(show, route.paths, answer))
            self.routes.append(route)
            return route

        return declare

    def form(
        self,
        path: str,
        need: Need,
        *,
        on: PageRoute | str | None = None,
        leads_to: str | None = None,
        flash: str | None = None,
        slot: str = "form",
        also_shows: tuple[type[CommonroomError], ...] = (),
    ) -> Callable[[Action], FormRoute]:
        """Declares a form.

        `on` is its page, or the path of it; `slot` names the argument of that page which takes the
        refused form, where it has several. `leads_to` may name parts of the path, such as
        `/rounds/{round_id}`.
        """

        def declare(action: Action) -> FormRoute:
            target = leads_to or ("/" if on is None else _template(on))
            request_name = _takes_request(action)

            async def answer(request: Request, values: dict[str, Any]) -> Response[Any]:
                arguments = values if request_name is None else {**values, request_name: request}
                try:
                    result = await action(**arguments)
                except CommonroomError as error:
                    if not isinstance(route.page, PageRoute) or not _can_show(error, also_shows):
                        raise
                    return await show_refused(request, route.page, error, values, slot=slot)
                if isinstance(result, Response):
                    return result
                return redirect(result or _filled_in(target, request), flash)

            route = FormRoute(
                path, http_method="POST", opt=needs(need), status_code=200, sync_to_thread=None
            )
            route(_handler(action, route.paths, answer))
            route.page = on
            self.routes.append(route)
            return route

        return declare


def _can_show(error: CommonroomError, also_shows: tuple[type[CommonroomError], ...]) -> bool:
    return isinstance(error, also_shows) or (
        isinstance(error, Refusal) and not isinstance(error, ANOTHER_PAGE)
    )


async def show_refused(
    request: Request,
    on: PageRoute,
    error: CommonroomError,
    values: Mapping[str, Any],
    *,
    slot: str = "form",
) -> Response[Any]:
    """The page of a form that was refused: what was typed is still there, and says why not."""
    takes = inspect.signature(on.show).parameters
    # An action need not take all parts of the path that its page goes by.
    path: Mapping[str, Any] = request.path_params
    offered = {**path, **values, slot: refused(values.get("data"), error), "error": error}
    arguments = {name: offered[name] for name in takes if name in offered}
    missing = {name: source for name, source in on.injected.items() if name not in arguments}
    page = await on.show(request, **arguments, **await resolve(missing, request))
    return refuse(page, error)


def page_routes(*parts: Pages) -> list[HTTPRouteHandler]:
    """Returns all routes, and for each form's own address a way back to its page.

    A browser that loads the answer to a refused form anew asks for that address.
    """
    declared = [route for part in parts for route in part.routes]
    reads = [one for one in declared if "GET" in one.http_methods]
    by_path = {path: one for one in reads if isinstance(one, PageRoute) for path in one.paths}
    taken = {path for one in reads for path in one.paths}
    back: dict[str, HTTPRouteHandler] = {}
    for one in declared:
        if not isinstance(one, FormRoute) or one.page is None:
            continue
        if isinstance(one.page, str):
            if one.page not in by_path:
                raise LookupError(f"A form is on {one.page}, but there is no page {one.page}.")
            one.page = by_path[one.page]
        for path in one.paths - taken - back.keys():
            back[path] = _way_back(path, one.page)
    return [*declared, *back.values()]


def as_list(ticked: OneOrMany) -> list[str]:
    """Returns what was ticked."""
    if isinstance(ticked, list):
        return ticked
    return [ticked] if ticked else []


def refused(sent: Struct | Mapping[str, Any] | None, error: CommonroomError) -> FormState:
    """Returns a form as it was sent, without its passwords, and why it was refused."""
    typed = msgspec.structs.asdict(sent) if isinstance(sent, Struct) else dict(sent or {})
    values = {name: value for name, value in typed.items() if "password" not in name}
    named = [(_form_field(sent, field), text) for field, text in _field_errors(error).items()]
    errors = {field: text for field, text in named if field is not None}
    return FormState(values, errors, None if errors else error.detail)


def _form_field(sent: Struct | Mapping[str, Any] | None, field: str) -> str | None:
    """Returns the field of a form that shows what is wrong; `place.address` is `place_address`."""
    if not isinstance(sent, Struct):
        return field
    aliases = sent.error_fields if isinstance(sent, Form) else {}
    name = aliases.get(field, field.replace(".", "_"))
    return name if hasattr(sent, name) else None


def _field_errors(error: CommonroomError) -> Mapping[str, str]:
    if isinstance(error, InvalidFields):
        return error.by_field
    field = error.extensions.get("field")
    return {} if field is None else {field: error.detail}


def _handler(
    function: Callable[..., Any],
    paths: set[str],
    call: Callable[[Request, dict[str, Any]], Awaitable[Response[Any]]],
) -> Callable[..., Any]:
    """What Litestar calls: it gives parts of the path, the query and the form, we the rest."""
    hints = hints_of(function)
    given_by_litestar = [inspect.Parameter("request", KEYWORD_ONLY, annotation=Request)]
    injected = _injected(function)
    for path in paths:
        check_path(function, injected, path)
    taken: list[Hashable] = []
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints[name]
        if name in injected or hint is Request or _is_for_refusals(hint):
            continue
        in_path = any(f"{{{name}:" in path for path in paths)
        taken.append((name, HashableHint(hint), in_path, repr(parameter.default)))
        if in_path:
            hint = PATH_TEXT if hint is str else Annotated[hint, PathParameter()]
        elif name == "data":
            hint = Annotated[hint, FORM_BODY]
        given_by_litestar.append(parameter.replace(annotation=hint, kind=KEYWORD_ONLY))

    async def handle(request: Request, **values: Any) -> Response[Any]:
        return await call(request, values | await resolve(injected, request))

    handle.__name__, handle.__doc__ = function.__name__, function.__doc__
    handle.__module__ = function.__module__
    handle.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        given_by_litestar, return_annotation=Response[Any]
    )
    handle.__annotations__ = {one.name: one.annotation for one in given_by_litestar}
    handle.__annotations__["return"] = Response[Any]
    setattr(handle, SIGNATURE_KEY, tuple(taken))
    return handle


def _path_names(show: Show, paths: set[str]) -> list[str] | None:
    """Returns the arguments that are texts from the path; None where another has to be read."""
    hints, injected = hints_of(show), _injected(show)
    found = []
    for name, parameter in inspect.signature(show).parameters.items():
        if name in injected or hints[name] is Request:
            continue
        if hints[name] is str and all(f"{{{name}:str}}" in path for path in paths):
            found.append(name)
        elif parameter.default is _NO_DEFAULT or any(f"{{{name}:" in path for path in paths):
            return None
    return found


def _injected(function: Callable[..., Any]) -> dict[str, From]:
    """Returns the arguments of a function that are worked out from the request."""
    hints = hints_of(function)
    marks = {name: mark_of(hint, From) for name, hint in hints.items()}
    return {name: source for name, source in marks.items() if source is not None}


def _is_for_refusals(hint: Any) -> bool:
    """Whether an argument of a page is given only when a form on it was refused."""
    kinds = [one for one in (hint, *get_args(hint)) if isinstance(one, type)]
    return any(issubclass(one, FormState | CommonroomError) for one in kinds)


def _takes_request(function: Callable[..., Any]) -> str | None:
    hints = hints_of(function)
    return next((name for name, hint in hints.items() if hint is Request), None)


def _way_back(path: str, page: PageRoute) -> HTTPRouteHandler:
    target = _template(page)

    async def way_back(request: Request) -> Response[Any]:
        return redirect(_filled_in(target, request))

    way_back.__annotations__ = {"request": Request, "return": Response[Any]}
    route = BackRedirect(path, http_method="GET", opt=page.opt, sync_to_thread=None)
    route(way_back)
    return route


def _template(page: PageRoute | str) -> str:
    """Returns a page's path with its parts named, such as `/rounds/{round_id}`."""
    path = page if isinstance(page, str) else min(page.paths, key=len)
    return path.replace(":str}", "}")


def _filled_in(template: str, request: Request) -> str:
    parts = {name: path_part(str(value)) for name, value in request.path_params.items()}
    return template.format_map(parts)
