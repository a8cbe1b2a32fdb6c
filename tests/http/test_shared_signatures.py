"""Routes that are alike: one signature for all of them, and each its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from litestar import Response, Router
from litestar.params import QueryParameter
from litestar.testing import TestClient

from commonroom.http.access import Need
from commonroom.http.forms import Form, Pages
from commonroom.http.litestar_app import App
from commonroom.http.request import Request

Key = Annotated[str, QueryParameter(max_length=10)]


pages = Pages()


class NameForm(Form):
    name: str


class NumberForm(Form):
    name: int


def said(*words: object) -> Response[Any]:
    return Response(" ".join(map(str, words)), media_type="text/plain")


@pages.page("/one/{key:str}", Need.ANYONE)
async def one(request: Request, key: str) -> Response[Any]:
    return said("one", key)


@pages.page("/two/{key:str}", Need.ANYONE)
async def two(request: Request, key: str) -> Response[Any]:
    return said("two", key)


@pages.page("/three", Need.ANYONE)
async def three(request: Request, key: Key = "") -> Response[Any]:
    return said("three", key)


@pages.page("/four", Need.ANYONE)
async def four(request: Request, key: Key = "four") -> Response[Any]:
    return said(key)


@pages.form("/named", Need.ANYONE)
async def named(request: Request, data: NameForm) -> Response[Any]:
    return said(repr(data.name))


@pages.form("/counted", Need.ANYONE)
async def counted(request: Request, data: NumberForm) -> Response[Any]:
    return said(repr(data.name))


ROUTES = [one, two, three, four, named, counted]


@pytest.fixture
def app() -> App:
    return App([Router("/", route_handlers=ROUTES)], openapi_config=None, request_class=Request)


def model_of(app: App, path: str) -> object:
    [found] = [
        handler.signature_model
        for route in app.routes
        if route.path == path
        for handler in getattr(route, "route_handlers", ())
        if handler.http_methods != {"OPTIONS"}
    ]
    return found


class TestRoutes:
    def test_that_take_the_same_share_how_it_is_read(self, app: App) -> None:
        assert model_of(app, "/one/{key:str}") is model_of(app, "/two/{key:str}")

    @pytest.mark.parametrize(
        "path,other",
        [("/one/{key:str}", "/three"), ("/three", "/four"), ("/named", "/counted")],
    )
    def test_that_take_something_else_do_not(self, app: App, path: str, other: str) -> None:
        assert model_of(app, path) is not model_of(app, other)

    def test_are_each_given_their_own(self, app: App) -> None:
        with TestClient(app) as client:
            read = [client.get(path).text for path in ("/one/a", "/two/b", "/three?key=c", "/four")]
            sent = [client.post(path, data={"name": "7"}).text for path in ("/named", "/counted")]

        assert read == ["one a", "two b", "three c", "four"]
        assert sent == ["'7'", "7"]
