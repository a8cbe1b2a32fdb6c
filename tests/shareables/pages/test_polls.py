"""Voting in a poll: what is asked, how it stands, and who may know."""

from __future__ import annotations

import re
import time
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.service import polls
from commonroom.shareables.service.create import Created
from commonroom.shareables.tables import Poll
from tests.shareables.furniture import SUMMER, YEAR
from tests.shareables.pages.site import DAY, Site, at, requests_for
from tests.shareables.voting import ballot, check_count
from tests.support.pages import Browser, said, text, value


@pytest.fixture
async def summer(site: Site) -> Created:
    """A poll."""
    return await site.made(SUMMER)


def fields(made: Created, *chosen: int | tuple[int, ...], **more: str) -> dict[str, Any]:
    """A vote as the form sends it: which options of each question."""
    assert isinstance(made.page, Poll)
    sent: dict[str, Any] = {"name": "", **more}
    for question, number in zip(made.page.questions, chosen, strict=False):
        numbers = number if isinstance(number, tuple) else (number,)
        ids = [question.options[one].poll_question_option_id for one in numbers]
        sent[question.poll_question_id] = ids
    return sent


async def voted(
    browser: Browser, made: Created, *chosen: int | tuple[int, ...], **more: str
) -> httpx.Response:
    """What somebody sees who has voted."""
    return await browser.follow(
        await browser.send(at(made, "/vote"), **fields(made, *chosen, **more))
    )


