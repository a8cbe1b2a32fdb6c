"""The short way: when it is taken, and that nothing else is different there."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar, Response, Router
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from commonroom.accounts.tables import tables
from commonroom.errors import Forbidden
from commonroom.http.access import Need, check_access
from commonroom.http.fast_path import fast_path
from commonroom.http.operations import OperationRoute, Operations
from commonroom.http.problems import handle_error
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.http.routes import on_sending
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.http.raw import told

called: list[str] = []


api = Operations("Things")


class Seen(Struct, frozen=True):
    """What an operation saw."""

    path: str
    what: str
    agent: str | None


@api.get("/things/{what:str}", Need.ANYONE)
async def get_thing(request: Request, what: str) -> JsonResponse[Seen]:
    """Get a thing."""
    called.append(what)
    match what:
        case "refused":
            raise Forbidden("Not this one.")
        case "missing":
            raise NotFoundException
        case "broken":
            raise ZeroDivisionError
        case "odd":
            return JsonResponse(Seen(request.url.path, what, object()))  # type: ignore[arg-type] # is the point
    return JsonResponse(Seen(request.url.path, what, request.headers.get("user-agent")))


@api.get("/hidden", Need.SIGNED_IN)
async def get_hidden(request: Request) -> JsonResponse[None]:
    """Get what a guest may not."""
    called.append("hidden")
    return JsonResponse(None)


@pytest.fixture(autouse=True)
def no_calls() -> None:
    """Nothing was called yet."""
    called.clear()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = Store(EmbeddedEngine(tmp_path / "direct.db", tables, durability="OFF"))
    yield store
    await store.close()


def application(store: Store, **added: Any) -> Litestar:
    """Operations, with whatever is added around them."""
    layers = {"guards": [check_access], "exception_handlers": {Exception: handle_error}} | added
    return Litestar(
        [Router("/api/v1", route_handlers=[get_thing, get_hidden])],
        state=State({"store": store}),
        request_class=Request,
        openapi_config=None,
        logging_config=None,
        **layers,
    )


class Long:
    """The application itself, and how often it was asked."""

    def __init__(self, app: Litestar) -> None:
        self.asked = 0
        # Litestar calls this for whatever it sends by itself.
        app.before_send.append(self._count)

    async def _count(self, message: Any, scope: Scope) -> None:
        self.asked += message["type"] == "http.response.start"


@pytest.mark.parametrize(
    "path, headers, method, long",
    [
        ("/api/v1/things/one", {}, "GET", False),
        ("/api/v1/things/one", {"host": "[::1]:8400"}, "GET", False),
        ("/api/v1/things/one/", {}, "GET", True),
        ("/api/v1//things/one", {}, "GET", True),
        ("/api/v1/things/one", {"host": "wrong/host"}, "GET", True),
        ("/api/v1/things/one", {"host": "a@b"}, "GET", True),
        ("/api/v1/things/refused", {}, "GET", True),
        ("/api/v1/things/broken", {}, "GET", True),
        ("/api/v1/nothing", {}, "GET", True),
        ("/api/v1/hidden", {}, "GET", True),
        ("/api/v1/things/one", {}, "HEAD", True),
        ("/api/v1/things/one", {}, "OPTIONS", True),
        ("/api/v1/things/one", {}, "POST", True),
        ("/elsewhere", {}, "GET", True),
    ],
)
async def test_only_the_usual_goes_the_short_way_and_both_answer_the_same(
    store: Store, path: str, headers: dict[str, str], method: str, long: bool
) -> None:
    app = application(store)
    expected = await told(app, path, headers, method=method)
    counted = Long(app)
    assert await told(fast_path(app), path, headers, method=method) == expected
    assert counted.asked == long


@pytest.mark.parametrize("what", ["one", "refused", "missing", "broken", "odd"])
async def test_an_operation_is_called_once_whatever_comes_of_it(
    store: Store, what: str, caplog: pytest.LogCaptureFixture
) -> None:
    app = application(store)
    with caplog.at_level(logging.ERROR):
        short = await told(fast_path(app), f"/api/v1/things/{what}")
        assert called == [what]
        logged = [record.message for record in caplog.records]
        assert short == await told(app, f"/api/v1/things/{what}")
    assert [record.message for record in caplog.records] == logged * 2


async def test_whoever_may_not_is_refused_before_anything_is_called(store: Store) -> None:
    messages = await told(fast_path(application(store)), "/api/v1/hidden")
    assert messages[0]["status"] == 401
    assert called == []


async def test_every_guard_is_asked(store: Store) -> None:
    async def nobody(_: ASGIConnection[Any, Any, Any, Any], __: BaseRouteHandler) -> None:
        raise Forbidden("Nobody may.")

    app = application(store, guards=[check_access, nobody])
    messages = await told(fast_path(app), "/api/v1/things/one")
    assert (messages[0]["status"], called) == (403, [])


async def test_without_any_guard_nothing_goes_the_short_way(store: Store) -> None:
    app = application(store, guards=[])
    counted = Long(app)
    await told(fast_path(app), "/api/v1/things/one")
    assert counted.asked == 1


def marking(app: ASGIApp) -> ASGIApp:
    """A middleware that leaves a mark."""

    async def marked(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"marked", b"yes")]
            await send(message)

        await app(scope, receive, sending)

    return marked


async def mark(response: Response[Any]) -> Response[Any]:
    """Leaves a mark on an answer."""
    response.headers["Marked"] = "yes"
    return response


@pytest.mark.parametrize(
    "added",
    [{"middleware": [marking]}, {"after_request": mark}, {"response_headers": {"Marked": "yes"}}],
)
async def test_what_is_added_around_an_operation_is_not_passed_by(
    store: Store, added: dict[str, Any]
) -> None:
    messages = await told(fast_path(application(store, **added)), "/api/v1/things/one")
    assert (b"marked", b"yes") in messages[0]["headers"]


@on_sending
def marking_what_is_sent(app: ASGIApp) -> ASGIApp:
    """One that says of itself that it does nothing else."""
    return marking(app)


async def see_first(request: Request) -> Response[bytes] | None:
    """Answers one request instead of its operation."""
    early = request.path_params["what"] == "early"
    return Response(b"early", status_code=202) if early else None


@pytest.mark.parametrize("what", ["one", "early"])
async def test_what_fits_the_short_way_is_done_there_as_well(store: Store, what: str) -> None:
    app = application(store, middleware=[marking_what_is_sent], before_request=see_first)
    expected = await told(app, f"/api/v1/things/{what}")
    counted = Long(app)
    assert await told(fast_path(app), f"/api/v1/things/{what}") == expected
    assert (b"marked", b"yes") in expected[0]["headers"]
    assert counted.asked == 0
    assert called == (["one"] * 2 if what == "one" else [])


async def test_what_goes_wrong_is_marked_once(store: Store) -> None:
    app = application(store, middleware=[marking_what_is_sent])
    messages = await told(fast_path(app), "/api/v1/things/refused")
    assert messages[0]["headers"].count((b"marked", b"yes")) == 1


async def test_below_another_path_everything_goes_the_long_way(store: Store) -> None:
    app = application(store)
    counted = Long(app)
    asked = fast_path(app)

    async def below(scope: Any, receive: Receive, send: Send) -> None:
        scope |= {"root_path": "/home", "path": "/home" + scope["path"]}
        await asked(scope, receive, send)

    messages = await told(below, "/api/v1/things/one")
    assert (messages[0]["status"], counted.asked) == (200, 1)


def test_every_operation_says_itself_whether_it_is_plain(store: Store) -> None:
    fits = {"middleware": [marking_what_is_sent], "before_request": see_first}
    for added, plain in (({}, True), (fits, True), ({"middleware": [marking]}, False)):
        app = application(store, **added)
        found = app.asgi_router.handle_routing(path="/api/v1/hidden", method="GET")[1]
        assert isinstance(found, OperationRoute)
        assert found.is_plain is plain
