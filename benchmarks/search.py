"""Searching a large library: every kind of question, once its titles are remembered."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rapidfuzz import process

from benchmarks.library import VOCABULARY
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, limited, speed
from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.search import search
from commonroom.library.service.search_cache import BATCH, SearchCache
from commonroom.library.tables import (
    Book,
    Item,
    Library,
    Video,
    items_by_title,
    media,
    owner_id_of,
    tables,
)
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine

ITEMS = 10_000
ASKED = 200
"""How many questions of each kind."""
ROUNDS, CALLS = 20, 10
MAX_MILLISECONDS = 50
COLD_ROUNDS = 5

AT = "2026-05-31T18:00:00.000Z"
ADA = User(user_id="11111111-2222-4333-8444-555555555555", display_name="Ada", created_at=AT)
SYLLABLES = """
    al an ar ba bel dor en es fa gar hel in ka len lo ma mir na or ra sel ta tor va wen
"""
PATTERNS = (
    "{0}",
    "The {0}",
    "The {0} of {1}",
    "{1} and the {0}",
    "A {0} for {1}",
    "The {0}’s {2}",
    "{1}: {0} of the {2}",
)


async def compare(folder: Path, items: int = ITEMS, asked: int = ASKED) -> list[Comparison]:
    """The first search, then each kind of question, then one kind against a bare scan."""
    store = Store(EmbeddedEngine(folder / "search.db", tables, durability="OFF"))
    shelf = list(shelf_of(items))
    try:
        await store.engine.load(media, [one.to_item() for one in (_library(), *shelf)])
        memory, questions = SearchCache(), _questions(shelf, asked)
        rows = [await _first(store, shelf[0].title, items)]
        await search(Context(store, ADA), memory, shelf[0].title)
        for kind, texts in questions.items():
            taken = [await _milliseconds(store, memory, text) for text in texts]
            what = f"search of {items:,} items, {kind}"
            slow = quantiles(taken, n=20)[-1]
            for which, taking in (("median", median(taken)), ("95 %", slow)):
                name, sentence = (
                    f"{what}, {which}",
                    "How long one search takes once titles are known.",
                )
                rows.append(limited(name, "ms", taking, MAX_MILLISECONDS, asked, sentence=sentence))
        return [*rows, await _against_scan(store, memory, shelf, questions["with a slip"])]
    finally:
        await store.close()


async def _first(store: Store, text: str, items: int) -> Comparison:
    """A search with nothing remembered; most of it is making the card index."""

    async def ours() -> None:
        await search(Context(store, ADA), SearchCache(), text)

    async def theirs() -> None:
        asked = items_by_title(owner_id=owner_id_of(ADA.user_id))
        assert len([one async for one in store.all(asked, limit=BATCH)]) == items

    taken = await in_turns(ours, theirs, calls=1, rounds=COLD_ROUNDS)
    return speed(
        f"first search of {items:,} items",
        *typical(*taken),
        COLD_ROUNDS,
        against="only reading them",
        sentence="A search with nothing remembered, which reads all titles and makes the index.",
    )


async def _milliseconds(store: Store, memory: SearchCache, text: str) -> float:
    start = time.perf_counter()
    await search(Context(store, ADA), memory, text)
    return (time.perf_counter() - start) * 1000


async def _against_scan(
    store: Store, memory: SearchCache, shelf: Sequence[Item], texts: Sequence[str]
) -> Comparison:
    """Both find ten; the scan compares the text with every title, and looks at nothing else."""
    titles = [one.title for one in shelf]
    some = texts[:CALLS]

    async def ours() -> None:
        for text in some:
            await search(Context(store, ADA), memory, text)

    async def theirs() -> None:
        for text in some:
            process.extract(text, titles, limit=10)

    taken = await in_turns(ours, theirs, calls=len(some), rounds=ROUNDS)
    return speed(
        f"search of {len(shelf):,} items with a slip",
        *typical(*taken),
        ROUNDS,
        against="a bare rapidfuzz scan",
        sentence="A search for a misspelt word; the scan compares it with every title.",
    )


def _questions(shelf: Sequence[Item], asked: int) -> Mapping[str, Sequence[str]]:
    chance = random.Random(1)
    words = [max(one.title.split(), key=len) for one in chance.choices(shelf, k=asked)]
    return {
        "a whole title": [one.title for one in chance.choices(shelf, k=asked)],
        "a beginning": [word[: chance.randint(2, 4)] for word in words],
        "one letter": [word[0] for word in words],
        "with a slip": [_slipped(word, chance) for word in words],
        "two words": [f"{word} {chance.choice(words)[:3]}" for word in words],
        "nothing found": [f"{word}xqz" for word in words],
    }


def _slipped(word: str, chance: random.Random) -> str:
    place = chance.randrange(len(word))
    return word[:place] + chance.choice("aeinrst") + word[place + 1 :]


def _library() -> Library:
    return Library(
        owner_id=owner_id_of(ADA.user_id),
        library_id="HOME",
        library_name="Home",
        account_id=ADA.user_id,
        updated_at=AT,
    )


def shelf_of(items: int) -> Iterator[Item]:
    """Titles of common words and invented names; two people to each, everybody with several."""
    chance = random.Random(0)
    nouns = [word.title() for word in VOCABULARY.split()]
    name = partial(_name, chance)
    names, people = (
        [name() for _ in range(items // 2)],
        [f"{name()} {name()}" for _ in range(items // 3)],
    )
    series = [f"The {chance.choice(nouns)} of {one}" for one in names[: items // 50 + 1]]
    for number in range(items):
        of = chance.choice(PATTERNS)
        common: dict[str, Any] = {
            "owner_id": owner_id_of(ADA.user_id),
            "library_id": "HOME",
            "library_name": "Home",
            "account_id": ADA.user_id,
            "item_id": f"{number:032X}",
            "title": of.format(chance.choice(nouns), chance.choice(names), chance.choice(nouns)),
            "summary": " ".join(chance.choices(nouns, k=40)),
            "created_at": AT,
            "updated_at": AT,
        }
        if number % 4 == 0:
            common |= {"collection_id": "S", "collection_name": chance.choice(series), "order": 1}
        some = chance.choices(people, k=2)
        yield Book(**common, authors=some) if number % 3 else Video(**common, directors=some)


def _name(chance: random.Random) -> str:
    return "".join(chance.choices(SYLLABLES.split(), k=chance.randint(2, 4))).title()
