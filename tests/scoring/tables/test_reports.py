"""What players report of themselves in each format, as their table lets phones act."""

import pytest

from scoring.models import EventRow, GameSet, Proposal
from scoring.models.record import Phones
from scoring.record import proposals
from scoring.rules.fields import specs
from scoring.rules.formats import RULESETS
from scoring.rules.formats.conspiracy.state import DILEMMA
from scoring.rules.formats.conspiracy_draft import DraftFaceUp
from scoring.rules.formats.realm_wars.moves import DamageZone
from scoring.rules.moves import CrownMonarch, PassTurn
from scoring.rules.own import brief
from scoring.rules.words import plain
from scoring.setlog import codec
from tests.scoring.rules.play import ANN, BO, CY

from ..browsing import form_to, refusal
from . import address, check_books, events, holder, record, seat_holder, set_up, the_game, unchanged
from .test_phones import PHONES, outsiders, own_hit, page, report

pytestmark = pytest.mark.django_db

DRAFT, WARS = "conspiracy-draft", "realm-wars"
REPORTS = [  # in a format: what Bo's phone reports, with what, and what the pad's key says
    ("coalition-906", "life", {"life": -4}, "Bo: −4 life"),
    ("leveler", "damage", own_hit(ANN, BO), "Bo: 7 from Ann"),
    ("leveler", "library", {"how": "emptied"}, "Bo’s library is empty"),
    ("leveler", "library", {"how": "exiled"}, "Bo’s library is exiled"),
    ("leveler", "overdraw", {}, "Bo drew from an empty library"),
    ("conspiracy", "damage", own_hit(BO, ANN), "Bo: 7 to Ann"),
    ("conspiracy", "monarch", {}, "Bo becomes the monarch"),
    (DRAFT, "face_up", {"card": "Deal Broker"}, "Bo drafts Deal Broker face up"),
    (DRAFT, "reveal", {"card": "Regicide", "name": "Red"}, "Bo reveals Regicide and notes Red"),
    (DRAFT, "note", {"card": "Regicide", "name": "Red"}, "Bo notes Red for Regicide"),
    (DRAFT, "turned_down", {"card": "Canal Dredger"}, "Bo turns Canal Dredger face down"),
    (DRAFT, "packs_passed", {}, "Bo: All picked a card, and pass"),
    (WARS, "zone_damage", {"zone": "quest", "amount": 8}, "Bo: quest takes 8 damage"),
    (WARS, "repair", {"zone": "quest", "amount": 1}, "Bo: 1 damage removed from the quest"),
    (WARS, "development", {"zone": "quest", "by": 1}, "Bo: quest gets 1 development"),
    (WARS, "legend", {}, "Bo plays an Eternal War legend"),
    (WARS, "deck", {"empty": 1}, "Bo’s deck is empty"),
]
BEFORE = {
    "conspiracy": CrownMonarch(ANN),
    DRAFT: DraftFaceUp(BO, "Canal Dredger"),
    WARS: DamageZone((BO, CY), "quest", 2),
}
NOT_OWN_MOVES = {
    "coalition-906": "concede set_life monarch hero library",
    "leveler": "concede lose monarch face_up",
    "conspiracy": "goad attack concede goad_ends",
    DRAFT: "round drafted leaves vote",
    WARS: "phase assault act commander turn damage life",
}


def begun(ruleset: str) -> GameSet:
    table = set_up(ruleset=RULESETS[ruleset])
    return record(table, *[BEFORE[ruleset]] if ruleset in BEFORE else []).game_set


