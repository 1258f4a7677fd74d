"""The cards that act in a draft: what is printed on each, and the fields that it asks for."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coalition_site.lib.forms import Tap, any_error, check_showable, first_error
from coalition_site.lib.refusals import Refused
from coalition_site.lib.requests import Request
from coalition_site.lib.untrusted import TEXT_MAX

from ..models import GameSet
from ..rules.formats.conspiracy_draft import NUMBER_MAX, DraftFaceUp, Reveal, TakeNote
from ..rules.formats.conspiracy_draft.state import draft_of, player_of
from ..rules.move import Move
from ..tables.board import about, who
from ..tables.common import get_table, require_game, require_scorer, shows_form
from ..tables.score import record_tap, show_refusal
from ..tables.taps import seat_choices
from .cards import AIDS, CARDS
from .drafting import ACTING, GIVE_A_NUMBER, Acting, find_acting
from .drafts import waiting
from .naming import texts_of

COLOURS = ("White", "Blue", "Black", "Red", "Green")


class DraftCardForm(Tap):
    """What a card notes some time after it was drafted is taken ``later``; with ``down`` the card,
    which lies face up, is turned face down with its note."""

    down = forms.BooleanField(required=False)

    def __init__(self, data: Any, card: Acting, draft: GameSet, *, later: bool) -> None:
        super().__init__(data)
        self.card, self.later = card, later
        whose, choices = any_error("Choose whose card it is."), seat_choices(draft.names)
        self.fields["player"] = forms.TypedChoiceField(
            coerce=int, choices=choices, error_messages=whose
        )
        if card.notes_at_once or (later and card.notes):
            self.fields["noted"] = _noted(card, draft)
            if card.asks == "guess":
                self.fields["right"] = forms.BooleanField(required=False)

    def move(self) -> Move:
        player, data = self.cleaned_data["player"], self.cleaned_data
        if self.card.is_face_up and not self.later:
            return DraftFaceUp(player, self.card.name)
        noted, is_right = data.get("noted", ""), data.get("right")
        number, name = (noted, "") if isinstance(noted, int) else (None, noted)
        if is_right is not None:  # a guess
            name += f", guessed {'right' if is_right else 'wrong'}"
        if self.later:
            return TakeNote(player, self.card.name, number, name, data["down"])
        return Reveal(player, self.card.name, number, name)


class _Colours(forms.MultipleChoiceField):
    def clean(self, value: Any) -> Any:
        chosen = super().clean(value)
        if len(set(chosen)) != 3:
            raise forms.ValidationError(self.error_messages["required"])
        return ", ".join(chosen)


def _noted(card: Acting, draft: GameSet) -> forms.Field:
    match card.asks:
        case "number":
            errors = any_error(GIVE_A_NUMBER)
            return forms.IntegerField(min_value=1, max_value=NUMBER_MAX, error_messages=errors)
        case "colours":
            errors = any_error("Choose three different colours.")
            return _Colours(choices=list(zip(COLOURS, COLOURS, strict=True)), error_messages=errors)
        case "player":
            errors = any_error("Choose who passed it.")
            names = [(name, name) for name in draft.names.values()]
            return forms.ChoiceField(choices=names, error_messages=errors)
    longest = TEXT_MAX - (len(", guessed wrong") if card.asks == "guess" else 0)
    errors = {
        "required": "Type what is noted.",
        "max_length": f"Type {longest} characters at most.",
    }
    return forms.CharField(max_length=longest, validators=[check_showable], error_messages=errors)


@shows_form(show_refusal)
def draft_card(request: Request, code: str, number: int) -> HttpResponse:
    game_set = get_table(request, code, number)
    require_scorer(request, game_set)
    if not game_set.rules.splits_into:
        raise Http404("Nothing is drafted here.")
    if request.method != "POST":
        return _page(request, game_set, find_acting(request.GET.get("card", "")))
    card = find_acting(request.POST.get("card", ""))
    if card is None:
        return _page(request, game_set, None, "Choose a card.")
    form = DraftCardForm(request.POST, card, game_set, later="later" in request.POST)
    if not form.is_valid():
        return _page(request, game_set, card, first_error(form))
    return record_tap(request, game_set, number, form.move(), form.cleaned_data["tap_id"])


def _page(
    request: Request, game_set: GameSet, card: Acting | None, problem: str = ""
) -> HttpResponse:
    game = require_game(game_set)
    state = draft_of(game.current_state)
    if state.is_over:
        raise Refused("The draft is over: note on More what was forgotten.")
    players = {seat: player_of(state, seat) for seat in state.in_game}
    owners = [seat for seat, player in players.items() if card in map(find_acting, player.face_up)]
    noters: list[int] = []
    if card and card.notes_later:
        noters = owners if card.is_face_up else list(players)
        if card.waits:
            noters = [seat for seat, player in players.items() if card in waiting(player)]
    shown = about(
        game_set,
        game,
        problem=problem,
        cards=ACTING,
        colours=COLOURS,
        card=card,
        printed=texts_of(card.name)[card.name] if card else "",
        drafters=[who(game_set, seat) for seat in state.in_game],
        owners=[who(game_set, seat) for seat in owners] if card else [],
        noters=[who(game_set, seat) for seat in noters],
        pick=state.pick if state.passed else 0,  # 0 where picks are not counted
        typed=(request.POST or request.GET).dict(),
    )
    return render(request, "conspiracy/draft_card.html", shown, status=422 if problem else 200)


@require_safe
def cards(request: Request) -> HttpResponse:
    shown = {"cards": CARDS, "aids": AIDS, "acting": ACTING.values(), "texts": texts_of(*ACTING)}
    return render(request, "conspiracy/conspiracy_cards.html", shown)
