import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.store.declare.forms import (
    SORT_FORM_BYTES,
    lower_form,
    millisecond_form,
    plain_form,
    sort_form,
)
from commonroom.store.errors import BadKey


class TestTheSortForm:
    @pytest.mark.parametrize(
        "text, form",
        [
            ("The Hobbit", "the_hobbit"),
            ("Ärger", "arger"),
            ("Émile Zola", "emile_zola"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("  a \t b\n", "_a_b_"),
            ("C# in a Nutshell", "c_in_a_nutshell"),
            ("ﬁne", "fine"),
            ("Ⅷ", "viii"),
            ("日本語", "日本語"),
            ("!", "_"),
            ("###", "_"),
            ("", "_"),
        ],
    )
    def test_folds_what_readers_do_not_sort_by(self, text: str, form: str) -> None:
        assert sort_form(text) == form

    @given(st.text())
    def test_is_never_empty_and_never_ends_a_part_of_a_key(self, text: str) -> None:
        form = sort_form(text)

        assert form
        assert "#" not in form
        assert len(form.encode()) <= SORT_FORM_BYTES

    @given(st.text())
    def test_does_not_tell_spellings_of_one_text_apart(self, text: str) -> None:
        composed = unicodedata.normalize("NFC", text)
        decomposed = unicodedata.normalize("NFD", text)

        assert sort_form(composed) == sort_form(decomposed)

    @given(st.text(st.characters(codec="utf-8"), min_size=1), st.text(min_size=1))
    def test_puts_what_belongs_to_a_text_before_all_longer_texts(
        self, text: str, more: str
    ) -> None:
        own, longer = sort_form(text), sort_form(text + more)
        if longer.startswith(own) and longer != own:
            assert f"{own}#anything".encode() < longer.encode()

    def test_is_cut_at_a_whole_character(self) -> None:
        form = sort_form("語" * 1000)

        assert set(form) == {"語"}
        assert len(form.encode()) > SORT_FORM_BYTES - 3


class TestThePlainForm:
    def test_leaves_out_case_spaces_and_dashes(self) -> None:
        assert plain_form("Ab-Cd 12") == "abcd12"

    @pytest.mark.parametrize("text", ["-", "  ", "- -"])
    def test_refuses_text_of_which_nothing_is_left(self, text: str) -> None:
        with pytest.raises(BadKey):
            plain_form(text)


class TestTheLowerForm:
    @given(st.emails())
    def test_does_not_tell_cases_apart(self, address: str) -> None:
        assert lower_form(address.upper()) == lower_form(address.lower())


class TestTheMillisecondForm:
    @pytest.mark.parametrize(
        "text",
        [
            "2026-05-31T18:00:00Z",
            "2026-05-31T18:00:00.000Z",
            "2026-05-31T20:00:00+02:00",
            "2026-05-31T18:00:00.000999+00:00",
            "20260531T180000Z",
        ],
    )
    def test_writes_a_moment_in_one_way(self, text: str) -> None:
        assert millisecond_form(text) == "2026-05-31T18:00:00.000Z"

    @given(
        st.lists(
            st.datetimes(datetime(1000, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)),
            min_size=2,
            max_size=2,
        ),
        st.integers(-23, 23),
    )
    def test_sorts_as_moments_do(self, moments: list[datetime], hours: int) -> None:
        elsewhere = timezone(timedelta(hours=hours))
        one, other = (moment.replace(microsecond=0) for moment in moments)
        forms = [
            millisecond_form(one.isoformat()),
            millisecond_form(other.astimezone(elsewhere).isoformat()),
        ]

        assert (forms[0] < forms[1]) is (one < other)

    @pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00:00Z", "18:00"])
    def test_refuses_what_is_no_moment(self, text: str) -> None:
        with pytest.raises(BadKey, match="no date and time"):
            millisecond_form(text)

    def test_refuses_a_moment_that_could_be_anywhere(self) -> None:
        with pytest.raises(BadKey, match="time zone"):
            millisecond_form("2026-05-31T18:00:00")

    @pytest.mark.parametrize("text", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"])
    def test_refuses_a_moment_before_or_after_all_years(self, text: str) -> None:
        with pytest.raises(BadKey):
            millisecond_form(text)
