"""Pages are compressed for browsers that read it."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpRequest, HttpResponse

from coalition_site.middleware import RANDOM_MAX, WORTH, compress_pages

PAGE = b"<p>Ada hits Bo for 7.</p>" * 100


def answer(response: HttpResponse, accept: str = "br, gzip") -> HttpResponse:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_ENCODING"] = accept
    return compress_pages(lambda _: response)(request)


def test_a_page_comes_compressed_with_a_weak_etag() -> None:
    response = answer(HttpResponse(PAGE, headers={"ETag": '"7"'}))

    assert gzip.decompress(response.content) == PAGE
    assert dict(response.headers) == {
        "Content-Type": "text/html; charset=utf-8",
        "ETag": 'W/"7"',
        "Vary": "Accept-Encoding",
        "Content-Length": str(len(response.content)),
        "Content-Encoding": "gzip",
    }


def test_the_length_tells_nobody_how_well_a_page_compresses() -> None:
    lengths = {len(answer(HttpResponse(PAGE)).content) for _ in range(50)}

    assert len(lengths) > 10
    assert max(lengths) - min(lengths) <= RANDOM_MAX  # a name ends in a zero byte


@pytest.mark.parametrize(
    ("response", "accept"),
    [
        (HttpResponse(PAGE), "br"),
        (HttpResponse(PAGE[: WORTH - 1]), "gzip"),
        (HttpResponse(PAGE, content_type="image/png"), "gzip"),
        (HttpResponse(PAGE, headers={"Content-Encoding": "br"}), "gzip"),
    ],
)
def test_what_is_not_to_be_compressed_stays_as_it_is(response: HttpResponse, accept: str) -> None:
    before = response.content

    assert answer(response, accept).content == before
