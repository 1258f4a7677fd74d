"""The addresses of playgroups."""

from django.urls import path

from .views import archive, board, files, found, heroes, player, versus

urlpatterns = [
    path("groups/", found.groups, name="groups"),
    path("groups/import/", found.bring, name="import_group"),
    path("g/<slug:code>/", board.board, name="board"),
    path("g/<slug:code>/export.json", files.export, name="export_group"),
    path("g/<slug:code>/results.csv", files.export_csv, name="results_csv"),
    path("g/<slug:code>/sets.atom", files.feed, name="feed"),
    path("g/<slug:code>/player/<int:pk>/", player.player, name="player"),
    path("g/<slug:code>/heroes/", heroes.heroes, name="heroes"),
    path("g/<slug:code>/hero/", heroes.hero, name="hero"),
    path("g/<slug:code>/type/", heroes.coalition_type, name="type"),
    path("g/<slug:code>/head-to-head/", versus.versus, name="versus"),
    path("g/<slug:code>/seasons/", archive.seasons, name="seasons_archive"),
    path("g/<slug:code>/seasons/<int:pk>/", archive.season, name="season"),
]
