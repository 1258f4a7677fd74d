"""Realm Wars, for those who choose or learn it (004)."""

from __future__ import annotations

from ...rules.formats.realm_wars import REALM_WARS
from ...rules.formats.realm_wars.state import PHASES, ZONE_BURNS_AT, ZONES, ZONES_A_PLAYER
from ...rules.words import series
from . import MISTAKE, Chapter, Guide, Way

TEAMS = {count // 2: count for count in REALM_WARS.players_usual}
TO_BURN = " and ".join(
    f"{ZONES_A_PLAYER * size} of {len(ZONES) * size} zones with {size} players a team"
    for size in TEAMS
)
SIZES = " or ".join(map(str, TEAMS))

GUIDE = Guide(
    name=REALM_WARS.name,
    game=REALM_WARS.card_game,
    ways=(Way(REALM_WARS.format, "Start"),),
    players=f"{REALM_WARS.players_text}, in two teams",
    length="1 game, longer than a duel",
    needs=f"the cards of {REALM_WARS.card_game}, with a deck and a capital each",
    fun="Your team is one army: plan with open hands, then burn a zone of the other side.",
    minute=(
        f"Two teams of {SIZES} play. One of each team is its Commander.",
        f"Each player has a capital of {len(ZONES)} zones: {series(ZONES)}. A zone burns at "
        f"{ZONE_BURNS_AT} damage, and one more for each development in it.",
        "A team takes its turn together, phase by phase. It attacks one zone of one opposing "
        "capital, which the Commander chooses.",
        f"A team wins when enough zones of the other burn: {TO_BURN}. It also wins when nobody of "
        "the other team has a card left in the deck.",
    ),
    taps=(
        "“Phase”, when the next phase begins; “Turn”, when the other team’s turn does.",
        "An attack, in the battlefield phase: whose zone, which zone, “Attack”. Then the number, "
        "for the damage that comes through.",
        "Damage by a card: whose zone, which zone, the number.",
        "“+1” and “−1” for developments in the chosen zone.",
        "“Rules”, for what teammates share and show, with this phase first.",
        MISTAKE,
    ),
    chapters=(
        Chapter(
            "The turn",
            (
                f"Teams take turns, not players. Teammates share the phases: {series(PHASES)}.",
                "What triggers at the beginning of a turn or phase triggers once for each player "
                "of the team.",
                "If a card gives a player an extra phase, or takes one away, that goes for the "
                "whole team.",
            ),
        ),
        Chapter(
            "Who acts",
            (
                "The team whose turn it is acts first. A team passes as a whole, when none of its "
                "players wants to act.",
                "If teammates want to act at the same time, their Commander decides the order. The "
                "first seat of each team is its Commander; ☰ names another.",
                "When both teams pass in a row, the top of the stack resolves: what was played "
                "last happens. Then the team whose turn it is may act again.",
            ),
        ),
        Chapter(
            "What a team shares",
            (
                "Hands, resources and decks are each player’s own.",
                "Teammates may look at each other’s hands, at whatever one of them may see, and "
                "talk about all of it, as long as the game goes on at a good pace. They don’t "
                "touch each other’s cards.",
            ),
        ),
        Chapter(
            "What cards mean",
            (
                "“You” is the player of the card alone.",
                "“Each player” is every player of both teams.",
                "“Each opponent” is one player of the other team only. The rules don’t say who "
                "chooses that player: here the card’s player does.",
            ),
        ),
        Chapter(
            "The attack",
            (
                "In its battlefield phase a team attacks with all its players as one army, and one "
                "zone only. Its Commander chooses the zone, then each player says who attacks.",
                "Only that zone is attacked, and only what is in it defends.",
            ),
        ),
        Chapter(
            "The end",
            (
                "A burning zone keeps burning, and takes no more damage.",
                f"It takes {TO_BURN} to win. A team needs one more for each of its players who "
                "has played a legend of the Eternal War cycle in this game.",
                "A team loses when the decks of all its players are empty. Nobody is out alone: a "
                "team wins or loses together.",
                "If both teams lose at the same time, the game is a draw.",
                "One game decides the match.",
            ),
        ),
        Chapter(
            "Banned cards",
            (
                "What is banned or restricted where your cards are played stays so. Of a "
                "restricted card a deck has one copy at most.",
            ),
        ),
    ),
    bans=REALM_WARS.format,
)
