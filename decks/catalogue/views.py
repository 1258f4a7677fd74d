from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe
from markupsafe import Markup

from coalition_site.lib.limits import limited
from coalition_site.lib.problems import problem
from coalition_site.lib.requests import Request

from .. import access, queries, record
from ..addresses import card_address
from ..bans import history
from ..bans.draft_views import name_seen
from ..decks import verdicts
from ..decks.counted import EVIDENCE
from ..models import NAME_MAX, BanList, Card, CardFace, CardImport, Deck
from ..rules import deck
from ..rules.affiliations import Mention
from ..rules.names import address_name, name_key, written
from ..rules.rulesets import OF_CARDS
from . import memory
from .affiliations import printed
from .known import KnownCard
from .symbols import symbols

RESULTS_MAX = 10  # listed on a card's page
IMPORTS_MAX = 20
NAMES_OFFERED = 8


@require_safe
@cache_control(private=True, no_cache=True)  # what it shows depends on the visitor
def card(request: Request, name: str) -> HttpResponse:
    spelled = written(name[:NAME_MAX].replace("\0", ""))  # PostgreSQL takes none
    catalogue = memory.CATALOGUE.now()
    card = catalogue.find([spelled]).get(spelled)
    if card is None:
        closest = catalogue.closest([spelled]).get(spelled, ())
        return render(
            request, "decks/no_card.html", {"name": spelled, "closest": closest}, status=404
        )
    if address_name(card.name) != name:
        return redirect(card_address(card.name))
    faces = list(CardFace.objects.filter(card=card.pk).order_by("position"))
    mentions = catalogue.extractor.mentions_of(printed(faces))
    played = record.results_with(request, card.pk)
    played = played.select_related("game_set__playgroup", "seat__deck__deck")
    shown = _legality(card, access.house_lists(request)) | {
        "card": card,
        "faces": [
            (
                face,
                _marked(face.type_line, catalogue.extractor.on_line(face.type_line)),
                _marked(face.oracle_text, of_face),
            )
            for face, of_face in zip(faces, mentions, strict=True)
        ],
        "types": sorted(card.types),
        "sentences": deck.sentences(card),
        "in_leveler": deck.in_leveler(card),
        "own": queries.decks_with(card.pk, access.own_decks(request)),
        "played": played.order_by("-finished_at", "pk")[:RESULTS_MAX],
        # How decks did with it, and without it; all decks have basic lands.
        "evidence": None if card.is_basic else EVIDENCE.now(card.pk),
        "as_of": catalogue.as_of,
    }
    return render(request, "decks/card.html", shown)


@require_POST
@limited("tap")
@sensitive_variables()  # it may be what somebody seals
def complete_names(request: Request) -> HttpResponse:
    """Offer cards whose names somebody may be typing; posted, since addresses are logged."""
    typed = (request.POST.get(field, "") for field in ("card", "name", "second"))
    key = name_key(next(filter(None, typed), "")[:NAME_MAX])
    cards = Card.objects.filter(key__contains=key).annotate(begins=Q(key__startswith=key))
    names = cards.order_by("-begins", "key").values_list("name", flat=True)
    shown = {"names": names[:NAMES_OFFERED] if key else ()}
    return render(request, "decks/_names.html", shown)


@require_safe
@never_cache
def card_imports(request: Request) -> HttpResponse:
    if not access.may_see_imports(request):
        back = "" if request.user.is_authenticated else request.get_full_path()
        what = "What imports of cards changed is for the editors of ban lists."
        return problem(request, 403, "Not yours to see", what, back)
    imports = CardImport.objects.all()[:IMPORTS_MAX]
    broken = {
        one.pk: name_seen(request, [*Deck.objects.in_bulk(one.report["broken"]).values()])
        for one in imports
        if one.report and one.report.get("broken")
    }
    return render(request, "decks/card_imports.html", {"imports": imports, "broken": broken})


def _legality(card: KnownCard, houses: Sequence[BanList]) -> dict[str, Any]:
    today, of_formats = timezone.localdate(), BanList.objects.filter(base=None)
    every = history.standings(card, [*of_formats, *houses], today)
    standings = {one.ban_list.pk: one for one in every}
    formats = {one.ban_list.format: one for one in standings.values() if not one.ban_list.base_id}
    bans, rulings = memory.BAN_LISTS.now(), []
    for ruleset in OF_CARDS.values():
        entries = bans.entries(ruleset.format, None, today)
        verdict = verdicts.verdict(card.name, card, ruleset, entries)
        rulings.append((ruleset, verdict, formats.get(ruleset.format)))
    # A playgroup's list is shown where it says something else than its format's.
    of_houses = [
        (standings[house.pk], standings[house.base_id]) for house in houses if house.base_id
    ]
    differing = [house for house, base in of_houses if house.course != base.course]
    return {"rulings": rulings, "houses": differing}


def _marked(text: str, mentions: Iterable[Mention]) -> Markup:
    pieces, end = [], 0
    for mention in mentions:
        pieces.append(symbols(text[end : mention.start]))
        words = text[mention.start : mention.end]
        mark = Markup('<mark title="Affiliation: {}">{}</mark>')
        pieces.append(mark.format(", ".join(mention.types), words))
        end = mention.end
    return Markup("").join([*pieces, symbols(text[end:])])
