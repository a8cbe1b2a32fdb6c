"""Letters: how they are handed in, and what is said when a mail server does not take one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.outgoing.mail import Email, MailFailed, NoMail, SmtpMailer, mailer_of
from commonroom.settings import Settings
from commonroom.settings.addresses import MailServer
from tests.support.mail import HOST, Mailbox, certificate, mailbox, serving_with, talking, words

SENDER = "commonroom@home.example"
LETTER = Email("ada@example.org", "Hello", "A line.\n\nhttps://home.example/reset/" + "x" * 43)
PASSWORD = "s3cret/+@:"


def mailer(address: str) -> SmtpMailer:
    """The mailer of an installation with this mail server."""
    made = mailer_of(Settings(mail_server=address, mail_from=SENDER))
    assert isinstance(made, SmtpMailer)
    return made


def impatient(port: int) -> SmtpMailer:
    """One that does not wait for long."""
    return SmtpMailer(MailServer(HOST, port, "none"), SENDER, seconds=0.3)


async def refusal(made: SmtpMailer, letter: Email = LETTER) -> MailFailed:
    """Why a letter was not taken; never anything that is nobody's business."""
    with pytest.raises(MailFailed) as caught:
        await made.send(letter)
    said = f"{caught.value.why} {caught.value.detail} {caught.value!r}"
    assert letter.to not in said
    assert PASSWORD not in said
    assert "postman" not in said
    assert caught.value.__cause__ is None
    return caught.value


class TestALetter:
    async def test_arrives_as_it_was_written(self) -> None:
        async with mailbox() as box:
            await mailer(box.address).send(LETTER)

        (letter,) = box.letters
        assert letter["From"] == f"Commonroom <{SENDER}>"
        assert letter["To"] == "ada@example.org"
        assert letter["Subject"] == "Hello"
        assert letter["Date"]
        assert letter["Message-ID"].endswith("@home.example>")
        assert letter["Auto-Submitted"] == "auto-generated"
        assert words(letter).rstrip("\n") == LETTER.text
        assert box.envelopes == [(SENDER, ["ada@example.org"])]

    async def test_may_be_in_any_language(self) -> None:
        async with mailbox() as box:
            await mailer(box.address).send(Email("ß@bücher.example", "Grüße", "Über dich … 🎬"))

        (letter,) = box.letters
        assert letter["Subject"] == "Grüße"
        assert "Über dich … 🎬" in letter.get_content()
        assert box.envelopes[0][1] == ["ß@xn--bcher-kva.example"]

    async def test_to_letters_that_the_server_does_not_know_fails_for_good(self) -> None:
        async with mailbox(all_letters=False) as box:
            failed = await refusal(mailer(box.address), Email("ß@example.org", "Hello", "Hello"))

        assert "does not accept this address" in failed.why
        assert failed.for_good

    async def test_has_no_more_headers_and_readers_than_it_should(self) -> None:
        async with mailbox() as box:
            await mailer(box.address).send(
                Email("ada@example.org", "Hello\r\nBcc: eve@example.org", "\r\n.\r\nMAIL FROM:<x>")
            )

        (letter,) = box.letters
        assert letter["Subject"] == "Hello Bcc: eve@example.org"
        assert letter["Bcc"] is None
        assert box.envelopes[0][1] == ["ada@example.org"]

    @pytest.mark.parametrize(
        "to",
        [
            "ada@example.org\r\nBcc: eve@example.org",
            "ada@example.org>\r\nRCPT TO:<eve@example.org",
            "",
            "@",
            "ada",
            "ada@" + "x" * 64 + ".org",
        ],
    )
    async def test_goes_to_no_address_that_is_none(self, to: str) -> None:
        async with mailbox() as box:
            with pytest.raises(MailFailed) as caught:
                await mailer(box.address).send(Email(to, "Hello", "Hello"))

        assert caught.value.for_good
        assert box.letters == []

    @given(to=st.text(max_size=60), subject=st.text(max_size=60))
    def test_reaches_one_reader_or_none_whatever_stands_in_it(self, to: str, subject: str) -> None:
        async def written() -> Mailbox:
            async with mailbox() as box:
                try:
                    await mailer(box.address).send(Email(f"{to}@example.org", subject, "Hello"))
                except MailFailed:
                    assert box.letters == []
                return box

        box = asyncio.run(written())
        for letter, (sender, readers) in zip(box.letters, box.envelopes, strict=True):
            assert sender == SENDER
            assert len(readers) == 1
            assert readers[0].endswith("@example.org")
            assert letter["Bcc"] is letter["Cc"] is None
            assert letter.get_content().strip() == "Hello"


