"""Which route answers at a path: as literal as can be, whatever was declared first."""

from __future__ import annotations

from commonroom.errors import MethodNotAllowed, NoSuchPage
from commonroom.http.access import Need
from commonroom.http.asgi import ASGIApp, Scope
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Endpoint, Route, Router

STR, PATH = ":str}", ":path}"


class Place:
    """A path, with the methods that there are at it; or a step on the way to longer ones."""

    __slots__ = ("below", "by_method", "names", "part", "rest")

    def __init__(self) -> None:
        self.below: dict[str, Place] = {}
        """By the next part of a path, where that is given."""
        self.part: Place | None = None
        """Where the next part may be anything."""
        self.rest: Place | None = None
        """Where all that follows may be anything."""
        self.by_method: dict[str, Endpoint] = {}
        self.names: dict[str, list[str]] = {}
        """What the routes of each method call the parts of the path that may be anything."""

    def add(self, endpoint: Endpoint, names: list[str]) -> None:
        """Adds a route; there is one for each method."""
        if endpoint.method in self.by_method:
            raise ValueError(f"There are two of {endpoint.method} {endpoint.path}.")
        self.by_method[endpoint.method], self.names[endpoint.method] = endpoint, names

    def endpoint(self, method: str) -> Endpoint:
        """Returns what answers a method; refused with those that there are."""
        if not self.by_method:
            raise NoSuchPage
        found = self.by_method.get(method)
        if found is not None:
            return found
        allowed = ", ".join(sorted({*self.by_method, "OPTIONS"}))
        if method == "OPTIONS":
            return _options(next(iter(self.by_method.values())), allowed)
        raise MethodNotAllowed(allowed)


class RoutingTable:
    """The routes of an application, by their paths."""

    def __init__(self) -> None:
        self.endpoints: list[Endpoint] = []
        self._whole: dict[str, Place] = {}
        """Paths of which all is given: they come first."""
        self._start = Place()

    def add(self, router: Router) -> None:
        """Adds all routes of a router."""
        for endpoint in router.endpoints():
            place, names = self._place(endpoint.path)
            place.add(endpoint, names)
            self.endpoints.append(endpoint)

    def _place(self, path: str) -> tuple[Place, list[str]]:
        if "{" not in path:
            return self._whole.setdefault(path, Place()), []
        place, names = self._start, []
        for part in _parts(path):
            if not part.startswith("{"):
                place = place.below.setdefault(part, Place())
                continue
            names.append(part[1:].partition(":")[0])
            if part.endswith(PATH):
                place.rest = place = place.rest or Place()
            elif part.endswith(STR):
                place.part = place = place.part or Place()
            else:
                raise ValueError(f"{path} has a part of no known kind, {part}.")
        return place, names

    def find(self, scope: Scope) -> Endpoint:
        """Returns what a request asks for; its path has no slash too many from then on."""
        path: str = scope["path"]
        if root := scope.get("root_path"):
            path = path.removeprefix(root)
        method: str = scope["method"]
        place = self._whole.get(path)
        if place is None:
            parts = _parts(path)
            path = "/" + "/".join(parts)
            place = self._whole.get(path)
            if place is None:
                place, values = self._walk(parts)
                endpoint = place.endpoint(method)
                names = place.names.get(method) or next(iter(place.names.values()))
                scope["path"], scope["path_params"] = path, dict(zip(names, values, strict=True))
                return endpoint
        scope["path"], scope["path_params"] = path, {}
        return place.endpoint(method)

    def _walk(self, parts: list[str]) -> tuple[Place, list[str]]:
        """Returns the place of a path, and what stands where anything may."""
        place, values = self._start, []
        for number, part in enumerate(parts):
            below = place.below.get(part)
            if below is None:
                if place.part is not None:
                    values.append(part)
                    below = place.part
                elif place.rest is not None:
                    values.append("/".join(parts[number:]))
                    return place.rest, values
                else:
                    raise NoSuchPage
            place = below
        return place, values


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _options(beside: Endpoint, allowed: str) -> Endpoint:
    """Returns what tells which methods there are, for everybody and past the same guards."""

    async def respond(_: Request) -> ASGIApp:
        return Response(None, status_code=204, headers={"Allow": allowed})

    route = Route(
        method="OPTIONS",
        paths=(beside.path,),
        need=Need.ANYONE,
        function=respond,
        respond=respond,
    )
    return Endpoint(beside.path, route, beside.router)
