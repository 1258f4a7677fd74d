"""The cards that document 003 lists, and where the app helps with each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aid:
    """Something that the app does for cards, with its icon, and where to find it."""

    icon: str
    name: str
    where: str


MONARCH = Aid("crown", "Monarch", "in a game, on More; combat damage moves the crown")
VOTE = Aid(
    "check",
    "Vote",
    "in a game: called on More by its card; then on the pad, and on the players' own phones",
)
EXTRA_VOTES = Aid("plus", "Extra votes", "in a vote, folded: more votes, or somebody else chooses")
GOAD = Aid("spark", "Goad", "in a game, on More; shown above the pad as long as it lasts")
MELEE = Aid("swords", "Melee", "in a game, on More; the bonus is shown above the pad")
COMMAND_ZONE = Aid(
    "lozenge", "Command zone", "in a game: Conspiracies on More, and on the public page"
)
HIDDEN_AGENDA = Aid(
    "hold",
    "Hidden agenda",
    "before the game, on one's own phone: one sealed name",
)
DOUBLE_AGENDA = Aid(
    "both",
    "Double agenda",
    "before the game, on one's own phone: two sealed names",
)
FACE_UP = Aid("eye", "Draft face up", "in the draft, on the pad, until it is turned down")
REVEAL = Aid("right", "Draft reveal", "in the draft, on the pad")
NOTE = Aid("pen", "Draft note", "in the draft, on the pad; at the tables after it, folded")
NONE = Aid("yes", "None needed", "it changes life, damage or cards only: use the pad as usual")

AIDS = (
    *(MONARCH, VOTE, EXTRA_VOTES, GOAD, MELEE, COMMAND_ZONE, HIDDEN_AGENDA, DOUBLE_AGENDA),
    *(FACE_UP, REVEAL, NOTE, NONE),
)


VOTES: Mapping[str, tuple[str, str]] = {
    "Capital Punishment": ("death", "taxes"),
    "Lieutenants of the Guard": ("strength", "numbers"),
    "Messenger Jays": ("feather", "quill"),
    "Orchard Elemental": ("sprout", "harvest"),
    "Selvala's Stampede": ("wild", "free"),
}
"""The options of the listed vote cards in the stated order; each is a council's dilemma."""


class Listed:
    """A card of the list: its number there, its name, and what helps with it."""

    def __init__(self, number: int, name: str, *aids: Aid) -> None:
        self.number, self.name, self.aids = number, name, aids or (NONE,)


# The document writes Grenzo, Havoc Raiser as "Havor"; numbers and order are its own.
CARDS: Mapping[str, tuple[Listed, ...]] = {
    "Conspiracies": (
        Listed(1, "Adriana's Valor", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(2, "Assemble the Rank and Vile", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(3, "Echoing Boon", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(4, "Emissary's Ploy", COMMAND_ZONE),
        Listed(5, "Hired Heist", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(6, "Hold the Perimeter", COMMAND_ZONE),
        Listed(7, "Hymn of the Wilds", COMMAND_ZONE),
        Listed(8, "Incendiary Dissent", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(9, "Natural Unity", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed(10, "Sovereign's Realm", COMMAND_ZONE),
        Listed(11, "Summoner's Bond", COMMAND_ZONE, DOUBLE_AGENDA),
        Listed(12, "Weight Advantage", COMMAND_ZONE),
    ),
    "White": (
        Listed(13, "Ballot Broker", EXTRA_VOTES),
        Listed(14, "Custodi Peacekeeper", REVEAL, NOTE),
        Listed(15, "Custodi Soulcaller", MELEE),
        Listed(16, "Lieutenants of the Guard", VOTE),
        Listed(17, "Noble Banneret", FACE_UP, REVEAL, NOTE),
        Listed(18, "Palace Jailer", MONARCH),
        Listed(19, "Palace Sentinels", MONARCH),
        Listed(20, "Paliano Vanguard", FACE_UP, REVEAL, NOTE),
        Listed(21, "Protector of the Crown", MONARCH),
        Listed(23, "Sanctum Prelate"),
        Listed(24, "Spectral Grasp"),
        Listed(25, "Throne Warden", MONARCH),
        Listed(26, "Wings of the Guard", MELEE),
    ),
    "Blue": (
        Listed(27, "Arcane Savant", NOTE),
        Listed(28, "Canal Courier", MONARCH),
        Listed(29, "Coveted Peacock", GOAD),
        Listed(31, "Illusion of Choice", EXTRA_VOTES),
        Listed(32, "Illusionary Informant", FACE_UP),
        Listed(33, "Jeering Homunculus", GOAD),
        Listed(34, "Keeper of Keys", MONARCH),
        Listed(35, "Messenger Jays", VOTE),
        Listed(36, "Skittering Crustacean"),
        Listed(37, "Spire Phantasm", REVEAL, NOTE),
    ),
    "Black": (
        Listed(39, "Archdemon of Paliano", FACE_UP),
        Listed(40, "Capital Punishment", VOTE),
        Listed(41, "Custodi Lich", MONARCH),
        Listed(42, "Deadly Designs"),
        Listed(43, "Garrulous Sycophant", MONARCH),
        Listed(44, "Marchesa's Decree", MONARCH),
        Listed(46, "Sinuous Vermin"),
        Listed(47, "Smuggler Captain", FACE_UP, REVEAL, NOTE),
        Listed(48, "Thorn of the Black Rose", MONARCH),
        Listed(142, "Mausoleum Turnkey"),
    ),
    "Red": (
        Listed(50, "Crown-Hunter Hireling", MONARCH),
        Listed(51, "Deputized Protester", MELEE),
        Listed(52, "Garbage Fire", REVEAL, NOTE),
        Listed(53, "Goblin Racketeer", GOAD),
        Listed(54, "Grenzo, Havoc Raiser", GOAD),
        Listed(55, "Grenzo's Ruffians", MELEE),
        Listed(56, "Pyretic Hunter", REVEAL, NOTE),
        Listed(57, "Skyline Despot", MONARCH),
        Listed(59, "Volatile Chimera", NOTE),
    ),
    "Green": (
        Listed(60, "Animus of Predation", FACE_UP, NOTE),
        Listed(61, "Borderland Explorer"),
        Listed(62, "Caller of the Untamed", NOTE),
        Listed(63, "Domesticated Hydra"),
        Listed(64, "Entourage of Trest", MONARCH),
        Listed(65, "Fang of the Pack", MELEE),
        Listed(66, "Leovold's Operative", FACE_UP),
        Listed(67, "Menagerie Liberator", MELEE),
        Listed(68, "Orchard Elemental", VOTE),
        Listed(69, "Regal Behemoth", MONARCH),
        Listed(70, "Selvala, Heart of the Wilds"),
        Listed(71, "Selvala's Stampede", VOTE),
        Listed(72, "Splitting Slime"),
    ),
    "Several colours": (
        Listed(73, "Adriana, Captain of the Guard", MELEE),
        Listed(74, "Daretti, Ingenious Iconoclast"),
        Listed(76, "Knights of the Black Rose", MONARCH),
        Listed(77, "Leovold, Emissary of Trest"),
        Listed(78, "Queen Marchesa", MONARCH),
    ),
    "Artifact": (Listed(79, "Spy Kit"),),
    "Land": (Listed(80, "Throne of the High City", MONARCH),),
}

IN_THE_DRAFT = tuple(
    sorted(
        card.name
        for cards in CARDS.values()
        for card in cards
        if {FACE_UP, REVEAL, NOTE} & set(card.aids)
    )
)
"""The names of the cards that do something during a draft."""
