"""Imports of templates: what is not taken of a file is left out, and nothing else."""

from __future__ import annotations

import re

import pytest

from commonroom.house.rooms import ROOMS
from commonroom.http.template_engine import environment, template_files
from commonroom.http.template_imports import only_taken, split_name, with_taken
from commonroom.joins.rooms import packages

PARTS = """{% from "a.html" import one, two as second %}
{% from "b.html" import three %}
{% set small = 3 %}

{# What is taken. #}
{% macro wanted(x) -%}
{{ second(x) }}{{ helper(x) }}
{%- endmacro %}

{% macro helper(x) -%}
{{ x }}
{%- endmacro %}

{% macro other() -%}
{{ three(1) }}
{{ small }}
{%- endmacro %}
"""


def imports() -> list[str]:
    """What every template of the house imports, as it is asked for."""
    sources = [file.read_text() for file in template_files(packages(ROOMS)).values()]
    return sorted(
        {name for text in sources for name in re.findall(r'\{% from "([^"]+)"', with_taken(text))}
    )


class TestATakenMacro:
    def test_brings_along_what_it_calls(self) -> None:
        kept = only_taken(PARTS, ["wanted"])

        assert "macro wanted" in kept
        assert "macro helper" in kept
        assert "a.html" in kept

    def test_leaves_the_others_and_what_only_they_import(self) -> None:
        kept = only_taken(PARTS, ["wanted"])

        assert "macro other" not in kept
        assert "b.html" not in kept

    def test_finds_what_is_set_outside_of_macros(self) -> None:
        assert "{% set small = 3 %}" in only_taken(PARTS, ["other"])

    def test_stays_in_its_line(self) -> None:
        kept = only_taken(PARTS, ["other"]).splitlines()

        assert kept.index("{% macro other() -%}") == PARTS.splitlines().index(
            "{% macro other() -%}"
        )

    @pytest.mark.parametrize("name", imports())
    def test_lacks_nothing_wherever_it_is_imported(self, name: str) -> None:
        file, taken = split_name(name)
        known = environment(ROOMS, "en")

        assert taken
        assert set(known.undeclared_variables_in_template(name)) <= set(
            known.undeclared_variables_in_template(file)
        )


class TestAnImport:
    @pytest.mark.parametrize(
        "written,asked",
        [
            ('{% from "a.html" import two, one %}', "a.html#one,two"),
            ('{% from "a.html" import one as first %}', "a.html#one"),
            ('{% from "a.html" import one with context %}', "a.html#one"),
        ],
    )
    def test_says_what_it_takes(self, written: str, asked: str) -> None:
        assert with_taken(written) == written.replace("a.html", asked)

    def test_is_always_one_that_says_so(self) -> None:
        for name, file in template_files(packages(ROOMS)).items():
            for line in re.findall(r"\{%-? *from .*?%\}", file.read_text(), re.DOTALL):
                assert with_taken(line) != line, f"{name}: {line}"
