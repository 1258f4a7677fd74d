"""A round of an evening: who sits at which table. Chance comes in as shuffled orders of the people,
so the same orders give the same tables."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, pairwise, permutations
from types import MappingProxyType

from .errors import RuleError
from .values import Value

# Sizes come first, with the fewest byes, then nearest to the usual size. A bye goes to whoever had
# the fewest, then to the lowest in the standings. Then the others sit down by standing, and two
# people swap tables as long as that saves repeated meetings, or leaves a table closer in standing,
# or else brings together people who met less often on other evenings.
Tables = Sequence[Sequence[int]]  # of a round, by the keys of people
Pair = tuple[int, int]  # keys of two people, the lower key first
Met = Mapping[Pair, int]  # how often two people sat at one table

ORDERS = 16  # searches of a draw that are enough: of 64 people, a third of a second together


class TooFewForATable(RuleError):
    text = "There are too few people for one table."


class Person(Value):
    """Somebody to be seated: ``standing`` counts from 1, tied people share it; ``byes`` so far."""

    key: int
    standing: int = 1
    byes: int = 0


class Pods(Value):
    """The best standings sit at the first table. ``repeats`` counts earlier meetings, ``fewest`` is
    the least of any seating. ``spread`` adds up the squares of the differences in standing."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    repeats: int
    fewest: int
    spread: int


def table_sizes(people: int, allowed: Collection[int], usual: int) -> tuple[int, ...]:
    """Return the sizes of tables for so many people: few byes first, then near the usual size.

    >>> table_sizes(9, {3, 4, 5}, usual=4)
    (5, 4)
    >>> table_sizes(7, {4, 6}, usual=4)
    (6,)

    :raises TooFewForATable: if no table can be filled.
    """

    @cache
    def best(left: int, most: int) -> tuple[int, int, tuple[int, ...]]:
        """Return byes, distance from the usual size, and the sizes, none over ``most``."""
        choices: list[tuple[int, int, tuple[int, ...]]] = [(left, 0, ())]
        for size in (size for size in allowed if size <= min(left, most)):
            byes, distance, rest = best(left - size, size)
            choices.append((byes, distance + (size - usual) ** 2, (size, *rest)))
        return min(choices)

    sizes = best(people, people)[2]
    if not sizes:
        raise TooFewForATable()
    return sizes


def best_tables(
    people: Sequence[Person],
    earlier: Sequence[Tables],
    sizes: Sequence[int],
    orders: Iterable[Sequence[int]],
    known: Met = MappingProxyType({}),
) -> Pods:
    """Return the best tables that a search from each of ``orders``, of the keys of all, leads to.

    Byes go to those with the fewest, then to the lowest in the standings. Repeated opponents count
    first, then standings, then who is ``known`` from other evenings; ``orders`` break ties.

    >>> six = [Person(key, standing=key) for key in (1, 2, 3, 4, 5, 6)]
    >>> best_tables(six, [[(1, 2), (3, 4), (5, 6)]], (2, 2, 2), [(1, 2, 3, 4, 5, 6)]).tables
    ((1, 3), (2, 5), (4, 6))
    >>> four = [Person(key) for key in (1, 2, 3, 4)]
    >>> best_tables(four, [], (2, 2), [(1, 2, 3, 4)], known={(1, 2): 5, (1, 3): 2}).tables
    ((1, 4), (2, 3))
    """
    met = meetings(earlier)
    by_key = {person.key: person for person in people}
    found = []
    for order in orders:
        shuffled = [by_key[key] for key in order]
        by_byes = sorted(shuffled, key=lambda person: (person.byes, -person.standing))
        byes = tuple(person.key for person in by_byes[: len(people) - sum(sizes)])
        seated = [person for person in shuffled if person.key not in byes]
        search = _Search(sorted(seated, key=lambda person: person.standing), met, known, sizes)
        search.improve()
        pairs = list(_pairs(search.tables()))
        repeats = sum(met.get(pair, 0) for pair in pairs)
        spread = sum((by_key[one].standing - by_key[two].standing) ** 2 for one, two in pairs)
        again = sum(known.get(pair, 0) for pair in pairs)
        found.append((repeats, spread, again, search.tables(), byes))
    repeats, spread, _, tables, byes = min(found, key=lambda each: each[:3])
    return Pods(tables, byes, repeats, fewest_repeats(tables, earlier), spread)


