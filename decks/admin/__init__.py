"""The admin: the ban lists, and the affiliations of cards that an editor decides.

Nothing can be deleted here, and what is on a list changes by drafts only.
"""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelectMultiple
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import F, QuerySet
from django.db.models.lookups import StartsWith
from django.forms import CharField, ModelChoiceField, ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html

from coalition_site.lib.forms import check_lines_showable

from ..catalogue import affiliations
from ..models import BanEntry, BanList, Card, CreatureType, Deck
from ..rules.affiliations import Affiliations
from ..rules.names import name_key

admin.site.site_header = admin.site.site_title = "Coalition table"
admin.site.index_title = "Ban lists and cards"


class FilteredList(ChangeList):
    """A list that takes its own filters only."""

    # Django's takes any lookup of a related model: ``entries=7`` would tell an editor which card a
    # private list bans.
    def get_filters(self, request: HttpRequest) -> Any:
        filters = super().get_filters(request)
        if filters[2]:  # what no filter took
            raise IncorrectLookupParameters
        return filters


class BaseAdmin(admin.ModelAdmin):
    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return FilteredList

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, CharField):
            no_null = ProhibitNullCharactersValidator()
            others = [validator for validator in field.validators if validator != no_null]
            field.validators = [*others, check_lines_showable]  # which refuses null as well
        return field


def lists_for(request: HttpRequest) -> QuerySet[BanList]:
    """Return the ban lists that an account may edit here: a playgroup's own may be private."""
    lists = BanList.objects.all()
    is_superuser = request.user.is_authenticated and request.user.is_superuser
    return lists if is_superuser else lists.filter(base=None)


class ByList(admin.RelatedFieldListFilter):
    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[Any]:
        return [(ban_list.pk, str(ban_list)) for ban_list in lists_for(request)]


