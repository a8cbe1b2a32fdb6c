"""The fields of forms, and what is said of mistakes in them."""

from __future__ import annotations

import re

from commonroom.http.forms import EMPTY, FormState
from commonroom.http.template_engine import environment

FORM = """
{% from "parts/fields.html" import field, mistakes %}
{{ mistakes(form) }}{{ field(form, "name", "Name") }}{{ field(form, "email", "Address") }}
"""


def shown(form: FormState) -> str:
    """The form as it is shown."""
    return environment((), "en").render_str(FORM, form=form)


def test_nothing_is_said_of_a_form_that_was_not_sent() -> None:
    assert "notice" not in shown(EMPTY)
    assert "aria-invalid" not in shown(EMPTY)


def test_what_is_no_single_fields_fault_stands_at_the_top() -> None:
    page = shown(FormState(form_error="Not today."))
    assert re.search(r'role="alert".*Not today\.', page)
    assert "aria-invalid" not in page


def test_all_mistakes_are_named_at_once_at_the_top_and_at_their_fields() -> None:
    page = shown(FormState(errors={"name": "Too long.", "email": "No address."}))
    top = page.partition("<label")[0]
    assert re.findall(r'<a href="#(\w+)">([^<]*)</a>', top) == [
        ("name", "Too long."),
        ("email", "No address."),
    ]
    assert "autofocus" in top, "it is read first"
    for name in ("name", "email"):
        assert re.search(rf'id="{name}"[^>]*aria-describedby="{name}-wrong"[^>]*aria-invalid', page)


def test_a_single_mistake_stands_at_its_field_alone() -> None:
    page = shown(FormState(errors={"email": "No address."}))
    assert page.count("No address.") == 1
