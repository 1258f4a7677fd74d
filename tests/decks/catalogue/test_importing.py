"""Card files: read as a stream, stored all or nothing, brought up to date in place."""

import gzip
import io
import json
import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from decks.catalogue import files, importing
from decks.catalogue.affiliations import override, reread
from decks.catalogue.memory import find_rows
from decks.management.commands import import_cards as command
from decks.models import Affiliation, Card, CardFace, CreatureType
from decks.rules.affiliations import Affiliations
from decks.rules.cards import ANY_NUMBER
from tests.scoring.tables import unchanged
from tests.shared import SHARED

from ..cards import face, given, record
from ..lists import TODAY, coalition, register
from ..picture_source import Source, source_of_pictures

POOL = SHARED / "data" / "oracle-cards.json.gz"

pytestmark = pytest.mark.django_db

ELF, GOBLIN = record("Elf"), record("Goblin", "Creature — Goblin")


DELVER = record(
    "Delver // Aberration",
    "Creature — Human Wizard // Creature — Insect",
    layout="transform",
    card_faces=[face("Delver", "Creature — Human Wizard"), face("Aberration", "Creature")],
)


def run(*arguments: str) -> tuple[str, str]:
    """Run the command; return the first line of what it says, and what it complains about."""
    out, err = io.StringIO(), io.StringIO()
    call_command("import_cards", *arguments, stdout=out, stderr=err)
    return out.getvalue().splitlines()[0], err.getvalue().strip()


def refusal(source: str) -> str:
    """Run the command on a bad file; return why it is refused, with nothing changed."""
    with unchanged(), pytest.raises(CommandError) as refused:
        run(source)
    return str(refused.value)


def cards_and_types() -> list[list[tuple[Any, ...]]]:
    """Return all rows that belong to cards."""
    models = (Card, CardFace, Affiliation)
    return [list(model.objects.order_by("pk").values_list()) for model in models]


