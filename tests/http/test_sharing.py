"""Sharing: the QR code."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from commonroom.http.sharing import Shared, qr_code


def test_a_qr_code_is_a_drawing_without_colours_or_styles_of_its_own() -> None:
    drawing = ET.fromstring(qr_code("https://house.example/sign-up?invitation=x"))  # noqa: S314 - ours
    assert drawing.attrib["class"] == "qr"
    assert "viewBox" in drawing.attrib
    assert not {"width", "height", "style"} & set(drawing.attrib)


def test_what_was_typed_is_not_in_the_drawing() -> None:
    assert "script" not in Shared("https://house.example/<script>", "x").qr
