"""Version 1 of the API: what it offers, its errors, and its OpenAPI document."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from . import cards, evenings, groups, problems, seasons, sets

VERSION = "1"
ABOUT = (
    "Playgroups, sets, players, boards, seasons, records, evenings, ban lists and verdicts on "
    "cards, to read. What is public needs no token; a private playgroup is there for the tokens of "
    "its members only. Errors are JSON with a “detail” that says what to do (RFC 9457)."
)
TOKEN = {"token": {"type": "http", "scheme": "bearer"}}

PROBLEM = {
    "title": "Problem",
    "description": "What is wrong with a request.",
    "type": "object",
    "required": ["status", "title", "detail"],
    "properties": {
        "status": {"type": "integer"},
        "title": {"type": "string"},
        "detail": {"type": "string", "description": "What is wrong, and what to do."},
    },
}
REFUSED = {
    "description": "401: the token is not valid. 404: not there, or not for this token. "
    "422: a parameter is wrong. 429: too many requests; Retry-After says when to go on.",
    "content": {problems.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


class Api(NinjaAPI):
    """Names operations by what they answer."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = Api(
    title="Coalition table",
    version=VERSION,
    description=ABOUT,
    docs_url=None,  # its pages load scripts from elsewhere; ours is a template
    openapi_url=None,
    urls_namespace="api",
    openapi_extra={"security": [{}, {"token": []}]},
)
for router in (
    groups.router,
    seasons.router,
    evenings.router,
    sets.router,
    cards.router,
):
    api.add_router("", router)


@api.exception_handler(problems.Problem)
def _problem(request: HttpRequest, problem: problems.Problem) -> HttpResponse:
    return problems.respond(problem.status, problem.detail)


@api.exception_handler(ValidationError)
def _not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    name = next((part for part in first["loc"][1:] if isinstance(part, str)), "")
    return problems.respond(422, f"{name}: {first['msg']}.")


@api.exception_handler(Exception)
def _failed(request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # to the site's handler: the library's own would show it in DEBUG as plain text


@cache
def document() -> OpenAPISchema:
    """Return the OpenAPI document."""
    written = api.get_openapi_schema(path_prefix="/api/v1")
    written["components"]["schemas"]["Problem"] = PROBLEM
    written["components"]["securitySchemes"] = TOKEN
    for methods in written["paths"].values():
        methods["get"]["responses"]["default"] = REFUSED
    return written


def openapi(request: HttpRequest) -> HttpResponse:
    """Send the OpenAPI document."""
    return JsonResponse(document(), json_dumps_params={"ensure_ascii": False})


def nothing(request: HttpRequest, **rest: Any) -> HttpResponse:
    """Answer that an address of the API is unknown, or its version."""
    return problems.respond(
        404,
        "There is nothing here. Addresses begin with /api/v1/ and have no slash at their end; "
        "/api/ lists them.",
    )
