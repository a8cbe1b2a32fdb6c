"""The links and forms of a page, as a browser without scripts would use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import NamedTuple

VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
UNSEEN = frozenset({"script", "style", "template", "head", "svg"})
NOT_SENT = frozenset({"submit", "button", "reset", "image", "file"})


class Element:
    """A part of a page, with its parts in order; texts are plain strings."""

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.parts: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")

    def all(self, *tags: str) -> Iterator[Element]:
        """Yields every element inside that has one of these tags."""
        for part in self.parts:
            if isinstance(part, Element):
                if part.tag in tags:
                    yield part
                yield from part.all(*tags)

    @property
    def text(self) -> str:
        """What a person reads of it, or hears where it is named for the ear alone."""
        return " ".join(" ".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for part in self.parts:
            if isinstance(part, str):
                yield part
            elif part.tag not in UNSEEN and "hidden" not in part.attributes:
                yield from part._texts()


class Field(NamedTuple):
    """Something that a form sends."""

    name: str
    value: str


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = self._here = Element("page", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self._here)
        self._here.parts.append(made)
        if tag not in VOID:
            self._here = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        opened: Element | None = self._here
        while opened is not None and opened.tag != tag:
            opened = opened.parent
        if opened is not None and opened.parent is not None:
            self._here = opened.parent

    def handle_data(self, data: str) -> None:
        self._here.parts.append(data)


def parsed(html: str) -> Element:
    """Returns a page as its elements."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    return parser.page


def form_of(page: Element, control: Element) -> Element:
    """Returns the form that a button or a field belongs to: the one that it names or is inside."""
    if control["form"]:
        (form,) = (one for one in page.all("form") if one["id"] == control["form"])
        return form
    around: Element | None = control
    while around is not None and around.tag != "form":
        around = around.parent
    assert around is not None, f"{control.tag} {control['name']} is in no form"
    return around


def fields_of(page: Element, form: Element) -> list[Field]:
    """Returns what a form sends if nobody changes anything and before a button adds its own."""
    controls = [one for one in page.all("input", "select", "textarea") if _belongs(one, form)]
    return [field for one in controls for field in _values(one)]


def _belongs(control: Element, form: Element) -> bool:
    if not control["name"] or "disabled" in control.attributes:
        return False
    if control["form"]:
        return control["form"] == form["id"]
    around = control.parent
    while around is not None and around is not form:
        around = around.parent
    return around is form


def _values(control: Element) -> Iterator[Field]:
    name, kind = control["name"], control["type"]
    if control.tag == "textarea":
        yield Field(name, "".join(part for part in control.parts if isinstance(part, str)))
    elif control.tag == "select":
        options = list(control.all("option"))
        chosen = [one for one in options if "selected" in one.attributes] or options[:1]
        yield from (Field(name, one.attributes.get("value", one.text)) for one in chosen)
    elif kind in ("radio", "checkbox"):
        if "checked" in control.attributes:
            yield Field(name, control.attributes.get("value", "on"))
    elif kind not in NOT_SENT:
        yield Field(name, control["value"])
