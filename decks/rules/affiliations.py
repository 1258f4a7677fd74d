"""Which creature types a card is affiliated with: those it has, and those its text names (906.4).

The reading is literal. A printed type counts even inside another card's name, a keyword or a flavor
word, and even where the text says what something is not ("other than Wolves").
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from .creature_types import OTHER_SUBTYPES, objection
from .oracle_text import with_plain_signs, without_reminders

# 700.12. Party (700.8) is a batch of creature types too, but the format does not name it.
OUTLAWS = frozenset({"Assassin", "Mercenary", "Pirate", "Rogue", "Warlock"})
_WITH_CREATURE_TYPES = frozenset({"Creature", "Kindred", "Tribal"})


@dataclass(frozen=True, slots=True)
class Face:
    name: str
    type_line: str
    oracle_text: str


@dataclass(frozen=True, slots=True)
class Affiliations:
    """The types of a card. With ``every``, ``types`` is empty: future types count as well."""

    types: frozenset[str] = frozenset()
    every: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """Words of a printed text that give affiliations: characters ``start`` to before ``end``."""

    start: int
    end: int
    types: tuple[str, ...]


# A type is a whole word: not part of Dragonlord, God-Pharaoh's or Shi'ar. Excluding the hyphen also
# rules out "non-Goblin". Some books print "non-Time Lord" with an en dash, so that is excluded too.
# The symbol {Q} is no Q.
_NOT_AFTER = (r"[\w\N{EN DASH}{-]", r"\w'")
_WORD_BEGINS = "".join(f"(?<!{before})" for before in _NOT_AFTER)
_WORD_ENDS = r"(?![\w\N{EN DASH}-])(?!'(?!s\b)\w)"
_NOTHING = r"(?!)"

_OUTLAW = re.compile(rf"{_WORD_BEGINS}outlaws?{_WORD_ENDS}", re.IGNORECASE)

# A line with any of these is a sentence, a quotation, a mode or a chapter, not a list of keywords.
_NOT_IN_KEYWORDS = re.compile(r"""[.:"“”•—]""")
_IS_EVERY_TYPE = re.compile(r" is ((?:every|all) creature types?)\s*(?:\.|$)")
_KEYWORD = re.compile(r"[^\s,;](?:[^,;]*[^\s,;])?")
_LINE = re.compile(r".+")
EVERY_TYPE = "every creature type"  # in a mention, instead of the types
_THIS_CARD = re.compile(r"(?:^|\. )This \w+$")

