"""The benchmarks send what real phones send. Their times are not tested."""

from tests.bench.client import Answer
from tests.bench.phones import Scorekeeper
from tests.scoring.tables import KEY, address, holder, set_up


def test_a_phone_of_the_benchmarks_says_which_pad_it_shows_as_a_real_one_does(db):
    table = set_up()
    browser, phone = holder(table), Scorekeeper(0, (table.code, KEY), "")
    phone.read(Answer(200, {}, [], browser.get(address(table, "score")).content))

    answer = browser.post(
        address(table, "hit", 1), phone.hit_form(), headers={"HX-Request": "true"}
    )

    assert phone.pad == {"pad": "1-1-.12"}
    assert (answer.status_code, answer["HX-Reswap"]) == (200, "none")
