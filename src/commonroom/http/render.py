"""Pages: templates with what every page needs, and messages that survive one redirect."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from commonroom.errors import CommonroomError
from commonroom.http.authentication import Caller
from commonroom.http.headers import cookie_in, header_in
from commonroom.http.navigation.menus import menus_of
from commonroom.http.redirects import FLASH_COOKIE
from commonroom.http.request import Request
from commonroom.http.responses import Cookie, HtmlResponse, Response
from commonroom.http.template_engine import render_template
from commonroom.http.words import language_of, spoken
from commonroom.joins.rooms import Room, flash_texts, open_rooms

THEME = "theme"
"""The cookie of a browser that wants it light or dark, whatever the device says."""
THEMES = ("light", "dark")
KEPT_FOR = "Kept-For"
"""The header that says for whom a page is: a browser forgets what it keeps for anybody else."""


def render(request: Request, template: str, **context: Any) -> Response[str]:
    """Returns a page for the caller."""
    known: Caller | None = request.scope["state"].get("caller")
    caller = known or Caller()
    rooms = open_rooms(request)
    flash = None if _is_background(request) else cookie_in(request.scope, FLASH_COOKIE)
    language = language_of(request.scope)
    path = request.scope["path"]
    text = render_template(
        rooms,
        template,
        viewer=caller,
        recognised=known is not None,
        language=language,
        path=path,
        rooms=rooms,
        menus=menus_of(rooms, language, path, caller),
        flash=flash_texts(rooms).get(flash or ""),
        theme=theme_of(request.scope),
        **context,
    )
    headers = {
        # Another person may sit down at this browser: it asks again before it shows a page again.
        "Cache-Control": "private, no-cache",
        "Content-Language": language,
        KEPT_FOR: _reader(caller),
        "Vary": "Cookie, Accept-Language",
    }
    answer = HtmlResponse(text, headers=headers)
    if flash:
        answer.set_cookie(Cookie(FLASH_COOKIE, max_age=0))
    return answer


def theme_of(scope: Any) -> str | None:
    """Returns light or dark, where the caller has chosen."""
    theme = cookie_in(scope, THEME)
    return theme if theme in THEMES else None


def reader_of(request: Request) -> str:
    """For whom a page is, as its header says it."""
    return _reader(request.scope["state"].get("caller") or Caller())


def render_for_everybody(rooms: tuple[Room, ...], template: str, **context: Any) -> str:
    """Returns a page as text, with nothing of the caller's on it but the way home."""
    return render_template(
        rooms,
        template,
        viewer=Caller(),
        recognised=False,
        rooms=rooms,
        menus=None,
        flash=None,
        **context,
    )


def render_anonymous(template: str, **context: Any) -> str:
    """A page as text, for a request of which nothing is believed: not who asks, nor for what."""
    return render_template(
        (),
        template,
        viewer=Caller(),
        recognised=True,  # that it is nobody; no way home is offered, which would end here
        language=spoken(),
        path="/",
        rooms=(),
        menus=None,
        flash=None,
        theme=None,
        **context,
    )


def render_refused(
    request: Request, template: str, error: CommonroomError, **context: Any
) -> Response[str]:
    """Returns the page of a refused form, with the status that says so."""
    return refuse(render(request, template, **context), error)


def refuse(response: Response[str], error: CommonroomError) -> Response[str]:
    """Returns a page with the status of the error that it shows."""
    response.status_code = error.status
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def render_secret(request: Request, template: str, **context: Any) -> Response[str]:
    """Returns a page with a secret: nothing on the way and no browser may keep it."""
    response = render(request, template, **context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _is_background(request: Request) -> bool:
    """Whether a script fetches the page: a flash waits for the window that it is for.

    The mode decides, not the destination: that of a navigation which a service worker forwards is
    empty, too. A page that a browser fetches before it is opened is in the background as well.
    """
    scope = request.scope
    if header_in(scope, "sec-purpose") is not None:
        return True
    mode = header_in(scope, "sec-fetch-mode")
    return mode not in (None, "navigate") and header_in(scope, "hx-request") is None


def _reader(caller: Caller) -> str:
    """For whom a page is, in a word that says nothing to anybody else."""
    if caller.account is None:
        return "nobody"
    who = f"{caller.account.user_id}/{caller.member.user_id}"
    return blake2b(who.encode(), digest_size=8).hexdigest()
