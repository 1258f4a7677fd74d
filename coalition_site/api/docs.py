"""What the API promises: its OpenAPI document, and the page of it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@cache
def document() -> dict[str, Any]:
    # Written by hand: version 1 keeps what it promised, and tests hold the answers to it.
    text = Path(__file__).with_name("openapi.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    context = {"document": document(), "address": request.build_absolute_uri("/api/v1/")}
    return render(request, "api/docs.html", context)
