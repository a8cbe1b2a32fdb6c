"""Pictures that stand between words: icons, signs and people's faces, as templates call them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from markupsafe import Markup

from commonroom.accounts.rules import AVATARS

_ICON = Markup(
    '<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>'
)
_AVATAR = Markup('<img class="{}" src="{}" alt="" width="96" height="96">')
_PORTRAIT = Markup(
    '<span class="{} portrait" aria-hidden="true">{}'
    '<img class="portrait-picture" src="{}" alt="" width="96" height="96"></span>'
)
_INITIAL = Markup('<span class="{}" aria-hidden="true">{}</span>')


class Pictured(Protocol):
    """A person who has a face."""

    @property
    def avatar_key(self) -> str | None:
        """Which picture they have chosen."""

    @property
    def display_name(self) -> str:
        """What they are called: its first letter stands for them who have chosen none."""


def pictures(static: Callable[[str], str]) -> dict[str, Callable[..., Markup]]:
    """Returns the functions, by name; `static` gives the address of a file.

    Each picture is made once. There are as many as files and style sheets know: nothing that people
    type is kept.
    """

    @cache
    def icon(name: str) -> Markup:
        """Returns one of the house (`check`), or of a room (`library/covers`)."""
        folder, slash, drawn = name.rpartition("/")
        return _ICON.format(static(f"{folder}{slash}icons.svg"), drawn)

    @cache
    def sign(name: str, colour: str = "", small: bool = False) -> Markup:
        """Returns an icon on a round ground."""
        size, look = " sign-small" if small else "", f" sign-{colour}" if colour else ""
        return Markup('<span class="sign{}{}">{}</span>').format(size, look, icon(name))

    @cache
    def portrait(key: str, size: str) -> Markup:
        return _AVATAR.format(_avatar_class(size), static(f"avatars/{key}.svg"))

    def avatar(person: Pictured, size: str = "") -> Markup:
        """Returns a person's face; their initial where they have chosen none."""
        key: Any = person.avatar_key
        if key in AVATARS:
            return portrait(key, size)
        return _INITIAL.format(_avatar_class(size), person.display_name[:1].upper())

    def portrait_of(person: Pictured, picture: str | None, size: str = "") -> Markup:
        """Returns a person's picture from this server, over the face that shows without it."""
        if picture is None:
            return avatar(person, size)
        return _PORTRAIT.format(_avatar_class(size), avatar(person, size), picture)

    return {"icon": icon, "sign": sign, "avatar": avatar, "portrait": portrait_of}


def _avatar_class(size: str) -> str:
    return f"avatar avatar-{size}" if size else "avatar"