def affiliations(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """Run ``affiliations``; return its exit code, what it prints, and what it complains about."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("affiliations", *arguments, stdout=out, stderr=err)
        code = 0
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    return code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue()


def types(name: str) -> list[str]:
    return sorted(Card.objects.get(name=name).types.values_list("name", flat=True))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_read_plain_or_gzipped(file, pack):
    content = pack(json.dumps([ELF, GOBLIN]).encode())

    assert run(file(content=content)) == ("2 cards imported, 0 left out, 0 could not be used", "")
    assert list(Card.objects.values_list("name", flat=True)) == ["Elf", "Goblin"]


@pytest.fixture
def source() -> Iterator[Source]:
    """Serve card files on this machine, and Scryfall's answer where today's is."""
    with source_of_pictures() as serving:
        cards = json.dumps([ELF]).encode()
        where = {"download_uri": f"{serving.address}/cards.json"}
        serving.draw = {
            "/cards.json": cards,
            "/cards.json.gz": gzip.compress(cards),
            "/bulk": json.dumps(where).encode(),
        }.__getitem__
        yield serving


@pytest.mark.parametrize("path", ["/cards.json", "/cards.json.gz", ""])
def test_a_file_is_read_from_an_address_or_else_that_of_today(source, monkeypatch, path):
    monkeypatch.setattr(command, "BULK_DATA", f"{source.address}/bulk")

    assert run(*([source.address + path] if path else []))[0].startswith("1 cards imported")
    assert Card.objects.get().name == "Elf"


def test_what_has_no_file_is_reported(source, tmp_path):
    source.status = 404

    for where in (f"{source.address}/cards.json", str(tmp_path / "none.json")):
        assert refusal(where).startswith("The cards can't be read:")


def test_importing_again_updates_in_place():
    """Ban entries and deck lines go on pointing at the same row."""
    given(ELF, GOBLIN)
    elf = Card.objects.get(name="Elf")
    entry = coalition().entries.create(card=elf, starts_on=TODAY)
    line = register("Elves", "1 Elf").revisions.get().lines.get()

    given({**ELF, "name": "Elder Elf", "oracle_text": "Create a Bear.", "cmc": 3.0})

    elf.refresh_from_db()
    assert (elf.name, elf.key, elf.mana_value) == ("Elder Elf", "elder elf", 3.0)
    assert types("Elder Elf") == ["Bear", "Elf"]
    assert [one.oracle_text for one in elf.faces.all()] == ["Create a Bear."]
    assert Card.objects.count() == 2  # a card that is not in the file stays
    entry.refresh_from_db()
    line.refresh_from_db()
    assert entry.card == line.card == elf


def test_a_renamed_card_is_linked_to_decks_that_name_it_so_already():
    given(ELF)
    deck = register("Early", "1 Elder Elf")

    given({**ELF, "name": "Elder Elf"})

    assert [line.card.name for line in deck.revisions.get().lines.all()] == ["Elder Elf"]


def test_colours_keywords_and_numbers_are_stored_as_printed():
    """The halves of a split card have its colours, the faces of others their own."""
    split = {"colors": ["R", "U"], "color_identity": ["U", "R"]}
    given(
        {**ELF, "keywords": ["Flying", "Partner with"], "power": "1+*", "toughness": "3"},
        record("Fire // Ice", "Instant", card_faces=[face("Fire", "Instant")] * 2, **split),
        record(
            "Day // Night",
            card_faces=[
                {**face("Day", "Creature"), "colors": ["W"], "mana_cost": "{W}", "power": "2"},
                {**face("Night", "Land"), "colors": []},
            ],
        ),
    )

    assert list(Card.objects.values_list("name", "identity", "keywords")) == [
        ("Day // Night", "", ""),
        ("Elf", "", "Flying,Partner with"),
        ("Fire // Ice", "UR", ""),
    ]
    assert list(
        CardFace.objects.order_by("card__name", "position").values_list(
            "name", "mana_cost", "colors", "power", "toughness"
        )
    ) == [
        ("Day", "{W}", "W", "2", ""),
        ("Night", "", "", "", ""),
        ("Elf", "{G}", "", "1+*", "3"),
        ("Fire", "", "UR", "", ""),
        ("Fire", "", "UR", "", ""),
    ]


def test_what_a_judge_needs_of_a_card_is_read_from_all_its_faces():
    back = face("Moon", "Legendary Creature", "Each player antes a card.\nOpen an Attraction.")
    given(
        record("Plot", "Conspiracy"),
        record("Rats", text="A deck can have any number of cards named Rats."),
        record("Sun // Moon", "Land", card_faces=[face("Sun", "Land"), back]),
        record(
            "Gnat",
            "Legendary Planeswalker",
            "As long as Gnat isn't on the battlefield, it's an Insect creature.",
        ),
    )

    facts = "can_lead copies has_legendary_back is_conspiracy uses_ante uses_stickers".split()
    assert list(Card.objects.values_list("name", *facts)) == [
        ("Gnat", True, None, False, False, False, False),
        ("Plot", False, None, False, True, False, False),
        ("Rats", False, ANY_NUMBER, False, False, False, False),
        ("Sun // Moon", False, None, True, False, True, True),
    ]


def test_a_card_of_another_id_takes_the_row_of_its_name():
    """A pool of cards with ids of its own is replaced by Scryfall's, not doubled."""
    elf, _ = given(ELF, GOBLIN)
    override(elf, Affiliations(frozenset({"Bear"})), "The text misleads.")
    other = {**ELF, "oracle_id": str(uuid4()), "cmc": 3.0}

    for _ in range(2):
        given(other)

    elf.refresh_from_db()
    assert (str(elf.oracle_id), elf.mana_value) == (other["oracle_id"], 3.0)
    assert types("Elf") == ["Bear"]
    assert Card.objects.count() == 2


def test_namesakes_of_one_file_are_both_stored():
    second = {**ELF, "oracle_id": str(uuid4())}
    for _ in range(2):
        given(GOBLIN, ELF, second)
    rows = list(Card.objects.filter(key="elf").order_by("pk").values_list("pk", flat=True))
    third = {**ELF, "oracle_id": str(uuid4())}
    given(third)  # takes the oldest row

    assert len(rows) == 2
    assert str(Card.objects.get(pk=rows[0]).oracle_id) == third["oracle_id"]


@pytest.mark.parametrize(
    "left_out",
    [
        record("Elf", "Token Creature — Elf", layout="token"),
        record("Elf Art", "Card // Card", layout="art_series"),
        record("Scheme", "Scheme", layout="scheme"),
        record("Plane", "Plane — Dominaria", layout="planar"),
        record("Vanguard", "Vanguard", layout="vanguard"),
        record("Emblem", "Emblem — Elspeth", layout="emblem"),
        record("Dungeon", "Dungeon"),
        record("Sheet", "Stickers"),
        record("Brisela", "Legendary Creature — Angel", layout="meld", mana_cost=""),
        record("Urza", "Legendary Planeswalker — Urza", layout="meld", mana_cost=""),
    ],
    ids=lambda one: str(one["name"]),
)
def test_what_is_never_in_a_deck_is_left_out(file, left_out):
    assert run(file(GOBLIN, left_out))[0] == "1 cards imported, 1 left out, 0 could not be used"
    assert list(Card.objects.values_list("name", flat=True)) == ["Goblin"]


def test_what_melds_is_a_card_of_decks_also_as_a_land():
    given(
        record("Gisela", "Legendary Creature — Angel", layout="meld", mana_cost="{2}{W}{W}"),
        record("Hanweir Battlements", "Land", layout="meld", mana_cost=""),
    )

    assert Card.objects.count() == 2


def test_both_cards_that_meld_have_the_types_of_the_result_but_none_of_its_name(file):
    """906.5c: wherever the three stand in the file, and however often it is imported."""
    rats = record(
        "Graf Rats",
        "Creature — Rat",
        "Exile Graf Rats and a creature named Scavengers, then meld them into Host of Wolves. Go.",
        layout="meld",
    )
    scavengers = record("Scavengers", "Creature — Rogue", "Flying\n(Melds with Graf Rats.)")
    host = record(
        "Host of Wolves",
        "Creature — Eldrazi",
        "When Host of Wolves enters, create a Bear.",
        layout="meld",
        mana_cost="",
    )
    melded = {"Graf Rats": ["Bear", "Eldrazi", "Rat"], "Scavengers": ["Bear", "Eldrazi", "Rogue"]}

    for records in ([rats, scavengers, host], [host, scavengers, rats, GOBLIN]):
        run(file(*records))
        assert {name: types(name) for name in melded} == melded
    names = CardFace.objects.order_by("card__name", "position").values_list("name", flat=True)
    back = "Host of Wolves"
    assert list(names) == ["Goblin", "Graf Rats", back, "Scavengers", back]
    assert not Card.objects.filter(has_legendary_back=True).exists()

    before = cards_and_types()
    run(file(host, scavengers, rats, GOBLIN))
    assert cards_and_types() == before


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([ELF, GOBLIN]).encode()[:-40],
        json.dumps([ELF, GOBLIN]).encode()[:-1],
        gzip.compress(json.dumps([ELF, GOBLIN]).encode())[:-20],
        gzip.compress(json.dumps([ELF, GOBLIN]).encode())[:-4],
        json.dumps([ELF, GOBLIN]).encode().replace(b'"Goblin"', b'"Gob\xff"'),
        json.dumps([ELF]).encode()[:-1] + b", oops]",
    ],
    ids=["in a card", "the last bracket", "gzip", "gzip's sum", "no UTF-8", "no JSON"],
)
def test_a_broken_file_changes_nothing_and_says_where(file, content):
    given(ELF)

    told = refusal(file(content=content))

    assert told.startswith("The file is broken after card ")
    assert told.endswith("Nothing was changed.")


