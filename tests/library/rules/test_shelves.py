"""What stands together on a shelf, wherever a page cuts it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonroom.library.rules.shelves import free_place, group_entries, next_place
from commonroom.library.tables import Book, Collection, Video
from commonroom.texts import collation_key

PLACE: dict[str, Any] = {"owner_id": "O", "library_id": "L"}
NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=100),
    st.text("aáAÅ#_ !b", min_size=1, max_size=6),
    st.sampled_from(["Foo", "foo", "Foo Bar", "Foo#", "Foo!", "🎬", "é" * 100, "#", "́", "ﷺ"]),
)
Entry = Book | Video | Collection


def collection(name: str) -> Collection:
    return Collection(**PLACE, collection_id=collation_key(name).encode().hex(), name=name)


def book(title: str, of: Collection | None = None, order: int | None = None) -> Book:
    return Book(
        **PLACE,
        item_id="I",
        account_id="a",
        title=title,
        collection_id=None if of is None else of.collection_id,
        collection_name=None if of is None else of.name,
        order=order,
    )


def on_shelf(entries: list[Entry]) -> list[Entry]:
    """In the order in which an index gives them: by the bytes of the key."""
    return sorted(entries, key=lambda one: (key(one).encode(), not isinstance(one, Collection)))


@example(names=["Foo", "Foo Bar"], titles=["Foo", "Foo!", "Foo#1"], members=["a", "b"])
@given(
    names=st.lists(NAMES, min_size=1, max_size=4, unique_by=collation_key),
    titles=st.lists(NAMES, max_size=8),
    members=st.lists(NAMES, min_size=1, max_size=4),
)
def test_members_stand_directly_behind_their_collection_in_their_order(
    names: list[str], titles: list[str], members: list[str]
) -> None:
    collections = [collection(name) for name in names]
    inside = [book(title, one, n + 1) for one in collections for n, title in enumerate(members)]
    shelf = on_shelf([*collections, *inside, *map(book, titles)])

    for one, other in pairwise(shelf):
        if other.collection_id is not None and one.collection_id != other.collection_id:
            # Only a title that is the collection's very name, and so has its key, can be between.
            assert isinstance(other, Collection) or key(one) == f"item#{in_key(other)}"
    groups = {one.collection_id: one for one in group_entries(shelf, None) if one.collection_id}
    for one in collections:
        group = groups[one.collection_id]
        assert group.collection == one
        assert [item.order for item in group.items] == [n + 1 for n in range(len(members))]
    alone = [one for one in group_entries(shelf, None) if one.collection_id is None]
    assert len(alone) == len(titles)


def key(entry: Entry) -> str:
    return str(entry.to_item()["GSI1SK"])


def in_key(member: Book | Video) -> str:
    return collation_key(member.collection_name or "")


class TestGroups:
    FOO: ClassVar = collection("Foo")
    SHELF: ClassVar[list[Entry]] = [
        book("Angelo"),
        FOO,
        book("a", FOO, 1),
        book("b", FOO, 2),
        book("c", FOO, 3),
        book("Zebra"),
    ]

    def test_are_collections_with_their_items_and_items_by_themselves(self) -> None:
        groups = group_entries(self.SHELF, None)
        assert [(one.name, len(one.items)) for one in groups] == [(None, 1), ("Foo", 3), (None, 1)]
        assert not any(one.continues or one.continued for one in groups)

    @pytest.mark.parametrize("cut", [2, 3, 4])
    def test_cut_by_a_page_are_marked_on_both_sides(self, cut: int) -> None:
        before = group_entries(self.SHELF[:cut], self.FOO.collection_id)
        after = group_entries(self.SHELF[cut:], None)
        assert [one.continues for one in before] == [False, True]
        assert [(one.name, one.continued) for one in after] == [("Foo", True), (None, False)]

    @pytest.mark.parametrize("cut", [1, 5])
    def test_cut_between_them_are_not_marked(self, cut: int) -> None:
        before = group_entries(self.SHELF[:cut], self.SHELF[cut].collection_id)
        assert not any(one.continues for one in before)

    def test_of_an_empty_page_are_none(self) -> None:
        assert group_entries([], None) == []


@pytest.mark.parametrize("last, following", [(None, 1), (0, 1), (7, 8), (999, 1000), (1000, None)])
def test_the_next_place_is_behind_the_last(last: int | None, following: int | None) -> None:
    assert next_place(last) == following


def test_the_first_gap_is_free() -> None:
    assert free_place([1, 2, 4, 1000, None]) == 3
    assert free_place(range(1, 1001)) is None
