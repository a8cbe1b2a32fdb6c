import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.cursors import MAX_CURSOR, Cursors
from commonroom.store.errors import BadCursor

ALPHABET = string.ascii_letters + string.digits + "-_"
keys = st.one_of(st.text(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False))
cursors = Cursors(Cursors.new_key())


class TestACursor:
    @given(position=st.dictionaries(st.text(), keys), query=st.lists(keys))
    def test_gives_back_to_its_query_what_was_sealed(
        self, position: dict[str, object], query: list[object]
    ) -> None:
        assert cursors.open(cursors.seal(position, query), query) == position

    def test_is_made_of_letters_that_a_link_can_carry(self) -> None:
        assert set(cursors.seal({"PK": "a" * 999}, "query")) <= set(ALPHABET)

    def test_is_never_the_same_twice(self) -> None:
        assert cursors.seal("here", "query") != cursors.seal("here", "query")

    def test_with_any_one_letter_changed_is_refused(self) -> None:
        cursor = cursors.seal({"PK": "a", "SK": "b"}, "query")
        for place, letter in enumerate(cursor):
            for other in ALPHABET.replace(letter, "")[:: 1 if place > len(cursor) - 3 else 9]:
                with pytest.raises(BadCursor):
                    cursors.open(cursor[:place] + other + cursor[place + 1 :], "query")

    @pytest.mark.parametrize("length", range(0, 40, 3))
    def test_that_is_cut_short_is_refused(self, length: int) -> None:
        with pytest.raises(BadCursor):
            cursors.open(cursors.seal("here", "query")[:length], "query")

    @pytest.mark.parametrize("end", ["=", "A", " ", "\n", "é", "\ud800", "%00"])
    def test_with_something_at_its_end_is_refused(self, end: str) -> None:
        with pytest.raises(BadCursor):
            cursors.open(cursors.seal("here", "query") + end, "query")

    def test_spelled_in_the_other_alphabet_is_refused(self) -> None:
        cursor = next(
            cursor
            for cursor in (cursors.seal("here", "query") for _ in range(1000))
            if {"-", "_"} & set(cursor)
        )
        with pytest.raises(BadCursor):
            cursors.open(cursor.replace("-", "+").replace("_", "/"), "query")

    @given(st.text())
    def test_that_somebody_made_up_is_refused(self, cursor: str) -> None:
        with pytest.raises(BadCursor):
            cursors.open(cursor, "query")

    def test_of_absurd_length_is_refused_unread(self) -> None:
        with pytest.raises(BadCursor):
            cursors.open("A" * (MAX_CURSOR + 1), "query")

    def test_of_another_query_is_refused(self) -> None:
        with pytest.raises(BadCursor):
            cursors.open(cursors.seal("here", ["World", 1]), ["World", "1"])

    def test_of_another_key_is_refused(self) -> None:
        with pytest.raises(BadCursor):
            Cursors(Cursors.new_key()).open(cursors.seal("here", "query"), "query")

    def test_is_refused_with_one_sentence_that_tells_nothing(self) -> None:
        with pytest.raises(BadCursor) as caught:
            cursors.open("nonsense", "query")
        assert (caught.value.status, caught.value.detail.count(".")) == (400, 1)
