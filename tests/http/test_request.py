from __future__ import annotations

from typing import Any

import pytest

from commonroom.http.request import Request

SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "scheme": "http",
    "path": "/things",
    "query_string": b"a=1",
    "headers": [(b"host", b"commonroom.test"), (b"cookie", b"theme=dark"), (b"accept", b"*/*")],
    "server": ("commonroom.test", 80),
}


async def receive() -> Any:
    return {"type": "http.request", "body": b'{"a": 1}', "more_body": False}


class TestARequest:
    async def test_has_all_that_litestar_prepares_once_it_is_wanted(self) -> None:
        scope: Any = {**SCOPE, "state": {}}
        request = Request(scope, receive)
        assert request.headers["host"] == "commonroom.test"
        assert request.cookies == {"theme": "dark"}
        assert request.query_params["a"] == "1"
        assert str(request.url) == "http://commonroom.test/things?a=1"
        assert request.is_connected

    def test_prepares_nothing_before(self) -> None:
        scope: Any = {**SCOPE, "state": {}}
        request = Request(scope, receive)
        assert (request.method, scope["state"]) == ("POST", {})

    def test_has_one_moment_until_it_starts_anew_as_a_stream_does(self) -> None:
        scope: Any = {**SCOPE, "state": {"caller": "somebody", "other": 1}}
        request = Request(scope, receive)
        first = request.now
        assert request.now == first
        request.start_anew()
        assert scope["state"] == {"other": 1}
        assert request.now >= first

    def test_has_nothing_else(self) -> None:
        scope: Any = {**SCOPE, "state": {}}
        request: Any = Request(scope, receive)
        with pytest.raises(AttributeError):
            _ = request.nothing