NO_LIST = "This is not a list of cards: a JSON array is expected."
NESTED = "The file is nested more deeply than any list of cards. Nothing was changed."
LARGE = "Card 1 is larger than 2 MB, which no real card is. Nothing was changed."
ENDLESS = "The file is larger than 5 MB, which no list of all cards is. Nothing was changed."
MANY = (b"[[" + b"[]," * 700_000 + b"[]]]", b'["' + b"x" * 2_100_000 + b'"]')
SHORT = json.dumps({**ELF, "oracle_text": "x" * 1_000_000}).encode()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        *((content, NO_LIST) for content in (b"", b"{}", b"4 Elf\n", b"\x89PNG")),
        *((bracket * 100_000, NESTED) for bracket in (b"[", b'[{"a":')),
        *((pack(content), LARGE) for content in MANY for pack in (bytes, gzip.compress)),
        (b"[" + b",".join([SHORT] * 6) + b"]", ENDLESS),
    ],
    ids=lambda one: one[:20] if isinstance(one, str) else "",
)
def test_a_file_that_is_no_list_or_would_fill_the_memory_is_refused(
    file, monkeypatch, content, why
):
    monkeypatch.setattr(files, "FILE_MAX", 5_000_000)
    given(ELF)

    assert refusal(file(content=content)) == why


def test_a_list_is_found_behind_any_space(file):
    content = b" \n" * 20_000 + json.dumps([ELF]).encode()

    assert run(file(content=content))[0].startswith("1 cards imported")


