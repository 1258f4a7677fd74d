"""Static files as they are served: our sheets and scripts without comments and indents."""

from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage
from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

MINIFIERS: dict[str, Callable[[str], str]] = {".css": cssmin, ".js": jsmin}

# A module that another one loads later is asked for by the name that it is served under.
OUR_IMPORTS = (
    "js/*.js",
    ((r"""(?P<matched>import\("(?P<url>\./[^"]+)"\))""", 'import("%(url)s")'),),
)


class MinifiedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # has no types
    """The files named by content and compressed, ours minified before either."""

    # What packages bring along stays as it is, with the licences in its comments.

    patterns = (*CompressedManifestStaticFilesStorage.patterns, OUR_IMPORTS)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        ours = {
            name: (MinifiedSources(storage.location), path)
            for name, (storage, path) in paths.items()
            if Path(storage.location) in settings.STATICFILES_DIRS
        }
        yield from super().post_process(paths | ours, dry_run, **options)


class MinifiedSources(FileSystemStorage):
    def open(self, name: str, mode: str = "rb") -> "File[Any]":
        file = super().open(name, mode)
        minify = MINIFIERS.get(PurePath(name).suffix)
        if minify is None:
            return file
        with file:
            return ContentFile(minify(file.read().decode()).encode())
