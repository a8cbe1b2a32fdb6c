"""Errors as people and programs read them: RFC 9457 problem documents, or a page."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Struct

from commonroom.accounts.errors import ReauthenticationRequired
from commonroom.errors import (
    CommonroomError,
    MethodNotAllowed,
    MissingPrerequisite,
    ProcessorTimeUsed,
)
from commonroom.http.authentication import caller_of
from commonroom.http.form_state import EMPTY
from commonroom.http.headers import header_in
from commonroom.http.redirects import redirect, referring_path
from commonroom.http.render import render, render_refused
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _, spoken
from commonroom.store import StoreError
from commonroom.store.errors import DamagedItem

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
FOR_PROGRAMS = ("/api/", "/health/", "/metrics", "/openapi")


class ProblemDocument(Struct, frozen=True, omit_defaults=True):
    """A problem document."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    instance: str = ""
    field: str | None = None
    """The field at fault, where it is one."""
    extensions: dict[str, Any] | None = None
    """Further members, such as the id of the round that is in the way."""

    @property
    def document(self) -> dict[str, Any]:
        """The document itself: always with its type, and its extensions beside the rest."""
        plain = msgspec.to_builtins(self)
        return {**plain.pop("extensions", {}), "type": self.type, **plain}


async def answer_error(request: Request, error: Exception) -> Response[Any]:
    """Returns the answer to a request that went wrong: that of its routes, or else ours.

    Who asks is found out where the error came before that, so that they keep their own layout.
    """
    if wants_page(request) and not isinstance(error, StoreError):
        # Whatever goes wrong here, there is still a page to be shown about what went wrong first.
        with suppress(Exception):
            await caller_of(request, time.time())
    if request.scope.get("endpoint") is not None:
        for kind, answer in request.endpoint.router.on_errors.items():
            if isinstance(error, kind):
                return answer(request, error)
    return handle_error(request, error)


def handle_error(request: Request, error: Exception) -> Response[Any]:
    """Returns the answer to a request that went wrong; never a stack trace."""
    problem, headers = _problem(error)
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        path = request.app.secret_paths.hide(request.path)
        logger.error("%s %s failed", request.method, path, exc_info=error)
    if wants_page(request):
        if isinstance(error, ProcessorTimeUsed):  # who has used too much gets no page laid out
            return Response(
                problem.detail,
                status_code=problem.status,
                headers=headers,
                media_type="text/plain",
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


def wants_page(request: Request) -> bool:
    """Whether a person reads the answer."""
    return is_page(request.path, header_in(request.scope, "accept") or "")


def is_page(path: str, accept: str) -> bool:
    """Whether what is at a path is for people, and the caller takes it as such."""
    return not path.startswith(FOR_PROGRAMS) and "text/html" in accept


def _page(
    request: Request,
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


def _ask_for_password(request: Request, error: ReauthenticationRequired) -> Response[Any]:
    """Leads to where the password is given again, and from there back to what was wanted."""
    if request.method == "GET":
        return redirect(f"/me/confirm-password?next={quote(_address(request), safe='/')}")
    context = {"next": referring_path(request), "action": request.path, "typed": error.typed}
    template = "people/confirm_password.html"
    return render_refused(request, template, error, form=EMPTY, has_password=True, **context)


def _address(request: Request) -> str:
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
    detail = _(
        "Something went wrong on our side. It was logged, and none of your data was changed."
    )
    return ProblemDocument(_("Something went wrong"), 500, detail), {}


def _ours(error: CommonroomError, detail: str) -> tuple[ProblemDocument, dict[str, str]]:
    wait = error.retry_after or (RETRY_SECONDS if error.status == 503 else None)
    headers = {} if wait is None else {"Retry-After": str(wait)}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = error.allowed
    extensions = dict(error.extensions)
    field = extensions.pop("field", None)
    problem = ProblemDocument(
        _(error.title), error.status, detail, field=field, extensions=extensions or None
    )
    return problem, headers
