"""A scorekeeper's phone at a table: it opens the page and sends taps as `outbox.js` does."""

import re
from uuid import uuid4

from tests.bench.client import Answer, Connection

STAMP = re.compile(r'data-stamp="([^"]*)"')
RINGED = re.compile(r'seat-(\d)((?: last-\d)+)"')  # a player, and who of the others hit it last
EMPTY: dict[str, object] = {"typed": "", "toxic": ""}  # fields of the pad that a browser sends too


class Scorekeeper:
    """A phone with its cookies, its connection and the pad that it shows.

    The pad is known by its stamp and its rings, whom each player hit last. A tap says which pad the
    phone shows; where that one stays right, the answer comes without a pad.
    """

    def __init__(self, port: int, table: tuple[str, str], secret: str) -> None:
        self.code, key = table
        self.connection = Connection(port, f"csrftoken={secret}; key-{self.code}={key}")
        self.headers = {"HX-Request": "true", "X-CSRFToken": secret}
        self.stamp = ""
        self.rings: dict[str, str] = {}

    @property
    def pad(self) -> dict[str, object]:
        """Return what a tap says of the pad, as `padShown` in `table.js`."""
        rings = (source + target for source, target in sorted(self.rings.items()))
        return {"pad": ".".join([self.stamp, *rings])}

    async def arrive(self) -> None:
        answer = await self.look()
        assert answer.status == 200, answer.status

    async def look(self) -> Answer:
        answer = await self.connection.fetch(f"/s/{self.code}/score/")
        self.read(answer)
        return answer

    async def hit(self) -> Answer:
        path = f"/s/{self.code}/score/1/hit/"
        answer = await self.connection.fetch(path, self.hit_form(), **self.headers)
        self.read(answer)
        return answer

    def hit_form(self) -> dict[str, object]:
        """Return what that hit sends; the phone draws its ring before it sends."""
        self.rings["1"] = "2"
        hit = {"tap_id": uuid4().hex, "source": 1, "target": 2, "kind": "combat", "amount": 1}
        return EMPTY | hit | self.pad

    def read(self, answer: Answer) -> None:
        """Keep what an answer brings: a number with the first tap, and a new pad or none."""
        own = [cookie.split(";")[0] for cookie in answer.cookies if "scorekeeper-" in cookie]
        self.connection.cookies = "; ".join([self.connection.cookies, *own])
        page = answer.text
        if stamp := STAMP.search(page):
            self.stamp = stamp[1]
            self.rings = {
                source: target
                for target, classes in RINGED.findall(page)
                for source in re.findall(r"\d", classes)
            }
