"""Ban lists as text: documents of JSON, as ``export_banlist`` writes them, and pasted lists."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from coalition_site.lib.untrusted import MalformedDocument, Node, load

from ..catalogue.memory import closest_names, find_rows
from ..models import NAME_MAX, NAMED_RULES, Announced, BanList, Card, NamedCard, Rule, Subject
from ..reading import ban_lines
from ..reading.ban_lines import BanLine
from ..rules.entries import displayable
from ..rules.names import name_key
from .commands import BY_NAME, OF_CARDS, BanRefused, EntryContent, entries_on
from .forms import REASON_MAX

VERSION = 1
FILED_REASON_MAX = 100_000  # characters, far more than any reason has
SHOWN_MAX = 20  # unknown names in a message
RULES = {name_key(word): rule for rule in Rule for word in (rule.value, str(rule.label))}


class Unclear(BanRefused):
    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = problems
        super().__init__("Nothing was taken from the list: some of its lines can’t be read.")


# --- documents ---
def read(document: Any, ban_list: BanList) -> tuple[date, list[EntryContent]]:
    """:raises MalformedDocument: at the first problem, such as that it is another list."""
    fields = Node(document, "").fields("version name as_of batches entries")
    fields["version"].number(VERSION, VERSION)
    if (title := fields["name"].text()) != ban_list.name:  # it would end all entries of this one
        where = f"this is the list {title!r}, not {ban_list.name!r}: load it into that one"
        raise fields["name"].refuse(where)
    by_name = ban_list.is_by_name
    # What each part says is made once all names are known, and looked up at once.
    parts: list[tuple[Node, Rule | None, list[Node], str, str]] = []
    for node in fields["batches"].items(may_be_empty=True):
        batch = node.fields("rule", "about cards status")
        rule = Rule(batch["rule"].one_of(Rule.values))
        names = batch["cards"].items(may_be_empty=True) if "cards" in batch else []
        if bool(names) != (rule in NAMED_RULES):
            raise node.refuse(f"{rule} takes no cards" if names else "its cards are missing")
        status = batch["status"].one_of(OF_CARDS) if "status" in batch else Announced.BANNED
        parts.append((node, rule, names, status, _text(batch.get("about"))))
    for node in fields["entries"].items(may_be_empty=True):
        single = node.fields("card status", "reason")
        status = single["status"].one_of(BY_NAME if by_name else OF_CARDS)
        parts.append((node, None, [single["card"]], status, _text(single.get("reason"))))
    cards = _find([name for _, _, names, _, _ in parts for name in names], by_name)
    places: dict[Subject, str] = {}
    entries = []
    for node, group, names, status, reason in parts:
        named: list[Card | NamedCard] = []
        for name in names:
            if cards[name.value] in named:
                raise name.refuse(f"{cards[name.value]} appears twice")
            named.append(cards[name.value])
        subject = group or named[0]
        in_group = frozenset(card for card in named if group and isinstance(card, Card))
        entry = EntryContent(subject, status, reason, in_group)
        if subject in places:
            raise node.refuse(f"{entry.name} is already in {places[subject]}")
        places[subject] = node.path
        entries.append(entry)
    as_of = fields["as_of"]
    try:
        return date.fromisoformat(as_of.text()), entries
    except ValueError as error:
        raise as_of.refuse(f"{as_of.value!r} is not a day like 2026-03-09") from error


def _text(node: Node | None) -> str:
    return node.text(FILED_REASON_MAX, lines=True) if node and node.value != "" else ""


def _find(names: list[Node], by_name: bool) -> Mapping[str, Card | NamedCard]:
    if by_name:
        return {name.text(): NamedCard(name.text(NAME_MAX)) for name in names}
    cards = find_rows([name.text() for name in names])
    for name in names:
        if name.value not in cards:
            closest = " or ".join(closest_names([name.value])[name.value])
            hint = f". Did you mean {closest}?" if closest else ""
            raise name.refuse(f"no card is called {name.value!r}{hint}")
    return cards


def write(ban_list: BanList, as_of: date, entries: Iterable[EntryContent]) -> dict[str, Any]:
    batches, singles = [], []
    for entry in sorted(entries, key=lambda entry: entry.name):
        if not isinstance(entry.subject, Rule):
            reason = {"reason": entry.reason} if entry.reason else {}
            singles.append({"card": entry.name, "status": entry.status} | reason)
            continue
        batch: dict[str, Any] = {"rule": entry.subject.value, "about": entry.reason}
        if entry.cards:
            batch["cards"] = sorted(card.name for card in entry.cards)
        if entry.status != Announced.BANNED:
            batch["status"] = entry.status
        batches.append(batch)
    return {
        "version": VERSION,
        "name": ban_list.name,
        "as_of": as_of.isoformat(),
        "batches": sorted(batches, key=lambda batch: batch["rule"]),
        "entries": singles,
    }


# --- pasted lists ---
def differences(ban_list: BanList, on: date, text: str, *, is_whole: bool) -> list[EntryContent]:
    """With ``is_whole``, as always with JSON, cards that are not in the text become legal.

    :raises BanRefused: if there is something that can't be read.
    """
    standing = entries_on(ban_list, on)
    is_document = text.lstrip().startswith("{")
    if is_document:
        try:
            _, entries = read(load(text), ban_list)
        except MalformedDocument as error:
            raise BanRefused(f"This file can’t be read. {error}") from error
        wanted = {content.subject: content for content in entries}
    else:
        wanted = _of_lines(ban_list, text, standing)
    gone = [
        EntryContent(subject, Announced.LEGAL, "")
        for subject in standing
        if subject not in wanted and (is_document or (is_whole and not isinstance(subject, Rule)))
    ]
    changed = []
    for subject, content in wanted.items():
        was = standing.get(subject) or replace(content, status=Announced.LEGAL)
        # A list that gives no reason does not take the reason away.
        if content not in (was, replace(was, reason="")):
            changed.append(content)
    if long := [content.name for content in changed if len(content.reason) > REASON_MAX]:
        too_long = f"its reason is too long: {REASON_MAX} characters at most."
        raise Unclear([f"{name}: {too_long}" for name in long])
    return gone + changed


def _of_lines(
    ban_list: BanList, text: str, standing: Mapping[Subject, EntryContent]
) -> dict[Subject, EntryContent]:
    lines = list(ban_lines.read(text))
    if not lines:
        raise BanRefused("There is no card in this list. Write one card per line: Balance: banned")
    if len(lines) > ban_lines.LINES_MAX:
        raise BanRefused(f"This list has {len(lines)} lines: {ban_lines.LINES_MAX} at most.")
    subjects = _subjects(ban_list, lines)
    wanted: dict[Subject, EntryContent] = {}
    for line in lines:
        subject = subjects[line.name]
        if subject in wanted:
            raise Unclear([f"Line {line.number}: {wanted[subject].name} appears twice."])
        of_group = standing[subject].cards if subject in standing else frozenset[Card]()
        wanted[subject] = EntryContent(subject, line.status, line.reason, of_group)
    return wanted


def _subjects(ban_list: BanList, lines: Sequence[BanLine]) -> Mapping[str, Subject]:
    if ban_list.is_by_name:
        words = (Announced.BANNED, Announced.RESTRICTED, Announced.LEGAL)
        if odd := [line for line in lines if line.status not in words]:
            say = "say banned, restricted or legal, not"
            raise Unclear([f"Line {line.number}: {say} {line.status}." for line in odd])
        return {line.name: NamedCard(line.name) for line in lines}
    if odd := [line for line in lines if line.status == Announced.RESTRICTED]:
        raise Unclear([f"Line {line.number}: this list restricts no cards." for line in odd])
    cards = find_rows([line.name for line in lines])  # Conspiracy is also a card
    known = cards.keys() | {line.name for line in lines if name_key(line.name) in RULES}
    unknown = [line for line in lines if line.name not in known]
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
