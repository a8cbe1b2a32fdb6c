"""What was typed while somebody else changed a passcode: it is carried past it."""

from __future__ import annotations

import pytest

from commonroom.shareables.pages.resume_form import LONGEST
from commonroom.shareables.rules.access import Role
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.shareables.tables import Checklist, Poll
from tests.shareables.furniture import ADMIN, SHOPPING, SUMMER, VIEW
from tests.shareables.pages.corner import Corner, at
from tests.shareables.pages.filling import Form, edit_form, post
from tests.support.pages import Browser, said, text

CHANGED = "plum tree"
KEPT = "What you typed is kept"


async def change(corner: Corner, made: Created, role: Role) -> None:
    """What somebody else does meanwhile."""
    gate = await corner.opened(made, type(made.page))
    await change_passcode(gate, role, typed=CHANGED)


async def test_an_edit_is_carried_past_a_changed_passcode_and_a_mistyped_one(
    corner: Corner, guest: Browser
) -> None:
    made = await corner.made(protected=True)
    await guest.send(at(made, "/passcode"), passcode=ADMIN)
    form = (await edit_form(guest, made)).type("name", "Für “Samstag” & so").type("note", "a\r\nb")
    await change(corner, made, "admin")
    refused = await form.send(guest)
    assert refused.status_code == 403
    assert KEPT in text(refused)
    door = at(made, "/passcode")
    mistyped = await Form(refused, door).type("passcode", "fig tree").send(guest)
    assert mistyped.status_code == 403
    opened = await Form(mistyped, door).type("passcode", CHANGED).send(guest)
    assert opened.status_code == 200
    assert opened.headers["cache-control"] == "no-store"
    saved = await Form(opened, at(made, "/edit")).send(guest)
    assert saved.headers["location"] == at(made)
    visitor = await corner.browser()
    await visitor.send(door, passcode=VIEW)
    assert "Für “Samstag” & so a b" in text(await visitor.get(at(made))).replace("  ", " ")


async def test_a_vote_is_carried_past_the_passcode_to_look(corner: Corner, guest: Browser) -> None:
    made = await corner.made(SUMMER, protected=True)
    assert isinstance(made.page, Poll)
    await guest.send(at(made, "/passcode"), passcode=VIEW)
    await change(corner, made, "view")
    where, when = made.page.questions
    sheet = [(where.poll_question_id, where.options[0].poll_question_option_id), ("name", "Ben")]
    sheet += [(when.poll_question_id, one.poll_question_option_id) for one in when.options]
    refused = await post(guest, at(made, "/vote"), sheet)
    opened = await Form(refused, at(made, "/passcode")).type("passcode", CHANGED).send(guest)
    answer = await guest.follow(await Form(opened, at(made, "/vote")).send(guest))
    assert said(answer) == "Thank you! Your vote is counted."
    assert (await corner.opened(made, Poll)).page.tally == {
        one.poll_question_option_id: 1 for one in (where.options[0], *when.options)
    }


async def test_an_edit_is_not_offered_to_whoever_may_only_look(
    corner: Corner, guest: Browser
) -> None:
    made = await corner.made(protected=True)
    refused = await post(guest, at(made, "/edit"), [("name", "Mine")])
    opened = await Form(refused, at(made, "/passcode")).type("passcode", VIEW).send(guest)
    assert said(await guest.follow(opened)).startswith("That passcode is only for viewing.")


@pytest.mark.parametrize("below", ["/admin/delete", "/admin/passcodes/view", "/tick"])
async def test_what_is_pressed_and_not_typed_is_not_carried(
    corner: Corner, guest: Browser, below: str
) -> None:
    made = await corner.made(protected=True)
    assert KEPT not in text(await guest.send(at(made, below), passcode="secret", tick="x"))


async def test_only_to_a_form_of_the_same_page(corner: Corner, guest: Browser) -> None:
    made, other = await corner.made(protected=True), await corner.made()
    for wanted in (at(made, "/admin/delete"), at(other, "/edit"), "https://evil.example/edit"):
        sent = {"passcode": ADMIN, "next": wanted, "typed": "name=Mine"}
        answer = await guest.send(at(made, "/passcode"), **sent)
        assert answer.status_code == 303
        assert answer.headers["location"] in (at(made), at(made, "/admin/delete"))
    assert (await corner.opened(made, Checklist)).page.name == SHOPPING.name


async def test_only_so_much(corner: Corner, guest: Browser) -> None:
    made = await corner.made(protected=True)
    answer = await post(guest, at(made, "/edit"), [("note", "x" * LONGEST)])
    assert answer.status_code == 403
    assert KEPT not in text(answer)