# Some cards are named like a type (Coward). These patterns match the words around such a name where
# the text means the type by it.
_BEFORE_A_TYPE = re.compile(
    r"""\b(?:an?|another|other|each|every|all|any|no|more|target|this|that|these|those
    |one|two|three|four|five|six|seven|eight|nine|ten|X|\d+
    |attacking|blocking|tapped|untapped|token|nontoken|legendary|nonlegendary|snow
    |white|blue|black|red|green|colorless|multicolored|artifact|enchantment)[ ]$""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTER_A_TYPE = re.compile(
    r" (?:creature|card|spell|token|permanent|artifact|enchantment|land|planeswalker|source)s?\b"
    r"| (?:you|an opponent|your opponents|target player|each player|they) controls?\b"
)
_LIST_SO_FAR = re.compile(r"(\S+?)(?:,|,? (?:and/or|and|or)) $")


class Extractor:
    """Finds creature types in printed text. Building it compiles patterns, so reuse it.

    ``plurals`` maps each type to its plural forms.

    >>> extractor = Extractor({"Elf": ["Elves"], "Goblin": ["Goblins"]})
    >>> sorted(extractor.of([Face("Spy", "Creature — Elf", "Destroy target Goblin.")]).types)
    ['Elf', 'Goblin']
    """

    def __init__(self, plurals: Mapping[str, Iterable[str]]) -> None:
        self._type_of = {
            with_plain_signs(form): name
            for name, others in plurals.items()
            for form in (*others, name)
            if form
        }
        names = [with_plain_signs(name) for name in plurals if name]
        self._outlaws = OUTLAWS.intersection(plurals)
        # The look-behind comes after the first letter, so that the search can skip ahead to that
        # letter: reading the whole pool takes half the time.
        groups = []
        for initial, words in groupby(sorted(self._type_of), itemgetter(0)):
            letter = re.escape(initial)
            not_after = "".join(f"(?<!{before}{letter})" for before in _NOT_AFTER)
            groups.append(f"{letter}{not_after}(?:{_either(word[1:] for word in words)})")
        self._mention = re.compile(f"(?:{'|'.join(groups) or _NOTHING}){_WORD_ENDS}")
        # On a type line only whole words in the singular count: "Urza's Power-Plant" is no Plant.
        self._subtype = re.compile(rf"(?<!\S)(?:{_either(names) or _NOTHING})(?!\S)")

    def of(self, faces: Sequence[Face]) -> Affiliations:
        # The part of a type line before the dash is read too, since some sources lose the dash.
        # That is safe: no card type is also a creature type.
        mentions = [mention for face in faces for mention in self.on_line(face.type_line)]
        mentions += [mention for of_face in self.mentions_of(faces) for mention in of_face]
        types = {name for mention in mentions for name in mention.types}
        return Affiliations(every=True) if EVERY_TYPE in types else Affiliations(frozenset(types))

    def unknown_on_type_line(self, type_line: str) -> list[str]:
        """Return the creature types on the type line of a card of the pool that are new here.

        Whatever a creature or kindred card has behind the dash is one, unless it is a subtype of
        another of its card types.

        >>> extractor = Extractor({"Human": [], "Time Lord": []})
        >>> extractor.unknown_on_type_line("Artifact Creature — Vehicle Time Lord Human Spy")
        ['Spy']
        >>> extractor.unknown_on_type_line("Artifact — Vehicle Spy")
        []
        """
        before, _, subtypes = with_plain_signs(type_line).partition("—")
        card_types = before.split()
        if not _WITH_CREATURE_TYPES.intersection(card_types):
            return []
        others = {name for one in card_types for name in OTHER_SUBTYPES.get(one, ())}
        words = self._subtype.sub("", subtypes).split()
        return [word for word in words if word not in others and not objection(word)]

    def mentions_of(self, faces: Sequence[Face]) -> list[list[Mention]]:
        """Return the words in each face's text that give a card affiliations.

        >>> extractor = Extractor({"Elf": ["Elves"]})
        >>> extractor.mentions_of([Face("Ant", "Creature", "Draw."), Face("Elf", "", "An Elf.")])
        [[], [Mention(start=3, end=6, types=('Elf',))]]
        >>> extractor.mentions_of([Face("Bo", "Creature", "Flying, changeling")])
        [[Mention(start=8, end=18, types=('every creature type',))]]
        """
        names = own_names(faces)
        on_lines = (mention for face in faces for mention in self.on_line(face.type_line))
        types = {name for mention in on_lines for name in mention.types}
        mentions = []
        for face in faces:
            mentions.append(self._mentions(face, names, types))
            types.update(*(mention.types for mention in mentions[-1]))
        return mentions

    def on_line(self, type_line: str) -> list[Mention]:
        """
        >>> Extractor({"Elf": ["Elves"]}).on_line("Creature — Elf")
        [Mention(start=11, end=14, types=('Elf',))]
        """
        return [
            Mention(*match.span(), (self._type_of[match[0]],))
            for match in self._subtype.finditer(with_plain_signs(type_line))
        ]

    def _mentions(self, face: Face, names: Iterable[str], types: set[str]) -> list[Mention]:
        # Blanks for reminders, so that all else stays where it was.
        text = without_reminders(
            with_plain_signs(face.oracle_text), lambda match: " " * len(match[0])
        )
        mentions = [Mention(*span, (EVERY_TYPE,)) for span in _every_type_words(text, names)]
        # Own names that would add to the types give way to "~", a letter each.
        misleading = []
        for name in filter(text.__contains__, names):
            named = {self._type_of[form] for form in self._mention.findall(name)}
            if _OUTLAW.search(name):
                named |= self._outlaws
            if named - types:
                misleading.append(name)
        if misleading:
            own = re.compile(f"{_WORD_BEGINS}(?:{_either(misleading)}){_WORD_ENDS}")
            text = own.sub(
                lambda match: match[0] if self._is_used_as_type(match) else "~" * len(match[0]),
                text,
            )
        mentions += [
            Mention(*match.span(), (self._type_of[match[0]],))
            for match in self._mention.finditer(text)
        ]
        outlaws = tuple(sorted(self._outlaws))
        mentions += [Mention(*match.span(), outlaws) for match in _OUTLAW.finditer(text)]
        return sorted(mentions)

    def _is_used_as_type(self, match: re.Match[str]) -> bool:
        """Return whether a card's name means a type here, as in Coward: "becomes a Coward"."""
        if match[0] not in self._type_of:
            return False
        before, after = match.string[: match.start()], match.string[match.end() :]
        return (
            _BEFORE_A_TYPE.search(before) is not None
            or _AFTER_A_TYPE.match(after) is not None
            or self._mention.match(after.removeprefix(" ")) is not None
            or (
                (item := _LIST_SO_FAR.search(before)) is not None
                and item[1].rstrip(",") in self._type_of
            )
        )


def own_names(faces: Iterable[Face]) -> list[str]:
    """Return the names by which a card's text refers to the card itself.

    Legends go by their full name and by the part before the comma. The "A-" prefix of Arena's
    rebalanced cards is dropped: their text does not use it.

    >>> own_names([Face("A-Ink-Eyes, Servant of Oni", "Legendary Creature — Rat Ninja", "")])
    ['Ink-Eyes, Servant of Oni', 'Ink-Eyes']
    """
    names = []
    for face in faces:
        name = with_plain_signs(face.name).removeprefix("A-")
        names.append(name)
        if "Legendary" in face.type_line and "," in name:
            names.append(name.split(",")[0])
    return names


def _every_type_words(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where the words begin and end that give the card itself every creature type (906.4a).

    Text about tokens, or about creatures that gain the types, does not count.

    >>> list(_every_type_words("Flying, changeling", []))
    [(8, 18)]
    >>> list(_every_type_words("Create a 2/2 token with changeling.", []))
    []
    >>> list(_every_type_words("Boris is every creature type.", ["Boris"]))
    [(9, 28)]
    >>> list(_every_type_words("Equipped creature is every creature type.", ["Axe"]))
    []
    """
    if "hangeling" not in text and "creature type" not in text:
        return
    for line in _LINE.finditer(text):
        if not _NOT_IN_KEYWORDS.search(line[0]):
            for keyword in _KEYWORD.finditer(line[0]):
                if keyword[0].lower() == "changeling":
                    yield line.start() + keyword.start(), line.start() + keyword.end()
        for match in _IS_EVERY_TYPE.finditer(line[0]):
            # After a condition ("As long as …, this creature") it holds only some of the time.
            sentence = f". {line[0][: match.start()]}"
            is_named = any(sentence.endswith(f". {name}") for name in names)
            if is_named or _THIS_CARD.search(sentence):
                yield line.start() + match.start(1), line.start() + match.end(1)


def _either(words: Iterable[str]) -> str:
    """Return a pattern of ``words``, longest first: Time Lords before Time Lord."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
