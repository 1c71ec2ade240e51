"""Boards read from pictures, by Pillow, an extra. Files from outside are not trusted."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, SupportsIndex

from knightstour._core import Board, _quote
from knightstour.drawing import scene
from knightstour.drawing.raster import pillow
from knightstour.errors import BoardError
from knightstour.keywords import named

if TYPE_CHECKING:
    from os import PathLike
    from typing import Literal

    from PIL import Image

#: Bytes of a file, and pixels.
MOST_BYTES = 1 << 26
MOST_READ = 1 << 24
#: Those that run no other program.
FORMATS = ("PNG", "GIF", "JPEG", "BMP", "PPM", "WEBP")


@named("Board.from_image")
def board_from_image(
    image: str | PathLike[str] | bytes | BinaryIO,
    rows: SupportsIndex | None = None,
    cols: SupportsIndex | None = None,
    *,
    threshold: float = 0.5,
    leaper: tuple[SupportsIndex, SupportsIndex] = (1, 2),
    wrap: Literal["cols", "rows", "both"] | None = None,
) -> Board:
    """Read a board from a picture: see `Board.from_image`."""
    module = pillow("Board.from_image")
    scene.check_number("threshold", threshold, 0, 1)
    data = read_bytes(image)
    from PIL import ImageOps, UnidentifiedImageError  # noqa: PLC0415

    try:
        opened = module.open(BytesIO(data), formats=FORMATS)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, module.DecompressionBombError) as error:
        raise BoardError(f"the picture cannot be read: {error}") from error
    with opened:
        # The size stands in the file's head: nothing has been unpacked yet.
        width, height = opened.size
        if width * height > MOST_READ:
            raise BoardError(f"the picture has {width}x{height} pixels; at most {MOST_READ:,} can be read")
        down, across = side("rows", rows, height), side("cols", cols, width)
        try:
            grey = flat(module, ImageOps.exif_transpose(opened))
        except (OSError, SyntaxError, ValueError, EOFError, MemoryError, module.DecompressionBombError) as error:
            raise BoardError(f"the picture is damaged: {error}") from error
    if grey.size != (across, down):
        grey = grey.resize((across, down), module.Resampling.BOX)
    dark = bytes(ord("#" if shade < threshold * 255 else ".") for shade in range(256))
    marks = grey.tobytes().translate(dark).decode("ascii")
    text = "\n".join(marks[first : first + across] for first in range(0, len(marks), across))
    return Board.parse(text, leaper=leaper, wrap=wrap)


def read_bytes(image: Any) -> bytes:
    """The bytes of a file, unless it is huge."""
    if isinstance(image, (bytes, bytearray, memoryview)):
        data = bytes(image)
    elif hasattr(image, "read"):
        data = image.read(MOST_BYTES + 1)
        if not isinstance(data, bytes):
            raise BoardError("the picture's file must be opened in binary mode")
    else:
        with Path(image).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BoardError(f"the picture's file has more than {MOST_BYTES:,} bytes")
    return data


def side(name: str, given: Any, pixels: int) -> int:
    """A side of the board: what was given, or the pixels."""
    if given is None:
        return pixels
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise BoardError(f"{name} must be a whole number, not {_quote(given)}")
    number = int(given.__index__())
    if not 1 <= number <= pixels:
        raise BoardError(f"{name} must be from 1 to the picture's {pixels} pixels, not {number}")
    return number


def flat(module: Any, image: Image.Image) -> Image.Image:
    """A picture in shades of grey; what is transparent is white."""
    coloured = image.convert("RGBA")
    white = module.new("RGBA", coloured.size, (255, 255, 255, 255))
    result: Image.Image = module.alpha_composite(white, coloured).convert("L")
    return result