def bars(answer: httpx.Response) -> list[str]:
    """Each option as its bar says it."""
    rows = re.findall(r'<li class="bar-row.*?</li>', answer.text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def checked(answer: httpx.Response) -> list[str]:
    """The options that the form shows as chosen."""
    return re.findall(r'value="([^"]+)" checked', answer.text)


class TestAVote:
    async def test_is_taken_and_shown_with_how_the_poll_stands(
        self, site: Site, guest: Browser, summer: Created
    ) -> None:
        await voted(await site.browser(), summer, 1)
        answer = await voted(guest, summer, 0, (0, 2), name="Ben")
        assert said(answer) == "Thank you! Your vote is counted."
        assert len(value(answer, "your-code")) == 8
        assert "2 people have voted." in text(answer)
        assert bars(answer) == [
            "The sea your choice 50 % 1 vote",
            "The hills 50 % 1 vote",
            "June your choice 50 % 1 vote",
            "July 0 % 0 votes",
            "August your choice 50 % 1 vote",
        ]
        assert "your-code" not in (await guest.get(at(summer))).text
        others = await (await site.browser()).get(at(summer))
        assert not any("your choice" in bar for bar in bars(others))
        await check_count(site.store, summer.page.short_id)

    async def test_is_changed_and_taken_back(
        self, site: Site, guest: Browser, summer: Created
    ) -> None:
        await voted(guest, summer, 0, (0, 1), name="Ben")
        page = await guest.get(at(summer))
        assert len(checked(page)) == 3
        assert value(page, "name") == "Ben"
        answer = await voted(guest, summer, 1, name="")
        assert said(answer) == "Vote saved."
        assert bars(answer)[:2] == ["The sea 0 % 0 votes", "The hills your choice 100 % 1 vote"]
        answer = await guest.follow(await guest.send(at(summer, "/withdraw")))
        assert "No votes yet." in text(answer)
        poll = await check_count(site.store, summer.page.short_id)
        assert poll.vote_count == 0

    async def test_is_brought_over_by_its_code(
        self, site: Site, guest: Browser, summer: Created
    ) -> None:
        code = value(await voted(guest, summer, 0), "your-code")
        other = await site.browser()
        there = await other.follow(await other.send(at(summer, "/code"), code=code))
        assert bars(there)[0] == "The sea your choice 100 % 1 vote"

    async def test_of_somebody_else_at_the_same_device_is_another(
        self, site: Site, guest: Browser, summer: Created
    ) -> None:
        await voted(guest, summer, 0)
        empty = await guest.get(at(summer, "?anew=1"))
        assert checked(empty) == []
        answer = await voted(guest, summer, 1, anew="true")
        assert "2 people have voted." in text(answer)

    async def test_without_a_required_answer_is_refused_and_nothing_is_lost(
        self, guest: Browser, summer: Created
    ) -> None:
        sent = fields(summer, (), (0, 2), name="Ben")
        answer = await guest.send(at(summer, "/vote"), **sent)
        assert answer.status_code == 422
        question = re.search(
            r'<fieldset class="field question field-wrong".*?</fieldset>', answer.text, re.DOTALL
        )
        assert question, "it is said beside the question at fault"
        assert "Please answer “Where to?”." in question[0]
        assert answer.text.count("autofocus") == question[0].count("autofocus") == 1
        assert len(checked(answer)) == 2
        assert value(answer, "name") == "Ben"
        assert "<live-part" not in answer.text

    async def test_for_what_is_not_asked_is_refused(self, guest: Browser, summer: Created) -> None:
        answer = await guest.send(at(summer, "/vote"), gone="x", name="")
        assert answer.status_code == 422
        assert "no longer in the poll" in text(answer)

    async def test_marks_what_must_be_answered_and_what_may_be_several(
        self, guest: Browser, summer: Created
    ) -> None:
        answer = await guest.get(at(summer))
        assert "Where to? required" in text(answer)
        assert "Only the poll’s creator sees your name with your choice." in text(answer)
        assert "When? Choose as many as you like." in text(answer)
        assert answer.text.count('type="radio"') == 2
        assert answer.text.count('type="checkbox"') == 3


class TestResults:
    @pytest.mark.parametrize(
        "visibility, seen_by, sentence",
        [
            ("always", {"guest", "voter", "admin", "later"}, "Everyone sees the results"),
            ("afterSubmit", {"voter", "admin"}, "once you have voted"),
            ("afterClose", {"admin", "later"}, "when the poll closes"),
            ("admin", {"admin"}, "Only the poll’s creator sees the results"),
        ],
    )
    async def test_are_shown_as_the_poll_says_and_it_says_so(
        self, site: Site, visibility: Any, seen_by: set[str], sentence: str
    ) -> None:
        ada = await site.somebody("Ada")
        poll = replace(SUMMER, results_visibility=visibility)
        made = await site.made(poll, account_id=ada.user_id)
        voters, guests = await site.browser(), await site.browser()
        seen = {"voter": await voted(voters, made, 0), "guest": await guests.get(at(made))}
        assert sentence in text(seen["guest"])
        seen["admin"] = await (await site.browser(ada)).get(at(made))
        gate = await site.opened(made, Poll)
        await polls.close_poll(gate)
        seen["later"] = await guests.get(at(made))
        assert {who for who, answer in seen.items() if bars(answer)} == seen_by
        assert "This poll is closed." in text(seen["later"])
        if visibility in ("afterClose", "admin"):
            assert "Where to? The sea" in text(seen["voter"]), "their own choice at least"

    async def test_take_no_request_but_for_ones_own_vote(self, site: Site, guest: Browser) -> None:
        made = await site.made(replace(SUMMER, results_visibility="afterSubmit"))
        assert await requests_for(guest, at(made)) == 1
        await voted(guest, made, 0)
        assert await requests_for(guest, at(made)) == 2


class TestAClosedPoll:
    async def test_takes_no_votes_and_says_so(self, site: Site, guest: Browser) -> None:
        closes = iso(time.time() - 3600)
        made = await site.made(replace(SUMMER, closes_at=closes), ago=DAY)
        page = await guest.get(at(made))
        assert "This poll is closed." in text(page)
        assert "Final results" in text(page)
        assert "Send vote" not in text(page)
        answer = await guest.send(at(made, "/vote"), **fields(made, 0))
        assert answer.status_code == 409
        assert "This poll is closed." in text(answer)

    async def test_shows_a_voter_what_they_chose_and_no_way_to_change_it(
        self, site: Site, guest: Browser
    ) -> None:
        made = await site.made(replace(SUMMER, results_visibility="admin"))
        await voted(guest, made, 0)
        await polls.close_poll(await site.opened(made, Poll))
        page = await guest.get(at(made))
        assert "Where to? The sea" in text(page)
        assert "Edit vote" not in text(page)
        assert (await guest.send(at(made, "/withdraw"))).status_code == 409

    async def test_says_before_when_it_closes(self, site: Site, guest: Browser) -> None:
        made = await site.made(replace(SUMMER, closes_at=f"{YEAR}-12-01T18:00:00Z"))
        assert f"The poll closes: 1 December {YEAR}, 18:00 UTC" in text(await guest.get(at(made)))


async def test_a_checklist_takes_no_answers(site: Site, guest: Browser) -> None:
    made, party = await site.made(), await site.made(SUMMER)
    for deed, sent in (("answer", {"name": "B", "response": "going"}), ("vote", {"name": ""})):
        assert (await guest.send(at(made, f"/{deed}"), **sent)).status_code == 404
    assert (await guest.send(at(made, "/code"), code="aaaaaaaa")).status_code == 404
    assert (await guest.send(at(party, "/tick"), tick="x")).status_code == 404
    gate = await site.opened(party, Poll)
    await polls.vote(gate, ballot(gate.page, 0))
