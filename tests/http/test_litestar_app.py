"""The application as Litestar registers its routes: sooner than its own, and the same."""

from __future__ import annotations

from typing import Any

import pytest
from litestar import Litestar, Router, get, post
from litestar.connection import ASGIConnection
from litestar.exceptions import ImproperlyConfiguredException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from commonroom.http.litestar_app import App, share_declarations

asked: list[str] = []


def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    asked.append(f"{connection.url.path} {handler.opt.get('of')}")


@get("/things", of="pages")
async def read() -> str:
    return "read"


@post("/things", of="api", status_code=200)
async def write() -> str:
    return "written"


@get("/things/{number:int}", of="api")
async def one(number: FromPath[int]) -> str:
    return str(number)


def made(kind: type[Litestar]) -> Litestar:
    share_declarations()
    routers = [Router("/", route_handlers=[read, write]), Router("/", route_handlers=[one])]
    return kind(routers, guards=[guard], openapi_config=None)


class TestAnApplication:
    def test_has_the_same_routes_as_litestars_own(self) -> None:
        ours, theirs = made(App), made(Litestar)

        assert [(one.path, sorted(one.methods)) for one in ours.routes] == [
            (one.path, sorted(one.methods)) for one in theirs.routes
        ]
        assert {
            path: sorted(map(str, found)) for path, found in ours.route_handler_method_map.items()
        } == {
            path: sorted(map(str, found)) for path, found in theirs.route_handler_method_map.items()
        }

    def test_can_be_made_of_the_same_routes_twice_each_with_its_own_guards(self) -> None:
        made(App)
        asked.clear()

        with TestClient(made(App)) as client:
            answers = [client.get("/things"), client.post("/things"), client.get("/things/7")]

        assert [one.text for one in answers] == ["read", "written", "7"]
        assert asked == ["/things pages", "/things api", "/things/7 api"]

    def test_shares_nothing_that_a_route_writes_into_with_another(self) -> None:
        first, second = made(App), made(App)

        assert not _written(first) & _written(second)

    def test_refuses_a_router_that_another_has(self) -> None:
        router = Router("/", route_handlers=[read])
        App([router], openapi_config=None)

        with pytest.raises(ImproperlyConfiguredException):
            App([router], openapi_config=None)

    def test_keeps_no_route_twice(self) -> None:
        router = Router("/", route_handlers=[read])
        App([router], openapi_config=None)

        assert router.routes == []

    @pytest.mark.parametrize(
        "path,methods", [("/things", "GET, OPTIONS, POST"), ("/things/7", "GET, OPTIONS")]
    )
    def test_says_which_methods_there_are_at_a_path(self, path: str, methods: str) -> None:
        with TestClient(made(App)) as client:
            answer = client.options(path)

        assert (answer.status_code, answer.headers["Allow"]) == (204, methods)


def _written(app: Litestar) -> set[int]:
    """What the routes of an application write into once they answer."""
    handlers = [
        one for route in app.routes if isinstance(route, HTTPRoute) for one in route.route_handlers
    ]
    return {id(one._response_handler_mapping) for one in handlers}
