"""Which route answers: the most literal one, in whatever order they were declared."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from commonroom.errors import MethodNotAllowed, NoSuchPage
from commonroom.http.access import Need
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Endpoint, Route, Router, get, post
from commonroom.http.routing import RoutingTable


async def nothing() -> Response[None]:
    return Response(None)


PATHS = (
    "/",
    "/things",
    "/things/new",
    "/things/{thing_id:str}",
    "/things/{thing_id:str}/parts",
    "/things/{thing_id:str}/parts/{part:str}",
    "/things/all/parts",
    "/{word:str}/else/{other:str}",
    "/files/{name:path}",
)
FOUND = {
    "/": ("/", {}),
    "/things": ("/things", {}),
    "/things/new": ("/things/new", {}),
    "/things/7": ("/things/{thing_id:str}", {"thing_id": "7"}),
    "/things/7/parts": ("/things/{thing_id:str}/parts", {"thing_id": "7"}),
    "/things/new/parts": ("/things/{thing_id:str}/parts", {"thing_id": "new"}),
    "/things/all/parts": ("/things/all/parts", {}),
    "/things/7/parts/é": (
        "/things/{thing_id:str}/parts/{part:str}",
        {"thing_id": "7", "part": "é"},
    ),
    "/some/else/x": ("/{word:str}/else/{other:str}", {"word": "some", "other": "x"}),
    "/files/a": ("/files/{name:path}", {"name": "a"}),
    "/files/a/b/c.css": ("/files/{name:path}", {"name": "a/b/c.css"}),
}


def table(*routes: Route) -> RoutingTable:
    made = RoutingTable()
    made.add(Router("/", routes))
    return made


def find(routes: RoutingTable, path: str, method: str = "GET", **more: Any) -> tuple[Endpoint, Any]:
    scope = {"path": path, "method": method, **more}
    return routes.find(scope), scope


def found(routes: RoutingTable, path: str) -> tuple[str, dict[str, str]]:
    endpoint, scope = find(routes, path)
    return endpoint.path, scope["path_params"]


class TestFinding:
    def test_takes_what_is_literal_before_what_may_be_anything(self) -> None:
        routes = table(*(get(path, Need.ANYONE)(nothing) for path in PATHS))
        assert {path: found(routes, path) for path in FOUND} == FOUND

    def test_does_not_depend_on_the_order_of_declarations(self) -> None:
        declared = [get(path, Need.ANYONE)(nothing) for path in PATHS[1:6]]
        for some in permutations(declared):
            routes = table(*some)
            for path in ("/things", "/things/new", "/things/7", "/things/new/parts"):
                assert found(routes, path) == FOUND[path]

    @pytest.mark.parametrize(
        "path", ["/things/7/", "//things//7", "/things/7//", "///things/7", "things/7"]
    )
    def test_minds_no_slash_too_many_and_says_the_path_without_them(self, path: str) -> None:
        routes = table(*(get(one, Need.ANYONE)(nothing) for one in PATHS))
        endpoint, scope = find(routes, path)
        assert (endpoint.path, scope["path"]) == ("/things/{thing_id:str}", "/things/7")

    @pytest.mark.parametrize(
        "path", ["/nothing", "/things/7/nothing", "/things/7/parts/x/y", "/files"]
    )
    def test_refuses_what_is_nowhere(self, path: str) -> None:
        routes = table(*(get(one, Need.ANYONE)(nothing) for one in PATHS))
        for method in ("GET", "POST", "OPTIONS"):
            with pytest.raises(NoSuchPage):
                find(routes, path, method)

    def test_looks_below_the_path_at_which_a_server_says_that_it_is(self) -> None:
        routes = table(get("/things", Need.ANYONE)(nothing))
        endpoint, scope = find(routes, "/home/things", root_path="/home")
        assert (endpoint.path, scope["path"]) == ("/things", "/things")

    def test_keeps_nothing_of_a_path(self) -> None:
        routes = table(*(get(one, Need.ANYONE)(nothing) for one in PATHS))
        before = repr(routes._start.below), repr(routes._whole)
        find(routes, "/things/a-secret")
        assert (repr(routes._start.below), repr(routes._whole)) == before


class TestMethods:
    @pytest.mark.parametrize("path", ["/things", "/things/7"])
    async def test_that_are_not_there_are_refused_with_those_that_are(self, path: str) -> None:
        routes = table(
            *(one(made, Need.ANYONE)(nothing) for made in PATHS[1:4:2] for one in (post, get))
        )
        for method in ("PUT", "HEAD", "BREW", "", "get"):
            with pytest.raises(MethodNotAllowed) as refused:
                find(routes, path, method)
            assert refused.value.allowed == "GET, OPTIONS, POST"
        options, scope = find(routes, path, "OPTIONS")
        answer: Any = await options.route.respond(Request(scope))
        assert (answer.status_code, answer.headers) == (204, {"Allow": "GET, OPTIONS, POST"})

    def test_may_each_call_the_parts_of_a_path_otherwise(self) -> None:
        routes = table(
            get("/things/{thing_id:str}", Need.ANYONE)(nothing),
            post("/things/{name:str}", Need.ANYONE)(nothing),
        )
        assert find(routes, "/things/7")[1]["path_params"] == {"thing_id": "7"}
        assert find(routes, "/things/7", "POST")[1]["path_params"] == {"name": "7"}

    def test_are_there_once(self) -> None:
        again = get("/things/{other:str}", Need.ANYONE)(nothing)
        with pytest.raises(ValueError, match=r"two of GET /things/\{other:str\}"):
            table(get("/things/{thing_id:str}", Need.ANYONE)(nothing), again)


class TestDeclaring:
    def test_a_route_that_does_not_say_who_may_is_refused_at_once(self) -> None:
        nobody: Any = None
        with pytest.raises(TypeError, match="does not say who may ask for it"):
            get("/things", nobody)(nothing)

    @pytest.mark.parametrize("path", ["/things/{number:int}", "/things/{number}"])
    def test_a_part_of_no_known_kind_is_refused_at_once(self, path: str) -> None:
        with pytest.raises(ValueError, match="no known kind"):
            table(get(path, Need.ANYONE)(nothing))

    def test_a_router_stands_before_the_paths_of_its_routes(self) -> None:
        router = Router("/api/v1", [get(["/things", "/others/"], Need.ANYONE)(nothing)], max_body=7)
        assert [(one.path, one.max_body) for one in router.endpoints()] == [
            ("/api/v1/things", 7),
            ("/api/v1/others", 7),
        ]
