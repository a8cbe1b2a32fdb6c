"""The application as Litestar registers its routes: sooner than its own, and the same."""

from __future__ import annotations

from typing import Any

from litestar import Litestar, Router, get, post
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.testing import TestClient

from commonroom.web.litestar_app import App, share_declarations

asked: list[str] = []


def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    asked.append(f"{connection.url.path} {handler.opt['of']}")


@get("/things", of="pages")
async def read() -> str:
    return "read"


@post("/things", of="api", status_code=200)
async def write() -> str:
    return "written"


@get("/things/{number:int}", of="api")
async def one(number: FromPath[int]) -> str:
    return str(number)


def made(kind: type[Litestar], routers: list[Router]) -> Litestar:
    share_declarations()
    return kind(routers, guards=[guard], openapi_config=None)


class TestAnApplication:
    def test_has_the_same_routes_as_litestars_own(self) -> None:
        routers = [Router("/", route_handlers=[read, write]), Router("/", route_handlers=[one])]

        ours, theirs = made(App, routers), made(Litestar, routers)

        assert [(one.path, sorted(one.methods)) for one in ours.routes] == [
            (one.path, sorted(one.methods)) for one in theirs.routes
        ]
        assert {
            path: sorted(map(str, found)) for path, found in ours.route_handler_method_map.items()
        } == {
            path: sorted(map(str, found)) for path, found in theirs.route_handler_method_map.items()
        }

    def test_can_be_made_of_the_same_routers_twice_each_with_its_own_guards(self) -> None:
        routers = [Router("/", route_handlers=[read, write]), Router("/", route_handlers=[one])]
        made(App, routers)
        asked.clear()

        with TestClient(made(App, routers)) as client:
            answers = [client.get("/things"), client.post("/things"), client.get("/things/7")]

        assert [one.text for one in answers] == ["read", "written", "7"]
        assert asked == ["/things pages", "/things api", "/things/7 api"]
