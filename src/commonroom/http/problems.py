"""Errors as people and programs read them: RFC 9457 problem documents, or a page."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import Scope
from msgspec import Struct

from commonroom.accounts.errors import ReauthenticationRequired
from commonroom.errors import CommonroomError, MissingPrerequisite, ProcessorTimeUsed
from commonroom.http.address_secrets import SecretPaths
from commonroom.http.authentication import caller_of
from commonroom.http.forms import EMPTY
from commonroom.http.litestar_app import App
from commonroom.http.redirects import redirect, referring_path
from commonroom.http.render import render, render_refused
from commonroom.http.words import _, spoken
from commonroom.store import StoreError
from commonroom.store.errors import DamagedItem

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
FOR_PROGRAMS = ("/api/", "/health/", "/metrics", "/openapi")

AnyRequest = Request[Any, Any, Any]


class ProblemDocument(Struct, frozen=True, omit_defaults=True):
    """A problem document."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    instance: str = ""
    field: str | None = None
    """The field at fault, where it is one."""
    errors: list[dict[str, str]] | None = None
    """Every field at fault, where the body as such could not be read."""
    extensions: dict[str, Any] | None = None
    """Further members, such as the id of the round that is in the way."""

    @property
    def document(self) -> dict[str, Any]:
        """The document itself: always with its type, and its extensions beside the rest."""
        plain = msgspec.to_builtins(self)
        return {**plain.pop("extensions", {}), "type": self.type, **plain}


async def recognise(error: Exception, scope: Scope) -> None:
    """Finds out who asks where an error came before that, so that they keep their own layout."""
    if str(scope["type"]) != "http" or isinstance(error, StoreError):
        return
    request: AnyRequest = Request(scope)
    if wants_page(request):
        # Whatever goes wrong here, there is still a page to be shown about what went wrong first.
        with suppress(Exception):
            await caller_of(request, time.time())


def handle_error(request: AnyRequest, error: Exception) -> Response[Any]:
    """Returns the answer to a request that went wrong; never a stack trace."""
    problem, headers = _problem(error)
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        app = request.app
        paths = app.secret_paths if isinstance(app, App) else SecretPaths(())
        path = paths.hide(request.scope["path"])
        logger.error("%s %s failed", request.method, path, exc_info=error)
    if wants_page(request):
        if isinstance(error, ProcessorTimeUsed):  # who has used too much gets no page laid out
            return Response(
                problem.detail,
                status_code=problem.status,
                headers=headers,
                media_type=MediaType.TEXT,
            )
        if isinstance(error, ReauthenticationRequired):
            return _ask_for_password(request, error)
        missing = error if isinstance(error, MissingPrerequisite) else None
        if missing is not None and missing.flash is not None and request.method == "GET":
            return redirect(missing.page, missing.flash)
        return _page(request, problem, headers, missing)
    headers["Content-Language"] = spoken()
    return Response(
        problem.document,
        status_code=problem.status,
        headers=headers,
        media_type="application/problem+json",
    )


def wants_page(request: AnyRequest) -> bool:
    """Whether a person reads the answer."""
    return is_page(request.scope["path"], request.headers.get("accept", ""))


def is_page(path: str, accept: str) -> bool:
    """Whether what is at a path is for people, and the caller takes it as such."""
    return not path.startswith(FOR_PROGRAMS) and "text/html" in accept


def _page(
    request: AnyRequest,
    problem: ProblemDocument,
    headers: dict[str, str],
    missing: MissingPrerequisite | None,
) -> Response[Any]:
    if problem.status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
        return redirect(f"/sign-in?next={quote(_address(request), safe='/')}")
    answer = render(request, "problem.html", problem=problem, missing=missing)
    answer.status_code = problem.status
    answer.headers.update(headers)
    return answer


def _ask_for_password(request: AnyRequest, error: ReauthenticationRequired) -> Response[Any]:
    """Leads to where the password is given again, and from there back to what was wanted."""
    if request.method == "GET":
        return redirect(f"/me/confirm-password?next={quote(_address(request), safe='/')}")
    context = {"next": referring_path(request), "action": request.url.path, "typed": error.typed}
    template = "people/confirm_password.html"
    return render_refused(request, template, error, form=EMPTY, has_password=True, **context)


def _address(request: AnyRequest) -> str:
    """Returns what was asked for, as it stands in a browser's address line."""
    query = request.scope["query_string"].decode("latin-1")
    return quote(request.scope["path"]) + (f"?{query}" if query else "")


def _problem(error: Exception) -> tuple[ProblemDocument, dict[str, str]]:
    match error:
        case DamagedItem():
            return _ours(
                error,
                _(
                    "This entry is damaged and cannot be shown. Everything else works. Please tell "
                    "whoever runs this Commonroom: `commonroom check` names what is damaged."
                ),
            )
        case StoreError() if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            # Its own words name files and tables: they are for the log.
            return _ours(
                error,
                _("Your data cannot be read or saved right now. Please try again in a moment."),
            )
        case CommonroomError():
            return _ours(error, _(error.detail))
        case ValidationException():
            return _unreadable(error), {}
        case HTTPException() if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            status = HTTPStatus(error.status_code)
            title = _(status.phrase.capitalize())
            headers = dict(error.headers or {})
            return ProblemDocument(title, status.value, _detail(error, status)), headers
    detail = _(
        "Something went wrong on our side. It was logged, and none of your data was changed."
    )
    return ProblemDocument(_("Something went wrong"), 500, detail), {}


def _ours(error: CommonroomError, detail: str) -> tuple[ProblemDocument, dict[str, str]]:
    wait = error.retry_after or (RETRY_SECONDS if error.status == 503 else None)
    headers = {} if wait is None else {"Retry-After": str(wait)}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    extensions = dict(error.extensions)
    field = extensions.pop("field", None)
    problem = ProblemDocument(
        _(error.title), error.status, detail, field=field, extensions=extensions or None
    )
    return problem, headers


def _unreadable(error: ValidationException) -> ProblemDocument:
    extra: Any = error.extra if isinstance(error.extra, list) else []
    errors = [
        {"field": str(one.get("key", "")), "message": str(one.get("message", ""))}
        for one in extra
        if isinstance(one, dict)
    ]
    first = errors[0]["field"] if errors else None
    what = "; ".join(f"{one['field']}: {one['message']}" for one in errors) or "the body"
    return ProblemDocument(
        _("Invalid request"),
        400,
        _("This could not be read: %(what)s.") % {"what": what},
        field=first,
        errors=errors or None,
    )


def _detail(error: HTTPException, status: HTTPStatus) -> str:
    if status is HTTPStatus.NOT_FOUND:
        return _("This page does not exist.")
    return _(error.detail or status.description or status.phrase)
