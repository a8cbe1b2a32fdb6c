"""What forms send, also where no browser would send it like that."""

from __future__ import annotations

import pytest

from commonroom.errors import BadRequest
from commonroom.http.form_data import MAX_FIELDS, MAX_PARTS, FormFile, read_fields, read_parts

KIND = "multipart/form-data; boundary=edge"


def part(name: str, content: bytes, *, filename: str | None = None, kind: str = "") -> bytes:
    said = f'Content-Disposition: form-data; name="{name}"'
    if filename is not None:
        said += f'; filename="{filename}"'
    if kind:
        said += f"\r\nContent-Type: {kind}"
    return b"--edge\r\n" + said.encode() + b"\r\n\r\n" + content + b"\r\n"


END = b"--edge--\r\n"


class TestFields:
    @pytest.mark.parametrize(
        "body, fields",
        [
            (b"", {}),
            (b"name=Ada&colour=", {"name": "Ada", "colour": ""}),
            (b"a=1&a=2&b=3&a=", {"a": ["1", "2", ""], "b": "3"}),
            (b"a=%C3%A9+%26", {"a": "é &"}),
            (b"a", {"a": ""}),
            (b"=&&=x&", {"": ["", "x"]}),
            (b"a=%FF%ED%A0%80", {"a": "\ufffd" * 4}),
            (b"a=%zz%", {"a": "%zz%"}),
            (b"a=%00", {"a": "\0"}),
            (b"a;b=c", {"a;b": "c"}),
            (b"{}", {"{}": ""}),
        ],
    )
    def test_are_read_whatever_was_sent(self, body: bytes, fields: object) -> None:
        assert read_fields(body) == fields

    def test_are_only_so_many(self) -> None:
        assert read_fields(b"a=1&" * (MAX_FIELDS - 1)) == {"a": ["1"] * (MAX_FIELDS - 1)}
        with pytest.raises(BadRequest):
            read_fields(b"&" * MAX_FIELDS)


class TestParts:
    def test_are_texts_and_files_by_name(self) -> None:
        body = part("note", "é".encode()) + part("file", b"a\r\nb", filename="x.csv") + END
        assert read_parts(body, KIND) == {"note": "é", "file": FormFile("x.csv", b"a\r\nb")}

    def test_of_one_name_are_a_list(self) -> None:
        body = part("file", b"1", filename="a") + part("file", b"2", filename="b") + END
        assert read_parts(body, KIND) == {"file": [FormFile("a", b"1"), FormFile("b", b"2")]}

    def test_without_a_chosen_file_are_text(self) -> None:
        assert read_parts(part("file", b"", filename="") + END, KIND) == {"file": ""}

    def test_may_have_their_boundary_in_quotes_and_in_any_case(self) -> None:
        kind = 'Multipart/Form-Data; charset=utf-8; Boundary="edge"'
        assert read_parts(part("a", b"1") + END, kind) == {"a": "1"}

    def test_stand_in_what_their_own_type_says(self) -> None:
        body = part("a", b"\xe9", kind="text/plain; charset=latin-1") + END
        assert read_parts(body, KIND) == {"a": "é"}

    @pytest.mark.parametrize(
        "kind",
        [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=other",
            'multipart/form-data; boundary="a\nb"',
            "multipart/form-data; boundary=\xff",
            "application/x-www-form-urlencoded",
            "",
        ],
    )
    def test_without_their_boundary_are_refused(self, kind: str) -> None:
        with pytest.raises(BadRequest):
            read_parts(part("a", b"1") + END, kind)

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"a=1",
            b"--edge",
            b"--edge\r\n",
            part("a", b"1"),
            part("a", b"1") + b"--edge",
            b"--edge\r\n\r\nno head\r\n" + END,
            b"--edge\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n" + END,
            b"--edge\r\nnonsense\r\n\r\n1\r\n" + END,
            b"--edge\nContent-Disposition: form-data; name=a\n\n1\n--edge--\n",
            b"--edge\r\n" + b"X" * 10_000 + b": 1\r\n\r\n1\r\n" + END,
            b"--edge\r\n" + b"X: 1\r\n" * 100 + b"\r\n1\r\n" + END,
            part("a", b"\xff\xfe"),
            part("a", b"\xff\xfe") + END,
            part("a", b"1", kind="text/plain; charset=nonsense") + END,
            b"--edge\r\nContent-Disposition: form-data; name=a\r\nContent-Length: -1\r\n\r\n1\r\n"
            + END,
        ],
    )
    def test_that_are_not_whole_or_no_parts_are_refused(self, body: bytes) -> None:
        with pytest.raises(BadRequest):
            read_parts(body, KIND)

    def test_are_only_so_many(self) -> None:
        most = b"".join(part(f"f{number}", b"") for number in range(MAX_PARTS))
        assert len(read_parts(most + END, KIND)) == MAX_PARTS
        with pytest.raises(BadRequest):
            read_parts(most + part("more", b"") + END, KIND)
