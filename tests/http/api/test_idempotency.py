from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
import pytest

from commonroom.accounts.service import profiles
from commonroom.accounts.tables import DoneBefore, User, accounts
from commonroom.http import idempotency_store
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from tests.accounts.api.calling import V1, Calling, Client, given, problem
from tests.support.clocks import SET_BACK
from tests.support.engines import Clock

MEMBERS, TOKENS = f"{V1}/me/members", f"{V1}/me/tokens"
KEY = {"Idempotency-Key": "5f0c6f0e-1d2b-4c4e-9d0f-0f3f6a7e1c11"}
KIM, LEE = {"display_name": "Kim"}, {"display_name": "Lee"}


async def names(client: Client) -> list[str]:
    """Who is managed now."""
    return [one["display_name"] for one in given(await client.get(MEMBERS))["items"]]


class TestTheSameAgain:
    async def test_nobody_is_remembered(self, guest: Client) -> None:
        for _ in range(2):
            answer = await guest.post(MEMBERS, json=KIM, headers=KEY)
            problem(answer, 401)
            assert "idempotency-replayed" not in answer.headers

    async def test_the_first_answer_comes_again_and_nothing_is_done(self, program: Client) -> None:
        first = await program.post(MEMBERS, json=KIM, headers=KEY)
        given(first, 201)
        assert "idempotency-replayed" not in first.headers
        for _ in range(2):
            again = await program.post(MEMBERS, json=KIM, headers=KEY)
            assert given(again, 201) == first.json()
            assert again.headers["idempotency-replayed"] == "true"
            assert again.headers["etag"] == first.headers["etag"]
        assert await names(program) == ["Kim"]

    async def test_without_a_key_it_is_done_again(self, program: Client) -> None:
        for _ in range(2):
            given(await program.post(MEMBERS, json=KIM), 201)
        assert await names(program) == ["Kim", "Kim"]

    async def test_a_refusal_comes_again_too(self, program: Client, store: Store) -> None:
        members = [given(await program.post(MEMBERS, json=KIM), 201)["user_id"] for _ in range(8)]
        problem(await program.post(MEMBERS, json=LEE, headers=KEY), 403)
        given(await program.delete(f"{MEMBERS}/{members[0]}"), 204)
        again = await program.post(MEMBERS, json=LEE, headers=KEY)
        problem(again, 403)
        assert again.headers["idempotency-replayed"] == "true"

    async def test_after_a_day_it_is_done_again(self, program: Client, clock: Clock) -> None:
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        clock.ahead = idempotency_store.RESPONSE_SECONDS + 1
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        assert await names(program) == ["Kim", "Kim"]

    async def test_each_person_has_keys_of_their_own(self, program: Client, admin: Client) -> None:
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        answer = await admin.post(MEMBERS, json=LEE, headers=KEY)
        assert given(answer, 201)["display_name"] == "Lee"
        assert "idempotency-replayed" not in answer.headers

    async def test_an_operation_without_a_body_is_remembered_as_well(
        self, admin: Client, ben: User
    ) -> None:
        place = f"{V1}/people/{ben.user_id}/reset-link"
        first, again = [await admin.post(place, headers=KEY) for _ in range(2)]
        assert given(first, 201) == given(again, 201)


class TestAnotherRequest:
    async def test_the_same_key_with_another_body_is_refused(self, program: Client) -> None:
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        problem(await program.post(MEMBERS, json=LEE, headers=KEY), 422)
        assert await names(program) == ["Kim"]

    async def test_or_at_another_address(self, browser: Client) -> None:
        given(await browser.post(MEMBERS, json=KIM, headers=KEY), 201)
        problem(await browser.post(TOKENS, json=KIM, headers=KEY), 422)

    @pytest.mark.parametrize(
        "keys", [[""], ["x" * 256], ["a\x80b"], ["one", "two"], ["same", "same"]]
    )
    async def test_a_key_is_one_text_of_some_length(self, program: Client, keys: list[str]) -> None:
        headers = [(b"Idempotency-Key", key.encode("latin-1")) for key in keys]
        refused = problem(await program.post(MEMBERS, json=KIM, headers=headers), 400)
        assert refused["field"] == "Idempotency-Key"


