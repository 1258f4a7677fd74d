"""The site's own copies of pictures, each fetched once from the source, up to some bytes.

All processes of a machine share the folder. They take turns to fetch, so the source has one request
of ours at a time, and no more than ten a second.
"""

import fcntl
import logging
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from uuid import UUID

from django.conf import settings

from coalition_site.lib import outgoing

from ..models import CardFace
from . import addresses, folder

log = logging.getLogger(__name__)

GAP = 0.1  # seconds between two requests to the source, at least
AWAY = 60  # seconds for which a source is left alone that does not answer
FORGET = 24 * 60 * 60  # seconds after which a picture that was not there is asked for again
SWEEP = 50  # pictures between two looks at how large the cache is
ROOM = 0.9  # of the bytes that it may have are left by a sweep
USED = 24 * 60 * 60  # seconds between two notes that a picture was used
HEADERS = {"Accept": "image/webp,image/*"}


class NotNow(Exception):
    """A picture that can't be fetched now; ask again after ``wait`` seconds."""

    def __init__(self, why: str, wait: int = AWAY) -> None:
        super().__init__(why)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture by size, card and face; ``version`` stands for its address at the source."""

    size: str
    card: UUID
    position: int
    version: str

    @property
    def path(self) -> Path:
        card = str(self.card)
        name = f"{card}-{self.position}-{self.version}"
        return Path(settings.CARD_PICTURES_FOLDER, self.size, card[:2], name)

    def address(self) -> str:
        """Return where it is at the source; "" if the catalogue does not have it. One query."""
        faces = CardFace.objects.filter(card__oracle_id=self.card, position=self.position)
        pictures = faces.values_list("pictures", flat=True).first() or {}
        address: str = pictures.get(self.size, "")
        is_it = addresses.is_of_source(address) and addresses.version(address) == self.version
        return address if is_it else ""


_away_until = 0.0
_since_sweep = 0


def stored(wanted: Wanted) -> bytes | None:
    """Return a picture that is here; nothing if it isn't at the source, None if that is unknown."""
    with suppress(OSError):  # it isn't there, or nothing can be
        content, age = wanted.path.read_bytes(), time.time() - wanted.path.stat().st_mtime
        if content and age > USED:
            os.utime(wanted.path)  # what was used last is kept longest
        return content if content or age < FORGET else None
    return None


def fetched(wanted: Wanted) -> bytes:
    """Fetch a picture and store it; return nothing if there is none. One query.

    :raises NotNow: if the source does not answer, or the picture can't be stored.
    """
    address = wanted.address()
    if not address:
        return b""
    try:
        settings.CARD_PICTURES_FOLDER.mkdir(parents=True, exist_ok=True)
        with (settings.CARD_PICTURES_FOLDER / "turn").open("a") as turn:
            # Nobody else on this machine fetches, and the gap has passed after the last who did.
            fcntl.flock(turn, fcntl.LOCK_EX)
            since = time.time() - os.fstat(turn.fileno()).st_mtime
            time.sleep(max(0, min(GAP, GAP - since)))
            os.utime(turn.fileno())
            # Whoever had the turn before may have wanted the same.
            content = stored(wanted)
            if content is None:
                content = _ask(address)
                _store(wanted.path, content)
            return content
    except OSError as error:
        log.error("Card pictures can't be stored: %s", error)
        raise NotNow("It can't be stored.") from error


def _ask(address: str) -> bytes:
    """:raises NotNow: if the source does not answer, or asks to be left alone, as it then is."""
    global _away_until
    if (wait := _away_until - time.monotonic()) > 0:
        raise NotNow("The source did not answer a moment ago.", int(wait) + 1)
    answer = outgoing.ask("GET", address, HEADERS, most=folder.BYTES_MAX)
    if answer.problem or answer.status == 429 or answer.status >= 500:
        wait = max(AWAY, answer.wait)
        _away_until = time.monotonic() + wait
        log.warning("Card pictures: no answer from their source: %s", answer.text)
        raise NotNow(answer.text, int(wait))
    is_picture = answer.is_good and folder.content_type(answer.body)
    return answer.body if is_picture else b""


def _store(path: Path, content: bytes) -> None:
    global _since_sweep
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(content)
    os.replace(file.name, path)
    _since_sweep += 1
    if _since_sweep >= SWEEP:
        _since_sweep = 0
        sweep()


def sweep() -> None:
    """Remove the pictures that were not used for longest, if there are too many bytes of them."""
    files = []
    for path in settings.CARD_PICTURES_FOLDER.glob("*/*/*"):
        with suppress(FileNotFoundError):
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    total, most = sum(size for _, size, _ in files), settings.CARD_PICTURES_BYTES
    if total <= most:
        return
    for _, size, path in sorted(files):
        path.unlink(missing_ok=True)
        total -= size
        if total <= most * ROOM:
            return
