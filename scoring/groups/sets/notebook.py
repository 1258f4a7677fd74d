"""Reading a notebook: a set a line, its day, and who had how many VP in each game. No query.

    12.3.2026  Ann 21 12 0, Bo 5 21 21, Cy 10 c -

``c`` is for conceded, ``-`` for not played, ``w`` after a number for the winner where the VP don't
say it. A line without a day is of the day above it, which may stand alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from coalition_site.lib.refusals import Refused
from coalition_site.lib.texts import is_visible, name_key

from ...record.seating import seated_twice
from ...rules import sets
from ...rules.fields import FIRST_DAY
from ...rules.results import EnterResult, How
from ...rules.ruleset import Ruleset
from ...rules.sets import Standing
from ...setlog import document
from ...setlog.document import NAME_MAX, LoggedEntry, LoggedGame, PlayedSet, SetLog

SETS_MAX = 30
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DASH = "–—−‑-"  # in a set of characters the last one, or it means a range
RESULT = rf"(?:\d{{1,3}}[wW*]?|[cC]|[{DASH}])"
ALIKE = str.maketrans("–—−‑*", "----w")
INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
BETWEEN = re.compile(  # the games of a player, as in 21/12, 21 + 12 and 21, 12
    rf"(?<=[\dcCwW*{DASH}])\s*(?:[/+]\s*(?=[\dcC{DASH}])|,\s*(?=\d{{1,3}}[wW*]?(?:[\s,;|]|$)))"
)
AND = re.compile(rf"(?:(?<=[\d*,;|])|(?<=\d[wW])|(?<= [cC{DASH}])) (?:and|to|vs\.?|&) ")
WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
DAY = re.compile(
    rf"(?:{WEEKDAY}[.,]? )?(?:"
    r"(?P<iso>\d{4}-\d\d?-\d\d?)|(?P<dots>\d\d?\.\s?\d\d?\.\s?(?:\d{4}|\d\d)(?!\d))"
    r"|(?P<words>\d\d?\.? [a-zA-Z]{3,9}\.? \d{4})|(?P<month_first>[a-zA-Z]{3,9}\.? \d\d?,? \d{4}))"
    r"|(?P<slashes>\d+/\d+/\d+)"
    rf"|(?P<yearless>\d\d?\.\s?\d\d?\.|\d\d?/\d\d?(?!\d)|\d\d?\.? (?:{'|'.join(MONTHS)})[a-z]*)",
    re.IGNORECASE,
)
NO_NAME = re.compile(  # a remark, a day that can't be read, or a number with its unit
    r"[^\w]|\d|.*[:/=]|.*\s\d+[^\s\d]"
    rf"|(?:table|set|game|round|vps?|pts|points?|{WEEKDAY}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?"
    r"|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\.?$",
    re.IGNORECASE,
)


class Line(NamedTuple):
    number: int
    text: str
    day: date | None = None
    played: PlayedSet | None = None
    problem: str = ""

    @property
    def standings(self) -> list[tuple[str, Standing, str]]:
        """Return each player's name, standing, and VP game by game, in rank order."""
        assert self.played
        names = self.played.log.name_by_seat
        cells = [
            {seat: str(player.points) for seat, player in game.players.items()}
            | dict.fromkeys(game.barred, "c")
            for game in self.played.state.games
        ]
        return [
            (names[row.player], row, " + ".join(of.get(row.player, "–") for of in cells))
            for row in sets.standings(self.played.state)
        ]

    @property
    def winners(self) -> list[str]:
        assert self.played
        names, games = self.played.log.name_by_seat, self.played.state.games
        return [names[game.winner] if game.winner else "a tie" for game in games]

    @property
    def ties(self) -> list[int]:
        assert self.played
        games = enumerate(self.played.state.games, 1)
        return [number for number, game in games if game.winner is None]


