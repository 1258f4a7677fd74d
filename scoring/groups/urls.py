"""The addresses of playgroups."""

from django.urls import path

from .views import board, files, found

urlpatterns = [
    path("groups/", found.groups, name="groups"),
    path("groups/import/", found.bring, name="import_group"),
    path("g/<slug:code>/", board.board, name="board"),
    path("g/<slug:code>/export.json", files.export, name="export_group"),
    path("g/<slug:code>/results.csv", files.export_csv, name="results_csv"),
    path("g/<slug:code>/sets.atom", files.feed, name="feed"),
]
