"""Serves the document, and the page to read it: our own, with nothing from anywhere else."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, get

from commonroom.web.access import Need, needs
from commonroom.web.openapi import reading
from commonroom.web.openapi.document import document
from commonroom.web.render import render

AnyRequest = Request[Any, Any, Any]


@get("/openapi.json", opt=needs(Need.ANYONE), sync_to_thread=False)
def openapi_document(request: AnyRequest) -> Response[bytes]:
    """The OpenAPI document."""
    return Response(msgspec.json.encode(_document(request)), media_type="application/json")


@get("/docs", opt=needs(Need.ANYONE), sync_to_thread=False)
def api_page(request: AnyRequest) -> Response[str]:
    """The API's documentation for people who read."""
    made = _document(request)
    return render(
        request,
        "api.html",
        about=reading.paragraphs(made["info"]["description"]),
        parts=reading.parts(made),
        schemas=reading.schemas(made),
    )


def _document(request: AnyRequest) -> dict[str, Any]:
    """Made when it is first asked for: most starts of the application are for something else."""
    secure = request.scope.get("scheme") == "https"
    kept: dict[bool, dict[str, Any]] = request.app.state.setdefault("openapi", {})
    if secure not in kept:
        kept[secure] = document(request.app, secure=secure)
    return kept[secure]
