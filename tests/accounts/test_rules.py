"""Decisions about people: what may be chosen, and who may act for whom."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts import rules
from commonroom.accounts.tables import AddressClaim, User, accounts
from commonroom.errors import Forbidden, InvalidField
from commonroom.store.limits import check_key


def person(user_id: str, *, parent: str | None = None) -> User:
    return User(
        user_id=user_id,
        display_name="Somebody",
        is_managed=parent is not None,
        parent_user_id=parent,
        created_at="2026-11-15T20:00:00.000Z",
    )


class TestADisplayName:
    @pytest.mark.parametrize(
        "typed, shown",
        [
            ("Ada", "Ada"),
            ("  Ada \t Lovelace\n", "Ada Lovelace"),
            ("E\u0301ve", "Éve"),
            ("x" * 30, "x" * 30),
            ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
            ("<b>&", "<b>&"),
        ],
    )
    def test_is_trimmed_and_on_one_line(self, typed: str, shown: str) -> None:
        assert rules.display_name(typed) == shown

    @pytest.mark.parametrize("typed", ["", " \n", "x" * 31, "\u200d", " \u200d\u200d "])
    def test_has_1_to_30_characters(self, typed: str) -> None:
        with pytest.raises(InvalidField, match=r"Enter a name|at most 30") as caught:
            rules.display_name(typed)

        assert caught.value.field == "display_name"

    @pytest.mark.parametrize("sign", ["\x00", "\u202e", "\u200b", "\u200d", "\ud800"])
    def test_holds_nothing_invisible(self, sign: str) -> None:
        assert rules.display_name(f"A{sign}a") == "Aa"

    @given(st.text(max_size=40))
    def test_is_refused_or_stays_as_it_is(self, typed: str) -> None:
        try:
            shown = rules.display_name(typed)
        except InvalidField:
            return
        assert rules.display_name(shown) == shown


class TestAnAddress:
    @pytest.mark.parametrize(
        "typed, kept",
        [
            ("ada@example.org", "ada@example.org"),
            ("  Ada.Lovelace+films@Example.ORG\n", "Ada.Lovelace+films@Example.ORG"),
            ("o'neil_%!@mail.example.co.uk", "o'neil_%!@mail.example.co.uk"),
            ("e\u0301ve@exämple.org", "éve@exämple.org"),
            ("x" * 242 + "@example.org", "x" * 242 + "@example.org"),
        ],
    )
    def test_is_kept_as_typed_but_for_space_around_it(self, typed: str, kept: str) -> None:
        assert rules.address(typed) == kept
        assert rules.sought_address(typed) == kept

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            " ",
            "ada",
            "ada@example",
            "@example.org",
            "ada@",
            "ada@.org",
            "ada@example.",
            "a b@example.org",
            "ada@eve@example.org",
            "Ada <ada@example.org>",
            "ada@example.<b>",
            "ada@example.org,eve",
            "ada@example.org;eve",
            "ada@example.org\r\nBcc: eve",
            "a#b@example.org",
            "ada@example.o#rg",
            "a\x00a@example.org",
            "a\u200ba@example.org",
            "a\ud800a@example.org",
            "x" * 243 + "@example.org",
        ],
    )
    def test_is_refused_when_it_does_not_look_like_one(self, typed: str) -> None:
        with pytest.raises(InvalidField) as caught:
            rules.address(typed)

        assert caught.value.field == "email"
        assert rules.sought_address(typed) is None

    @given(st.from_regex(r"[^\s@]+@[^\s@]+\.[^\s@]+", fullmatch=True) | st.text())
    def test_that_is_not_refused_can_be_claimed(self, typed: str) -> None:
        kept = rules.sought_address(typed)
        if kept is not None:
            check_key(accounts, AddressClaim.at(address=kept).key)


class TestAPassword:
    @pytest.mark.parametrize("length", [10, 200])
    def test_has_10_to_200_characters(self, length: int) -> None:
        fit = ("abcd" * 50)[:length]

        assert rules.password(fit) == fit

    def test_counts_characters_and_not_bytes(self) -> None:
        with pytest.raises(InvalidField, match="at least 10 characters"):
            rules.password("éèàüöäñçß")
        assert rules.password("éèàüöäñçßø")

    def test_counts_characters_however_the_keyboard_makes_them(self) -> None:
        with pytest.raises(InvalidField, match="at least 10 characters"):
            rules.password(unicodedata.normalize("NFD", "éèàüö1234"))

    def test_says_which_end_it_misses(self) -> None:
        with pytest.raises(InvalidField, match="at least 10") as caught:
            rules.password("abcdefghi")
        assert caught.value.field == "password"
        with pytest.raises(InvalidField, match="at most 200"):
            rules.password("abcd" * 50 + "e")

    @pytest.mark.parametrize("common", ["1234567890", "qwertyuiop", "Password123", "QWERTY12345"])
    def test_is_not_a_common_one_in_whatever_case(self, common: str) -> None:
        with pytest.raises(InvalidField, match="too common"):
            rules.password(common)

    @pytest.mark.parametrize("simple", ["aaaaaaaaaaaa", "abababababab", "AaBbCcAaBbCc"])
    def test_has_more_than_three_different_characters(self, simple: str) -> None:
        with pytest.raises(InvalidField, match="too common"):
            rules.password(simple)

    @pytest.mark.parametrize("own", ["ada lovelace", "ADA@example.org"])
    def test_is_not_ones_own_name_or_address(self, own: str) -> None:
        about = ("ada@example.org", "Ada Lovelace")

        with pytest.raises(InvalidField, match="your name or e-mail address"):
            rules.password(own, about=about)
        assert rules.password(f"{own} and more", about=about)

    def test_may_be_anything_else_where_nothing_is_known_about_a_person(self) -> None:
        assert rules.password("  spaces stay  ", about=("", "")) == "  spaces stay  "


class TestActingAs:
    def test_a_parent_may_act_for_a_member_they_manage(self) -> None:
        member = person("managed_1", parent="ada")

        assert rules.may_act_as(person("ada"), member) is member

    @pytest.mark.parametrize(
        "member",
        [None, person("ada"), person("ben"), person("managed_1", parent="ben")],
        ids=["nobody", "themselves", "another account", "another's member"],
    )
    def test_nobody_may_act_for_anybody_else(self, member: User | None) -> None:
        with pytest.raises(Forbidden):
            rules.may_act_as(person("ada"), member)

    def test_an_account_that_only_names_a_parent_is_not_managed(self) -> None:
        odd = User(user_id="ben", display_name="Ben", parent_user_id="ada", created_at="2026-11-15")

        with pytest.raises(Forbidden):
            rules.may_act_as(person("ada"), odd)


class TestAChoice:
    def test_of_a_picture_is_among_those_that_exist(self) -> None:
        assert rules.avatar("owl") == "owl"
        with pytest.raises(InvalidField) as caught:
            rules.avatar("../owl")
        assert caught.value.field == "avatar_key"

    def test_of_a_language_is_among_those_that_we_speak(self) -> None:
        assert rules.language("en") == "en"
        with pytest.raises(InvalidField) as caught:
            rules.language("tlh")
        assert caught.value.field == "language"

    def test_of_a_time_zone_is_among_those_that_calendars_know(self) -> None:
        assert rules.time_zone("Europe/Zurich") == "Europe/Zurich"
        for wrong in ("", "Mars/Olympus", "../etc/passwd"):
            with pytest.raises(InvalidField) as caught:
                rules.time_zone(wrong)
            assert caught.value.field == "time_zone"
