"""Reading what a request says: strictly, and naming the field at fault."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET

from commonroom.errors import BadRequest, InvalidField, NotJson, Refusal, UnsupportedMediaType
from commonroom.http.headers import header_in
from commonroom.http.request import Request

T = TypeVar("T")

LARGEST = 1_000_000
"""A body's most bytes, where nothing else is said."""
MAX_PARAMETERS = 50

_JSON = re.compile(
    r"application/(?:[a-z0-9.-]+\+)?json(?:\s*;\s*charset=\"?utf-8\"?)?\s*", re.IGNORECASE
)
# msgspec says what is wrong in a sentence, and where: “Expected `int`, got `str` - at `$.uses`”.
_WHERE = re.compile(r" - at `(?:key in )?\$(.*)`$", re.DOTALL)
_FIELD = re.compile(r"(?:missing required|unknown) field `(.*)`", re.DOTALL)
_BOUND = re.compile(
    r"Expected `\w+(?: \| null)?` (?:of length|matching|[<>]=?|that's)|Invalid enum"
)


async def read(request: Request, decoder: msgspec.json.Decoder[T]) -> T:
    """Returns the body as its type says; refused where it is anything else."""
    _check_type(request)
    body = await request.body()
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _wrong(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadRequest("The body is not valid JSON.") from None


async def read_file(request: Request, types: Sequence[str]) -> bytes:
    """Returns the body as it is; refused where it is said to be anything else than one of these."""
    if request.content_type not in types:
        raise UnsupportedMediaType(f"Send the file, and say what it is: {' or '.join(types)}.")
    if header_in(request.scope, "content-encoding") not in (None, "identity"):
        raise UnsupportedMediaType("Send the file as it is, not compressed.")
    return await request.body()


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The base of what a request sends to the API."""


def sent_fields(change: Body, *apart: str) -> dict[str, Any]:
    """Returns the fields of a change that were sent, but for some; what was left out is UNSET."""
    sent = msgspec.structs.asdict(change)
    return {name: it for name, it in sent.items() if it is not UNSET and name not in apart}


def query(request: Request, wanted: type[T]) -> T:
    """Returns the parameters after the question mark."""
    raw = request.scope["query_string"]
    try:
        # Each of them once: of two limits, none is meant.
        fields = dict(_once(raw)) if raw else {}
        return msgspec.convert(fields, wanted, strict=False)
    except msgspec.ValidationError as error:
        raise _wrong(str(error), beyond=BadRequest) from None
    except ValueError:
        raise BadRequest("The address cannot be read: check what stands after “?”.") from None


def _once(raw: bytes) -> list[tuple[str, str]]:
    pairs = parse_qsl(
        raw.decode("ascii"),
        keep_blank_values=True,
        errors="strict",
        max_num_fields=MAX_PARAMETERS,
    )
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("repeated")
    return pairs


def _check_type(request: Request) -> None:
    kind = header_in(request.scope, "content-type")
    if kind is None or not _JSON.fullmatch(kind.strip()):
        raise NotJson("Send JSON, and say so: “Content-Type: application/json”.")
    if header_in(request.scope, "content-encoding") not in (None, "identity"):
        raise NotJson("Send the JSON as it is, not compressed.")


def _wrong(message: str, beyond: type[Refusal] = InvalidField) -> Refusal:
    """Returns what msgspec says, as an error of ours."""
    what = _WHERE.sub("", message)
    field = _field(message, what)
    detail = f"{field}: {_sentence(what)}" if field else _sentence(what)
    if beyond is InvalidField and _BOUND.match(what):
        return InvalidField(field or None, detail)
    return BadRequest(detail, field=field) if field else BadRequest(detail)


def _field(message: str, what: str) -> str:
    """The field at fault, such as `scopes` or `notifications.new_round`; empty for the whole."""
    path = match[1] if (match := _WHERE.search(message)) else ""
    named = match[1] if (match := _FIELD.search(what)) else ""
    return re.sub(r"\[[^\]]*\]", "", ".".join(one for one in (path.lstrip("."), named) if one))


def _sentence(what: str) -> str:
    """Returns what msgspec says, without the marks that are meant for programmers' eyes."""
    if what.startswith("Object missing"):
        return "this field is missing."
    if what.startswith("Object contains unknown"):
        return "there is no such field."
    return what[0].lower() + what[1:].replace("`", "") + "."
