"""The addresses of decks, cards and ban lists."""

from django.urls import path

from .views import bans, check, decks, finder

urlpatterns = [
    path("decks/", check.check, name="check"),
    path("decks/<slug:code>/", decks.deck, name="deck"),
    path("decks/<slug:code>/change/", decks.change, name="change_deck"),
    path("decks/<slug:code>/key/<slug:key>/", decks.take_key, name="take_deck_key"),
    path("cards/", finder.finder, name="finder"),
    path("bans/", bans.bans, name="bans"),
]
