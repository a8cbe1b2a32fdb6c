"""Profiles: usernames, and what people say about themselves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from commonroom.errors import InvalidField
from commonroom.texts import clean_line, fit_lines
from commonroom.watchlists.tables import Profile

MIN_USERNAME, MAX_USERNAME = 3, 30
MAX_BIO = 500
MAX_SUFFIXES = 200
"""How many names are tried for a person whose own is taken, until they are asked for one."""

# What can stand in an address as it is typed, and what nobody confuses with another's.
_USERNAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_UNFIT = re.compile(r"[^A-Za-z0-9]+")
_ANYBODY = "reader"


def username(text: str) -> str:
    """Returns a username as it is shown: letters, digits, and `.`, `_`, `-` between them."""
    name = clean_line(text)
    if not MIN_USERNAME <= len(name) <= MAX_USERNAME:
        raise InvalidField("username", f"Use {MIN_USERNAME} to {MAX_USERNAME} characters.")
    if not _USERNAME.fullmatch(name):
        raise InvalidField(
            "username", "Use letters from A to Z, digits, and dots, dashes or underscores between."
        )
    return name


def is_username(text: str) -> bool:
    """Returns whether a person may have this name; it may come from an address."""
    return len(text) <= MAX_USERNAME and _USERNAME.fullmatch(text) is not None


def suggested_usernames(display_name: str) -> Iterator[str]:
    """Names for a person who has not chosen one: their own as far as it can be written, numbered.

    Nobody learns from a number how many there are: it is only the first that is free.
    """
    plain = unicodedata.normalize("NFKD", display_name).encode("ascii", "ignore").decode()
    base = _UNFIT.sub("-", plain).strip("-").lower()[: MAX_USERNAME - 4].strip("-")
    if len(base) < MIN_USERNAME:
        base = f"{base}-{_ANYBODY}".strip("-")
    yield base
    for number in range(2, MAX_SUFFIXES):
        yield f"{base}-{number}"


def bio(text: str | None) -> str | None:
    """Returns a person's words about themselves."""
    return fit_lines("bio", text, MAX_BIO)


def is_shown(profile: Profile) -> bool:
    """Returns whether a person has a public page: curators do, and others who publish."""
    if profile.curator_status == "suspended":
        return False
    return profile.curator_status == "approved" or profile.public_list_count > 0
