"""How pages word what the rules say: effects, names of formats."""

from collections.abc import Iterable, Mapping

from ..models import Game
from ..rules import engine
from ..rules.effects import Effect, PointsScored
from ..rules.errors import RuleError
from ..rules.formats import FORMATS
from ..rules.move import Move
from ..rules.moves import Concede, ConcedeTo
from ..rules.ruleset import Ruleset
from ..rules.words import Sentence, listed, signed


def effects(effects: Iterable[Effect], rules: Ruleset) -> list[Sentence]:
    """Return what followed from a move, each effect as a sentence, if it has a sentence.

    >>> from ..rules.effects import Reason
    >>> from ..rules.formats import RULESETS
    >>> effects([PointsScored(1, Reason.WIN_BONUS, 0, 10)], RULESETS["coalition-readme"])
    [[1, ' +10 VP win bonus', ': 5 up to 21, and 5 for winning']]
    >>> effects([PointsScored(1, Reason.WIN_BONUS, 0, 10)], RULESETS["coalition-readme-21"])
    [[1, ' +10 VP win bonus']]
    """
    # The points that one player's hits scored are put together.
    cap, for_winning = rules.cap, rules.bonus(rules.cap or 0, conceded_to=True)
    scored: dict[int, list[PointsScored]] = {}
    others = []
    for effect in effects:
        if isinstance(effect, PointsScored) and effect.dealt:
            scored.setdefault(effect.player, []).append(effect)
        elif sentence := effect.sentence():
            if isinstance(effect, PointsScored) and 0 < for_winning < effect.points:
                filled = effect.points - for_winning
                sentence += [f": {filled} up to {cap}, and {for_winning} for winning"]
            others.append(sentence)
    sentences: list[Sentence] = []
    for seat, of_seat in scored.items():
        points = sum(effect.points for effect in of_seat)
        dealt = sum(effect.dealt for effect in of_seat)
        capped = f" of {dealt}, capped at {cap}" if points < dealt else ""
        sentences.append([seat, f" {signed(points)} VP{capped}"])
    return [*sentences, *others]


def outlook(game: Game, move: Move, names: Mapping[int, str]) -> list[Sentence]:
    """Return what a move would do; why it can't happen, if the rules refuse it."""
    rules = game.current_state.ruleset
    try:
        story = engine.decide(game.current_state, move)
    except RuleError as refusal:
        return [[refusal.message(names)]]
    sentences = effects(story.effects, rules)
    if isinstance(move, Concede):  # what it costs besides the points of this game
        if rules.conceding_voids_set:
            sentences.append([move.player, " drops to 0 VP for the whole set."])
        elif game.number > 1:
            sentences.append(["The points of earlier games stay."])
        if game.number < rules.games:
            sentences.append([move.player, " plays no later game of this set."])
    if isinstance(move, ConcedeTo) and rules.cap is not None:
        sentences.append(["Nobody loses VP by this, nor a later game of the set."])
    if not story.state.is_over:
        sentences.append([*listed(story.state.in_game), " play on."])
    return sentences


def format_name(key: str) -> str:
    """Return what people call a format.

    >>> format_name("realm-wars")
    'Realm Wars (Warhammer: Invasion)'
    """
    name, game = key.replace("-", " ").title(), FORMATS[key][0].card_game
    return f"{name} ({game})" if game else name
