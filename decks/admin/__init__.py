"""The admin: the ban lists, and what of the catalogue an editor settles.

Nothing here is deleted, and nothing saves past the functions that know what belongs to a change.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import F, Q, QuerySet
from django.db.models.lookups import StartsWith
from django.forms import CharField, ModelChoiceField
from django.http import HttpRequest
from django.utils import timezone

from coalition_site.lib.forms import check_lines_showable

from .. import catalogue
from ..bans import commands
from ..bans.commands import day
from ..models import BanEntry, BanList, Card, CreatureType, Deck
from ..rules.affiliations import Affiliations
from ..rules.names import name_key
from .forms import BanForm, BanListForm, CardForm

admin.site.site_header = admin.site.site_title = "Coalition table"
admin.site.index_title = "Ban lists and cards"


class FilteredList(ChangeList):
    """A list that takes its own filters only.

    Django's takes any lookup of a related model: ``entries=7`` would tell an editor which card a
    private list bans.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        filters = super().get_filters(request)
        not_taken = filters[2]
        if not_taken:
            raise IncorrectLookupParameters
        return filters


class BaseAdmin(admin.ModelAdmin):
    """An admin in which nothing is deleted, and no text is stored that can't be shown."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return FilteredList

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, CharField):
            others = [one for one in field.validators if one != ProhibitNullCharactersValidator()]
            field.validators = [*others, check_lines_showable]  # which refuses these as well
        return field


def lists_for(request: HttpRequest) -> QuerySet[BanList]:
    """Return the ban lists that an account works on here: those of the formats.

    A playgroup's own is the playgroup's, which may be a private one; superusers see all.
    """
    lists = BanList.objects.all()
    return lists if request.user.is_superuser else lists.filter(base=None)


class ByList(admin.RelatedFieldListFilter):
    """Entries by their list; it offers no list that the account does not see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[Any]:
        return [(one.pk, str(one)) for one in lists_for(request)]


class OnLists(BaseAdmin):
    """What belongs to a ban list: its form offers the lists that the account sees."""

    def formfield_for_foreignkey(
        self, db_field: Any, request: HttpRequest, **options: Any
    ) -> ModelChoiceField | None:
        if db_field.related_model is BanList:
            options["queryset"] = lists_for(request)
        return super().formfield_for_foreignkey(db_field, request, **options)


class InForce(admin.SimpleListFilter):
    """Whether an entry is in force today."""

    title = "in force"
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("now", "Today"), ("later", "From a later day on"), ("ended", "No longer")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[BanEntry]) -> QuerySet[BanEntry]:
        today = timezone.localdate()
        ended = Q(ends_on__lte=today) | Q(ends_on=F("starts_on"))
        asked = {
            "now": Q(starts_on__lte=today) & ~ended,
            "later": Q(starts_on__gt=today) & ~ended,
            "ended": ended,
        }
        wanted = asked.get(self.value() or "")
        return queryset.filter(wanted) if wanted else queryset


