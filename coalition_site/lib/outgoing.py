"""Asking other sites over HTTP, for so many seconds and bytes. Redirects are not followed."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import responses

import httpx

SECONDS = 10.0  # for all of it: finding the address, connecting, sending, the answer
# Not packed: what is fetched is counted as it arrives.
HEADERS = {"User-Agent": "coalition-table", "Accept-Encoding": "identity"}


@dataclass(frozen=True)
class Answer:
    status: int
    wait: int = 0  # seconds for which it asked to be left alone
    body: bytes = b""
    problem: str = ""  # why there is no answer; the status is 0 then

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """
        >>> Answer(204).text, Answer(599).text
        ('204 No Content', '599')
        """
        return self.problem or f"{self.status} {responses.get(self.status, '')}".rstrip()


def ask(
    method: str, address: str, headers: Mapping[str, str], body: bytes = b"", most: int = 0
) -> Answer:
    """Return the head of an answer, and its body if ``most`` is given.

    There is none if nobody answers in time, or the body has more than ``most`` bytes.
    """

    async def exchange() -> Answer:
        client = httpx.AsyncClient(
            verify=ssl.create_default_context(), trust_env=False, timeout=None, headers=HEADERS
        )
        # httpx waits so long for each part; this is for all of them.
        async with asyncio.timeout(SECONDS), client:
            request = client.stream(method, address, headers=headers, content=body)
            async with request as response:
                asked = response.headers.get("Retry-After", "")
                wait = int(asked) if asked.isdecimal() and len(asked) < 9 else 0
                answer = b""
                if most and response.is_success:
                    async for part in response.aiter_raw():
                        answer += part
                        if len(answer) > most:
                            problem = f"Its answer is larger than {most:,} bytes"
                            return Answer(0, problem=problem)
                return Answer(response.status_code, wait, answer)

    try:
        return asyncio.run(exchange())
    except TimeoutError:
        return Answer(0, problem=f"No answer within {SECONDS:g} seconds")
    except httpx.ConnectError as error:
        is_certificate = "CERTIFICATE_VERIFY_FAILED" in str(error)
        problem = "Its certificate is not valid" if is_certificate else "No connection"
        return Answer(0, problem=problem)
    except (httpx.HTTPError, httpx.InvalidURL):
        return Answer(0, problem="Its answer is not HTTP")
