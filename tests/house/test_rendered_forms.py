"""What a form takes is what its pages send: a house is walked through, and its forms are read."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from httpx import ASGITransport, AsyncClient
from msgspec import Struct

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User
from commonroom.house.demo import seed_demo
from commonroom.http.authentication import COOKIE
from commonroom.http.page_arguments import page_arguments
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.store import Store
from tests.accounts.api.calling import V1, given
from tests.house.test_hostile_values import walk
from tests.house.whole import HOST, HTML
from tests.support.application import application_without_store, whole_application
from tests.support.fixtures import store_of_now
from tests.support.html_forms import Element, parsed

store = store_of_now

CONTROL = re.compile(r"</?(?:form|input|select|textarea|button)\b[^>]*>")
LATER = {
    "home": "of cards on home, which come and go",
    "seen": "of a title that is not yet seen",
    "unseen": "of a title that is seen",
    "scope": "of a hangout of a series",
    **dict.fromkeys(
        ("anew", "drop_films", "end_time_means", "offer", "past_due", "time_means"),
        "asked once something was sent",
    ),
}
"""Fields that pages have only at times, and why."""
INHERITED = {"OptionForm.days": "an option is one day"}
"""Fields that forms have from another, and pages not, and why."""
NOT_VISITED = {
    **dict.fromkeys(
        (
            "ConfirmPasswordForm",
            "ForgottenForm",
            "NewPasswordForm",
            "PasscodeForm",
            "SetUpForm",
            "SignInForm",
            "SignUpForm",
        ),
        "before one is let in",
    ),
    **dict.fromkeys(
        (
            "MissingForm",
            "SettleForm",
            "StartLibraryImportForm",
            "StartWatchlistImportForm",
            "WhichImportForm",
        ),
        "once a file was imported",
    ),
    **dict.fromkeys(
        (
            "ApplicationForm",
            "BringForm",
            "CollaboratorForm",
            "CommentForm",
            "CopyForm",
            "DeleteCommentForm",
            "ExtendForm",
            "FoundFilmForm",
            "MarkForm",
            "MergeForm",
            "MoveItemForm",
            "NewRoundForm",
            "ReadForm",
            "RemovalForm",
        ),
        "there is not always something to do it with",
    ),
    "TimeZoneForm": "a script sends it",
}
"""Forms that the walk need not meet, and why."""


def taken() -> Iterator[tuple[re.Pattern[str], type[Struct]]]:
    """Yields what is taken at each address that a form is sent to."""
    for one in application_without_store().routes:
        if one.method == "POST" and not one.path.startswith("/api/"):
            form = page_arguments(one.route.function, one.route.paths).form
            if form is not None and hasattr(form.kind, "__struct_fields__"):
                yield re.compile(re.sub(r"{[^}]*}", "[^/]+", one.path)), form.kind


TAKEN = [*taken()]


async def test_what_a_form_takes_is_what_pages_send(store: Store, tmp_path: Path) -> None:
    people = await seed_demo(store, time.time())
    app: Any = whole_application(store, Settings(data=tmp_path, hosts=HOST))
    async with AsyncExitStack() as stack:
        mayas = await stack.enter_async_context(await browser(app, store, people.maya))
        guests = await stack.enter_async_context(await browser(app, store))
        here, link = await furnish(mayas)
        pages = await walk(mayas, *here) | {link: (await guests.get(link)).text}
    sent = sent_by(pages)
    forms = {form for _, form in TAKEN}
    assert {one.__name__ for one in forms - sent.keys()} <= NOT_VISITED.keys()
    assert {one: more for one in sent if (more := sent[one] - set(one.__struct_fields__))} == {}
    fields = {(one, name) for one in sent for name in set(one.__struct_fields__) - sent[one]}
    lacking = {f"{one.__name__}.{name}" for one, name in fields if name not in LATER}
    assert lacking == INHERITED.keys()


def sent_by(pages: dict[str, str]) -> dict[type[Struct], set[str]]:
    """Returns the names of all that pages send to where each form is taken."""
    sent = defaultdict[type[Struct], set[str]](set)
    for address, page in pages.items():
        for action, name in controls(parsed("".join(CONTROL.findall(page)))):
            path = urlsplit(urljoin(f"http://{HOST}{address}", action)).path
            for form in (form for pattern, form in TAKEN if pattern.fullmatch(path)):
                sent[form] |= {name} - {""}
    return sent


def controls(page: Element) -> Iterator[tuple[str, str]]:
    """Yields where each control of a page is sent, and its name."""
    forms = {one["id"]: one for one in page.all("form")}
    for one in page.all("input", "select", "textarea", "button"):
        form = forms.get(one["form"]) if one["form"] else around(one)
        if form is not None and form["method"].lower() == "post":
            for action in {form["action"], one["formaction"] or form["action"]}:
                yield action, one["name"]


def around(control: Element) -> Element | None:
    """Returns the form that a control is inside, if any."""
    found = control.parent
    while found is not None and found.tag != "form":
        found = found.parent
    return found


async def browser(app: Any, store: Store, person: User | None = None) -> AsyncClient:
    """Returns somebody's browser; nobody's where none is named."""
    address = f"http://{HOST}"
    client = AsyncClient(transport=ASGITransport(app), base_url=address, headers=HTML)
    if person is not None:
        session = await sessions.open_session(store, time.time(), person)
        client.cookies.set(COOKIE, session, domain=HOST)
    return client


async def furnish(mayas: AsyncClient) -> tuple[list[str], str]:
    """Makes what the demonstration has not; returns where it is, and a link for guests."""

    async def made(path: str, method: str = "POST", **body: Any) -> Any:
        headers = {"accept": "application/json"}
        answer = await mayas.request(method, V1 + path, json=body, headers=headers)
        return given(answer, answer.status_code)

    group = f"/groups/{(await made('/groups', group_name='Runners'))['group_id']}"
    await made(f"{group}/places", name="The track")
    await made("/hangouts/places", name="Home", is_home=True)
    ideas = await made(f"{group}/idea-lists", name="Routes", category="trail")
    await made(f"{group}/idea-lists/{ideas['list_id']}/ideas", name="Along the river")
    hangout = f"/hangouts/{(await made('/hangouts', title='A run'))['hangout_id']}"
    await made(
        f"{hangout}/polls",
        subject="OTHER",
        title="Cake?",
        options=[{"label": "Yes"}],
        others_add_options=True,
    )
    await made(f"{hangout}/polls", subject="PLACE", options=[{"place": {"name": "The lake"}}])
    soon = {"start_time": iso(time.time() + 864_000)}
    await made(f"{hangout}/polls", subject="TIME", options=[{"time": soon}])
    await made(f"{hangout}/tickets", "PUT", link="https://example.org/")
    await made(f"{hangout}/ticket", "PUT", status="HAS")
    await made(f"{hangout}/offers", title="A tent", capacity=3)
    await made(f"{hangout}/guests", name="Grandma", status="GOING")
    link = await made(f"{hangout}/guest-link", "PUT", is_open=True)
    of_group = [f"{group}{below}" for below in ("", "/ideas", "/places")]
    return [*of_group, "/hangouts/places", hangout, f"{hangout}/edit"], link["path"]
