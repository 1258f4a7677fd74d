from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


class TurnedAway(Exception):
    """Ends a view: what it was asked for is not there, or not for this visitor."""

    def __init__(self, answer: HttpResponse) -> None:
        self.answer = answer


def unseen(request: HttpRequest, what_to_do: str, otherwise: str) -> HttpResponse:
    """Answer 404 in the same words, whether the page doesn't exist or isn't for this visitor."""
    # Signing in leads back to this page; after a post, to the address ``otherwise``.
    is_page = request.method in ("GET", "HEAD")
    back = request.get_full_path() if is_page else otherwise
    return problem(request, 404, "Nothing here", what_to_do, back)


def problem(
    request: HttpRequest, status: int, title: str, what_to_do: str, back: str = ""
) -> HttpResponse:
    """Show a page with a title and what to do; ``back`` is where signing in leads."""
    context = {"title": title, "what_to_do": what_to_do, "back": back}
    return render(request, "problem.html", context, status=status)
