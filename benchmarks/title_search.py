"""Searching 100,000 films and shows as one types, in process, against bare FTS5 queries."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import apsw

from benchmarks.library import VOCABULARY
from benchmarks.measuring import Round, in_turns, typical
from benchmarks.report import Comparison, cost, limited
from benchmarks.search import PATTERNS, SYLLABLES
from commonroom.search.documents import Document
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.embedded.index_file import open_to_read
from commonroom.search.embedded.reads import BODY, search
from commonroom.search.embedded.schema import decode
from commonroom.search.queries import SearchQuery

TITLES, ASKED, PAGE = 100_000, 300, 20
BATCH = 2_000
MEDIAN_MILLISECONDS, SLOW_MILLISECONDS = 5, 20
ROUNDS, CALLS = 20, 40
SENTENCE = f"How long {PAGE} results take, in this process, with nothing kept of earlier searches."
AGAINST_SENTENCE = (
    "By hand these are the same queries to FTS5 in the same file, worked out beforehand, and the "
    "same documents, with nothing ranked."
)


async def compare(folder: Path, titles: int = TITLES, asked: int = ASKED) -> list[Comparison]:
    """Each kind of question by median and by its slow ones; then those as typed against FTS5."""
    path = folder / "search.db"
    index = EmbeddedIndex(path)
    documents = list(_documents(titles))
    try:
        for start in range(0, titles, BATCH):
            some = {one.key: one for one in islice(documents, start, start + BATCH)}
            await index.apply(await index.ticket(), some)
        await index.state()
        questions = _questions(documents, asked)
        rows = []
        for kind, texts in questions.items():
            taken = [await _milliseconds(index, text) for text in texts]
            what = f"search of {titles:,} titles, {kind}"
            slow = quantiles(taken, n=20)[-1]
            for which, taking, most in (
                ("median", median(taken), MEDIAN_MILLISECONDS),
                ("95 %", slow, SLOW_MILLISECONDS),
            ):
                name = f"{what}, {which}"
                rows.append(limited(name, "ms", taking, most, asked, sentence=SENTENCE))
        return [*rows, await _against_fts5(index, path, titles, questions["as one types"])]
    finally:
        await index.close()


async def _milliseconds(index: EmbeddedIndex, text: str) -> float:
    start = time.perf_counter()
    await index.search(SearchQuery(text=text, limit=PAGE))
    return (time.perf_counter() - start) * 1000


async def _against_fts5(
    index: EmbeddedIndex, path: Path, titles: int, texts: Sequence[str]
) -> Comparison:
    some = random.Random(3).choices(texts, k=CALLS)
    taken = await in_turns(
        _searching(index, some), _by_hand(path, some), calls=CALLS, rounds=ROUNDS
    )
    return cost(
        f"search of {titles:,} titles, as one types",
        *typical(*taken),
        ROUNDS,
        against="bare FTS5 queries",
        sentence=AGAINST_SENTENCE,
        at_most=1.5,
    )


def _searching(index: EmbeddedIndex, texts: Sequence[str]) -> Round:
    async def ask() -> None:
        for text in texts:
            await index.search(SearchQuery(text=text, limit=PAGE))

    return ask


def _by_hand(path: Path, texts: Sequence[str]) -> Round:
    """The statements that each search makes, as they were noted, and nothing around them."""
    connection = open_to_read(path)
    execute = connection.execute
    noted = [_statements(connection, text) for text in texts]

    async def ask() -> None:
        for statements in noted:
            for sql, bindings in statements:
                found: list[Any] = execute(sql, bindings).fetchall()
                if sql == BODY:
                    decode(found[0][0])

    return ask


def _statements(connection: apsw.Connection, text: str) -> list[tuple[str, Any]]:
    noted: list[tuple[str, Any]] = []

    def note(_: object, sql: str, bindings: Any) -> bool:
        noted.append((sql, bindings))
        return True

    connection.exec_trace = note
    search(connection, SearchQuery(text=text, limit=PAGE))
    connection.exec_trace = None
    return noted


def _questions(documents: Sequence[Document], asked: int) -> Mapping[str, Sequence[str]]:
    chance = random.Random(1)
    titles = [one.title for one in chance.choices(documents, k=asked)]
    words = [max(title.split(), key=len) for title in titles]
    return {
        "as one types": [title[: chance.randint(1, len(title))] for title in titles],
        "a whole title": titles,
        "a beginning": [title[: chance.randint(4, 8)] for title in titles],
        "one or two letters": [word[: chance.randint(1, 2)] for word in words],
        "with a slip": [_slipped(word, chance) for word in words],
        "nothing found": [f"{word}xqz" for word in words],
    }


def _slipped(word: str, chance: random.Random) -> str:
    place = chance.randrange(len(word))
    return word[:place] + chance.choice("aeinrst") + word[place + 1 :]


def _documents(count: int) -> Iterator[Document]:
    """Titles of common words and invented names, with people and a synopsis; few well known."""
    chance = random.Random(0)
    nouns = [word.title() for word in VOCABULARY.split()]
    names = ["".join(chance.choices(SYLLABLES.split(), k=3)).title() for _ in range(count // 4 + 9)]
    for number in range(count):
        kind = "film" if number % 5 else "show"
        pattern, name = chance.choice(PATTERNS), chance.choice(names)
        yield Document(
            kind=kind,
            id=str(number),
            title=pattern.format(chance.choice(nouns), name, chance.choice(nouns)),
            address=f"/{kind}s/{number}",
            names=tuple(f"{chance.choice(names)} {chance.choice(names)}" for _ in range(5)),
            text=" ".join(chance.choices(nouns, k=30)),
            year=1930 + number % 95,
            genres=("Drama", "Comedy"),
            popularity=int(1000 * chance.random() ** 4),
        )
