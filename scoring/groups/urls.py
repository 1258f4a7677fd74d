"""The addresses of playgroups."""

from django.urls import path

from .board import views as board
from .data import views as files
from .evenings import coming, editing, rounds
from .evenings import views as evenings
from .people import invitations
from .people import views as people
from .seasons import views as seasons
from .sets import entering
from .sets import views as sets
from .settings import creating
from .settings import views as settings
from .statistics import views as statistics

PLAYER = "g/<slug:code>/player/<int:pk>/"
EVENING = "g/<slug:code>/evenings/<int:number>/"
ROUND = f"{EVENING}<int:round>/"

urlpatterns = [
    path("groups/", creating.groups, name="groups"),
    path("groups/import/", creating.import_file, name="import_group"),
    path("groups/import/<int:pk>/", creating.progress, name="import"),
    path("g/<slug:code>/", board.board, name="board"),
    path("g/<slug:code>/board/<slug:part>/", board.board, name="board_part"),
    path("g/<slug:code>/qr/", board.qr, name="group_qr"),
    path("g/<slug:code>/playing/", board.playing, name="playing"),
    path("g/<slug:code>/export.json", files.export, name="export_group"),
    path("g/<slug:code>/results.csv", files.export_csv, name="results_csv"),
    path("g/<slug:code>/sets.atom", files.feed, name="feed"),
    path("g/<slug:code>/calendar/", files.calendar, name="calendar"),
    path("g/<slug:code>/calendar/revoke/", files.revoke_calendar, name="revoke_calendar"),
    path("g/<slug:code>/evenings.ics", files.calendar_feed, name="calendar_feed"),
    path("groups/calendar/key/<slug:key>/evenings.ics", files.secret_feed, name="secret_feed"),
    path(PLAYER, statistics.player, name="player"),
    path(f"{PLAYER}picture.png", statistics.player_picture, name="player_picture"),
    path("g/<slug:code>/heroes/", statistics.heroes, name="heroes"),
    path("g/<slug:code>/hero/", statistics.totals, {"field": "hero"}, name="hero"),
    path("g/<slug:code>/type/", statistics.totals, {"field": "coalition_type"}, name="type"),
    path("g/<slug:code>/teams/", statistics.teams, name="teams"),
    path("g/<slug:code>/head-to-head/", statistics.versus, name="versus"),
    path("g/<slug:code>/seasons/", seasons.seasons, name="seasons_archive"),
    path("g/<slug:code>/seasons/<int:pk>/", seasons.season, name="season"),
    path("g/<slug:code>/evenings/", evenings.evenings, name="evenings"),
    path("g/<slug:code>/evenings/plan/", evenings.plan, name="plan_evening"),
    path(EVENING, evenings.evening, name="evening"),
    path(f"{EVENING}picture.png", evenings.picture, name="evening_picture"),
    path(f"{EVENING}edit/", editing.edit, name="edit_evening"),
    path(f"{EVENING}people/", evenings.people, name="evening_people"),
    path(f"{EVENING}invite/", coming.invite, name="invite_to_evening"),
    path("groups/coming/<int:pk>/key/<slug:key>/", coming.coming, name="coming"),
    path(f"{EVENING}draw/", rounds.pair, name="draw_round"),
    path(f"{EVENING}end/", evenings.end, name="end_evening"),
    path(f"{EVENING}cancel/", evenings.cancel, name="cancel_evening"),
    path(ROUND, rounds.round, name="round"),
    path(f"{ROUND}change/", rounds.change_round, name="change_round"),
    path(f"{ROUND}clock/", rounds.clock, name="change_clock"),
    path("g/<slug:code>/seasons/<int:pk>/qr/", seasons.qr, name="season_qr"),
    path("g/<slug:code>/seasons/<int:pk>/close/", seasons.close, name="close_season"),
    path("g/<slug:code>/seasons/<int:pk>/picture.png", seasons.picture, name="season_picture"),
    path("groups/join/key/<slug:key>/", invitations.join, name="join"),
    path("g/<slug:code>/people/", people.people, name="people"),
    path("g/<slug:code>/people/add/", people.add, name="add_player"),
    path("g/<slug:code>/people/me/", people.choose, name="choose_player"),
    path("g/<slug:code>/people/<int:key>/", people.edit, name="edit_player"),
    path("g/<slug:code>/people/<int:key>/claim/", people.claim, name="claim"),
    path("g/<slug:code>/people/<int:key>/release/", people.release, name="release"),
    path("g/<slug:code>/people/<int:key>/merge/", people.merge, name="merge"),
    path("g/<slug:code>/people/<int:key>/separate/", people.separate, name="separate"),
    path("g/<slug:code>/claims/<int:key>/", people.answer, name="answer_claim"),
    path("g/<slug:code>/members/<int:key>/", people.change_member, name="change_member"),
    path("g/<slug:code>/members/leave/", people.leave, name="leave_group"),
    path("g/<slug:code>/settings/", settings.settings, name="settings"),
    path("g/<slug:code>/settings/bans/", settings.bans, name="house_bans"),
    path("g/<slug:code>/settings/bans/announce/", settings.announce, name="announce_house_bans"),
    path("g/<slug:code>/settings/bans/without/", statistics.without, name="board_without"),
    path("g/<slug:code>/settings/bans/<int:key>/", settings.ban, name="house_ban"),
    path("g/<slug:code>/settings/invitations/", invitations.invitations, name="invitations"),
    path("g/<slug:code>/settings/invitations/<int:key>/", invitations.revoke, name="revoke"),
    path("g/<slug:code>/settings/seasons/", seasons.edit_seasons, name="edit_seasons"),
    path("g/<slug:code>/settings/seasons/<int:key>/", seasons.edit_season, name="edit_season"),
    path("g/<slug:code>/notebook/", entering.notebook, name="notebook"),
    path("s/<slug:code>/playgroup/", sets.take, name="take_set"),
    path("s/<slug:code>/playgroup/leave/", sets.take_out, name="take_out"),
]
