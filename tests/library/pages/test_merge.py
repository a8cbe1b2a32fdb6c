"""Editing at the same time: what does not touch is merged; where both changed, both are shown."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.context import Context
from commonroom.library.pages.merge import base_of, merge_form
from commonroom.library.service.loans import lend
from commonroom.library.tables import Book, Library
from tests.library.bookcase import collection_of, now_of
from tests.library.pages.lender import Lender
from tests.library.pages.site import place, shelf
from tests.support.pages import Browser, said, text, value

TEXTS = st.sampled_from(["", "a", "b", "c\nd", "c\r\nd", "Été"])
FORMS = st.fixed_dictionaries(dict.fromkeys(("one", "two", "three"), TEXTS))


def same(one: str, other: str) -> bool:
    return one.split() == other.split()


@given(before=FORMS, stored=FORMS, sent=FORMS)
def test_nothing_that_anybody_typed_is_lost(
    before: dict[str, str], stored: dict[str, str], sent: dict[str, str]
) -> None:
    form = merge_form(sent, base_of(before), stored)
    for name, was in before.items():
        mine, theirs = not same(sent[name], was), not same(stored[name], was)
        assert (name in form.mine) == mine
        assert (name in form.theirs) == (mine and theirs and not same(sent[name], stored[name]))
        shown = sent[name] if mine else stored[name]
        assert form.values[name] == shown
        assert form.theirs.get(name, stored[name]) == stored[name]
    again = merge_form({**sent, **form.values}, form.values["base"], stored)
    assert not again.is_stale, "whoever has seen both saves what they say"


def test_what_belongs_together_changes_together() -> None:
    before = {"collection": "Set", "order": "1"}
    sent, stored = before | {"order": "2"}, before | {"collection": "Other"}
    form = merge_form(sent, base_of(before), stored, [("collection", "order")])
    assert form.theirs == {"collection": "Other", "order": "1"}


def typed(answer: httpx.Response, **fields: str) -> dict[str, str]:
    """The form of a page as a browser sends it, with some fields typed anew."""
    form = answer.text.partition('id="entry"')[2].partition("</form>")[0] or answer.text
    found: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name = re.search(r'name="([^"]+)"', tag)
        if name and "checkbox" not in tag:
            told = re.search(r'value="([^"]*)"', tag)
            found[name[1]] = unescape(told[1]) if told else ""
    for name_, body in re.findall(
        r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', form, re.DOTALL
    ):
        found[name_] = unescape(body)
    for name_, body in re.findall(
        r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL
    ):
        chosen = re.search(r'value="([^"]*)" selected', body)
        found[name_] = chosen[1] if chosen else ""
    return {name_: one for name_, one in found.items() if name_ != "looked_up"} | fields


@pytest.fixture
async def emma(lender: Lender) -> Book:
    """A book of Ada's with much in it."""
    made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Austen")
    return await lender.book(
        "Emma",
        authors=["Jane Austen"],
        summary="A match.",
        collection_id=made.collection_id,
        order=1.5,
        tags=["classic", "irony"],
        rating=4.5,
        status="reading",
        review="Slow.\nGood.",
        copies=2,
    )


class TestItem:
    async def test_a_form_that_is_sent_as_it_came_changes_nothing(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        form = await adas.get(f"{place(emma)}/edit")
        answer = await adas.follow(await adas.send(f"{place(emma)}/edit", **typed(form)))
        assert said(answer) == "Saved."
        now = await now_of(lender.store, emma)
        for name in ("title", "authors", "order", "tags", "rating", "status", "review", "copies"):
            assert getattr(now, name) == getattr(emma, name), name

    async def test_what_does_not_touch_is_saved_together(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        form = await adas.get(f"{place(emma)}/edit")
        await adas.send(f"{place(emma)}/edit", **typed(form, review="Good after all."))
        await lend(
            Context(lender.store, lender.ada, lender.clock()),
            emma.library_id,
            emma.item_id,
            to="Carl",
        )
        answer = await adas.send(f"{place(emma)}/edit", **typed(form, title="Emma!", tags="irony"))
        assert answer.status_code == 303
        now = await now_of(lender.store, emma)
        assert (now.title, now.tags, now.review) == ("Emma!", ["irony"], "Good after all.")
        assert now.lent_to == "Carl"

    async def test_where_both_changed_both_are_shown_and_neither_is_lost(
        self, adas: Browser, lender: Lender, emma: Book
    ) -> None:
        here = f"{place(emma)}/edit"
        form = await adas.get(here)
        await adas.send(here, **typed(form, review="Theirs.", summary="Their summary.", copies="3"))
        answer = await adas.send(here, **typed(form, review="Mine.", rating="5"))
        assert answer.status_code == 412
        assert "Saved now: Theirs." in text(answer)
        assert "Mine.</textarea>" in answer.text
        assert "Their summary.</textarea>" in answer.text, "what I left alone is theirs"
        assert value(answer, "copies") == "3"
        assert (await now_of(lender.store, emma)).review == "Theirs."
        answer = await adas.follow(await adas.send(here, **typed(answer)))
        assert said(answer) == "Saved."
        now = await now_of(lender.store, emma)
        assert (now.review, now.rating, now.summary, now.copies) == (
            "Mine.",
            5.0,
            "Their summary.",
            3,
        )

    async def test_what_changes_once_more_is_shown_once_more(
        self, adas: Browser, emma: Book
    ) -> None:
        here = f"{place(emma)}/edit"
        form = await adas.get(here)
        await adas.send(here, **typed(form, title="First"))
        stale = await adas.send(here, **typed(form, title="Mine"))
        await adas.send(here, **typed(await adas.get(here), title="Second"))
        answer = await adas.send(here, **typed(stale))
        assert answer.status_code == 412
        assert "Saved now: Second" in text(answer)
        assert value(answer, "title") == "Mine"


class TestLibraryAndCollection:
    async def test_a_library(self, adas: Browser, lender: Lender, home: Library) -> None:
        here = f"{shelf(home)}/settings"
        base = typed(await adas.get(here))["base"]
        sent = {"library_name": "Home", "description": "", "base": base}
        await adas.send(here, **sent | {"description": "Theirs"})
        assert (await adas.send(here, **sent | {"library_name": "Hall"})).status_code == 303
        now = await now_of(lender.store, home)
        assert (now.library_name, now.description) == ("Hall", "Theirs")
        answer = await adas.send(here, **sent | {"description": "Mine"})
        assert answer.status_code == 412
        assert "Saved now: Theirs" in text(answer)
        assert value(answer, "description") == "Mine"
        assert value(answer, "library_name") == "Hall"

    async def test_a_collection(self, adas: Browser, lender: Lender) -> None:
        made = await collection_of(lender.store, lender.clock, lender.ada, lender.home, "Old")
        here = f"{shelf(lender.home)}/collections/{made.collection_id}"
        base = typed(await adas.get(here))["base"]
        sent = {"name": "Old", "description": "", "base": base}
        await adas.send(here, **sent | {"name": "Theirs"})
        assert (await adas.send(here, **sent | {"description": "Mine"})).status_code == 303
        now = await now_of(lender.store, made)
        assert (now.name, now.description) == ("Theirs", "Mine")
        answer = await adas.send(here, **sent | {"name": "Other"})
        assert answer.status_code == 412
        assert "Saved now: Theirs" in text(answer)
        assert value(answer, "name") == "Other"
