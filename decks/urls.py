from django.urls import path

from .bans import announcements
from .bans import draft_views as drafts
from .bans.page import bans
from .catalogue import views as cards
from .decks import check, own
from .decks import views as decks
from .finder.page import finder
from .pictures import views as pictures

urlpatterns = [
    path("decks/", check.check, name="check"),
    path("decks/shared/", check.check_shared, name="check_shared"),
    path("decks/mine/", own.my_decks, name="my_decks"),
    path("decks/new/", own.new_deck, name="new_deck"),
    path("decks/add/", own.add_card, name="add_card"),
    path("decks/<slug:code>/", decks.deck, name="deck"),
    path("decks/<slug:code>/change/", check.check, name="change_deck"),
    path("decks/<slug:code>/build/", decks.build, name="build_deck"),
    path("decks/<slug:code>/compare/", decks.compare, name="compare_deck"),
    path("decks/<slug:code>/take/", own.take_in, name="take_deck"),
    path("decks/<slug:code>/key/<slug:key>/", decks.take_key, name="take_deck_key"),
    path("cards/", finder, name="finder"),
    path("cards/names/", cards.complete_names, name="complete_names"),
    path("cards/<str:name>/", cards.card, name="card"),
    path(
        "card-pictures/<slug:size>/<uuid:card>-<int:position>-<slug:version>/",
        pictures.card_picture,
        name="card_picture",
    ),
    path("card-imports/", cards.card_imports, name="card_imports"),
    path("bans/", bans, name="bans"),
    path("bans/<slug:list>/export.json", announcements.export, name="export_bans"),
    path("bans/<slug:list>/announcements.atom", announcements.feed, name="announcements_feed"),
    path("bans/<slug:list>/announcements/", announcements.announcements, name="announcements"),
    path(
        "bans/<slug:list>/announcements/<str:on>/", announcements.announcement, name="announcement"
    ),
    path(
        "bans/<slug:list>/announcements/<str:on>/words/",
        announcements.words,
        name="announcement_words",
    ),
    path("bans/<slug:list>/drafts/new/", drafts.new, name="new_draft"),
    path("bans/<slug:list>/drafts/<int:draft>/", drafts.draft, name="draft"),
    path("bans/<slug:list>/drafts/<int:draft>/line/", drafts.line, name="draft_line"),
    path(
        "bans/<slug:list>/drafts/<int:draft>/line/<int:line>/remove/",
        drafts.remove,
        name="remove_draft_line",
    ),
    path("bans/<slug:list>/drafts/<int:draft>/list/", drafts.paste, name="draft_list"),
    path("bans/<slug:list>/drafts/<int:draft>/publish/", drafts.publish, name="publish_draft"),
    path("bans/<slug:list>/drafts/<int:draft>/discard/", drafts.discard, name="discard_draft"),
]