@pytest.mark.parametrize("records", [[], [1, 2], [{"name": "Elf"}], [[ELF]]])
def test_a_list_without_a_card_is_refused(file, records):
    given(GOBLIN)

    assert refusal(file(*records)) == "There is no usable card in this file."


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({key: value for key, value in ELF.items() if key != "oracle_id"}, "oracle_id is missing"),
        ({**ELF, "name": "x" * 201}, "name is longer than 200 characters"),
        ({**ELF, "name": "'"}, "name has no letter or sign to look it up by"),
        ({**ELF, "name": "\ufdfa" * 150}, "name in plain letters is longer than 200 characters"),
        (
            {**ELF, "card_faces": [face("'", "Creature"), face("Elf", "Creature")]},
            "name has no letter or sign to look it up by",
        ),
        (
            {**ELF, "mana_cost": "", "card_faces": [{**ELF, "mana_cost": 1}]},
            "mana_cost is not text",
        ),
        ({**ELF, "oracle_text": "\0"}, "oracle_text is not text"),
        ({**ELF, "keywords": "Flying"}, "keywords is not a list of texts"),
        ({**ELF, "colors": [1]}, "colors is not a list of texts"),
        ({**ELF, "power": 2}, "power is not text"),
        ({**ELF, "oracle_id": "x"}, "badly formed hexadecimal UUID string"),
        ({**ELF, "cmc": "3"}, "cmc is not a number"),
        ({**ELF, "cmc": -1}, "cmc is out of range"),
        ({**ELF, "legalities": {}}, "vintage is missing"),
        (
            {**ELF, "legalities": {"vintage": "maybe", "legacy": "legal"}},
            "'maybe' is not a valid Legality",
        ),
        (GOBLIN, "its oracle_id appears twice"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_record_that_can_not_be_used_is_counted_and_reported(file, broken, why):
    out, err = run(file(GOBLIN, broken, DELVER))

    assert out == "2 cards imported, 0 left out, 1 could not be used"
    assert err.startswith("card 2 (")
    assert err.endswith(f"): {why}")


def test_records_that_are_no_cards_are_counted_and_the_first_reported(file):
    out, err = run(file(ELF, *([None] * 30), "x", 1.5, []))

    assert out == "1 cards imported, 0 left out, 33 could not be used"
    assert len(err.splitlines()) == importing.PROBLEMS_MAX


def test_affiliations_that_an_editor_settled_stay():
    given(ELF, GOBLIN)
    for name, settled in (
        ("Elf", Affiliations(frozenset({"Bear"}))),
        ("Goblin", Affiliations(every=True)),
    ):
        override(Card.objects.get(name=name), settled, "The text misleads.")

    given({**ELF, "type_line": "Creature — Cat"}, {**GOBLIN, "type_line": "Creature — Cat"})
    reread(CreatureType.objects.get(name="Cat"))

    assert (types("Elf"), types("Goblin")) == (["Bear"], [])
    assert [card.every_type for card in Card.objects.all()] == [False, True]
    assert Card.objects.get(name="Elf").type_line == "Creature — Cat"


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        *((said, "Delver // Aberration") for said in ("delver // aberration", "DELVER/ABERRATION")),
        ("Elf Lord", "Elf Lord // Elf King"),
        ("delver", "Delver"),  # a whole name goes before a front face
        ("Aberration", None),  # a back face alone is never found
        ("Aberration // Delver", None),
    ],
)
def test_cards_are_found_by_whole_names_and_front_faces_however_they_are_written(asked, name):
    king = [face("Elf Lord", "Creature — Elf"), face("Elf King", "Creature — Elf")]
    given(DELVER, record("Delver"), record("Elf Lord // Elf King", card_faces=king))

    assert [card.name for card in find_rows([asked]).values()] == [name][: bool(name)]


def test_affiliations_of_each_card_are_printed_once_and_an_unknown_name_ends_with_1():
    given(ELF, record("Shape", "Creature — Shapeshifter", "Changeling"), DELVER)
    given(record("Stone", "Artifact"))

    assert affiliations("stone", "SHAPE", "Elf", "elf", "Aberration") == (
        1,
        [
            {"name": "Stone", "affiliations": []},
            {"name": "Shape", "affiliations": "all"},
            {"name": "Elf", "affiliations": ["Elf"]},
        ],
        "No card is called 'Aberration'.\n",
    )
    code, told, _ = affiliations("Elf", "--all")
    assert (code, [one["name"] for one in told]) == (0, [DELVER["name"], "Elf", "Shape", "Stone"])


def test_affiliations_end_quietly_when_nobody_reads_on():
    given(ELF)
    reading, writing = os.pipe()
    os.close(reading)

    with open(writing, "w") as out:
        call_command("affiliations", "--all", stdout=out)


@pytest.mark.long
def test_the_real_pool_is_imported_whole():
    if not POOL.exists():
        pytest.skip("REAL CARDS NOT IMPORTED: there is no ../shared/data beside the repository")

    out, err = run(str(POOL))

    assert (out, err) == ("33088 cards imported, 7 left out, 0 could not be used", "")
    assert affiliations("Kaalia of the Vast")[1] == [
        {
            "name": "Kaalia of the Vast",
            "affiliations": ["Angel", "Cleric", "Demon", "Dragon", "Human"],
        }
    ]
