"""ETags: what a thing looked like, so that nobody overwrites what they have not seen."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, TypeAlias, TypeVar

from commonroom.errors import BadRequest, PreconditionFailed
from commonroom.http.arguments import Header
from commonroom.http.responses import JsonResponse, encode

T = TypeVar("T")

MAX_HEADER = 2000
_WEAK = "W/"

IfMatch: TypeAlias = Annotated[
    str | None,
    Header("If-Match", "The ETag of the version to change. Without it, any version is changed."),
]
IfNoneMatch: TypeAlias = Annotated[
    str | None,
    Header(
        "If-None-Match", "The ETag of the version you have; an unchanged one is answered with 304."
    ),
]


def tag_of(view: Any) -> str:
    """Returns a strong tag: the same for the same view and for no other."""
    return _tag(encode(view))


def _tag(encoded: bytes) -> str:
    return f'"{sha256(encoded).hexdigest()[:24]}"'


def tagged(view: T, *, status: int | None = None, unless: str | None = None) -> JsonResponse[Any]:
    """An answer with its tag; only that nothing has changed, where the caller has it (`unless`)."""
    encoded = encode(view)
    tag = _tag(encoded)
    return _unchanged(tag, unless) or JsonResponse(
        view, status=status, headers={"ETag": tag}, encoded=encoded
    )


def tagged_with(
    tag: str, view: Callable[[], T], *, status: int | None = None, unless: str | None = None
) -> JsonResponse[Any]:
    """Returns a response whose tag is known to change with the view, made only if wanted."""
    return _unchanged(tag, unless) or JsonResponse(view(), status=status, headers={"ETag": tag})


def _unchanged(tag: str, unless: str | None) -> JsonResponse[Any] | None:
    """That nothing has changed, where the caller has what the tag names."""
    if not is_known(unless, tag):
        return None
    return JsonResponse(None, status=304, headers={"ETag": tag})


def is_known(unless: str | None, tag: str) -> bool:
    """Whether the caller has what a tag names, by their If-None-Match."""
    return unless is not None and _names(unless, tag, weakly=True)


def check_match(if_match: str | None, view: Any) -> None:
    """Refuses a change by a caller who saw another version; without If-Match, none is refused."""
    check_tag(if_match, tag_of(view))


def check_tag(if_match: str | None, tag: str) -> None:
    """Refuses a change by a caller who saw another version, where the tag is known."""
    if if_match is not None and not _names(if_match, tag, weakly=False):
        raise changed()


def changed() -> PreconditionFailed:
    """Returns the refusal for a caller who saw another version."""
    return PreconditionFailed("This was changed since you loaded it. Reload it, then try again.")


def _names(header: str, tag: str, *, weakly: bool) -> bool:
    """Whether a list of tags, or `*`, names this one. Weak tags only ever match weakly."""
    if header.strip() == "*":
        return True
    if len(header) > MAX_HEADER:
        raise BadRequest("Too many ETags.", field="If-Match")
    tags = [one.strip() for one in header.split(",")]
    return tag in tags or (weakly and _WEAK + tag in tags)
