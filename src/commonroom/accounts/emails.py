"""E-mails of the front door: plain text, in the reader's language.

No letter quotes what people typed: a stranger who enters an address must not write to it by that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from commonroom.accounts.tables import User
from commonroom.http.words import _, speaking, spoken
from commonroom.outgoing.mail import Email


def confirmation(public_address: str, user: User, address: str, secret: str) -> Email:
    """Asks the reader of an address's letters to confirm it."""
    with _in_words_of(user):
        text = _(
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
        )
        return Email(
            address,
            _("Please confirm your e-mail address"),
            text % {"place": public_address, "link": f"{public_address}/confirm/{secret}"},
        )


def finish_signing_up(public_address: str, address: str, secret: str) -> Email:
    """For a person who wants an account: the link that makes it."""
    text = _(
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
    )
    return Email(
        address,
        _("Finish signing up"),
        text % {"place": public_address, "link": f"{public_address}/sign-up/finish/{secret}"},
    )


def already_here(public_address: str, address: str) -> Email:
    """For a person whose address was given once more: nobody else is told that they are here."""
    text = _(
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
    )
    return Email(
        address,
        _("You already have an account"),
        text % {"place": public_address, "link": f"{public_address}/sign-in"},
    )


def new_password(public_address: str, user: User, address: str, secret: str) -> Email:
    """Returns a link for a person who forgot their password."""
    with _in_words_of(user):
        text = _(
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
        )
        return Email(
            address,
            _("Choose a new password"),
            text % {"place": public_address, "link": f"{public_address}/reset/{secret}"},
        )


def ask_an_administrator(public_address: str, user: User, address: str) -> Email:
    """For a person who forgot their password and never confirmed their address."""
    with _in_words_of(user):
        text = _(
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
        )
        return Email(address, _("Reset your password"), text % {"place": public_address})


def moved_away(public_address: str, user: User, address: str) -> Email:
    """Tells the old address that the account has another one now."""
    with _in_words_of(user):
        text = _(
            "Hello,\n"
            "\n"
            "your account at %(place)s now has a different e-mail address. You will get no more "
            "e-mails at this one.\n"
            "\n"
            "If it was not you who changed it, tell an administrator there soon: they can lock the "
            "account and give it back to you.\n"
        )
        return Email(
            address, _("Your e-mail address was changed"), text % {"place": public_address}
        )


def goodbye(public_address: str, user: User, address: str) -> Email:
    """Tells a person that their account is deleted."""
    with _in_words_of(user):
        text = _(
            "Hello,\n"
            "\n"
            "your account at %(place)s was deleted, with everything in it that was only yours.\n"
            "\n"
            "If it was not you who deleted it, tell an administrator there: it may still be in a "
            "backup.\n"
        )
        return Email(address, _("Your account was deleted"), text % {"place": public_address})


@contextmanager
def _in_words_of(user: User) -> Iterator[None]:
    with speaking(user.language or spoken()):
        yield
