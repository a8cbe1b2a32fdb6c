"""Words: the language to speak, the one translation call, and what the house itself says."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, partial, wraps
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from commonroom.accounts import rules
from commonroom.http.headers import header_in

if TYPE_CHECKING:  # every command speaks, and not every one is a web application
    from commonroom.http.asgi import ASGIApp, Receive, Scope, Send
    from commonroom.http.authentication import Caller

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

LOCALE = files("commonroom.http") / "locale"
"""A folder for each language but English, which the texts are written in."""

ENGLISH = "en"
MAX_ASKED_FOR = 20
_choose: ContextVar[Callable[[], str]] = ContextVar("choose", default=lambda: ENGLISH)


def spoken() -> str:
    """Returns the language in which texts are given now."""
    return _choose.get()()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speaks a language for a while: texts inside are in it."""
    before = _choose.set(lambda: language)
    try:
        yield
    finally:
        _choose.reset(before)


def in_their_language(app: ASGIApp) -> ASGIApp:
    """Wraps the application so that every request is answered in the caller's language."""

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
    """Returns the language of a request."""
    caller: Caller | None = scope.get("state", {}).get("caller")
    person = caller.account if caller is not None else None
    if person is not None and person.language in rules.LANGUAGES:
        return str(person.language)
    return asked_for(header_in(scope, "accept-language") or "")


@lru_cache(maxsize=256)  # a page asks for every text that it says
def asked_for(header: str) -> str:
    """Returns the best of our languages for an Accept-Language header."""
    ranges = [_range(part) for part in header.split(",")[:MAX_ASKED_FOR]]
    wanted = [(weight, language) for weight, language in ranges if language in rules.LANGUAGES]
    weight, language = max(wanted, key=lambda one: one[0], default=(0.0, ENGLISH))
    return language if weight > 0 else ENGLISH


def _range(part: str) -> tuple[float, str]:
    """Returns how much a language is wanted, and which; `fr-CH` is French to us."""
    tag, _sign, quality = part.partition(";")
    language = tag.strip().lower().partition("-")[0]
    try:
        weight = float(quality.partition("=")[2]) if quality else 1.0
    except ValueError:
        weight = 0.0
    return weight, language


@cache
def translation(language: str) -> gettext.NullTranslations:
    """Returns the texts in a language."""
    catalogue = LOCALE / language / "LC_MESSAGES" / "commonroom.mo"
    if not catalogue.is_file():
        return gettext.NullTranslations()
    with catalogue.open("rb") as file:
        return gettext.GNUTranslations(file)


def _(text: str) -> str:
    """Returns a text in the reader's language."""
    # A catalogue keeps its own description under the empty text.
    return translation(spoken()).gettext(text) if text else text


def once_per_language(say: Callable[[K], T]) -> Callable[[K], T]:
    """Keeps what is said of a code of ours in each language; not for what people type."""

    @lru_cache(maxsize=1024)
    def text_of(_texts: gettext.NullTranslations, code: K) -> T:
        return say(code)

    @wraps(say)
    def in_language(code: K) -> T:
        return text_of(translation(spoken()), code)

    return in_language


def ngettext(one: str, many: str, n: int) -> str:
    """Returns the form of a text that goes with so many things."""
    return translation(spoken()).ngettext(one, many, n)


def pluralize(one: str, many: str, n: int) -> str:
    """Returns a text about so many things, with `%(n)d` for the number."""
    return ngettext(one, many, n) % {"n": n}


def join_names(names: Sequence[str]) -> str:
    """Names one after the other, as one says them."""
    if len(names) < 2:
        return names[0] if names else ""
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def lazy(text: str) -> str:
    """Marks a text that is translated when it is shown: nobody reads it here yet."""
    return text