def read(text: str, ruleset: Ruleset, known: Mapping[str, str], today: date) -> list[Line]:
    """Return the lines with something on them. ``known`` are the names of a playgroup's players by
    their keys; ``today`` is the latest day that a set can be of."""
    lines: list[Line] = []
    day: date | None = None
    for number, line in enumerate(text.splitlines(), 1):
        # The pattern of a seat would try each of many blanks with each other.
        folded = " ".join(INVISIBLE.sub("", line).split())
        if not folded:
            continue
        try:
            found = DAY.match(folded)
            if found:
                day = None  # or what follows a wrong day would be of the day before it
                day = _read_day(found, today)
            if day is None:
                raise Refused("Begin the line with the day, as in 12.3.2026 or 2026-03-12.")
            rest = folded[found.end() if found else 0 :].strip(" :,;|").lstrip(f"{DASH} ")
            if rest:  # else the day is of the lines below it
                played = _played(ruleset, day, _read_seats(rest, known))
                lines.append(Line(number, line, day, played))
        except Refused as refused:
            lines.append(Line(number, line, problem=str(refused)))
    return lines


def _read_day(found: re.Match[str], today: date) -> date:
    """
    >>> days = ("2026-3-13", "13.3.26", "13. 3. 2026", "13. march 2026", "Mar 13, 2026", "3/13/26")
    >>> {str(_read_day(DAY.match(day), date(2026, 4, 1))) for day in days}
    {'2026-03-13'}
    """
    text = found[found.lastgroup or 0]  # without a weekday
    if found["yearless"]:
        raise Refused(f"{text} has no year. Write it as in 12.3.2026 or 2026-03-12.")
    parts = re.split(r"[-.,/\s]+", text)
    year, month, day = parts if found["iso"] else parts[::-1]
    if found["slashes"] and int(day) <= 12 and int(month) <= 12 and day != month:
        raise Refused(f"{text} can mean two days. Write it as in 12.3.2026 or 2026-03-12.")
    if found["month_first"] or (found["slashes"] and int(month) > 12):
        month, day = day, month
    try:
        in_year = int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) + 1
        read = date(int(year) + (2000 if len(year) == 2 else 0), in_year, int(day))
    except ValueError as error:
        raise Refused(f"There is no day {text}.") from error
    if not FIRST_DAY <= read <= today:
        raise Refused(f"{text} is {'still to come' if read > today else 'too early'}.")
    return read


