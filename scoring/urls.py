"""The addresses of tables, and of webhooks."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter, StringConverter

from .conspiracy import acting, agendas, pools, ready, tables, votes
from .groups.data import views as files
from .groups.news import webhooks
from .tables import between, guide, join, links, log, more, phones, score, seat, seats, watch
from .tables import start as home


class GameNumber(IntConverter):
    regex = "[1-9]"


class EventNumber(IntConverter):
    regex = "[1-9][0-9]{0,5}"


class Seal(StringConverter):
    regex = "[0-9a-f]{64}"


register_converter(GameNumber, "game")
register_converter(EventNumber, "event")
register_converter(Seal, "seal")

urlpatterns = [
    # Taps first, since each address costs those before it.
    path("s/<slug:code>/score/<game:number>/hit/", score.hit, name="hit"),
    path("s/<slug:code>/score/<game:number>/hits/", score.hits, name="hits"),
    path("s/<slug:code>/score/<game:number>/change/", score.change, name="change"),
    path("s/<slug:code>/score/<game:number>/turn/", score.turn, name="turn"),
    path("s/<slug:code>/score/<game:number>/undo/", score.undo, name="undo"),
    path("s/<slug:code>/score/", score.score, name="score"),
    path("s/<slug:code>/score/tablet/", score.tablet, name="tablet"),
    path("", home.home, name="home"),
    path("try/", home.try_out, name="try_out"),
    path("start/", home.start, name="start"),
    path("formats/<slug:format>/", guide.guide, name="format"),
    path("keyboard/", guide.keyboard, name="keyboard"),
    path("cards-of-conspiracy/", acting.cards, name="conspiracy_cards"),
    path("s/<slug:code>/", watch.watch, name="watch"),
    path("s/<slug:code>/pools/", pools.show_pools, name="pools"),
    path("s/<slug:code>/picture.png", watch.picture, name="set_picture"),
    path("s/<slug:code>/table/", watch.table_view, name="table"),
    path("s/<slug:code>/answers/", guide.answers, name="answers"),
    path("s/<slug:code>/qr/", links.public_qr, name="qr"),
    path("s/<slug:code>/log/", log.log, name="log"),
    path("s/<slug:code>/log.json", log.export, name="export"),
    path("s/<slug:code>/key/<slug:key>/", links.take_key, name="take_key"),
    path("s/<slug:code>/seat/", seat.seat, name="seat"),
    path("s/<slug:code>/seat/key/<slug:key>/", seat.take_seat_key, name="take_seat_key"),
    path("s/<slug:code>/join/key/<slug:key>/", join.join, name="join"),
    path("s/<slug:code>/seat/name/", seat.name_own, name="name_own"),
    path("s/<slug:code>/seat/bring/", seats.bring_own, name="bring_own"),
    path("s/<slug:code>/seat/<game:number>/confirm/", seat.confirm, name="seat_confirm"),
    path("s/<slug:code>/seat/<game:number>/do/<slug:what>/", phones.report, name="seat_report"),
    path("s/<slug:code>/seat/<game:number>/own/drop/", phones.drop_own, name="drop_own"),
    path("s/<slug:code>/seat/<game:number>/votes/", votes.call_own, name="call_own"),
    path("s/<slug:code>/seat/<game:number>/ready/", ready.ready_own, name="ready_own"),
    path("s/<slug:code>/seat/<game:number>/agendas/", agendas.seal_own, name="seal_own"),
    path(
        "s/<slug:code>/seat/<game:number>/agendas/reveal/",
        agendas.reveal_own,
        name="reveal_own",
    ),
    path(
        "s/<slug:code>/seat/<game:number>/agendas/<seal:seal>/",
        agendas.turn_up_own,
        name="turn_up_own",
    ),
    path(
        "s/<slug:code>/seat/<game:number>/agendas/<seal:seal>/look/",
        agendas.look_at_own,
        name="look_at_own",
    ),
    path("live/s/<slug:code>/", files.table_stream, name="stream"),
    path("live/g/<slug:code>/", files.group_stream, name="group_stream"),
    path("s/<slug:code>/again/", home.play_again, name="play_again"),
    path("s/<slug:code>/score/desk/", log.desk, name="desk"),
    path("s/<slug:code>/score/links/", links.links, name="links"),
    path("s/<slug:code>/score/links/join/", join.join_code, name="join_code"),
    path("s/<slug:code>/score/links/qr/", links.secret_qr, name="secret_qr"),
    path("s/<slug:code>/score/links/change/", links.change_key, name="change_key"),
    path("s/<slug:code>/score/decks/", seats.seat_decks, name="seat_decks"),
    path("s/<slug:code>/score/heroes/", seats.seat_hero, name="seat_hero"),
    path("s/<slug:code>/score/swaps/", seats.seat_swap, name="seat_swap"),
    path("s/<slug:code>/score/names/", seats.seat_names, name="names"),
    path("s/<slug:code>/score/seat-link/", links.seat_link, name="seat_link"),
    path("s/<slug:code>/score/seat-links/", links.hand_out, name="hand_out"),
    path("s/<slug:code>/score/phones/", phones.set_phones, name="set_phones"),
    path("s/<slug:code>/score/<game:number>/take/", phones.take, name="take_proposed"),
    path("s/<slug:code>/score/<game:number>/leave/", phones.leave, name="leave_proposed"),
    path("s/<slug:code>/score/clock/", between.set_clock, name="set_clock"),
    path("s/<slug:code>/score/call/", between.call, name="call"),
    path("s/<slug:code>/score/tables/", tables.tables, name="draft_tables"),
    path("s/<slug:code>/score/split/", tables.split, name="split"),
    path("s/<slug:code>/score/split/draw/", tables.draw_again, name="draw_again"),
    path("s/<slug:code>/score/split/again/", tables.split_again, name="split_again"),
    path("s/<slug:code>/score/split/undo/", tables.undo_split, name="undo_split"),
    path("s/<slug:code>/score/again/", tables.table_again, name="table_again"),
    path("s/<slug:code>/score/<game:number>/start/", between.start_game, name="start_game"),
    path(
        "s/<slug:code>/score/<game:number>/change-start/",
        between.change_start,
        name="change_start",
    ),
    path("s/<slug:code>/score/<game:number>/take-back/", between.take_back, name="take_back"),
    path("s/<slug:code>/score/<game:number>/more/", more.more, name="more"),
    path("s/<slug:code>/score/<game:number>/do/<slug:what>/", more.own, name="own"),
    path("s/<slug:code>/score/<game:number>/card/", acting.draft_card, name="draft_card"),
    path("s/<slug:code>/score/<game:number>/begin/", ready.begin, name="begin"),
    path("s/<slug:code>/score/<game:number>/agendas/", agendas.agendas, name="agendas"),
    path("s/<slug:code>/score/<game:number>/agendas/reveal/", agendas.reveal, name="reveal"),
    path("s/<slug:code>/score/<game:number>/agendas/<seal:seal>/", agendas.turn_up, name="turn_up"),
    path("s/<slug:code>/score/<game:number>/agendas/<seal:seal>/look/", agendas.look, name="look"),
    path("s/<slug:code>/score/<game:number>/votes/", votes.call, name="call_vote"),
    path("s/<slug:code>/score/<game:number>/votes/back/", votes.take_back, name="take_back_vote"),
    path("s/<slug:code>/score/<game:number>/end/<slug:what>/", more.end, name="end"),
    path("s/<slug:code>/score/<game:number>/<event:event>/", log.line, name="line"),
    path("s/<slug:code>/score/<game:number>/<event:event>/strike/", log.strike, name="strike"),
    path("s/<slug:code>/score/<game:number>/<event:event>/amend/", log.amend, name="amend"),
    path("decks/<slug:code>/bring/", seats.bring_deck, name="bring_deck"),
    path("g/<slug:code>/settings/webhook/", webhooks.webhook, name="webhook"),
    path("g/<slug:code>/settings/webhook/secret/", webhooks.renew_secret, name="renew_secret"),
    path("g/<slug:code>/settings/webhook/test/", webhooks.send_test, name="send_test"),
    path("g/<slug:code>/settings/webhook/on/", webhooks.switch_on, name="switch_on_webhook"),
    path("g/<slug:code>/settings/webhook/remove/", webhooks.remove, name="remove_webhook"),
]
