"""Words: every text goes through one translation call; what a redirect may say is named here."""

from __future__ import annotations

import gettext
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from commonroom.accounts import rules
from commonroom.web.languages import spoken

LOCALE = files("commonroom.web") / "locale"
"""A folder for each language but English, which the texts are written in."""


@cache
def translation(language: str) -> gettext.NullTranslations:
    """The texts in a language."""
    catalogue = LOCALE / language / "LC_MESSAGES" / "commonroom.mo"
    if not catalogue.is_file():
        return gettext.NullTranslations()
    with catalogue.open("rb") as file:
        return gettext.GNUTranslations(file)


def _(text: str) -> str:
    """A text in the reader's language."""
    # A catalogue keeps its own description under the empty text.
    return translation(spoken()).gettext(text) if text else text


def several(one: str, many: str, n: int) -> str:
    """The form of a text that goes with so many things."""
    return translation(spoken()).ngettext(one, many, n)


def counted(one: str, many: str, n: int) -> str:
    """A text about so many things, with `%(n)d` for the number."""
    return several(one, many, n) % {"n": n}


def listed(names: Sequence[str]) -> str:
    """Names one after the other, as one says them."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def later(text: str) -> str:
    """Marks a text that is translated when it is shown: nobody reads it here yet."""
    return text


FLASH_TEXTS: Mapping[str, str] = {
    "welcome": later("Welcome. This is your home here."),
    "signed-out": later("You are signed out."),
    "profile-saved": later("Your profile is saved."),
    "address-saved": later("Your e-mail address is changed."),
    "address-waits": later("Almost done: open the link in the letter that we sent there."),
    "address-kept": later("Your e-mail address stays as it is."),
    "address-confirmed": later("Thank you. Your e-mail address is confirmed."),
    "letter-sent": later("The letter is on its way."),
    "password-changed": later("Your password is changed. Everything else was signed out."),
    "password-chosen": later("Your new password is set. Sign in with it."),
    "notifications-saved": later("Your notifications are saved."),
    "session-ended": later("That browser is signed out."),
    "sessions-ended": later("You are signed out everywhere else, and your tokens have ended."),
    "token-revoked": later("The token no longer works."),
    "member-added": later("The member is added."),
    "member-saved": later("The member is saved."),
    "member-removed": later("The member is removed."),
    "acting": later("From now on, what you do here is done for them."),
    "acting-stopped": later("You are yourself again."),
    "account-deleted": later("Your account and everything in it is deleted."),
    "person-changed": later("Done."),
    "made-administrator": later("They are an administrator now."),
    "made-ordinary": later("They are no longer an administrator, and were signed out."),
    "no-longer-administrator": later("You are no longer an administrator. Please sign in again."),
    "disabled": later("They are signed out everywhere and cannot sign in. Nothing was deleted."),
    "enabled": later("They can sign in again."),
    "invitation-revoked": later("The invitation no longer works."),
}
"""What the house itself says on the page after a redirect; each room declares its own."""


def languages() -> list[tuple[str, str]]:
    """The languages that the texts exist in, each named by those who speak it."""
    names = {"en": "English", "fr": "Français"}
    return [(code, names.get(code, code)) for code in rules.LANGUAGES]


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
    look_for = _("Check the address for a typing mistake; what was here may also be gone.")
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
        421: _("Open it by the address that you were given, or ask whoever runs this Commonroom."),
        422: look_again,
        429: _("Wait a little, then try again."),
    }
    later = _("Try again in a moment. If it happens again, tell whoever runs this Commonroom.")
    return advice.get(status, later)
