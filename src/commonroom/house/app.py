"""The application: the front page, and what whoever runs it asks."""

from __future__ import annotations

from pathlib import Path

from litestar import Litestar
from litestar.datastructures import State
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig

import commonroom.web
from commonroom.model import MODEL
from commonroom.store import Store
from commonroom.web.front import front_page, policy
from commonroom.web.health import live, ready, version

TEMPLATES = Path(commonroom.web.__path__[0]) / "templates"


def create_app(store: Store) -> Litestar:
    """The application over an open store, which stays the caller's to close."""
    return Litestar(
        [front_page, live, ready, version],
        state=State({"store": store, "tables": MODEL.tables}),
        template_config=TemplateConfig(directory=TEMPLATES, engine=JinjaTemplateEngine),
        response_headers={
            "Content-Security-Policy": policy(),
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        },
        openapi_config=None,
        debug=False,
    )