class TestAMailServer:
    @pytest.fixture
    def trusted(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A certificate that this machine trusts."""
        file = certificate(tmp_path)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        return file

    async def test_is_spoken_to_in_secret(self, trusted: Path) -> None:
        async with mailbox(tls=serving_with(trusted)) as box:
            await mailer(f"smtps://{HOST}:{box.port}").send(LETTER)
        assert len(box.letters) == 1

    async def test_is_asked_for_secrecy_before_it_gets_the_password(self, trusted: Path) -> None:
        async with mailbox(starttls=serving_with(trusted), with_password=True) as box:
            name = f"postman:{quote(PASSWORD, safe='')}"
            await mailer(f"smtp+starttls://{name}@{HOST}:{box.port}").send(LETTER)
        assert len(box.letters) == 1

    async def test_that_knows_no_secrecy_gets_neither_password_nor_letter(self) -> None:
        async with mailbox(with_password=True) as box:
            name = f"postman:{quote(PASSWORD, safe='')}"
            failed = await refusal(mailer(f"smtp+starttls://{name}@{HOST}:{box.port}"))
        assert "does not support this kind of connection" in failed.why
        assert box.letters == []

    @pytest.mark.parametrize("scheme", ["smtps", "smtp+starttls"])
    async def test_with_a_certificate_of_its_own_making_gets_nothing(
        self, tmp_path: Path, scheme: str
    ) -> None:
        context = serving_with(certificate(tmp_path))
        tls, starttls = (context, None) if scheme == "smtps" else (None, context)
        async with mailbox(tls=tls, starttls=starttls) as box:
            failed = await refusal(mailer(f"{scheme}://{HOST}:{box.port}"))
        assert "certificate" in failed.why
        assert box.letters == []

    async def test_can_ask_for_a_password(self) -> None:
        async with mailbox(with_password=True) as box:
            name = f"postman:{quote(PASSWORD, safe='')}"
            await mailer(f"smtp://{name}@{HOST}:{box.port}").send(LETTER)
            failed = await refusal(mailer(f"smtp://postman:wrong@{HOST}:{box.port}"))
            await refusal(mailer(box.address))
        assert len(box.letters) == 1
        assert failed.why == f"{HOST}:{box.port} refused the login (535)."
        assert not failed.for_good

    @pytest.mark.parametrize(
        "command, answer, why, for_good",
        [
            ("MAIL", "553 not yours", "refused the sender (553)", False),
            ("RCPT", "550 nobody here", "refused the address (550)", True),
            ("RCPT", "451 later", "refused the address (451)", False),
            ("DATA", "554 no", "refused the e-mail (554)", True),
            ("DATA", "452 full", "refused the e-mail (452)", False),
        ],
    )
    async def test_may_refuse(self, command: str, answer: str, why: str, for_good: bool) -> None:
        async with mailbox() as box:
            box.refusals[command] = answer
            failed = await refusal(mailer(box.address))
        assert failed.why == f"{HOST}:{box.port} {why}."
        assert failed.for_good is for_good

    async def test_that_is_not_there_cannot_be_reached(self) -> None:
        async with mailbox() as box:
            gone = mailer(box.address)
        assert "cannot be reached" in (await refusal(gone)).why

    async def test_that_never_says_a_word_is_not_waited_for(self) -> None:
        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()

        async with talking(silent) as port:
            assert "in time" in (await refusal(impatient(port))).why

    async def test_that_says_its_words_too_slowly_is_not_waited_for(self) -> None:
        async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 hello\r\n")
            while not reader.at_eof():
                writer.write(b"250-and another thing\r\n")
                await asyncio.sleep(0.05)

        async with talking(slow) as port:
            assert "in time" in (await refusal(impatient(port))).why

    @pytest.mark.parametrize(
        "greeting", [b"", b"220 hello\r\n", b"554 go away\r\n", b"HTTP/1.1 200 OK\r\n\r\n"]
    )
    async def test_that_hangs_up_has_not_taken_the_letter(self, greeting: bytes) -> None:
        async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(greeting)

        async with talking(rude) as port:
            failed = await refusal(impatient(port))
        assert not failed.for_good

    async def test_can_be_reached_without_a_letter(self) -> None:
        async with mailbox() as box:
            await mailer(box.address).reach()
        assert box.letters == []
        with pytest.raises(MailFailed):
            await mailer(box.address).reach()


async def test_where_there_is_no_mail_server_letters_go_nowhere() -> None:
    made = mailer_of(Settings())
    assert isinstance(made, NoMail)
    assert not made.sends
    await made.send(LETTER)
