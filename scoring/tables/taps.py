"""Forms of the pad and of the page More: what is tapped there becomes a move. They save nothing."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from coalition_site.lib.forms import DAMAGED, Tap, any_error
from coalition_site.lib.refusals import Refused

from ..rules import moves
from ..rules.damage import AMOUNT_MAX, TOXIC_MAX, Aim, Hit, Kind, Targets
from ..rules.move import Move
from ..rules.state import Zone
from ..rules.taps import ForAll

EACH = "each"
HITS_MAX = 40  # collected for one event

TOO_MANY = f"One event takes {HITS_MAX} hits at most."
KINDS = {kind.value: kind for kind in Kind}


def seat_choices(names: Mapping[int, str]) -> list[tuple[str, str]]:
    return [(str(seat), name) for seat, name in names.items()]


def read_hit(data: QueryDict, names: Mapping[int, str]) -> tuple[UUID, Aim]:
    """Return the id of the tap and the hit that the pad sent: from whom, to whom (one, several or
    each opponent), which kind, how much.

    ``amount`` is the number key; if none was pressed, ``typed`` counts. Without a target the hit
    goes to whoever the source hit last. A form would cost about as much as recording the hit.

    :raises Refused: if it makes no sense.
    """
    seats, ticked = dict(zip(map(str, names), names, strict=True)), data.getlist("target")
    source, kind = data.get("source", ""), KINDS.get(data.get("kind", ""))
    try:
        tap_id = UUID(data.get("tap_id", "").strip())
    except ValueError:
        raise Refused(DAMAGED) from None
    if kind is None:
        raise Refused(DAMAGED)
    if source not in {"", *seats} or not {EACH, *seats} >= set(ticked):
        raise Refused("That player does not sit at this table.")
    toxic = whole_number(data.get("toxic", ""), TOXIC_MAX) if data.get("toxic") else 0
    amount = whole_number(data.get("amount") or data.get("typed", ""), AMOUNT_MAX)
    has_keywords = bool(data.get("signs"))
    if toxic is None:
        raise Refused(f"Toxic must be a whole number from 1 to {TOXIC_MAX}.")
    if amount is None:
        raise Refused(f"The damage must be a whole number from 1 to {AMOUNT_MAX}.")
    if not source and kind is not Kind.OTHER:
        raise Refused("From whom? Without a player it can only be other damage.")
    if has_keywords and toxic and kind is not Kind.COMBAT:
        raise Refused("Toxic goes with combat damage only.")
    named = tuple(map(int, dict.fromkeys(ticked))) if EACH not in ticked else ()
    aim = Aim(
        source=seats.get(source),
        targets=named or (Targets.EACH if ticked else Targets.LAST),
        amount=amount,
        kind=kind,
        infect=has_keywords and bool(data.get("infect")),
        lifelink=has_keywords and bool(data.get("lifelink")),
        toxic=toxic if has_keywords else 0,
    )
    return tap_id, aim


# Source, target, amount, kind, infect, lifelink, toxic; source 0 is nobody.
_COLLECTED = re.compile(
    r"([0-6])\.([1-6])\.(\d{1,4})\.(combat|hero|other)\.([01])\.([01])\.(\d\d?)", re.ASCII
)


def hit_key(hit: Hit) -> str:
    """Return a collected hit as the text by which the page remembers it.

    >>> hit_key(Hit(source=None, target=2, amount=3, kind=Kind.OTHER, lifelink=True))
    '0.2.3.other.0.1.0'
    """
    signs = int(hit.infect), int(hit.lifelink), hit.toxic
    return ".".join(map(str, (hit.source or 0, hit.target, hit.amount, hit.kind.value, *signs)))


def read_hits(keys: Iterable[str], names: Mapping[int, str]) -> list[Hit]:
    """Return the collected hits from their texts, without those not possible at this table.

    >>> [hit_key(hit) for hit in read_hits(["1.2.3.combat.0.0.0", "9.9"], {1: "Ada", 2: "Bo"})]
    ['1.2.3.combat.0.0.0']
    """
    hits: list[Hit] = []
    for key in keys:
        match = _COLLECTED.fullmatch(key)
        if match is None:
            continue
        source, target, amount, kind, infect, lifelink, toxic = match.groups()
        hit = Hit(
            source=int(source) or None,
            target=int(target),
            amount=int(amount),
            kind=Kind(kind),
            infect=infect == "1",
            lifelink=lifelink == "1",
            toxic=int(toxic),
        )
        sits_here = hit.target in names and (hit.source is None or hit.source in names)
        if sits_here and hit.amount > 0 and hit.contradiction() is None:
            hits.append(hit)
    return hits[: HITS_MAX + 1]  # one too many, for the view to refuse


def whole_number(text: str, highest: int, lowest: int = 1) -> int | None:
    """Return the number that was typed, None if it is none from ``lowest`` to ``highest``.

    >>> whole_number(" 14 ", 9999), whole_number("0", 9999), whole_number("1.5", 9999)
    (14, None, None)
    """
    digits = text.strip()
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return int(digits) if is_number and lowest <= int(digits) <= highest else None


def one_of(*values: str) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, choices=[(value, value) for value in values])


SEAT_AND_BY = r"^[1-9]\.-?[1-9][0-9]{0,3}\Z"  # how much changes there, as in "3.-5"


class ChangeForm(Tap):
    life = forms.RegexField(SEAT_AND_BY, required=False, error_messages={"invalid": DAMAGED})
    poison = forms.RegexField(SEAT_AND_BY, required=False, error_messages={"invalid": DAMAGED})

    def __init__(self, data: Any, *, names: Mapping[int, str]) -> None:
        super().__init__(data)
        self.names = names

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        seat, _, by = (cleaned["poison"] or cleaned["life"]).partition(".")
        if not seat or int(seat) not in self.names:
            raise ValidationError("Choose for whom.")
        change = moves.ChangePoison if cleaned["poison"] else moves.ChangeLife
        cleaned["move"] = change({int(seat): int(by)})
        return cleaned


def change_field() -> forms.IntegerField:
    return forms.IntegerField(
        required=False,
        min_value=-moves.CHANGE_MAX,
        max_value=moves.CHANGE_MAX,
        error_messages=any_error(DAMAGED),
    )


class KeyedChange(Tap):
    """A change of life or poison: by a key, or ``by`` as much as was typed."""

    life = change_field()
    poison = change_field()
    by = forms.CharField(required=False)

    def change(self, cleaned: dict[str, Any], way: str) -> ForAll | None:
        for field, change in (("life", moves.ChangeLife), ("poison", moves.ChangePoison)):
            if cleaned[field]:
                return ForAll(change, cleaned[field])
        if not way:
            return None
        lowest = 0 if way == "set" else 1
        by = whole_number(cleaned["by"], moves.CHANGE_MAX, lowest)
        if by is None:
            raise ValidationError(f"Give a whole number from {lowest} to {moves.CHANGE_MAX}.")
        sign = 1 if way in ("gain", "set", "poison") else -1
        change = moves.ChangePoison if way in ("poison", "cure") else moves.ChangeLife
        return ForAll(change, sign * by)


class MoreForm(KeyedChange):
    # The page More: each button is a change, ``player`` is for whom.

    player = forms.ChoiceField(required=False)
    typed = one_of("gain", "lose", "set", "poison", "cure")
    hero = one_of(*Zone)
    monarch = one_of("crown", "none")
    hold = one_of("lose", "win", "both", "off")
    turn = forms.BooleanField(required=False)

    def __init__(self, data: Any, *, names: dict[int, str]) -> None:
        super().__init__(data)
        self.fields["player"].choices = [*seat_choices(names), (EACH, "Everybody")]
        self.fields["player"].error_messages["invalid_choice"] = "Choose for whom."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        player = cleaned["player"]
        if cleaned["monarch"] == "none":
            return cleaned | {"move": moves.CrownMonarch(None)}
        if not player:
            raise ValidationError("Choose for whom.")
        change, hold = self.change(cleaned, cleaned["typed"]), cleaned["hold"]
        move: Move | ForAll
        if cleaned["typed"] == "set" and change is not None and player != EACH:
            move = moves.SetLife(int(player), change.by)
        elif player == EACH:
            if change is None or cleaned["typed"] == "set":
                raise ValidationError("Choose one player for that.")
            move = change
        elif change:
            move = change.change({int(player): change.by})
        elif cleaned["hero"]:
            move = moves.MoveHero(int(player), Zone(cleaned["hero"]))
        elif cleaned["monarch"]:
            move = moves.CrownMonarch(int(player))
        elif hold:
            move = moves.Hold(int(player), hold in ("lose", "both"), hold in ("win", "both"))
        elif cleaned["turn"]:
            move = moves.PassTurn(int(player))
        else:
            raise ValidationError("Choose what happens.")
        return cleaned | {"move": move}
