"""Static files: style, pictures, icons, scripts, service worker. All come from this machine."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec
from msgspec import Struct

from commonroom.errors import NoSuchPage
from commonroom.http.access import Need
from commonroom.http.headers import header_in
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router, get
from commonroom.joins.rooms import open_rooms, packages

HTMX = "htmx.min.js"
PICTURES = ("/posters/", "/pictures/")
KEPT_FOR_GOOD = "public, max-age=31536000, immutable"
ASKED_AGAIN = "public, no-cache"
TYPES = {
    "css": "text/css",
    "ico": "image/x-icon",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
PACKED = frozenset({"png", "woff2"})
"""What does not get smaller any more."""


class Asset(Struct, frozen=True):
    """A file as browsers get it."""

    content: bytes
    type: str
    digest: str
    gzipped: bytes | None


def files_in(package: str, folder: str) -> Iterator[tuple[str, Traversable]]:
    """Returns every file in a folder that a package may have, by its path in there."""
    root = files(package) / folder
    return _files_below(root, "") if root.is_dir() else iter(())


def _files_below(folder: Traversable, above: str) -> Iterator[tuple[str, Traversable]]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _files_below(one, f"{above}{one.name}/")
        else:
            yield above + one.name, one


@cache
def assets(brought_by: tuple[str, ...]) -> dict[str, Asset]:
    """Returns every file of these packages by its name; no other name leads anywhere."""
    found = {
        name: _asset(name, file)
        for package in brought_by
        for name, file in files_in(package, "static")
        if _ending(name) in TYPES
    }
    found[HTMX] = _asset(HTMX, files("js_lib_htmx") / "static" / "htmx" / HTMX)
    return found


@cache
def address(brought_by: tuple[str, ...], name: str) -> str:
    """Returns a file's address; it changes with the content, so browsers may keep it for good."""
    return f"/static/{name}?v={assets(brought_by)[name].digest}"


@get("/static/{name:path}", Need.ANYONE)
async def static_file(request: Request, name: str) -> Response[bytes]:
    """A style sheet, picture, font or script."""
    return _served(request, name)


@get("/favicon.ico", Need.ANYONE)
async def favicon(request: Request) -> Response[bytes]:
    """The icon where browsers look for it without being told."""
    return _served(request, "icons/favicon.ico")


@get("/manifest.webmanifest", Need.ANYONE)
async def manifest(request: Request) -> Response[bytes]:
    """What a phone needs to know to install it."""
    return _served(request, "manifest.webmanifest")


@get("/service-worker.js", Need.ANYONE)
async def service_worker(request: Request) -> Response[bytes]:
    """What works while no page is open; from here it serves the whole house."""
    rooms = open_rooms(request)
    asset = assets(packages(rooms))["service-worker.js"]
    of_rooms = [path for room in rooms for path in room.load_server().picture_paths]
    paths = msgspec.json.encode([*PICTURES, *of_rooms])
    content = asset.content.replace(b"PICTURE_PATHS", paths, 1)
    headers = {"Cache-Control": ASKED_AGAIN, "ETag": f'"{digest(content)}"'}
    return Response(content, headers=headers, media_type=asset.type)


def asset_routes() -> Router:
    """Returns every file that comes with a page, each at its address."""
    return Router("/", [static_file, favicon, manifest, service_worker])


def _served(request: Request, name: str) -> Response[bytes]:
    asset = assets(packages(open_rooms(request))).get(name)
    if asset is None:
        raise NoSuchPage
    # Fonts are asked for by the style sheet, under names that say their version.
    lasting = request.query_params.get("v") == asset.digest or name.startswith("fonts/")
    return asset_response(request, asset, KEPT_FOR_GOOD if lasting else ASKED_AGAIN)


def asset_response(
    request: Request,
    asset: Asset,
    cache_control: str = ASKED_AGAIN,
    *,
    vary: str = "Accept-Encoding",
    **others: str,
) -> Response[bytes]:
    """A file, compressed where that is taken; only that nothing has changed, where it is known."""
    headers = {
        "Cache-Control": cache_control,
        "ETag": f'"{asset.digest}"',
        "Vary": vary,
        **others,
    }
    if headers["ETag"] in (header_in(request.scope, "if-none-match") or ""):
        return Response(b"", status_code=304, headers=headers, media_type=asset.type)
    if asset.gzipped is not None and "gzip" in (header_in(request.scope, "accept-encoding") or ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.gzipped, headers=headers, media_type=asset.type)
    return Response(asset.content, headers=headers, media_type=asset.type)


def _asset(name: str, file: Traversable) -> Asset:
    ending = _ending(name)
    return packed(file.read_bytes(), TYPES[ending], compress=ending not in PACKED)


def packed(content: bytes, media_type: str, *, compress: bool = True) -> Asset:
    """Returns a content as browsers get it, compressed once."""
    small = gzip.compress(content, mtime=0) if compress else None
    return Asset(content, media_type, digest(content), small)


def digest(content: bytes) -> str:
    """Returns what names a content, and no other."""
    return hashlib.sha256(content).hexdigest()[:16]


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
