"""Templates: all can be read, every value is escaped, and errors keep values to themselves."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from commonroom.house.rooms import ROOMS
from commonroom.http import template_engine
from commonroom.http.template_engine import (
    RenderError,
    environment,
    render_template,
    template_files,
)
from commonroom.joins.rooms import packages
from tests.support.catalogues import spoken_too

SECRET = "orchid-passcode"
HOSTILE = [
    "<script>alert(1)</script>",
    '" onfocus=alert(1) autofocus x="',
    "' onfocus='alert(1)",
    "{{ 7*7 }}{% include 'base.html' %}{# x #}",
    "javascript:alert(1)",
    "&lt;b&gt; &#x2f; &amp;",
    "</title></textarea><b>",
]


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Templates of a test's own, beside those of the house."""
    made: dict[str, str] = {}
    read = template_engine._read

    def look_here_first(brought_by: Any, name: str) -> str | None:
        return made.get(name) or read(brought_by, name)

    monkeypatch.setattr(template_engine, "_read", look_here_first)
    environment.cache_clear()
    yield made
    environment.cache_clear()


def render(templates: dict[str, str], source: str, **context: Any) -> str:
    templates["it.html"] = source
    environment.cache_clear()
    return render_template((), "it.html", language="en", **context)


class TestTheTemplates:
    @pytest.mark.parametrize("name", sorted(template_files(packages(ROOMS))))
    def test_can_all_be_read(self, name: str) -> None:
        assert environment(ROOMS, "en").undeclared_variables_in_template(name) is not None

    def test_are_not_found_under_any_other_name(self) -> None:
        for name in ("nowhere.html", "../render.py", "/etc/passwd"):
            with pytest.raises(RenderError):
                render_template(ROOMS, name, language="en")


class TestAValue:
    @pytest.mark.parametrize("value", HOSTILE)
    def test_is_escaped_wherever_it_stands(self, templates: dict[str, str], value: str) -> None:
        source = """{% macro part(x) %}<i title="{{ x }}">{{ x }}</i>{% endmacro -%}
            {% macro around() %}{{ caller(value) }}{% endmacro -%}
            {{ value }}{{ part(value) }}{{ "a" ~ value }}{{ [value, value] | join(value) }}
            {{ value | upper }}{{ value[:40] }}{{ held.value }}{{ _("for %(name)s", name=value) }}
            {{ ngettext("%(num)d %(name)s", "%(num)d %(name)s", 2, name=value) }}
            {% call(x) around() %}{{ x }}{% endcall %}
            {% set kept %}{{ value }}{% endset %}{{ kept }}
            {{ value | translated }}{{ value | urlencode }}{{ part("x") ~ value }}"""
        shown = render(templates, source, value=value, held={"value": value})
        for mark in ("<script", "<b>", "</t", 'x="', "='", "<SCRIPT", "49"):
            assert mark not in shown.replace('<i title="x">', ""), shown

    def test_reads_as_it_was_typed(self, templates: dict[str, str]) -> None:
        for value in HOSTILE:
            shown = render(
                templates, "{{ value }}|{{ _('for %(name)s', name=value) }}", value=value
            )
            assert unescape(shown) == f"{value}|for {value}"

    def test_that_is_half_a_character_is_shown_as_a_broken_one(
        self, templates: dict[str, str]
    ) -> None:
        shown = render(templates, "{{ value }}{{ _('%(x)s', x=value) }}", value="a\ud800b")
        assert shown.encode().decode().startswith("a\ufffd")

    def test_is_left_alone_where_it_is_markup(self, templates: dict[str, str]) -> None:
        assert render(templates, "{{ value }}", value=Markup("<b>ours</b>")) == "<b>ours</b>"

    def test_keeps_its_slashes_and_never_gains_one(self, templates: dict[str, str]) -> None:
        assert render(templates, "{{ value }}", value="/a/b") == "/a/b"
        assert render(templates, "{{ value }}", value="&#x2f;") == "&amp;#x2f;"


class TestATextOfATemplate:
    def test_is_the_same_as_when_it_is_asked_for_later(
        self, tmp_path: Path, templates: dict[str, str]
    ) -> None:
        strange = 'L\u2019«\u00a0été\u00a0» "x" \\ {{ 7*7 }} {%% if %%} <b>%%</b>'
        with spoken_too(tmp_path, "fr", {"Summer": strange}):
            source = """{{ _("Summer") }}|{% set it = _("Summer") %}{{ it }}|{{ _('Summer') }}"""
            templates["it.html"] = source
            shown = render_template((), "it.html", language="fr")
        assert shown.split("|") == [strange.replace("%%", "%")] * 3

    @pytest.mark.parametrize("text", ["{{ 7*7 }}", "{% if %}", "{# no #}", "{", " a ", "\n", "%}"])
    def test_never_becomes_a_part_of_the_template(
        self, tmp_path: Path, templates: dict[str, str], text: str
    ) -> None:
        templates["it.html"] = '<b>{% if 1 %}\n{{ _("Summer") }}\n{% endif %}|{ {{ _("Summer") }}'
        with spoken_too(tmp_path, "fr", {"Summer": text.replace("%", "%%")}):
            shown = render_template((), "it.html", language="fr")
        assert shown == f"<b>{text}\n|{{ {text}"

    def test_is_in_the_language_of_each_page(
        self, tmp_path: Path, templates: dict[str, str]
    ) -> None:
        templates["it.html"] = '{{ _("Summer") }}'
        with spoken_too(tmp_path, "fr", {"Summer": "Été"}):
            said = [render_template((), "it.html", language=one) for one in ("en", "fr", "en")]
        assert said == ["Summer", "Été", "Summer"]


class TestAnIcon:
    def test_is_drawn_by_its_name_and_by_its_room(self, templates: dict[str, str]) -> None:
        source = '{{ icon("check") }}{{ icon(name) }}{{ _("with %(x)s", x=icon("check")) }}'
        shown = render(templates, source, name="check")
        (drawn,) = set(re.findall("<svg.*?</svg>", shown))
        assert shown.count(drawn) == 3
        assert re.search(r'href="/static/icons\.svg\?v=\w+#check"', drawn)

    def test_that_somebody_else_names_is_escaped(self, templates: dict[str, str]) -> None:
        assert "<script" not in render(templates, "{{ icon(name) }}", name='"><script>')


class TestAnError:
    @pytest.mark.parametrize(
        "source",
        [
            "{{ nowhere }}",
            "{{ value.nowhere }}",
            "{{ value + 1 }}",
            "{{ value | int }}",
            "{{ value() }}",
            "{% include value %}",
            "{% for a, b in [value] %}{% endfor %}",
            "{{ _('for %(name)s', name=nowhere) }}",
            "{% macro part(x) %}{{ x.nowhere }}{% endmacro %}{{ part(value) }}",
        ],
    )
    def test_says_where_and_nothing_of_what_was_to_be_shown(
        self, templates: dict[str, str], source: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        with pytest.raises(RenderError) as caught:
            render(templates, source, value=SECRET)
        logging.getLogger("commonroom").error("It failed.", exc_info=caught.value)
        assert SECRET not in f"{caught.value!r} {caplog.text}"
