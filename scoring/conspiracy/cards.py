"""The cards that document 003 lists, and where the app helps with each of them."""

from collections.abc import Mapping

from ..rules.values import Value


class Aid(Value):
    icon: str
    name: str
    where: str

    @property
    def key(self) -> str:
        return self.name.lower().replace(" ", "-")


MONARCH = Aid("crown", "Monarch", "in a game: Crown on the pad; combat damage moves the crown")
VOTE = Aid(
    "check",
    "Vote",
    "in a game: Vote on the pad, or on the phone of whoever has the turn; all vote there, or on "
    "their own phones",
)
EXTRA_VOTES = Aid(
    "plus",
    "Extra votes",
    "in a vote, collapsed: extra votes, or another player chooses, for every vote that turn",
)
GOAD = Aid("spark", "Goad", "in a game: Goad on the pad; shown above the pad as long as it lasts")
MELEE = Aid("swords", "Melee", "in a game, on More; the bonus is shown above the pad")
COMMAND_ZONE = Aid(
    "lozenge", "Command zone", "in a game: Agenda on the pad; what is face up is on every screen"
)
HIDDEN_AGENDA = Aid(
    "hold",
    "Hidden agenda",
    "before the game: Agenda on the pad, or on a player's own phone; one sealed name",
)
DOUBLE_AGENDA = Aid(
    "both",
    "Double agenda",
    "before the game: Agenda on the pad, or on a player's own phone; two sealed names",
)
FACE_UP = Aid("eye", "Draft face up", "in the draft, on the pad, until it is turned face down")
REVEAL = Aid("right", "Draft reveal", "in the draft, on the pad")
NOTE = Aid(
    "pen",
    "Draft note",
    "in the draft, on the pad: at the reveal, or once it is due; at the tables after it, collapsed",
)
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
    def __init__(self, name: str, *aids: Aid) -> None:
        self.name, self.aids = name, aids or (NONE,)


# The document writes Grenzo, Havoc Raiser as "Havor"; the order is its own.
CARDS: Mapping[str, tuple[Listed, ...]] = {
    "Conspiracies": (
        Listed("Adriana's Valor", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Assemble the Rank and Vile", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Echoing Boon", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Emissary's Ploy", COMMAND_ZONE),
        Listed("Hired Heist", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Hold the Perimeter", COMMAND_ZONE),
        Listed("Hymn of the Wilds", COMMAND_ZONE),
        Listed("Incendiary Dissent", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Natural Unity", COMMAND_ZONE, HIDDEN_AGENDA),
        Listed("Sovereign's Realm", COMMAND_ZONE),
        Listed("Summoner's Bond", COMMAND_ZONE, DOUBLE_AGENDA),
        Listed("Weight Advantage", COMMAND_ZONE),
    ),
    "White": (
        Listed("Ballot Broker", EXTRA_VOTES),
        Listed("Custodi Peacekeeper", REVEAL, NOTE),
        Listed("Custodi Soulcaller", MELEE),
        Listed("Lieutenants of the Guard", VOTE),
        Listed("Noble Banneret", FACE_UP, REVEAL, NOTE),
        Listed("Palace Jailer", MONARCH),
        Listed("Palace Sentinels", MONARCH),
        Listed("Paliano Vanguard", FACE_UP, REVEAL, NOTE),
        Listed("Protector of the Crown", MONARCH),
        Listed("Sanctum Prelate"),
        Listed("Spectral Grasp"),
        Listed("Throne Warden", MONARCH),
        Listed("Wings of the Guard", MELEE),
    ),
    "Blue": (
        Listed("Arcane Savant", NOTE),
        Listed("Canal Courier", MONARCH),
        Listed("Coveted Peacock", GOAD),
        Listed("Illusion of Choice", EXTRA_VOTES),
        Listed("Illusionary Informant", FACE_UP),
        Listed("Jeering Homunculus", GOAD),
        Listed("Keeper of Keys", MONARCH),
        Listed("Messenger Jays", VOTE),
        Listed("Skittering Crustacean"),
        Listed("Spire Phantasm", REVEAL, NOTE),
    ),
    "Black": (
        Listed("Archdemon of Paliano", FACE_UP),
        Listed("Capital Punishment", VOTE),
        Listed("Custodi Lich", MONARCH),
        Listed("Deadly Designs"),
        Listed("Garrulous Sycophant", MONARCH),
        Listed("Marchesa's Decree", MONARCH),
        Listed("Sinuous Vermin"),
        Listed("Smuggler Captain", FACE_UP, REVEAL, NOTE),
        Listed("Thorn of the Black Rose", MONARCH),
        Listed("Mausoleum Turnkey"),
    ),
    "Red": (
        Listed("Crown-Hunter Hireling", MONARCH),
        Listed("Deputized Protester", MELEE),
        Listed("Garbage Fire", REVEAL, NOTE),
        Listed("Goblin Racketeer", GOAD),
        Listed("Grenzo, Havoc Raiser", GOAD),
        Listed("Grenzo's Ruffians", MELEE),
        Listed("Pyretic Hunter", REVEAL, NOTE),
        Listed("Skyline Despot", MONARCH),
        Listed("Volatile Chimera", NOTE),
    ),
    "Green": (
        Listed("Animus of Predation", FACE_UP, NOTE),
        Listed("Borderland Explorer"),
        Listed("Caller of the Untamed", NOTE),
        Listed("Domesticated Hydra"),
        Listed("Entourage of Trest", MONARCH),
        Listed("Fang of the Pack", MELEE),
        Listed("Leovold's Operative", FACE_UP),
        Listed("Menagerie Liberator", MELEE),
        Listed("Orchard Elemental", VOTE),
        Listed("Regal Behemoth", MONARCH),
        Listed("Selvala, Heart of the Wilds"),
        Listed("Selvala's Stampede", VOTE),
        Listed("Splitting Slime"),
    ),
    "Several colours": (
        Listed("Adriana, Captain of the Guard", MELEE),
        Listed("Daretti, Ingenious Iconoclast"),
        Listed("Knights of the Black Rose", MONARCH),
        Listed("Leovold, Emissary of Trest"),
        Listed("Queen Marchesa", MONARCH),
    ),
    "Artifact": (Listed("Spy Kit"),),
    "Land": (Listed("Throne of the High City", MONARCH),),
}
