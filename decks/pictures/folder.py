"""Pictures in a folder: those that the site's owner put there, and what is a picture at all."""

from pathlib import Path
from uuid import UUID

from django.conf import settings

SIZES = ("small", "normal", "art_crop")
ENDINGS = ("jpg", "png", "webp")
FACES_MAX = 10
BYTES_MAX = 3_000_000  # ten times what a picture has


def find(size: str, card: UUID, position: int) -> Path | None:
    """Return the file of a picture: SIZE/ID.jpg of the front, SIZE/ID-1.jpg of the back."""
    name = f"{card}-{position}" if position else str(card)
    paths = (settings.CARD_PICTURES_FOLDER / size / f"{name}.{ending}" for ending in ENDINGS)
    return next((path for path in paths if path.is_file()), None)


def read(path: Path) -> bytes:
    if path.stat().st_size > BYTES_MAX:
        return b""
    content = path.read_bytes()
    return content if content_type(content) else b""


def content_type(content: bytes) -> str:
    """Return what kind of picture some bytes are by how they begin; "" if they are none.

    >>> content_type(b"RIFF1234WEBPVP8 "), content_type(b"<svg>")
    ('image/webp', '')
    """
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    return "image/webp" if content[:4] == b"RIFF" and content[8:12] == b"WEBP" else ""