FLASH_TEXTS: Mapping[str, str] = {
    "welcome": lazy("Welcome! Make yourself at home."),
    "calendar-revoked": lazy("The calendar link no longer works."),
    "signed-out": lazy("You are signed out."),
    "profile-saved": lazy("Profile saved."),
    "address-saved": lazy("E-mail address changed."),
    "address-waits": lazy(
        "Almost done: open the link in the e-mail we just sent to the new address."
    ),
    "address-kept": lazy("Your e-mail address stays the same."),
    "address-confirmed": lazy("Thank you. Your e-mail address is confirmed."),
    "letter-sent": lazy("The e-mail is on its way."),
    "password-changed": lazy("Password changed. You were signed out everywhere else."),
    "password-chosen": lazy("Your new password is saved. Sign in with it."),
    "notifications-saved": lazy("Notification settings saved."),
    "session-ended": lazy("That browser is signed out."),
    "sessions-ended": lazy("You are signed out everywhere else, and your API tokens are revoked."),
    "token-revoked": lazy("Token revoked."),
    "webhook-tested": lazy("A test message is on its way. Reload in a moment to see how it went."),
    "webhook-deleted": lazy("Webhook deleted."),
    "blocked": lazy("Blocked. You won’t hear from them any more, and no one tells them."),
    "unblocked": lazy("Unblocked."),
    "member-added": lazy("Member added."),
    "member-saved": lazy("Member saved."),
    "member-removed": lazy("Member removed."),
    "acting": lazy("Profile switched."),
    "acting-stopped": lazy("Switched back to your own profile."),
    "account-deleted": lazy("Your account and everything in it has been deleted."),
    "person-changed": lazy("Done."),
    "made-administrator": lazy("They are now an administrator."),
    "made-ordinary": lazy("They are no longer an administrator and were signed out."),
    "no-longer-administrator": lazy("You are no longer an administrator. Please sign in again."),
    "disabled": lazy("They are signed out everywhere and cannot sign in. Nothing was deleted."),
    "enabled": lazy("They can sign in again."),
    "invitation-revoked": lazy("Invitation revoked."),
    "import-started": lazy("The import has started. You can leave this page."),
    "import-goes-on": lazy("The import continues."),
    "import-stopped": lazy("Import stopped. What was added before stays."),
    "import-forgotten": lazy("Import cancelled. Nothing was added."),
    "import-undoing": lazy("The import is being undone. You can leave this page."),
    "report-closed": lazy("Report closed."),
    "title-made": lazy("Added. Everybody can find it now."),
    "title-saved": lazy("Saved."),
    "title-removed": lazy("Removed."),
    "steps-aside": lazy("All right. You find everything under your name and in the rooms."),
}
"""What the house itself says on the page after a redirect; each room declares its own."""


def languages() -> list[tuple[str, str]]:
    """Returns the languages that the texts exist in, each named by those who speak it."""
    names = {"en": "English", "fr": "Français"}
    return [(code, names.get(code, code)) for code in rules.LANGUAGES]


def avatar_names() -> Mapping[str, str]:
    """Returns what each picture shows, for those who do not see it."""
    return {
        "fox": _("Fox"),
        "owl": _("Owl"),
        "bear": _("Bear"),
        "cat": _("Cat"),
        "whale": _("Whale"),
        "hedgehog": _("Hedgehog"),
        "robin": _("Robin"),
        "turtle": _("Turtle"),
        "rabbit": _("Rabbit"),
        "bee": _("Bee"),
        "snail": _("Snail"),
        "elk": _("Elk"),
    }


def reassurance(status: int) -> str:
    """Returns what became of people's things when something went wrong."""
    match status:
        case 404 | 405 | 410:
            return _("Nothing was changed.")
        case 409:
            return _("Nothing was changed.")
        case 429:
            return _("Nothing was lost.")
        case _ if status >= 500:
            return _("Everything that was saved before is safe.")
    return _("Nothing was saved or changed.")


def what_to_do(status: int) -> str:
    """Returns what helps when something went wrong."""
    look_again = _("Go back, check the form, and send it again.")
    look_for = _("Check the address for typos. The page may also have been deleted.")
    advice = {
        400: look_again,
        401: _("Sign in, then try again."),
        403: _("If you think you should have access, ask whoever runs this Commonroom."),
        404: look_for,
        405: look_for,
        409: _("Reload the page to see the current state, then try again."),
        410: _("Ask the person who gave you the link for a new one."),
        413: look_again,
        415: look_again,
        421: _("Open it with the address you were given, or ask whoever runs this Commonroom."),
        422: look_again,
        429: _("Wait a moment, then try again."),
    }
    lazy = _("Try again in a moment. If it happens again, tell whoever runs this Commonroom.")
    return advice.get(status, lazy)
