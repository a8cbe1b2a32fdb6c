"""Pages and forms that are declared once: what is done, what is shown again, and the way back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

import pytest
from httpx import ASGITransport, AsyncClient

from commonroom.errors import (
    CommonroomError,
    Conflict,
    FieldErrors,
    Forbidden,
    Gone,
    InvalidField,
    NotFound,
    RateLimited,
    Refusal,
    Unauthorized,
)
from commonroom.http.access import Need
from commonroom.http.application import App
from commonroom.http.arguments import From
from commonroom.http.forms import (
    EMPTY,
    Form,
    FormState,
    Line,
    OneOrMany,
    Pages,
    as_list,
    page_routes,
    refused,
)
from commonroom.http.redirects import FLASH_COOKIE
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.routes import Router
from commonroom.outgoing.fetcher import OutgoingError

REFUSALS: dict[str, CommonroomError] = {
    "conflict": Conflict("It is taken."),
    "field": InvalidField("name", "Enter a name."),
    "elsewhere": InvalidField("colour", "No such colour."),
    "limited": RateLimited(7),
    "unknown": Unauthorized("Sign in."),
    "forbidden": Forbidden("Not yours."),
    "missing": NotFound("Not there."),
    "gone": Gone("No longer there."),
    "failed": OutgoingError("The mail server did not answer."),
}


pages = Pages()


class BoxForm(Form):
    """A box."""

    name: Line = ""
    password: Line = ""
    refusal: Line = ""


async def owner_of(request: Request) -> str:
    """Whose box it is."""
    return f"owner of {request.path_params.get('box_id', 'all')}"


Owner = Annotated[str, From(owner_of)]


def text(**shown: Any) -> Response[str]:
    """A page."""
    return Response("\n".join(f"{name}: {value}" for name, value in shown.items()))


def shown(filled: FormState) -> str:
    """A form as a page shows it."""
    return f"{dict(filled.values)} {dict(filled.errors)} {filled.form_error}"


@pages.page("/boxes", Need.ANYONE)
async def list_boxes(
    request: Request, cursor: Cursor = None, form: FormState = EMPTY
) -> Response[Any]:
    """All boxes, and the form for another."""
    return text(path=request.path, cursor=cursor, form=shown(form))


@pages.page("/boxes/{box_id:str}", Need.ANYONE)
async def show_box(
    request: Request,
    box_id: str,
    owner: Owner,
    *,
    rename_form: FormState = EMPTY,
    error: CommonroomError | None = None,
) -> Response[Any]:
    """One box, with a form of its own."""
    return text(path=request.path, box=box_id, owner=owner, form=shown(rename_form), error=error)


@pages.form("/boxes", Need.ANYONE, on=list_boxes, flash="box-added")
async def add_box(data: BoxForm) -> None:
    """Adds a box."""
    if data.refusal == "several":
        errors = FieldErrors()
        errors.check(_refuse, "name")
        errors.check(_refuse, "password")
        errors.raise_if_any()
    if data.refusal:
        raise REFUSALS[data.refusal]


def _refuse(field: str) -> None:
    raise InvalidField(field, f"Wrong {field}.")


@pages.form(
    "/boxes/{box_id:str}/rename",
    Need.ANYONE,
    on=show_box,
    slot="rename_form",
    flash="box-renamed",
    also_shows=(Forbidden, OutgoingError),
)
async def rename_box(box_id: str, data: BoxForm) -> str | None:
    """Renames a box; leads to another page where the name says so."""
    if data.refusal:
        raise REFUSALS[data.refusal]
    return f"/boxes/{box_id}?renamed" if data.name == "elsewhere" else None


@pages.form("/boxes/{box_id:str}/remove", Need.ANYONE, leads_to="/boxes")
async def remove_box(request: Request, owner: Owner) -> Response[Any] | None:
    """Removes a box, or says whose it is."""
    return text(owner=owner) if request.path_params["box_id"] == "a" else None


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    """A browser."""

    def explain(_: Request, error: CommonroomError) -> Response[str]:
        return Response(f"another page: {error.detail}", status_code=error.status)

    app = App([Router("/", page_routes(pages), on_errors={CommonroomError: explain})])
    transport = ASGITransport(app)
    async with AsyncClient(transport=transport, base_url="http://commonroom.test") as browser:
        yield browser


class TestDone:
    async def test_leads_back_to_the_page_with_its_flash(self, client: AsyncClient) -> None:
        answer = await client.post("/boxes", data={"name": "Blue"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/boxes")
        assert answer.cookies[FLASH_COOKIE] == "box-added"

    async def test_the_parts_of_the_path_go_along_encoded(self, client: AsyncClient) -> None:
        answer = await client.post("/boxes/a%20b/rename", data={"name": "Blue"})
        assert answer.headers["location"] == "/boxes/a%20b"

    async def test_a_handler_may_lead_elsewhere_with_the_same_flash(
        self, client: AsyncClient
    ) -> None:
        answer = await client.post("/boxes/a/rename", data={"name": "elsewhere"})
        assert answer.headers["location"] == "/boxes/a?renamed"
        assert answer.cookies[FLASH_COOKIE] == "box-renamed"

    async def test_a_handler_may_answer_itself(self, client: AsyncClient) -> None:
        assert (await client.post("/boxes/a/remove")).text == "owner: owner of a"
        answer = await client.post("/boxes/b/remove")
        assert answer.headers["location"] == "/boxes"
        assert FLASH_COOKIE not in answer.cookies


class TestRefused:
    async def test_shows_the_page_again_with_what_was_typed_but_no_password(
        self, client: AsyncClient
    ) -> None:
        sent = {"name": "Blue", "password": "secret", "refusal": "conflict"}
        answer = await client.post("/boxes", data=sent)
        assert answer.status_code == 409
        assert "'name': 'Blue'" in answer.text
        assert "secret" not in answer.text
        assert answer.text.endswith("{} It is taken.")

    async def test_names_the_field_at_fault(self, client: AsyncClient) -> None:
        answer = await client.post("/boxes", data={"refusal": "field"})
        assert answer.status_code == 422
        assert answer.text.endswith("{'name': 'Enter a name.'} None")

    async def test_says_all_that_is_wrong_at_once(self, client: AsyncClient) -> None:
        answer = await client.post("/boxes", data={"refusal": "several"})
        assert answer.status_code == 422
        assert "{'name': 'Wrong name.', 'password': 'Wrong password.'}" in answer.text

    async def test_a_field_that_the_form_has_not_is_wrong_altogether(
        self, client: AsyncClient
    ) -> None:
        answer = await client.post("/boxes", data={"refusal": "elsewhere"})
        assert answer.text.endswith("{} No such colour.")

    async def test_says_when_to_try_again(self, client: AsyncClient) -> None:
        answer = await client.post("/boxes", data={"refusal": "limited"})
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")

    async def test_gives_the_page_its_own_injected_values_and_its_slot(
        self, client: AsyncClient
    ) -> None:
        answer = await client.post("/boxes/a/rename", data={"name": "B", "refusal": "conflict"})
        assert "box: a\nowner: owner of a\n" in answer.text
        assert "'name': 'B'" in answer.text
        assert answer.text.endswith("error: It is taken.")

    @pytest.mark.parametrize("refusal", ["unknown", "forbidden", "missing", "gone", "failed"])
    async def test_what_the_page_cannot_show_is_another_page(
        self, client: AsyncClient, refusal: str
    ) -> None:
        answer = await client.post("/boxes", data={"refusal": refusal})
        assert answer.status_code == REFUSALS[refusal].status
        assert answer.text == f"another page: {REFUSALS[refusal].detail}"

    @pytest.mark.parametrize("refusal", ["forbidden", "failed"])
    async def test_a_form_may_show_more(self, client: AsyncClient, refusal: str) -> None:
        answer = await client.post("/boxes/a/rename", data={"refusal": refusal})
        assert answer.status_code == REFUSALS[refusal].status
        assert answer.text.startswith("path: /boxes/a/rename\nbox: a")


class TestBackRedirect:
    async def test_loading_a_refused_form_anew_leads_to_its_page(self, client: AsyncClient) -> None:
        answer = await client.get("/boxes/a%20b/rename")
        assert (answer.status_code, answer.headers["location"]) == (303, "/boxes/a%20b")

    async def test_a_form_at_the_address_of_its_page_needs_none(self, client: AsyncClient) -> None:
        assert (await client.get("/boxes?cursor=x")).text.startswith("path: /boxes\ncursor: x")

    async def test_a_form_on_no_page_has_none(self, client: AsyncClient) -> None:
        assert (await client.get("/boxes/a/remove")).status_code == 405

    def test_whoever_may_see_the_page_may_go_back_to_it(self) -> None:
        shelf = Pages()
        shelf.include(show_box, rename_box)
        assert [one.need for one in page_routes(shelf)] == [show_box.need] * 3

    def test_a_form_may_name_its_page_by_its_path(self) -> None:
        shelf = Pages()

        @shelf.form("/boxes/{box_id:str}/dust", Need.ANYONE, on="/boxes/{box_id:str}")
        async def dust(box_id: str) -> None:
            """Dusts a box."""

        page_routes(pages, shelf)
        assert dust.page is show_box

    def test_a_form_on_a_page_that_is_not_there_is_found_at_once(self) -> None:
        shelf = Pages()

        @shelf.form("/boxes/{box_id:str}/dust", Need.ANYONE, on="/crates/{box_id:str}")
        async def dust(box_id: str) -> None:
            """Dusts a box."""

        with pytest.raises(LookupError, match=r"no page /crates/\{box_id:str\}"):
            page_routes(pages, shelf)


class TestFilled:
    def test_what_is_wrong_with_a_form_without_fields(self) -> None:
        filled = refused(None, InvalidField("name", "Enter a name."))
        assert (filled.field, filled.message) == ("name", "Enter a name.")

    def test_what_was_sent_as_a_mapping(self) -> None:
        error: Refusal = Conflict("Taken.")
        filled = refused({"name": "x", "password_again": "y"}, error)
        assert (filled.values, filled.wrong("name")) == ({"name": "x"}, None)
        assert (filled.value("name"), filled.message) == ("x", "Taken.")

    @pytest.mark.parametrize(
        "ticked, found", [([], []), ("", []), ("a", ["a"]), (["a", "b"], ["a", "b"])]
    )
    def test_boxes_of_one_name(self, ticked: OneOrMany, found: list[str]) -> None:
        assert as_list(ticked) == found
