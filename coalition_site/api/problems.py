"""What is wrong with a request to the API, as JSON (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus

from django.http import JsonResponse

CONTENT_TYPE = "application/problem+json"


class Problem(Exception):
    """A request that can't be answered; ``detail`` says what to do."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(status, detail)
        self.status, self.detail = status, detail


def respond(status: int, detail: str) -> JsonResponse:
    """Answer with a problem."""
    body = {"status": status, "title": HTTPStatus(status).phrase, "detail": detail}
    return JsonResponse(
        body,
        status=status,
        content_type=CONTENT_TYPE,
        json_dumps_params={"ensure_ascii": False},
    )
