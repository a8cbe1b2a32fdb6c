"""Counts are derived from relations; what adds to one by hand is listed, with its reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from commonroom.model import MODEL
from commonroom.store.declare.relations import Count

SOURCE = Path(__file__).parent.parent.parent / "src" / "commonroom"
BY_HAND = {
    "hangouts/service/attendance.py waiting_count": "with the waiting list, in its order",
    "hangouts/service/ideas.py idea_count": "of a group: a list takes its ideas along at once",
    "hangouts/service/members.py group_count": "with the groups that a person lists",
    "library/service/shelves.py item_count": "with the last place of a collection",
    "movienight/checks/films.py wish_count": "raises the version of the household",
    "movienight/service/members.py member_count": "with the members that a household lists",
    "movienight/service/wishes.py wish_count": "raises the version of the household",
    "shareables/service/answers.py answer_count": "of a network, which goes with its last answer",
    "shareables/service/polls.py vote_count": "with the tally",
    "watchlists/checks/lists.py list_count": "once both sides of a pair are there",
    "watchlists/checks/lists.py save_count": "once both sides of a pair are there",
    "watchlists/checks/people.py follower_count": "once both sides of a pair are there",
    "watchlists/service/items.py added_count": "of all that were ever added",
}


def added_by_hand(path: Path) -> Iterator[str]:
    """Yields the counts that a module adds to."""
    for node in ast.walk(ast.parse(path.read_text())):
        named: list[tuple[object, ast.expr]] = []
        if isinstance(node, ast.keyword):
            named = [(node.arg, node.value)]
        elif isinstance(node, ast.Dict):
            keys = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
            named = [*zip(keys, node.values, strict=True)]
        for name, value in named:
            is_added = isinstance(value, ast.Call) and ast.unparse(value.func) == "add"
            if is_added and isinstance(name, str) and name.endswith("_count"):
                yield name


def test_what_adds_to_a_count_by_hand_is_listed() -> None:
    modules = [path for path in SOURCE.rglob("*.py") if SOURCE / "store" not in path.parents]
    found = {
        f"{path.relative_to(SOURCE)} {name}" for path in modules for name in added_by_hand(path)
    }
    assert found == BY_HAND.keys()


def test_what_a_relation_counts_nothing_else_adds_to() -> None:
    """But for checks that restore a pair, whose other side counts."""
    derived = {
        (one.on.schema.table.room, one.field) for one in MODEL.relations if isinstance(one, Count)
    }
    by_hand = {tuple(one.split(" ")) for one in BY_HAND if "/service/" in one}
    added = {(path.split("/")[0], field) for path, field in by_hand}
    assert derived & added == {("hangouts", "idea_count")}, "of a list, and of a group by hand"
