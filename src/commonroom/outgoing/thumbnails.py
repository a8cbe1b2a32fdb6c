"""Small pictures out of whatever a server sends as one; loaded when the first is made."""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image, ImageOps

from commonroom.outgoing.pictures import BOXES, Size, Thumbnails

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_PIXELS = {"JPEG": 16_000_000, "PNG": 6_000_000, "WEBP": 6_000_000, "GIF": 6_000_000}
"""As many as a phone's camera makes, where a picture can be unpacked smaller at once, and as a
cover has at the most where it cannot. A few kilobytes can claim them; unpacking, which may copy
them four times, then takes MAX_MEGABYTES, as a test measures."""
MAX_MEGABYTES = 160
MIN_SIDE = 10
"""Many servers answer with a single dot where they have no picture."""
QUALITY = 80

# A picture that claims to be huge is refused by its head, before Pillow unpacks any of it.
warnings.simplefilter("error", Image.DecompressionBombWarning)


def thumbnails(data: bytes) -> Thumbnails | None:
    """A picture in all sizes, as WebP, without what was hidden in it; None where it is none."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as opened:
            if not _is_bearable(opened):
                return None
            picture = _upright(opened)
        return {size: _webp(picture, size) for size in BOXES}
    except Exception:  # decoders fail in any way on what is made to break them
        return None


def _is_bearable(opened: Image.Image) -> bool:
    """By what the picture's head says, before any of it is unpacked."""
    width, height = opened.size
    return min(width, height) >= MIN_SIDE and width * height <= MAX_PIXELS[opened.format or ""]


def _upright(opened: Image.Image) -> Image.Image:
    """Returns the first picture of however many, turned as it was taken, in plain colours on white.

    It is made small first: whatever else is done to it takes a copy.
    """
    width, height = BOXES["large"]
    opened.draft("RGB", (2 * width, 2 * height))  # a JPEG can be unpacked smaller at once
    mode = "RGBA" if opened.has_transparency_data else "RGB"
    seen = opened if opened.mode == mode else opened.convert(mode)
    # Room for a finer reduction later, whichever way round it is.
    seen = seen.reduce(max(1, min(seen.size) // (2 * height)))
    ImageOps.exif_transpose(seen, in_place=True)
    if mode == "RGB":
        return seen
    return Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB")


def _webp(picture: Image.Image, size: Size) -> bytes:
    fitting = picture.copy()
    fitting.thumbnail(BOXES[size])
    written = BytesIO()
    fitting.save(written, "WEBP", quality=QUALITY)
    return written.getvalue()
