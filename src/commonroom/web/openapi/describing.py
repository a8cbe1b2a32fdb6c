"""One operation, as an OpenAPI document has it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from commonroom.web.access import NO_TOKEN, Need
from commonroom.web.authentication import ACTING_HEADER
from commonroom.web.idempotency import HEADER, LONGEST_KEY
from commonroom.web.idempotency_store import SHORTEST_GUEST_KEY
from commonroom.web.openapi.schemas import REF, Schemas
from commonroom.web.operations import Described

ANY = frozenset({400, 401, 403, 503})
"""What any request may be answered: unreadable, unknown token, not allowed, store away."""
WITH_BODY = frozenset({413, 415, 422})
REPEATED = frozenset({409, 413, 422})

WHEN = {
    202: "A letter was sent, and brings what is needed to go on.",
    304: "It is as the caller has it.",
    400: "Not understood: the field at fault is named.",
    401: "Not signed in, or a token or password that is not valid.",
    403: "Not the caller's to do, or sent from another site.",
    404: "There is nothing like that for the caller.",
    409: "In conflict with what is there, or being worked on.",
    410: "The link was used, revoked, or has run out.",
    412: "It is no longer as the caller saw it.",
    413: "The body has more than 1 MB.",
    415: "The body is not said to be JSON.",
    422: "Understood, and not possible: the field at fault is named.",
    429: "Too many tries.",
    503: "The store does not answer now.",
    507: "There is no room left for what is made without an account.",
}
HEADERS = {
    401: {"WWW-Authenticate": "How to say who one is."},
    429: {"Retry-After": "After how many seconds to try again."},
    503: {"Retry-After": "After how many seconds to try again."},
}

FILE = {"type": "string", "description": "A file as it is."}

BEARER: dict[str, list[str]] = {"bearer": []}
COOKIE: dict[str, list[str]] = {"cookie": []}


def described(operation: Described, tags: list[str], schemas: Schemas) -> dict[str, Any]:
    """The operation object."""
    made: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": _description(operation),
        "tags": tags,
        "parameters": _parameters(operation, schemas),
        "responses": _responses(operation, schemas),
        "security": _security(operation.need),
    }
    if operation.takes.body is not None:
        ref = schemas.ref(operation.takes.body[1].type)
        made["requestBody"] = {
            "required": not operation.takes.is_body_optional,
            "content": {"application/json": {"schema": ref}},
        }
    if operation.takes.file is not None:
        content = {kind: {"schema": FILE} for kind in operation.takes.file[1].types}
        made["requestBody"] = {"required": True, "content": content}
    return made


def _description(operation: Described) -> str:
    who = f"Who may: {operation.need.value}."
    return f"{operation.description}\n\n{who}" if operation.description else who


def _security(need: Need) -> list[dict[str, list[str]]]:
    if need is Need.ANYONE:
        return []
    return [COOKIE] if need in NO_TOKEN else [COOKIE, BEARER]


def _parameters(operation: Described, schemas: Schemas) -> list[dict[str, Any]]:
    takes = operation.takes
    parameters = [
        _parameter("path", name, {"type": "string", "minLength": 1}) for name in takes.path
    ]
    if takes.query is not None:
        for name, schema in schemas.properties(takes.query[1]).items():
            parameters.append(_parameter("query", name, schema))
    for header in takes.headers.values():
        schema = {"type": "string", "maxLength": header.longest}
        parameters.append(_parameter("header", header.name, schema, header.description))
    if operation.repeatable:
        schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY}
        about = "Makes it safe to ask again: within a day, the same key is answered the same."
        if operation.need is Need.ANYONE:
            about += f" Without an account, at least {SHORTEST_GUEST_KEY} random characters."
        parameters.append(_parameter("header", HEADER.title(), schema, about))
    if operation.need is Need.SIGNED_IN:
        about = "A managed member of the caller's, for whom the request is made."
        name = ACTING_HEADER.title()
        parameters.append(_parameter("header", name, {"type": "string", "maxLength": 200}, about))
    return parameters


def _parameter(
    place: str, name: str, schema: dict[str, Any], description: str = ""
) -> dict[str, Any]:
    said = description or schema.get("description", "")
    bare = {key: value for key, value in schema.items() if key != "description"}
    made = {"name": name, "in": place, "required": place == "path", "schema": bare}
    return made | ({"description": said} if said else {})


def _responses(operation: Described, schemas: Schemas) -> dict[str, Any]:
    success: dict[str, Any] = {"description": HTTPStatus(operation.status).phrase + "."}
    headers = _success_headers(operation)
    if headers:
        success["headers"] = headers
    if operation.gives is not None or operation.file is not None:
        schema = FILE if operation.gives is None else schemas.ref(operation.gives)
        success["content"] = {operation.file or "application/json": {"schema": schema}}
    answers = {str(operation.status): success}
    answers |= {str(status): _error(status) for status in sorted(_statuses(operation))}
    if operation.takes.file is not None:
        largest = operation.takes.file[1].largest // 1_000_000
        answers["413"] = _error(413) | {"description": f"The file has more than {largest} MB."}
        answers["415"] = _error(415) | {"description": "The body is said to be something else."}
    return answers


def _statuses(operation: Described) -> frozenset[int]:
    found = ANY | operation.errors
    if operation.takes.path:
        found |= {404}
    if operation.takes.body is not None or operation.takes.file is not None:
        found |= WITH_BODY
    if operation.repeatable:
        found |= REPEATED
    return found


def _error(status: int) -> dict[str, Any]:
    if status == HTTPStatus.NOT_MODIFIED:
        return {"description": WHEN[status], "headers": {"ETag": _text("What it looks like.")}}
    if status == HTTPStatus.ACCEPTED:
        return {"description": WHEN[status]}
    made: dict[str, Any] = {
        "description": WHEN[status],
        "content": {"application/problem+json": {"schema": {"$ref": f"{REF}Problem"}}},
    }
    if status in HEADERS:
        made["headers"] = {name: _text(about) for name, about in HEADERS[status].items()}
    return made


def _success_headers(operation: Described) -> dict[str, Any]:
    headers = {}
    if any(header.name.startswith("If-") for header in operation.takes.headers.values()):
        headers["ETag"] = _text("What it looks like, for If-Match and If-None-Match.")
    if operation.cookie:
        headers["Set-Cookie"] = _text("The browser's session.")
    if operation.repeatable:
        headers["Idempotency-Replayed"] = _text("`true` where it was answered before.")
    return headers


def _text(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}