def _read_seats(text: str, known: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what stands after each name, small: a number, ``c`` or ``-`` for each game.

    >>> _read_seats("ann: 21w/12, Bo\\t5\\t21; Cy C / Dee 0, 1", {"ann": "Ann"})
    {'Ann': ['21w', '12'], 'Bo': ['5', '21'], 'Cy': ['c', '-'], 'Dee': ['0', '1']}
    """
    if "(" in text:
        raise Refused("Leave out what stands in brackets: only names and VP can be read.")
    ending_in_c = [re.escape(name) for name in known.values() if name.lower().endswith(" c")]
    called = "|".join((*ending_in_c, ".+?"))
    seat = re.compile(rf"\s*({called})\s*:?((?:\s+{RESULT})+)(?!\S)", re.IGNORECASE)
    seats: list[tuple[str, list[str]]] = []
    for part in re.split(r"[,;|]|\s/\s", AND.sub(", ", BETWEEN.sub(" ", text))):
        at = 0
        while found := seat.match(part, at):
            name, results = found[1].strip(), found[2].lower().translate(ALIKE).split()
            seats.append((known.get(name_key(name), name), results))
            at = found.end()
        rest = part[at:].strip()
        if rest:
            raise Refused(f"“{rest}” can’t be read: write a name, then the VP of each game.")
    names = [name for name, _ in seats]
    for name in names:
        if len(name) > NAME_MAX or not is_visible(name):
            raise Refused(f"“{name[:NAME_MAX]}” can’t be a name: {NAME_MAX} letters at most.")
        if NO_NAME.match(name) and name not in known.values():
            raise Refused(
                f"“{name}” is no name. Is it a day without its year, a unit, or a remark? "
                f"Somebody called so must be a player here first."
            )
    for problem in seated_twice(names):
        raise Refused(problem)
    longest, most = max(seats, key=lambda seat: len(seat[1]), default=("", []))
    games = len(most)
    for name, results in seats:
        if results[-1] == "c":  # nothing needs to follow that
            results += ["-"] * (games - len(results))
        if len(results) < games:
            raise Refused(
                f"{name} has {len(results)} of {games} games: {longest} has {' '.join(most)}. "
                f"Write c where {name} conceded, and - for a game that {name} did not play."
            )
    # A game that nobody played was none: the dashes separate, as in "Ann - 21, Bo - 5".
    played = [at for at in range(games) if any(results[at] != "-" for _, results in seats)]
    return {name: [results[at] for at in played or range(games)] for name, results in seats}


def _played(ruleset: Ruleset, day: date, seats: Mapping[str, Sequence[str]]) -> PlayedSet:
    if not ruleset.allows(len(seats)):
        raise Refused(f"This ruleset is for {ruleset.players_text} players, not {len(seats)}.")
    played = dict(enumerate(seats.values(), 1))
    games = len(played[1])
    if games > ruleset.games:
        raise Refused(f"A set has {ruleset.games} games, not {games}.")
    log = SetLog(ruleset, tuple(seats))
    gone: set[int] = set()  # who conceded, or left
    for at in range(games):
        results = {seat: of[at] for seat, of in played.items()}
        for seat in gone:
            if results.pop(seat) not in ("-", "0"):
                raise Refused(
                    f"{log.names[seat - 1]} conceded or left before game {at + 1}, and plays no "
                    f"later game. Write - there."
                )
        dropped = tuple(seat for seat, result in results.items() if result == "-")
        if dropped and not at:
            raise Refused(f"{log.names[dropped[0] - 1]} did not play game 1: nobody joins later.")
        left = {seat: result for seat, result in results.items() if result != "-"}
        if len(left) < 2:
            raise Refused(f"Fewer than two play game {at + 1}.")
        move = _result(ruleset, day, left, at + 1)
        game = LoggedGame(next(iter(left)), (LoggedEntry(move),), dropped)
        log = replace(log, games=(*log.games, game))
        gone |= {*dropped, *move.conceded}
    outcome = document.play(log)
    if failure := outcome.failure:
        raise Refused(f"Game {failure.game}: {failure.refusal.message(log.name_by_seat)}")
    if outcome.state.is_finished:
        return outcome
    return document.play(replace(log, called=True))


def _result(ruleset: Ruleset, day: date, left: Mapping[int, str], game: int) -> EnterResult:
    conceded = tuple(seat for seat, result in left.items() if result == "c")
    points = {seat: int(result.strip("cw") or 0) for seat, result in left.items()}
    staying = [seat for seat in left if seat not in conceded]
    at_cap = [seat for seat, by in points.items() if by >= (ruleset.cap or 0)]
    marked = [seat for seat, result in left.items() if "w" in result]
    if len(marked) > 1:
        raise Refused(f"Game {game}: only one can have a w, for the winner.")
    # Whoever alone has 21 won, and whoever alone did not concede.
    one = next((each[0] for each in (marked, at_cap, staying) if len(each) == 1), None)
    how = How.NOT_NOTED
    if len(staying) == 1:
        how = How.LAST_STANDING
    elif one is None and at_cap:
        how = How.VICTORY_POINTS
    return EnterResult(day.isoformat(), points, one, how, conceded)


def repeated(lines: Iterable[Line]) -> Iterator[int]:
    """Yield the numbers of lines that say what a line above them says."""
    above = set()
    for line in lines:
        said = line.day, frozenset((name_key(name), games) for name, _, games in line.standings)
        if said in above:
            yield line.number
        above.add(said)


def new_names(lines: Sequence[Line], known: Mapping[str, str]) -> list[str]:
    played = [line.played for line in lines if line.played]
    named = dict.fromkeys(name for each in played for name in each.log.names)
    return [name for name in named if name_key(name) not in known]
