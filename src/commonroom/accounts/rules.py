"""Decisions about people, without any I/O."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal, TypeAlias
from zoneinfo import available_timezones

from commonroom.accounts.tables import User
from commonroom.errors import Forbidden, InvalidField
from commonroom.texts import fit_line

SignUp: TypeAlias = Literal["open", "invite", "closed"]

MAX_NAME = 30
MIN_PASSWORD, MAX_PASSWORD = 10, 200
MAX_ADDRESS = 254
MAX_ID = 100
MAX_MANAGED = 8

LANGUAGES = ("en",)
AVATARS = (
    "fox", "owl", "bear", "cat", "whale", "hedgehog", "robin", "turtle", "rabbit", "bee", "snail",
    "elk",
)  # fmt: skip

# No sign that ends an address in a mail's header, and no `#`, which separates the parts of a key.
_SIGNS = r"\s@<>()\[\],;:\\\"#"
_ADDRESS = re.compile(rf"[^{_SIGNS}]+@[^{_SIGNS}]+\.[^.{_SIGNS}]+")


def is_user_id(text: str) -> bool:
    """Whether a person may have this id: it may come from a path, and a key takes only so much."""
    return 0 < len(text) <= MAX_ID and text.isprintable()


def display_name(text: str) -> str:
    """Returns a name as it is shown: trimmed, on one line, 1 to 30 characters."""
    return fit_line("display_name", text, MAX_NAME)


def address(text: str) -> str:
    """Returns an e-mail address as it is kept: trimmed, otherwise as typed."""
    trimmed = unicodedata.normalize("NFC", text).strip()
    fits = len(trimmed) <= MAX_ADDRESS and trimmed.isprintable()
    if not fits or not _ADDRESS.fullmatch(trimmed):
        raise InvalidField("email", "Enter a valid e-mail address.")
    return trimmed


def sought_address(text: str) -> str | None:
    """Returns an address to look a person up by; None where nobody can have it."""
    try:
        return address(text)
    except InvalidField:
        return None


def password(text: str, *, about: tuple[str, ...] = ()) -> str:
    """A password that may be chosen: long enough, not common, not one's own name or address."""
    composed = unicodedata.normalize("NFC", text)
    if len(composed) < MIN_PASSWORD:
        raise InvalidField("password", f"Use at least {MIN_PASSWORD} characters for the password.")
    if len(composed) > MAX_PASSWORD:
        raise InvalidField("password", f"Use at most {MAX_PASSWORD} characters for the password.")
    plain = composed.casefold()
    if is_common(plain):
        raise InvalidField("password", "This password is too common. Please choose another.")
    if any(word and plain == word.casefold() for word in about):
        raise InvalidField("password", "Don’t use your name or e-mail address as the password.")
    return text


def is_common(text: str) -> bool:
    """Whether it is among what is tried first: what many people use, or few characters over."""
    plain = text.casefold()
    return plain in _common_passwords() or len(set(plain)) < 4


@cache
def _common_passwords() -> frozenset[str]:
    # Loaded when the first password is chosen: nobody else should wait for it.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def may_act_as(person: User, member: User | None) -> User:
    """Returns a managed member whom a person may act for: only its parent may."""
    if member is None or not member.is_managed or member.parent_user_id != person.user_id:
        raise Forbidden("You can only switch to members you manage.")
    return member


def avatar(key: str) -> str:
    """Returns one of the pictures that people can choose."""
    if key not in AVATARS:
        raise InvalidField("avatar_key", "Choose one of the pictures.")
    return key


def language(code: str) -> str:
    """Returns a language that the texts exist in."""
    if code not in LANGUAGES:
        raise InvalidField("language", "This language is not available yet.")
    return code


def time_zone(name: str) -> str:
    """Returns a time zone that calendars know."""
    if name not in _time_zones():
        raise InvalidField("time_zone", "Choose a time zone from the list.")
    return name


def time_zone_of_device(name: str) -> str | None:
    """Returns the time zone that a browser names by itself; None where calendars do not know it."""
    return name if name in _time_zones() else None


@cache
def _time_zones() -> frozenset[str]:
    # Asking walks through hundreds of files.
    return frozenset(available_timezones())
