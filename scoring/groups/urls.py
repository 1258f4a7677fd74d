"""The addresses of playgroups."""

from django.urls import path

from .views import board, found

urlpatterns = [
    path("groups/", found.groups, name="groups"),
    path("g/<slug:code>/", board.board, name="board"),
]