@PHONES
@pytest.mark.parametrize(("ruleset", "what", "form", "says"), REPORTS)
def test_in_each_format_a_player_reports_for_the_own_seat_as_the_table_lets_phones(
    ruleset, what, form, says, phones
):
    table = begun(ruleset)
    proposals.set_phones(table, phones)
    scorer, bo, before = holder(table), seat_holder(table, BO), len(events(table))

    for stranger in outsiders(table).values():
        with unchanged():
            assert report(stranger, table, form, 1, what).status_code == 403
    # Whoever else is named: it is the own seat that is reported for.
    status = report(bo, table, {**form, "player": CY}, 1, what).status_code

    assert status == (422 if phones == Phones.OFF else 302)
    recorded, waiting = len(events(table)) - before, Proposal.objects.filter(answer="").count()
    assert (recorded, waiting) == {"off": (0, 0), "propose": (0, 1), "trusted": (1, 0)}[phones]
    if phones == Phones.PROPOSE:
        assert f"Take {says} Leave {says}" in page(scorer, table, "score")
        assert f"{says} waits" in page(bo, table)
        where = address(table, "take_proposed", 1)
        form = form_to(scorer.get(address(table, "score")), where).fields
        assert scorer.post(where, form).status_code == 302
    if phones != Phones.OFF:
        move = codec.stored_entry(events(table)[-1][1])
        assert plain(brief(move, BO), table.names) == says
        assert ("Bo’s phone" in page(scorer, table, "log")) == (phones == Phones.TRUSTED)
        if says == "Bo: 7 to Ann":  # 003 23: damage to the monarch, who was Ann
            assert the_game(table).current_state.monarch == BO
    check_books(table)


@PHONES
@pytest.mark.parametrize("ruleset", NOT_OWN_MOVES)
def test_in_no_format_a_player_reports_what_is_the_tables_or_anothers(ruleset, phones):
    table = begun(ruleset)
    proposals.set_phones(table, phones)
    bo = seat_holder(table, BO)
    reports = [(what, form) for key, what, form, _ in REPORTS if key == ruleset]

    with unchanged():
        others = [report(bo, table, {}, 1, what) for what in NOT_OWN_MOVES[ruleset].split()]
        for what, form in reports:
            if "players" in specs(codec.MOVES[what]):
                sent = report(bo, table, {**form, "players": [BO, CY]}, 1, what)
                assert sent.status_code == 422
    assert {one.status_code for one in others} == {404}


@PHONES
def test_votes_are_the_players_own_at_every_table(phones):
    table = begun("conspiracy")
    record(table, PassTurn())
    proposals.set_phones(table, phones)
    bo = seat_holder(table, BO)

    vote = {"kind": DILEMMA, "options": "yes\nno"}
    assert report(bo, table, vote, 1, "vote_called").status_code == 302
    assert report(bo, table, {"option": "yes"}, 2, "vote").status_code == 302

    assert list(EventRow.objects.order_by("seq").values_list("by", flat=True))[-2:] == [102, 102]


def test_a_card_that_is_not_drafted_face_up_is_asked_about_on_the_own_phone_too():
    table = begun(DRAFT)
    proposals.set_phones(table, Phones.TRUSTED)
    bo, where = seat_holder(table, BO), address(table, "seat_report", 1, "note")

    with unchanged():
        asked = report(bo, table, {"card": "Garbage Fire"}, 1, "face_up")
    form = form_to(asked, where).fields

    assert "Garbage Fire isn’t drafted face up." in refusal(asked)[1]
    assert (form["card"], form["asked"]) == (["Garbage Fire"], ["Garbage Fire"])
    assert report(bo, table, form, 2, "face_up").status_code == 302


def test_two_phones_that_pass_the_packs_at_the_same_time_pass_them_once():
    table = begun(DRAFT)
    proposals.set_phones(table, Phones.TRUSTED)
    phones = [seat_holder(table, seat) for seat in (BO, CY)]
    where = address(table, "seat_report", 1, "packs_passed")

    forms = [form_to(phone.get(address(table, "seat")), where).fields for phone in phones]
    answers = [phone.post(where, form) for phone, form in zip(phones, forms, strict=True)]

    assert [one.status_code for one in answers] == [302, 422]


OWN_KEYS = {
    "leveler": "My library Is empty Is exiled I have to draw from an empty library",
    "conspiracy": "I become the monarch",
    DRAFT: "Card Number to note Name to note Face up Reveal Note",
    WARS: "My zone Kingdom Quest Battlefield",
}


@PHONES
@pytest.mark.parametrize("ruleset", OWN_KEYS)
def test_a_players_page_has_the_keys_of_its_format(ruleset, phones):
    table = begun(ruleset)
    scorer, bo = holder(table), seat_holder(table, BO)
    scorer.post(address(table, "set_phones"), {"phones": phones})

    assert (OWN_KEYS[ruleset] in page(bo, table)) == (phones != Phones.OFF)
    assert ("I hit Ann" in page(bo, table)) == (
        phones != Phones.OFF and ruleset in ("leveler", "conspiracy")
    )