def meetings(rounds: Iterable[Tables]) -> Counter[Pair]:
    """
    >>> meetings([[(1, 2)], [(2, 1), (3,)]])
    Counter({(1, 2): 2})
    """
    return Counter(pair for tables in rounds for pair in _pairs(tables))


def _pairs(tables: Tables) -> Iterable[Pair]:
    return chain.from_iterable(combinations(sorted(table), 2) for table in tables)


def fewest_repeats(tables: Tables, earlier: Iterable[Tables]) -> int:
    """Return the fewest repeats that any seating at tables of these sizes has.

    A table's people come from no more tables than an earlier round had for them, and go to no more
    than there are now: even if spread out evenly, some meet again.

    >>> fewest_repeats([(1, 3, 5), (2, 4, 6)], [[(1, 2, 3), (4, 5, 6)]])
    2
    """
    seated, fewest = set(chain.from_iterable(tables)), 0
    for before in earlier:
        together = [sum(key in seated for key in table) for table in before]
        alone = len(seated) - sum(together)  # those who had no table then
        origins = alone + sum(size > 0 for size in together)
        by_table = sum(_least(len(table), origins) for table in tables)
        fewest += max(by_table, sum(_least(size, len(tables)) for size in together))
    return fewest


def _least(size: int, origins: int) -> int:
    """Return the fewest pairs of the same origin among ``size`` people.

    >>> _least(5, 2), _least(4, 4)
    (4, 0)
    """
    each, more = divmod(size, origins)
    return more * (each + 1) * each // 2 + (origins - more) * each * (each - 1) // 2


class _Search:
    """``costs`` is what it costs that two people share a table; ``with_table`` what it costs each
    person to sit with all of each table."""

    def __init__(
        self, people: Sequence[Person], met: Met, known: Met, sizes: Sequence[int]
    ) -> None:
        self.people = people
        # A repeated opponent costs more than any spread, and that more than all who are known.
        worst = max((person.standing for person in people), default=0)
        repeat = len(people) ** 2 * (1 + worst) ** 2
        apart = 1 + sum(known.values())
        self.costs = [[0] * len(people) for _ in people]
        for (at, one), (at_other, other) in permutations(enumerate(people), 2):
            pair = min(one.key, other.key), max(one.key, other.key)
            cost = repeat * met.get(pair, 0) + (one.standing - other.standing) ** 2
            self.costs[at][at_other] = apart * cost + known.get(pair, 0)
        ends = [sum(sizes[:at]) for at in range(len(sizes) + 1)]
        spans = list(pairwise(ends))
        self.at = [table for table, span in enumerate(spans) for _ in range(*span)]
        self.with_table = [[sum(costs[slice(*span)]) for span in spans] for costs in self.costs]

    def improve(self) -> None:
        pairs = list(combinations(range(len(self.people)), 2))
        goes_on = True
        while goes_on:
            goes_on = False
            for one, other in pairs:
                here, there = self.at[one], self.at[other]
                of_one, of_other = self.with_table[one], self.with_table[other]
                change = of_one[there] - of_one[here] + of_other[here] - of_other[there]
                if here == there or change - 2 * self.costs[one][other] >= 0:
                    continue
                goes_on = True
                self.at[one], self.at[other] = there, here
                for row, costs in zip(self.with_table, self.costs, strict=True):
                    moved = costs[other] - costs[one]
                    row[here] += moved
                    row[there] -= moved

    def tables(self) -> tuple[tuple[int, ...], ...]:
        seated: dict[int, list[int]] = {}
        for person, table in zip(self.people, self.at, strict=True):
            seated.setdefault(table, []).append(person.key)
        return tuple(map(tuple, seated.values()))
