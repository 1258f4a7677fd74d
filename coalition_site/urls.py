from django.contrib import admin
from django.urls import include, path

from . import theme
from .ops import health, installing

urlpatterns = [
    path("", include("scoring.urls")),  # first, since each address costs those before it
    path("admin/", admin.site.urls),
    path("account/", include("coalition_site.accounts.urls")),
    path("api/", include("coalition_site.api.urls")),
    path("theme/", theme.choose_theme, name="choose_theme"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("sw.js", installing.worker, name="worker"),
    path("offline/", installing.offline, name="offline"),
    *(path(where[1:], view, name=where[1:]) for where, view in health.ANSWERS.items()),
    path("", include("decks.urls")),
    path("", include("scoring.groups.urls")),
]
handler400 = "coalition_site.errors.bad_request"
handler404 = "coalition_site.errors.not_found"
handler500 = "coalition_site.errors.server_error"
