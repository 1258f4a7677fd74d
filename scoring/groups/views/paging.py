"""The pages of long lists."""

from __future__ import annotations

import re

from django.http import Http404

from coalition_site.lib.requests import Request

PAGE_NUMBER = re.compile("[1-9][0-9]{0,4}")


def page_number(request: Request) -> int:
    """Return the requested page of a list, from 1; the first if the address names none."""
    number = request.GET.get("page", "1")
    if not PAGE_NUMBER.fullmatch(number):
        raise Http404("There is no such page.")
    return int(number)
