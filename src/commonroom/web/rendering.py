"""Pages: templates with what every page needs, and messages that survive one redirect."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from litestar import MediaType, Request, Response

from commonroom import __version__
from commonroom.accounts import rules
from commonroom.web import assets, times, words
from commonroom.web.callers import Caller
from commonroom.web.languages import language_of, speaking, spoken
from commonroom.web.redirects import location
from commonroom.web.rooms import open_rooms

SAID = "said"
"""The cookie that carries what to say on the next page: a name from `words.SAID`, never text."""
THEME = "theme"
"""The cookie of whoever wants it light or dark, whatever their device says."""
THEMES = ("light", "dark")
KEPT_FOR = "Kept-For"
"""The header that says for whom a page is: a browser forgets what it keeps for anybody else."""
TEMPLATES = (
    "commonroom.web",
    "commonroom.movienight",
    "commonroom.library",
    "commonroom.shareables",
)
"""The packages that bring templates; a room's are in a folder of its name."""


@cache
def environment() -> Environment:
    """The templates; a name that is not given is an error, not an empty place."""
    made = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in TEMPLATES]),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.install_gettext_callables(words._, words.several, newstyle=True)  # type: ignore[attr-defined]
    made.filters |= {
        "ago": times.ago,
        "day": times.day,
        "calendar_day": times.calendar_day,
        "exactly": times.exactly,
        # For texts that a template does not write itself; `_` would take them for HTML.
        "translated": words._,
    }
    made.globals |= {
        "version": __version__,
        "static": assets.address,
        "words": words,
        "rules": rules,
    }
    return made


def page(request: Request[Any, Any, Any], template: str, **context: Any) -> Response[str]:
    """A page for whoever asks."""
    known: Caller | None = request.scope["state"].get("caller")
    said = None if _is_background(request) else request.cookies.get(SAID)
    theme = request.cookies.get(THEME)
    language = language_of(request.scope)
    with speaking(language):
        text = (
            environment()
            .get_template(template)
            .render(
                viewer=known or Caller(),
                recognised=known is not None,
                language=language,
                path=request.url.path,
                rooms=open_rooms(request.app.state.get("settings")),
                said=words.SAID.get(said or ""),
                theme=theme if theme in THEMES else None,
                **context,
            )
        )
    headers = {
        # Somebody else may sit down at this browser: it asks again before it shows a page again.
        "Cache-Control": "private, no-cache",
        "Content-Language": language,
        KEPT_FOR: _reader(known or Caller()),
        "Vary": "Cookie, Accept-Language",
    }
    answer = Response(text, media_type=MediaType.HTML, headers=headers)
    if said:
        answer.delete_cookie(SAID, path="/")
    return answer


def page_for_nobody(template: str, **context: Any) -> str:
    """A page as text, for a request of which nothing is believed: not who asks, nor for what."""
    return (
        environment()
        .get_template(template)
        .render(
            viewer=Caller(),
            recognised=True,  # that it is nobody; no way home is offered, which would end here
            language=spoken(),
            path="/",
            rooms=(),
            said=None,
            theme=None,
            **context,
        )
    )


def to(address: str, say: str | None = None, *, status: int = 303) -> Response[bytes]:
    """Sends a browser on, usually after a form, with something to say there."""
    answer = Response(b"", status_code=status, headers={"Location": location(address)})
    if say:
        answer.set_cookie(SAID, say, path="/", max_age=60, httponly=True, samesite="lax")
    return answer


def _is_background(request: Request[Any, Any, Any]) -> bool:
    """Whether a live page fetches itself anew: what is said waits for the window it is for."""
    headers = request.headers
    return headers.get("sec-fetch-dest") == "empty" and "hx-request" not in headers


def _reader(caller: Caller) -> str:
    """For whom a page is, in a word that says nothing to anybody else."""
    if caller.account is None:
        return "nobody"
    who = f"{caller.account.user_id}/{caller.member.user_id}"
    return blake2b(who.encode(), digest_size=8).hexdigest()
