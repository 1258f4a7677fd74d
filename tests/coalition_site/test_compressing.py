"""Pages are compressed; what is compressed already or comes in pieces is not."""

import pytest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from coalition_site.middleware import CompressPages

PAGE = b"<p>Ada hits Bo for 7.</p>" * 100


@pytest.mark.parametrize(
    ("response", "is_compressed"),
    [
        (HttpResponse(PAGE), True),
        (HttpResponse(PAGE, content_type="image/png"), False),
        (StreamingHttpResponse([PAGE], content_type="text/event-stream"), False),
    ],
)
def test_pages_alone_are_compressed(response: HttpResponse, is_compressed: bool) -> None:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_ENCODING"] = "br, gzip"

    answer = CompressPages(lambda _: response)(request)

    assert answer.has_header("Content-Encoding") is is_compressed
