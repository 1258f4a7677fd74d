"""A pasted or uploaded list as the lines of a draft: only what differs from the list."""

from collections.abc import Mapping, Sequence
from datetime import date

from coalition_site.lib.untrusted import MalformedDocument, load

from .. import queries
from ..catalogue.memory import closest_names
from ..models import Announced, BanList, NamedCard, Rule, Subject
from ..rules import ban_lines
from ..rules.ban_lines import BanLine
from ..rules.entries import displayable
from ..rules.names import name_key
from . import file
from .commands import BanRefused, EntryContent, entries_on
from .forms import REASON_MAX

SHOWN_MAX = 20  # unknown names in a message
REASON_TOO_LONG = f"its reason is too long: {REASON_MAX} characters at most."
RULES = {name_key(word): rule for rule in Rule for word in (rule.value, str(rule.label))}


class Unclear(BanRefused):
    """Lines that can't be read; ``problems`` has one for each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = problems
        super().__init__("Nothing was taken from the list: some of its lines can’t be read.")


def read(ban_list: BanList, on: date, text: str, *, is_whole: bool) -> list[EntryContent]:
    """Return what a text changes on a list from a day on.

    It is a file as ``export_banlist`` writes it, or lines such as ``Balance: banned``. With
    ``is_whole``, as always with a file, cards that are not in it become legal. Groups of cards
    stay as they are, unless it is a file.

    :raises BanRefused: if there is something that can't be read.
    """
    standing = {subject: content for subject, (_, content) in entries_on(ban_list, on).items()}
    is_file = text.lstrip().startswith("{")
    wanted = _of_file(ban_list, text) if is_file else _of_lines(ban_list, text, standing)
    gone = [
        EntryContent(subject, Announced.LEGAL, "")
        for subject in standing
        if subject not in wanted and (is_file or (is_whole and not isinstance(subject, Rule)))
    ]
    changed = [
        content for subject, content in wanted.items() if _differs(standing.get(subject), content)
    ]
    too_long = [content.name for content in changed if len(content.reason) > REASON_MAX]
    if too_long:
        raise Unclear([f"{name}: {REASON_TOO_LONG}" for name in too_long])
    return gone + changed


def _differs(was: EntryContent | None, content: EntryContent) -> bool:
    if was is None:
        return content.status != Announced.LEGAL
    # A list that gives no reason does not take the reason away.
    return was.comparable != content.comparable and not (
        not content.reason and (was.status, was.cards) == (content.status, content.cards)
    )


def _of_file(ban_list: BanList, text: str) -> dict[Subject, EntryContent]:
    try:
        document = file.read(load(text), by_name=ban_list.is_by_name)
    except MalformedDocument as error:
        raise BanRefused(f"This file can’t be read. {error}") from error
    if document.name != ban_list.name:
        raise BanRefused(f"This is the list of {document.name}, not of {ban_list.name}.")
    return {content.subject: content for content in document.entries}


def _of_lines(
    ban_list: BanList, text: str, standing: dict[Subject, EntryContent]
) -> dict[Subject, EntryContent]:
    lines = list(ban_lines.read(text))
    if not lines:
        raise BanRefused("There is no card in this list. Write a card a line: Balance: banned")
    if len(lines) > ban_lines.LINES_MAX:
        raise BanRefused(f"This list has {len(lines)} lines: {ban_lines.LINES_MAX} at most.")
    subjects = _subjects(ban_list, lines)
    wanted: dict[Subject, EntryContent] = {}
    for line in lines:
        subject = subjects[line.name]
        if subject in wanted:
            raise Unclear([f"Line {line.number}: {wanted[subject].name} is there twice."])
        was = standing.get(subject)
        of_group = was.cards if was and isinstance(subject, Rule) else ()
        wanted[subject] = EntryContent(subject, line.status, line.reason, of_group)
    return wanted


def _subjects(ban_list: BanList, lines: Sequence[BanLine]) -> Mapping[str, Subject]:
    """Return the cards and groups of cards of lines by their names. Two queries at most."""
    if ban_list.is_by_name:
        words = (Announced.BANNED, Announced.RESTRICTED, Announced.LEGAL)
        if odd := [line for line in lines if line.status not in words]:
            say = "say banned, restricted or legal, not"
            raise Unclear([f"Line {line.number}: {say} {line.status}." for line in odd])
        return {line.name: NamedCard(line.name) for line in lines}
    if odd := [line for line in lines if line.status == Announced.RESTRICTED]:
        raise Unclear([f"Line {line.number}: this list restricts no cards." for line in odd])
    names = [line.name for line in lines if name_key(line.name) not in RULES]
    cards = queries.find_cards(names)
    unknown = [line for line in lines if line.name in names and line.name not in cards]
    if not unknown:
        return {line.name: cards.get(line.name) or RULES[name_key(line.name)] for line in lines}
    closest = closest_names([line.name for line in unknown[:SHOWN_MAX]])
    problems = []
    for line in unknown[:SHOWN_MAX]:
        hint = " or ".join(closest.get(line.name, ()))
        hint = f" Did you mean {hint}?" if hint else ""
        problems.append(f"Line {line.number}: no card is called {displayable(line.name)}.{hint}")
    if len(unknown) > SHOWN_MAX:
        problems.append(f"And {len(unknown) - SHOWN_MAX} more lines.")
    raise Unclear(problems)
