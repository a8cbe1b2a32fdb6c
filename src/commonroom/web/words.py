"""Words: every text goes through one translation call; what a redirect may say is named here."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache

from commonroom.accounts.rules import LANGUAGES


@cache
def translation(language: str) -> gettext.NullTranslations:
    """The texts in a language; English is what the texts are written in."""
    return gettext.translation("commonroom", languages=[language], fallback=True)


def _(text: str) -> str:
    """A text in the reader's language."""
    return translation("en").gettext(text)


def counted(one: str, many: str, n: int) -> str:
    """A text about so many things, with `%(n)d` for the number."""
    return translation("en").ngettext(one, many, n) % {"n": n}


SAID: Mapping[str, str] = {
    "welcome": _("Welcome. This is your home here."),
    "signed-out": _("You are signed out."),
    "profile-saved": _("Your profile is saved."),
    "address-saved": _("Your e-mail address is changed."),
    "password-changed": _("Your password is changed. Everything else was signed out."),
    "password-chosen": _("Your new password is set. Sign in with it."),
    "notifications-saved": _("Your notifications are saved."),
    "session-ended": _("That browser is signed out."),
    "sessions-ended": _("You are signed out everywhere else, and your tokens have ended."),
    "token-revoked": _("The token no longer works."),
    "member-added": _("The member is added."),
    "member-saved": _("The member is saved."),
    "member-removed": _("The member is removed."),
    "acting": _("From now on, what you do here is done for them."),
    "acting-stopped": _("You are yourself again."),
    "account-deleted": _("Your account and everything in it is deleted."),
    "person-changed": _("Done."),
    "made-administrator": _("They are an administrator now."),
    "made-ordinary": _("They are no longer an administrator, and were signed out."),
    "no-longer-administrator": _("You are no longer an administrator. Please sign in again."),
    "disabled": _("They are signed out everywhere and cannot sign in. Nothing was deleted."),
    "enabled": _("They can sign in again."),
    "invitation-revoked": _("The invitation no longer works."),
}


def languages() -> list[tuple[str, str]]:
    """The languages that the texts exist in, each named by those who speak it."""
    names = {"en": "English", "fr": "Français"}
    return [(code, names.get(code, code)) for code in LANGUAGES]


def avatar_names() -> Mapping[str, str]:
    """What each picture shows, for those who do not see it."""
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


def kept(status: int) -> str:
    """What became of people's things when something went wrong."""
    match status:
        case 404 | 405 | 410:
            return _("Nothing was changed.")
        case 409:
            return _("Nothing was changed, and what was there before is as it was.")
        case 429:
            return _("Nothing was lost: it only has to wait.")
        case _ if status >= 500:
            return _("Everything that was saved before is safe.")
    return _("Nothing was saved or changed.")


def what_to_do(status: int) -> str:
    """What helps when something went wrong."""
    look_again = _("Go back, look at the form again, and send it once more.")
    look_for = _("The address may have a typing mistake, or the thing is gone.")
    advice = {
        400: look_again,
        401: _("Sign in, and then try again."),
        403: _("If you think you should be able to, ask whoever runs this Commonroom."),
        404: look_for,
        405: look_for,
        409: _("Reload the page to see how things are now, then try again."),
        410: _("Ask whoever gave you the link for a new one."),
        413: look_again,
        415: look_again,
        422: look_again,
        429: _("Wait a little, then try again."),
    }
    later = _("Try again in a moment. If it happens again, tell whoever runs this Commonroom.")
    return advice.get(status, later)
