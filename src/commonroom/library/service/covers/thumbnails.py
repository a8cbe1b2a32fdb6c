"""Small pictures out of whatever a server sends as one; loaded when the first is made."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image, ImageOps

from commonroom.library.service.covers.sizes import BOXES, Size, Thumbnails

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MOST_PIXELS = 24_000_000
"""As many as a good camera makes; unpacked they are about a hundred megabytes."""
LEAST_SIDE = 10
"""Many servers answer with a single dot where they have no picture."""
QUALITY = 80

# A picture that claims to be huge is refused by its head, before Pillow unpacks any of it.
warnings.simplefilter("error", Image.DecompressionBombWarning)


def thumbnails(data: bytes) -> Thumbnails | None:
    """A picture in all sizes, as WebP, without what was hidden in it; None where it is none."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            if not _is_bearable(*opened.size):
                return None
            picture = _upright(opened)
        return {size: _webp(picture, size) for size in BOXES}
    except Exception:  # decoders fail in any way on what is made to break them
        return None


def _is_bearable(width: int, height: int) -> bool:
    return min(width, height) >= LEAST_SIDE and width * height <= MOST_PIXELS


def _upright(opened: Image.Image) -> Image.Image:
    """The first picture of however many, turned as it was taken, in plain colours on white."""
    opened.draft("RGB", (2 * BOXES["large"][1],) * 2)  # a JPEG can be unpacked smaller at once
    turned = ImageOps.exif_transpose(opened)
    if not turned.has_transparency_data:
        return turned.convert("RGB")
    seen = turned.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")


def _webp(picture: Image.Image, size: Size) -> bytes:
    fitting = picture.copy()
    fitting.thumbnail(BOXES[size])
    written = BytesIO()
    fitting.save(written, "WEBP", quality=QUALITY)
    return written.getvalue()
