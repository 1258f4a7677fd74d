"""Forms around the games of a table: a new table, the next game, the decks of the seats."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q

from coalition_site.lib.forms import DAMAGED, Tap, any_error, check_showable
from coalition_site.lib.texts import is_visible, name_key
from decks.catalogue import memory
from decks.catalogue.heroes import Hero, find_hero, offers
from decks.decks.forms import HouseField
from decks.models import BanList, DeckRevision
from decks.queries import has_cards
from decks.rules.deck import NOT_HUMAN

from ..models.record import CARD_MAX, SEATS_MAX, SeatHero
from ..record.seating import seated_twice
from ..rules.formats import RULESETS
from ..rules.words import series
from ..setlog.document import NAME_MAX
from .taps import seat_choices


def untyped(known: Iterable[str], typed: Iterable[str]) -> Iterator[str]:
    """Return those ticked as known who are not typed as well: they take the empty seats, in turn.

    >>> list(untyped(["Ann", "Bo"], ["", "ann"]))
    ['Bo']
    """
    seated = {name_key(name) for name in typed}
    return (name for name in known if name_key(name) not in seated)


class StartForm(Tap):
    # ``seats`` is how many play at least; without a name they are called by their colour.

    ruleset = forms.ChoiceField(
        choices=[(key, ruleset.title) for key, ruleset in RULESETS.items()],
        error_messages={"required": "Choose a ruleset."},
    )
    starter = forms.ChoiceField(
        choices=[("", "Roll dice"), ("drawn", "Already decided at the table")], required=False
    )
    seats = forms.TypedChoiceField(
        choices=[(number, number) for number in range(2, SEATS_MAX + 1)],
        coerce=int,
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": "Choose how many play."},
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        names = [name.strip() for name in data.getlist("name")] if data else []
        ticked = untyped(data.getlist("known") if data else [], names)
        self.names: list[str] = [name or next(ticked, "") for name in names] + list(ticked)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        named = [name for name in self.names if name]
        for name in named:
            if len(name) > NAME_MAX:
                self.add_error(None, f"{name[:20]}… is too long: {NAME_MAX} characters at most.")
            if not is_visible(name):
                self.add_error(None, "A name has a character that can't be shown. Type it again.")
        for problem in seated_twice(named):
            self.add_error(None, problem)
        ruleset, seats = RULESETS.get(cleaned.get("ruleset", "")), cleaned.get("seats") or 0
        if ruleset and not named and not ruleset.allows(seats):
            seats = ruleset.players_min
        seats = max(seats, len(named))
        if ruleset and not ruleset.allows(seats):
            raise ValidationError(
                f"“{ruleset.title}” is for {ruleset.players_text} players, not for {seats}."
            )
        return {**cleaned, "names": _seated(self.names, seats)}


def _seated(names: list[str], seats: int) -> list[str]:
    """Return the names of so many seats: of the empty ones the last are left out.

    >>> _seated(["", "Bo", "", "Di", ""], 3), _seated(["Ann"], 2)
    (['', 'Bo', 'Di'], ['Ann', ''])
    """
    kept = names + [""] * seats
    while len(kept) > seats:
        del kept[len(kept) - 1 - kept[::-1].index("")]
    return kept


def name_field() -> forms.CharField:
    errors = {"max_length": f"The name is too long: {NAME_MAX} characters at most."}
    return forms.CharField(
        required=False, max_length=NAME_MAX, validators=[check_showable], error_messages=errors
    )


def edited(data: Mapping[str, str], now: Mapping[int, str]) -> dict[int, str]:
    """Return the names of seats as edited on a page, and as they are ``now`` where it only showed
    them."""
    typed = {seat: data.get(f"seat-{seat}", name) for seat, name in now.items()}
    return {
        seat: now[seat] if name == data.get(f"shown-{seat}") else name
        for seat, name in typed.items()
    }


class NamesForm(forms.Form):
    """The names of seats that were edited on a page, "" where nobody says."""

    # Guests name their seats on their phones meanwhile.

    def __init__(self, data: Any, *, now: Mapping[int, str]) -> None:
        super().__init__(data)
        self.now = now
        for seat, name in now.items():
            self.fields[f"seat-{seat}"] = self.field_for(name)

    def field_for(self, name: str) -> forms.CharField:
        return name_field()

    def clean(self) -> dict[str, Any]:
        sent = {of: name for of, name in (super().clean() or {}).items() if of in self.data}
        names = edited({**self.data.dict(), **sent}, self.now)
        ticked = untyped(self.data.getlist("known"), names.values())
        names = {seat: name or next(ticked, "") for seat, name in names.items()}
        changed = {seat: name for seat, name in names.items() if name != self.now[seat]}
        shown = {seat: self.data.get(f"shown-{seat}", self.now[seat]) for seat in changed}
        if late := [self.now[seat] for seat in changed if self.now[seat] not in ("", shown[seat])]:
            raise ValidationError(f"Named meanwhile: {series(late)}. Save again to change that.")
        return {"names": changed}


class NextGameForm(Tap):
    starter = forms.TypedChoiceField(coerce=int, empty_value=None, required=False)
    dropped = forms.TypedMultipleChoiceField(coerce=int, required=False)

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data)
        self.names = names
        self.fields["starter"].choices = [("", "Roll dice"), *seat_choices(names)]
        self.fields["dropped"].choices = seat_choices(names)
        for seat in names:
            self.fields[f"place-{seat}"] = forms.IntegerField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        places = {seat: cleaned.get(f"place-{seat}") for seat in self.names}
        given = {seat: place for seat, place in places.items() if place is not None}
        if len(set(given.values())) < len(given):
            raise ValidationError("Two players have the same place in the turn order.")
        order = tuple(sorted(given, key=given.__getitem__)) or None
        first = order[0] if order else cleaned.get("starter")
        dropped = tuple(dict.fromkeys(cleaned.get("dropped", ())))
        return {"first": first, "turn_order": order, "dropped": dropped}


TEXT_MAX = 8_000  # characters; a real deck has some 2,000
NO_SEAT = "That player does not sit here."
NO_DECK = "There is no such deck. Copy the link from the deck's page."


class OfSeat(forms.Form):
    seat = forms.TypedChoiceField(coerce=int, error_messages=any_error(NO_SEAT))

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data)
        self.fields["seat"].choices = seat_choices(names)


class SeatLinkForm(OfSeat, Tap):
    pass


class SeatDeckForm(OfSeat):
    """The deck of a seat, by its code, its link, or its name if its code is among the ``own`` ones;
    without a deck the seat's deck is removed."""

    deck = forms.CharField(required=False, max_length=300, error_messages={"max_length": NO_DECK})
    house = HouseField()

    def __init__(
        self,
        data: Any,
        *,
        names: dict[int, str],
        own: Collection[str],
        sees: Callable[[BanList], bool],
    ) -> None:
        super().__init__(data, names=names)
        self.own = own
        self.fields["seat"].required = False  # the ban list is for the whole table
        self.fields["house"].may_see = sees

    def clean_deck(self) -> DeckRevision | None:
        text = self.cleaned_data["deck"].strip()
        if not text:
            return None
        code = re.search(r"(?:^|/decks/)([a-z0-9-]{1,16})/?(?:\?.*)?$", text.lower())
        # By name only among this browser's own decks: others may have the same name.
        matching = Q(deck__name__iexact=text, deck__code__in=list(self.own))
        if code:
            matching |= Q(deck__code=code[1])
        revision = DeckRevision.objects.filter(matching).order_by("deck", "number").last()
        if revision is None:
            raise ValidationError(NO_DECK)
        return revision

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and "house" not in self.data and not cleaned["seat"]:
            raise ValidationError("Whose deck is it? Reload the page.")
        return cleaned


