"""The headings of lists: the sections of a deck by their names in ten languages, and its groups."""

import re
from enum import StrEnum
from unicodedata import normalize

HEADER_MAX = 40


class Header(StrEnum):
    MAIN = "main"
    SIDEBOARD = "sideboard"
    HERO = "hero"
    COMPANION = "companion"
    ABOUT = "about"
    OUTSIDE = "outside"  # a maybeboard: cards that are not in the deck
    BESIDE = "beside"  # tokens, planes and the like: never in a deck
    LEVEL_1 = "level-1"
    LEVEL_2 = "level-2"
    LEVEL_3 = "level-3"


# As the tools write them, and Arena in its languages: English, German, French, Italian, Spanish,
# Portuguese, Russian, Japanese, Korean and Chinese.
_WORDS = {
    Header.MAIN: (
        "deck, decklist, main, main deck, mainboard, hauptdeck, deck principal, jeu principal,"
        " mazzo, mazzo principale, mazo, mazo principal, baralho, baralho principal, колода,"
        " основная колода, デッキ, メイン, メインデッキ, 덱, 메인, 메인 덱, 套牌, 牌组, 牌組, 主牌"
    ),
    Header.SIDEBOARD: (
        "sideboard, side, sb, pool, conspiracies, réserve,"
        " banquillo, reserva, сайдборд, сайд, резерв, дополнительная колода, サイドボード, サイド,"
        " 사이드보드, 사이드, 备牌, 備牌"
    ),
    Header.HERO: (
        "hero, heroes, leader, leaders, commander, commanders, command zone, oathbreaker, held,"
        " anführer, kommandeur, kommandeure, commandant, commandants, héros, comandante,"
        " comandanti, comandantes, eroe, héroe, herói, командир, командиры, герой, 統率者, 커맨더,"
        " 지휘관, 指挥官, 指揮官"
    ),
    Header.COMPANION: (
        "companion, companions, gefährte, compagnon, compagno, compañero, companheiro, companheira,"
        " компаньон, спутник, 相棒, 단짝, 행동 상대, 行侣, 行侶"
    ),
    Header.ABOUT: (
        "about, metadata, shop, info, über, à propos, informazioni, acerca de, información, sobre,"
        " информация, 情報, 정보, 关于, 關於"
    ),
    Header.OUTSIDE: (
        "maybeboard, maybe, considering, wishlist, acquire, outside, vielleicht,"
        " in erwägung, peut-être, à considérer, forse, in considerazione, quizás, considerando,"
        " talvez, возможно, 検討中, 고려 중, 考虑, 考慮, 考虑中, 考慮中"
    ),
    Header.BESIDE: (
        "tokens, token, display commander, planar deck, planes, schemes, scheme deck,"
        " planes/schemes, dungeon, dungeons, attractions, contraptions, avatar, vanguard, stickers,"
        " sticker sheets, emblems, spielsteine, jetons, pedine, segnalini, fichas, marcadores,"
        " жетоны, фишки, トークン, 토큰, 衍生物, welten, plans, piani, planos, миры, 次元, 차원,"
        " 时空, 時空, attraktionen, attrazioni, atracciones, atrações, аттракционы,"
        " アトラクション, 명소, 景点"
    ),
    Header.LEVEL_1: "level 1, level one, level i, sub-deck 1, sub-deck one, sub-deck i",
    Header.LEVEL_2: "level 2, level two, level ii, sub-deck 2, sub-deck two, sub-deck ii",
    Header.LEVEL_3: "level 3, level three, level iii, sub-deck 3, sub-deck three, sub-deck iii",
}
GROUPS = (
    "creature creatures land lands basiclands nonbasiclands instant instants sorcery sorceries"
    " instantsandsorceries instantssorceries artifact artifacts enchantment enchantments"
    " planeswalker planeswalkers battle battles spell spells otherspells other others"
    " ramp removal draw carddraw boardwipe boardwipes recursion tutor tutors protection"
    " counterspells interaction finisher finishers"
).split()


def word_key(text: str) -> str:
    """
    >>> word_key("Side-board"), word_key("Réserve")
    ('sideboard', 'reserve')
    """
    return "".join(filter(str.isalnum, normalize("NFKD", text.casefold())))


HEADERS = {word_key(word): header for header, words in _WORDS.items() for word in words.split(",")}
_LEVEL_OF_SIZE = {"50": Header.LEVEL_1, "30": Header.LEVEL_2, "20": Header.LEVEL_3}
_SIZE_OF_SUB_DECK = re.compile(r"(50|30|20)[ -]cards?(?: (?:sub-?)?deck)?:?", re.ASCII)
COUNT_OF_CARDS = re.compile(
    r"[\s:([–-]*\d{1,4}(?: cards?(?: \([^()]*\))?)?[)\]]?:?$", re.ASCII | re.IGNORECASE
)


def sub_deck_of(line: str) -> Header | None:
    """Return the sub-deck of Leveler that a line names by its size, as the rules write it.

    >>> sub_deck_of("50 cards"), sub_deck_of("30-card sub-deck:")
    (<Header.LEVEL_1: 'level-1'>, <Header.LEVEL_2: 'level-2'>)
    >>> sub_deck_of("50 Forest"), sub_deck_of("60 cards")
    (None, None)
    """
    match = _SIZE_OF_SUB_DECK.fullmatch(line.strip(" \t=*#/").lower())
    return _LEVEL_OF_SIZE[match[1]] if match else None


def header_of(text: str) -> Header | None:
    """Return the section that a heading names, in whatever style it is written.

    >>> header_of("SIDEBOARD:"), header_of("== Side board (10 cards) ==")
    (<Header.SIDEBOARD: 'sideboard'>, <Header.SIDEBOARD: 'sideboard'>)
    >>> header_of("Sub-deck 2: 30 cards"), header_of("Hero of Bladehold")
    (<Header.LEVEL_2: 'level-2'>, None)
    """
    if len(text) > HEADER_MAX or text[:1].isdigit():
        return None
    text = text.strip(" =-*~_")
    header = HEADERS.get(word_key(text))
    counted = None if header else COUNT_OF_CARDS.search(text)
    return HEADERS.get(word_key(text[: counted.start()])) if counted else header
