from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Register what formats add to pages and to random play, and the triggers of decks."""
        # Imported here: this module is loaded before there are models.
        from decks import versions

        from .conspiracy import boards, drafts
        from .conspiracy import guide as conspiracy_guide
        from .conspiracy import inventing as conspiracy_moves
        from .models import triggers
        from .pages import additions, guides, leveler, realm_wars
        from .pages.guides import coalition as coalition_guide
        from .pages.guides import leveler as leveler_guide
        from .pages.guides import realm_wars as realm_wars_guide
        from .play import inventing

        triggers.SOURCES.append(versions.triggers)
        additions.register("conspiracy", boards.ConspiracyAdditions())
        additions.register("conspiracy-draft", drafts.DraftAdditions())
        additions.register("leveler", leveler.LevelerAdditions())
        additions.register("realm-wars", realm_wars.RealmWarsAdditions())
        guides.register(coalition_guide.GUIDE)
        guides.register(leveler_guide.GUIDE)
        guides.register(conspiracy_guide.GUIDE)
        guides.register(realm_wars_guide.GUIDE)
        inventing.register("conspiracy", conspiracy_moves.likely_in_game)
        inventing.register("conspiracy-draft", conspiracy_moves.likely_in_draft)
