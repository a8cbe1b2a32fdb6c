"""Pages: templates with what every page needs, and messages that survive one redirect."""

from __future__ import annotations

import logging
from hashlib import blake2b
from typing import Any

from litestar import Request, Response
from litestar.background_tasks import BackgroundTask

from commonroom.accounts.service.first_steps import note_opened_room
from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError
from commonroom.store import Store, StoreError
from commonroom.web.authentication import Caller
from commonroom.web.headers import cookie_in, header_in
from commonroom.web.navigation.menus import menus_of
from commonroom.web.redirects import FLASH_COOKIE
from commonroom.web.responses import HtmlResponse
from commonroom.web.rooms import Room, flash_texts, open_rooms
from commonroom.web.template_engine import render_template
from commonroom.web.words import language_of, spoken

logger = logging.getLogger(__name__)

THEME = "theme"
"""The cookie of whoever wants it light or dark, whatever their device says."""
THEMES = ("light", "dark")
KEPT_FOR = "Kept-For"
"""The header that says for whom a page is: a browser forgets what it keeps for anybody else."""


def render(request: Request[Any, Any, Any], template: str, **context: Any) -> Response[str]:
    """A page for whoever asks."""
    known: Caller | None = request.scope["state"].get("caller")
    caller = known or Caller()
    rooms = open_rooms(request)
    flash = None if _is_background(request) else cookie_in(request.scope, FLASH_COOKIE)
    theme = cookie_in(request.scope, THEME)
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
        theme=theme if theme in THEMES else None,
        **context,
    )
    headers = {
        # Somebody else may sit down at this browser: it asks again before it shows a page again.
        "Cache-Control": "private, no-cache",
        "Content-Language": language,
        KEPT_FOR: _reader(caller),
        "Vary": "Cookie, Accept-Language",
    }
    answer = HtmlResponse(text, headers=headers)
    if (room := _first_visit(caller, rooms, path)) is not None:
        store: Store = request.app.state.store
        answer.background = BackgroundTask(_note_visit, store, caller.person, room)
    if flash:
        answer.delete_cookie(FLASH_COOKIE, path="/")
    return answer


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
    request: Request[Any, Any, Any], template: str, error: CommonroomError, **context: Any
) -> Response[str]:
    """The same page with a form that was refused, and the status that says so."""
    return refuse(render(request, template, **context), error)


def refuse(response: Response[str], error: CommonroomError) -> Response[str]:
    """A page with the status of the error that it shows."""
    response.status_code = error.status
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def render_secret(request: Request[Any, Any, Any], template: str, **context: Any) -> Response[str]:
    """A page with a secret: nothing on the way and no browser may keep it."""
    response = render(request, template, **context)
    response.headers["Cache-Control"] = "no-store"
    return response


def _is_background(request: Request[Any, Any, Any]) -> bool:
    """Whether a live page fetches itself anew: what is said waits for the window it is for."""
    scope = request.scope
    return header_in(scope, "sec-fetch-dest") == "empty" and header_in(scope, "hx-request") is None


def _first_visit(caller: Caller, rooms: tuple[Room, ...], path: str) -> str | None:
    """The room that somebody is in for the first time, as themselves and with a browser."""
    if caller.session is None or caller.acting_as is not None:
        return None
    opened = caller.person.opened_rooms
    return next((one.key for one in rooms if one.key not in opened and one.holds(path)), None)


async def _note_visit(store: Store, person: User, room: str) -> None:
    """Remembers a first visit, after the page was sent; next time where that fails."""
    try:
        await note_opened_room(store, person, room)
    except StoreError as error:
        logger.warning("A first visit could not be remembered: %s", type(error).__name__)


def _reader(caller: Caller) -> str:
    """For whom a page is, in a word that says nothing to anybody else."""
    if caller.account is None:
        return "nobody"
    who = f"{caller.account.user_id}/{caller.member.user_id}"
    return blake2b(who.encode(), digest_size=8).hexdigest()
