"""Headers and cookies of a request, however often a name comes in it."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.http.headers import cookie_in, header_in, headers_in, host_in


def scope(*headers: tuple[str, str]) -> Any:
    """A request with these headers."""
    return {"headers": [(name.encode(), value.encode("latin-1")) for name, value in headers]}


class TestAHeader:
    def test_is_the_first_of_its_name(self) -> None:
        asked = scope(("accept", "a"), ("x-one", "1"), ("accept", "b"))
        assert header_in(asked, "accept") == header_in(asked, "accept") == "a"
        assert headers_in(asked, "accept") == ["a", "b"]

    def test_that_is_not_there_is_none(self) -> None:
        assert header_in(scope(), "accept") is None

    def test_may_hold_any_byte(self) -> None:
        assert header_in(scope(("x-one", "\xff\x80")), "x-one") == "\xff\x80"


class TestACookie:
    def test_is_found_in_any_of_several_headers(self) -> None:
        asked = scope(("cookie", "a=1; b=2"), ("host", "x"), ("cookie", "c=3"))
        assert [cookie_in(asked, name) for name in "abcd"] == ["1", "2", "3", None]

    def test_has_its_whole_name(self) -> None:
        assert cookie_in(scope(("cookie", "xsession=1; session2=2")), "session") is None

    def test_is_none_where_no_cookie_is_sent(self) -> None:
        assert cookie_in(scope(("host", "x")), "session") is None


class TestAHost:
    @pytest.mark.parametrize(
        "given, host",
        [
            ("Home.example:8400", "home.example"),
            ("home.example.", "home.example"),
            ("[::1]:8400", "::1"),
            ("home.example/", None),
            ("a@b", None),
            ("x" * 400, None),
        ],
    )
    def test_is_read_without_its_port(self, given: str, host: str | None) -> None:
        assert host_in(scope(("host", given))) == host

    def test_that_is_said_twice_is_none(self) -> None:
        assert host_in(scope(("host", "a"), ("host", "b"))) is None
