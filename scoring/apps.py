from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Register what formats add to pages and to random play, and the triggers of decks."""
        # Imported here: this module is loaded before there are models.
        from decks import versions

        from .conspiracy import boards, drafts
        from .conspiracy import inventing as conspiracy_moves
        from .models import triggers
        from .record import inventing
        from .tables import additions, formats

        triggers.SOURCES.append(versions.triggers)
        additions.register("conspiracy", boards.ConspiracyAdditions())
        additions.register("conspiracy-draft", drafts.DraftAdditions())
        additions.register("leveler", formats.LevelerAdditions())
        additions.register("realm-wars", formats.RealmWarsAdditions())
        inventing.register("conspiracy", conspiracy_moves.likely_in_game)
        inventing.register("conspiracy-draft", conspiracy_moves.likely_in_draft)
