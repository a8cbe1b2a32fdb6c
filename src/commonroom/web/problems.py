"""Errors as people and programs read them: RFC 9457 problem documents, or a page."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from msgspec import Struct

from commonroom.errors import CommonroomError
from commonroom.web.outer import without_secrets
from commonroom.web.rendering import page, to

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5

AnyRequest = Request[Any, Any, Any]


class Problem(Struct, frozen=True, omit_defaults=True):
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
    helps: dict[str, Any] | None = None
    """What else may help, such as the id of the round that is in the way."""

    @property
    def document(self) -> dict[str, Any]:
        """The document itself: always with its type, and what helps beside the rest."""
        plain = msgspec.to_builtins(self)
        return {**plain.pop("helps", {}), "type": self.type, **plain}


def said(request: AnyRequest, error: Exception) -> Response[Any]:
    """The answer to a request that went wrong; never a stack trace."""
    problem, headers = _problem(error)
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        path = without_secrets(request.scope["path"])
        logger.error("%s %s failed", request.method, path, exc_info=error)
    if wants_page(request):
        return _page(request, problem, headers)
    return Response(
        problem.document,
        status_code=problem.status,
        headers=headers,
        media_type="application/problem+json",
    )


def wants_page(request: AnyRequest) -> bool:
    """Whether a person reads the answer."""
    api = request.scope["path"].startswith(("/api/", "/health/", "/metrics", "/openapi"))
    return not api and "text/html" in request.headers.get("accept", "")


def _page(request: AnyRequest, problem: Problem, headers: dict[str, str]) -> Response[Any]:
    if problem.status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
        path = request.scope["path"]
        return to(f"/sign-in?next={path}")
    answer = page(request, "problem.html", problem=problem)
    answer.status_code = problem.status
    answer.headers.update(headers)
    return answer


def _problem(error: Exception) -> tuple[Problem, dict[str, str]]:
    match error:
        case CommonroomError():
            return _ours(error)
        case ValidationException():
            return _unreadable(error), {}
        case HTTPException():
            status = HTTPStatus(error.status_code)
            headers = dict(error.headers or {})
            return Problem(status.phrase, status.value, _detail(error, status)), headers
    detail = "Something went wrong on our side. It was written down; nothing of yours was changed."
    return Problem("Something went wrong", 500, detail), {}


def _ours(error: CommonroomError) -> tuple[Problem, dict[str, str]]:
    wait = getattr(error, "retry_after", RETRY_SECONDS if error.status == 503 else None)
    headers = {} if wait is None else {"Retry-After": str(wait)}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    helps = dict(error.helps)
    field = helps.pop("field", None)
    return Problem(
        error.title, error.status, error.detail, field=field, helps=helps or None
    ), headers


def _unreadable(error: ValidationException) -> Problem:
    extra: Any = error.extra if isinstance(error.extra, list) else []
    errors = [
        {"field": str(one.get("key", "")), "message": str(one.get("message", ""))}
        for one in extra
        if isinstance(one, dict)
    ]
    first = errors[0]["field"] if errors else None
    what = "; ".join(f"{one['field']}: {one['message']}" for one in errors) or "the body"
    return Problem(
        "Not understood",
        400,
        f"This could not be read: {what}.",
        field=first,
        errors=errors or None,
    )


def _detail(error: HTTPException, status: HTTPStatus) -> str:
    if status is HTTPStatus.NOT_FOUND:
        return "There is nothing here."
    return error.detail or status.description or status.phrase
