"""The language to speak: a person's own, else what their browser asks for, else English."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any

from commonroom.accounts import rules
from commonroom.web.headers import header_in

if TYPE_CHECKING:  # every command speaks, and not every one is a web application
    from litestar.types import ASGIApp, Receive, Scope, Send

    from commonroom.web.authentication import Caller

ENGLISH = "en"
MOST_ASKED_FOR = 20

_choose: ContextVar[Callable[[], str]] = ContextVar("choose", default=lambda: ENGLISH)


def spoken() -> str:
    """The language in which texts are given now."""
    return _choose.get()()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Gives texts in a language for a while."""
    before = _choose.set(lambda: language)
    try:
        yield
    finally:
        _choose.reset(before)


def in_their_language(app: ASGIApp) -> ASGIApp:
    """Wraps the application so that every request is answered in the language of whoever asks."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if str(scope["type"]) != "http":
            await app(scope, receive, send)
            return
        # Chosen only when a text is needed: most requests need none, and who asks is not known yet.
        before = _choose.set(partial(language_of, scope))
        try:
            await app(scope, receive, send)
        finally:
            _choose.reset(before)

    return wrapped


def language_of(scope: Any) -> str:
    """The language of whoever made a request."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    person = caller.account if caller is not None else None
    if person is not None and person.language in rules.LANGUAGES:
        return str(person.language)
    return asked_for(header_in(scope, "accept-language") or "")


def asked_for(header: str) -> str:
    """The best of our languages for an Accept-Language header."""
    ranges = [_range(part) for part in header.split(",")[:MOST_ASKED_FOR]]
    wanted = [(weight, language) for weight, language in ranges if language in rules.LANGUAGES]
    weight, language = max(wanted, key=lambda one: one[0], default=(0.0, ENGLISH))
    return language if weight > 0 else ENGLISH


def _range(part: str) -> tuple[float, str]:
    """How much a language is wanted, and which; `fr-CH` is French to us."""
    tag, _, quality = part.partition(";")
    language = tag.strip().lower().partition("-")[0]
    try:
        weight = float(quality.partition("=")[2]) if quality else 1.0
    except ValueError:
        weight = 0.0
    return weight, language
