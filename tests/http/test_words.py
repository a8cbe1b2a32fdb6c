"""Words that all rooms say alike, in the language of whoever reads."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from httpx import AsyncClient
from hypothesis import given
from hypothesis import strategies as st

import commonroom
from commonroom.accounts import rules
from commonroom.house.server import until_listening
from commonroom.http import words
from commonroom.http.words import (
    _,
    asked_for,
    in_their_language,
    join_names,
    once_per_language,
    pluralize,
    speaking,
    spoken,
)
from tests.support.catalogues import spoken_too
from tests.support.dynamodb_local import free_port


@given(st.lists(st.text("abc", min_size=1), max_size=8))
def test_names_are_all_listed_once(names: list[str]) -> None:
    assert join_names(names).replace(" and ", ", ") == ", ".join(names)


FRENCH = {
    "You are signed out.": "Vous êtes déconnecté.",
    "%(n)d day ago\0%(n)d days ago": "il y a %(n)d jour\0il y a %(n)d jours",
}


@pytest.fixture
def french(tmp_path: Path) -> Iterator[None]:
    """A house that also speaks French."""
    with spoken_too(tmp_path, "fr", FRENCH):
        yield


class TestWhatABrowserAsksFor:
    @pytest.mark.parametrize(
        "header,language",
        [
            ("", "en"),
            ("fr", "fr"),
            ("FR-ch", "fr"),
            ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
            ("de, en;q=0.3, fr;q=0.9", "fr"),
            ("en, fr", "en"),
            ("de", "en"),
            ("*", "en"),
            ("fr;q=0", "en"),
            ("fr;q=nonsense, en;q=0.1", "en"),
            ("frankish", "en"),
        ],
    )
    def test_is_the_best_of_ours(self, french: None, header: str, language: str) -> None:
        assert asked_for(header) == language

    @given(st.text(alphabet="fren-*;q=0.19, \t\0é") | st.text())
    def test_is_one_of_ours_whatever_it_says(self, header: str) -> None:
        assert asked_for(header) in rules.LANGUAGES

    def test_is_not_read_without_end(self, french: None) -> None:
        assert asked_for("de," * 100_000 + "fr") == "en"


class TestTexts:
    def test_are_in_the_language_that_is_spoken(self, french: None) -> None:
        with speaking("fr"):
            assert _("You are signed out.") == "Vous êtes déconnecté."
            assert pluralize("%(n)d day ago", "%(n)d days ago", 1) == "il y a 1 jour"
            assert pluralize("%(n)d day ago", "%(n)d days ago", 3) == "il y a 3 jours"
        assert _("You are signed out.") == "You are signed out."

    def test_that_nobody_has_translated_are_english(self, french: None) -> None:
        with speaking("fr"):
            assert _("Member added.") == "Member added."

    def test_that_are_kept_are_kept_for_each_language(self, french: None) -> None:
        asked = []

        @once_per_language
        def said(code: str) -> str:
            asked.append(code)
            return f"{code}: {_('You are signed out.')}"

        for _again in range(2):
            assert said("a") == "a: You are signed out."
            with speaking("fr"):
                assert said("a") == "a: Vous êtes déconnecté."
        assert asked == ["a", "a"]

    def test_of_nothing_are_nothing(self, french: None) -> None:
        with speaking("fr"):
            assert _("") == ""

    def test_exist_in_every_language_that_can_be_chosen(self) -> None:
        chosen = [language for language in rules.LANGUAGES if language != "en"]
        assert all(
            (words.LOCALE / language / "LC_MESSAGES" / "commonroom.mo").is_file()
            for language in chosen
        )

    def test_are_never_translated_while_a_module_is_loaded(self) -> None:
        sources = [file for folder in commonroom.__path__ for file in Path(folder).rglob("*.py")]
        assert len(sources) > 100
        loading = [node for file in sources for node in _at_import(ast.parse(file.read_text()))]
        assert [ast.unparse(node) for node in loading if _translates(node)] == []


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that runs when a module is imported: all but the bodies of functions."""
    yield node
    inside = ast.iter_child_nodes(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = iter([*node.decorator_list, node.args])
    elif isinstance(node, ast.Lambda):
        inside = iter([node.args])
    for child in inside:
        yield from _at_import(child)


def _translates(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("_", "pluralize", "ngettext")
    )


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """A server that answers two requests when both are there, each with the language it speaks."""
    both = asyncio.Barrier(2)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await both.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": spoken().encode(), "more_body": False})

    port = free_port()
    server = Server(
        in_their_language(app),
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGINL,
        log_level=LogLevels.error,
    )
    serving = asyncio.create_task(server.serve())
    await until_listening(port, serving)
    yield port
    server.stop()  # type: ignore[no-untyped-call] # Granian does not say
    await serving


async def test_two_who_ask_at_once_are_each_answered_in_their_own_language(
    french: None, port: int
) -> None:
    async def answered(client: AsyncClient, language: str) -> str:
        answer = await client.get("/", headers={"accept-language": language})
        return answer.text

    async with AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        for _number in range(5):
            together = [answered(client, language) for language in ("fr", "en")]
            assert await asyncio.gather(*together) == ["fr", "en"]
    assert spoken() == "en"