def _card_name(too_long: str) -> forms.CharField:
    return forms.CharField(
        required=False, max_length=CARD_MAX, error_messages={"max_length": too_long}
    )


class SeatHeroForm(OfSeat):
    """The hero of a seat with its coalition type; without a hero, what was named is taken back."""

    # Where the catalogue is empty, both stay as typed. ``offers`` are heroes of similar names.

    hero = _card_name("That is too long for a card’s name.")
    type = _card_name("That is too long for a creature type.")

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data, names=names)
        self.offers: list[Hero] = []

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        hero, chosen = cleaned.get("hero", ""), cleaned.get("type", "")
        if self.errors:
            return cleaned
        if not all(map(is_visible, filter(None, (hero, chosen)))):
            raise ValidationError("A name has a character that can't be shown. Type it again.")
        if chosen and not hero:
            raise ValidationError("Name the hero as well: its types are the ones to choose from.")
        played = self._checked(hero, chosen) if hero and has_cards() else SeatHero(hero, chosen)
        return {**cleaned, "played": played}

    def _checked(self, name: str, chosen: str) -> SeatHero:
        catalogue = memory.CATALOGUE.now()
        hero = find_hero(name, catalogue)
        if hero is None:
            self.offers = offers(name, catalogue)
            hint = "Did you mean one of these?" if self.offers else "Check the spelling."
            raise ValidationError(f"No legendary creature is called “{name}”. {hint}")
        if not hero.can_lead:
            raise ValidationError(
                f"{hero.name} is not a legendary creature, so it can’t be a hero. Choose another."
            )
        if not hero.types:
            raise ValidationError(
                f"{hero.name} has no creature type for a deck to share. Choose another hero."
            )
        by_key = {name.casefold(): name for name in hero.types}
        if not chosen:
            return SeatHero(hero.name, hero.types[0] if len(hero.types) == 1 else "")
        if chosen.casefold() == NOT_HUMAN.casefold():
            raise ValidationError("The coalition type may not be Human. Choose another type.")
        if chosen.casefold() not in by_key:
            self.offers = [hero]
            raise ValidationError(f"{hero.name} does not have the type {chosen}. Choose again.")
        return SeatHero(hero.name, by_key[chosen.casefold()])


def _list(required: str = "") -> forms.CharField:
    too_long = "That is too long for a single deck: 8,000 characters at most."
    messages = {"max_length": too_long, "required": required}
    return forms.CharField(
        required=bool(required), strip=False, max_length=TEXT_MAX, error_messages=messages
    )


class SideboardForm(forms.Form):
    game = forms.IntegerField(error_messages=any_error("For which game? Reload the page."))
    hero = _card_name("That is too long for a card’s name.")
    type = _card_name("That is too long for a creature type.")
    text = _list("Paste the deck: the main deck, and the sideboard with the hero.")
    out = _list()
    into = _list()


class SwapForm(OfSeat):
    out = _list()
    into = _list()


class ConfirmForm(forms.Form):
    life = forms.IntegerField(error_messages=any_error(DAMAGED))