class ReadOnly(BaseAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(BanEntry)
class BanEntryAdmin(ReadOnly):
    list_display = tuple(
        "subject ban_list status starts_on ends_on editor changed_at drafts".split()
    )
    list_filter = (("ban_list", ByList), "status", "starts_on", "ends_on")
    list_select_related = ("ban_list", "card", "changed_by")
    search_fields = ("card__name", "cards__name", "reason")
    fields = tuple(
        "subject cards ban_list status starts_on ends_on reason editor changed_at drafts".split()
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[BanEntry]:
        return super().get_queryset(request).filter(ban_list__in=lists_for(request))

    @admin.display(description="card or rule", ordering="card__name")
    def subject(self, entry: BanEntry) -> str:
        return entry.name

    @admin.display(description="changed by")
    def editor(self, entry: BanEntry) -> str:
        """Return text, since a foreign key would link to an account that editors may not open."""
        return str(entry.changed_by or "")

    @admin.display(description="change it")
    def drafts(self, entry: BanEntry) -> str:
        where = reverse("new_draft", args=[entry.ban_list.key])
        return format_html('<a href="{}?{}">By a draft</a>', where, urlencode({"card": entry.name}))


class CardForm(ModelForm):
    affiliated = ModelMultipleChoiceField(
        CreatureType.objects.filter(is_none=False),
        required=False,
        label="types",
        widget=AutocompleteSelectMultiple(Card._meta.get_field("types"), admin.site),
    )

    class Meta:
        model = Card
        fields = ("every_type", "override_reason")
        labels = {"override_reason": "reason"}
        help_texts = {
            "every_type": "The card belongs to every type, including future types.",
            "override_reason": "Why the affiliations differ from the card's text. "
            "Empty this to use the text again.",
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "affiliated" in self.fields:
            self.initial["affiliated"] = list(self.instance.types.values_list("pk", flat=True))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("every_type") and cleaned.get("affiliated"):
            self.add_error("affiliated", "Choose either every type or single types.")
        was_overridden = bool(self.initial.get("override_reason"))
        is_changed = {"affiliated", "every_type"} & set(self.changed_data)
        if is_changed and not cleaned.get("override_reason") and not was_overridden:
            self.add_error("override_reason", "Give a reason: this differs from the card's text.")
        return cleaned


@admin.register(Card)
class CardAdmin(BaseAdmin):
    form = CardForm
    list_display = ("name", "type_line", "mana_cost", "is_overridden")
    list_filter = ("every_type", ("override_reason", admin.EmptyFieldListFilter), "reserved")
    ordering = ("name",)
    search_fields = ("key",)
    readonly_fields = ("name", "type_line", "mana_cost", "printed", "vintage", "legacy", "reserved")
    fieldsets = (
        (None, {"fields": readonly_fields}),
        ("Affiliations", {"fields": ("affiliated", "every_type", "override_reason")}),
    )

    @admin.display(description="decided by an editor", boolean=True)
    def is_overridden(self, card: Card) -> bool:
        return bool(card.override_reason)

    @admin.display(description="text")
    def printed(self, card: Card) -> str:
        return "\n\n".join(face.oracle_text for face in card.faces.all())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Search by the name's key, so that any spelling matches. Names starting so come first."""
        key = name_key(search_term)
        cards, may_repeat = super().get_search_results(request, queryset, key)
        starts_so = StartsWith(F("key"), key).desc()
        return cards.order_by(starts_so, *cards.query.order_by), may_repeat

    def save_model(self, request: HttpRequest, obj: Card, form: CardForm, change: bool) -> None:
        values = form.cleaned_data
        names = frozenset(creature_type.name for creature_type in values["affiliated"])
        types = Affiliations(names, values["every_type"])
        affiliations.override(obj, types, values["override_reason"])
        if not values["override_reason"]:
            messages.info(request, "The card's affiliations are read from its text.")


@admin.register(CreatureType)
class CreatureTypeAdmin(BaseAdmin):
    list_display = ("name", "plural")
    search_fields = ("name", "plural")

    def save_model(self, request: HttpRequest, obj: CreatureType, form: Any, change: bool) -> None:
        before = CreatureType.objects.filter(pk=obj.pk).first() if form.changed_data else None
        super().save_model(request, obj, form, change)
        # Also by the former name: cards that print only the former name lose the type.
        count = affiliations.reread(obj) + (affiliations.reread(before) if before else 0)
        messages.info(request, f"The affiliations of {count} cards were read again.")


class BanListForm(ModelForm):
    class Meta:
        model = BanList
        fields = ("key", "name", "format", "base", "illegal_decks")
        labels = {"illegal_decks": "when somebody brings an illegal deck"}
        help_texts = {"base": "The list that house bans add to. Leave a format's own list empty."}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        base = cleaned.get("base")
        if base and (base.base_id or base.format != cleaned.get("format")):
            self.add_error("base", "Choose the list of the same format as the base.")
        return cleaned


@admin.register(BanList)
class BanListAdmin(BaseAdmin):
    form = BanListForm
    list_display = ("name", "key", "format", "base", "illegal_decks")
    list_filter = ("format",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[BanList]:
        return super().get_queryset(request) & lists_for(request)

    def formfield_for_foreignkey(
        self, db_field: Any, request: HttpRequest, **options: Any
    ) -> ModelChoiceField | None:
        if db_field.related_model is BanList:
            options["queryset"] = lists_for(request)
        return super().formfield_for_foreignkey(db_field, request, **options)

    def get_readonly_fields(
        self, request: HttpRequest, obj: BanList | None = None
    ) -> tuple[str, ...]:
        # Decks and entries rely on these.
        return ("key", "format", "base") if obj else ()


@admin.register(Deck)
class DeckAdmin(ReadOnly):
    list_display = ("name", "code", "created_at")
    ordering = ("-pk",)
    search_fields = ("name", "code")
    fields = ("name", "code", "created_at", "ruleset", "text")

    @admin.display
    def ruleset(self, deck: Deck) -> str:
        last = deck.revisions.last()
        return last.ruleset if last else ""

    @admin.display(description="list as last saved")
    def text(self, deck: Deck) -> str:
        last = deck.revisions.last()
        return last.text if last else ""