class TestWhatWasNotDone:
    async def test_what_was_not_understood_may_be_sent_right(self, program: Client) -> None:
        problem(await program.post(MEMBERS, json={"name": "Kim"}, headers=KEY), 400)
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)

    async def test_who_may_not_is_not_remembered(self, calling: Calling, ben: User) -> None:
        reader = await calling.program(ben, "read")
        problem(await reader.post(MEMBERS, json=KIM, headers=KEY), 403)
        writer = await calling.program(ben, "write")
        given(await writer.post(MEMBERS, json=KIM, headers=KEY), 201)

    async def test_a_fault_of_ours_is_not_remembered(
        self, program: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def away(*arguments: Any, **named: Any) -> User:
            raise Unavailable("The store is away.")

        with monkeypatch.context() as patch:
            patch.setattr(profiles, "add_managed", away)
            answer = await program.post(MEMBERS, json=KIM, headers=KEY)
            problem(answer, 503)
            assert answer.headers["retry-after"] == "5"
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        assert await names(program) == ["Kim"]


class TestWhileUnderWay:
    async def test_the_second_is_told_to_wait(
        self, program: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()
        really = profiles.add_managed

        async def slowly(*arguments: Any, **named: Any) -> User:
            begun.set()
            await go_on.wait()
            return await really(*arguments, **named)

        monkeypatch.setattr(profiles, "add_managed", slowly)
        first = asyncio.create_task(program.post(MEMBERS, json=KIM, headers=KEY))
        await begun.wait()
        second = await program.post(MEMBERS, json=KIM, headers=KEY)
        problem(second, 409)
        assert second.headers["retry-after"] == "1"
        go_on.set()
        assert given(await first, 201) == given(
            await program.post(MEMBERS, json=KIM, headers=KEY), 201
        )

    async def test_many_at_once_are_done_once(self, program: Client) -> None:
        answers = await asyncio.gather(
            *(program.post(MEMBERS, json=KIM, headers=KEY) for _ in range(20))
        )
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert await names(program) == ["Kim"]

    async def test_one_that_never_ended_is_not_in_the_way_for_long(
        self, program: Client, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def stop(*arguments: Any, **named: Any) -> User:
            raise asyncio.CancelledError

        with monkeypatch.context() as patch:
            patch.setattr(profiles, "add_managed", stop)
            with pytest.raises(asyncio.CancelledError):
                await program.post(MEMBERS, json=KIM, headers=KEY)
        problem(await program.post(MEMBERS, json=KIM, headers=KEY), 409)
        clock.ahead = idempotency_store.UNDER_WAY_SECONDS + 1
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)


@pytest.mark.parametrize("ahead", SET_BACK)
async def test_a_clock_that_is_set_back_keeps_no_key_reserved(
    program: Client, monkeypatch: pytest.MonkeyPatch, ahead: float
) -> None:
    async def stop(*arguments: Any, **named: Any) -> User:
        raise asyncio.CancelledError

    now = time.time
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: now() + ahead)
        patch.setattr(profiles, "add_managed", stop)
        with pytest.raises(asyncio.CancelledError):
            await program.post(MEMBERS, json=KIM, headers=KEY)
    given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
    again = await program.post(MEMBERS, json=KIM, headers=KEY)
    assert again.headers["idempotency-replayed"] == "true"
    assert await names(program) == ["Kim"]


class TestWhenTheAnswerIsLost:
    async def test_what_was_done_is_never_done_again(
        self, program: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        really = profiles.add_managed

        async def stop_after(*arguments: Any, **named: Any) -> User:
            await really(*arguments, **named)
            raise asyncio.CancelledError

        with monkeypatch.context() as patch:
            patch.setattr(profiles, "add_managed", stop_after)
            with pytest.raises(asyncio.CancelledError):
                await program.post(MEMBERS, json=KIM, headers=KEY)
        for ahead in (0, idempotency_store.UNDER_WAY_SECONDS + 1):
            clock.ahead = ahead
            answer = await program.post(MEMBERS, json=KIM, headers=KEY)
            assert "was carried out" in problem(answer, 409)["detail"]
            assert "retry-after" not in answer.headers
        assert await names(program) == ["Kim"]

    async def test_nor_where_a_fault_of_ours_follows(
        self, program: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        really = profiles.add_managed

        async def fail_after(*arguments: Any, **named: Any) -> User:
            await really(*arguments, **named)
            raise Unavailable("The store is away.")

        with monkeypatch.context() as patch:
            patch.setattr(profiles, "add_managed", fail_after)
            problem(await program.post(MEMBERS, json=KIM, headers=KEY), 503)
        problem(await program.post(MEMBERS, json=KIM, headers=KEY), 409)
        assert await names(program) == ["Kim"]

    async def test_one_that_took_too_long_does_nothing_once_another_has_begun(
        self, program: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, go_on = asyncio.Event(), asyncio.Event()
        really = profiles.add_managed

        async def slowly(*arguments: Any, **named: Any) -> User:
            begun.set()
            await go_on.wait()
            return await really(*arguments, **named)

        with monkeypatch.context() as patch:
            patch.setattr(profiles, "add_managed", slowly)
            first = asyncio.create_task(program.post(MEMBERS, json=KIM, headers=KEY))
            await begun.wait()
        clock.ahead = idempotency_store.UNDER_WAY_SECONDS + 1
        second = given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        go_on.set()
        problem(await first, 409)
        assert given(await program.post(MEMBERS, json=KIM, headers=KEY), 201) == second
        assert await names(program) == ["Kim"]


class TestSecrets:
    async def test_a_secret_is_shown_again_to_whoever_asked(self, browser: Client) -> None:
        body = {"name": "backup", "scopes": ["read"]}
        first, again = [await browser.post(TOKENS, json=body, headers=KEY) for _ in range(2)]
        assert given(first, 201)["secret"] == given(again, 201)["secret"]

    async def test_the_database_alone_does_not_tell_it(self, browser: Client, store: Store) -> None:
        body = {"name": "backup", "scopes": ["read"]}
        made = given(await browser.post(TOKENS, json=body, headers=KEY), 201)
        rows = await store.engine.scan(accounts, limit=1000)
        kept = [row for row in rows.items if row["kind"] == "DONE"]
        assert len(kept) == 1
        assert made["secret"].encode() not in msgspec.msgpack.encode(rows.items)
        assert KEY["Idempotency-Key"].encode() not in msgspec.msgpack.encode(rows.items)

    async def test_another_session_of_the_same_person_is_not_told(
        self, browser: Client, calling: Calling, ben: User
    ) -> None:
        body = {"name": "backup", "scopes": ["read"]}
        given(await browser.post(TOKENS, json=body, headers=KEY), 201)
        other = await calling.browser(ben)
        problem(await other.post(TOKENS, json=body, headers=KEY), 409)
        assert len(given(await browser.get(TOKENS))["items"]) == 1

    async def test_it_is_kept_for_a_day(self, program: Client, store: Store, ben: User) -> None:
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        rows = await store.engine.scan(accounts, limit=1000)
        (kept,) = [DoneBefore.from_item(row) for row in rows.items if row["kind"] == "DONE"]
        assert kept.user_id == ben.user_id
        assert abs(kept.ttl - time.time() - 24 * 3600) < 60


class TestLargeAnswers:
    async def test_one_too_large_to_keep_is_not_given_again_and_not_done_again(
        self, program: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(idempotency_store, "LARGEST", 10)
        given(await program.post(MEMBERS, json=KIM, headers=KEY), 201)
        problem(await program.post(MEMBERS, json=KIM, headers=KEY), 409)
        assert await names(program) == ["Kim"]
