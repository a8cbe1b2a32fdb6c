"""Template engine: one environment for each language, in which texts are constant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from importlib import import_module
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from markupsafe import Markup, escape
from minijinja import Environment, TemplateError

from commonroom import __version__
from commonroom.accounts import rules
from commonroom.http import assets, times, words
from commonroom.http.icons import pictures
from commonroom.http.template_imports import only_taken, split_name, with_taken
from commonroom.http.words import speaking, translation
from commonroom.joins.menus import AdminPage
from commonroom.joins.rooms import Room, offers_without_server, packages
from commonroom.moments import known
from commonroom.store.damage import count_damage

Constant: TypeAlias = Callable[[str], str | int]

_CONSTANT = re.compile(r'(\{\{ )?\b(_|static|limit|icon|sign)\("([^"\\]*)"\)( \}\})?')
"""A text without values, the address of a file, a bound, a picture: the same on every page in a
language."""


class RenderError(Exception):
    """A template is wrong; says where, and nothing of what the page would have shown."""


def render_template(
    rooms: tuple[Room, ...], template: str, /, *, language: str, **context: Any
) -> str:
    """Returns a page as text; every value is escaped that is not `Markup`."""
    with speaking(language):
        try:
            text = environment(rooms, language).render_template(
                template, language=language, **context
            )
        except TemplateError as error:
            # Its own message may quote values, passcodes among them.
            where = f"{split_name(error.name or template)[0]}, line {error.line}"
            raise RenderError(f"{where}: {error.kind}") from None
    # It escapes slashes as well, which no place needs; addresses would be twice as long.
    return text.replace("&#x2f;", "/")


@cache
def environment(rooms: tuple[Room, ...], language: str) -> Environment:
    """Returns the templates; a name that is not given is an error, not an empty place."""
    brought_by = packages(rooms)
    static = partial(assets.address, brought_by)
    drawn = pictures(static)
    texts = translation(language)

    def text(message: str, **values: Any) -> Markup:
        return _filled_in(texts.gettext(message), values)

    @lru_cache(maxsize=1024)
    def number(one: str, many: str, num: int) -> Markup:
        return _filled_in(texts.ngettext(one, many, num), {"num": num})

    def plural(one: str, many: str, num: int, **values: Any) -> Markup:
        if not values:
            return number(one, many, num)
        return _filled_in(texts.ngettext(one, many, num), {"num": num, **values})

    return Environment(
        loader=partial(_load, brought_by, {"_": text, "static": static, "limit": limit, **drawn}),
        undefined_behavior="strict",
        auto_escape_callback=lambda _name: True,
        debug=False,
        trim_blocks=True,
        lstrip_blocks=True,
        globals={
            "_": text,
            "ngettext": plural,
            "version": __version__,
            "static": static,
            **drawn,
            "words": words,
            "rules": rules,
            "count_damage": count_damage,
            "admin_pages": offers_without_server(rooms, AdminPage),
        },
        filters={
            "ago": times.ago,
            "day": times.day,
            "known": known,
            "calendar_day": times.calendar_day,
            "exactly": times.exactly,
            # For texts that a template does not write itself; `_` would take them for HTML.
            "translated": words._,
        },
    )


def limit(name: str) -> int:
    """Returns a bound of the rules by its name, such as `hangouts.rules.carpool.MAX_SEATS`."""
    module, _, bound = name.rpartition(".")
    found: int = getattr(import_module(f"commonroom.{module}"), bound)
    return found


def _filled_in(text: str, values: dict[str, Any]) -> Markup:
    """A text that a template writes itself, which may hold HTML; what is put into it may not."""
    safe = {name: _safe(name, value) for name, value in values.items()}
    return Markup(text % safe)  # noqa: S704 - the text is ours, and each value is escaped


def _safe(name: str, value: Any) -> Any:
    if isinstance(value, int | float):
        return value  # for `%(n)d`
    if value is None:  # which is what a name that is not given becomes on its way here
        raise RenderError(f"A text was given nothing as “{name}”.")
    return escape(value)


def _load(brought_by: tuple[str, ...], constants: Mapping[str, Constant], name: str) -> str | None:
    """Returns a template's source, with all that is constant in it worked out."""

    def constant(found: re.Match[str]) -> str:
        opened, function, argument, closed = found.groups(default="")
        value = constants[function](argument)
        if opened and closed and _is_plain(shown := str(escape(value))):
            return shown
        literal = json.dumps(value, ensure_ascii=False)
        return opened + (f"({literal} | safe)" if isinstance(value, Markup) else literal) + closed

    file, taken = split_name(name)
    source = _read(brought_by, file)
    if source is None:
        return None
    return _CONSTANT.sub(
        constant, with_taken(source if taken is None else only_taken(source, taken))
    )


def _read(brought_by: tuple[str, ...], name: str) -> str | None:
    file = template_files(brought_by).get(name)
    return None if file is None else file.read_text(encoding="utf-8")


def _is_plain(text: str) -> bool:
    """Whether a text means itself in a template: it is no tag, and no space that a tag takes."""
    return "{" not in text and text == text.strip() != ""


@cache
def template_files(brought_by: tuple[str, ...]) -> dict[str, Traversable]:
    """Returns every template of these packages by its name; no other name leads anywhere."""
    return {
        name: file
        for package in reversed(brought_by)  # where two have one name, the first package's counts
        for name, file in assets.files_in(package, "templates")
    }
