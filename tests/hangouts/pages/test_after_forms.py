"""After a form the page is where the form stood: every form of the page names a place on it."""

from __future__ import annotations

import re

from commonroom.accounts.tables import User
from commonroom.hangouts.tables import FriendGroup
from tests.accounts.api.calling import Calling
from tests.hangouts.pages.browsing import sent, shown

ELSEWHERE = (
    "/delete",
    "/attachments/begin",
    "/theme",
    "/sign-out",
    "/act-as",
    "/notifications/read",
)
"""Forms that lead to another page, or stand on every page."""


def forms_on(page: str) -> list[str]:
    """Where the forms of a page are sent."""
    found = re.findall(r"<form\b[^>]*>", page)
    posted = [one for one in found if 'method="post"' in one]
    actions = [re.search(r'(?<![-\w])action="([^"]*)"', one) for one in posted]
    assert all(actions), "a form without scripts is sent to what it says"
    return [one.group(1) for one in actions if one is not None]


def check_places(page: str) -> None:
    """Every form names a place that the page has."""
    for action in forms_on(page):
        address, _, place = action.partition("#")
        if address.endswith(ELSEWHERE) and "/polls/" not in address:
            continue
        assert place, f"{action} leads to the top of the page"
        assert f'id="{place}"' in page, action


async def test_every_form_on_a_hangout(calling: Calling, ada: User) -> None:
    client = await calling.browser(ada)
    made = await client.post("/api/v1/hangouts", json={"title": "A walk"})
    here = f"/hangouts/{made.json()['hangout_id']}"
    check_places(await shown(client, here))
    await sent(client, f"{here}/guest-link", shows_people="true")
    await sent(client, f"{here}/guests", name="Grandma")
    await sent(client, f"{here}/polls", subject="PLACE", lines="The park\nThe lake")
    await sent(client, f"{here}/bring-list", thing="Cake", needed="2")
    await sent(client, f"{here}/answer", status="GOING")
    await sent(client, f"{here}/cars", seats="4", plus_guests="0")
    await sent(client, f"{here}/ticket", status="HAS", number="1")
    await sent(client, f"{here}/offers", title="A room", offer_id="")
    await sent(client, f"{here}/talk", text="Who is in?")
    page = await shown(client, here)
    assert len(forms_on(page)) > 20
    check_places(page)


async def test_every_form_of_a_list_of_hangouts(
    calling: Calling, ada: User, friends: FriendGroup
) -> None:
    client = await calling.browser(ada)
    here = f"/groups/{friends.group_id}"
    await sent(client, f"{here}/float", title="Karaoke?")
    page = await shown(client, here)
    [answer] = [one for one in forms_on(page) if "/answer" in one]
    assert f'id="{answer.partition("#")[2]}"' in page