@admin.register(BanEntry)
class BanEntryAdmin(OnLists):
    """Entries are made and ended; the form shows first which decks that makes illegal."""

    form = BanForm
    list_display = (
        "subject",
        "ban_list",
        "status",
        "starts_on",
        "ends_on",
        "editor",
        "changed_at",
    )
    list_filter = (("ban_list", ByList), "status", InForce)
    list_select_related = ("ban_list", "card", "changed_by")
    search_fields = ("card__name", "cards__name", "reason")
    autocomplete_fields = ("card", "cards")
    settled = ("ban_list", "card", "rule", "cards", "status", "starts_on")

    def get_queryset(self, request: HttpRequest) -> QuerySet[BanEntry]:
        return super().get_queryset(request).filter(ban_list__in=lists_for(request))

    @admin.display(description="card or rule", ordering="card__name")
    def subject(self, entry: BanEntry) -> str:
        return entry.name

    @admin.display(description="changed by")
    def editor(self, entry: BanEntry) -> str:
        """As words: the account behind it is not an editor's to open."""
        return str(entry.changed_by or "")

    def get_fields(self, request: HttpRequest, obj: BanEntry | None = None) -> tuple[str, ...]:
        if obj is None:
            return (*self.settled, "reason")
        return (*self.settled, "reason", "ends_on", "editor", "changed_at")

    def get_readonly_fields(
        self, request: HttpRequest, obj: BanEntry | None = None
    ) -> tuple[str, ...]:
        return (*self.settled, "editor", "changed_at") if obj else ()

    def get_form(self, request: HttpRequest, obj: Any = None, **options: Any) -> type[BanForm]:
        form = super().get_form(request, obj, **options)  # a class of this request's own
        form.user = request.user
        return form

    def save_model(self, request: HttpRequest, obj: BanEntry, form: BanForm, change: bool) -> None:
        before = (
            BanEntry.objects.get(pk=obj.pk)
            if change
            else commands.current(obj.ban_list, form.subject, obj.starts_on)
        )
        saved = form.make()
        if before:
            self._log_what_it_was(request, before, saved)
        obj.pk = saved.pk
        obj.refresh_from_db()
        if not form.breaks:
            messages.info(request, "No registered deck becomes illegal by that.")

    def _log_what_it_was(self, request: HttpRequest, before: BanEntry, saved: BanEntry) -> None:
        if before.pk != saved.pk:
            self.log_change(request, before, f"Ended by the entry from {day(saved.starts_on)} on.")
        elif before.reason and before.reason != saved.reason:
            self.log_change(request, before, f"Its reason was: {before.reason}")

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Leave that to ``banning``, which made the entry whole."""


@admin.register(Card)
class CardAdmin(BaseAdmin):
    """A card as imported; an editor may settle its affiliations."""

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

    @admin.display(description="settled by an editor", boolean=True)
    def is_overridden(self, card: Card) -> bool:
        return bool(card.override_reason)

    @admin.display(description="text")
    def printed(self, card: Card) -> str:
        return "\n\n".join(face.oracle_text for face in card.faces.all())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """As people write names: a phone's apostrophe finds the plain one. First what begins so."""
        key = name_key(search_term)
        found, may_repeat = super().get_search_results(request, queryset, key)
        begins_so = StartsWith(F("key"), key).desc()
        return found.order_by(begins_so, *found.query.order_by), may_repeat

    def save_model(self, request: HttpRequest, obj: Card, form: CardForm, change: bool) -> None:
        said = form.cleaned_data
        types = frozenset(one.name for one in said["affiliated"])
        catalogue.override(obj, Affiliations(types, said["every_type"]), said["override_reason"])
        if not said["override_reason"]:
            messages.info(request, "Its affiliations are those of its text.")


@admin.register(CreatureType)
class CreatureTypeAdmin(BaseAdmin):
    """The creature types by which affiliations are read."""

    list_display = ("name", "plural")
    search_fields = ("name", "plural")

    def save_model(self, request: HttpRequest, obj: CreatureType, form: Any, change: bool) -> None:
        before = CreatureType.objects.filter(pk=obj.pk).first() if form.changed_data else None
        super().save_model(request, obj, form, change)
        # Cards that print only its former name no longer belong to it.
        count = catalogue.read_again(obj) + (catalogue.read_again(before) if before else 0)
        messages.info(request, f"The affiliations of {count} cards were read again.")


@admin.register(BanList)
class BanListAdmin(OnLists):
    """The lists of the formats, and house lists on top of them."""

    form = BanListForm
    list_display = ("name", "key", "format", "base", "illegal_decks")
    list_filter = ("format",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[BanList]:
        return super().get_queryset(request) & lists_for(request)

    def get_readonly_fields(
        self, request: HttpRequest, obj: BanList | None = None
    ) -> tuple[str, ...]:
        """Decks find the list of their format by its key, and entries stand on what it is."""
        return ("key", "format", "base") if obj else ()


@admin.register(Deck)
class DeckAdmin(BaseAdmin):
    """Registered decks, to look at."""

    list_display = ("name", "code", "created_at")
    ordering = ("-pk",)
    search_fields = ("name", "code")
    fields = ("name", "code", "created_at", "ruleset", "text")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display
    def ruleset(self, deck: Deck) -> str:
        last = deck.revisions.last()
        return last.ruleset if last else ""

    @admin.display(description="list as saved last")
    def text(self, deck: Deck) -> str:
        last = deck.revisions.last()
        return last.text if last else ""
