"""Static files."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from xml.etree import ElementTree as ET

import pytest
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.rules import AVATARS
from commonroom.house.rooms import ROOMS
from commonroom.http import assets
from commonroom.http.application import App, State
from commonroom.http.words import avatar_names
from commonroom.joins.rooms import packages

TEMPLATES = files("commonroom.http") / "templates"
FORBIDDEN = frozenset({"script", "style", "image", "foreignObject"})


@pytest.fixture
async def browser() -> AsyncIterator[AsyncClient]:
    """A browser that asks for files."""
    app = App([assets.asset_routes()], state=State({"rooms": ROOMS}))
    transport = ASGITransport(app)
    async with AsyncClient(transport=transport, base_url="http://house.example") as client:
        yield client


class TestServing:
    @pytest.mark.parametrize(
        "name,kind",
        [
            ("commonroom.css", "text/css; charset=utf-8"),
            ("elements.js", "text/javascript; charset=utf-8"),
            ("htmx.min.js", "text/javascript; charset=utf-8"),
            ("icons.svg", "image/svg+xml"),
            ("avatars/fox.svg", "image/svg+xml"),
            ("icons/192.png", "image/png"),
            ("fonts/fraunces-soft-600.woff2", "font/woff2"),
        ],
    )
    async def test_each_kind_has_its_type_and_its_address_is_kept_for_good(
        self, browser: AsyncClient, name: str, kind: str
    ) -> None:
        answer = await browser.get(assets.address(packages(ROOMS), name))
        assert answer.status_code == 200
        assert answer.headers["content-type"] == kind
        assert answer.headers["cache-control"] == assets.KEPT_FOR_GOOD
        assert answer.content == assets.assets(packages(ROOMS))[name].content

    async def test_an_address_of_another_version_is_asked_for_again(
        self, browser: AsyncClient
    ) -> None:
        for address in ("/static/commonroom.css", "/static/commonroom.css?v=older"):
            answer = await browser.get(address)
            assert answer.headers["cache-control"] == assets.ASKED_AGAIN
            again = await browser.get(address, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")

    async def test_text_is_packed_for_those_who_can_unpack_it(self, browser: AsyncClient) -> None:
        address = assets.address(packages(ROOMS), "commonroom.css")
        packed = await browser.get(address, headers={"accept-encoding": "gzip"})
        plain = await browser.get(address, headers={"accept-encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.content == plain.content
        assert packed.headers["vary"] == "Accept-Encoding"
        kept = assets.assets(packages(ROOMS))["commonroom.css"]
        assert kept.gzipped is not None
        assert gzip.decompress(kept.gzipped) == kept.content

    @pytest.mark.parametrize(
        "path", ["/static/", "/static/..", "/static/%2e%2e/app.py", "/static/nothing.css"]
    )
    async def test_no_other_name_leads_anywhere(self, browser: AsyncClient, path: str) -> None:
        assert (await browser.get(path)).status_code == 404

    async def test_the_icon_is_where_browsers_look_for_it(self, browser: AsyncClient) -> None:
        answer = await browser.get("/favicon.ico")
        assert answer.headers["content-type"] == "image/x-icon"
        assert answer.content.startswith(b"\0\0\1\0")

    async def test_what_the_manifest_names_is_there(self, browser: AsyncClient) -> None:
        answer = await browser.get("/manifest.webmanifest")
        assert answer.headers["content-type"] == "application/manifest+json"
        manifest = json.loads(answer.content)
        assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
        for icon in manifest["icons"]:
            found = await browser.get(icon["src"])
            assert found.headers["content-type"] == icon["type"]


class TestPictures:
    def test_every_avatar_is_drawn_and_named(self) -> None:
        assert all(f"avatars/{name}.svg" in assets.assets(packages(ROOMS)) for name in AVATARS)
        assert tuple(avatar_names()) == AVATARS

    def test_every_icon_that_a_template_uses_is_in_the_sprite(self) -> None:
        sprite = assets.assets(packages(ROOMS))["icons.svg"].content.decode()
        drawn = set(re.findall(r'id="([\w-]+)"', sprite))
        used = set(re.findall(r'\b(?:icon|sign|empty)\("(\w+)"', _templates()))
        assert used
        assert used <= drawn

    def test_no_drawing_carries_script_style_or_another_host(self) -> None:
        drawings = [name for name in assets.assets(packages(ROOMS)) if name.endswith(".svg")]
        assert len(drawings) >= len(AVATARS) + 2
        for name in drawings:
            root = ET.fromstring(assets.assets(packages(ROOMS))[name].content)  # noqa: S314 - our own files
            for element in root.iter():
                assert element.tag.rpartition("}")[2] not in FORBIDDEN
                assert not {"style", "href", "onload"} & set(element.attrib)


class TestStyle:
    def test_the_style_sheet_loads_nothing_from_elsewhere(self) -> None:
        style = assets.assets(packages(ROOMS))["commonroom.css"].content.decode()
        assert re.findall(r"url\(([^)]*)\)", style) == ['"fonts/fraunces-soft-600.woff2"']
        assert "@import" not in style

    def test_the_font_comes_with_its_licence(self) -> None:
        assert b"SIL OPEN FONT LICENSE" in assets.assets(packages(ROOMS))["fonts/OFL.txt"].content


def _templates() -> str:
    found, folders = [], [TEMPLATES]
    while folders:
        for one in folders.pop().iterdir():
            if one.is_dir():
                folders.append(one)
            else:
                found.append(one.read_text())
    return "\n".join(found)
