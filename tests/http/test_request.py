from __future__ import annotations

from typing import Any

import pytest

from commonroom.http.request import Request

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "scheme": "http",
    "path": "/things",
    "query_string": b"a=1&b=%C3%A9&a=2&c",
    "headers": [
        (b"host", b"commonroom.test"),
        (b"accept", b"*/*"),
        (b"content-type", b" Text/Plain ; charset=utf-8"),
        (b"accept", b"text/html"),
    ],
    "server": ("commonroom.test", 80),
}


class TestARequest:
    def test_has_what_the_server_was_sent(self) -> None:
        request = Request({**SCOPE, "state": {}})
        assert (request.method, request.path) == ("POST", "/things")
        assert request.headers["host"] == "commonroom.test"
        assert request.headers["accept"] == "*/*"
        assert request.query_params == {"a": "2", "b": "é", "c": ""}
        assert request.content_type == "text/plain"

    def test_prepares_nothing_before(self) -> None:
        scope: dict[str, Any] = {**SCOPE, "state": {}}
        request = Request(scope)
        assert (request.method, scope["state"]) == ("POST", {})
        assert scope.keys() == {*SCOPE, "state"}

    def test_has_one_moment_until_it_starts_anew_as_a_stream_does(self) -> None:
        scope: Any = {**SCOPE, "state": {"caller": "somebody", "other": 1}}
        request = Request(scope)
        first = request.now
        assert request.now == first
        request.start_anew()
        assert scope["state"] == {"other": 1}
        assert request.now >= first

    def test_has_nothing_else(self) -> None:
        request: Any = Request({**SCOPE, "state": {}})
        with pytest.raises(AttributeError):
            _ = request.nothing
