"""A title's drawing as a picture: the scene and the colours that pages show, read from there."""

from __future__ import annotations

import colorsys
import re
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TypeAlias

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from commonroom.titles.posters import LAYOUTS, Drawing
from commonroom.titles.preview_pictures import SIZE
from commonroom.titles.preview_pictures.svg_paths import outlines

Colour: TypeAlias = tuple[int, int, int]
Letters: TypeAlias = ImageFont.FreeTypeFont

PAPER: Colour = (253, 243, 223)
SCENE = (200, 300)
"""How wide and high the scenes are drawn."""
FINER = 2
"""So many times larger it is drawn than it is shown: edges become smooth."""
LETTERING = {"large": 0.19, "middle": 0.144, "small": 0.116, "tiny": 0.092}
"""The style sheet's, as parts of the width."""
MARGIN = 0.07
FOOT = 0.84
"""How much of a show's drawing is above the band with its title."""

_STATIC = files("commonroom.http") / "static"
_SYMBOL = re.compile(r'<symbol id="([\w-]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_PATH = re.compile(r"<path ([^>]*)/>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_RULE = re.compile(r"\.(poster-[a-z]+|shade-\d) \{([^}]*)\}")
_VALUE = re.compile(r"--([\w-]+): (-?[\d.]+)")


class Palette(Struct, frozen=True):
    """The colours of a drawing."""

    sky: Colour
    ink: Colour
    accent: Colour

    def named(self, name: str) -> Colour:
        """Returns a colour as drawings name it."""
        if name == "var(--accent)":
            return self.accent
        if name == "var(--ink-of-poster)":
            return self.ink
        return self.sky if name == "var(--sky-of-poster)" else PAPER


def draw_poster(drawing: Drawing, width: int) -> Image.Image:
    """Returns a drawing as wide as this, and half as high again."""
    size = (width * FINER, width * FINER * 3 // 2)
    colours = palette(drawing)
    picture = _gradient(size, colours.sky, colours.ink)
    is_show = drawing.layout in LAYOUTS["SHOW"]
    scene = _scene(drawing.scene, colours, size[0])
    if drawing.layout in (1, 4):
        scene = scene.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    lifted = -round(size[1] * (1 - FOOT)) if is_show else 0
    picture.paste(scene, (0, lifted), scene)
    _letter(picture, drawing, colours, is_show=is_show)
    return picture.resize((width, width * 3 // 2), Image.Resampling.LANCZOS)


def palette(drawing: Drawing) -> Palette:
    """Returns the colours of a genre in one of its shades."""
    rules = _style_rules()
    values = {"rich": 42.0, "sky-light": 36.0, "ink-light": 19.0, "turn": 0.0}
    values |= rules.get(f"poster-{drawing.colour}", {}) | rules.get(f"shade-{drawing.shade}", {})
    hue = values["hue"] + values["turn"]
    return Palette(
        _hsl(hue, values["rich"], values["sky-light"]),
        _hsl(hue + 14, values["rich"], values["ink-light"]),
        _hsl(values["glow"], 86, 68),
    )


def begin_preview(ink: Colour) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Returns an empty preview, darker than the ink of its drawing, and what draws on it."""
    red, green, blue = (part * 3 // 4 for part in ink)
    preview = Image.new("RGB", SIZE, (red, green, blue))
    return preview, ImageDraw.Draw(preview)


def as_png(picture: Image.Image) -> bytes:
    """Returns a picture as it is sent."""
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def write_lines(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], lines: list[str], letters: Letters
) -> float:
    """Writes lines below each other; returns where the next one would begin."""
    left, top = at
    for line in lines:
        draw.text((left, top), line, font=letters, fill=PAPER)
        top += letters.size * 1.15
    return top


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Returns the house's own letters."""
    file = _STATIC / "fonts" / "fraunces-soft-600.woff2"
    return ImageFont.truetype(BytesIO(file.read_bytes()), size)


def wrap(text: str, letters: Letters, width: float, most: int) -> list[str]:
    """Returns a text on as few lines as it takes; what does not fit ends with an ellipsis."""
    lines: list[str] = []
    for word in (_cut(word, letters, width) for word in text.split()):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and letters.getlength(joined) <= width:
            lines[-1] = joined
        elif len(lines) == most:
            lines[-1] = lines[-1].rstrip(".,:;") + "…"
            break
        else:
            lines.append(word)
    return lines


def _cut(word: str, letters: Letters, width: float) -> str:
    """Returns a word, shortened where it is longer than a line."""
    if letters.getlength(word) <= width:
        return word
    while word and letters.getlength(word + "…") > width:
        word = word[:-1]
    return word + "…"


def _letter(picture: Image.Image, drawing: Drawing, colours: Palette, *, is_show: bool) -> None:
    width, height = picture.size
    letters = font(round(width * LETTERING[drawing.lettering]))
    margin = width * MARGIN
    lines = wrap(drawing.title, letters, width - 2 * margin, 6)
    line_height = letters.size * 1.08
    draw = ImageDraw.Draw(picture)
    top = margin
    if is_show:
        foot = height - line_height * len(lines) - width * 0.12
        draw.rectangle((0, foot, width, height), fill=colours.ink)
        draw.rectangle((0, foot, width, foot + width * 0.016), fill=colours.accent)
        top = foot + width * 0.055
    anchors = {1: ("ra", width - margin), 4: ("ra", width - margin), 2: ("ma", width / 2)}
    anchors[5] = anchors[2]
    anchor, x = anchors.get(drawing.layout, ("la", margin))
    for number, line in enumerate(lines):
        draw.text((x, top + number * line_height), line, font=letters, fill=PAPER, anchor=anchor)


def _gradient(size: tuple[int, int], top: Colour, bottom: Colour) -> Image.Image:
    mask = Image.linear_gradient("L").resize(size)
    return Image.composite(Image.new("RGB", size, bottom), Image.new("RGB", size, top), mask)


def _scene(name: str, colours: Palette, width: int) -> Image.Image:
    scale = width / SCENE[0]
    size = (width, round(SCENE[1] * scale))
    whole = Image.new("RGBA", size)
    for path in _paths()[name]:
        layer = Image.new("RGBA", size)
        draw = ImageDraw.Draw(layer)
        opacity = round(255 * float(path.get("opacity", "1")))
        for line in outlines(path["d"]):
            points = [(x * scale, y * scale) for x, y in line]
            if path.get("fill") != "none" and len(points) > 2:
                draw.polygon(points, fill=(*colours.named(path.get("fill", "")), opacity))
            if "stroke" in path:
                thick = round(float(path.get("stroke-width", "1")) * scale)
                fill = (*colours.named(path["stroke"]), opacity)
                draw.line(points, fill=fill, width=thick, joint="curve")
        whole.alpha_composite(layer)
    return whole


@cache
def _paths() -> dict[str, list[dict[str, str]]]:
    text = (_STATIC / "posters.svg").read_text(encoding="utf-8")
    return {
        name: [dict(_ATTRIBUTE.findall(path)) for path in _PATH.findall(body)]
        for name, body in _SYMBOL.findall(text)
    }


@cache
def _style_rules() -> dict[str, dict[str, float]]:
    text = (_STATIC / "components.css").read_text(encoding="utf-8")
    rules = {
        name: {key: float(value) for key, value in _VALUE.findall(body)}
        for name, body in _RULE.findall(text)
    }
    lighter = {"sky-light": 48.0, "ink-light": 27.0}
    return rules | {f"shade-{one}": lighter | rules.get(f"shade-{one}", {}) for one in (5, 6, 7)}


def _hsl(hue: float, saturation: float, lightness: float) -> Colour:
    red, green, blue = colorsys.hls_to_rgb(hue % 360 / 360, lightness / 100, saturation / 100)
    return round(red * 255), round(green * 255), round(blue * 255)
