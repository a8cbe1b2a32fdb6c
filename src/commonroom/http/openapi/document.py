"""The OpenAPI document of an application: every operation of its API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from commonroom import __version__
from commonroom.http.application import App
from commonroom.http.authentication import COOKIE, SECURE_COOKIE
from commonroom.http.openapi.operations import Schemas, described
from commonroom.http.operations import OperationDocs, OperationRoute

ABOUT = """
JSON in, JSON out.

**Authentication:** a browser by the session cookie, a program by an API token \
(`Authorization: Bearer …`). A token has scopes: `read` for GET, `write` for the rest, `admin` \
for what only administrators may do.

**Bodies** are at most 1 MB, unless they are files. Unknown fields are rejected.

**Errors** are problem documents (`application/problem+json`).

**Lists** take `limit` and `cursor`, and give `items` and `next_cursor`; a list ends when \
`next_cursor` is null, however short it is.

**Changes:** `If-Match` with an `ETag` never overwrites a version the caller has not seen.

**Retries:** POST takes an `Idempotency-Key`. Within a day, the same key with the same body gets \
the first response again, marked `Idempotency-Replayed: true`; with another body it is rejected. \
What was done is never done again: where its response was lost, because the server stopped in \
between, the answer is a 409 that says so.
""".strip()


METHODS = ("get", "post", "put", "patch", "delete")


def document(app: App, *, secure: bool) -> dict[str, Any]:
    """Returns the whole document; over https (`secure`), the browser's cookie has another name."""
    found = list(operations(app))
    schemas = Schemas(kind for _, _, route in found for kind in _types(route.docs))
    paths: dict[str, dict[str, Any]] = {}
    for path, method, route in found:
        made = described(route.docs, [route.tag], schemas)
        paths.setdefault(path, {})[method] = made
    tags = dict.fromkeys(route.tag for _, _, route in found)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Commonroom", "version": __version__, "description": ABOUT},
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": _schemes(SECURE_COOKIE if secure else COOKIE),
        },
    }


def operations(app: App) -> Iterator[tuple[str, str, OperationRoute]]:
    """Every operation with its path and its method; a path's own in the same order every time."""
    found: dict[str, list[OperationRoute]] = {}
    for one in app.routes:
        if isinstance(one.route, OperationRoute):
            found.setdefault(one.template, []).append(one.route)
    for path, routes in found.items():
        for route in sorted(routes, key=lambda it: METHODS.index(it.method.lower())):
            yield path, route.method.lower(), route


def _types(operation: OperationDocs) -> Iterator[Any]:
    if operation.takes.body is not None:
        yield operation.takes.body[1].type
    if operation.takes.query is not None:
        yield operation.takes.query[1]
    if operation.gives is not None:
        yield operation.gives


def _schemes(cookie: str) -> dict[str, Any]:
    return {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API token.",
        },
        "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookie,
            "description": "A browser that is signed in.",
        },
    }
