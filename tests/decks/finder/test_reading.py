"""Search expressions: what is understood, where and why something is not, and both ways round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Tree

from decks.finder import expressions
from decks.finder.expressions import (
    LENGTH_MAX,
    Misread,
    Node,
    Term,
    read,
    write,
)
from decks.finder.fields import NAMES, conditions, expression, form_of

ELF, GREEN, LOW = Term("t", ":", "elf"), Term("c", ":", "g"), Term("mv", "<=", "3")
DRAW = Term("o", ":", "draw a card")


def named(word: str) -> Term:
    return Term("name", ":", word)


def every(*nodes: Node) -> Node:
    return Tree("all", [*nodes])


def any_of(*nodes: Node) -> Node:
    return Tree("any", [*nodes])


def negated(node: Node) -> Node:
    return Tree("negated", [node])


def new_form(**values: str) -> dict[str, str]:
    return dict.fromkeys(NAMES, "") | values


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("", every()),
        (" \t\n ", every()),
        ("elf", named("elf")),
        ("llanowar el", every(named("llanowar"), named("el"))),
        ('"llanowar el"', named("llanowar el")),
        ("'llanowar el'", named("llanowar el")),
        ("urza's 'tis", every(named("urza's"), named("'tis"))),
        ('t:elf c:g mv<=3 o:"draw a card"', every(ELF, GREEN, LOW, DRAW)),
        ("T:elf AND C:g", every(ELF, GREEN)),
        ("type=elf color:g cmc≤3 oracle:'draw a card'", every(ELF, GREEN, LOW, DRAW)),
        ("“draw”", named("draw")),
        ("t:elf or c:g mv<=3", any_of(ELF, every(GREEN, LOW))),
        ("(t:elf OR c:g) mv<=3", every(any_of(ELF, GREEN), LOW)),
        ("-t:elf", negated(ELF)),
        ("−t:elf", negated(ELF)),
        ("--t:elf", ELF),
        ("-(t:elf c:g)", negated(every(ELF, GREEN))),
        ("t!=elf", negated(ELF)),
        ("not:hero", negated(Term("is", ":", "hero"))),
        ("-not:hero", negated(negated(Term("is", ":", "hero")))),
        ('!"Fire // Ice"', Term("exact", ":", "Fire // Ice")),
        ("!bolt", Term("exact", ":", "bolt")),
        ("c!=g", negated(Term("c", "=", "g"))),
        ("mv:3", Term("mv", "=", "3")),
        ("m:{2}{W}", Term("m", ">=", "{2}{W}")),
        ("Fire // Ice", every(named("Fire"), named("//"), named("Ice"))),
        ("Protection: Red", every(named("Protection:"), named("Red"))),
        ("and t:elf and", ELF),
    ],
)
def test_an_expression_is_understood(text, node):
    assert read(text) == node


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ('t:elf o:"draw', 8, "Nothing closes this quotation mark."),
        ('o:""', 2, "There is nothing between these quotation marks."),
        ("o:' '", 2, "There is nothing between these quotation marks."),
        ("aff:elf name:'\"'", 13, "There is nothing between these quotation marks."),
        ("(t:elf", 0, "Nothing closes this parenthesis."),
        ("t:elf (", 6, "Nothing closes this parenthesis."),
        ("t:elf)", 5, "Nothing opens this parenthesis."),
        (")", 0, "Nothing opens this parenthesis."),
        ("()", 1, "There is nothing between these parentheses."),
        ("or", 0, "“or” stands between two conditions: one is missing here."),
        ("a or", 4, "“or” stands between two conditions: one is missing here."),
        ("a or or b", 5, "“or” stands between two conditions: one is missing here."),
        ("elf -", 4, "A minus leaves out what follows it: nothing does."),
        ("mv<=", 4, "A value is missing after “mv<=”."),
        ("t: elf", 2, "A value is missing after “t:”."),
        ("!", 1, "A value is missing after “!”."),
        ("t<3", 1, "“t” can't be compared with “<”, only with :, =, !=."),
        (
            "o:/(a+)+$/",
            2,
            "Patterns between slashes are not understood here. Write the words in quotes.",
        ),
        ("set:m10", 0, "“set” is about printings, and this site knows only cards."),
        ("a" * 10_000, LENGTH_MAX, "That is too long: 500 characters at most."),
        ("(" * 400, 20, "20 parentheses inside each other are the limit."),
        ("a " * 200, 16, "8 conditions are the limit."),
        ("-(t:a or t:b) " * 5, 58, "8 conditions are the limit."),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(text, at, why):
    with pytest.raises(Misread) as misread:
        read(text)

    assert (misread.value.at, misread.value.why) == (at, why)


def test_a_place_is_told_as_people_count_lines_and_columns():
    text = 't:elf\n  c:g "'
    with pytest.raises(Misread) as misread:
        read(text)

    message = "Line 2, column 7: Nothing closes this quotation mark."
    assert misread.value.message(text) == message


def test_an_unknown_key_is_told_with_those_that_are_known():
    text = "c:g typ:elf"
    with pytest.raises(Misread) as misread:
        read(text)

    assert misread.value.message(text) == (
        "Line 1, column 5: “typ” is not known here. Known are name, t, o, fo, kw, c, id, m, mv, "
        "pow, tou, pt, loy, def, is, not, legal, banned, aff, fits, hero, played, order, "
        "direction. A name with a colon needs quotes."
    )
    assert misread.value.corrections(text) == [("type", "c:g type:elf")]


def test_a_correction_of_several_words_brings_its_quotes():
    assert Misread("", 4, 4, ("Time Lord",)).corrections("aff:lord") == [
        ("Time Lord", 'aff:"Time Lord"')
    ]
    assert Misread("", 5, 4, ("Time Lord",)).corrections('aff:"lord"') == [
        ("Time Lord", 'aff:"Time Lord"')
    ]


VALUES = st.text("abcWUBRG019 '-/()!<=:{}~é“or", min_size=1, max_size=12).filter(
    lambda value: value.replace("“", "").strip()
)
COMPARED = ("c", "mv", "pow")


def terms() -> st.SearchStrategy[Node]:
    texts = st.builds(
        Term, st.sampled_from(["name", "exact", "t", "o", "aff"]), st.just(":"), VALUES
    )
    numbers = st.builds(
        Term, st.sampled_from(COMPARED), st.sampled_from(["=", "<", "<=", ">", ">="]), VALUES
    )
    return texts | numbers


def combined(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(nodes, min_size=2, max_size=3)
    kinds = st.sampled_from(["all", "any"])
    return st.builds(Tree, kinds, several) | nodes.map(negated)


@given(st.recursive(terms(), combined, max_leaves=8))
def test_what_is_written_is_read_as_the_same(node):
    """Where it is short enough; spaces around a value are not kept, nor are curly quotes."""
    text = write(node)
    if len(text) <= LENGTH_MAX:
        again = read(text)
        assert write(again) == write(read(write(again)))
        assert leaves(again) == leaves(node)


def leaves(node: Node) -> list[Term]:
    """Return the conditions as they are compared, whatever they are combined by."""
    if isinstance(node, Tree):
        return [leaf for part in node.children for leaf in leaves(part)]
    plain = " ".join(node.value.replace("“", '"').replace('"', " ").split())
    return [Term(node.key, node.operator, plain)]


@given(st.text(max_size=60) | st.text("t:c<=>()-\"'! orand", max_size=60))
def test_any_text_is_read_or_refused(text):
    assert 0 <= place_of_problem(text) <= len(text)


def place_of_problem(text: str) -> int:
    try:
        read(text)
    except Misread as misread:
        return misread.at
    return 0


FORM = new_form(
    name='elf "of the"',
    line="legendary elf",
    text="draw a card",
    colors="WG",
    within="<=",
    identity="WG",
    least="1",
    most="3",
    kind="creature",
    type="Elf",
    hero="Lathril, Blade of the Elves",
    free="always",
    legal="coalition-906",
    sort="mv",
    rest="pow>2 or tou>2",
)


def test_eight_conditions_can_be_ordered():
    assert len(read("a " * 8 + "order:mv").children) == 9


def test_an_expression_fills_the_form_that_wrote_it(monkeypatch):
    assert expression(FORM) == (
        'elf "of the" t:"legendary elf" c<=wg id:wg mv>=1 mv<=3 o:"draw a card" is:creature '
        'hero:"Lathril, Blade of the Elves" fits:Elf legal:coalition-906 order:mv '
        "(pow>2 or tou>2)"
    )
    monkeypatch.setattr(
        expressions, "TERMS_MAX", 40
    )  # the form has more fields than a search takes
    assert form_of(read(expression(FORM))) == FORM


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (new_form(), ""),
        (new_form(type="Elf"), "aff:Elf"),
        (new_form(type="Elf", free="always"), "fits:Elf"),
        (new_form(type="Elf", free="only"), "fits:Elf aff:none"),
        (new_form(hero="Kaalia"), "hero:Kaalia -aff:none"),
        (new_form(hero="Kaalia", free="always"), "hero:Kaalia"),
        (new_form(hero="Kaalia", free="only"), "hero:Kaalia aff:none"),
        (new_form(hero="Kaalia", type="Elf"), "hero:Kaalia aff:Elf"),
        (new_form(free="never"), "-aff:none"),
        (new_form(free="only"), "aff:none"),
        (new_form(least="3", most="3"), "mv=3"),
        (new_form(colors="C"), "c:c"),
        (new_form(rest="t:a t:b"), "t:a t:b"),
    ],
)
def test_fields_and_expression_are_written_from_each_other(form, text):
    assert expression(form) == text
    assert expression(form_of(read(text))) == text
    if not form["rest"]:
        assert form_of(read(text)) == form


@pytest.mark.parametrize(
    "text",
    [
        *("t:elf or t:goblin", "t:elf t:goblin", "-c:g", "c>=azorius", "mv>3", "mv:even"),
        *("aff:any", "aff:elf aff:none", "aff:elf -aff:none", "-aff:none aff:none hero:x"),
        *('!"Fire // Ice" (a or b)', "direction:desc", "is:permanent"),
        *("legal:leveler banned:coalition", "o:a o:b fo:c", "is:hero is:creature"),
    ],
)
def test_what_no_field_can_show_stays_in_the_rest(text):
    form = form_of(read(text))

    assert sorted(map(write, conditions(read(expression(form))))) == sorted(
        map(write, conditions(read(text)))
    )
