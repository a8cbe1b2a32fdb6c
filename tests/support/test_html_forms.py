import pytest

from tests.support.html_forms import fields_of, form_of, parsed

PAGE = """
<head><title>Unseen</title></head>
<main>
  <form id="f" action="/here">
    <input type="hidden" name="secret" value="s&amp;t">
    <input name="title" value="Heat"><br>
    <input name="left" value="x" disabled>
    <textarea name="note">two
lines</textarea>
    <select name="size"><option value="s">S<option value="m" selected>M</select>
    <select name="first"><option>one</option><option>two</option></select>
    <input type="radio" name="way" value="on foot"><input type="radio" name="way" value="b" checked>
    <input type="checkbox" name="more">
    <input type="file" name="file">
    <button name="do" value="it">Save <span hidden>unseen</span></button>
  </form>
  <input name="beside" form="f" value="too">
  <form><input name="other" value="form"></form>
  <button form="f">From afar</button>
  <script>unseen</script>
</main>
"""


def test_a_form_sends_what_stands_in_its_fields() -> None:
    page = parsed(PAGE)
    assert dict(fields_of(page, next(page.all("form")))) == {
        "secret": "s&t",
        "title": "Heat",
        "note": "two\nlines",
        "size": "m",
        "first": "one",
        "way": "b",
        "beside": "too",
    }


@pytest.mark.parametrize("number", [0, 1])
def test_a_button_belongs_to_the_form_around_it_or_to_the_one_that_it_names(number: int) -> None:
    page = parsed(PAGE)
    button = list(page.all("button"))[number]
    assert form_of(page, button)["id"] == "f"


def test_what_is_hidden_is_not_read() -> None:
    page = parsed(PAGE)
    assert page.text.endswith("From afar")
    assert "Save" in page.text
    assert "unseen" not in page.text.lower()
