"""E-mails of the front door: plain text, in the reader's language.

No letter quotes what people typed: a stranger who enters an address must not write to it by that.
"""

from __future__ import annotations

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.words import _, lazy, speaking, spoken
from commonroom.outgoing.mail import Email


class Letter(Struct, frozen=True):
    """An e-mail about an account, with gaps for `place`, where that is, and for a `link`."""

    subject: str
    text: str
    path: str = ""
    """Where its link leads, before the secret that it ends with."""

    def to(self, address: str, place: str, user: User | None = None, secret: str = "") -> Email:
        """Returns it as an e-mail, in the words of the person whose account it is about."""
        with speaking((user and user.language) or spoken()):
            text = _(self.text) % {"place": place, "link": f"{place}{self.path}{secret}"}
            return Email(address, _(self.subject), text)


CONFIRMATION = Letter(
    lazy("Please confirm your e-mail address"),
    lazy(
        "Hello,\n"
        "\n"
        "this e-mail address was entered for an account at %(place)s. If that was you, open "
        "this link, sign in, and confirm it:\n"
        "\n"
        "%(link)s\n"
        "\n"
        "The link works once, for three days.\n"
        "\n"
        "If it was not you, you can ignore this e-mail: nothing happens without it.\n"
    ),
    "/confirm/",
)
FINISH_SIGNING_UP = Letter(
    lazy("Finish signing up"),
    lazy(
        "Hello,\n"
        "\n"
        "someone, most likely you, wants to create an account at %(place)s with this e-mail "
        "address. Open this link to finish:\n"
        "\n"
        "%(link)s\n"
        "\n"
        "The link works once, for one day.\n"
        "\n"
        "If it was not you, you can ignore this e-mail: no account is created without it.\n"
    ),
    "/sign-up/finish/",
)
ALREADY_HERE = Letter(
    lazy("You already have an account"),
    lazy(
        "Hello,\n"
        "\n"
        "someone, perhaps you, tried to use this e-mail address for another account at %(place)s. "
        "It already belongs to your account there, so nothing was changed, and they were not "
        "told.\n"
        "\n"
        "If it was you, just sign in:\n"
        "\n"
        "%(link)s\n"
        "\n"
        "If you forgot your password, you can reset it there. If it was not you, you can ignore "
        "this e-mail.\n"
    ),
    "/sign-in",
)
"""For a person whose address was given once more: nobody else is told that they are here."""
NEW_PASSWORD = Letter(
    lazy("Choose a new password"),
    lazy(
        "Hello,\n"
        "\n"
        "someone, most likely you, asked for a new password for %(place)s. Choose one with "
        "this link:\n"
        "\n"
        "%(link)s\n"
        "\n"
        "The link works once, for one day.\n"
        "\n"
        "If it was not you, you can ignore this e-mail: your password stays the same.\n"
    ),
    "/reset/",
)
ASK_AN_ADMINISTRATOR = Letter(
    lazy("Reset your password"),
    lazy(
        "Hello,\n"
        "\n"
        "someone, most likely you, asked for a new password for %(place)s.\n"
        "\n"
        "This e-mail address was never confirmed, so we cannot be sure that the account is "
        "yours. Please ask an administrator there: they can give you a link to choose a new "
        "password.\n"
        "\n"
        "Once you are signed in again, confirm the address under Security. Then you can reset "
        "your password by e-mail next time.\n"
    ),
)
"""For a person who forgot their password and never confirmed their address."""
MOVED_AWAY = Letter(
    lazy("Your e-mail address was changed"),
    lazy(
        "Hello,\n"
        "\n"
        "your account at %(place)s now has a different e-mail address. You will get no more "
        "e-mails at this one.\n"
        "\n"
        "If it was not you who changed it, tell an administrator there soon: they can lock the "
        "account and give it back to you.\n"
    ),
)
"""For the address that was the account's before."""
GOODBYE = Letter(
    lazy("Your account was deleted"),
    lazy(
        "Hello,\n"
        "\n"
        "your account at %(place)s was deleted, with everything in it that was only yours.\n"
        "\n"
        "If it was not you who deleted it, tell an administrator there: it may still be in a "
        "backup.\n"
    ),
)
