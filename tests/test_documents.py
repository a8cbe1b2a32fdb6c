"""Links and pictures of all documents resolve, and the commands of the README exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click import Context
from markdown_it import MarkdownIt
from markdown_it.token import Token

from commonroom.accounts.demo import PASSWORD
from commonroom.cli import main

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MAX_PICTURE_BYTES = 60_000
MARKDOWN = MarkdownIt("commonmark").enable("table")


def tokens(document: Path) -> list[Token]:
    """Returns the Markdown tokens of a document, inline ones included."""
    parsed = MARKDOWN.parse(document.read_text())
    return [part for block in parsed for part in (block, *(block.children or []))]


def local_links(document: Path) -> list[str]:
    """Returns where links and pictures of a document point within the repository."""
    found = (part.attrGet("href") or part.attrGet("src") for part in tokens(document))
    return [str(one) for one in found if one and not re.match("(https?|mailto):", str(one))]


def anchors(document: Path) -> set[str]:
    """Returns the fragments that GitHub gives to a document's headings."""
    parsed = MARKDOWN.parse(document.read_text())
    headings = [
        parsed[place + 1].content for place, one in enumerate(parsed) if one.type == "heading_open"
    ]
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def resolves(document: Path, address: str) -> bool:
    """Returns whether the file that a link points to exists, and has the heading it names."""
    path, _, fragment = address.partition("#")
    target = document.parent / path if path else document
    return target.exists() and (not fragment or fragment in anchors(target))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: str(one.relative_to(ROOT)))
def test_every_link_and_picture_of_a_document_resolves(document: Path) -> None:
    assert [one for one in local_links(document) if not resolves(document, one)] == []


def test_dead_links_and_missing_pictures_are_found(tmp_path: Path) -> None:
    document = tmp_path / "here.md"
    document.write_text(
        "# A heading, here\n[1](#a-heading-here) [2](#gone) ![3](gone.webp) [4](here.md#gone)\n\n"
        "| |\n|---|\n| [![5](gone.png)](gone.md) |\n\n[6](https://example.org) [7](here.md)\n"
    )
    missing = ["#gone", "gone.webp", "here.md#gone", "gone.md", "gone.png"]
    assert [one for one in local_links(document) if not resolves(document, one)] == missing


def test_every_picture_is_small_and_shown_in_the_readme() -> None:
    pictures = set((ROOT / "docs" / "pictures").iterdir())
    shown = {(ROOT / one).resolve() for one in local_links(ROOT / "README.md")}
    assert pictures <= shown
    assert [one.name for one in pictures if one.stat().st_size > MAX_PICTURE_BYTES] == []


def test_commands_of_the_readme_exist() -> None:
    written = code(ROOT / "README.md")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = set(main.list_commands(Context(main)))
    assert set(re.findall(r"\bmake ([a-z]+)", written)) <= targets
    assert set(re.findall(r"\bcommonroom ([a-z]+)", written)) <= commands
    assert PASSWORD in written


def code(document: Path) -> str:
    """Returns the code of a document."""
    kinds = ("code_block", "code_inline", "fence")
    return "\n".join(part.content for part in tokens(document) if part.type in kinds)
