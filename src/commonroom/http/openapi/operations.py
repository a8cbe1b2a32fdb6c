"""One operation, as an OpenAPI document has it, and the schemas of bodies and answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from commonroom import errors
from commonroom.http.access import NO_TOKEN, Need
from commonroom.http.authentication import ACTING_HEADER
from commonroom.http.idempotency import HEADER, MAX_KEY
from commonroom.http.idempotency_store import MIN_GUEST_KEY
from commonroom.http.operations import OperationDocs

ANY = frozenset({400, 401, 403, 503})
"""What any request may be answered: unreadable, unknown token, not allowed, store away."""
WITH_BODY = frozenset({413, 415, 422})
REPEATED = frozenset({409, 413, 422})

WHEN = {
    202: "An e-mail with the next step was sent.",
    304: "Not modified.",
    400: "Invalid request; the wrong field is named.",
    401: "Not signed in, or an invalid token or password.",
    403: "Not allowed, or sent from another site.",
    404: "Not found, or not visible to the caller.",
    409: "Conflict with what is there, or the same request is in progress.",
    410: "The link was used or revoked, or has expired.",
    412: "Changed since the caller loaded it (If-Match).",
    413: "The body is larger than 1 MB.",
    415: "The Content-Type is not JSON.",
    422: "A field has an invalid value; it is named.",
    429: "Too many requests.",
    503: "The data store is not available.",
    507: "No space left for pages created without an account.",
}
HEADERS = {
    401: {"WWW-Authenticate": "How to authenticate."},
    429: {"Retry-After": "Seconds to wait before trying again."},
    503: {"Retry-After": "Seconds to wait before trying again."},
}

FILE = {"type": "string", "description": "A file."}

BEARER: dict[str, list[str]] = {"bearer": []}
COOKIE: dict[str, list[str]] = {"cookie": []}

REF = "#/components/schemas/"
PROBLEM: dict[str, Any] = {
    "title": "Problem",
    "description": "What went wrong (RFC 9457). There may be additional members.",
    "type": "object",
    "properties": {
        "type": {"type": "string", "description": "The kind of problem."},
        "title": {
            "type": "string",
            "description": "A short title, the same for all problems of a kind.",
        },
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, in a sentence."},
        "instance": {"type": "string"},
        "field": {"type": "string", "description": "The invalid field, where it is one."},
        "errors": {
            "type": "array",
            "description": "Every invalid field, where there are several.",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
}


def described(operation: OperationDocs, tags: list[str], schemas: Schemas) -> dict[str, Any]:
    """Returns the operation object."""
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


def _description(operation: OperationDocs) -> str:
    who = f"Who may: {operation.need.value}."
    return f"{operation.description}\n\n{who}" if operation.description else who


def _security(need: Need) -> list[dict[str, list[str]]]:
    if need is Need.ANYONE:
        return []
    return [COOKIE] if need in NO_TOKEN else [COOKIE, BEARER]


def _parameters(operation: OperationDocs, schemas: Schemas) -> list[dict[str, Any]]:
    takes = operation.takes
    parameters = [
        _parameter("path", name, {"type": "string", "minLength": 1}) for name in takes.path
    ]
    if takes.query is not None:
        for name, schema in schemas.properties(takes.query[1]).items():
            parameters.append(_parameter("query", name, schema))
    for header in takes.documented_headers:
        schema = {"type": "string", "maxLength": header.longest}
        parameters.append(_parameter("header", header.name, schema, header.description))
    if operation.repeatable:
        schema = {"type": "string", "minLength": 1, "maxLength": MAX_KEY}
        about = "Makes a retry safe: within a day, the same key gets the same response."
        if operation.need is Need.ANYONE:
            about += f" Without an account, at least {MIN_GUEST_KEY} random characters."
        parameters.append(_parameter("header", HEADER.title(), schema, about))
    if operation.need is Need.SIGNED_IN:
        about = "The managed member of the caller for whom the request is made."
        name = ACTING_HEADER.title()
        parameters.append(_parameter("header", name, {"type": "string", "maxLength": 200}, about))
    return parameters


def _parameter(
    place: str, name: str, schema: dict[str, Any], description: str = ""
) -> dict[str, Any]:
    text = description or schema.get("description", "")
    bare = {key: value for key, value in schema.items() if key != "description"}
    made = {"name": name, "in": place, "required": place == "path", "schema": bare}
    return made | ({"description": text} if text else {})


def _responses(operation: OperationDocs, schemas: Schemas) -> dict[str, Any]:
    success: dict[str, Any] = {"description": HTTPStatus(operation.status).phrase + "."}
    headers = _success_headers(operation)
    if headers:
        success["headers"] = headers
    if operation.gives is not None or operation.file is not None:
        schema = FILE if operation.gives is None else schemas.ref(operation.gives)
        success["content"] = {operation.file or "application/json": {"schema": schema}}
    answers = {str(operation.status): success}
    titles = _error_titles(operation)
    for status in sorted(_statuses(operation)):
        answers[str(status)] = _error(status, titles.get(status, ()))
    if operation.takes.file is not None:
        largest = operation.takes.file[1].largest // 1_000_000
        answers["413"] = _error(413) | {"description": f"The file is larger than {largest} MB."}
        answers["415"] = _error(415) | {"description": "The Content-Type is not one of these."}
    return answers


def _statuses(operation: OperationDocs) -> frozenset[int]:
    found = ANY | {one if isinstance(one, int) else one.status for one in operation.errors}
    if operation.takes.path:
        found |= {404}
    if operation.takes.body is not None or operation.takes.file is not None:
        found |= WITH_BODY
    if operation.repeatable:
        found |= REPEATED
    return found


def _error_titles(operation: OperationDocs) -> dict[int, list[str]]:
    """Returns the titles of errors that say more than their status, by status."""
    titles: dict[int, list[str]] = {}
    for one in operation.errors:
        if not isinstance(one, int) and one.__module__ != errors.__name__:
            titles.setdefault(one.status, []).append(f"“{one.title}”")
    return titles


def _error(status: int, titles: Sequence[str] = ()) -> dict[str, Any]:
    if status == HTTPStatus.NOT_MODIFIED:
        return {
            "description": WHEN[status],
            "headers": {"ETag": _text("The ETag of this version.")},
        }
    if status == HTTPStatus.ACCEPTED:
        return {"description": WHEN[status]}
    such_as = f" Such as {' or '.join(titles)}." if titles else ""
    made: dict[str, Any] = {
        "description": WHEN[status] + such_as,
        "content": {"application/problem+json": {"schema": {"$ref": f"{REF}Problem"}}},
    }
    if status in HEADERS:
        made["headers"] = {name: _text(about) for name, about in HEADERS[status].items()}
    return made


def _success_headers(operation: OperationDocs) -> dict[str, Any]:
    headers = {}
    if any(header.name.startswith("If-") for header in operation.takes.documented_headers):
        headers["ETag"] = _text("The ETag of this version, for If-Match and If-None-Match.")
    if operation.cookie:
        headers["Set-Cookie"] = _text("The session cookie.")
    if operation.repeatable:
        headers["Idempotency-Replayed"] = _text(
            "`true` where this is the response to an earlier request."
        )
    return headers


def _text(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


class Schemas:
    """The schemas of many types, each named once."""

    def __init__(self, types: Iterable[Any]) -> None:
        wanted = list(dict.fromkeys(types))
        template = REF + "{name}"
        refs, components = msgspec.json.schema_components(wanted, ref_template=template)
        refs, components = _with_list_names((list(refs), components))
        self._refs: dict[Any, dict[str, Any]] = dict(zip(wanted, refs, strict=True))
        self._all: dict[str, Any] = {**components, "Problem": PROBLEM}
        self._taken_apart: set[str] = set()

    def ref(self, kind: Any) -> dict[str, Any]:
        """Returns where a type is described."""
        return self._refs[kind]

    def properties(self, kind: Any) -> dict[str, Any]:
        """Returns a struct's fields, which then stand by themselves."""
        name = self._refs[kind]["$ref"].removeprefix(REF)
        self._taken_apart.add(name)
        return dict(self._all[name]["properties"])

    @property
    def components(self) -> dict[str, Any]:
        """All that are referred to."""
        return {name: one for name, one in self._all.items() if name not in self._taken_apart}


def _with_list_names(schemas: Any) -> Any:
    """Renames lists as people would: `MemberList`, not `Listed_Member_`."""
    text = msgspec.json.encode(schemas).decode()
    return msgspec.json.decode(re.sub(r"Listed(?:_(\w+?)_(?=\")|\[(\w+)\])", r"\1\2List", text))
