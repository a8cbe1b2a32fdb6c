"""What a poll decided, in a browser without scripts: one tap for who said Yes."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.tables import FriendGroup, Rsvp
from commonroom.store import Store
from tests.accounts.api.calling import Calling
from tests.accounts.people import Watch
from tests.hangouts.friends import group_of, hangout_of, tidied
from tests.hangouts.pages.browsing import sent, shown
from tests.hangouts.voting import Voting

OFFER = "You said yes to this day. Going?"


async def test_a_yes_is_going_in_one_tap_from_the_list_and_on_the_page(
    store: Store, clock: Watch, calling: Calling, ada: User, ben: User
) -> None:
    group: FriendGroup = await group_of(store, clock, ada, ben)
    voting = Voting(store, clock, await hangout_of(store, clock, ada, group))
    poll = await voting.days(ada)
    await voting.vote(ben, poll, "y")
    await close_poll(voting.ctx(ada), poll.ref)
    clock.forward(60)
    await tidied(store, clock)
    bens, here = await calling.browser(ben), f"/hangouts/{poll.hangout_id}"
    listed = await shown(bens, "/notifications")
    assert "Decided: " in listed
    assert "I’m going" in listed
    assert f'action="{here}/answer"' in listed
    assert OFFER in await shown(bens, here)
    back = await sent(bens, f"{here}/answer", status="GOING", next="/notifications")
    assert back == "/notifications"
    rsvp = await store.get(Rsvp.at(hangout_id=poll.hangout_id, user_id=ben.user_id))
    assert rsvp is not None
    assert rsvp.status == "GOING"
    assert OFFER not in await shown(bens, here)
    clock.forward(60)
    await tidied(store, clock)
    assert "I’m going" not in await shown(bens, "/notifications")
