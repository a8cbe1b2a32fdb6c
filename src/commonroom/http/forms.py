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
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from commonroom.errors import (
    BodyTooLarge,
    CommonroomError,
    Forbidden,
    Gone,
    NotFound,
    Refusal,
    Unauthorized,
)
from commonroom.http.access import Need
from commonroom.http.arguments import From, resolve
from commonroom.http.asgi import ASGIApp
from commonroom.http.form_state import (
    EMPTY,
    Address,
    Form,
    FormState,
    Line,
    OneOrMany,
    as_list,
    refused,
)
from commonroom.http.page_arguments import FORM, page_arguments
from commonroom.http.redirects import path_part, redirect
from commonroom.http.render import refuse
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Route

__all__ = [
    "EMPTY",
    "Address",
    "Form",
    "FormRoute",
    "FormState",
    "Line",
    "OneOrMany",
    "PageRoute",
    "Pages",
    "as_list",
    "page_routes",
    "refused",
    "show_refused",
]

Show: TypeAlias = Callable[..., Awaitable[Response[Any]]]
Action: TypeAlias = Callable[..., Awaitable[Response[Any] | str | None]]
"""What a form is for; returns an answer of its own, or where it leads, or nothing."""

ANOTHER_PAGE = (Unauthorized, Forbidden, NotFound, Gone, BodyTooLarge)
"""Refusals that the page of a form cannot show: it is not for the caller, or nothing was read."""


class PageRoute(Route):
    """A route that shows a page, also one with a form that was refused."""

    injected: dict[str, From]
    """The arguments that are worked out from the request."""

    @property
    def show(self) -> Show:
        """What shows it."""
        return self.function


class FormRoute(Route):
    """A route that a form is sent to."""

    page: PageRoute | str | None
    """The page that it is on; its path until all are put together (`page_routes`)."""


class Pages:
    """The pages and forms of one part of a room, collected as they are declared."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def include(self, *routes: Route) -> None:
        """Adds routes that are neither pages nor forms, such as pictures."""
        self.routes += routes

    def page(self, path: str | list[str], need: Need) -> Callable[[Show], PageRoute]:
        """Declares a page. Its arguments of type `FormState`, and `error`, are for a refusal."""
        paths = (path,) if isinstance(path, str) else tuple(path)

        def declare(show: Show) -> PageRoute:
            takes = page_arguments(show, paths)

            async def respond(request: Request) -> ASGIApp:
                return await show(**await takes.of(request))

            route = PageRoute(
                method="GET",
                paths=paths,
                need=need,
                function=show,
                respond=respond,
                injected=takes.injected,
            )
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
            takes = page_arguments(action, (path,))
            target = leads_to or ("/" if on is None else _template(on))

            async def respond(request: Request) -> ASGIApp:
                arguments = await takes.of(request)
                try:
                    result = await action(**arguments)
                except CommonroomError as error:
                    if not isinstance(route.page, PageRoute) or not _can_show(error, also_shows):
                        raise
                    return await show_refused(request, route.page, error, arguments, slot=slot)
                if isinstance(result, Response):
                    return result
                return redirect(result or _filled_in(target, request), flash)

            route = FormRoute(
                method="POST",
                paths=(path,),
                need=need,
                function=action,
                respond=respond,
                page=on,
            )
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
    offered = {
        **request.path_params,
        **values,
        slot: refused(values.get(FORM), error),
        "error": error,
        "request": request,
    }
    arguments = {name: offered[name] for name in takes if name in offered}
    missing = {name: source for name, source in on.injected.items() if name not in arguments}
    return refuse(await on.show(**arguments, **await resolve(missing, request)), error)


def page_routes(*parts: Pages) -> list[Route]:
    """Returns all routes, and for each form's own address a way back to its page.

    A browser that loads the answer to a refused form anew asks for that address.
    """
    declared = [route for part in parts for route in part.routes]
    reads = [one for one in declared if one.method == "GET"]
    by_path = {path: one for one in reads if isinstance(one, PageRoute) for path in one.paths}
    taken = {path for one in reads for path in one.paths}
    back: dict[str, Route] = {}
    for one in declared:
        if not isinstance(one, FormRoute) or one.page is None:
            continue
        if isinstance(one.page, str):
            if one.page not in by_path:
                raise LookupError(f"A form is on {one.page}, but there is no page {one.page}.")
            one.page = by_path[one.page]
        for path in {*one.paths} - taken - back.keys():
            back[path] = _way_back(path, one.page)
    return [*declared, *back.values()]


def _way_back(path: str, page: PageRoute) -> Route:
    target = _template(page)

    async def way_back(request: Request) -> Response[Any]:
        return redirect(_filled_in(target, request))

    return Route(method="GET", paths=(path,), need=page.need, function=way_back, respond=way_back)


def _template(page: PageRoute | str) -> str:
    """Returns a page's path with its parts named, such as `/rounds/{round_id}`."""
    path = page if isinstance(page, str) else min(page.paths, key=len)
    return path.replace(":str}", "}")


def _filled_in(template: str, request: Request) -> str:
    parts = {name: path_part(value) for name, value in request.path_params.items()}
    return template.format_map(parts)
